// Lists and dictionaries that change while something goes over them: a list is read until its place is behind its end, a dictionary
// must have as many keys as in the beginning. What a function changes counts where it is called.
#include <algorithm>

#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/heap_writer.h"

namespace sluice::frontend {

using namespace code;

/// The objects that the iterable is read from, turn by turn; what is made for it is nobody else's.
std::vector<HeapWriter::Source> HeapWriter::sources_of(const ExprPtr& given, Scope& scope) {
    const ExprPtr& iterable = iterable_of(given);
    const auto* call = std::get_if<CallExpr>(&iterable->node);
    const bool own = call && function_named(std::string(name_of(call->function)), scope);
    const std::string name = call && !own ? known_function(call->function, scope) : "";
    std::vector<Source> all;
    const auto add = [&](const ExprPtr& one, bool backwards) {
        for (Source source : sources_of(one, scope)) {
            source.backwards = source.backwards || backwards;
            all.push_back(source);
        }
    };
    if (name == "enumerate" || name == "reversed" || name == "zip" || name == "map" || name == "filter" ||
        name == "itertools.chain") {
        const std::size_t first = name == "map" || name == "filter" ? 1 : 0;
        for (std::size_t at = first; at < call->arguments.size(); ++at)
            if (name == "enumerate" ? at == 0 : !std::holds_alternative<StarredExpr>(call->arguments[at]->node))
                add(call->arguments[at], name != "enumerate" && name != "zip");
        for (Source& source : all) source.alone = source.alone && (name == "enumerate" || name == "reversed");
        return all;
    }
    if (generator_of(iterable, scope))
        for (const ExprPtr& one : call->arguments) add(one, true);
    if (!name.empty() || !types_known(iterable)) return {};
    const auto* of = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
    const bool view = of && call->arguments.empty() && types_known(of->object) && is(type_of(of->object), HeapKind::Dict) &&
                      (of->name == "keys" || of->name == "values" || of->name == "items");
    const Type type = view ? type_of(of->object) : type_of(iterable);
    const bool made = std::holds_alternative<ListExpr>(iterable->node) ||
                      std::holds_alternative<ComprehensionExpr>(iterable->node) ||
                      std::holds_alternative<BinaryExpr>(iterable->node) || std::holds_alternative<TupleExpr>(iterable->node);
    const auto* part = std::get_if<SubscriptExpr>(&iterable->node);
    if (made || (part && std::holds_alternative<SliceExpr>(part->index->node))) return {};
    if (is_sequence(type) || is(type, HeapKind::Dict)) all.push_back({type});
    return all;
}

/// What code may do to objects of the type, as bits: kGrows and kShrinks.
unsigned HeapWriter::changes(const Body& body, Type type, Scope& scope) {
    std::set<const Routine*> seen;
    return changes(body, root(type), scope, seen);
}
unsigned HeapWriter::changes(const std::vector<ExprPtr>& all, Type type, Scope& scope) {
    std::set<const Routine*> seen;
    unsigned found = 0;
    for (const ExprPtr& one : all) found |= changes(one, root(type), scope, seen);
    return found;
}

unsigned HeapWriter::changes(const ExprPtr& e, Type type, Scope& scope, std::set<const Routine*>& seen) {
    static const std::map<std::string, unsigned> kMethods{
        {"append", kGrows},     {"extend", kGrows},   {"insert", kGrows},
        {"appendleft", kGrows}, {"pop", kShrinks},    {"extendleft", kGrows},
        {"popleft", kShrinks},  {"remove", kShrinks}, {"clear", kShrinks},
        {"setdefault", kGrows}, {"update", kGrows},   {"popitem", kShrinks},
        {"rotate", kGrows},     {"sort", kGrows},     {"reverse", kGrows | kShrinks}};
    unsigned found = 0;
    for (Routine* called : called_by(e))
        if (seen.insert(called).second) found |= changes(called->statement->body, type, called->scope, seen);
    if (const ExprPtr& other = in_place_of(e); other != e) found |= changes(other, type, scope, seen);
    for (const auto* others : {&updates_, &element_calls_, &iterated_})
        if (const auto known = others->find(e.get()); known != others->end())
            for (Routine* called : called_by(known->second))
                if (seen.insert(called).second) found |= changes(called->statement->body, type, called->scope, seen);
    if (Routine* called = function_named(std::string(name_of(e)), scope); called && seen.insert(called).second)
        found |= changes(called->statement->body, type, called->scope, seen);
    const auto means = [&](const ExprPtr& object) { return !types_known(object) || type_of(object) == type; };
    const auto* call = std::get_if<CallExpr>(&e->node);
    const auto* method = call ? std::get_if<AttributeExpr>(&call->function->node) : nullptr;
    const std::string known = call ? known_function(call->function, scope) : "";
    if (known.starts_with("heapq.") || known.starts_with("bisect.insort")) {
        if (!call->arguments.empty() && means(call->arguments[0])) found |= kGrows | kShrinks;
    } else if (method && known.empty() && kMethods.contains(method->name) && means(method->object)) {
        found |= kMethods.at(method->name);
    }
    const auto* element = std::get_if<SubscriptExpr>(&e->node);
    const bool defaults = is(type, HeapKind::Dict) && !root(type)->missing.empty() && root(type)->missing != "Counter";
    if (element && defaults && means(element->object)) found |= kGrows;
    for_each_child(*e, [&](const ExprPtr& child) { found |= changes(child, type, scope, seen); });
    return found;
}

unsigned HeapWriter::changes(const Body& body, Type type, Scope& scope, std::set<const Routine*>& seen) {
    unsigned found = 0;
    const auto stored = [&](const ExprPtr& target) {
        for (const ExprPtr& one : std::holds_alternative<TupleExpr>(target->node) ? elements_of(target) : std::vector{target}) {
            const auto* subscript = std::get_if<SubscriptExpr>(&one->node);
            if (!subscript || (types_known(subscript->object) && type_of(subscript->object) != type)) continue;
            const bool slice = std::holds_alternative<SliceExpr>(subscript->index->node);
            if (slice || is(type, HeapKind::Dict)) found |= slice ? kGrows | kShrinks : kGrows;
        }
    };
    walk_statements(body, [&](const Stmt& one) {
        for_each_expr(one, [&](const ExprPtr& e) { found |= changes(e, type, scope, seen); });
        if (const auto* s = std::get_if<AssignStmt>(&one.node))
            for (const ExprPtr& target : s->targets) stored(target);
        if (const auto* s = std::get_if<ForStmt>(&one.node)) stored(s->target);
        if (const auto* s = std::get_if<AugAssignStmt>(&one.node)) {
            if (is_sequence(type) && (!types_known(s->target) || type_of(s->target) == type)) found |= kGrows | kShrinks;
            if (root(type)->missing == "Counter") stored(s->target);
        }
        if (const auto* s = std::get_if<DeleteStmt>(&one.node))
            for (const ExprPtr& target : s->targets)
                if (const auto* subscript = std::get_if<SubscriptExpr>(&target->node))
                    if (!types_known(subscript->object) || type_of(subscript->object) == type) found |= kShrinks;
        return true;
    });
    return found;
}

/// How a loop with this body goes over the iterable.
HeapWriter::Going HeapWriter::going(const ForStmt& s, Scope& scope) {
    Going result;
    for (const Source& source : sources_of(s.iterable, scope)) {
        const unsigned change = changes(s.body, source.type, scope);
        if (change == 0) continue;
        if (is(source.type, HeapKind::List) && !source.backwards) {
            result.grows = true;
            continue;
        }
        const bool both = change == (kGrows | kShrinks);
        if (!is(source.type, HeapKind::Dict) || both || !source.alone || source.backwards)
            throw NotOfHeap{"a loop that changes what it goes over"};
        result.checks = true;
    }
    if (result.grows && result.checks) throw NotOfHeap{"a loop that changes what it goes over"};
    return result;
}

/// What is made of all elements is made at once.
void HeapWriter::require_unchanged(const ExprPtr& iterable, const std::vector<ExprPtr>& parts, Scope& around, Scope& scope) {
    const bool of_method = generator_of(iterable, around) && !called_by(iterable_of(iterable)).empty();
    if (of_method && std::ranges::any_of(parts, [&](const ExprPtr& one) { return changes_objects(one, scope); }))
        throw NotOfHeap{"a comprehension that may change what its generator reads"};
    for (const Source& source : sources_of(iterable, around))
        if (changes(parts, source.type, scope) != 0) throw NotOfHeap{"a comprehension that changes what it goes over"};
}

}  // namespace sluice::frontend
