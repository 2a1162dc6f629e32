// Library nodes: MatMul of `@`, np.dot and np.matmul, where an inner product is accumulated where it is computed; the operations
// that the prelude asks for by name.
#include <algorithm>
#include <numeric>

#include "frontend/python/diagnostics.h"
#include "frontend/python/syntax.h"
#include "frontend/python/translator.h"
#include "library/registry.h"

namespace sluice::frontend {

using namespace code;
using symbolic::Subset;

namespace {

/// A container, or a slice that keeps all its dimensions in their order: what a memlet of a library node can say.
bool is_in_order(const Value& value) {
    const Operand* view = as_view(value);
    if (!view || view->index.size() != value.rank()) return false;
    const auto subset = subset_of_view(*view, value.shape);
    if (!subset) return false;
    for (std::size_t dim = 0; dim < value.rank(); ++dim)
        if (!subset->dims[dim].step.is_integer(1) ||
            (!value.shape[dim].is_integer(1) && !symbolic::depends_on(view->index[dim], iteration_of(dim, value.rank()).name())))
            return false;
    return true;
}

/// Pairs of sizes that have one name in the form that has operands of these ranks.
std::vector<std::pair<Expr, Expr>> equal_sizes(const library::Operation& operation, const NamedValues& operands) {
    const auto has_ranks = [&](const library::Form& form) {
        return std::ranges::equal(
            form.inputs, operands, {}, [](const auto& one) { return one.sizes.size(); },
            [](const auto& one) { return one.second.rank(); });
    };
    const auto form = std::ranges::find_if(operation.forms, has_ranks);
    std::vector<std::pair<Expr, Expr>> result;
    std::map<std::string, Expr> known;
    for (std::size_t at = 0; form != operation.forms.end() && at < operands.size(); ++at)
        for (std::size_t dim = 0; dim < form->inputs[at].sizes.size(); ++dim) {
            const Expr& extent = operands[at].second.shape[dim];
            const auto [size, added] = known.emplace(form->inputs[at].sizes[dim], extent);
            if (!added) result.emplace_back(size->second, extent);
        }
    return result;
}

}  // namespace

/// An operand that a library node can read.
Value Translator::matrix_operand(const Value& value, const std::string& base) {
    return is_in_order(value) ? value : materialise(value, base);
}

/// A library node over operands that lie in memory (matrix_operand), into places.
void Translator::run_operation(const std::string& operation, const std::string& classpath, const NamedValues& operands,
                               const NamedValues& results, const Span& span,
                               const std::map<std::string, ir::Property>& properties) {
    ir::LibraryNode node;
    node.operation = operation;
    node.classpath = classpath;
    node.label = operation == "MatMul" ? "product" : operation;
    node.properties = properties;
    PlannedCode code{node, {}, {}, span};
    const auto whole = [&](const Value& v) { return subset_memlet(as_view(v)->data, *subset_of_view(*as_view(v), v.shape)); };
    for (const auto& [connector, operand] : operands) code.in.push_back({connector, whole(operand)});
    for (const auto& [connector, place] : results) code.out.push_back({connector, whole(place)});
    emit_state(node.label, {std::move(code)});
}

/// `_operation('Solve', (a, b), (b.shape, ()))`: what an operation makes of arrays, in new arrays of these shapes; a tuple where
/// there are several. They have the type that the contract gives them, or the operands' where it knows one type, else they are
/// places, int64. What an operation updates has no shape here: it stays in its place. A text behind the shapes is the distribution
/// that the operation draws from.
Value Translator::call_operation(const Arguments& arguments) {
    const Span& span = arguments.span();
    const std::string name = *text_of(arguments.at("name"));
    const library::Operation* operation = library::operations().find(name);
    const std::vector<ExprPtr> inputs = elements_of(arguments.at("inputs")), shapes = elements_of(arguments.at("shapes"));
    const auto updates = [](const library::Form& form, const std::string& connector) {
        return std::ranges::find(form.inputs, connector, &library::FormOperand::connector) != form.inputs.end();
    };
    const std::string* distribution = arguments.find("distribution") ? text_of(arguments.at("distribution")) : nullptr;
    std::map<std::string, ir::Property> properties;
    if (distribution) properties.emplace("distribution", *distribution);
    const auto fits = [&](const library::Form& form) {
        const auto made = std::ranges::count_if(form.outputs, [&](const auto& one) { return !updates(form, one.connector); });
        return form.inputs.size() == inputs.size() && static_cast<std::size_t>(made) == shapes.size() &&
               (!distribution || form.properties == properties);
    };
    const auto form = std::ranges::find_if(operation->forms, fits);
    check(form != operation->forms.end(), "no form of ", name, " has so many operands");
    hint_.reset();
    name_.clear();
    NamedValues operands, results;
    for (std::size_t at = 0; at < inputs.size(); ++at) {
        const Value given = evaluate(inputs[at]);
        if (given.kind == Value::Kind::Generator) {
            operands.emplace_back(form->inputs[at].connector, read_container(given.stream));
            continue;
        }
        const Value array = as_array(given, span);  // A number may be an argument, which has no address.
        const Value operand = array.rank() == 0 ? materialise(settled(array), "operand") : matrix_operand(array, "operand");
        operands.emplace_back(form->inputs[at].connector, operand);
    }
    const auto type_of = [&](const std::string& connector) {
        const auto own = operation->operand_types.find(connector);
        if (own != operation->operand_types.end()) return DType(own->second);
        return operation->one_type ? strong(operands[0].second.type) : DType(Scalar::Int64);
    };
    for (const auto& [connector, operand] : operands)
        if (!operation->operand_types.contains(connector) && !operation->types.empty() &&
            std::ranges::count(operation->types, operand.type.dtype.scalar) == 0)
            unsupported(name + " of elements " + code::to_string(operand.type.dtype), span, "convert them with astype");
    for (const auto& [one, other] : equal_sizes(*operation, operands)) require_equal(one, other, name, span);
    std::vector<Value> made;
    for (const auto& [connector, sizes] : form->outputs) {
        if (updates(*form, connector)) {
            const auto operand = std::ranges::find(operands, connector, &NamedValues::value_type::first);
            results.push_back(*operand);
            note_written(as_view(operand->second)->data);
            continue;
        }
        made.push_back(read_container(add_temporary("result", type_of(connector), shape_argument(shapes[made.size()]))));
        results.emplace_back(connector, made.back());
    }
    run_operation(name, {}, operands, results, span, properties);
    return made.size() == 1 ? made[0] : tuple(std::move(made));
}

Value Translator::product(const Value& left, const Value& right, const Span& span) {
    if (!left.is_elements() || !right.is_elements()) refuse("F009", "a product needs arrays", span, "multiply arrays");
    const auto multiply = [&](const Value& a, const Value& b) {
        return combine({a, b}, span, [&](const auto& c) { return make_binary(BinaryOp::Mul, c[0], c[1], span); });
    };
    if (left.rank() == 0 || right.rank() == 0) return multiply(left, right);
    const Expr inner = left.shape.back();
    const Expr other = right.rank() == 1 ? right.shape[0] : right.shape[right.rank() - 2];
    if (!same_size(inner, other) && (inner.is_integer(1) || other.is_integer(1) ||
                                     symbolic::is_no(symbolic::decide(symbolic::equal(inner, other), assumptions_))))
        refuse("F004", "inner sizes " + symbolic::to_string(inner) + " and " + symbolic::to_string(other) + " of a product differ",
               span, "transpose one operand or correct its shape");
    require_equal(inner, other, "a product", span);
    const DType type = code::promote(strong(left.type), strong(right.type));
    if (left.rank() == 1 && right.rank() == 1) {
        const bool truths = type == DType(Scalar::Bool);
        return reduce(multiply(left, right), truths ? "any" : "sum",
                      {.axes = {0}, .keepdims = false, .initial = {}, .where = {}, .dtype = type}, span);
    }
    const std::optional<Target> hint = std::exchange(hint_, std::nullopt);
    const std::string name = std::exchange(name_, {});
    // BLAS reads a matrix along either dimension.
    const auto transposed = [&](const Value& value) {
        std::vector<std::int64_t> axes(value.rank());
        std::iota(axes.begin(), axes.end(), 0);
        std::swap(axes[value.rank() - 2], axes[value.rank() - 1]);
        return transpose(value, axes, span);
    };
    const auto turned = [&](const Value& value) {
        return value.rank() >= 2 && !is_in_order(value) && is_in_order(transposed(value));
    };
    const bool turn_left = turned(left), turn_right = turned(right);
    const Value a = turn_left ? transposed(left) : matrix_operand(left, "left");
    const Value b = turn_right ? transposed(right) : matrix_operand(right, "right");
    hint_ = hint;
    name_ = name;
    std::vector<Expr> shape;
    if (left.rank() > 2 || right.rank() > 2) {
        const auto outer = [](const Value& v) {
            return v.rank() > 2 ? std::vector<Expr>(v.shape.begin(), v.shape.end() - 2) : std::vector<Expr>();
        };
        shape = broadcast({outer(left), outer(right)}, span);
    }
    if (left.rank() > 1) shape.push_back(left.shape[left.rank() - 2]);
    if (right.rank() > 1) shape.push_back(right.shape.back());
    Value place = result_place("product", type, shape, {a, b});
    if (!is_in_order(place)) {
        hint_.reset();
        place = result_place("product", type, shape, {a, b});
    }
    run_operation("MatMul", "dace.libraries.blas.nodes.matmul.MatMul", {{"_a", a}, {"_b", b}}, {{"_c", place}}, span,
                  {{"transA", turn_left}, {"transB", turn_right}});
    return place;
}

}  // namespace sluice::frontend
