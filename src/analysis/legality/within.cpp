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

std::string text_of(const std::string& container, const symbolic::Subset& box) {
    return "`" + container + "[" + symbolic::to_string(box) + "]`";
}

poly::Space indices_of(const symbolic::Subset& box) {
    poly::Space space{.tuple = "", .dims = {}};
    for (std::size_t d = 0; d < box.rank(); ++d) space.dims.push_back(index_of(d));
    return space;
}

/// Yes if none of the elements is there for any sizes; no: the first that is. `hidden` says so where neither is known.
Verdict none_of(const poly::Set& elements, const std::string& container, const std::string& hidden,
                const symbolic::Assumptions& known) {
    const poly::Set context = poly::to_parameters(known, elements.parameter_names());
    // Where nothing runs anything could be proved.
    if (context.is_empty() == Answer::Yes) return {.answer = Answer::Unknown, .why = hidden};
    const poly::Set found = elements.intersect_parameters(context);
    const Answer none = found.is_empty();
    if (none == Answer::Yes) return {.answer = Answer::Yes, .why = {}};
    for (const std::string& name : elements.parameter_names())
        if (poly::is_opaque(name) && elements.involves_parameter(name))
            return {.answer = Answer::Unknown, .why = hidden + ": " + name + " is not affine"};
    const std::optional<poly::Point> point = none == Answer::No ? found.sample() : std::nullopt;
    if (!point) return {.answer = Answer::Unknown, .why = hidden + ": the question is too costly"};
    return {.answer = Answer::No, .why = hidden + ": " + text_of(container, *point)};
}

}  // namespace

Verdict lies_within(const symbolic::Subset& part, const symbolic::Subset& whole, const std::string& container,
                    const symbolic::Assumptions& known) {
    if (symbolic::is_yes(symbolic::covers(whole, part, known))) return {.answer = Answer::Yes, .why = {}};
    const std::string hidden = text_of(container, part) + " may lie outside of " + text_of(container, whole);
    if (part.rank() != whole.rank()) return {.answer = Answer::Unknown, .why = hidden};
    const poly::Budget budget;
    const auto wanted = elements(part, indices_of(part)), all = elements(whole, indices_of(part));
    for (const auto* each : {&wanted, &all})
        if (!each->ok()) return {.answer = Answer::Unknown, .why = hidden + ": " + each->why};
    return none_of(wanted.value->subtract(*all.value), container, hidden, known);
}

Verdict lies_apart(const symbolic::Subset& one, const symbolic::Subset& other, const std::string& container,
                   const symbolic::Assumptions& known) {
    if (symbolic::is_yes(symbolic::disjoint(one, other, known))) return {.answer = Answer::Yes, .why = {}};
    const std::string hidden = text_of(container, one) + " may overlap " + text_of(container, other);
    if (one.rank() != other.rank()) return {.answer = Answer::Unknown, .why = hidden};
    const poly::Budget budget;
    const auto first = elements(one, indices_of(one)), second = elements(other, indices_of(one));
    for (const auto* each : {&first, &second})
        if (!each->ok()) return {.answer = Answer::Unknown, .why = hidden + ": " + each->why};
    return none_of(first.value->intersect(*second.value), container, hidden, known);
}

}  // namespace sluice::analysis
