// Free names of Python code, by a walk that keeps the set of names bound so far, and assigned ones.
#include <algorithm>
#include <array>
#include <string_view>

#include "code/walk.h"
#include "ir/code_block.h"

namespace sluice::ir {

namespace {

/// Modules under their customary names: `math.pi` reads no variable.
bool is_module(std::string_view name) {
    static constexpr std::array<std::string_view, 6> kModules{"math", "cmath", "np", "numpy", "dace", "sluice"};
    return std::ranges::find(kModules, name) != kModules.end();
}

/// How Python and DaCe print floating-point numbers that have no digits.
bool is_number(std::string_view name) {
    return name == "inf" || name == "nan";
}

class Walk {
public:
    std::set<std::string> free;

    void read(const code::ExprPtr& e) {
        if (e) read(*e);
    }
    void read(const code::Expr& e) { std::visit(*this, e.node); }
    void run(const code::Body& body) {
        for (const code::StmtPtr& stmt : body) std::visit(*this, stmt->node);
    }

    // -- expressions
    void operator()(const code::NameExpr& e) {
        if (!bound_.contains(e.id) && !is_number(e.id)) free.insert(e.id);
    }
    void operator()(const code::ConstantExpr&) {}
    void operator()(const code::UnaryExpr& e) { read(e.operand); }
    void operator()(const code::BinaryExpr& e) {
        read(e.left);
        read(e.right);
    }
    void operator()(const code::BoolExpr& e) { read_all(e.operands); }
    void operator()(const code::CompareExpr& e) { read_all(e.operands); }
    void operator()(const code::ConditionalExpr& e) {
        read(e.condition);
        read(e.if_true);
        read(e.if_false);
    }
    void operator()(const code::CallExpr& e) {
        if (const auto* method = std::get_if<code::AttributeExpr>(&e.function->node))
            (*this)(*method);
        else if (!std::holds_alternative<code::NameExpr>(e.function->node))
            read(e.function);
        read_all(e.arguments);
        for (const code::Keyword& keyword : e.keywords) read(keyword.value);
    }
    void operator()(const code::AttributeExpr& e) {
        const auto* name = std::get_if<code::NameExpr>(&e.object->node);
        if (!name || !is_module(name->id) || bound_.contains(name->id)) read(e.object);
    }
    void operator()(const code::SubscriptExpr& e) {
        read(e.object);
        read(e.index);
    }
    void operator()(const code::SliceExpr& e) {
        read(e.begin);
        read(e.end);
        read(e.step);
    }
    void operator()(const code::TupleExpr& e) { read_all(e.elements); }
    void operator()(const code::ListExpr& e) { read_all(e.elements); }
    void operator()(const code::StarredExpr& e) { read(e.value); }
    void operator()(const code::NamedExpr& e) {
        read(e.value);
        bind(*e.target);
    }
    void operator()(const code::DictExpr& e) {
        read_all(e.keys);
        read_all(e.values);
    }
    void operator()(const code::ComprehensionExpr& e) {
        const std::set<std::string> outside = bound_;
        for (const code::ComprehensionClause& clause : e.clauses) {
            read(clause.iterable);
            bind(*clause.target);
            read_all(clause.conditions);
        }
        read(e.element);
        bound_ = outside;
    }
    void operator()(const code::LambdaExpr& e) {
        const std::set<std::string> outside = bound_;
        bound_.insert(e.parameters.begin(), e.parameters.end());
        read(e.body);
        bound_ = outside;
    }

    // -- statements
    void operator()(const code::AssignStmt& s) {
        read(s.value);
        for (const code::ExprPtr& target : s.targets) bind(*target);
    }
    void operator()(const code::AugAssignStmt& s) {
        read(s.target);
        read(s.value);
        bind(*s.target);
    }
    void operator()(const code::AnnAssignStmt& s) {
        read(s.value);
        if (s.value) bind(*s.target);
    }
    void operator()(const code::ExprStmt& s) { read(s.value); }
    void operator()(const code::IfStmt& s) {
        read(s.condition);
        const std::set<std::string> before = bound_;
        run(s.then_body);
        std::set<std::string> after_then = std::exchange(bound_, before);
        run(s.else_body);
        bound_.merge(after_then);
    }
    void operator()(const code::ForStmt& s) {
        read(s.iterable);
        bind(*s.target);
        run(s.body);
        run(s.else_body);
    }
    void operator()(const code::WhileStmt& s) {
        read(s.condition);
        run(s.body);
        run(s.else_body);
    }
    void operator()(const code::WithStmt& s) {
        for (const code::WithItem& item : s.items) {
            read(item.context);
            if (item.target) bind(*item.target);
        }
        run(s.body);
    }
    void operator()(const code::FunctionStmt& s) {
        bound_.insert(s.name);
        const std::set<std::string> outside = bound_;
        for (const code::Parameter& parameter : s.parameters) {
            read(parameter.default_value);
            bound_.insert(parameter.name);
        }
        run(s.body);
        bound_ = outside;
    }
    void operator()(const code::ReturnStmt& s) { read(s.value); }
    void operator()(const code::AssertStmt& s) {
        read(s.condition);
        read(s.message);
    }
    void operator()(const code::ImportStmt& s) {
        if (!s.alias.empty()) bound_.insert(s.alias);
        for (const auto& [name, alias] : s.names) bound_.insert(alias.empty() ? name : alias);
    }
    void operator()(const code::DeleteStmt& s) { read_all(s.targets); }
    void operator()(const code::PassStmt&) {}
    void operator()(const code::BreakStmt&) {}
    void operator()(const code::ContinueStmt&) {}
    void operator()(const code::UnsupportedStmt&) {}

private:
    void read_all(const std::vector<code::ExprPtr>& expressions) {
        for (const code::ExprPtr& e : expressions) read(e);
    }
    /// A name or a tuple of names becomes bound; an element or a member is a use of its object.
    void bind(const code::Expr& target) {
        if (const auto* name = std::get_if<code::NameExpr>(&target.node)) {
            bound_.insert(name->id);
        } else if (const auto* tuple = std::get_if<code::TupleExpr>(&target.node)) {
            for (const code::ExprPtr& element : tuple->elements) bind(*element);
        } else if (const auto* list = std::get_if<code::ListExpr>(&target.node)) {
            for (const code::ExprPtr& element : list->elements) bind(*element);
        } else {
            read(target);
        }
    }

    std::set<std::string> bound_;
};

}  // namespace

std::set<std::string> free_names(const code::Expr& e) {
    Walk walk;
    walk.read(e);
    return std::move(walk.free);
}

std::set<std::string> free_names(const code::Body& body) {
    Walk walk;
    walk.run(body);
    return std::move(walk.free);
}

namespace {

void collect_targets(const code::Expr& e, std::set<std::string>& names) {
    if (const auto* name = std::get_if<code::NameExpr>(&e.node)) names.insert(name->id);
    if (const auto* subscript = std::get_if<code::SubscriptExpr>(&e.node)) collect_targets(*subscript->object, names);
    if (const auto* attribute = std::get_if<code::AttributeExpr>(&e.node)) collect_targets(*attribute->object, names);
    if (const auto* tuple = std::get_if<code::TupleExpr>(&e.node))
        for (const code::ExprPtr& element : tuple->elements) collect_targets(*element, names);
}

void collect_assigned_names(const code::Body& body, std::set<std::string>& names) {
    for (const code::StmtPtr& stmt : body) {
        if (const auto* assign = std::get_if<code::AssignStmt>(&stmt->node))
            for (const code::ExprPtr& target : assign->targets) collect_targets(*target, names);
        if (const auto* augmented = std::get_if<code::AugAssignStmt>(&stmt->node)) collect_targets(*augmented->target, names);
        if (const auto* annotated = std::get_if<code::AnnAssignStmt>(&stmt->node)) collect_targets(*annotated->target, names);
        if (const auto* loop = std::get_if<code::ForStmt>(&stmt->node)) collect_targets(*loop->target, names);
        code::for_each_body(*stmt, [&](const code::Body& inner) { collect_assigned_names(inner, names); });
    }
}

}  // namespace

std::set<std::string> assigned_names(const code::Body& body) {
    std::set<std::string> names;
    collect_assigned_names(body, names);
    return names;
}

}  // namespace sluice::ir
