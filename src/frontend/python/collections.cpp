// Tuples, lists, dictionaries and comprehensions whose lengths are known now: their elements are values each for itself.
#include <algorithm>

#include "code/parse.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/choices.h"
#include "frontend/python/collections.h"
#include "frontend/python/function_values.h"
#include "frontend/python/inlining.h"
#include "frontend/python/lazy.h"
#include "frontend/python/lists.h"
#include "frontend/python/overflow.h"
#include "frontend/python/texts.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr std::int64_t kLongest = 4096;  // Each element is code of its own.

}  // namespace

Value Collections::elements(const std::vector<ExprPtr>& list) {
    const auto is_starred = [](const ExprPtr& e) { return std::holds_alternative<StarredExpr>(e->node); };
    if (std::ranges::none_of(list, is_starred)) return tuple(t_.evaluate_all(list));
    std::vector<Value> values;
    for (const ExprPtr& e : list) {
        const auto* starred = std::get_if<StarredExpr>(&e->node);
        if (!starred) {
            values.push_back(t_.evaluate(e));
            continue;
        }
        const auto more = known_elements(starred->value);
        if (!more) unsupported("a starred value whose length the run decides", e->span, "write out its elements");
        values.insert(values.end(), more->begin(), more->end());
    }
    return tuple(std::move(values));
}

Value Collections::dictionary(const DictExpr& n) {
    Value result = tuple(t_.evaluate_all(n.values));
    result.of_keys = true;
    for (const ExprPtr& key : n.keys) {
        const auto known = key_of(key);
        if (!known) unsupported("a key that is no constant text or integer", key->span, "use texts and integers as keys");
        result.keys.push_back(*known);
        if (std::ranges::count(result.keys, result.keys.back()) > 1)
            unsupported("a dictionary with a key twice", key->span, "write each key once");
    }
    result.objects = {t_.context_.new_object()};
    return result;
}

/// `{key: value for ... in ...}`, where the keys are known: each where it stands first, with its last value.
Value Collections::dictionary_of(const CallExpr& n, const Span& span) {
    const auto* pairs = n.arguments.size() == 1 ? std::get_if<ComprehensionExpr>(&n.arguments[0]->node) : nullptr;
    if (!pairs) unsupported("a dictionary made of this value", span, "write its keys: {\"a\": 1}");
    const Value all = comprehension(*pairs, span);
    if (!all.list.empty()) unsupported("a dictionary whose keys the run decides, here", span, "bind it to a name");
    Value result = tuple({});
    result.of_keys = true;
    for (const Value& pair : all.elements) {
        const Value& given = pair.elements.at(0);
        const auto integer = t_.as_integer(given);
        const bool text = given.kind == Value::Kind::Text;
        if (!text && !(integer && integer->is_integer() && given.type == Type{Scalar::Int64, true}))
            unsupported("a key that is no constant text or integer", span, "use texts and integers as keys");
        const std::string key = text ? code::to_string(*given.code) : std::to_string(integer->integer());
        const auto known = static_cast<std::size_t>(std::ranges::find(result.keys, key) - result.keys.begin());
        if (known < result.keys.size()) {
            result.elements[known] = pair.elements.at(1);
        } else {
            result.keys.push_back(key);
            result.elements.push_back(pair.elements.at(1));
        }
    }
    result.objects = {t_.context_.new_object()};
    return result;
}

/// `{**a, "k": v}` and `dict(a, k=v)`: the dictionaries in order, each key where it stands first, with its last value.
Value Collections::merged(const CallExpr& n, const Span& span) {
    Value result = tuple({});
    result.of_keys = true;
    const auto put = [&](const std::string& key, const Value& value) {
        const auto known = std::ranges::find(result.keys, key) - result.keys.begin();
        if (static_cast<std::size_t>(known) == result.keys.size()) {
            result.keys.push_back(key);
            result.elements.push_back(value);
        } else {
            result.elements[static_cast<std::size_t>(known)] = value;
        }
    };
    const auto put_all = [&](const ExprPtr& e) {
        const Value all = t_.evaluate(e);
        if (all.kind != Value::Kind::Tuple || !all.of_keys || all.keys.size() != all.elements.size())
            unsupported("a dictionary made of this value", span, "write its keys: {\"a\": 1}");
        for (std::size_t at = 0; at < all.keys.size(); ++at) put(all.keys[at], all.elements[at]);
    };
    std::ranges::for_each(n.arguments, put_all);
    for (const Keyword& one : n.keywords)
        if (one.name.empty())
            put_all(one.value);
        else
            put(code::to_string(*make_text(one.name)), t_.evaluate(one.value));
    result.objects = {t_.context_.new_object()};
    return result;
}

Value Collections::membership(const ExprPtr& one, const ExprPtr& all, const Span& span) {
    if (const auto known = known_membership(one, all)) return number(make_boolean(*known, span), {Scalar::Bool, true});
    Value value = t_.evaluate(one), container = t_.evaluate(all);
    if (const auto numbers = Texts::searched(value, container)) value = *Texts::number_of(value), container = *numbers;
    const auto equal = [&](const Value& element) {
        return t_.combine({element, value}, span, [&](const auto& c) { return make_compare(c[0], CompareOp::Eq, c[1], span); });
    };
    Value found;
    if (container.kind == Value::Kind::Tuple && !container.of_keys && value.is_elements() && value.rank() == 0 &&
        std::ranges::all_of(container.elements,
                            [](const Value& element) { return element.is_elements() && element.rank() == 0; })) {
        std::vector<Value> truths;
        for (const Value& element : container.elements) truths.push_back(equal(element));
        found = t_.any_of(truths, false, span);
    } else if (container.is_elements() && container.rank() > 0 && (container.list.empty() || container.rank() == 1) &&
               value.is_elements() && value.rank() == 0) {
        Reduction every;
        for (std::size_t dim = 0; dim < container.rank(); ++dim) every.axes.push_back(static_cast<std::int64_t>(dim));
        found = t_.reduce(equal(container), "any", every, span);
    } else {
        unsupported("`in` for these values", span, "compare with each element");
    }
    found.type.weak = true;
    return found;
}

/// Are they equal? Of what is neither a number nor a tuple, a list, a text or None nobody asks: arrays have no one truth.
Value Collections::equal(const Value& left, const Value& right, const Span& span) {
    const auto known = [&](bool truth) { return number(make_boolean(truth, span), {Scalar::Bool, true}); };
    const bool tuples = left.kind == Value::Kind::Tuple && right.kind == Value::Kind::Tuple;
    if (left.of_keys || right.of_keys) unsupported("a comparison of dictionaries", span, "compare their elements");
    if (tuples) {
        if (left.of_list != right.of_list || left.elements.size() != right.elements.size()) return known(false);
        std::vector<Value> truths;
        for (std::size_t i = 0; i < left.elements.size(); ++i) truths.push_back(equal(left.elements[i], right.elements[i], span));
        return t_.any_of(truths, true, span);
    }
    if (left.is_scalar() && right.is_scalar()) {
        const auto one = t_.as_integer(left), other = t_.as_integer(right);
        if (one && other && one->constant() && other->constant()) return known(*one->constant() == *other->constant());
        return t_.combine({left, right}, span, [&](const auto& c) { return make_compare(c[0], CompareOp::Eq, c[1], span); });
    }
    if (left.kind == Value::Kind::Text && right.kind == Value::Kind::Text) {
        const auto one = Texts(t_).known(left.code), other = Texts(t_).known(right.code);
        if (one && other) return known(*one == *other);
    }
    if (left.kind == Value::Kind::None || right.kind == Value::Kind::None) return known(left.kind == right.kind);
    unsupported("a comparison of tuples of these values", span, "compare their elements");
}

/// `left op right` of two that differ, where `op` is < or >.
Value Collections::before(CompareOp op, const Value& left, const Value& right, const Span& span) {
    if (left.kind == Value::Kind::Tuple && right.kind == Value::Kind::Tuple) return compare(op, left, right, span);
    if (!left.is_scalar() || !right.is_scalar())
        unsupported("a comparison of tuples of these values", span, "compare their elements");
    return t_.combine({left, right}, span, [&](const auto& c) { return make_compare(c[0], op, c[1], span); });
}

Value Collections::compare(CompareOp op, const Value& left, const Value& right, const Span& span) {
    Value truth;
    if (op == CompareOp::Eq || op == CompareOp::Ne) {
        truth = equal(left, right, span);
        if (op == CompareOp::Ne)
            truth = t_.combine({truth}, span, [&](const auto& c) { return make_unary(UnaryOp::Not, c[0], span); });
    } else {
        if (left.of_list != right.of_list || left.of_keys || right.of_keys)
            unsupported("an order of a tuple and a list", span, "Python raises TypeError there");
        const std::size_t n = left.elements.size(), m = right.elements.size();
        const bool rises = op == CompareOp::Lt || op == CompareOp::Le, may_be_equal = op == CompareOp::Le || op == CompareOp::Ge;
        truth = number(make_boolean(n == m ? may_be_equal : (n < m) == rises, span), {Scalar::Bool, true});
        for (std::size_t i = std::min(n, m); i-- > 0;) {
            const Value& one = left.elements[i];
            const Value& other = right.elements[i];
            truth = t_.any_of({before(rises ? CompareOp::Lt : CompareOp::Gt, one, other, span),
                               t_.any_of({equal(one, other, span), truth}, true, span)},
                              false, span);
        }
    }
    truth.type.weak = true;
    return truth;
}

std::optional<bool> Collections::known_membership(const ExprPtr& one, const ExprPtr& all) {
    if (const auto variable = t_.variables_.find(std::string(name_of(all))); variable != t_.variables_.end()) {
        const Value& value = variable->second.value;
        const auto key = !value.of_keys ? std::nullopt : key_of(one);
        return key ? std::optional(std::ranges::find(value.keys, *key) != value.keys.end()) : std::nullopt;
    }
    const auto text = Texts(t_).known(one);
    if (!text || !(std::holds_alternative<TupleExpr>(all->node) || std::holds_alternative<ListExpr>(all->node)))
        return std::nullopt;
    bool found = false;
    for (const ExprPtr& element : elements_of(all)) {
        const auto other = Texts(t_).known(element);
        if (!other) return std::nullopt;
        found = found || *other == *text;
    }
    return found;
}

std::optional<Value> Collections::named(const ExprPtr& e) {
    ExprPtr root = e;
    while (root && std::holds_alternative<SubscriptExpr>(root->node)) root = std::get<SubscriptExpr>(root->node).object;
    const auto variable = t_.variables_.find(std::string(name_of(root)));
    if (t_.flat_ || variable == t_.variables_.end() || variable->second.value.kind != Value::Kind::Tuple) return std::nullopt;
    const Value value = t_.evaluate(e);
    return value.kind == Value::Kind::Tuple ? std::optional(value) : std::nullopt;
}

std::optional<std::string> Collections::key_of(const ExprPtr& e) {
    // True is the key 1, and 1.0 as well.
    if (const auto* constant = std::get_if<ConstantExpr>(&e->node))
        return text_of(e) || std::holds_alternative<std::int64_t>(constant->value) ? std::optional(code::to_string(*e))
                                                                                   : std::nullopt;
    if (const auto text = Texts(t_).known(e)) return code::to_string(*make_text(*text, e->span));
    const auto integer = t_.known_integer(e);
    return integer ? std::optional(std::to_string(*integer)) : std::nullopt;
}

std::vector<Value> Collections::keys_of(const Value& dictionary) {
    std::vector<Value> keys;
    for (const std::string& key : dictionary.keys) keys.push_back(t_.evaluate(code::parse_expr(key).or_fail()));
    return keys;
}

std::optional<Value> Collections::at_key(const Value& dictionary, const ExprPtr& key) {
    const auto known = key_of(key);
    if (!known) unsupported("a key that only the run knows", key->span, "use an array, or a condition for each key");
    const auto found = std::ranges::find(dictionary.keys, *known);
    if (found == dictionary.keys.end()) return std::nullopt;
    return dictionary.elements[static_cast<std::size_t>(found - dictionary.keys.begin())];
}

namespace {

/// Whether the statements may change the dictionary of this name, or give it another one.
bool may_change_dictionary(const Body& body, const std::string& name) {
    static const std::set<std::string> kReading{"len", "list", "tuple", "set", "dict", "sorted", "sum", "min", "max", "any", "all"};
    static const std::set<std::string> kChanging{"update", "pop", "popitem", "clear", "setdefault"};
    bool found = false;
    const std::function<void(const ExprPtr&)> look = [&](const ExprPtr& e) {
        if (const auto* call = std::get_if<CallExpr>(&e->node)) {
            const auto* method = std::get_if<AttributeExpr>(&call->function->node);
            found = found || (method && name_of(method->object) == name && kChanging.contains(method->name));
            if (!kReading.contains(std::string(name_of(call->function))))
                for (const ExprPtr& one : call->arguments) found = found || name_of(one) == name;
        }
        for_each_child(*e, look);
    };
    const auto is_element = [&](const ExprPtr& target) {
        const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
        return subscript && name_of(subscript->object) == name;
    };
    walk_statements(body, [&](const Stmt& one) {
        if (const auto* s = std::get_if<AssignStmt>(&one.node)) {
            found = found || name_of(s->value) == name;
            for (const ExprPtr& target : s->targets) found = found || std::ranges::any_of(elements_of(target), is_element);
        }
        if (const auto* s = std::get_if<AugAssignStmt>(&one.node))
            found = found || is_element(s->target) || name_of(s->target) == name;
        if (const auto* s = std::get_if<DeleteStmt>(&one.node)) found = found || std::ranges::any_of(s->targets, is_element);
        for_each_expr(one, look);
        return !found;
    });
    return found;
}

/// Where the call of a statement goes that makes a view of a dictionary.
enum class ViewUse : std::uint8_t { GoneThrough, Named, Kept };

ViewUse use_of_view(const Stmt& statement, const CallExpr& view) {
    static const std::set<std::string> kTaking{"len", "list", "tuple",     "set", "dict",      "sorted",   "sum", "min",    "max",
                                               "any", "all",  "frozenset", "zip", "enumerate", "reversed", "map", "filter", "iter"};
    const auto is_view = [&](const ExprPtr& e) { return std::get_if<CallExpr>(&e->node) == &view; };
    ViewUse use = ViewUse::GoneThrough;
    const std::function<void(const ExprPtr&)> look = [&](const ExprPtr& e) {
        const auto* call = std::get_if<CallExpr>(&e->node);
        const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
        const bool takes = call && (method || kTaking.contains(std::string(name_of(call->function))));
        const bool reads = takes || std::holds_alternative<ComprehensionExpr>(e->node) ||
                           std::holds_alternative<CompareExpr>(e->node) || std::holds_alternative<StarredExpr>(e->node) ||
                           std::holds_alternative<AttributeExpr>(e->node);
        for_each_child(*e, [&](const ExprPtr& child) {
            if (is_view(child) && !reads) use = ViewUse::Kept;
            look(child);
        });
    };
    for_each_expr(statement, look);
    if (const auto* s = std::get_if<ReturnStmt>(&statement.node); s && s->value && is_view(s->value)) return ViewUse::Kept;
    if (const auto* s = std::get_if<AssignStmt>(&statement.node); s && is_view(s->value)) {
        const bool name = s->targets.size() == 1 && !name_of(s->targets[0]).empty();
        const bool unpacks = s->targets.size() == 1 && std::holds_alternative<TupleExpr>(s->targets[0]->node);
        return name ? ViewUse::Named : unpacks ? ViewUse::GoneThrough : ViewUse::Kept;
    }
    return use;
}

}  // namespace

std::optional<Value> Collections::method(const Value& dictionary, const std::string& name, const CallExpr& node) {
    const std::size_t arguments = node.arguments.size();
    if (!dictionary.of_keys || !node.keywords.empty()) return std::nullopt;
    if (name == "get" && (arguments == 1 || arguments == 2)) {
        const Value otherwise = arguments == 2 ? t_.evaluate(node.arguments[1]) : none_value();
        return at_key(dictionary, node.arguments[0]).value_or(otherwise);
    }
    if (arguments > 0) return std::nullopt;
    const bool views = name == "keys" || name == "values" || name == "items";
    const ViewUse use = views && t_.statement_ ? use_of_view(*t_.statement_, node) : ViewUse::GoneThrough;
    const std::string own(name_of(std::get<AttributeExpr>(node.function->node).object));
    const bool changes = use == ViewUse::Named &&
                         (own.empty() || !t_.inline_prefix_.empty() || may_change_dictionary(t_.context_.function->body, own));
    if (use == ViewUse::Kept || changes)  // Here it is what the dictionary is now.
        unsupported("a view of a dictionary that is kept", node.function->span, "make a list of it: list(d.keys())");
    if (name == "keys") return tuple(keys_of(dictionary));
    if (name == "values") return tuple(dictionary.elements);
    if (name != "items") return std::nullopt;
    std::vector<Value> items = keys_of(dictionary);
    for (std::size_t at = 0; at < items.size(); ++at) items[at] = tuple({items[at], dictionary.elements[at]});
    return tuple(std::move(items));
}

std::optional<std::vector<Value>> Collections::known_elements(const ExprPtr& given) {
    const ExprPtr e = Inlining(t_).without_stars(given);
    const auto* call = std::get_if<CallExpr>(&e->node);
    const std::string name(call && call->keywords.empty() ? name_of(call->function) : std::string_view());
    const bool own = !name.empty() && !t_.bindings_.contains(name) && !t_.variables_.contains(name);
    if (own && name == "range") {
        std::vector<std::int64_t> bounds;
        for (const ExprPtr& argument : call->arguments) {
            const auto bound = t_.as_integer(t_.evaluate(argument));
            if (!bound || !bound->is_integer()) return std::nullopt;
            bounds.push_back(bound->integer());
        }
        if (bounds.empty() || bounds.size() > 3 || (bounds.size() == 3 && bounds[2] == 0)) return std::nullopt;
        const std::int64_t begin = bounds.size() > 1 ? bounds[0] : 0, end = bounds.size() > 1 ? bounds[1] : bounds[0];
        const std::int64_t step = bounds.size() > 2 ? bounds[2] : 1;
        std::vector<Value> values;
        for (std::int64_t at = begin; step > 0 ? at < end : at > end; at += step) {
            if (static_cast<std::int64_t>(values.size()) == kLongest) return std::nullopt;
            values.push_back(integer(at));
        }
        return values;
    }
    if (own && (name == "zip" || name == "enumerate" || name == "reversed")) {
        std::vector<std::vector<Value>> lists;
        const std::size_t iterables = name == "enumerate" ? 1 : call->arguments.size();
        for (std::size_t at = 0; at < iterables && at < call->arguments.size(); ++at) {
            auto list = known_elements(call->arguments[at]);
            if (!list) return std::nullopt;
            lists.push_back(std::move(*list));
        }
        if (lists.empty()) return std::nullopt;
        if (name == "reversed") return std::vector<Value>(lists[0].rbegin(), lists[0].rend());
        std::vector<Value> values;
        const ExprPtr first = call->arguments.size() > iterables ? call->arguments[1] : make_integer(0);
        const Value start = t_.evaluate(first);
        for (std::size_t at = 0; std::ranges::all_of(lists, [&](const auto& list) { return at < list.size(); }); ++at) {
            std::vector<Value> row;
            if (name == "enumerate") {
                const Value place = integer(static_cast<std::int64_t>(at));
                Overflow(t_).check(BinaryExpr{BinaryOp::Add, first, place.code}, start, place, e->span);
                row.push_back(t_.binary(BinaryOp::Add, start, place, e->span));
            }
            for (const auto& list : lists) row.push_back(list[at]);
            values.push_back(tuple(std::move(row)));
        }
        return values;
    }
    const Value value = t_.evaluate(e);
    if (value.kind == Value::Kind::Tuple) return !value.of_keys ? value.elements : keys_of(value);
    if (value.kind == Value::Kind::Text) {
        constexpr std::int64_t kMostCharacters = 64;
        const auto length = static_cast<std::int64_t>(Texts::code_points(*text_of(value.code)).size());
        if (length > kMostCharacters) return std::nullopt;
        std::vector<Value> characters;
        for (std::int64_t at = 0; at < length; ++at)
            characters.push_back(Texts(t_).character(value, make_integer(at, e->span), e->span));
        return characters;
    }
    if (!value.is_elements() || value.rank() == 0 || !value.shape[0].is_integer() || value.shape[0].integer() > kLongest)
        return std::nullopt;
    std::vector<Value> values;
    const Value array = t_.settled(value);
    for (std::int64_t at = 0; at < value.shape[0].integer(); ++at) values.push_back(t_.index(array, make_integer(at), e->span));
    return values;
}

/// Names of the target, as in a loop, for this value.
void Collections::bind_elements(const ExprPtr& target, const Value& value) {
    if (const std::string name(name_of(target)); !name.empty()) return t_.bind(name, value);
    const auto parts = elements_of(target);
    if (value.is_elements() && value.list.empty() && value.rank() > 0 &&
        value.shape[0].is_integer(static_cast<std::int64_t>(parts.size()))) {
        for (std::size_t at = 0; at < parts.size(); ++at)
            bind_elements(parts[at], t_.index(value, make_integer(static_cast<std::int64_t>(at)), target->span));
        return;
    }
    if (value.kind != Value::Kind::Tuple || parts.size() != value.elements.size())
        refuse("F004", "the elements do not unpack into these names", target->span, "give as many names as elements");
    for (std::size_t at = 0; at < parts.size(); ++at) bind_elements(parts[at], value.elements[at]);
}

Value Collections::lasting(const Value& value) {
    if (value.is_scalar() && !value.is_symbolic()) return t_.settled(value);
    std::set<std::string> symbols;
    add_value_symbols(value, symbols);
    const auto moves = [&](const std::string& symbol) { return t_.defined_symbols_.contains(symbol); };
    if (std::ranges::none_of(symbols, moves) || (value.rank() > 0 && as_view(value))) return value;
    if (!value.is_symbolic() || !value.is_scalar() || !t_.as_integer(value)) return t_.settled(value);
    const std::string kept = t_.fresh_symbol("value");
    t_.assumptions_.assume_any(kept);
    t_.assign_symbols({{kept, code::to_string(*value.code)}});
    Value result = symbolic_value(symbolic::symbol(kept));
    result.type = value.type;
    return result;
}

Value Collections::stored(const Value& value) {
    if (value.kind == Value::Kind::Tuple) {
        Value all = value;
        for (Value& one : all.elements) one = stored(one);
        return all;
    }
    return value.is_elements() && value.rank() > 0 ? t_.settled(tuple({value})).elements.front() : lasting(value);
}

Value Collections::comprehension(const ComprehensionExpr& n, const Span& span) {
    const CallPlace place{span.line, span.column, t_.inline_prefix_};
    if (!n.is_list && !t_.context_.read_at_once.contains(place) &&
        Lazy(t_).draws(std::make_shared<const code::Expr>(code::Expr{n, span})))
        unsupported("a generator that draws random numbers when its elements are asked for", span, "make a list of it");
    if (t_.context_.of_the_run.contains(place)) return Lists(t_).comprehension(n, span);
    const auto decided_by_the_run = [&] {
        t_.refuse_flat();
        t_.context_.of_the_run.insert(place);
        throw StartAgain{};
    };
    if (n.is_list && Choices(t_).choice_of_arrays_in(n.element)) decided_by_the_run();
    const std::function<void(const ExprPtr&)> refuse_changes = [&](const ExprPtr& one) {  // Of what it may go through.
        const auto* call = std::get_if<CallExpr>(&one->node);
        const auto* called = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
        if (called && (called->name == "append" || called->name == "pop" || called->name == "insert" || called->name == "extend"))
            unsupported("a change of a list in a comprehension", span, "write a loop");
        for_each_child(*one, refuse_changes);
    };
    refuse_changes(n.element);
    std::vector<Value> values;
    const Restored held(t_.held_, t_.held_);  // The elements so far stay as they are.
    std::vector<std::string> variables;
    for (const ComprehensionClause& one : n.clauses)
        for (const ExprPtr& target : elements_of(one.target)) variables.emplace_back(name_of(target));
    const std::function<void(std::size_t)> clause = [&](std::size_t at) {
        if (at == n.clauses.size()) {
            values.push_back(t_.evaluate(n.element));
            values.back() = t_.has_effects(n.element) ? t_.settled(values.back()) : lasting(values.back());
            t_.held_.push_back(values.back());
            return;
        }
        const auto list = known_elements(n.clauses[at].iterable);
        if (!list) decided_by_the_run();
        const Restored times(t_.written_out_, t_.written_out_ * std::max<std::int64_t>(1, static_cast<std::int64_t>(list->size())));
        for (const Value& element : *list) {
            const Variables before = t_.variables_;
            const Bindings bindings_before = t_.bindings_;
            bind_elements(n.clauses[at].target, element);
            bool taken = true;
            for (const ExprPtr& condition : n.clauses[at].conditions) {
                const auto truth = t_.known_truth(condition);
                if (!truth) decided_by_the_run();
                taken = taken && *truth;
            }
            if (taken) clause(at + 1);
            if (at == 0 && &element == &list->back()) FunctionValues(t_).keep_last_values(variables, values, span);
            for (const auto& [name, count] : binding_counts(
                     {std::make_shared<const Stmt>(Stmt{ForStmt{n.clauses[at].target, n.clauses[at].iterable, {}, {}}, span})})) {
                t_.variables_.erase(name);
                if (const auto known = before.find(name); known != before.end()) t_.variables_.insert(*known);
                if (const auto known = bindings_before.find(name); known != bindings_before.end()) t_.bindings_.insert(*known);
            }
        }
    };
    clause(0);
    return tuple(std::move(values));
}

}  // namespace sluice::frontend
