// Loops over arrays, tuples and texts, and over several of them at once.
#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/collections.h"
#include "frontend/python/inlining.h"
#include "frontend/python/list_parts.h"
#include "frontend/python/lists.h"
#include "frontend/python/loop_exits.h"
#include "frontend/python/repeatable.h"
#include "frontend/python/single_exit.h"
#include "frontend/python/texts.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// A range beside other things that a loop goes through: how often it counts, and what it is then.
struct Steps {
    ExprPtr first, count;
    std::int64_t step = 1;

    ExprPtr at(const ExprPtr& position) const {
        const ExprPtr steps = step == 1 ? position : make_binary(BinaryOp::Mul, position, make_integer(step));
        return make_binary(BinaryOp::Add, first, steps, first->span);
    }
};

/// `2` and `-2`.
std::optional<std::int64_t> literal_step(const ExprPtr& e) {
    if (const auto* minus = std::get_if<UnaryExpr>(&e->node); minus && minus->op == UnaryOp::Minus) {
        const auto step = literal_step(minus->operand);
        return step ? std::optional(-*step) : step;
    }
    const auto* literal = std::get_if<ConstantExpr>(&e->node);
    const auto* step = literal ? std::get_if<std::int64_t>(&literal->value) : nullptr;
    return step && *step != INT64_MIN ? std::optional(*step) : std::nullopt;
}

/// Whether it has the same value in each iteration: of names that the loop does not bind, and lengths of what it does not change.
bool stays(const ExprPtr& bound, const Body& loop, const std::function<bool(const std::string&)>& is_array) {
    const auto* length = std::get_if<CallExpr>(&bound->node);
    if (length && name_of(length->function) == "len" && length->arguments.size() == 1) {
        const auto changed = [&](const auto& one) { return changes_list(loop, one.first); };
        const std::string name(name_of(length->arguments[0]));
        if (name.empty() || (!is_array(name) && std::ranges::any_of(occurrences(loop), changed))) return false;
    } else if (!is_repeatable(bound)) {
        return false;
    }
    return std::ranges::none_of(binding_counts(loop), [&](const auto& one) { return mentions_name(bound, one.first); });
}

/// Nothing for other expressions, and where the loop may change the bounds or the step is no number of the text.
std::optional<Steps> steps_of(const ExprPtr& e, const Body& loop, const std::function<bool(const std::string&)>& is_array) {
    const auto* call = std::get_if<CallExpr>(&e->node);
    if (!call || name_of(call->function) != "range" || !call->keywords.empty()) return std::nullopt;
    const std::vector<ExprPtr>& given = call->arguments;
    if (given.empty() || given.size() > 3 ||
        !std::ranges::all_of(given, [&](const ExprPtr& one) { return stays(one, loop, is_array); }))
        return std::nullopt;
    const auto step = given.size() < 3 ? std::optional<std::int64_t>(1) : literal_step(given[2]);
    if (!step || *step == 0) return std::nullopt;
    ExprPtr first = given.size() == 1 ? make_integer(0, e->span) : given[0];
    const ExprPtr end = given[given.size() == 1 ? 0 : 1];
    ExprPtr count = *step > 0 ? make_binary(BinaryOp::Sub, end, first, e->span) : make_binary(BinaryOp::Sub, first, end, e->span);
    if (const std::int64_t size = std::abs(*step); size > 1)
        count = make_binary(BinaryOp::FloorDiv, make_binary(BinaryOp::Add, count, make_integer(size - 1)), make_integer(size));
    if (!std::holds_alternative<ConstantExpr>(first->node)) first = make_call("int", {first}, e->span);  // Not NumPy's.
    return Steps{first, count, *step};
}

}  // namespace

namespace {

constexpr std::size_t kMostTupleTurns = 32;  ///< Of a loop over a range that is written out for the tuple that it indexes.

bool are_alike(const Value& one, const Value& other) {
    if (one.kind != other.kind || one.rank() != other.rank()) return false;
    if (one.kind == Value::Kind::Tuple)
        return std::ranges::equal(one.elements, other.elements, [](const Value& a, const Value& b) { return are_alike(a, b); });
    return one.shape == other.shape && one.type == other.type;
}

bool holds_array(const Value& value) {
    return value.kind == Value::Kind::Tuple ? std::ranges::any_of(value.elements, holds_array) : value.rank() > 0;
}

Body in_sequence(const std::vector<Body>& iterations) {
    Body all;
    for (const Body& one : iterations) all.insert(all.end(), one.begin(), one.end());
    return all;
}

/// Whether the name may be written as what it means in the body: nothing binds it anew, and no function sees its last value.
bool is_constant_in(const Body& body, const std::string& name) {
    bool constant = !binding_counts(body).contains(name) && !inner_names(body).contains(name);
    const std::function<void(const ExprPtr&)> look = [&](const ExprPtr& e) {
        constant = constant && !std::holds_alternative<LambdaExpr>(e->node);
        for_each_child(*e, look);
    };
    walk_statements(body, [&](const Stmt& one) {
        for_each_expr(one, look);
        constant = constant && !std::holds_alternative<FunctionStmt>(one.node);
        return constant;
    });
    return constant;
}

}  // namespace

/// The variable that says how an iteration of a loop that is written out was left; null for a body that does not leave it.
ExprPtr Translator::left_of(const Body& body, const Span& span) {
    if (!leaves_iteration(body)) return nullptr;
    const std::string name = inline_prefix_ + "__left" + std::to_string(span.line) + "_" + std::to_string(span.column);
    context_.bindings[name] = context_.occurrences[name] = 3;
    integer_locals_.insert(name);
    return make_name(name, span);
}

/// Arrays of different shapes in a tuple or list have no common container, and those that change in place are no copies in one: a
/// loop over a known range that indexes them is written out,
///     for i in range(len(weights)): x = x @ weights[i]   ->   i = 0; x = x @ weights[0]; i = 1; x = x @ weights[1]
/// False for any other loop.
bool Translator::translate_known_turns(const Stmt& shared, const ForStmt& loop, const CallExpr& range) {
    const std::string counter(name_of(loop.target));
    bool wanted = false;
    const auto tuple_at = [&](const ExprPtr& e) -> const Value* {
        const auto* subscript = std::get_if<SubscriptExpr>(&e->node);
        const auto known = subscript ? variables_.find(std::string(name_of(subscript->object))) : variables_.end();
        if (known == variables_.end() || known->second.value.kind != Value::Kind::Tuple || known->second.value.of_keys)
            return nullptr;
        return mentions_name(subscript->index, counter) ? &known->second.value : nullptr;
    };
    const std::function<void(const ExprPtr&)> look = [&](const ExprPtr& e) {
        if (const Value* tuple = tuple_at(e); tuple && !tuple->elements.empty())
            wanted = wanted || std::ranges::any_of(tuple->elements,
                                                   [&](const Value& one) { return !are_alike(one, tuple->elements.front()); });
        for_each_child(*e, look);
    };
    walk_statements(loop.body, [&](const Stmt& one) {
        for_each_expr(one, look);
        const auto* update = std::get_if<AugAssignStmt>(&one.node);
        const Value* tuple = update ? tuple_at(update->target) : nullptr;
        wanted = wanted || (tuple && holds_array(*tuple));
        return true;
    });
    if (!wanted || !is_constant_in(loop.body, counter) || !range.keywords.empty() || range.arguments.empty() ||
        range.arguments.size() > 3)
        return false;
    std::vector<std::int64_t> bounds;
    for (const ExprPtr& bound : range.arguments) {
        const auto known = known_integer(bound);
        if (!known) return false;
        bounds.push_back(*known);
    }
    if (bounds.size() == 1) bounds.insert(bounds.begin(), 0);
    if (bounds.size() == 2) bounds.push_back(1);
    if (bounds[2] == 0) return false;
    std::vector<Body> iterations;
    for (std::int64_t at = bounds[0]; bounds[2] > 0 ? at < bounds[1] : at > bounds[1]; at += bounds[2]) {
        if (iterations.size() == kMostTupleTurns) return false;
        const ExprPtr number = make_integer(at, loop.target->span);
        iterations.push_back(renamed(loop.body, {{counter, number}}));
        iterations.back().insert(iterations.back().begin(), make_assignment(loop.target, number, shared.span));
    }
    Body& all = context_.turns[{&shared, bounds}];
    const ExprPtr left = left_of(loop.body, shared.span);
    if (all.empty()) all = left ? one_by_one(iterations, left) : in_sequence(iterations);
    const Restored times(written_out_, written_out_ * std::max<std::int64_t>(1, static_cast<std::int64_t>(iterations.size())));
    translate_from(Body(all), 0);
    return true;
}

/// A loop over arrays is one over their indices, a loop over a tuple is written out:
///     for i, (a, b) in enumerate(zip(A, B)): ...   ->   for at in range(min(len(A), len(B))): a = A[at]; b = B[at]; i = at; ...
void Translator::translate_over_elements(const Stmt& shared, const ForStmt& loop) {
    refuse_flat();
    struct Source {
        ExprPtr target, iterable;
        bool backwards;
        std::optional<Steps> range;  // Instead of what would be gone through.
    };
    std::vector<Source> sources;
    std::vector<std::pair<ExprPtr, ExprPtr>> counters;    // Target and first value.
    const auto is_array = [&](const std::string& name) {  // Its length is a matter of the name alone.
        const auto known = variables_.find(name);
        return known != variables_.end() && known->second.value.is_elements() && known->second.value.list.empty();
    };
    const auto range_of = [&](const ExprPtr& e) {
        return bindings_.contains("range") ? std::nullopt : steps_of(e, loop.body, is_array);
    };
    const std::function<void(const ExprPtr&, const ExprPtr&)> gather = [&](const ExprPtr& target, const ExprPtr& given) {
        const ExprPtr iterable = Inlining(*this).without_stars(given);
        const auto* call = std::get_if<CallExpr>(&iterable->node);
        const bool starts = call && call->keywords.size() == 1 && call->keywords[0].name == "start" &&
                            call->arguments.size() == 1 && name_of(call->function) == "enumerate";
        const bool known = call && !bindings_.contains(std::string(name_of(call->function))) && (call->keywords.empty() || starts);
        const std::string name = known ? std::string(name_of(call->function)) : std::string();
        const auto targets = elements_of(target);
        const bool tuple = std::holds_alternative<TupleExpr>(target->node);
        if (name == "enumerate" && tuple && targets.size() == 2 && (call->arguments.size() == 1 || call->arguments.size() == 2)) {
            const ExprPtr first = starts                        ? call->keywords[0].value
                                  : call->arguments.size() == 2 ? call->arguments[1]
                                                                : make_integer(0);
            counters.emplace_back(targets[0], first);
            gather(targets[1], call->arguments[0]);
        } else if (name == "zip" && tuple && targets.size() == call->arguments.size()) {
            for (std::size_t at = 0; at < targets.size(); ++at) gather(targets[at], call->arguments[at]);
        } else if (name == "reversed" && call->arguments.size() == 1) {
            sources.push_back({target, call->arguments[0], true, range_of(call->arguments[0])});
        } else {
            sources.push_back({target, iterable, false, range_of(iterable)});
        }
    };
    if (Lists(*this).translate_over_growing(shared, loop)) return;
    gather(loop.target, loop.iterable);
    const std::string own = std::to_string(shared.span.line) + "_" + std::to_string(shared.span.column);
    std::vector<ExprPtr> names, lengths, others;  // Others: lengths that are not those of tuples.
    std::size_t tuples = 0, shortest = 0;
    bool texts = false;
    for (const Source& source : sources) {
        names.push_back(make_name("__over" + std::to_string(names.size()) + "_" + own, source.iterable->span));
        if (source.range) {
            lengths.push_back(source.range->count);
            others.push_back(lengths.back());
            continue;
        }
        Value value = evaluate(source.iterable);
        if (value.kind == Value::Kind::Text) value = Texts(*this).walked(value, written_out_, shared.span);
        const bool tuple = value.kind == Value::Kind::Tuple;
        if (value.of_keys) value = frontend::tuple(Collections(*this).keys_of(value));
        if (!tuple && value.list.empty() && value.kind != Value::Kind::Text && (!value.is_elements() || value.rank() == 0))
            unsupported("a loop over this value", source.iterable->span, "loop over range(...), arrays, tuples or sluice.map[...]");
        if (tuple) shortest = tuples++ == 0 ? value.elements.size() : std::min(shortest, value.elements.size());
        lengths.push_back(make_call("len", {names.back()}, shared.span));
        if (!tuple) others.push_back(lengths.back());
        bind(std::string(name_of(names.back())), tuple                             ? Collections(*this).stored(value)
                                                 : value.kind == Value::Kind::Text ? value
                                                                                   : settled(value));
        if (value.kind == Value::Kind::Text && sources.size() > 1) texts = true;
    }
    if (tuples > 0 && !others.empty() && texts)
        unsupported("a loop over texts and tuples at once", shared.span, "loop over range(...) and index them");
    const auto forget_sources = [&] {  // From here on they may change.
        for (const ExprPtr& name : names) variables_.erase(std::string(name_of(name)));
    };
    const ExprPtr at = make_name("__at_" + own, shared.span);
    std::map<std::string, ExprPtr> characters;  ///< Variables of texts -> what they stand for.
    const auto head = [&](const ExprPtr& position) {
        Body body;
        for (std::size_t k = 0; k < sources.size(); ++k) {
            const ExprPtr last = make_binary(BinaryOp::Sub, lengths[k], make_integer(1));
            const ExprPtr index = sources[k].backwards ? make_binary(BinaryOp::Sub, last, position) : position;
            const ExprPtr element = sources[k].range ? sources[k].range->at(index) : make_subscript(names[k], {index}, shared.span);
            if (const auto known = variables_.find(std::string(name_of(names[k])));
                known != variables_.end() && known->second.value.kind == Value::Kind::Text && tuples == 0)
                characters.emplace(name_of(sources[k].target), element);  // They have no variable.
            else
                body.push_back(make_assignment(sources[k].target, element, shared.span));
        }
        for (const auto& [target, start] : counters)
            body.push_back(make_assignment(target, make_binary(BinaryOp::Add, position, start), shared.span));
        return body;
    };
    if (tuples > 0) {
        Body& all = context_.written_out[{&shared, shortest}];  // Names that mean several tuples give it several lengths.
        const ExprPtr left = left_of(loop.body, shared.span);
        if (all.empty()) {
            std::vector<Body> iterations;
            for (std::size_t k = 0; k < shortest; ++k) {
                const ExprPtr position = make_integer(static_cast<std::int64_t>(k));
                Body one = head(position);
                std::map<std::string, ExprPtr> numbers;
                for (const auto& [target, start] : counters) {
                    const auto* constant = std::get_if<ConstantExpr>(&start->node);
                    const auto* from = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
                    if (from && is_constant_in(loop.body, std::string(name_of(target))))
                        numbers.emplace(name_of(target), make_integer(*from + static_cast<std::int64_t>(k), target->span));
                }
                const Body body = numbers.empty() ? loop.body : renamed(loop.body, numbers);
                one.insert(one.end(), body.begin(), body.end());
                for (const ExprPtr& length : others)
                    one = {make_statement(IfStmt{make_compare(position, CompareOp::Lt, length, shared.span), std::move(one), {}},
                                          shared.span)};
                iterations.push_back(std::move(one));
            }
            all = left ? one_by_one(iterations, left) : in_sequence(iterations);
        }
        const Restored times(written_out_, written_out_ * std::max<std::int64_t>(1, static_cast<std::int64_t>(shortest)));
        translate_from(Body(all), 0);
        return forget_sources();
    }
    Body& counted = context_.rewritten[&shared];
    if (counted.empty()) {
        Body body = head(at);
        const Body rest = characters.empty() ? loop.body : renamed(loop.body, characters);
        body.insert(body.end(), rest.begin(), rest.end());
        const ExprPtr length = lengths.size() == 1 ? lengths[0] : make_call("min", lengths, shared.span);
        counted.push_back(std::make_shared<const Stmt>(
            Stmt{ForStmt{at, make_call("range", {length}, shared.span), std::move(body), {}}, shared.span}));
        context_.bindings[std::string(name_of(at))] = 1;
        context_.occurrences[std::string(name_of(at))] = 1;
    }
    translate_for(counted[0]);
    forget_sources();
}

}  // namespace sluice::frontend
