// Types of the names that a body assigns: passes over the body in text order until no type changes. A pass only moves types
// up NumPy's lattice, so few passes suffice.
#include "code/infer.h"
#include "code/operators.h"
#include "code/walk.h"
#include "support/check.h"

namespace sluice::code {
namespace {

class Locals {
public:
    explicit Locals(const TypeEnvironment& outer)
        : outer_(outer), environment_([this](const std::string& name) { return lookup(name); }) {}

    std::map<std::string, Type> run(const Body& body) {
        constexpr int kMaxPasses = 40;  // far above the height of the lattice
        for (int pass = 0; pass < kMaxPasses; ++pass) {
            const std::map<std::string, Type> before = types_;
            visit(body);
            if (types_ == before) return std::move(types_);
        }
        check(false, "the types of local variables do not settle");
        return {};
    }

private:
    std::optional<Type> lookup(const std::string& name) const {
        if (std::optional<Type> known = outer_(name)) return known;
        const auto found = types_.find(name);
        return found == types_.end() ? std::nullopt : std::optional(found->second);
    }
    Type type_of(const Expr& e) const { return infer(e, environment_).or_fail(); }

    void bind(const Expr& target, const Type& type) {
        const auto* name = std::get_if<NameExpr>(&target.node);
        if (!name || outer_(name->id)) return;
        const auto [entry, is_new] = types_.emplace(name->id, type);
        if (!is_new) entry->second = common_type(entry->second, type, target.span);
    }

    void assign(const Expr& target, const Expr& value) {
        const auto* targets = elements(target);
        const auto* values = elements(value);
        if (!targets) return bind(target, type_of(value));
        if (!values || values->size() != targets->size())
            refuse_types("as many values as targets are needed", "assign a tuple of the same length", value.span);
        for (std::size_t i = 0; i < targets->size(); ++i) assign(*(*targets)[i], *(*values)[i]);
    }

    static const std::vector<ExprPtr>* elements(const Expr& e) {
        if (const auto* tuple = std::get_if<TupleExpr>(&e.node)) return &tuple->elements;
        const auto* list = std::get_if<ListExpr>(&e.node);
        return list ? &list->elements : nullptr;
    }

    // Loop variables over `range(...)` and `map[...]` are Python integers.
    void bind_loop(const Expr& target, const Expr& iterable) {
        if (const auto* targets = elements(target)) {
            for (const ExprPtr& element : *targets) bind_loop(*element, iterable);
            return;
        }
        const auto* call = std::get_if<CallExpr>(&iterable.node);
        const auto* subscript = std::get_if<SubscriptExpr>(&iterable.node);
        const std::string over = call ? dotted_name(*call->function) : subscript ? dotted_name(*subscript->object) : std::string();
        const std::string last = over.substr(over.rfind('.') + 1);
        const bool counts = call ? last == "range" || last == "prange" || last == "parrange" : last == "map";
        bind(target, counts ? Type{DType(Scalar::Int64), true} : type_of(iterable));
    }

    void visit(const Body& body) {
        for (const StmtPtr& s : body) std::visit([&](const auto& n) { statement(n, s->span); }, s->node);
    }
    void statement(const AssignStmt& n, const Span&) {
        for (const ExprPtr& target : n.targets) assign(*target, *n.value);
    }
    void statement(const AugAssignStmt& n, const Span& where) {
        bind(*n.target, binary_type(n.op, type_of(*n.target), type_of(*n.value), where));
    }
    void statement(const AnnAssignStmt& n, const Span&) {
        if (n.value) type_of(*n.value);
        const std::optional<DType> declared = cast_target(dotted_name(*n.annotation));
        if (declared)
            bind(*n.target, {*declared, false});
        else if (n.value)
            bind(*n.target, type_of(*n.value));
    }
    void statement(const IfStmt& n, const Span&) {
        type_of(*n.condition);
        visit(n.then_body);
        visit(n.else_body);
    }
    void statement(const ForStmt& n, const Span&) {
        bind_loop(*n.target, *n.iterable);
        visit(n.body);
        visit(n.else_body);
    }
    void statement(const WhileStmt& n, const Span&) {
        type_of(*n.condition);
        visit(n.body);
        visit(n.else_body);
    }
    void statement(const WithStmt& n, const Span&) { visit(n.body); }
    void statement(const AssertStmt& n, const Span&) { type_of(*n.condition); }
    void statement(const UnsupportedStmt& n, const Span& where) {
        fail({"P007",
              "`" + n.keyword + "` is outside the supported subset of Python",
              where,
              {},
              "write it with assignments, calls, loops, conditions and functions",
              {}});
    }
    // These bind no local variable of the body.
    void statement(const ExprStmt&, const Span&) {}
    void statement(const FunctionStmt&, const Span&) {}
    void statement(const ReturnStmt&, const Span&) {}
    void statement(const ImportStmt&, const Span&) {}
    void statement(const DeleteStmt&, const Span&) {}
    void statement(const PassStmt&, const Span&) {}
    void statement(const BreakStmt&, const Span&) {}
    void statement(const ContinueStmt&, const Span&) {}

    const TypeEnvironment& outer_;
    std::map<std::string, Type> types_;
    TypeEnvironment environment_;
};

}  // namespace

Result<std::map<std::string, Type>> infer_locals(const Body& body, const TypeEnvironment& environment) {
    return capture([&] { return Locals(environment).run(body); });
}

}  // namespace sluice::code
