// Operations of the library that the prelude calls by name.
#include <algorithm>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/translator.h"
#include "library/registry.h"

namespace sluice::frontend {

using namespace code;

namespace {

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
}  // namespace sluice::frontend
