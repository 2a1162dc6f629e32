#include "rewrite/transformation.h"

#include <algorithm>

#include "analysis/symbols.h"

namespace sluice::rewrite {

Site::Site(const ir::Sdfg& root, const Descriptor& descriptor, const Match& match, const Options& options, Views& views,
           const std::set<std::string>& assumed)
    : root_(root), descriptor_(descriptor), match_(match), options_(options), views_(views), assumed_(assumed) {}

namespace {

template <class Id> Id bound(const Descriptor& descriptor, const Match& match, const std::vector<Id>& ids, std::string_view name) {
    const auto& nodes = descriptor.patterns[match.pattern].nodes;
    const auto at = std::ranges::find(nodes, name, &PatternNode::name);
    check(at != nodes.end(), descriptor.name, " has no place named ", std::string(name));
    return ids[static_cast<std::size_t>(at - nodes.begin())];
}

}  // namespace

ir::NodeId Site::node(std::string_view name) const {
    return bound(descriptor_, match_, match_.nodes, name);
}

ir::BlockId Site::block(std::string_view name) const {
    return bound(descriptor_, match_, match_.blocks, name);
}

const OptionValue& Site::option(std::string_view name) const {
    const auto at = options_.find(name);
    check(at != options_.end(), descriptor_.name, " has no parameter named ", std::string(name));
    return at->second;
}

symbolic::Assumptions Site::assumptions(ir::NodeId scope) const {
    symbolic::Assumptions known = views_.known(root_, match_.place);
    if (!match_.place.state.valid()) return known;
    return analysis::assumptions_in(state(), view().scopes, scope, std::move(known));
}

std::optional<Refusal> Site::unless_assumed(Refusal refusal) const {
    if (assumed_.contains(refusal.code)) return {};
    return refusal;
}

CheckedEdit::operator Transformation() const {
    struct Nothing {};
    return transformation(
        descriptor,
        [question = can_apply](const Site& site) -> Planned<Nothing> {
            if (std::optional<Refusal> refusal = question(site)) return std::move(*refusal);
            return Nothing{};
        },
        [edit = apply](Draft& draft, const Nothing&) { edit(draft); });
}

}  // namespace sluice::rewrite
