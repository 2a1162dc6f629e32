#include "poly/schedule.h"

#include <isl/aff.h>
#include <isl/ast_type.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/printer.h>
#include <isl/schedule.h>
#include <isl/schedule_node.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

#include <map>

#include "poly/raw.h"

namespace sluice::poly {

namespace {

/// Without bounds isl's integer programs grow numbers of hundreds of digits on some random graphs, whose arithmetic its count of
/// operations does not see: minutes for one. Loops that somebody would write stay far below.
constexpr int kMostCoefficient = 16, kMostConstant = 64;

std::string printed(const Schedule& schedule, int style) {
    if (!schedule.known()) return "unknown";
    isl_printer* printer = isl_printer_to_str(context());
    printer = isl_printer_set_yaml_style(printer, style);
    printer = isl_printer_print_schedule(printer, schedule.get());
    std::string text = take_text(isl_printer_get_str(printer));
    isl_printer_free(printer);
    return text;
}

}  // namespace

Schedule Schedule::parse(std::string_view text) {
    return Schedule(isl_schedule_read_from_str(context(), std::string(text).c_str()));
}
Schedule Schedule::of(const UnionSet& domain) {
    return Schedule(isl_schedule_from_domain(domain.copy()));
}
Schedule Schedule::then(const Schedule& next) const {
    return Schedule(isl_schedule_sequence(copy(), next.copy()));
}

Schedule Schedule::within(const UnionMap& times, const std::vector<bool>& coincident) const {
    isl_multi_union_pw_aff* members = isl_multi_union_pw_aff_from_union_map(times.copy());
    isl_schedule* around = isl_schedule_insert_partial_schedule(copy(), members);
    isl_schedule_node* band = isl_schedule_node_first_child(isl_schedule_get_root(around));
    isl_schedule_free(around);
    for (std::size_t at = 0; at < coincident.size(); ++at)
        band = isl_schedule_node_band_member_set_coincident(band, static_cast<int>(at), coincident[at] ? 1 : 0);
    isl_schedule* result = isl_schedule_node_get_schedule(band);
    isl_schedule_node_free(band);
    return Schedule(result);
}

Schedule Schedule::with_whole_loops(const std::vector<unsigned>& members) const {
    isl_schedule_node* band = isl_schedule_node_first_child(isl_schedule_get_root(get()));
    for (const unsigned at : members)
        band = isl_schedule_node_band_member_set_ast_loop_type(band, static_cast<int>(at), isl_ast_loop_atomic);
    isl_schedule* result = isl_schedule_node_get_schedule(band);
    isl_schedule_node_free(band);
    return Schedule(result);
}

UnionSet Schedule::domain() const {
    return UnionSet(isl_schedule_get_domain(get()));
}
UnionMap Schedule::times() const {
    return UnionMap(isl_schedule_get_map(get()));
}
std::string Schedule::to_string() const {
    return printed(*this, ISL_YAML_STYLE_FLOW);
}
std::string Schedule::to_block() const {
    return printed(*this, ISL_YAML_STYLE_BLOCK);
}

namespace {

/// Times as functions of all points, where one expression gives them; what a domain of many parts says is not said again for each
/// pair of parts.
UnionMap without_domains(const UnionMap& times) {
    isl_union_map* all = isl_union_map_empty(isl_union_map_get_space(times.get()));
    const auto add = [](isl_pw_multi_aff* of, void* to) {
        isl_map* map = nullptr;
        if (isl_pw_multi_aff_n_piece(of) == 1)
            isl_pw_multi_aff_foreach_piece(
                of,
                [](isl_set* domain, isl_multi_aff* time, void* made) {
                    isl_set_free(domain);
                    *static_cast<isl_map**>(made) = isl_multi_aff_as_map(time);
                    return isl_stat_ok;
                },
                &map);
        if (!map) map = isl_map_from_pw_multi_aff(isl_pw_multi_aff_copy(of));
        isl_pw_multi_aff_free(of);
        auto& sum = *static_cast<isl_union_map**>(to);
        sum = isl_union_map_add_map(sum, map);
        return isl_stat_ok;
    };
    isl_union_pw_multi_aff* functions = isl_union_pw_multi_aff_from_union_map(times.copy());
    const isl_stat done = functions ? isl_union_pw_multi_aff_foreach_pw_multi_aff(functions, add, &all) : isl_stat_error;
    isl_union_pw_multi_aff_free(functions);
    if (done == isl_stat_ok) return UnionMap(all);
    isl_union_map_free(all);
    return times;
}

enum class Order { Before, NotBefore };

/// The pairs whose times have this order; both points of each have one.
UnionMap in_order(const UnionMap& pairs, const UnionMap& times, Order order) {
    if (!pairs.known() || !times.known()) return {};
    const UnionMap everywhere = without_domains(times);
    std::map<std::pair<std::string, unsigned>, Map> time_of;
    bool one_each = true;
    for (const Map& time : everywhere.maps())
        one_each = time_of.emplace(std::pair(time.domain_tuple(), time.domain_dimensions()), time).second && one_each;
    if (!one_each) {
        const auto all = order == Order::Before ? isl_union_map_lex_lt_union_map : isl_union_map_lex_ge_union_map;
        return pairs.intersect(UnionMap(all(everywhere.copy(), everywhere.copy())));
    }
    UnionMap found = UnionMap::empty();
    const auto compared = order == Order::Before ? isl_map_lex_lt_map : isl_map_lex_ge_map;
    for (const Map& some : pairs.maps()) {
        const Set from = some.domain(), to = some.range();
        const auto first = time_of.find({from.tuple(), from.dimensions()}), second = time_of.find({to.tuple(), to.dimensions()});
        if (first != time_of.end() && second != time_of.end() &&
            first->second.range_dimensions() == second->second.range_dimensions())
            found = found.unite(some.intersect(Map(compared(first->second.copy(), second->second.copy()))));
    }
    return found;
}

UnionMap with_times(const UnionMap& pairs, const UnionMap& times) {
    const UnionSet known = times.domain();
    UnionMap timed = pairs;
    if (pairs.domain().is_subset(known) != Answer::Yes) timed = timed.intersect_domain(known);
    if (pairs.range().is_subset(known) != Answer::Yes) timed = timed.intersect_range(known);
    return timed;
}

}  // namespace

UnionMap before(const UnionMap& pairs, const UnionMap& times) {
    return in_order(with_times(pairs, times), times, Order::Before);
}
UnionMap violated(const UnionMap& dependences, const UnionMap& times) {
    const UnionMap timed = with_times(dependences, times), late = in_order(timed, times, Order::NotBefore);
    return timed.get() == dependences.get() ? late : late.unite(dependences.subtract(timed));
}

Schedule schedule(const SchedulingProblem& problem) {
    isl_ctx* ctx = context();
    const int separate = isl_options_get_schedule_serialize_sccs(ctx);
    isl_options_set_schedule_max_coefficient(ctx, kMostCoefficient);
    isl_options_set_schedule_max_constant_term(ctx, kMostConstant);
    isl_options_set_schedule_serialize_sccs(ctx, problem.fusion == SchedulingProblem::Fusion::Minimal ? 1 : 0);
    isl_schedule_constraints* constraints = isl_schedule_constraints_on_domain(problem.domain.copy());
    constraints = isl_schedule_constraints_set_context(constraints, raw_parameters(problem.context));
    constraints = isl_schedule_constraints_set_validity(constraints, problem.validity.copy());
    constraints = isl_schedule_constraints_set_proximity(constraints, problem.proximity.copy());
    constraints = isl_schedule_constraints_set_coincidence(constraints, problem.coincidence.copy());
    Schedule found(isl_schedule_constraints_compute_schedule(constraints));
    isl_options_set_schedule_serialize_sccs(ctx, separate);
    return found;
}

}  // namespace sluice::poly
