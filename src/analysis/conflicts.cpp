#include "analysis/conflicts.h"

#include <algorithm>
#include <optional>
#include <set>

#include "poly/convert.h"

namespace sluice::analysis {

using symbolic::Expr;
using symbolic::Kind;

namespace {

bool has_call(const Expr& e) {
    return e.kind() == Kind::Call || std::ranges::any_of(e.operands(), has_call);
}

// The coefficient a if e == a * parameter + (something free of it), a a non-zero constant.
std::optional<std::int64_t> coefficient(const Expr& e, const std::string& parameter) {
    const Expr difference = symbolic::substitute(e, {{parameter, symbolic::symbol(parameter) + Expr(1)}}) - e;
    const auto a = difference.constant();
    return a && *a != 0 ? a : std::nullopt;
}

// a <= b, looking into minima on the left: one operand that is small enough is enough.
bool at_most(const Expr& a, const Expr& b, const symbolic::Assumptions& known) {
    if (symbolic::is_yes(symbolic::decide(symbolic::less_equal(a, b), known))) return true;
    if (a.kind() == Kind::Minimum)
        return std::ranges::any_of(a.operands(), [&](const Expr& operand) { return at_most(operand, b, known); });
    if (a.kind() != Kind::Add) return false;
    for (const Expr& part : a.operands()) {
        if (part.kind() != Kind::Minimum) continue;
        for (const Expr& operand : part.operands())
            if (at_most(a - part + operand, b, known)) return true;
    }
    return false;
}

// Do iterations of `loop` differ in this dimension, whose extent over the inner loops is already in `range`?
bool separates(const symbolic::Range& range, const NestLoop& loop, const symbolic::Assumptions& known) {
    if (has_call(range.begin) || has_call(range.end)) return false;
    const auto a = coefficient(range.begin, loop.parameter);
    if (!a) return false;
    const Expr distance = Expr(*a < 0 ? -*a : *a) * loop.range.step;
    const bool backwards = symbolic::is_yes(symbolic::decide(symbolic::less(loop.range.step, 0), known));
    return at_most(symbolic::max_index(range) + 1 - symbolic::min_index(range), backwards ? -distance : distance, known);
}

/// Every shared parameter has a dimension of its own.
bool apart_by_dimensions(const symbolic::Subset& written, const std::vector<NestLoop>& nest, const symbolic::Assumptions& known) {
    const auto first = std::ranges::find_if(nest, [](const NestLoop& loop) { return loop.shared; });
    symbolic::Subset touched = written;
    for (auto loop = nest.rbegin(); loop != std::make_reverse_iterator(first); ++loop) {
        if (loop->shared || loop->parameter.empty()) continue;
        touched = symbolic::image_over(touched, loop->parameter, loop->range, known).subset;
    }
    std::vector<bool> used(touched.rank(), false);
    return std::all_of(first, nest.end(), [&](const NestLoop& loop) {
        if (!loop.shared) return true;
        if (loop.parameter.empty()) return false;
        for (std::size_t d = 0; d < touched.rank(); ++d) {
            if (used[d]) continue;
            const bool other = std::any_of(first, nest.end(), [&](const NestLoop& peer) {
                return &peer != &loop && peer.shared && !peer.parameter.empty() &&
                       (symbolic::depends_on(touched.dims[d].begin, peer.parameter) ||
                        symbolic::depends_on(touched.dims[d].end, peer.parameter));
            });
            if (!other && separates(touched.dims[d], loop, known)) return used[d] = true, true;
        }
        return false;
    });
}

/// Two iterations of a nest and an element, as points: the parameters of the one, those of the other, the indices.
class PairsOfIterations {
public:
    PairsOfIterations(const std::vector<NestLoop>& nest, std::size_t rank) : nest_(nest), space_{.tuple = "", .dims = {}} {
        for (const NestLoop& loop : nest) space_.dims.push_back(loop.parameter);
        for (const NestLoop& loop : nest) {
            space_.dims.push_back(loop.parameter + "$");
            other_.emplace(loop.parameter, symbolic::symbol(loop.parameter + "$"));
        }
        for (std::size_t d = 0; d < rank; ++d) space_.dims.push_back(index_of(d));
    }

    /// No pair that differs in a shared parameter has an element in common. What cannot be said as a set may be anything.
    bool have_nothing_in_common(const symbolic::Subset& written, const symbolic::Assumptions& known) const {
        poly::Set common = poly::Set::universe(space_);
        for (const NestLoop& loop : nest_) {
            restrict(common, loop.range, loop.parameter);
            restrict(common, symbolic::substitute(loop.range, other_), loop.parameter + "$");
        }
        for (std::size_t d = 0; d < written.rank(); ++d) {
            restrict(common, written.dims[d], index_of(d));
            restrict(common, symbolic::substitute(written.dims[d], other_), index_of(d));
        }
        common = common.intersect_parameters(poly::to_parameters(known, common.parameter_names()));
        return std::ranges::all_of(nest_, [&](const NestLoop& loop) {
            if (!loop.shared) return true;
            // Of two that differ, one comes first.
            const auto first =
                poly::to_set(symbolic::less(symbolic::symbol(loop.parameter), symbolic::symbol(loop.parameter + "$")), space_);
            return first.ok() && common.intersect(*first.value).is_empty() == poly::Answer::Yes;
        });
    }

private:
    static std::string index_of(std::size_t dimension) { return "$" + std::to_string(dimension); }
    void restrict(poly::Set& points, const symbolic::Range& range, const std::string& dimension) const {
        if (const auto within = poly::in_range(range, dimension, space_); within.ok()) points = points.intersect(*within.value);
    }

    const std::vector<NestLoop>& nest_;
    poly::Space space_;
    symbolic::Substitution other_;
};

/// The loops that decide, by themselves or through the ranges of inner ones, what is written; none if a shared one does not.
std::vector<NestLoop> deciding(const symbolic::Subset& written, const std::vector<NestLoop>& nest) {
    std::set<std::string> used = symbolic::free_symbols(written);
    for (auto loop = nest.rbegin(); loop != nest.rend(); ++loop)
        if (used.contains(loop->parameter)) used.merge(symbolic::free_symbols(loop->range));
    std::vector<NestLoop> found;
    for (const NestLoop& loop : nest) {
        if (used.contains(loop.parameter)) found.push_back(loop);
        if (loop.shared && !used.contains(loop.parameter)) return {};
    }
    return found;
}

}  // namespace

bool iterations_disjoint(const symbolic::Subset& written, const std::vector<NestLoop>& nest, symbolic::Assumptions known) {
    for (const NestLoop& loop : nest)
        if (symbolic::decide(symbolic::less(0, loop.range.step), known) == symbolic::Truth::Unknown) return false;
    for (const NestLoop& loop : nest)
        if (!loop.parameter.empty())
            known.assume_in(loop.parameter, symbolic::min_index(loop.range), symbolic::max_index(loop.range) + 1);
    if (apart_by_dimensions(written, nest, known)) return true;
    const std::vector<NestLoop> loops = deciding(written, nest);
    const poly::Budget budget;
    return !loops.empty() && PairsOfIterations(loops, written.rank()).have_nothing_in_common(written, known);
}

}  // namespace sluice::analysis
