#include "frontend/python/places.h"

#include <algorithm>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/single_exit.h"

namespace sluice::frontend {

using namespace code;

const UnsupportedStmt* marker_in(const StmtPtr& one) {
    return std::get_if<UnsupportedStmt>(&one->node);
}

namespace {

bool goes_on(const StmtPtr& one) {
    bool found = false;
    walk_statements({one}, [&](const Stmt& inner) { return !(found |= std::holds_alternative<UnsupportedStmt>(inner.node)); });
    return found;
}

using Live = std::vector<std::set<std::string>>;

/// Whether the code reads the variable before it binds it, or what comes behind it does.
bool reads(const Body& code, const std::string& variable, const Live& live) {
    for (const StmtPtr& one : code) {
        if (const UnsupportedStmt* mark = marker_in(one)) {
            if (live[std::stoul(mark->text)].contains(variable)) return true;
        } else if (const auto* choice = std::get_if<IfStmt>(&one->node); choice && goes_on(one)) {
            return first_use({make_statement(ExprStmt{choice->condition}, one->span)}, variable) == FirstUse::Read ||
                   reads(choice->then_body, variable, live) || reads(choice->else_body, variable, live);
        } else if (const FirstUse use = first_use({one}, variable); use != FirstUse::None) {
            return use == FirstUse::Read;
        }
    }
    return false;
}

/// Calls visit(place, whether it is saved for, the variables that have a value) at each marker.
template <class Visit> void follow_places(const Body& body, std::set<std::string>& names, const Visit& visit) {
    for (const StmtPtr& one : body) {
        if (const UnsupportedStmt* mark = marker_in(one)) {
            visit(std::stoul(mark->text), mark->keyword == kSave, names);
        } else if (const auto* choice = std::get_if<IfStmt>(&one->node)) {
            std::set<std::string> other = names;
            follow_places(choice->then_body, names, visit);
            follow_places(choice->else_body, other, visit);
            std::erase_if(names, [&](const std::string& name) { return !other.contains(name); });
        } else if (!std::holds_alternative<ForStmt>(one->node) && !std::holds_alternative<WhileStmt>(one->node)) {
            for (const auto& [name, count] : binding_counts({one})) names.insert(name);
        }
    }
}

}  // namespace

std::vector<std::set<std::string>> live_variables(const std::vector<Body>& places, const std::vector<std::string>& results,
                                                  const std::set<std::string>& variables) {
    Live live(places.size());
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t at = places.size(); at-- > 0;)
            for (const std::string& variable : variables)
                if (variable != results[at] && reads(places[at], variable, live)) changed |= live[at].insert(variable).second;
    }
    live[0].clear();
    return live;
}

bool have_values(const std::vector<Body>& places, const std::vector<std::string>& results,
                 const std::vector<std::set<std::string>>& live, const std::vector<Parameter>& parameters) {
    bool all = true;
    for (std::size_t at = 0; at < places.size(); ++at) {
        std::set<std::string> names = live[at];
        names.insert(results[at]);
        if (at == 0)
            for (const Parameter& parameter : parameters) names.insert(parameter.name);
        follow_places(places[at], names, [&](std::size_t to, bool saves, const std::set<std::string>& known) {
            all &= !(saves || to != 0) || std::ranges::includes(known, live[to]);
        });
    }
    return all;
}

}  // namespace sluice::frontend
