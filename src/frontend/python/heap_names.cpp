// What names mean in a function over one memory: variables, functions, and what Python and its modules have.
#include <algorithm>

#include "code/displays.h"
#include "code/encoded.h"
#include "code/walk.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/heap_types.h"

namespace sluice::frontend {

using namespace code;

namespace {

const std::set<std::string> kPython{"len",    "range", "enumerate", "zip",       "reversed", "map", "filter", "sorted",
                                    "list",   "tuple", "set",       "dict",      "sum",      "min", "max",    "any",
                                    "all",    "abs",   "int",       "float",     "bool",     "str", "ord",    "chr",
                                    "divmod", "pow",   "round",     "frozenset", "hex",      "bin", "oct",    "format"};
const std::set<std::string> kModules{"collections", "heapq", "bisect", "itertools", "functools", "math", "operator"};

}  // namespace

HeapTypes::Routine& HeapTypes::function_of(const FunctionStmt& given, const Bindings& globals, const Definition& definition,
                                           Scope* outer) {
    const auto [at, added] = functions_.try_emplace(&given);
    Routine& made = at->second;
    if (!added) return made;
    const bool main = functions_.size() == 1;
    made.generates = !main && !outer && yields(given.body);
    if (made.generates) generators_.push_back(with_list_of_yielded(given));
    const FunctionStmt& statement = made.generates ? generators_.back() : given;
    made.statement = &statement;
    made.globals = &globals;
    made.definition = &definition;
    // Names of two modules' functions, and of the functions that objects need, differ.
    made.name = outer || main ? statement.name : "__h_f" + std::to_string(functions_.size()) + "_" + statement.name;
    made.result = fresh();
    made.scope.outer = outer;
    made.scope.function = &made;
    for (const auto& [name, count] : binding_counts(statement.body)) made.scope.names[name] = {fresh(), name};
    for (const Parameter& parameter : statement.parameters) {
        made.scope.names[parameter.name] = {fresh(), parameter.name};
        if (parameter.kind == Parameter::Kind::Variadic) throw NotOfHeap{"any number of arguments"};
        if (main && parameter.kind != Parameter::Kind::Either) throw NotOfHeap{"a parameter that is given by its name"};
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
            made.inner[inner->name] = &function_of(*inner, globals, definition, &made.scope);
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
    if (program) {
        const Program& other = *program->program;
        const StmtPtr& function = other.over_objects ? other.over_objects : other.function;
        return &function_of(std::get<FunctionStmt>(function->node), other.globals, other.definition, nullptr);
    }
    if (name == main_.name && entry_) return entry_;
    for (Scope* one = &scope; one; one = one->outer)  // Recursion.
        if (Routine* own = one->function; own && !own->scope.outer && !own->of_class && own->statement->name == name) return own;
    const Routine* around = routine_around(scope);
    const auto helper = around ? around->definition->helpers.find(name) : definition_.helpers.end();
    if (!around || around->definition != &definition_ || helper == definition_.helpers.end()) return nullptr;
    StmtPtr& read = helpers_read_[name];
    if (!read) {
        const StmtPtr function = read_function(helper->second);
        if (!function) return nullptr;
        read = prepared(function);
    }
    return &function_of(std::get<FunctionStmt>(read->node), *entry_->globals, definition_, nullptr);
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

}  // namespace sluice::frontend
