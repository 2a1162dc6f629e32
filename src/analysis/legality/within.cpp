#include "analysis/legality/within.h"

#include "poly/convert.h"

namespace sluice::analysis {

namespace {

std::string text_of(const std::string& container, const poly::Point& at) {
    std::string indices, values;
    for (const std::int64_t index : at.coordinates) indices += (indices.empty() ? "" : ", ") + std::to_string(index);
    for (const auto& [name, value] : at.parameters) values += (values.empty() ? "" : ", ") + name + "=" + std::to_string(value);
    return container + "[" + indices + "]" + (values.empty() ? "" : " (" + values + ")");
}

std::string index_of(std::size_t dimension) {
    return "$" + std::to_string(dimension);
}

/// The box as a set of indices; why not, where it is not affine.
poly::Converted<poly::Set> elements(const symbolic::Subset& box, const poly::Space& space) {
    poly::Converted<poly::Set> all{poly::Set::universe(space), {}};
    for (std::size_t d = 0; d < box.rank(); ++d) {
        auto along = poly::in_range(box.dims[d], index_of(d), space);
        if (!along.ok()) return along;
        all.value = all.value->intersect(*along.value);
    }
    return all;
}

}  // namespace

Verdict lies_within(const symbolic::Subset& part, const symbolic::Subset& whole, const std::string& container,
                    const symbolic::Assumptions& known) {
    if (symbolic::is_yes(symbolic::covers(whole, part, known))) return {.answer = Answer::Yes, .why = {}};
    const std::string hidden = "`" + container + "[" + symbolic::to_string(part) + "]` may lie outside of `" + container + "[" +
                               symbolic::to_string(whole) + "]`";
    const poly::Budget budget;
    poly::Space space{.tuple = "", .dims = {}};
    for (std::size_t d = 0; d < part.rank(); ++d) space.dims.push_back(index_of(d));
    const auto wanted = elements(part, space), all = elements(whole, space);
    for (const auto* each : {&wanted, &all})
        if (!each->ok()) return {.answer = Answer::Unknown, .why = hidden + ": " + each->why};
    const poly::Set beyond = wanted.value->subtract(*all.value);
    const poly::Set context = poly::to_parameters(known, beyond.parameter_names());
    // Where nothing runs anything could be proved.
    if (context.is_empty() == Answer::Yes) return {.answer = Answer::Unknown, .why = hidden};
    const poly::Set found = beyond.intersect_parameters(context);
    const Answer none = found.is_empty();
    if (none == Answer::Yes) return {.answer = Answer::Yes, .why = {}};
    for (const std::string& name : beyond.parameter_names())
        if (poly::is_opaque(name) && beyond.involves_parameter(name))
            return {.answer = Answer::Unknown, .why = hidden + ": " + name + " is not affine"};
    const std::optional<poly::Point> point = none == Answer::No ? found.sample() : std::nullopt;
    if (!point) return {.answer = Answer::Unknown, .why = hidden + ": the question is too costly"};
    return {.answer = Answer::No, .why = hidden + ": " + text_of(container, *point)};
}

}  // namespace sluice::analysis
