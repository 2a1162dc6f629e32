#include "analysis/legality/tile.h"

#include "poly/convert.h"

namespace sluice::analysis {

using symbolic::Expr;

namespace {

std::string text_of(const poly::Point& at) {
    std::string values;
    for (const auto& [name, value] : at.parameters) values += (values.empty() ? "" : ", ") + name + "=" + std::to_string(value);
    return "the tile that begins at " + std::to_string(at.coordinates[0]) + " would hold " + std::to_string(at.coordinates[1]) +
           (values.empty() ? "" : " (" + values + ")");
}

/// A range around is empty, so that anything could be proved.
bool contradictory(const symbolic::Assumptions& known) {
    std::set<std::string> names;
    for (const Expr& fact : known.facts()) names.merge(symbolic::free_symbols(fact));
    return poly::to_parameters(known, {names.begin(), names.end()}).is_empty() == Answer::Yes;
}

}  // namespace

Verdict tiles_full(const symbolic::Range& range, const Expr& size, const symbolic::Assumptions& known) {
    const poly::Budget budget;
    if (contradictory(known)) return {.answer = Answer::Unknown, .why = "nothing runs here: no point satisfies the ranges around"};
    const Expr rest = symbolic::modulo(symbolic::count(range, known), size);
    if (symbolic::is_yes(symbolic::decide(symbolic::equal(rest, 0), known))) return {.answer = Answer::Yes, .why = {}};
    const std::string hidden =
        "whether " + symbolic::to_string(size) + " divides the number of points of " + symbolic::to_string(range) + " is not known";
    if (!size.constant() || !range.step.constant())
        return {.answer = Answer::Unknown, .why = hidden + ": a size or a step is symbolic"};
    const poly::Space space{.tuple = "", .dims = {"$tile", "$point"}};
    const Expr tile = symbolic::symbol("$tile"), length = range.step * size;
    const auto tiles = poly::in_range({range.begin, range.end, length, 1}, "$tile", space),
               points = poly::in_range({tile, tile + length, range.step, 1}, "$point", space),
               outside = poly::to_set(symbolic::less_equal(range.end, symbolic::symbol("$point")), space);
    for (const auto* each : {&tiles, &points, &outside})
        if (!each->ok()) return {.answer = Answer::Unknown, .why = hidden + ": " + each->why};
    const poly::Set everywhere = tiles.value->intersect(*points.value).intersect(*outside.value);
    const poly::Set found = everywhere.intersect_parameters(poly::to_parameters(known, everywhere.parameter_names()));
    const Answer none = found.is_empty();
    if (none == Answer::Yes) return {.answer = Answer::Yes, .why = {}};
    for (const std::string& name : everywhere.parameter_names())
        if (poly::is_opaque(name) && everywhere.involves_parameter(name))
            return {.answer = Answer::Unknown, .why = hidden + ": " + name + " is not affine"};
    const std::optional<poly::Point> point = none == Answer::No ? found.sample() : std::nullopt;
    if (!point) return {.answer = Answer::Unknown, .why = hidden + ": the question is too costly"};
    return {.answer = Answer::No,
            .why = symbolic::to_string(size) + " does not divide the number of points of " + symbolic::to_string(range) + ": " +
                   text_of(*point)};
}

}  // namespace sluice::analysis
