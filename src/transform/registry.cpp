#include "transform/registry.h"

#include "support/check.h"
#include "transform/names.h"

namespace sluice::transform {

const rewrite::Registry& builtin() {
    static const rewrite::Registry registry = [] {
        rewrite::Registry all;
        for (const Listed& one : listed()) {
            rewrite::Transformation made = one.make();
            made.descriptor.group = one.group;
            check(!all.find(made.descriptor.name), "two transformations are named ", made.descriptor.name);
            all.add(std::move(made));
        }
        for (const rewrite::Synonym& name : other_names()) all.add_name(name);
        return all;
    }();
    return registry;
}

}  // namespace sluice::transform
