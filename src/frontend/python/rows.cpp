// A list of lists of any lengths becomes four lists: the elements of all rows, and where each row begins, how many elements it has,
// and for how many there is room:
//     g = [[] for _ in range(n)]                 g_all, g_begin, g_size, g_room = [], [], [], []; ...
//     g[u].append(v)                     ->      g_append(u, v)
//     for w in g[u]: ...                         for k in range(g_begin[u], g_begin[u] + g_size[u]): w = g_all[k]; ...
// A row that is full moves to the end with twice the room, so that elements lie side by side and an append costs constant time.
// Rows are named by their numbers: `row = g[u]` and `for row in g` bind the number, which no change of another row moves. A name is
// treated so if each of its occurrences is one that is understood here; a list that is appended as a row is copied, so that nothing
// may change it behind that under its own name.
#include "frontend/python/rows.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "code/parse.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/recursion.h"
#include "frontend/python/repeatable.h"
#include "frontend/python/row_parts.h"
#include "frontend/python/tables.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// An occurrence of a list of lists that has no translation: the name is none.
struct NotOfRows {
    std::string name;
};

class Rows : RowCode {
public:
    Rows(const FunctionStmt& function, const Bindings& globals) : function_(function), globals_(globals) {
        for (const auto& [name, count] : occurrences(function.body)) taken_.insert(name);
        for (const Parameter& parameter : function.parameters) taken_.insert(parameter.name);
        find();
    }
    /// Names that are not understood are dropped one by one.
    std::optional<Body> replaced() {
        while (!all_.empty()) {
            try {
                find_rows_by_name();
                frames_.clear();
                Body body = of(function_.body), front;
                for (const auto& [name, own] : all_) {
                    std::string text;
                    for (const char c : kFunctions) c == '@' ? text += own : text += c;
                    const Span& span = function_.body.front()->span;
                    const std::string file = span.file ? *span.file : "";
                    for (const StmtPtr& one : parse_body(text, {.file = file, .first_line = span.line, .fields = {}}).or_fail())
                        front.push_back(one);
                }
                body.insert(body.begin(), front.begin(), front.end());
                return body;
            } catch (const NotOfRows& other) {
                all_.erase(other.name);
            }
        }
        return std::nullopt;
    }

private:
    std::string fresh(const std::string& base) {
        std::string name = base;
        while (!taken_.insert(name).second) name += "_";
        return name;
    }

    // ---- which names ---------------------------------------------------------------------------------------------------
    void find() {
        std::set<std::string> made, filled, refused, lists;
        const std::function<void(const Body&)> look = [&](const Body& body) {
            walk_statements(body, [&](const Stmt& one) {
                if (const auto* s = std::get_if<AssignStmt>(&one.node)) {
                    const std::string name(s->targets.size() == 1 ? name_of(s->targets[0]) : std::string_view());
                    if (!name.empty() && holds_lists(s->value)) {
                        made.insert(name);
                        if (!std::holds_alternative<ListExpr>(s->value->node) || !elements_of(s->value).empty())
                            filled.insert(name);
                    } else {
                        for (const ExprPtr& target : s->targets)
                            for (const ExprPtr& each : elements_of(target)) refused.emplace(name_of(each));
                    }
                    if (!name.empty() && is_list(s->value)) lists.insert(name);
                }
                if (const auto* s = std::get_if<ForStmt>(&one.node))
                    for (const ExprPtr& each : elements_of(s->target)) refused.emplace(name_of(each));
                if (const auto* s = std::get_if<FunctionStmt>(&one.node)) {
                    for (const Parameter& parameter : s->parameters) refused.insert(parameter.name);
                    inner_functions_.insert(s->name);
                    look(s->body);
                }
                return !std::holds_alternative<FunctionStmt>(one.node);
            });
        };
        look(function_.body);
        const ExprPtr* object = nullptr;
        std::string name;
        walk_statements(function_.body, [&](const Stmt& one) {
            const auto* alone = std::get_if<ExprStmt>(&one.node);
            if (const CallExpr* appends = alone ? method(alone->value, &object, &name) : nullptr)
                if (name == "append" && appends->arguments.size() == 1 &&
                    (is_list(appends->arguments[0]) || lists.contains(std::string(name_of(appends->arguments[0])))))
                    filled.emplace(name_of(*object));
            return true;
        });
        for (const Parameter& parameter : function_.parameters) refused.insert(parameter.name);
        for (const std::string& one : made)
            if (filled.contains(one) && !refused.contains(one)) all_.emplace(one, fresh("__" + one + "_"));
    }
    /// Names whose every binding is a row: `row = g[u]`, `for row in g`.
    void find_rows_by_name() {
        rows_.clear();
        std::map<std::string, int> found;
        const auto note = [&](const ExprPtr& target, const ExprPtr& list) {
            const std::string name(name_of(target));
            if (name.empty() || !all_.contains(std::string(name_of(list)))) return;
            const std::string& own = all_.at(std::string(name_of(list)));
            const auto known = rows_.find(name);
            if (known != rows_.end() && known->second.first != own) throw NotOfRows{std::string(name_of(list))};
            if (known == rows_.end()) rows_.emplace(name, std::pair(own, fresh("__" + name + "_number")));
            ++found[name];
        };
        const auto note_loop = [&](const ExprPtr& target, const ExprPtr& iterable) {
            const auto* over = std::get_if<CallExpr>(&iterable->node);
            if (is_pair(over) && elements_of(target).size() == 2) return note(elements_of(target)[1], over->arguments.back());
            note(target, iterable);
        };
        const std::function<void(const ExprPtr&)> look = [&](const ExprPtr& e) {
            if (const auto* list = std::get_if<ComprehensionExpr>(&e->node))
                for (const ComprehensionClause& clause : list->clauses) note_loop(clause.target, clause.iterable);
            for_each_child(*e, look);
        };
        walk_statements(function_.body, [&](const Stmt& one) {
            if (const auto* s = std::get_if<AssignStmt>(&one.node); s && s->targets.size() == 1)
                if (const auto* subscript = std::get_if<SubscriptExpr>(&s->value->node))
                    if (!std::holds_alternative<SliceExpr>(subscript->index->node)) note(s->targets[0], subscript->object);
            if (const auto* s = std::get_if<ForStmt>(&one.node)) note_loop(s->target, s->iterable);
            for_each_expr(one, look);
            return true;
        });
        std::map<std::string, int> bound;
        const std::function<void(const ExprPtr&)> count = [&](const ExprPtr& e) {
            if (const auto* list = std::get_if<ComprehensionExpr>(&e->node))
                for (const ComprehensionClause& clause : list->clauses)
                    for (const ExprPtr& each : elements_of(clause.target)) ++bound[std::string(name_of(each))];
            if (const auto* lambda = std::get_if<LambdaExpr>(&e->node))
                for (const std::string& parameter : lambda->parameters) ++bound[parameter];
            for_each_child(*e, count);
        };
        walk_statements(function_.body, [&](const Stmt& one) {
            for_each_expr(one, count);
            if (const auto* inner = std::get_if<FunctionStmt>(&one.node))
                for (const Parameter& parameter : inner->parameters) ++bound[parameter.name];
            return true;
        });
        for (const auto& [name, times] : binding_counts(function_.body)) bound[name] += times;
        walk_statements(function_.body, [&](const Stmt& one) {
            if (const auto* inner = std::get_if<FunctionStmt>(&one.node))
                for (const auto& [name, times] : binding_counts(inner->body)) bound[name] += times;
            return true;
        });
        for (const auto& [name, times] : found)
            if (bound[name] != times) {
                for (const auto& [list, own] : all_)
                    if (own == rows_.at(name).first) throw NotOfRows{list};
            }
    }

    const std::string* list(const ExprPtr& e) const {
        const auto known = all_.find(std::string(name_of(e)));
        return known == all_.end() ? nullptr : &known->second;
    }
    /// A number that may be computed as often as it is used: look-ups of keys as well.
    static bool is_number(const ExprPtr& e) {
        const auto* found = std::get_if<CallExpr>(&e->node);
        const bool looks_up = found && (name_of(found->function) == kFindKey || name_of(found->function) == kFind);
        return looks_up ? std::ranges::all_of(found->arguments, is_pure) : is_pure(e);
    }
    /// The expression with the number of its row in a variable in front, where it is computed once.
    ExprPtr numbered(const ExprPtr& e, Body& out) {
        const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
        if (!subscript || !list(subscript->object) || is_number(subscript->index)) return e;
        const ExprPtr number = make_name(fresh("__row"), e->span);
        out.push_back(make_assignment(number, of(subscript->index), e->span));
        return make_subscript(subscript->object, {number}, e->span);
    }
    /// The row that the expression means.
    std::optional<Row> row(const ExprPtr& e) {
        if (const auto named = rows_.find(std::string(name_of(e))); named != rows_.end())
            return Row{named->second.first, make_name(named->second.second, e->span)};
        const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
        const std::string* own = subscript ? list(subscript->object) : nullptr;
        if (!own) return std::nullopt;
        const ExprPtr& index = subscript->index;
        if (std::holds_alternative<SliceExpr>(index->node) || std::holds_alternative<TupleExpr>(index->node) || !is_number(index))
            throw NotOfRows{std::string(name_of(subscript->object))};
        return Row{*own, of(index)};
    }
    [[noreturn]] void refuse(const Row& row) const {
        for (const auto& [name, own] : all_)
            if (own == row.first) throw NotOfRows{name};
        throw NotOfRows{all_.begin()->first};
    }

    // ---- expressions ---------------------------------------------------------------------------------------------------
    ExprPtr of(const ExprPtr& e) {
        return replace_parts(e, [&](const ExprPtr& one) -> ExprPtr { return replaced(one); });
    }
    ExprPtr truth_of(const ExprPtr& e) {
        if (const auto one = row(e)) return make_compare(part(one->first + "size", one->second), CompareOp::Gt, make_integer(0));
        if (const std::string* own = list(e)) return make_compare(length(*own, e->span), CompareOp::Gt, make_integer(0));
        if (const auto* several = std::get_if<BoolExpr>(&e->node)) {
            BoolExpr copy = *several;
            for (ExprPtr& operand : copy.operands) operand = truth_of(operand);
            return make_expression(std::move(copy), e->span);
        }
        return of(e);
    }
    /// An expression that nobody keeps: a row is a copy of it.
    ExprPtr read(const ExprPtr& e) {
        const auto one = row(e);
        return one ? elements(*one) : of(e);
    }
    ExprPtr replaced(const ExprPtr& e) {
        const Span& span = e->span;
        if (list(e)) throw NotOfRows{std::string(name_of(e))};
        if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node)) {
            if (const auto inner = row(subscript->object)) {
                if (std::holds_alternative<SliceExpr>(subscript->index->node))
                    return make_subscript(elements(*inner), {of(subscript->index)}, span);
                return element(*inner, subscript->index, span);
            }
            if (const std::string* own = list(subscript->object)) refuse({*own, nullptr});
        }
        if (const auto one = row(e)) refuse(*one);
        if (const auto* unary = std::get_if<UnaryExpr>(&e->node); unary && unary->op == UnaryOp::Not)
            return make_unary(UnaryOp::Not, truth_of(unary->operand), span);
        if (const auto* choice = std::get_if<ConditionalExpr>(&e->node))
            return make_conditional(truth_of(choice->condition), of(choice->if_true), of(choice->if_false), span);
        if (const auto* compare = std::get_if<CompareExpr>(&e->node)) {
            CompareExpr copy = *compare;
            for (ExprPtr& operand : copy.operands) operand = read(operand);
            return make_expression(std::move(copy), span);
        }
        if (const auto* binary = std::get_if<BinaryExpr>(&e->node); binary && binary->op == BinaryOp::Add)
            return make_binary(BinaryOp::Add, read(binary->left), read(binary->right), span);
        if (const auto* comprehension = std::get_if<ComprehensionExpr>(&e->node)) return of_comprehension(*comprehension, span);
        if (const auto* found = std::get_if<CallExpr>(&e->node)) return of_call(*found, span);
        return nullptr;
    }
    ExprPtr element(const Row& row, const ExprPtr& index, const Span& span) {
        return part(row.first + kAll, make_call(row.first + "place", {row.second, of(index)}, span));
    }
    ExprPtr of_call(const CallExpr& found, const Span& span) {
        static const std::set<std::string> kReading{"len", "sum", "min",       "max", "sorted",   "list", "tuple", "set",
                                                    "any", "all", "enumerate", "zip", "reversed", "map",  "filter"};
        const ExprPtr* object = nullptr;
        std::string name;
        const ExprPtr itself = make_expression(found, span);
        if (const CallExpr* called = method(itself, &object, &name))
            if (const auto one = row(*object)) {
                const std::size_t arguments = called->arguments.size();
                const auto* first = arguments == 1 ? std::get_if<ConstantExpr>(&called->arguments[0]->node) : nullptr;
                const auto* zero = first ? std::get_if<std::int64_t>(&first->value) : nullptr;
                if (name == "pop" && arguments == 0) return make_call(one->first + "pop", {one->second}, span);
                if (name == "pop" && zero && *zero == 0) return make_call(one->first + "popfirst", {one->second}, span);
                if (name == "copy" && arguments == 0) return elements(*one);
                if ((name == "index" || name == "count") && arguments == 1)
                    return make_expression(CallExpr{make_attribute(elements(*one), name, span), {of(called->arguments[0])}, {}},
                                           span);
                refuse(*one);
            }
        const std::string plain(name_of(found.function)), qualified = qualified_name(*found.function, globals_);
        const bool reads = (qualified.empty() && kReading.contains(plain)) || qualified.starts_with("numpy.") ||
                           qualified.starts_with("statistics.") || qualified.starts_with("math.");
        if (!reads) return nullptr;
        CallExpr copy = found;
        for (ExprPtr& argument : copy.arguments) {
            if (const std::string* own = list(argument); own && plain == "len") return length(*own, span);
            if (const auto one = row(argument); one && plain == "len") return part(one->first + "size", one->second);
            argument = read(argument);
        }
        for (Keyword& keyword : copy.keywords) keyword.value = of(keyword.value);
        return make_expression(std::move(copy), span);
    }
    ExprPtr of_comprehension(const ComprehensionExpr& all, const Span& span) {
        ComprehensionExpr copy = all;
        copy.element = of(copy.element);
        for (ComprehensionClause& clause : copy.clauses) {
            if (const auto over = numbers_of_rows(clause.target, clause.iterable)) {
                if (over->beside) throw NotOfRows{all_.begin()->first};
                clause.target = over->number, clause.iterable = over->all;
            } else {
                clause.iterable = read(clause.iterable);
            }
            for (ExprPtr& condition : clause.conditions) condition = truth_of(condition);
        }
        return make_expression(std::move(copy), span);
    }
    /// A loop over rows as one over their numbers.
    struct Numbered {
        ExprPtr number, all;
        StmtPtr beside;  ///< What `enumerate` or `zip` give beside the row; null: nothing.
    };
    std::optional<Numbered> numbers_of_rows(const ExprPtr& target, const ExprPtr& iterable) {
        const Span& span = iterable->span;
        const auto* over = std::get_if<CallExpr>(&iterable->node);
        const bool beside = is_pair(over), counted = beside && over->arguments.size() == 1;
        const std::string* own = list(beside ? over->arguments.back() : iterable);
        if (!own) return std::nullopt;
        const auto targets = elements_of(target);
        const auto named = rows_.find(std::string(name_of(targets.back())));
        if (named == rows_.end() || targets.size() != (beside ? 2U : 1U)) refuse({*own, nullptr});
        Numbered result{make_name(named->second.second, span), make_call("range", {length(*own, span)}, span), nullptr};
        if (counted) result.beside = make_assignment(targets[0], result.number, span);
        if (!beside || counted) return result;
        const ExprPtr& other = over->arguments[0];
        if (name_of(other).empty() || list(other)) refuse({*own, nullptr});
        const ExprPtr shorter = make_call("min", {length(*own, span), make_call("len", {other}, span)}, span);
        result.all = make_call("range", {shorter}, span);
        result.beside = make_assignment(targets[0], make_subscript(other, {result.number}, span), span);
        return result;
    }
    /// `enumerate(g)`, `zip(x, g)`
    static bool is_pair(const CallExpr* over) {
        return over && over->keywords.empty() &&
               ((name_of(over->function) == "enumerate" && over->arguments.size() == 1) ||
                (name_of(over->function) == "zip" && over->arguments.size() == 2));
    }

    // ---- statements ----------------------------------------------------------------------------------------------------
    struct Frame {
        const Body* body;
        std::size_t at;
        bool loop;
    };
    Body of(const Body& body, bool loop = false) {
        Body out;
        frames_.push_back({&body, 0, loop});
        for (std::size_t at = 0; at < body.size(); ++at) {
            frames_.back().at = at;
            add(body[at], out);
        }
        frames_.pop_back();
        return out;
    }
    /// Whether nothing changes the list of this name behind the statement before the name means another.
    bool stays(const std::string& name) const {
        for (std::size_t depth = frames_.size(); depth-- > 0;) {
            const Frame& frame = frames_[depth];
            const Body rest(frame.body->begin() + static_cast<std::ptrdiff_t>(frame.at) + 1, frame.body->end());
            const FirstUse use = first_use(rest, name);
            if (use != FirstUse::None) return use == FirstUse::Bind;
            if (occurrences(rest).contains(name)) return false;
            if (frame.loop && first_use(*frame.body, name) != FirstUse::Bind) return false;
        }
        return true;
    }
    /// A new row, with these elements.
    void add_row(const std::string& own, const ExprPtr& row_list, Body& out) {
        const Span& span = row_list->span;
        const ExprPtr last = make_unary(UnaryOp::Minus, make_integer(1, span), span);
        std::vector<StmtPtr> fill;
        if (std::holds_alternative<ListExpr>(row_list->node)) {
            for (const ExprPtr& one : elements_of(row_list)) {
                ExprPtr value = of(one);
                if (!is_repeatable(one)) {
                    const ExprPtr kept = make_name(fresh("__element"), span);
                    out.push_back(make_assignment(kept, value, span));
                    value = kept;
                }
                fill.push_back(call(own + "append", {last, value}, span));
            }
        } else {
            const std::string name(name_of(row_list));
            if (!name.empty() && !rows_.contains(name) && !stays(name)) refuse({own, nullptr});
            if (name.empty() && !is_list(row_list)) refuse({own, nullptr});
            ExprPtr value = read(row_list);
            if (name.empty() || rows_.contains(name)) {
                const ExprPtr kept = make_name(fresh("__row"), span);
                out.push_back(make_assignment(kept, value, span));
                value = kept;
            }
            const ExprPtr one = make_name(fresh("__element"), span);
            fill.push_back(make_statement(ForStmt{one, value, {call(own + "append", {last, one}, span)}, {}}, span));
        }
        out.push_back(append_to(own + "begin", make_call("len", {make_name(own + kAll, span)}, span), span));
        out.push_back(append_to(own + "size", make_integer(0, span), span));
        out.push_back(append_to(own + "room", make_integer(0, span), span));
        out.insert(out.end(), fill.begin(), fill.end());
    }
    void make(const std::string& own, const ExprPtr& value, Body& out) {
        const Span& span = value->span;
        for (const char* which : {kAll, "begin", "size", "room"})
            out.push_back(make_assignment(make_name(own + which, span), make_expression(ListExpr{}, span), span));
        const auto* comprehension = std::get_if<ComprehensionExpr>(&value->node);
        if (!comprehension) {
            for (const ExprPtr& one : elements_of(value)) add_row(own, one, out);
            return;
        }
        Body inner;
        add_row(own, comprehension->element, inner);
        for (std::size_t at = comprehension->clauses.size(); at-- > 0;) {
            const ComprehensionClause& clause = comprehension->clauses[at];
            for (std::size_t k = clause.conditions.size(); k-- > 0;)
                inner = {make_statement(IfStmt{truth_of(clause.conditions[k]), std::move(inner), {}}, span)};
            inner = {make_statement(ForStmt{clause.target, read(clause.iterable), std::move(inner), {}}, span)};
        }
        // Its variables are its own.
        std::map<std::string, ExprPtr> names;
        for (const auto& [name, count] : binding_counts(inner))
            if (!name.starts_with("__")) names.emplace(name, make_name(fresh("__" + name), span));
        for (const StmtPtr& one : with_expressions(inner, [&](const ExprPtr& e) { return replace_names(e, names); }))
            out.push_back(one);
    }
    void add(const StmtPtr& one, Body& out) {
        const Span& span = one->span;
        if (const auto* s = std::get_if<AssignStmt>(&one->node)) {
            if (s->targets.size() == 1) {
                if (const std::string* own = list(s->targets[0])) return make(*own, s->value, out);
                if (const auto named = rows_.find(std::string(name_of(s->targets[0]))); named != rows_.end()) {
                    const auto source = row(s->value);
                    if (!source) refuse({named->second.first, nullptr});
                    const ExprPtr number = make_call(source->first + "number", {source->second}, span);
                    return out.push_back(make_assignment(make_name(named->second.second, span), number, span));
                }
                if (const auto target = row(s->targets[0])) {  // `g[u] = []`
                    const auto* empty = std::get_if<ListExpr>(&s->value->node);
                    if (!empty || !empty->elements.empty()) refuse(*target);
                    return out.push_back(
                        make_assignment(part(target->first + "size", target->second), make_integer(0, span), span));
                }
            }
        }
        if (const auto* s = std::get_if<AugAssignStmt>(&one->node))
            if (const auto target = row(s->target)) {
                if (s->op != BinaryOp::Add) refuse(*target);
                return extend(*target, s->value, span, out);
            }
        if (const auto* s = std::get_if<ExprStmt>(&one->node)) {
            const ExprPtr* object = nullptr;
            std::string name;
            if (const CallExpr* called = method(s->value, &object, &name)) {
                const std::size_t arguments = called->arguments.size();
                const ExprPtr numbered_object = numbered(*object, out);
                object = &numbered_object;
                if (const std::string* own = list(*object)) {
                    if (name != "append" || arguments != 1) refuse({*own, nullptr});
                    return add_row(*own, called->arguments[0], out);
                }
                if (const auto target = row(*object)) {
                    if (name == "append" && arguments == 1)
                        return out.push_back(call(target->first + "append", {target->second, of(called->arguments[0])}, span));
                    if (name == "extend" && arguments == 1) return extend(*target, called->arguments[0], span, out);
                    if (name == "clear" && arguments == 0)
                        return out.push_back(
                            make_assignment(part(target->first + "size", target->second), make_integer(0, span), span));
                    if (name == "sort" && arguments == 0)
                        return out.push_back(
                            make_assignment(elements(*target), make_call("sorted", {elements(*target)}, span), span));
                    if (name != "pop") refuse(*target);
                }
                if ((name == "extend" || name == "append") && arguments == 1) {
                    CallExpr copy = *called;
                    copy.function = make_attribute(of(*object), name, span);
                    copy.arguments[0] = name == "extend" ? read(copy.arguments[0]) : of(copy.arguments[0]);
                    return out.push_back(make_statement(ExprStmt{make_expression(std::move(copy), span)}, span));
                }
            }
        }
        if (const auto* s = std::get_if<ForStmt>(&one->node)) return add_loop(*s, span, out);
        if (const auto* s = std::get_if<IfStmt>(&one->node))
            return out.push_back(make_statement(IfStmt{truth_of(s->condition), of(s->then_body), of(s->else_body)}, span));
        if (const auto* s = std::get_if<WhileStmt>(&one->node))
            return out.push_back(make_statement(WhileStmt{truth_of(s->condition), of(s->body, true), of(s->else_body)}, span));
        out.push_back(with_parts(
            one, [&](const ExprPtr& e) { return of(e); }, [&](const Body& inner) { return of(inner, true); }));
    }
    void extend(const Row& target, const ExprPtr& more, const Span& span, Body& out) {
        const ExprPtr kept = make_name(fresh("__more"), span), element_name = make_name(fresh("__element"), span);
        if (std::holds_alternative<ListExpr>(more->node) && std::ranges::all_of(elements_of(more), is_repeatable)) {
            for (const ExprPtr& one : elements_of(more))
                out.push_back(call(target.first + "append", {target.second, of(one)}, span));
            return;
        }
        out.push_back(make_assignment(kept, read(more), span));
        out.push_back(make_statement(
            ForStmt{element_name, kept, {call(target.first + "append", {target.second, element_name}, span)}, {}}, span));
    }
    /// Whether the body may change rows of this list.
    bool changes(const Body& body, const std::string& own) const {
        bool found = false;
        walk_statements(body, [&](const Stmt& one) {
            const std::function<void(const ExprPtr&)> look = [&](const ExprPtr& e) {
                const auto* called = std::get_if<CallExpr>(&e->node);
                const std::string name(called ? name_of(called->function) : std::string_view());
                const bool pure = globals_.contains(name) || (called && qualified_name(*called->function, globals_) != "");
                found |= called && name.starts_with(own);
                found |= called && !name.empty() && !pure && inner_functions_.contains(name);
                for_each_child(*e, look);
            };
            for_each_expr(one, look);
            if (const auto* s = std::get_if<AssignStmt>(&one.node))
                for (const ExprPtr& target : s->targets)
                    if (const auto* subscript = std::get_if<SubscriptExpr>(&target->node))
                        found |= name_of(subscript->object) == own + "size" || name_of(subscript->object) == own + kAll;
            return !found;
        });
        return found;
    }
    void add_loop(const ForStmt& loop, const Span& span, Body& out) {
        if (const auto over = numbers_of_rows(loop.target, loop.iterable)) {
            Body body = of(loop.body, true);
            if (over->beside) body.insert(body.begin(), over->beside);
            return out.push_back(make_statement(ForStmt{over->number, over->all, std::move(body), of(loop.else_body)}, span));
        }
        const auto* call_of = std::get_if<CallExpr>(&loop.iterable->node);
        const bool counted = call_of && name_of(call_of->function) == "enumerate" && call_of->arguments.size() == 1 &&
                             elements_of(loop.target).size() == 2;
        const auto source = row(numbered(counted ? call_of->arguments[0] : loop.iterable, out));
        if (!source) {
            const ExprPtr iterable = read(loop.iterable);
            return out.push_back(make_statement(ForStmt{loop.target, iterable, of(loop.body, true), of(loop.else_body)}, span));
        }
        const ExprPtr number = make_name(fresh("__row"), span), place = make_name(fresh("__place"), span);
        const Row here{source->first, number};
        out.push_back(make_assignment(number, source->second, span));
        const ExprPtr target = counted ? elements_of(loop.target)[1] : loop.target;
        Body body = of(loop.body, true);
        const ExprPtr one = make_integer(1, span), first = part(here.first + "begin", number);
        if (!changes(body, here.first)) {
            Body front{make_assignment(target, part(here.first + kAll, place), span)};
            if (counted)
                front.insert(front.begin(),
                             make_assignment(elements_of(loop.target)[0], make_binary(BinaryOp::Sub, place, first, span), span));
            body.insert(body.begin(), front.begin(), front.end());
            const ExprPtr range = make_call("range", {first, end_of(here)}, span);
            return out.push_back(make_statement(ForStmt{place, range, std::move(body), of(loop.else_body)}, span));
        }
        Body front{make_assignment(target, part(here.first + kAll, make_binary(BinaryOp::Add, first, place, span)), span)};
        if (counted) front.push_back(make_assignment(elements_of(loop.target)[0], place, span));
        front.push_back(make_assignment(place, make_binary(BinaryOp::Add, place, one, span), span));
        body.insert(body.begin(), front.begin(), front.end());
        out.push_back(make_assignment(place, make_integer(0, span), span));
        const ExprPtr more = make_compare(place, CompareOp::Lt, part(here.first + "size", number), span);
        out.push_back(make_statement(WhileStmt{more, std::move(body), of(loop.else_body)}, span));
    }

    const FunctionStmt& function_;
    const Bindings& globals_;
    std::map<std::string, std::string> all_;                           ///< Lists of lists, with the prefix of their four lists.
    std::map<std::string, std::pair<std::string, std::string>> rows_;  ///< Names of rows: the prefix, the variable of the number.
    std::set<std::string> taken_, inner_functions_;
    std::vector<Frame> frames_;
};

}  // namespace

StmtPtr with_rows_in_lists(const StmtPtr& function, const Bindings& globals) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    const FunctionStmt before = definition;
    auto body = Rows(before, globals).replaced();
    if (!body) return nullptr;
    definition.body = std::move(*body);
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
