#include "driver/transformations.h"

#include "rewrite/plugin.h"
#include "transform/registry.h"

namespace sluice::driver {

namespace {

UserSite site_of(const rewrite::Site& site, const Descriptor& descriptor) {
    const rewrite::Match& match = site.match();
    UserSite found;
    for (const rewrite::RegionStep& step : match.place.regions) {
        found.path.push_back(step.block.value);
        found.path.push_back(step.branch);
    }
    if (match.place.state.valid()) found.path.push_back(match.place.state.value);
    const auto& places = descriptor.patterns[match.pattern].nodes;
    for (std::size_t at = 0; at < places.size(); ++at)
        found.ids[places[at].name] = match.nodes.empty() ? match.blocks[at].value : match.nodes[at].value;
    for (const Parameter& parameter : descriptor.parameters)
        found.options[parameter.name] = rewrite::to_string(site.option(parameter.name));
    return found;
}

std::optional<rewrite::Refusal> ask(const UserTransformation& user, const rewrite::Site& site) {
    const std::optional<UserRefusal> answer = user.can_apply(site.sdfg(), site_of(site, user.descriptor));
    if (!answer) return {};
    rewrite::Refusal refusal{.code = answer->code, .why = answer->why};
    for (const std::uint32_t id : answer->nodes) refusal.nodes.emplace_back(id);
    return site.unless_assumed(std::move(refusal));
}

}  // namespace

Transformations::Transformations() : registry_(transform::builtin()) {}

void Transformations::add(UserTransformation transformation) {
    const auto user = std::make_shared<const UserTransformation>(std::move(transformation));
    registry_.add({.descriptor = user->descriptor,
                   .can_apply = [user](const rewrite::Site& site) { return ask(*user, site); },
                   .apply =
                       [user](rewrite::Draft& draft) {
                           draft.sdfg() = user->apply(draft.sdfg(), site_of(draft.before(), user->descriptor));
                       }});
}

std::vector<std::string> Transformations::load(const std::filesystem::path& library) {
    return rewrite::load_plugin(registry_, library);
}

std::vector<const Descriptor*> Transformations::meant_by(std::string_view name) const {
    std::vector<const Descriptor*> found;
    for (const Meaning& meaning : registry_.meanings(name)) found.push_back(&describe(meaning.transformation));
    return found;
}

std::vector<const Descriptor*> Transformations::all() const {
    std::vector<const Descriptor*> found;
    for (const rewrite::Transformation* transformation : registry_.all()) found.push_back(&transformation->descriptor);
    return found;
}

std::vector<OtherName> Transformations::other_names() const {
    std::vector<OtherName> found;
    for (const auto& [name, meaning] : registry_.synonyms())
        if (!registry_.find(name)) found.push_back(meaning);
    return found;
}

}  // namespace sluice::driver
