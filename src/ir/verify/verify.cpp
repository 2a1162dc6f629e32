// Entry of the verifier, and what its topics share.
#include "ir/verify.h"

#include "ir/query.h"
#include "ir/verify/verification.h"

namespace sluice::ir {

namespace verification {

void Report::add(std::string_view code, std::string message, const Span& where, const std::string& leaf) {
    static const auto kRemedies = [] {
        std::unordered_map<std::string_view, std::string_view> remedies;
        for (const Invariant& invariant : invariants()) remedies.emplace(invariant.code, invariant.remedy);
        return remedies;
    }();
    const auto remedy = kRemedies.find(code);
    check(remedy != kRemedies.end(), "no invariant has the code ", code);
    std::string path;
    for (const std::string& part : place) path += (path.empty() ? "" : "/") + part;
    if (!leaf.empty()) path += (path.empty() ? "" : "/") + leaf;
    violations.push_back({.code = std::string(code),
                          .message = std::move(message),
                          .where = where,
                          .path = std::move(path),
                          .remedy = std::string(remedy->second),
                          .notes = {}});
}

const std::unordered_set<std::string>& Names::assigned() const {
    if (!assigned_) {
        const std::vector<std::string> names = assigned_symbols(sdfg);
        assigned_.emplace(names.begin(), names.end());
    }
    return *assigned_;
}

const Container* Names::container(const std::string& dotted) const {
    const auto [at, added] = found_.try_emplace(dotted, nullptr);
    if (!added) return at->second;
    at->second = find_container(sdfg, dotted);
    if (!at->second)
        if (const Constant* constant = sdfg.constants.find(dotted)) at->second = &constant->container;
    return at->second;
}

bool is_defined(Names& names, const Dataflow* flow, NodeId scope, const std::string& symbol) {
    for (; flow && scope.valid(); scope = flow->scope[scope.value]) {
        const Node& entry = flow->state.nodes[scope];
        if (const auto* map = std::get_if<MapEntry>(&entry.kind))
            for (const std::string& param : map->params)
                if (param == symbol) return true;
        if (const auto* consume = std::get_if<ConsumeEntry>(&entry.kind); consume && consume->pe_index == symbol) return true;
        if (entry.in.contains(symbol)) return true;
    }
    if (!names.defines(symbol)) return false;
    names.used.insert(symbol);
    return true;
}

std::set<std::string> symbols_of(const Expr& e) {
    return symbolic::free_symbols(e);
}
std::set<std::string> symbols_of(const Subset& subset) {
    return symbolic::free_symbols(subset);
}
std::set<std::string> symbols_of(const std::vector<Expr>& expressions) {
    std::set<std::string> symbols;
    for (const Expr& e : expressions) symbols.merge(symbolic::free_symbols(e));
    return symbols;
}

std::set<std::string> check_sdfg(Report& report, const Sdfg& sdfg) {
    const Report::Enter enter(report, sdfg.name);
    Names names(sdfg, report.place.size() == 1);
    check_declarations(report, names);
    check_containers(report, names);
    check_control_flow(report, names);
    std::set<std::string> needed;
    for (const std::string& symbol : names.used)
        if (!names.assigned().contains(symbol) && !sdfg.constants.contains(symbol)) needed.insert(symbol);
    return needed;
}

}  // namespace verification

std::vector<Diagnostic> verify(const Sdfg& sdfg) {
    verification::Report report;
    verification::check_sdfg(report, sdfg);
    return std::move(report.violations);
}

std::vector<Diagnostic> verify(const Touched& touched, std::size_t* verified) {
    verification::Report report;
    const verification::Report::Enter enter(report, touched.path);
    // Arguments are listed by programs only.
    if (touched.call) report.place.push_back({});
    verification::Names names(*touched.sdfg, touched.call == nullptr);
    if (touched.declarations) {
        verification::check_declarations(report, names);
        verification::check_containers(report, names);
    }
    if (touched.call) report.place.pop_back();
    for (const Touched::InRegion& region : touched.regions) verification::check_touched(report, names, region);
    for (const Touched::InState& state : touched.states) {
        const verification::Report::Enter inside(report, state.label);
        verification::check_touched(report, names, state);
    }
    for (const std::string& symbol : names.used)
        if (touched.call && !names.assigned().contains(symbol) && !touched.sdfg->constants.contains(symbol) &&
            !touched.call->symbol_mapping.contains(symbol))
            report.add("V543", "the symbol " + symbol + " of " + touched.sdfg->name + " is not mapped", {});
    if (verified) *verified += report.elements;
    return std::move(report.violations);
}

}  // namespace sluice::ir
