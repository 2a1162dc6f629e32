#include "certify/tasklet.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "code/print.h"
#include "code/walk.h"
#include "ir/code_block.h"

namespace sluice::certify {

using code::Overloaded;
using symbolic::Expr;

namespace {

TreePtr made(Tree tree) {
    return std::make_shared<const Tree>(std::move(tree));
}

const char* name_of(code::BinaryOp op) {
    using code::BinaryOp;
    switch (op) {
        case BinaryOp::Add:
            return "add";
        case BinaryOp::Sub:
            return "subtract";
        case BinaryOp::Mul:
            return "multiply";
        case BinaryOp::Div:
            return "divide";
        case BinaryOp::FloorDiv:
            return "floor_divide";
        case BinaryOp::Mod:
            return "mod";
        case BinaryOp::Pow:
            return "power";
        case BinaryOp::MatMul:
            return "matmul";
        case BinaryOp::BitAnd:
            return "bitwise_and";
        case BinaryOp::BitOr:
            return "bitwise_or";
        case BinaryOp::BitXor:
            return "bitwise_xor";
        case BinaryOp::ShiftLeft:
            return "left_shift";
        case BinaryOp::ShiftRight:
            return "right_shift";
    }
    return "";
}

const char* name_of(code::CompareOp op) {
    using code::CompareOp;
    switch (op) {
        case CompareOp::Eq:
            return "equal";
        case CompareOp::Ne:
            return "not_equal";
        case CompareOp::Lt:
        case CompareOp::Gt:
            return "less";
        case CompareOp::Le:
        case CompareOp::Ge:
            return "less_equal";
        default:
            return "";
    }
}

bool is_literal(const Tree& tree) {
    return tree.kind == Tree::Kind::Constant;
}

class TaskletReader {
public:
    explicit TaskletReader(const TaskletNames& names) : names_(names) {}

    TaskletTrees read(const code::Body& body) {
        run(body);
        TaskletTrees trees{.stores = std::move(elements_), .why = why_};
        for (const auto& [name, type] : names_.outputs) {
            const auto local = locals_.find(name);
            if (local == locals_.end()) continue;
            if (!local->second)
                trees.why = "only some paths give `" + name + "` a value";
            else
                trees.stores.push_back({.connector = name, .value = local->second});
        }
        return trees;
    }
    TreePtr value(const code::Expr& e) { return expression(e); }
    void bind(const std::string& name, TreePtr tree) { locals_.insert_or_assign(name, std::move(tree)); }

private:
    TreePtr unknown(const std::string& why) { return unknown_tree(names_.owner, why); }
    TreePtr apply(const std::string& name, std::vector<TreePtr> operands, const code::Type& type) {
        return apply_tree(names_.owner, name, std::move(operands), type);
    }

    // ---- statements ----
    void run(const code::Body& body) {
        for (const code::StmtPtr& statement : body) run(*statement);
    }
    void run(const code::Stmt& statement) {
        std::visit(Overloaded{
                       [&](const code::AssignStmt& s) {
                           const TreePtr right = expression(*s.value);
                           for (const code::ExprPtr& target : s.targets) store(*target, right);
                       },
                       [&](const code::AugAssignStmt& s) {
                           const TreePtr old = expression(*s.target), by = expression(*s.value);
                           store(*s.target, binary(s.op, old, by));
                       },
                       [&](const code::AnnAssignStmt& s) {
                           if (s.value) store(*s.target, expression(*s.value));
                       },
                       [&](const code::IfStmt& s) { branch(s); },
                       [](const code::PassStmt&) {},
                       [&](const auto&) { why_ = "it holds a statement that is neither an assignment nor a condition"; },
                   },
                   statement.node);
    }
    void branch(const code::IfStmt& s) {
        const TreePtr condition = expression(*s.condition);
        const std::map<std::string, TreePtr> before = locals_;
        const std::size_t stores = elements_.size();
        run(s.then_body);
        std::map<std::string, TreePtr> then = std::exchange(locals_, before);
        run(s.else_body);
        if (elements_.size() != stores) why_ = "it stores elements under a condition";
        for (const auto& [name, value] : locals_) then.try_emplace(name, nullptr);
        for (const auto& [name, if_true] : then) {
            TreePtr& merged = locals_[name];
            if (!if_true || !merged)
                merged = nullptr;
            else if (if_true != merged)
                merged = apply("where", {condition, if_true, merged}, code::promote(if_true->type, merged->type));
        }
    }
    void store(const code::Expr& target, const TreePtr& value) {
        if (const auto* name = std::get_if<code::NameExpr>(&target.node)) {
            locals_.insert_or_assign(name->id, value);
            return;
        }
        const auto* subscript = std::get_if<code::SubscriptExpr>(&target.node);
        const auto* object = subscript ? std::get_if<code::NameExpr>(&subscript->object->node) : nullptr;
        const auto at = object ? positions(*subscript->index) : std::nullopt;
        if (!at || !names_.outputs.contains(object->id)) {
            why_ = "it stores at `" + code::to_string(target) + "`";
            return;
        }
        for (const Stored& other : elements_)
            if (other.connector == object->id) why_ = "it stores into `" + object->id + "` more than once";
        elements_.push_back({.connector = object->id, .positions = *at, .value = value});
    }

    // ---- expressions ----
    std::optional<Expr> symbolic_value(const code::Expr& e) const {
        for (const std::string& name : ir::free_names(e))
            if (!names_.symbols.contains(name) || locals_.contains(name) || names_.inputs.contains(name)) return std::nullopt;
        const Result<Expr> value = ir::to_symbolic(e);
        if (!value.ok()) return std::nullopt;
        return symbolic::substitute(*value, names_.values);
    }
    std::optional<std::vector<Expr>> positions(const code::Expr& index) const {
        std::vector<code::ExprPtr> parts;
        std::vector<Expr> at;
        const auto add = [&](const code::Expr& part) {
            const std::optional<Expr> value = symbolic_value(part);
            if (value) at.push_back(*value);
            return value.has_value();
        };
        if (const auto* tuple = std::get_if<code::TupleExpr>(&index.node)) {
            for (const code::ExprPtr& part : tuple->elements)
                if (!add(*part)) return std::nullopt;
        } else if (!add(index)) {
            return std::nullopt;
        }
        return at;
    }
    static bool holds_integers(const Expr& e) {
        using symbolic::Kind;
        switch (e.kind()) {
            case Kind::Integer:
            case Kind::Symbol:
                return true;
            case Kind::Add:
            case Kind::Multiply:
            case Kind::FloorDivide:
            case Kind::Modulo:
            case Kind::Minimum:
            case Kind::Maximum:
                return std::ranges::all_of(e.operands(), holds_integers);
            default:
                return false;
        }
    }

    TreePtr expression(const code::Expr& e) {
        if (!std::holds_alternative<code::ConstantExpr>(e.node))
            if (const std::optional<Expr> value = symbolic_value(e); value && holds_integers(*value))
                return index_tree(names_.owner, *value);
        return std::visit(Overloaded{
                              [&](const code::NameExpr& n) { return name(n.id); },
                              [&](const code::ConstantExpr& n) { return constant(n); },
                              [&](const code::UnaryExpr& n) { return unary(n.op, expression(*n.operand)); },
                              [&](const code::BinaryExpr& n) { return binary(n.op, expression(*n.left), expression(*n.right)); },
                              [&](const code::BoolExpr& n) {
                                  std::vector<TreePtr> operands;
                                  for (const code::ExprPtr& operand : n.operands) operands.push_back(expression(*operand));
                                  return apply(n.is_and ? "and" : "or", std::move(operands), {code::Scalar::Bool});
                              },
                              [&](const code::CompareExpr& n) { return compare(n); },
                              [&](const code::ConditionalExpr& n) {
                                  const TreePtr yes = expression(*n.if_true), no = expression(*n.if_false);
                                  return apply("where", {expression(*n.condition), yes, no}, code::promote(yes->type, no->type));
                              },
                              [&](const code::CallExpr& n) { return call(n); },
                              [&](const code::SubscriptExpr& n) {
                                  const auto* object = std::get_if<code::NameExpr>(&n.object->node);
                                  const auto input = object ? names_.inputs.find(object->id) : names_.inputs.end();
                                  const auto at = positions(*n.index);
                                  if (input == names_.inputs.end() || !at)
                                      return unknown("the element `" + code::to_string(e) + "`");
                                  return input->second(*at);
                              },
                              [&](const auto&) { return unknown("the expression `" + code::to_string(e) + "`"); },
                          },
                          e.node);
    }
    TreePtr name(const std::string& id) {
        if (const auto local = locals_.find(id); local != locals_.end())
            return local->second ? local->second : unknown("`" + id + "`, which only some paths give a value");
        if (const auto input = names_.inputs.find(id); input != names_.inputs.end()) return input->second({});
        return unknown("the name `" + id + "`");
    }
    TreePtr constant(const code::ConstantExpr& n) {
        if (const auto* integer = std::get_if<std::int64_t>(&n.value)) {
            Tree tree = *constant_tree(names_.owner, static_cast<double>(*integer));
            if (std::abs(*integer) > (std::int64_t{1} << 52)) tree.name = fmt::format("{}", *integer);
            tree.type = {code::Scalar::Int64, true};
            return made(std::move(tree));
        }
        if (const auto* real = std::get_if<double>(&n.value)) {
            Tree tree = *constant_tree(names_.owner, *real);
            tree.type = {code::Scalar::Float64, true};
            return made(std::move(tree));
        }
        if (const auto* truth = std::get_if<bool>(&n.value)) {
            Tree tree = *constant_tree(names_.owner, *truth ? 1 : 0);
            tree.type = {code::Scalar::Bool};
            return made(std::move(tree));
        }
        return unknown("a constant that is no real number");
    }
    TreePtr unary(code::UnaryOp op, const TreePtr& operand) {
        switch (op) {
            case code::UnaryOp::Plus:
                return operand;
            case code::UnaryOp::Minus:
                return apply("negative", {operand}, operand->type);
            case code::UnaryOp::Not:
                return apply("not", {operand}, {code::Scalar::Bool});
            case code::UnaryOp::Invert:
                return apply("invert", {operand}, operand->type);
        }
        return operand;
    }
    TreePtr binary(code::BinaryOp op, const TreePtr& left, const TreePtr& right) {
        const Result<code::Type> type = code::infer_binary(op, left->type, right->type);
        if (!type.ok()) return unknown("an operation on these types");
        if (op == code::BinaryOp::Sub) return apply("add", {left, apply("negative", {right}, right->type)}, *type);
        return apply(name_of(op), {left, right}, *type);
    }
    TreePtr compare(const code::CompareExpr& n) {
        std::vector<TreePtr> parts;
        for (std::size_t at = 0; at < n.ops.size(); ++at) {
            TreePtr left = expression(*n.operands[at]), right = expression(*n.operands[at + 1]);
            const std::string op = name_of(n.ops[at]);
            if (op.empty()) return unknown("a comparison of objects");
            if (n.ops[at] == code::CompareOp::Gt || n.ops[at] == code::CompareOp::Ge) std::swap(left, right);
            parts.push_back(apply(op, {left, right}, {code::Scalar::Bool}));
        }
        return parts.size() == 1 ? parts[0] : apply("and", parts, {code::Scalar::Bool});
    }
    TreePtr call(const code::CallExpr& n) {
        const std::string spelled = code::dotted_name(*n.function);
        std::vector<TreePtr> operands;
        for (const code::ExprPtr& argument : n.arguments) operands.push_back(expression(*argument));
        if (!n.keywords.empty()) return unknown("the keyword of `" + spelled + "`");
        if (const auto type = code::cast_target(spelled); type && operands.size() == 1) return cast_tree(operands[0], *type);
        const code::Function* function = code::find_function(spelled);
        if (!function) return unknown("the function `" + spelled + "`");
        if (function->op && operands.size() == 2) return binary(*function->op, operands[0], operands[1]);
        code::TypeEnvironment environment = [&](const std::string& name) -> std::optional<code::Type> {
            const std::size_t at = static_cast<std::size_t>(std::stoul(name.substr(1)));
            return operands[at]->type;
        };
        code::CallExpr typed{.function = n.function, .arguments = {}, .keywords = {}};
        for (std::size_t at = 0; at < operands.size(); ++at)
            typed.arguments.push_back(
                std::make_shared<const code::Expr>(code::Expr{code::NameExpr{"_" + std::to_string(at)}, n.function->span}));
        const Result<code::Type> type = code::infer(code::Expr{typed, n.function->span}, environment);
        if (!type.ok()) return unknown("the types of `" + spelled + "`");
        if (function->name == "negative" && operands.size() == 1) return apply("negative", operands, *type);
        if ((function->name == "minimum" || function->name == "maximum") && operands.size() > 2) {
            TreePtr all = operands[0];
            for (std::size_t at = 1; at < operands.size(); ++at)
                all = apply(std::string(function->name), {all, operands[at]}, *type);
            return all;
        }
        return apply(std::string(function->name), operands, *type);
    }

    const TaskletNames& names_;
    std::map<std::string, TreePtr> locals_;  ///< Null: on some paths only.
    std::vector<Stored> elements_;
    std::string why_;
};

}  // namespace

TaskletTrees trees_of(const code::Body& body, const TaskletNames& names) {
    return TaskletReader(names).read(body);
}

TreePtr resolved(const code::Expr& lambda, const TreePtr& old, const TreePtr& value, const TaskletNames& names) {
    const auto* function = std::get_if<code::LambdaExpr>(&lambda.node);
    if (!function || function->parameters.size() != 2) return unknown_tree(names.owner, "a resolution that is no lambda");
    TaskletReader reader(names);
    reader.bind(function->parameters[0], old);
    reader.bind(function->parameters[1], value);
    return reader.value(*function->body);
}

TreePtr unknown_tree(std::size_t owner, const std::string& why) {
    return made({.kind = Tree::Kind::Unknown, .owner = owner, .name = why});
}
TreePtr constant_tree(std::size_t owner, double value) {
    return made({.kind = Tree::Kind::Constant,
                 .owner = owner,
                 .name = fmt::format("{}", value == 0 && !std::signbit(value) ? 0.0 : value),
                 .type = {code::Scalar::Float64, true}});
}
TreePtr index_tree(std::size_t owner, const Expr& value) {
    if (const auto constant = value.constant()) {
        Tree tree = *constant_tree(owner, static_cast<double>(*constant));
        tree.type = {code::Scalar::Int64, true};
        return made(std::move(tree));
    }
    return made({.kind = Tree::Kind::Index, .owner = owner, .indices = {value}, .type = {code::Scalar::Int64}});
}

TreePtr apply_tree(std::size_t owner, const std::string& name, std::vector<TreePtr> operands, const code::Type& type) {
    if (name == "negative" && operands.size() == 1) {
        const Tree& operand = *operands[0];
        if (operand.kind == Tree::Kind::Apply && operand.name == "negative") return operand.operands[0];
        if (is_literal(operand)) {
            Tree tree = operand;
            tree.name = tree.name.starts_with('-') ? tree.name.substr(1) : "-" + tree.name;
            return made(std::move(tree));
        }
    }
    return made({.kind = Tree::Kind::Apply, .owner = owner, .name = name, .operands = std::move(operands), .type = type});
}

TreePtr cast_tree(const TreePtr& value, const code::DType& type) {
    if (value->type.dtype == type && !value->type.weak) return value;
    const bool real = code::is_floating(type.scalar) || code::is_integer(type.scalar);
    const bool fits =
        code::is_floating(type.scalar) || (code::is_integer(type.scalar) && code::is_integer(value->type.dtype.scalar));
    if (is_literal(*value) && real && fits && (type.scalar == code::Scalar::Float64 || type.scalar == code::Scalar::Int64)) {
        Tree tree = *value;
        tree.type = {type};
        return made(std::move(tree));
    }
    return made({.kind = Tree::Kind::Apply,
                 .owner = value->owner,
                 .name = "to_" + code::to_string(type),
                 .operands = {value},
                 .type = {type}});
}

bool is_commutative(const std::string& name) {
    return name == "equal" || name == "not_equal" || is_reduction(name);
}
bool is_reduction(const std::string& name) {
    return name == "add" || name == "multiply" || name == "minimum" || name == "maximum" || name == "and" || name == "or" ||
           name == "bitwise_and" || name == "bitwise_or" || name == "bitwise_xor";
}

std::string to_string(const Tree& tree) {
    const auto list = [](const auto& parts, const auto& text) {
        std::string all;
        for (const auto& part : parts) all += (all.empty() ? "" : ", ") + text(part);
        return all;
    };
    const auto expr = [](const Expr& e) { return symbolic::to_string(e); };
    switch (tree.kind) {
        case Tree::Kind::Read:
        case Tree::Kind::After:
        case Tree::Kind::Input:
            return tree.container + "[" + list(tree.indices, expr) + "]";
        case Tree::Kind::Constant:
            return tree.name;
        case Tree::Kind::Index:
            return expr(tree.indices[0]);
        case Tree::Kind::Fold:
            return tree.name + " over " + tree.container + "[" + list(tree.indices, expr) + "]";
        case Tree::Kind::Operand:
            return "all of operand " + tree.name;
        case Tree::Kind::Unknown:
            return "? (" + tree.name + ")";
        case Tree::Kind::Apply:
            return tree.name + "(" + list(tree.operands, [](const TreePtr& operand) { return to_string(*operand); }) + ")";
    }
    return "";
}

}  // namespace sluice::certify
