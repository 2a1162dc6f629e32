// Sizes that have a name: a symbol is given a value once and for all, or one in each round of a loop.
#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

void Maker::name_size(Flow& flow, const std::string& value) {
    const std::string name = fresh("size");
    ir::add_symbol(sdfg_, name);
    new_state(flow);
    append(flow, {.label = fresh("state"), .kind = Cow<ir::State>(), .metadata = {}}, {{name, value}});
    flow.open = true;
    extents_.insert(extents_.end(), 3, symbolic::symbol(name));
}

}  // namespace sluice::fuzz
