#include "library/shared/batched_product.h"

#include <algorithm>

namespace sluice::library {

namespace {

/// Names of an operand's leading dimensions: right-aligned with those of the result, `1` where it has size 1.
std::vector<std::string> leading(const Operand& operand, std::size_t batch) {
    std::vector<std::string> sizes;
    const std::size_t own = operand.shape.size() > 2 ? operand.shape.size() - 2 : 0;
    for (std::size_t dim = 0; dim < own; ++dim)
        sizes.push_back(operand.shape[dim].is_integer(1) ? "1" : "B" + std::to_string(batch - own + dim));
    return sizes;
}

Form form_of(const Operand& a, const Operand& b, bool trans_a, bool trans_b) {
    const bool row = a.shape.size() == 1, column = b.shape.size() == 1;
    const auto batches = [](const Operand& one) { return one.shape.size() > 2 ? one.shape.size() - 2 : 0; };
    const std::size_t batch = std::max(batches(a), batches(b));
    FormOperand left{"_a", leading(a, batch)}, right{"_b", leading(b, batch)}, result{"_c", {}};
    // A dimension that has size 1 in both operands has no name there.
    for (std::size_t dim = 0; dim < batch; ++dim) {
        const std::string name = "B" + std::to_string(dim);
        const bool named = std::ranges::count(left.sizes, name) + std::ranges::count(right.sizes, name) > 0;
        result.sizes.push_back(named ? name : "1");
    }
    const auto add = [](FormOperand& operand, std::vector<std::string> sizes, bool transposed) {
        if (transposed) std::ranges::reverse(sizes);
        operand.sizes.insert(operand.sizes.end(), sizes.begin(), sizes.end());
    };
    row ? add(left, {"K"}, false) : add(left, {"M", "K"}, trans_a);
    column ? add(right, {"K"}, false) : add(right, {"K", "N"}, trans_b);
    if (!row) add(result, {"M"}, false);
    if (!column) add(result, {"N"}, false);
    return {.inputs = {left, right}, .outputs = {result}};
}

/// Candidates, best first: single indices of the operands' subsets count as dimensions of size 1, or not at all.
std::vector<Form> product_forms(const NodeContext& context) {
    const ir::EdgeId a = context.input("_a"), b = context.input("_b");
    const bool trans_a = context.flag("transA"), trans_b = context.flag("transB");
    const auto readings = [&](ir::EdgeId edge) {
        std::vector<Operand> found;
        for (const std::size_t rank : {context.subset(edge).rank(), std::size_t{0}}) {
            Operand operand = context.operand(edge, context.dims(edge, rank));
            if (found.empty() || found[0].shape.size() != operand.shape.size()) found.push_back(std::move(operand));
        }
        return found;
    };
    std::vector<Form> forms;
    for (const Operand& left : readings(a))
        for (const Operand& right : readings(b))
            if (!left.shape.empty() && !right.shape.empty()) forms.push_back(form_of(left, right, trans_a, trans_b));
    if (forms.empty()) context.refuse("B003", "a product needs arrays", "connect vectors or matrices");
    return forms;
}

}  // namespace

Operation batched_product(std::string name, std::string classpath, std::string summary) {
    return {.name = std::move(name),
            .classpath = std::move(classpath),
            .summary = std::move(summary),
            .forms = {},
            .forms_of = product_forms,
            .properties = {{"alpha", std::int64_t{1}, "Factor of the product."},
                           {"beta", std::int64_t{0}, "Factor of what the output holds before."},
                           {"transA", false, "The left matrices are transposed."},
                           {"transB", false, "The right matrices are transposed."}},
            .connector_aliases = {{"_cin", "_c"}},
            .update_factor = "beta",
            .flops = multiply_and_add,
            .reference = sum_of_products};
}

}  // namespace sluice::library
