#include "frontend/python/heap_types.h"

#include <algorithm>

#include "code/displays.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"

namespace sluice::frontend {

using namespace code;

namespace {

const std::set<std::string> kPython{"len",    "range", "enumerate", "zip",       "reversed", "map", "filter", "sorted",
                                    "list",   "tuple", "set",       "dict",      "sum",      "min", "max",    "any",
                                    "all",    "abs",   "int",       "float",     "bool",     "str", "ord",    "chr",
                                    "divmod", "pow",   "round",     "frozenset", "hex",      "bin", "oct",    "format"};
const std::set<std::string> kModules{"collections", "heapq", "bisect", "itertools", "functools", "math", "operator"};

/// It is a list to what goes over it, and to nobody else. `x in range(n)` is written otherwise before (ranges.h).
void refuse_range(const ExprPtr& e) {
    const auto* call = std::get_if<CallExpr>(&e->node);
    if (call && name_of(call->function) == "range") throw NotOfHeap{"a range as a value", e->span};
}

}  // namespace

void placed(const StmtPtr& one, const std::function<void()>& work) {
    try {
        work();
    } catch (NotOfHeap& refused) {
        if (!refused.where.known()) refused.where = one->span;
        throw;
    }
}

HeapTypes::HeapTypes(const FunctionStmt& function, const Bindings& globals, const std::map<std::string, ArgumentType>& arguments,
                     std::string given, bool with_arrays)
    : main_(function), arguments_(arguments), given_(std::move(given)), with_arrays_(with_arrays) {
    entry_ = &function_of(function, globals, nullptr);
}

// ---- types ----------------------------------------------------------------------------------------------------------------
HeapType* HeapTypes::root(Type type) {
    while (type->same) type = type->same;
    return type;
}
HeapTypes::Type HeapTypes::fresh(HeapKind kind, std::vector<Type> parts) {
    all_.push_back({.kind = kind, .parts = std::move(parts), .number = all_.size()});
    return &all_.back();
}
HeapTypes::Type HeapTypes::number(unsigned numbers) {
    const Type type = fresh(HeapKind::Number);
    type->numbers = numbers;
    return type;
}
HeapTypes::Type HeapTypes::type_of_integers() {
    if (!integers_) integers_ = fresh(HeapKind::List, {number(kInteger)});
    return integers_;
}
HeapTypes::Type HeapTypes::type_of_texts() {
    if (!texts_list_) texts_list_ = fresh(HeapKind::List, {fresh(HeapKind::Text)});
    return texts_list_;
}
bool HeapTypes::is_object(Type type) const {
    const HeapKind is = kind(type);
    return is == HeapKind::Text || is == HeapKind::List || is == HeapKind::Queue || is == HeapKind::Row || is == HeapKind::Dict ||
           is == HeapKind::Set || is == HeapKind::Array;
}
bool HeapTypes::holds_objects(Type type) const {
    return is_object(type) ||
           (is(type, HeapKind::Tuple) && std::ranges::any_of(root(type)->parts, [&](Type one) { return holds_objects(one); }));
}

void HeapTypes::unify(Type a, Type b) {
    a = root(a), b = root(b);
    if (a == b) return;
    if (a->number > b->number) std::swap(a, b);
    if (a->kind == HeapKind::Unknown) std::swap(a, b);
    const bool both_known = a->number < pass_begin_ && b->number < pass_begin_;
    if (b->kind == HeapKind::Unknown) {
        changed_ |= b->number < pass_begin_;
        b->same = a;
        return;
    }
    if (a->kind == HeapKind::Number && b->kind == HeapKind::Number) {
        changed_ |= both_known || (b->numbers & ~a->numbers) != 0;
        a->numbers |= b->numbers;
        b->same = a;
        return;
    }
    changed_ |= both_known;
    if (a->kind != b->kind || a->parts.size() != b->parts.size() || a->missing != b->missing || a->rank != b->rank)
        throw NotOfHeap{"values of several kinds in one place"};
    changed_ |= both_known && (a->rows_given != b->rows_given || a->frozen != b->frozen || a->view != b->view);
    a->rows_given |= b->rows_given, a->frozen |= b->frozen, a->view |= b->view;
    b->same = a;
    for (std::size_t at = 0; at < a->parts.size(); ++at) unify(a->parts[at], b->parts[at]);
}

/// Another object of such elements.
void HeapTypes::like(Type object, Type type) {
    if (is(object, HeapKind::Text)) return unify(object, type);
    if (is(type, HeapKind::Unknown)) {
        const Type made = fresh(kind(object), root(object)->parts);
        made->missing = root(object)->missing;
        return unify(made, type);
    }
    if (kind(type) != kind(object) || root(type)->missing != root(object)->missing)
        throw NotOfHeap{"values of several kinds in one place"};
    unify_elements(object, type);
}
/// Two objects of such elements: what one has, the other could have.
void HeapTypes::unify_elements(Type a, Type b) {
    for (std::size_t at = 0; at < root(a)->parts.size(); ++at) unify(part(a, at), part(b, at));
}
/// The caller's own: it is not changed, and not handed back.
void HeapTypes::freeze(Type type) {
    type = root(type);
    if (is_object(type) && type->kind != HeapKind::Text) type->frozen = true;
    for (const Type one : type->parts) freeze(one);
}

/// A value of the one type comes into a variable of the other: numbers and tuples of them are copied, objects are the same.
void HeapTypes::flow(Type from, Type to) {
    from = root(from), to = root(to);
    if (from == to || from->kind == HeapKind::Unknown) return;
    if (from->kind == HeapKind::Number || from->kind == HeapKind::Tuple) {
        if (to->kind == HeapKind::Unknown) {
            to->kind = from->kind;
            for (std::size_t at = 0; at < from->parts.size(); ++at) to->parts.push_back(fresh());
            changed_ |= to->number < pass_begin_;
        }
        if (to->kind == HeapKind::Other && from->kind == HeapKind::Number) return;
        if (to->kind != from->kind || to->parts.size() != from->parts.size())
            throw NotOfHeap{"values of several kinds under one name"};
        if ((from->numbers & ~to->numbers) != 0) to->numbers |= from->numbers, changed_ |= to->number < pass_begin_;
        for (std::size_t at = 0; at < from->parts.size(); ++at) flow(from->parts[at], to->parts[at]);
        return;
    }
    if (from->kind == HeapKind::Other && to->kind == HeapKind::Number) {
        to->kind = HeapKind::Other, changed_ |= to->number < pass_begin_;
        return;
    }
    unify(from, to);
}

/// The same for operands of which one may be anything: where they are of several kinds, nobody keeps it.
void HeapTypes::join(Type from, Type to) {
    if (kind(to) != HeapKind::Unknown && kind(from) != HeapKind::Unknown && kind(to) != kind(from)) {
        if (is_object(to)) throw NotOfHeap{"values of several kinds under one name"};
        if (!is(to, HeapKind::Other))
            root(to)->kind = HeapKind::Other, root(to)->parts.clear(), changed_ |= root(to)->number < pass_begin_;
        return;
    }
    if (!is(to, HeapKind::Other)) flow(from, to);
}

HeapTypes::Type HeapTypes::type_of(const ExprPtr& e) {
    const auto known = types_.find(e.get());
    if (known == types_.end()) throw NotOfHeap{"an expression that nobody looked at"};
    return root(known->second);
}

// ---- names ----------------------------------------------------------------------------------------------------------------
HeapTypes::Routine& HeapTypes::function_of(const FunctionStmt& given, const Bindings& globals, Scope* outer) {
    const auto [at, added] = functions_.try_emplace(&given);
    Routine& made = at->second;
    if (!added) return made;
    const bool main = functions_.size() == 1;
    made.generates = !main && !outer && yields(given.body);
    if (made.generates) generators_.push_back(with_list_of_yielded(given));
    const FunctionStmt& statement = made.generates ? generators_.back() : given;
    made.statement = &statement;
    made.globals = &globals;
    made.name = outer || main ? statement.name : "__h_" + statement.name;
    made.result = fresh();
    made.scope.outer = outer;
    made.scope.function = &made;
    for (const auto& [name, count] : binding_counts(statement.body)) made.scope.names[name] = {fresh(), name};
    for (const Parameter& parameter : statement.parameters) {
        made.scope.names[parameter.name] = {fresh(), parameter.name};
        if (parameter.kind != Parameter::Kind::Either) throw NotOfHeap{"any number of arguments"};
        const ExprPtr& otherwise = parameter.default_value;
        if (otherwise && !std::holds_alternative<ConstantExpr>(otherwise->node) && !constant_value(*otherwise, {}))
            throw NotOfHeap{"a default that is no constant"};
    }
    for (const ExprPtr& decorator : statement.decorators) {
        const auto* call = std::get_if<CallExpr>(&decorator->node);
        const std::string name = main ? "" : qualified_name(call ? *call->function : *decorator, globals);
        const std::string dotted = dotted_name(call ? *call->function : *decorator);
        made.caches = made.caches || name == "functools.lru_cache" || name == "functools.cache" || dotted.ends_with("lru_cache") ||
                      dotted == "cache" || dotted == "functools.cache";
        if (outer && !made.caches) throw NotOfHeap{"a decorator"};
    }
    walk_statements(statement.body, [&](const Stmt& one) {
        if (const auto* inner = std::get_if<FunctionStmt>(&one.node)) {
            made.inner[inner->name] = &function_of(*inner, globals, &made.scope);
            return false;
        }
        if (std::holds_alternative<UnsupportedStmt>(one.node) || std::holds_alternative<WithStmt>(one.node))
            throw NotOfHeap{"a statement of another kind"};
        return true;
    });
    order_.push_back(&made);
    return made;
}

HeapTypes::Variable* HeapTypes::variable(const std::string& name, Scope& scope) {
    for (Scope* one = &scope; one; one = one->outer)
        if (const auto known = one->names.find(name); known != one->names.end()) return &known->second;
    return nullptr;
}

HeapTypes::Routine* HeapTypes::function_named(const std::string& name, Scope& scope) {
    if (name.empty() || variable(name, scope)) return nullptr;
    const Bindings* globals = entry_ ? entry_->globals : nullptr;
    for (Scope* one = &scope; one; one = one->outer)
        if (one->function) {
            globals = one->function->globals;
            if (const auto known = one->function->inner.find(name); known != one->function->inner.end()) return known->second;
        }
    const auto bound = globals ? globals->find(name) : Bindings::const_iterator{};
    const auto* program = globals && bound != globals->end() ? std::get_if<ProgramBinding>(&bound->second) : nullptr;
    if (!program) return name == main_.name && entry_ ? entry_ : nullptr;
    return &function_of(std::get<FunctionStmt>(program->program->function->node), program->program->globals, nullptr);
}

std::string HeapTypes::known_function(const ExprPtr& e, Scope& scope) {
    const std::string plain(name_of(e));
    if (plain == kFormatOf) return "format";
    if (!plain.empty() && variable(plain, scope)) return {};
    const Routine* function = nullptr;
    for (Scope* one = &scope; one && !function; one = one->outer) function = one->function;
    const std::string qualified = qualified_name(*e, *function->globals);
    if (!qualified.empty()) return qualified;
    if (const std::string dotted = dotted_name(*e); dotted.find('.') != std::string::npos)
        if (kModules.contains(dotted.substr(0, dotted.find('.'))) && !variable(dotted.substr(0, dotted.find('.')), scope))
            return dotted;
    return kPython.contains(plain) && !function->globals->contains(plain) ? plain : std::string();
}

/// Of a comprehension or lambda: its variables.
HeapTypes::Scope& HeapTypes::scope_of(const ExprPtr& e, Scope& around, const std::vector<ExprPtr>& targets) {
    const auto [at, added] = scopes_.try_emplace(e.get());
    if (!added) return at->second;
    at->second.outer = &around;
    const std::function<void(const ExprPtr&)> add = [&](const ExprPtr& target) {
        if (const std::string name(name_of(target)); !name.empty()) {
            at->second.names[name] = {fresh(), "__h_" + name + std::to_string(own_names_++)};
            return;
        }
        if (!std::holds_alternative<TupleExpr>(target->node)) throw NotOfHeap{"a target of this kind"};
        for (const ExprPtr& one : elements_of(target)) add(one);
    };
    for (const ExprPtr& target : targets) add(target);
    return at->second;
}

ExprPtr HeapTypes::know_truth(bool truth) {
    const ExprPtr e = make_boolean(truth);
    know_type(e, number(kTruth));
    return e;
}

ExprPtr HeapTypes::know_integer(std::int64_t value) {
    const ExprPtr e = make_integer(value);
    know_type(e, number(kInteger));
    return e;
}

std::optional<std::int64_t> HeapTypes::integer_in(const ExprPtr& e) {
    if (const auto* unary = std::get_if<UnaryExpr>(&e->node); unary && unary->op == UnaryOp::Minus) {
        const auto value = integer_in(unary->operand);
        return value ? std::optional(-*value) : std::nullopt;
    }
    const auto* constant = std::get_if<ConstantExpr>(&e->node);
    const auto* value = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
    return value ? std::optional(*value) : std::nullopt;
}

// ---- functions ------------------------------------------------------------------------------------------------------------
HeapTypes::Type HeapTypes::of_argument(const ArgumentType& type) {
    if (type.shape) return fresh(HeapKind::Other);
    const Scalar scalar = type.dtype.scalar;
    if (!type.of_python && scalar != Scalar::Bool) return fresh(HeapKind::Other);
    return scalar == Scalar::Bool ? number(kTruth)
           : is_integer(scalar)   ? number(kInteger)
           : is_floating(scalar)  ? number(kReal)
                                  : fresh(HeapKind::Other);
}

void HeapTypes::infer_all() {
    std::size_t place = 1;
    for (const Parameter& parameter : main_.parameters) {
        if (!given_.empty()) {
            given_types_.push_back(of_form(given_, place));
            const Type type = entry_->scope.names.at(parameter.name).type;
            is(given_types_.back(), HeapKind::None) ? join(given_types_.back(), type) : flow(given_types_.back(), type);
            continue;
        }
        const auto given = arguments_.find(parameter.name);
        const Type type = given == arguments_.end() ? fresh(HeapKind::Other) : of_argument(given->second);
        flow(type, entry_->scope.names.at(parameter.name).type);
    }
    for (int pass = 0; pass < 60; ++pass) {
        changed_ = pass == 0;
        pass_begin_ = all_.size();
        infer(*entry_);
        for (std::size_t at = 0; at < order_.size(); ++at)
            if (order_[at] != entry_) infer(*order_[at]);
        if (!changed_) return;
    }
    throw NotOfHeap{"types that do not settle"};
}

void HeapTypes::infer(Routine& function) {
    infer(function.statement->body, function.scope);
}
void HeapTypes::infer(const Body& body, Scope& scope) {
    for (const StmtPtr& one : body) placed(one, [&] { infer(one, scope); });
}

void HeapTypes::infer(const StmtPtr& one, Scope& scope) {
    std::visit(Overloaded{
                   [&](const AssignStmt& s) {
                       const Type type = infer(s.value, scope);
                       for (const ExprPtr& target : s.targets) bind(target, type, scope);
                   },
                   [&](const AugAssignStmt& s) {
                       const Type target = infer(s.target, scope), value = infer(s.value, scope);
                       if (is(target, HeapKind::Array)) {  // In its own place.
                           const unsigned element = of_elements(s.op, target, value);
                           if (element != 0 && element != root(part(target))->numbers)
                               throw NotOfHeap{"an update of an array by numbers of another type"};
                           return;
                       }
                       if (is(value, HeapKind::Array)) throw NotOfHeap{"arithmetic of whole arrays with this value"};
                       if (is_sequence(target) && s.op == BinaryOp::Add) return flow(element_of(value), part(target));
                       if (is(target, HeapKind::Set) && root(target)->missing.empty()) {
                           if (is(value, HeapKind::Unknown)) return;
                           if (!is(value, HeapKind::Set)) throw NotOfHeap{"an update of a set by this value"};
                           return unify_elements(target, value);
                       }
                       if (is(target, HeapKind::Dict)) {
                           if (is(value, HeapKind::Unknown)) return;
                           const bool tables = is(value, HeapKind::Dict) && s.op == BinaryOp::BitOr;
                           if (!tables) throw NotOfHeap{"an update of a dictionary by this value"};
                           return unify_elements(target, value);
                       }
                       const Type result = fresh();
                       infer_binary(s.op, target, value, result);
                       bind(s.target, result, scope);
                   },
                   [&](const AnnAssignStmt& s) {
                       if (s.value) bind(s.target, infer(s.value, scope), scope);
                   },
                   [&](const ExprStmt& s) { infer(s.value, scope); },
                   [&](const IfStmt& s) { infer(s.condition, scope), infer(s.then_body, scope), infer(s.else_body, scope); },
                   [&](const ForStmt& s) {
                       bind(s.target, element_of(s.iterable, scope), scope);
                       infer(s.body, scope), infer(s.else_body, scope);
                   },
                   [&](const WhileStmt& s) { infer(s.condition, scope), infer(s.body, scope), infer(s.else_body, scope); },
                   [&](const ReturnStmt& s) {
                       if (!s.value) return;
                       refuse_range(s.value);
                       const Type type = infer(s.value, scope);
                       if (scope.function == entry_)  // Each path may return what it likes.
                           return;
                       if (!is(type, HeapKind::None)) flow(type, scope.function->result);
                   },
                   [&](const AssertStmt& s) {
                       if (s.condition) infer(s.condition, scope);
                       if (!s.message || raises_in_python()) return;
                       const auto* call = std::get_if<CallExpr>(&s.message->node);
                       if (!s.raises) return infer_sentence(s.message, scope);
                       for (const ExprPtr& part : call ? call->arguments : std::vector<ExprPtr>()) infer_sentence(part, scope);
                   },
                   [&](const DeleteStmt& s) {
                       for (const ExprPtr& target : s.targets) infer(target, scope);
                   },
                   [](const auto&) {},
               },
               one->node);
}

/// What an exception says.
void HeapTypes::infer_sentence(const ExprPtr& e, Scope& scope) {
    if (const auto* parts = formatted_parts(e)) {
        for (const ExprPtr& one : *parts) {
            const auto* repr = std::get_if<CallExpr>(&one->node);
            infer(repr && name_of(repr->function) == kRepr ? repr->arguments.at(0) : one, scope);
        }
        return;
    }
    if (!std::holds_alternative<BinaryExpr>(e->node)) infer(e, scope);
}

void HeapTypes::bind(const ExprPtr& target, Type type, Scope& scope) {
    if (const std::string name(name_of(target)); !name.empty()) {
        Variable* known = variable(name, scope);
        if (!known) throw NotOfHeap{"a target that nobody knows"};
        if (is(type, HeapKind::None)) return join(type, known->type);
        return flow(type, known->type);
    }
    if (std::holds_alternative<TupleExpr>(target->node) || std::holds_alternative<ListExpr>(target->node)) {
        const auto targets = elements_of(target);
        const bool tuple = is(type, HeapKind::Tuple);
        const bool starred =
            std::ranges::any_of(targets, [](const auto& e) { return std::holds_alternative<StarredExpr>(e->node); });
        if (tuple && (starred || root(type)->parts.size() != targets.size())) throw NotOfHeap{"unpacking of this tuple"};
        if (!tuple && !is_sequence(type) && !is(type, HeapKind::Text) && !is(type, HeapKind::Array)) {
            if (is(type, HeapKind::Unknown)) return;
            throw NotOfHeap{"unpacking of this value"};
        }
        for (std::size_t at = 0; at < targets.size(); ++at) {
            const Type one = tuple ? part(type, at) : element_of(type);
            if (const auto* rest = std::get_if<StarredExpr>(&targets[at]->node))
                bind(rest->value, fresh(HeapKind::List, {one}), scope);
            else
                bind(targets[at], one, scope);
        }
        return;
    }
    const auto* subscript = std::get_if<SubscriptExpr>(&target->node);
    if (!subscript) throw NotOfHeap{"a target of this kind"};
    const Type object = infer(subscript->object, scope);
    if (std::holds_alternative<SliceExpr>(subscript->index->node)) {
        infer(subscript->index, scope);
        if (is(object, HeapKind::List)) flow(element_of(type), part(object));
        return;
    }
    const Type index = infer(subscript->index, scope);
    if (is(object, HeapKind::Array)) {
        // An element has the array's own type, whatever it is given.
    } else if (is_sequence(object)) {
        flow(type, part(object));
    } else if (is(object, HeapKind::Dict)) {
        flow(index, part(object, 0)), flow(type, part(object, 1));
    }
    types_[target.get()] = type;
}

// ---- expressions ----------------------------------------------------------------------------------------------------------
HeapTypes::Type HeapTypes::infer(const ExprPtr& e, Scope& scope) {
    Type& type = types_[e.get()];
    if (!type) type = fresh(), changed_ = true;
    const Type result = type;
    infer_into(e, result, scope);
    return root(result);
}

HeapTypes::Type HeapTypes::element_of(Type type) {
    type = root(type);
    if (type->kind == HeapKind::Text || type->kind == HeapKind::Other || type->kind == HeapKind::Unknown) return type;
    if (type->kind == HeapKind::Tuple) {
        const Type one = fresh();
        for (const Type each : type->parts) flow(each, one);
        return root(one);
    }
    if (type->parts.empty()) throw NotOfHeap{"a loop over this value"};
    return root(type->parts[type->rank > 1 ? 1 : 0]);  // The rows of an array, or what else is there.
}

HeapTypes::Type HeapTypes::element_of(const ExprPtr& e, Scope& scope) {
    return element_of(infer(e, scope));
}

void HeapTypes::element_into(const ExprPtr& e, Type element, Scope& scope) {
    const Type one = element_of(e, scope);
    if (is(type_of(e), HeapKind::Set)) return unify(one, element);  // An empty one is of no other table.
    flow(one, element);
}

void HeapTypes::infer_into(const ExprPtr& e, Type type, Scope& scope) {
    std::visit(Overloaded{
                   [&](const NameExpr& n) {
                       if (const Variable* known = variable(n.id, scope)) return flow(known->type, type);
                       const Routine* function = nullptr;
                       for (Scope* one = &scope; one && !function; one = one->outer) function = one->function;
                       const auto bound = function->globals->find(n.id);
                       const auto* constant =
                           bound == function->globals->end() ? nullptr : std::get_if<NumberBinding>(&bound->second);
                       if (!constant || constant->dtype) return flow(fresh(HeapKind::Other), type);
                       flow(number(std::holds_alternative<bool>(constant->value)           ? kTruth
                                   : std::holds_alternative<std::int64_t>(constant->value) ? kInteger
                                                                                           : kReal),
                            type);
                   },
                   [&](const ConstantExpr& n) {
                       if (std::holds_alternative<std::int64_t>(n.value)) return flow(number(kInteger), type);
                       if (std::holds_alternative<double>(n.value)) return flow(number(kReal), type);
                       if (std::holds_alternative<bool>(n.value)) return flow(number(kTruth), type);
                       if (std::holds_alternative<std::string>(n.value)) return unify(fresh(HeapKind::Text), type);
                       if (std::holds_alternative<NoneValue>(n.value)) return unify(fresh(HeapKind::None), type);
                       unify(fresh(HeapKind::Other), type);
                   },
                   [&](const UnaryExpr& n) {
                       const Type operand = infer(n.operand, scope);
                       infer_negation(n.op, operand, type);
                   },
                   [&](const BinaryExpr& n) {
                       const Type left = infer(n.left, scope), right = infer(n.right, scope);
                       infer_binary(n.op, left, right, type);
                   },
                   [&](const BoolExpr& n) {
                       std::vector<Type> all;
                       for (const ExprPtr& operand : n.operands) all.push_back(infer(operand, scope));
                       const bool objects = std::ranges::any_of(all, [&](Type one) { return is_object(one); });
                       const bool mixed = std::ranges::any_of(all, [&](Type one) {
                           return !is(one, HeapKind::Unknown) && kind(one) != kind(all[0]) && !is(all[0], HeapKind::Unknown);
                       });
                       if (objects && mixed && is(type, HeapKind::Unknown)) return flow(fresh(HeapKind::Other), type);
                       for (const Type one : all) join(one, type);
                   },
                   [&](const CompareExpr& n) {
                       std::vector<Type> all;
                       for (const ExprPtr& operand : n.operands) refuse_range(operand), all.push_back(infer(operand, scope));
                       for (std::size_t at = 0; at < n.ops.size(); ++at) {
                           const bool in = n.ops[at] == CompareOp::In || n.ops[at] == CompareOp::NotIn;
                           if (in && !is(all[at + 1], HeapKind::Other) && !is(all[at + 1], HeapKind::Unknown) &&
                               !is(all[at + 1], HeapKind::Tuple) && is_object(all[at]))
                               unify(all[at], element_of(all[at + 1]));
                           else if (in && (is(all[at + 1], HeapKind::Dict) || is(all[at + 1], HeapKind::Set)) &&
                                    (is(all[at], HeapKind::Number) || is(all[at], HeapKind::Tuple)))
                               flow(all[at], part(all[at + 1]));
                           else if (is(all[at], HeapKind::Set) && is(all[at + 1], HeapKind::Set) && !in)
                               unify_elements(all[at], all[at + 1]);
                           else if (is_object(all[at]) && is_object(all[at + 1]) && !in)
                               unify(all[at], all[at + 1]);
                       }
                       infer_comparison(n, all, type);
                   },
                   [&](const ConditionalExpr& n) {
                       infer(n.condition, scope);
                       flow(infer(n.if_true, scope), type), flow(infer(n.if_false, scope), type);
                   },
                   [&](const CallExpr& n) { infer_call(e, n, type, scope); },
                   [&](const AttributeExpr& n) {
                       const std::string known = known_function(e, scope);
                       if (!known_constant(known).empty()) return flow(number(kReal), type);
                       if (known.empty() && infer_array_attribute(n.name, infer(n.object, scope), type)) return;
                       flow(fresh(HeapKind::Other), type);
                   },
                   [&](const SubscriptExpr& n) { infer_subscript(n, type, scope); },
                   [&](const SliceExpr& n) {
                       for (const ExprPtr& bound : {n.begin, n.end, n.step})
                           if (bound) infer(bound, scope);
                       flow(fresh(HeapKind::Other), type);
                   },
                   [&](const TupleExpr& n) {
                       std::vector<Type> parts;
                       for (const ExprPtr& one : n.elements) {
                           refuse_range(one);
                           parts.push_back(infer(one, scope));
                           if (is(parts.back(), HeapKind::Unknown)) return;
                       }
                       flow(fresh(HeapKind::Tuple, parts), type);
                   },
                   [&](const ListExpr& n) {
                       if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::List, {fresh()}), type);
                       for (const ExprPtr& one : n.elements) {
                           if (const auto* starred = std::get_if<StarredExpr>(&one->node))
                               flow(element_of(starred->value, scope), part(type));
                           else
                               flow(infer(one, scope), part(type));
                       }
                   },
                   [&](const LambdaExpr&) { flow(fresh(HeapKind::Other), type); },
                   [&](const StarredExpr&) { throw NotOfHeap{"a starred expression here"}; },
                   [&](const NamedExpr&) { throw NotOfHeap{"an assignment in an expression"}; },
                   [&](const DictExpr& n) {
                       if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::Dict, {fresh(), fresh()}), type);
                       for (std::size_t at = 0; at < n.keys.size(); ++at)
                           flow(infer(n.keys[at], scope), part(type, 0)), flow(infer(n.values[at], scope), part(type, 1));
                   },
                   [&](const ComprehensionExpr& n) {
                       std::vector<ExprPtr> targets;
                       for (const ComprehensionClause& clause : n.clauses) targets.push_back(clause.target);
                       Scope& own = scope_of(e, scope, targets);
                       for (std::size_t at = 0; at < n.clauses.size(); ++at) {
                           const ComprehensionClause& clause = n.clauses[at];
                           bind(clause.target, element_of(clause.iterable, at == 0 ? scope : own), own);
                           for (const ExprPtr& condition : clause.conditions) infer(condition, own);
                       }
                       if (is(type, HeapKind::Unknown)) unify(fresh(HeapKind::List, {fresh()}), type);
                       flow(infer(n.element, own), part(type));
                   },
               },
               e->node);
}

}  // namespace sluice::frontend
