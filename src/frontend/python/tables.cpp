// Dictionaries and sets with keys of the run become two lists that grow, in the order of insertion:
//     counts = {}                               keys, values = [], []
//     counts[k] = counts.get(k, 0) + 1    ->    at = <find>(keys, k)
//     for k, n in counts.items(): ...           if at == len(keys): keys.append(k); values.append(0 + 1)
//                                               else: values[at] = values[at] + 1
//                                               for k, n in zip(keys, values): ...
// A name is treated so if it is bound to new dictionaries or sets alone and nobody else can hold them: each occurrence of the name
// is one that is understood here. The order of a set is Python's own, so that nothing may ask for it.
#include "frontend/python/tables.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "code/displays.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/bound_methods.h"
#include "frontend/python/keys_of_loops.h"
#include "frontend/python/repeatable.h"
#include "frontend/python/sets.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// An occurrence of a table that has no translation: the name is none.
struct NotUnderstood {
    std::string name;
};

struct Table {
    bool is_set = false;
    bool counts = false;        ///< A Counter.
    ExprPtr missing = nullptr;  ///< Of a defaultdict or Counter: what a key has that is read first.
    std::string keys = {}, values = {};
};

class Tables {
public:
    Tables(const FunctionStmt& function, const Bindings& globals) : function_(function), globals_(globals) {
        for (const auto& [name, count] : occurrences(function.body)) taken_.insert(name);
        for (const Parameter& parameter : function.parameters) taken_.insert(parameter.name);
        for (const auto& [name, count] : binding_counts(function.body)) bound_.insert(name);
        const auto named = [this](const std::string& base) { return own(base); };
        body_ = with_names(with_set_operators(function, globals, named));
        find(body_);
        for (const auto& [name, table] : all_)
            if (refused_.contains(name)) erased_.insert(name);
        for (const std::string& name : erased_) all_.erase(name);
    }
    /// Names that are not understood are dropped one by one.
    std::optional<Body> replaced() {
        while (!all_.empty()) {
            try {
                return of(body_);
            } catch (const NotUnderstood& other) {
                all_.erase(other.name);
            }
        }
        return std::nullopt;
    }

private:
    std::string own(const std::string& base) {
        std::string name = base;
        while (!taken_.insert(name).second) name += "_";
        return name;
    }
    /// Sets and dictionaries without a name, `len({x % 3 for x in xs})`, get one in front of their statement, unless Python may not
    /// evaluate them there.
    Body with_names(const Body& body) {
        Body out;
        for (const StmtPtr& one : body) {
            const auto of_statement = [&](const ExprPtr& e) {
                const bool whole = std::holds_alternative<AssignStmt>(one->node) && made_by(e);
                const bool again = std::holds_alternative<WhileStmt>(one->node) || std::holds_alternative<FunctionStmt>(one->node);
                return whole || again ? e : named(e, out);
            };
            const auto of_body = [&](const Body& inner) {
                return std::holds_alternative<FunctionStmt>(one->node) ? inner : with_names(inner);
            };
            const StmtPtr written = with_parts(one, of_statement, of_body);
            out.push_back(written);
        }
        return out;
    }
    ExprPtr named(const ExprPtr& e, Body& front) {
        return replace_parts(e, [&](const ExprPtr& one) -> ExprPtr {
            if (std::holds_alternative<LambdaExpr>(one->node) || std::holds_alternative<ComprehensionExpr>(one->node) ||
                std::holds_alternative<BoolExpr>(one->node) || std::holds_alternative<ConditionalExpr>(one->node))
                return one;
            const auto* call = std::get_if<CallExpr>(&one->node);
            if (!call || call->arguments.size() != 1 || !made_by(one)) return nullptr;
            const Span& at = one->span;
            const ExprPtr name = make_name(own("__table" + std::to_string(at.line) + "_" + std::to_string(at.column)), at);
            front.push_back(make_assignment(name, one, at));
            return name;
        });
    }
    /// A new table, as `value` makes it; nullopt for other values.
    std::optional<Table> made_by(const ExprPtr& value) const {
        if (std::holds_alternative<DictExpr>(value->node)) return Table{};
        const auto* call = std::get_if<CallExpr>(&value->node);
        if (!call || !call->keywords.empty()) return std::nullopt;
        const std::string plain(name_of(call->function)), name = qualified_name(*call->function, globals_);
        if (plain == kSetOf) return Table{.is_set = true};
        if (plain == kDictionaryOf) return Table{};
        const bool of_python = name.empty() && !globals_.contains(plain) && !bound_.contains(plain);
        if (of_python && plain == "dict" && call->arguments.size() < 2) return Table{};
        if (of_python && plain == "set" && call->arguments.size() < 2) return Table{.is_set = true};
        if (name == "collections.Counter" && call->arguments.size() < 2)
            return Table{.counts = true, .missing = make_integer(0, value->span)};
        if (name != "collections.defaultdict" || call->arguments.size() != 1) return std::nullopt;
        const ExprPtr& factory = call->arguments[0];
        if (name_of(factory) == "int") return Table{.missing = make_integer(0, value->span)};
        if (name_of(factory) == "list") return Table{.missing = make_expression(ListExpr{}, value->span)};
        if (name_of(factory) == "float") return Table{.missing = make_real(0.0, value->span)};
        const auto* lambda = std::get_if<LambdaExpr>(&factory->node);
        if (lambda && lambda->parameters.empty() && std::holds_alternative<ConstantExpr>(lambda->body->node))
            return Table{.missing = lambda->body};
        return std::nullopt;
    }
    void find(const Body& body) {
        const auto refuse_targets = [&](const ExprPtr& target) {
            for (const ExprPtr& one : elements_of(target)) refused_.emplace(name_of(one));
        };
        walk_statements(body, [&](const Stmt& statement) {
            if (const auto* assign = std::get_if<AssignStmt>(&statement.node)) {
                const std::string name(assign->targets.size() == 1 ? name_of(assign->targets[0]) : std::string_view());
                const auto table = name.empty() ? std::nullopt : made_by(assign->value);
                if (!table) {
                    for (const ExprPtr& target : assign->targets) refuse_targets(target);
                } else if (const auto [at, added] = all_.emplace(name, *table); added) {
                    at->second.keys = own(name + "_keys");
                    at->second.values = own(name + "_values");
                } else {
                    const bool same = at->second.is_set == table->is_set && at->second.counts == table->counts &&
                                      !at->second.missing == !table->missing &&
                                      (!table->missing || to_string(*at->second.missing) == to_string(*table->missing));
                    if (!same) refused_.insert(name);
                }
            }
            if (const auto* loop = std::get_if<ForStmt>(&statement.node)) refuse_targets(loop->target);
            if (const auto* inner = std::get_if<FunctionStmt>(&statement.node))  // Closures keep the name.
                for (const auto& [name, count] : occurrences(inner->body)) refused_.insert(name);
            return !std::holds_alternative<FunctionStmt>(statement.node);
        });
        for (const Parameter& parameter : function_.parameters) refused_.insert(parameter.name);
    }

    const Table* table_of(const ExprPtr& e) const {
        const auto known = all_.find(std::string(name_of(e)));
        return known == all_.end() ? nullptr : &known->second;
    }
    static ExprPtr length(const Table& table, const Span& span) { return make_call("len", {make_name(table.keys, span)}, span); }
    static ExprPtr items(const Table& table, const Span& span) {
        return make_call("zip", {make_name(table.keys, span), make_name(table.values, span)}, span);
    }
    ExprPtr found(const Table& table, const ExprPtr& key, const char* function, const Span& span) {
        return make_call(function, {make_name(table.keys, span), of(key)}, span);
    }
    /// `lambda item: item[at]`
    static ExprPtr part(std::int64_t at, const Span& span) {
        return make_expression(LambdaExpr{{"item"}, make_subscript(make_name("item", span), {make_integer(at, span)}, span)}, span);
    }

    // ---- expressions
    /// The value of a key, or another one where it has none.
    ExprPtr read_or(const Table& table, const ExprPtr& key, const ExprPtr& otherwise, const Span& span) {
        const ExprPtr place = found(table, key, kFind, span);
        return make_conditional(make_compare(place, CompareOp::Lt, length(table, span), span),
                                make_subscript(make_name(table.values, span), {place}, span), otherwise, span);
    }
    /// What a loop, or a function that asks for nothing but elements, goes over.
    ExprPtr iterated(const ExprPtr& e, bool any_order) {
        std::string name, method;
        if (const Table* table = table_of(e)) {
            if (table->is_set && !any_order) throw NotUnderstood{std::string(name_of(e))};
            return make_name(table->keys, e->span);
        }
        if (const auto* list = std::get_if<ComprehensionExpr>(&e->node)) return of_comprehension(*list, any_order, e->span);
        const CallExpr* call = method_of(e, &name, &method);
        const auto known = call && call->arguments.empty() && call->keywords.empty() ? all_.find(name) : all_.end();
        if (known != all_.end() && !known->second.is_set) {
            if (method == "keys") return make_name(known->second.keys, e->span);
            if (method == "values") return make_name(known->second.values, e->span);
            if (method == "items") return items(known->second, e->span);
        }
        return of(e);
    }
    ExprPtr of_comprehension(const ComprehensionExpr& list, bool any_order, const Span& span) {
        ComprehensionExpr copy = list;
        copy.element = of(copy.element);
        for (auto& clause : copy.clauses) {
            clause.iterable = iterated(clause.iterable, any_order);
            for (ExprPtr& condition : clause.conditions) condition = truth_of(condition);
        }
        return make_expression(std::move(copy), span);
    }
    /// The table whose keys an expression goes through, `t` or `t.keys()`: null for another one.
    const Table* table_of_keys(const ExprPtr& e) const {
        std::string name, method;
        const CallExpr* call = method_of(e, &name, &method);
        if (!call) return table_of(e);
        const auto keyed = all_.find(name);
        return method == "keys" && call->arguments.empty() && keyed != all_.end() ? &keyed->second : nullptr;
    }
    ExprPtr of_call(const ExprPtr& e, const CallExpr& node) {
        static const std::set<std::string> kAnyOrder{"len", "sorted", "min", "max", "any", "all"};
        static const std::set<std::string> kOrdered{"sum", "list", "enumerate", "zip", "reversed"};
        const std::string function(name_of(node.function));
        std::string name, method;
        const Span& span = e->span;
        if (const CallExpr* call = method_of(e, &name, &method)) {
            const auto known = all_.find(name);
            if (known == all_.end()) return nullptr;
            const Table& table = known->second;
            const std::size_t arguments = call->arguments.size();
            if (!call->keywords.empty()) throw NotUnderstood{name};
            if (method == "get" && !table.is_set && arguments == 2 && is_pure(call->arguments[0]) &&
                is_repeatable(call->arguments[1])) {
                return read_or(table, call->arguments[0], of(call->arguments[1]), span);
            }
            if (method == "most_common" && table.counts && arguments == 1) {
                const ExprPtr order = make_expression(CallExpr{make_name("sorted", span),
                                                               {items(table, span)},
                                                               {{"key", part(1, span)}, {"reverse", make_boolean(true, span)}}},
                                                      span);
                return make_subscript(order, {make_expression(SliceExpr{nullptr, of(call->arguments[0]), nullptr}, span)}, span);
            }
            throw NotUnderstood{name};
        }
        if (!kAnyOrder.contains(function) && !kOrdered.contains(function)) return nullptr;
        CallExpr copy = node;
        ExprPtr by;
        for (Keyword& keyword : copy.keywords) {
            const bool orders = (function == "max" || function == "min" || function == "sorted") && keyword.name == "key";
            const ExprPtr looked_up = orders && copy.arguments.size() == 1 ? looked_up_in(keyword.value) : nullptr;
            const Table* table = looked_up ? table_of(looked_up) : nullptr;
            if (table && !table->is_set && table == table_of_keys(copy.arguments[0])) {
                keyword.value = part(1, span);
                by = items(*table, span);
            } else {
                keyword.value = of(keyword.value);
            }
        }
        if (by) {
            copy.arguments = {by};
            const ExprPtr call = make_expression(copy, span);
            if (function != "sorted") return make_subscript(call, {make_integer(0, span)}, span);
            const ExprPtr item = make_name("item", span);
            return make_expression(ComprehensionExpr{make_subscript(item, {make_integer(0, span)}, span), {{item, call, {}}}, true},
                                   span);
        }
        const bool any_order = kAnyOrder.contains(function) && copy.keywords.empty();  // A key lets elements be equal.
        for (ExprPtr& argument : copy.arguments) argument = iterated(argument, any_order);
        if (const auto* values = function == "len" ? std::get_if<CallExpr>(&copy.arguments.at(0)->node) : nullptr;
            values && name_of(values->function) == "zip")
            copy.arguments = {values->arguments.at(0)};  // len(d.items())
        return make_expression(copy, span);
    }
    ExprPtr of(const ExprPtr& e) {
        return replace_parts(e, [&](const ExprPtr& one) -> ExprPtr { return part_of(one); });
    }
    ExprPtr truth_of(const ExprPtr& e) {
        const Table* table = table_of(e);
        return table ? make_compare(length(*table, e->span), CompareOp::Gt, make_integer(0), e->span) : of(e);
    }
    ExprPtr part_of(const ExprPtr& e) {
        const Span& span = e->span;
        if (table_of(e)) throw NotUnderstood{std::string(name_of(e))};
        if (const auto* subscript = std::get_if<SubscriptExpr>(&e->node))
            if (const Table* table = table_of(subscript->object)) {
                // Reading a missing key of a defaultdict adds it.
                const bool there = table->missing && holds_lists(*table) &&
                                   reads_of_keys(body_, std::string(name_of(subscript->object))).contains(e.get());
                if (table->is_set || (table->missing && !there && !(table->counts && is_pure(subscript->index))))
                    throw NotUnderstood{std::string(name_of(subscript->object))};
                if (table->counts) return read_or(*table, subscript->index, table->missing, span);
                return make_subscript(make_name(table->values, span), {found(*table, subscript->index, kFindKey, span)}, span);
            }
        if (const auto* call = std::get_if<CallExpr>(&e->node)) return of_call(e, *call);
        if (const auto* compare = std::get_if<CompareExpr>(&e->node); compare && compare->ops.size() == 1) {
            const bool in = compare->ops[0] == CompareOp::In, out = compare->ops[0] == CompareOp::NotIn;
            const Table* table = in || out ? table_of(compare->operands[1]) : nullptr;
            if (!table) return nullptr;
            return make_compare(found(*table, compare->operands[0], kFind, span), in ? CompareOp::Lt : CompareOp::Ge,
                                length(*table, span), span);
        }
        if (const auto* unary = std::get_if<UnaryExpr>(&e->node); unary && unary->op == UnaryOp::Not && table_of(unary->operand))
            return make_compare(length(*table_of(unary->operand), span), CompareOp::Eq, make_integer(0), span);
        if (const auto* boolean = std::get_if<BoolExpr>(&e->node)) {
            BoolExpr copy = *boolean;
            for (const ExprPtr& operand : copy.operands)  // `seen and x` is a table, or a value.
                if (table_of(operand)) throw NotUnderstood{std::string(name_of(operand))};
            return nullptr;
        }
        if (const auto* list = std::get_if<ComprehensionExpr>(&e->node)) return of_comprehension(*list, false, span);
        return nullptr;
    }

    // ---- statements
    ExprPtr temporary(const std::string& what, const Span& span) {
        const std::string name = kOfTableStatement + what + std::to_string(span.line) + "_" + std::to_string(span.column);
        return make_name(name, span);
    }
    ExprPtr kept(const ExprPtr& e, const std::string& what, Body& out) {
        const ExprPtr value = of(e);
        if (is_repeatable(value)) return value;
        const ExprPtr name = temporary(what, e->span);
        out.push_back(make_assignment(name, value, e->span));
        return name;
    }
    static StmtPtr method(const std::string& list, const char* name, std::vector<ExprPtr> arguments, const Span& span) {
        return make_statement(
            ExprStmt{make_expression(CallExpr{make_attribute(make_name(list, span), name, span), std::move(arguments), {}}, span)},
            span);
    }
    /// One value where the key is new, another one at its place.
    void store(const Table& table, const ExprPtr& key, const ExprPtr& fresh,
               const std::function<StmtPtr(const ExprPtr& place)>& again, const Span& span, Body& out) {
        const ExprPtr place = temporary("at", span);
        out.push_back(make_assignment(place, make_call(kFind, {make_name(table.keys, span), key}, span), span));
        Body added, changed;
        if (!table.is_set) added.push_back(method(table.values, "append", {fresh}, span));
        added.push_back(method(table.keys, "append", {key}, span));
        if (again) changed.push_back(again(make_subscript(make_name(table.values, span), {place}, span)));
        out.push_back(make_statement(
            IfStmt{make_compare(place, CompareOp::Eq, length(table, span), span), std::move(added), std::move(changed)}, span));
    }
    /// `e` with `table.get(key, x)`, or for a default `table[key]`, replaced by x where `place` is null, else by the place.
    ExprPtr with_present(const std::string& name, const Table& table, const ExprPtr& e, const std::string& key,
                         const ExprPtr& place) {
        return replace_parts(e, [&](const ExprPtr& one) -> ExprPtr {
            std::string of_name, called;
            if (const CallExpr* call = method_of(one, &of_name, &called))
                if (of_name == name && called == "get" && call->arguments.size() == 2 && call->keywords.empty() &&
                    to_string(*call->arguments[0]) == key && is_repeatable(call->arguments[1]))
                    return place ? place : call->arguments[1];
            const auto* subscript = std::get_if<SubscriptExpr>(&one->node);
            if (subscript && table.missing && name_of(subscript->object) == name && to_string(*subscript->index) == key)
                return place ? place : table.missing;
            return nullptr;
        });
    }
    void assign(const std::string& name, const Table& table, const ExprPtr& given, const ExprPtr& value, const Span& span,
                Body& out) {
        if (table.is_set) throw NotUnderstood{name};
        const std::string text = to_string(*given);
        const bool known_key = is_pure(given);
        const ExprPtr fresh = known_key ? with_present(name, table, value, text, nullptr) : value;
        if (fresh != value && to_string(*fresh) != to_string(*value)) {
            if (mentions_name(fresh, name)) throw NotUnderstood{name};
            const auto again = [&](const ExprPtr& place) {
                return make_assignment(place, of(with_present(name, table, value, text, place)), span);
            };
            return store(table, kept(given, "key", out), of(fresh), again, span, out);
        }
        const ExprPtr stored = kept(value, "value", out), key = kept(given, "key", out);
        store(
            table, key, stored, [&](const ExprPtr& place) { return make_assignment(place, stored, span); }, span, out);
    }
    void update(const Table& table, const std::string& name, const ExprPtr& given, const AugAssignStmt& s, const Span& span,
                Body& out) {
        if (table.is_set || mentions_name(s.value, name)) throw NotUnderstood{name};
        const ExprPtr key = kept(given, "key", out);
        const auto again = [&](const ExprPtr& place) { return make_statement(AugAssignStmt{place, s.op, of(s.value)}, span); };
        if (table.missing) return store(table, key, make_binary(s.op, table.missing, of(s.value), span), again, span, out);
        const ExprPtr place = temporary("at", span);
        out.push_back(make_assignment(place, make_call(kFindKey, {make_name(table.keys, span), key}, span), span));
        out.push_back(again(make_subscript(make_name(table.values, span), {place}, span)));
    }
    void remove(const Table& table, const ExprPtr& given, bool must, const Span& span, Body& out) {
        const ExprPtr key = kept(given, "key", out), place = temporary("at", span);
        out.push_back(make_assignment(place, make_call(must ? kFindKey : kFind, {make_name(table.keys, span), key}, span), span));
        Body taken{method(table.keys, "pop", {place}, span)};
        if (!table.is_set) taken.push_back(method(table.values, "pop", {place}, span));
        if (must)
            out.insert(out.end(), taken.begin(), taken.end());
        else
            out.push_back(
                make_statement(IfStmt{make_compare(place, CompareOp::Lt, length(table, span), span), std::move(taken), {}}, span));
    }
    /// Each element is added, or counted.
    void fill(const Table& table, const std::string& name, const ExprPtr& iterable, const Span& span, Body& out) {
        if (mentions_name(iterable, name)) throw NotUnderstood{name};
        const auto* comprehension = std::get_if<ComprehensionExpr>(&iterable->node);
        const auto names = comprehension ? own_variables(*comprehension, span) : std::map<std::string, ExprPtr>();
        const ExprPtr item = temporary("item", span);
        const ExprPtr one = make_integer(1, span);
        Body body;
        if (comprehension) body.push_back(make_assignment(item, of(replace_names(comprehension->element, names)), span));
        const auto again = [&](const ExprPtr& place) { return make_statement(AugAssignStmt{place, BinaryOp::Add, one}, span); };
        if (table.is_set)
            store(table, item, nullptr, {}, span, body);
        else
            store(table, item, one, again, span, body);
        if (comprehension) return add_loops(*comprehension, names, std::move(body), table.is_set, span, out);
        out.push_back(make_statement(ForStmt{item, iterated(iterable, table.is_set), std::move(body), {}}, span));
    }
    /// Its variables are its own.
    std::map<std::string, ExprPtr> own_variables(const ComprehensionExpr& list, const Span& span) {
        std::map<std::string, ExprPtr> names;
        for (const auto& clause : list.clauses)
            for (const auto& [one, count] : binding_counts({make_statement(ForStmt{clause.target, clause.iterable, {}, {}}, span)}))
                names.emplace(one, make_name(own("__" + one), span));
        return names;
    }
    /// The loops of a comprehension around what becomes of an element.
    void add_loops(const ComprehensionExpr& list, const std::map<std::string, ExprPtr>& names, Body body, bool any_order,
                   const Span& span, Body& out) {
        const auto renamed = [&](const ExprPtr& e) { return replace_names(e, names); };
        for (std::size_t at = list.clauses.size(); at-- > 0;) {
            const auto& clause = list.clauses[at];
            for (std::size_t k = clause.conditions.size(); k-- > 0;)
                body = {make_statement(IfStmt{truth_of(renamed(clause.conditions[k])), std::move(body), {}}, span)};
            const ExprPtr over = iterated(at == 0 ? clause.iterable : renamed(clause.iterable), any_order);
            body = {make_statement(ForStmt{renamed(clause.target), over, std::move(body), {}}, span)};
        }
        out.insert(out.end(), body.begin(), body.end());
    }
    /// `dict(zip(xs, ys))`, `{x: f(x) for x in xs}`, in a loop over the pairs.
    void fill_pairs(const Table& table, const std::string& name, const ExprPtr& pairs, const Span& span, Body& out) {
        if (mentions_name(pairs, name)) throw NotUnderstood{name};
        if (const Table* other = table_of(pairs)) {
            if (other->is_set) throw NotUnderstood{name};
            return fill_pairs(table, name, items(*other, span), span, out);
        }
        const ExprPtr key = temporary("key", span), value = temporary("value", span);
        const auto* comprehension = std::get_if<ComprehensionExpr>(&pairs->node);
        if (!comprehension) {
            Body body;
            assign(name, table, key, value, span, body);
            const ExprPtr both = make_expression(TupleExpr{{key, value}}, span);
            return out.push_back(make_statement(ForStmt{both, iterated(pairs, false), std::move(body), {}}, span));
        }
        const auto names = own_variables(*comprehension, span);
        const std::vector<ExprPtr> parts = elements_of(comprehension->element);
        if (parts.size() != 2) throw NotUnderstood{name};
        Body body{make_assignment(key, of(replace_names(parts[0], names)), span),
                  make_assignment(value, of(replace_names(parts[1], names)), span)};
        assign(name, table, key, value, span, body);
        add_loops(*comprehension, names, std::move(body), false, span, out);
    }
    void create(const std::string& name, const Table& table, const ExprPtr& value, const Span& span, Body& out) {
        if (mentions_name(value, name)) throw NotUnderstood{name};
        const ExprPtr empty = make_expression(ListExpr{}, span);
        out.push_back(make_assignment(make_name(table.keys, span), empty, span));
        if (!table.is_set) out.push_back(make_assignment(make_name(table.values, span), make_expression(ListExpr{}, span), span));
        if (const auto* literal = std::get_if<DictExpr>(&value->node))
            for (std::size_t at = 0; at < literal->keys.size(); ++at)
                assign(name, table, literal->keys[at], literal->values[at], literal->keys[at]->span, out);
        const auto* call = std::get_if<CallExpr>(&value->node);
        if (!call || call->arguments.size() != 1) return;
        if (table.is_set || table.counts) return fill(table, name, call->arguments[0], span, out);
        if (!table.missing) fill_pairs(table, name, call->arguments[0], span, out);
    }
    static bool holds_lists(const Table& table) { return table.missing && std::holds_alternative<ListExpr>(table.missing->node); }
    /// `d[k].append(v)`, `d.setdefault(k, []).append(v)`: a method of the list that a key has; false for others.
    bool of_list(const ExprPtr& e, Body& out) {
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto* attribute = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
        if (!attribute) return false;
        const auto* subscript = std::get_if<SubscriptExpr>(&attribute->object->node);
        std::string name, called;
        const CallExpr* given = method_of(attribute->object, &name, &called);
        const bool defaults = given && called == "setdefault" && given->arguments.size() == 2 && given->keywords.empty();
        const auto known = all_.find(subscript ? std::string(name_of(subscript->object)) : defaults ? name : "");
        if (known == all_.end() || known->second.is_set || known->second.counts) return false;
        const Table& table = known->second;
        const Span& span = e->span;
        const ExprPtr key = kept(subscript ? subscript->index : given->arguments[0], "key", out), place = temporary("at", span);
        const ExprPtr fresh = subscript ? table.missing : given->arguments[1];
        if (fresh)
            store(table, key, fresh, {}, span, out);
        else
            out.push_back(make_assignment(place, make_call(kFindKey, {make_name(table.keys, span), key}, span), span));
        CallExpr copy = *call;
        copy.function = make_attribute(make_subscript(make_name(table.values, span), {place}, span), attribute->name, span);
        for (ExprPtr& argument : copy.arguments) argument = of(argument);
        out.push_back(make_statement(ExprStmt{make_expression(std::move(copy), span)}, span));
        return true;
    }
    /// A method in a statement of its own; false for others.
    bool of_statement(const ExprPtr& e, Body& out) {
        if (of_list(e, out)) return true;
        std::string name, called;
        const CallExpr* call = method_of(e, &name, &called);
        const auto known = call ? all_.find(name) : all_.end();
        if (known == all_.end()) return false;
        const Table& table = known->second;
        const std::size_t arguments = call->arguments.size();
        if (!call->keywords.empty()) throw NotUnderstood{name};
        const Span& span = e->span;
        if (table.is_set && called == "add" && arguments == 1)
            store(table, kept(call->arguments[0], "key", out), nullptr, {}, span, out);
        else if (table.is_set && (called == "remove" || called == "discard") && arguments == 1)
            remove(table, call->arguments[0], called == "remove", span, out);
        else if (!table.is_set && called == "pop" && arguments == 1)
            remove(table, call->arguments[0], true, span, out);
        else if (called == "clear" && arguments == 0) {
            out.push_back(method(table.keys, "clear", {}, span));
            if (!table.is_set) out.push_back(method(table.values, "clear", {}, span));
        } else if (!table.is_set && called == "setdefault" && arguments == 2) {
            const ExprPtr key = kept(call->arguments[0], "key", out), value = kept(call->arguments[1], "value", out);
            store(table, key, value, {}, span, out);
        } else if (called == "update" && arguments == 1 && (table.is_set || table.counts))
            fill(table, name, call->arguments[0], span, out);
        else
            throw NotUnderstood{name};
        return true;
    }
    /// A dictionary is returned as its keys and values, of which Python's caller makes it again, a set as its elements. One with
    /// defaults is returned by `dict(d)`.
    ExprPtr returned(const ExprPtr& value) {
        const auto* made = std::get_if<CallExpr>(&value->node);
        const bool as_dict = made && made_by(value) && name_of(made->function) == "dict" && made->arguments.size() == 1;
        const Table* table = table_of(as_dict ? made->arguments[0] : value);
        if (!table || (as_dict && table->is_set) || (table->missing && !as_dict)) return of(value);
        if (table->is_set) return make_call(kSetOf, {make_name(table->keys, value->span)}, value->span);
        return make_call(kDictionaryOf, {make_name(table->keys, value->span), make_name(table->values, value->span)}, value->span);
    }
    void add(const StmtPtr& one, Body& out) {
        const Span& span = one->span;
        if (std::holds_alternative<FunctionStmt>(one->node)) return out.push_back(one);
        if (const auto* s = std::get_if<ExprStmt>(&one->node); s && of_statement(s->value, out)) return;
        if (const auto* s = std::get_if<AssignStmt>(&one->node); s && s->targets.size() == 1) {
            if (const Table* table = table_of(s->targets[0]))
                return create(std::string(name_of(s->targets[0])), *table, s->value, span, out);
            const auto* subscript = std::get_if<SubscriptExpr>(&s->targets[0]->node);
            if (const Table* table = subscript ? table_of(subscript->object) : nullptr)
                return assign(std::string(name_of(subscript->object)), *table, subscript->index, s->value, span, out);
        }
        if (const auto* s = std::get_if<AugAssignStmt>(&one->node))
            if (const auto* subscript = std::get_if<SubscriptExpr>(&s->target->node))
                if (const Table* table = table_of(subscript->object))
                    return update(*table, std::string(name_of(subscript->object)), subscript->index, *s, span, out);
        if (const auto* s = std::get_if<DeleteStmt>(&one->node); s && s->targets.size() == 1)
            if (const auto* subscript = std::get_if<SubscriptExpr>(&s->targets[0]->node))
                if (const Table* table = table_of(subscript->object); table && !table->is_set && !table->counts)
                    return remove(*table, subscript->index, true, span, out);
        if (const auto* s = std::get_if<ReturnStmt>(&one->node); s && s->value) {
            const auto* several = std::get_if<TupleExpr>(&s->value->node);
            TupleExpr all;
            for (const ExprPtr& value : several ? several->elements : std::vector{s->value})
                all.elements.push_back(returned(value));
            const ExprPtr value = several ? make_expression(std::move(all), s->value->span) : all.elements[0];
            return out.push_back(make_statement(ReturnStmt{value}, span));
        }
        if (const auto* s = std::get_if<ForStmt>(&one->node)) {
            ForStmt copy = *s;
            copy.iterable = iterated(copy.iterable, false);
            copy.target = of(copy.target);
            copy.body = of(copy.body);
            copy.else_body = of(copy.else_body);
            return out.push_back(make_statement(std::move(copy), span));
        }
        if (const auto* s = std::get_if<IfStmt>(&one->node))
            return out.push_back(make_statement(IfStmt{truth_of(s->condition), of(s->then_body), of(s->else_body)}, span));
        if (const auto* s = std::get_if<WhileStmt>(&one->node))
            return out.push_back(make_statement(WhileStmt{truth_of(s->condition), of(s->body), of(s->else_body)}, span));
        out.push_back(with_parts(
            one, [&](const ExprPtr& e) { return of(e); }, [&](const Body& body) { return of(body); }));
    }
    Body of(const Body& body) {
        Body out;
        for (const StmtPtr& one : body) add(one, out);
        return out;
    }

    const FunctionStmt& function_;
    const Bindings& globals_;
    Body body_;  ///< Of the function.
    std::set<std::string> taken_, bound_, refused_, erased_;
    std::map<std::string, Table> all_;
};

}  // namespace

StmtPtr with_tables(const StmtPtr& function, const Bindings& globals) {
    Stmt copy = *function;
    auto& definition = std::get<FunctionStmt>(copy.node);
    const FunctionStmt before = definition;
    auto body = Tables(before, globals).replaced();
    if (!body) return nullptr;
    definition.body = std::move(*body);
    return std::make_shared<const Stmt>(std::move(copy));
}

}  // namespace sluice::frontend
