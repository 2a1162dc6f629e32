// Names that a path leaves without a value. Where one is read, a symbol tells at run time whether it is bound, and a check raises
// Python's UnboundLocalError:
//     if c: t = 1.0                    if c { t = 1.0; t_is_bound = 1 }
//     return t              ->         assert t_is_bound == 1; return t
// Only names that are read like this have such a symbol; it is assigned where paths meet, and behind a loop rather than in it.
#include <algorithm>

#include "code/print.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

bool is_bound(const Variables& variables, const std::string& name) {
    const auto known = variables.find(name);
    return known != variables.end() && !known->second.unsure;
}

}  // namespace

void Translator::require_bound(const std::string& name) {
    if (!context_.watched.contains(name)) {
        std::string symbol = name + "_is_bound";
        for (int suffix = 0; name_taken(symbol); ++suffix) symbol = name + "_is_bound" + std::to_string(suffix);
        context_.taken.insert(symbol);
        context_.watched.emplace(name, symbol);
        throw StartAgain{};
    }
    const std::string& tells = context_.watched.at(name);
    refuse_flat();
    define_symbol(tells);
    require(make_compare(make_name(tells, where_), CompareOp::Eq, make_integer(1), where_),
            "cannot access local variable '" + name + "' where it is not associated with a value", where_,
            {"UnboundLocalError", {}});
    Variable& variable = variables_.at(name);
    variable.unsure = false;
    add_value_symbols(variable.value, behind_checks_);
}

/// A path that binds a name meets one that does not.
void Translator::note_bound(Path& path, const std::vector<std::size_t>& joined, const Endings& classes) {
    std::vector<std::pair<std::string, std::string>> assignments;
    for (const auto& [name, tells] : context_.watched) {
        std::set<std::int64_t> choices;
        bool binds = false;
        for (std::size_t at = 0; at < joined.size(); ++at) {
            const Ending& ending = path.endings[at];
            if (!is_bound(ending.variables, name) || is_bound(classes[joined[at]].variables, name)) continue;
            binds = true;
            choices.insert(ending.choices.begin(), ending.choices.end());
        }
        if (!binds) continue;
        define_symbol(tells);
        forget(tells);
        assignments.emplace_back(tells, joined.size() == 1 ? "1" : "1 if (" + chosen_text(choices) + ") else " + tells);
    }
    if (!assignments.empty()) assign_at_end(path, "bound", std::move(assignments));
}

void Translator::note_bound_in_iteration(LoopFrame& frame) {
    std::vector<std::pair<std::string, std::string>> assignments;
    const Variables& entry = frame.meanings.front().variables;
    for (const auto& [name, tells] : context_.watched) {
        if (!is_bound(variables_, name) || is_bound(entry, name)) continue;
        if (frame.notes_behind && !entry.contains(name)) {
            frame.bound.insert(name);
            continue;
        }
        define_symbol(tells);
        assignments.emplace_back(tells, "1");
    }
    if (!assignments.empty()) assign_symbols(std::move(assignments));
}

/// What every iteration binds is bound if there is one.
void Translator::note_bound_behind(const LoopFrame& frame, const symbolic::Range& range, bool up) {
    std::vector<std::pair<std::string, std::string>> assignments;
    for (const std::string& name : frame.bound) {
        const std::string& tells = context_.watched.at(name);
        const std::string begin = symbolic::to_string(range.begin), end = symbolic::to_string(range.end);
        define_symbol(tells);
        assignments.emplace_back(tells, "1 if (" + begin + ")" + (up ? " < (" : " > (") + end + ") else " + tells);
    }
    if (!assignments.empty()) assign_symbols(std::move(assignments));
}

/// The range has an iteration whatever the sizes are: any may be 0, unless the bounds of loops around say more.
bool Translator::runs_surely(const symbolic::Range& range, bool up, bool down) const {
    if (!up && !down) return false;
    const Expr length = up ? range.end - range.begin : range.begin - range.end;
    if (length.is_integer()) return length.integer() > 0;
    symbolic::Assumptions known = assumptions_;
    for (const std::string& symbol : symbolic::free_symbols(length)) known.assume_any(symbol);
    return symbolic::is_yes(symbolic::decide(symbolic::less(0, length), known));
}

}  // namespace sluice::frontend
