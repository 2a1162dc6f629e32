// Names of arrays are references, as in Python: a name means a view of a container, with offsets that symbols hold at run time.
// Where paths of control flow meet and a name means different containers on them, what follows is translated once for each meaning,
// and a symbol says at run time which one holds:
//     if c: x = A                          if c { binding = 0 } else { binding = 1 }
//     else: x = B                   ->     if binding == 0 { A[0] = 1 } elif binding == 1 { B[0] = 1 }
//     x[0] = 1
// A loop is translated in the same way, once for each meaning that an iteration may begin with: `prev, next = next, prev` makes
// two.
#include <algorithm>

#include "code/print.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/carried_arrays.h"
#include "frontend/python/list_parts.h"
#include "frontend/python/lists.h"
#include "frontend/python/numbers.h"
#include "frontend/python/sizes.h"
#include "frontend/python/unbound.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// No name means two things: one that only one side binds may be bound.
bool compatible(const Variables& a, const Variables& b) {
    return std::ranges::all_of(a, [&](const auto& entry) {
        const auto other = b.find(entry.first);
        return other == b.end() || same_meaning(entry.second.value, other->second.value);
    });
}

/// What one or the other path says: a name that only one of them binds may be unbound.
void merge_into(Variables& variables, const Variables& more) {
    for (auto& [name, variable] : variables) {
        const auto other = more.find(name);
        variable.unsure = variable.unsure || other == more.end();
        if (other == more.end() || other->second.literal != variable.literal) variable.literal.reset();
    }
    for (const auto& [name, variable] : more) {
        const auto [at, added] = variables.emplace(name, variable);
        at->second.stale = at->second.stale || variable.stale;
        at->second.unsure = at->second.unsure || variable.unsure || added;
        if (at->second.value.is_scalar() && variable.value.is_scalar()) add_types_of(at->second.value, variable.value);
    }
}

/// The same for a loop that is left.
void merge_into(LoopMeaning& meaning, const Variables& variables) {
    if (std::exchange(meaning.left, true))
        merge_into(meaning.after, variables);
    else
        meaning.after = variables;
}

/// Whether an iteration may end with these variables in the meaning; `leaves`: and the loop. Names that are distinguished are bound
/// in both or in neither.
bool may_be(const LoopMeaning& meaning, const Variables& variables, bool leaves, const std::set<std::string>& distinguished) {
    const bool alike = std::ranges::all_of(
        distinguished, [&](const std::string& name) { return meaning.variables.contains(name) == variables.contains(name); });
    return alike && compatible(meaning.variables, variables) && (!leaves || !meaning.left || compatible(meaning.after, variables));
}

void merge_into(Endings& classes, Endings::iterator& place, const Variables& variables) {
    if (place == classes.end())
        place = classes.insert(classes.end(), Ending{{}, variables});
    else
        merge_into(place->variables, variables);
}

}  // namespace

// ---- containers of names ------------------------------------------------------------------------------------------------
bool Translator::refers_to(const Value& value, const std::string& data) const {
    for (const Value& element : value.elements)
        if (refers_to(element, data)) return true;
    if (value.kind == Value::Kind::Generator && value.stream == data) return true;
    return std::ranges::any_of(value.operands, [&](const auto& entry) { return root_of(entry.second.data) == root_of(data); });
}

/// Whether another name, or a value that is still to be bound, means a part of the container.
bool Translator::shared_with_others(const std::string& data, const std::string& name) const {
    const auto refers = [&](const Value& value) { return refers_to(value, data); };
    return std::ranges::any_of(variables_, [&](const auto& one) { return one.first != name && refers(one.second.value); }) ||
           std::ranges::any_of(held_, refers);
}

/// The container of a computed array that a name is bound to: the name's present one, or one that it has had before, if nothing
/// else refers to it, else a new one. `operands` must stay readable.
std::string Translator::storage_for(const std::string& name, const DType& type, const std::vector<Expr>& shape,
                                    const std::vector<Value>& operands) {
    std::vector<std::string>& own = storage_[name];
    const auto fits = [&](const std::string& data) {
        const ir::Container& container = sdfg_.containers.at(data);
        const bool read = std::ranges::any_of(operands, [&](const Value& value) { return refers_to(value, data); });
        return container.dtype == type && container.shape == shape && !read && !shared_with_others(data, name);
    };
    if (const auto known = variables_.find(name); known != variables_.end())
        if (const Operand* view = as_view(known->second.value); view && is_identity(*view, known->second.value.rank()))
            if (std::ranges::find(own, view->data) != own.end() && fits(view->data)) return view->data;
    for (const std::string& data : own)
        if (fits(data)) return data;
    const auto place = context_.return_variable.find(name);
    const bool returned =
        place != context_.return_variable.end() && !shape.empty() && !parent_ && !sdfg_.containers.contains(place->second);
    if (returned) {
        std::set<std::string> symbols;
        for (const Expr& extent : shape) symbols.merge(symbolic::free_symbols(extent));
        if (!Sizes(*this).known_before_the_call(symbols)) throw KeepReturnApart{};
    }
    const std::string data = add_temporary(returned ? place->second : name, type, shape);
    if (returned) sdfg_.containers.at(data).transient = false;
    own.push_back(data);
    return data;
}

// ---- symbols of views ---------------------------------------------------------------------------------------------------
/// What the container holds has changed.
void Translator::note_written(const std::string& data) {
    std::erase_if(selections_,
                  [&](const auto& selection) { return refers_to(selection.first, data) || refers_to(selection.second, data); });
}

/// Whether the symbol is the length of a list, which all its names see.
bool Translator::counts_list(const Value& value, const std::string& symbol) const {
    const auto place = lists_.find(value.list);
    return place != lists_.end() &&
           (symbolic::depends_on(place->second.length, symbol) || symbolic::depends_on(place->second.first, symbol));
}

/// What decides what the value means: symbols, and of elements of lists that are arrays or lists, which elements are where.
std::set<std::string> Translator::symbols_of(const Value& value) const {
    std::set<std::string> symbols;
    add_value_symbols(value, symbols);
    for (const auto& [id, place] : lists_)
        for (const std::string& data : place.data)
            if (value.list != id && sdfg_.containers.at(data).shape.size() > 1 && refers_to(value, data))
                symbols.insert(id + kRows);
    return symbols;
}

/// The symbol gets another value: views that count by it no longer say what they meant, and containers of its size are none of the
/// new size.
void Translator::forget(const std::string& symbol) {
    moved_.insert(symbol);
    if (sizing_.contains(symbol))
        for (auto* containers : {&storage_, &temporaries_, &carried_rooms_})
            for (auto& [name, known] : *containers)
                std::erase_if(known, [&](const std::string& data) {
                    return std::ranges::any_of(sdfg_.containers.at(data).shape,
                                               [&](const Expr& extent) { return symbolic::depends_on(extent, symbol); });
                });
    std::erase_if(checked_, [&](const auto& pair) {
        return symbolic::depends_on(pair.first, symbol) || symbolic::depends_on(pair.second, symbol);
    });
    std::erase_if(checks_made_, [&](const auto& made) { return made.second.contains(symbol); });
    std::erase_if(selections_, [&](const auto& selection) {
        std::set<std::string> symbols;
        add_value_symbols(selection.first, symbols);
        add_value_symbols(selection.second, symbols);
        return symbols.contains(symbol);
    });
    const auto keeper = keeper_of_.find(symbol);
    for (auto& [name, variable] : variables_) {
        if (variable.stale || (keeper != keeper_of_.end() && keeper->second == name)) continue;
        if (variable.value.is_symbolic() && variable.value.is_scalar() && name_of(variable.value.code) == symbol) continue;
        if (counts_list(variable.value, symbol)) continue;
        variable.stale = symbols_of(variable.value).contains(symbol);
    }
}

/// The value with symbols of the name's own for those that may move: they keep what the others are now.
Value Translator::keep_symbols(const std::string& name, const Value& value) {
    if (!value.list.empty()) return value;
    std::set<std::string> symbols;
    add_value_symbols(value, symbols);
    symbolic::Substitution kept;
    std::vector<std::pair<std::string, std::string>> assignments;
    for (const std::string& symbol : symbols) {
        if (!defined_symbols_.contains(symbol) || map_params_.contains(symbol)) continue;
        if (const auto keeper = keeper_of_.find(symbol); keeper != keeper_of_.end() && keeper->second == name) continue;
        std::string& own = kept_[name][symbol];
        if (own.empty()) own = fresh_symbol(name + "_" + symbol);
        keeper_of_[own] = name;
        assumptions_.assume_any(own);
        if (of_numbers_.contains(symbol)) of_numbers_.insert(own);
        Sizes(*this).note(own, symbolic::symbol(symbol));
        kept.emplace(symbol, symbolic::symbol(own));
        assignments.emplace_back(own, symbol);
    }
    if (assignments.empty()) return value;
    assign_symbols(assignments);
    const std::function<Value(const Value&)> renamed = [&](const Value& one) {
        Value result = substitute(one, kept);
        for (Expr& extent : result.shape) extent = symbolic::substitute(extent, kept);
        for (Value& element : result.elements) element = renamed(element);
        return result;
    };
    return renamed(value);
}

/// The variable of a name, if reading it is safe now.
const Value& Translator::read_variable(const std::string& name, const Variable& variable) {
    if (variable.unsure) Unbound(*this).require(name);
    if (!variable.stale) return variable.value;
    if (context_.kept.insert(name).second) throw StartAgain{};
    refuse("F008", "what " + name + " refers to has moved since, or another element is there now", where_,
           "bind " + name + " again after the change, or copy it: " + name + ".copy()");
}

// ---- paths that meet ----------------------------------------------------------------------------------------------------
Path Translator::path_of(const std::function<void()>& fill) {
    Path path;
    const auto assumptions = assumptions_;
    const auto checked = checked_;
    const auto checks_made = checks_made_;
    reachable_ = true;
    endings_.clear();
    path.region = region_of([&] {
        fill();
        flush_symbols();
        if (!region_->start.valid()) new_state("empty");
        path.last = last_;
    });
    if (reachable_) path.endings = endings_.empty() ? Endings{{{}, variables_}} : std::exchange(endings_, {});
    reachable_ = true;
    checked_ = checked;
    checks_made_ = checks_made;
    return path;
}

std::int64_t Translator::new_choice(const Span& span, std::size_t present) {
    static constexpr std::size_t kMost = 12;  // Each is a copy of the code that follows.
    if (present >= kMost && !context_.types_apart.empty()) {
        context_.types_apart.clear();
        context_.types_apart_in_loops.clear();
        context_.one_type = true;
        throw StartAgain{};
    }
    if (present >= kMost)
        refuse("F008", "names of arrays may mean more than " + std::to_string(kMost) + " combinations of arrays here", span,
               "use fewer names that are bound again, or assign to the elements: x[:] = ...");
    if (which_.empty()) which_ = fresh_symbol("binding");
    assumptions_.assume_any(which_);
    return ++choices_;
}

void Translator::assign_at_end(Path& path, const std::string& label, std::vector<std::pair<std::string, std::string>> assignments) {
    const auto add = [&](const std::string& name) {
        return ir::add_block(path.region, ir::Block{.label = fresh_label(name), .kind = Cow<ir::State>(), .metadata = {}});
    };
    if (!path.last.valid()) path.last = add("empty");
    const ir::BlockId end = add(label);
    ir::add_transition(path.region, path.last, end, {}, std::move(assignments));
    path.last = end;
}

/// One thing that the names may mean after each path, with the choice in its symbol where there are several.
void Translator::join(const std::vector<Path*>& paths) {
    Numbers(*this).join(paths);
    Endings classes;
    std::vector<std::pair<Path*, std::size_t>> unnumbered;
    std::vector<std::vector<std::size_t>> joined;  // The class of each ending of each path.
    for (Path* path : paths) {
        joined.emplace_back();
        for (const Ending& ending : path->endings) {
            auto place =
                std::ranges::find_if(classes, [&](const Ending& one) { return compatible(one.variables, ending.variables); });
            merge_into(classes, place, ending.variables);
            place->choices.insert(ending.choices.begin(), ending.choices.end());
            joined.back().push_back(static_cast<std::size_t>(place - classes.begin()));
            if (ending.choices.empty()) unnumbered.emplace_back(path, joined.back().back());
        }
    }
    for (std::size_t at = 0; at < paths.size(); ++at) Unbound(*this).note(*paths[at], joined[at], classes);
    std::vector<const Variables*> meanings;
    for (const Ending& one : classes) meanings.push_back(&one.variables);
    CarriedArrays(*this).note(meanings);
    reachable_ = !classes.empty();
    endings_.clear();
    if (classes.size() == 1) variables_ = std::move(classes.front().variables);
    if (classes.size() < 2) return;
    for (const auto& [path, which] : unnumbered) {
        const std::int64_t choice = new_choice(where_, classes.size() - 1);
        classes[which].choices.insert(choice);
        assign_at_end(*path, "choose", {{which_, std::to_string(choice)}});
    }
    moved_.insert(which_);
    endings_ = std::move(classes);
}

/// The same behind statements that an expression stands for: of names that are nobody's, only those in `known` are read again.
void Translator::join_in_expression(const std::set<std::string>& known, const Span& span) {
    if (endings_.size() < 2) return;
    Endings endings = std::exchange(endings_, {});
    for (Ending& one : endings)
        std::erase_if(one.variables,
                      [&](const auto& entry) { return entry.first.starts_with("__") && !known.contains(entry.first); });
    variables_ = endings.front().variables;
    for (const Ending& one : endings) {
        if (!compatible(variables_, one.variables))
            unsupported("a comprehension behind which names mean one array or another", span, "write the loop as statements");
        merge_into(variables_, one.variables);
    }
}

std::string Translator::chosen_text(const std::set<std::int64_t>& choices) const {
    std::string text;
    for (const std::int64_t choice : choices) text += (text.empty() ? "" : " or ") + which_ + " == " + std::to_string(choice);
    return text;
}

/// The rest of a body, once for each thing that the names may mean.
void Translator::translate_apart(const Body& body, std::size_t first) {
    ir::ConditionalBlock block;
    std::vector<Path> paths;
    const Span span = where_;
    const Endings from = std::exchange(endings_, {});
    const Restored again(translating_again_, translating_again_);
    const Restored unsure(sure_loops_, {});
    const Restored unreached(reached_by_all_, false);
    flush_symbols();
    need_symbols({which_});
    for (const Ending& ending : from) {
        variables_ = ending.variables;
        const Restored handed_out(handed_out_, handed_out_);
        paths.push_back(path_of([&] { translate_from(body, first); }));
        translating_again_ = true;
    }
    where_ = span;
    std::vector<Path*> meeting;
    for (Path& path : paths) meeting.push_back(&path);
    join(meeting);
    for (std::size_t at = 0; at < paths.size(); ++at)
        block.branches.push_back({ir::CodeBlock{chosen_text(from[at].choices), ir::Language::Python}, std::move(paths[at].region)});
    append_block({.label = fresh_label("meaning"), .kind = std::move(block), .metadata = {}});
}

// ---- loops --------------------------------------------------------------------------------------------------------------
/// The state of the loop that the variables are in, known or new.
LoopMeaning& Translator::meaning_in(LoopFrame& frame, const Variables& variables, bool leaves) {
    for (LoopMeaning& meaning : frame.meanings)
        if (may_be(meaning, variables, leaves, context_.bound_apart[frame.statement])) return meaning;
    std::vector<const Variables*> meanings{&variables};
    for (const LoopMeaning& meaning : frame.meanings) meanings.push_back(&meaning.variables);
    CarriedArrays(*this).note(meanings);
    frame.meanings.push_back({new_choice(where_, frame.meanings.size()), variables, variables});
    return frame.meanings.back();
}

/// What an iteration binds before it reads it, and nothing outside of the loop reads, means nothing behind the iteration.
void Translator::forget_scratch(const code::Stmt& loop) {
    const auto [known, added] = context_.scratch.try_emplace(&loop);
    if (added) {
        const auto* counted = std::get_if<ForStmt>(&loop.node);
        const Body& body = counted ? counted->body : std::get<WhileStmt>(loop.node).body;
        for (const auto& [name, count] : occurrences(body)) {
            const auto all = context_.occurrences.find(name);
            if (all != context_.occurrences.end() && all->second <= count && first_use(body, name) != FirstUse::Read)
                known->second.insert(name);
        }
    }
    for (const std::string& name : known->second) variables_.erase(name);
}

/// An iteration ends, or the loop is left: the variables must mean what they meant before it, or the choice is kept.
void Translator::leave_iteration(bool again) {
    LoopFrame& frame = *frame_;
    forget_scratch(*frame.statement);
    Numbers(*this).join(frame);
    Unbound(*this).note_in_iteration(frame);
    if (again)
        for (const std::string& symbol : frame.counters) forget(symbol);
    const bool leaves = !again || !frame.endless;
    if (!frame.chooses) {
        if (!may_be(frame.meanings.front(), variables_, leaves, {})) {
            context_.choosing_loops.insert(frame.statement);
            throw StartAgain{};
        }
        if (again) note_literals(*frame.statement, frame.meanings.front().variables);
        if (leaves) merge_into(frame.meanings.front(), variables_);
        return;
    }
    LoopMeaning& meaning = meaning_in(frame, variables_, leaves);
    if (again) note_literals(*frame.statement, meaning.variables);
    if (leaves) merge_into(meaning, variables_);
    meaning.entered = meaning.entered || again;
    assign_symbols({{which_, std::to_string(meaning.choice)}});
}

/// What has just been noted changes what was translated before. Of what is written over one memory, whose variables are many, the
/// rest is looked at first.
void Translator::start_again() {
    if (context_.program->lines.empty()) throw StartAgain{};
    context_.starts_again = true;
}

/// A number that a later iteration begins with as another one is no literal in the loop.
void Translator::note_literals(const code::Stmt& loop, const Variables& entry) {
    std::set<std::string>& changing = context_.changing_literals[&loop];
    const std::size_t before = changing.size();
    for (const auto& [name, variable] : entry)
        if (const auto now = variables_.find(name); variable.literal && now != variables_.end())
            if (now->second.literal != variable.literal) changing.insert(name);
    if (changing.size() != before) start_again();
}

/// The same where the names may mean several things already.
void Translator::leave_iteration_apart() {
    const Restored apart(frame_->notes_behind, false);
    ir::ConditionalBlock block;
    for (const Ending& ending : std::exchange(endings_, {})) {
        variables_ = ending.variables;
        block.branches.push_back(
            {ir::CodeBlock{chosen_text(ending.choices), ir::Language::Python}, region_of([&] { leave_iteration(true); })});
    }
    append_block({.label = fresh_label("meaning"), .kind = std::move(block), .metadata = {}});
}

/// Symbols that a loop assigns no longer say at its beginning what they said before it.
void Translator::note_moved(const code::Stmt& statement, const Variables& entry) {
    std::set<std::string>& known = context_.moved_in[&statement];
    const std::size_t before = known.size();
    for (const auto& [name, variable] : entry) {
        const std::set<std::string> symbols = variable.stale ? std::set<std::string>() : symbols_of(variable.value);
        const bool counts = variable.value.is_symbolic() && variable.value.is_scalar();
        for (const std::string& symbol : symbols) {
            const auto keeper = keeper_of_.find(symbol);
            const bool own = (keeper != keeper_of_.end() && keeper->second == name) ||
                             (counts && name_of(variable.value.code) == symbol) || counts_list(variable.value, symbol);
            if (!own && moved_.contains(symbol)) known.insert(symbol);
        }
    }
    if (known.size() != before) throw StartAgain{};
}

/// The body of a loop, for each meaning that an iteration may begin with. `before` is translated at the beginning of each;
/// `counters` are symbols that the loop itself moves. What follows is appended as the next block.
ir::Region Translator::loop_body(LoopFrame& frame, const Body& body, const std::function<void()>& before) {
    const code::Stmt& statement = *frame.statement;
    frame.chooses = context_.choosing_loops.contains(&statement);
    frame.around = frame_;
    const Span span = where_;
    for (const std::string& symbol : frame.counters) forget(symbol);
    for (const std::string& symbol : context_.moved_in[&statement]) forget(symbol);
    const std::set<std::string> moved_before = std::exchange(moved_, {});
    Numbers(*this).widen(statement);
    const Variables entry = variables_;
    frame.meanings.push_back({frame.chooses ? new_choice(span, 0) : 0, entry, entry, true, false, !frame.runs});
    const auto assumptions = assumptions_;
    std::vector<std::pair<std::int64_t, ir::Region>> regions;
    {
        const Restored framed(frame_, &frame);
        const Restored again(translating_again_, translating_again_);
        for (std::size_t at = 0; at < frame.meanings.size(); ++at) {
            if (!frame.meanings[at].entered || std::exchange(frame.meanings[at].translated, true)) continue;
            variables_ = frame.meanings[at].variables;
            Lists(*this).note_carried();
            for (const std::string& name : context_.changing_literals[&statement])
                if (const auto known = variables_.find(name); known != variables_.end()) known->second.literal.reset();
            assumptions_ = assumptions;
            const Restored handed_out(handed_out_, handed_out_);
            Path path = path_of([&] {
                before();
                if (reachable_) translate_from(body, 0);
                if (reachable_ && endings_.size() > 1)
                    leave_iteration_apart();
                else if (reachable_)
                    leave_iteration(true);
            });
            regions.emplace_back(frame.meanings[at].choice, std::move(path.region));
            translating_again_ = true;
            at = static_cast<std::size_t>(-1);  // A meaning that was only left with may be entered by now.
        }
    }
    assumptions_ = assumptions;
    where_ = span;
    note_moved(statement, entry);
    frame.moved = moved_;
    moved_.insert(moved_before.begin(), moved_before.end());
    return join_iterations(frame, std::move(regions));
}

ir::Region Translator::join_iterations(LoopFrame& frame, std::vector<std::pair<std::int64_t, ir::Region>> regions) {
    reachable_ = true;
    endings_.clear();
    Endings classes;
    const bool ends = std::ranges::any_of(frame.meanings, &LoopMeaning::left);
    for (LoopMeaning& meaning : frame.meanings) {
        if (ends && !meaning.left) continue;
        auto place = std::ranges::find_if(classes, [&](const Ending& one) { return compatible(one.variables, meaning.after); });
        merge_into(classes, place, meaning.after);
        place->choices.insert(meaning.choice);
    }
    if (classes.size() == 1)
        variables_ = classes.front().variables;
    else
        endings_ = classes;
    if (!frame.chooses) return std::move(regions.front().second);
    ir::ConditionalBlock block;
    for (auto& [choice, region] : regions)
        block.branches.push_back({ir::CodeBlock{chosen_text({choice}), ir::Language::Python}, std::move(region)});
    ir::Region region;
    ir::add_block(region, ir::Block{.label = fresh_label("meaning"), .kind = std::move(block), .metadata = {}});
    moved_.insert(which_);
    assign_symbols({{which_, std::to_string(frame.meanings.front().choice)}});
    return region;
}
}  // namespace sluice::frontend
