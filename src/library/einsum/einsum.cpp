// Einsum: the product of its inputs, in the order of their connectors, as `einsum_str` says: `ij,jk->ik`, or `ij,jk`, whose output
// has the letters that occur once, sorted.
#include <cctype>

#include "library/shared/sum_of_products.h"

namespace sluice::library {

namespace {

/// `ij,jk` -> `ij`, `jk`; blanks do not count.
std::vector<std::string> split(const NodeContext& context, const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == ',')
            parts.emplace_back();
        else if (std::isalpha(static_cast<unsigned char>(c)))
            parts.back() += c;
        else if (c != ' ')
            context.refuse("B003", "the text `" + text + "` of Einsum has letters and commas only",
                           "name every dimension by a letter");
    }
    return parts;
}

std::string implicit_output(const std::vector<std::string>& inputs) {
    std::map<char, int> count;
    for (const std::string& letters : inputs)
        for (const char letter : letters) ++count[letter];
    std::string result;
    for (const auto& [letter, times] : count)
        if (times == 1) result += letter;
    return result;
}

FormOperand operand_of(const std::string& connector, const std::string& letters) {
    FormOperand operand{connector, {}};
    for (const char letter : letters) operand.sizes.emplace_back(1, letter);
    return operand;
}

std::vector<Form> forms_of_einsum(const NodeContext& context) {
    const std::string text = context.factor("einsum_str", "");
    const std::size_t arrow = text.find("->");
    const std::vector<std::string> inputs = split(context, text.substr(0, arrow));
    std::string output;
    std::map<std::string, ir::EdgeId> edges;
    for (const auto& [id, edge] : context.state.edges) {
        if (edge.memlet.empty()) continue;
        if (edge.src == context.node) output = edge.src_connector;
        if (edge.dst == context.node) edges.emplace(edge.dst_connector, id);
    }
    edges.erase(output);  // what the output holds before
    if (edges.size() != inputs.size() || output.empty())
        context.refuse("B002", "Einsum `" + text + "` has " + std::to_string(edges.size()) + " inputs",
                       "connect one for each operand");
    Form form;
    auto letters = inputs.begin();
    for (const auto& [connector, edge] : edges) form.inputs.push_back(operand_of(connector, *letters++));
    const std::string result = arrow == std::string::npos ? implicit_output(inputs) : split(context, text.substr(arrow + 2))[0];
    for (const char letter : result)
        if (text.substr(0, arrow).find(letter) == std::string::npos)
            context.refuse("B003", std::string("no input of Einsum has the output's letter ") + letter,
                           "use letters of the inputs in the output");
    form.outputs.push_back(operand_of(output, result));
    return {form};
}

}  // namespace

Operation einsum() {
    const auto text = [](const char* value) { return std::map<std::string, ir::Property>{{"einsum_str", std::string(value)}}; };
    return {.name = "Einsum",
            .classpath = "dace.libraries.blas.nodes.einsum.Einsum",
            .summary = "The product of its inputs, summed over the letters that the output lacks.",
            .forms = {form("_a[I, J], _b[J, K] -> _c[I, K]", text("ij,jk->ik")), form("_a[I, I] -> _c", text("ii->")),
                      form("_a[I, J], _b[J] -> _c[J, I]", text("ij,j->ji")),
                      form("_a[I], _b[J], _c[I, J] -> _d[I]", text("i,j,ij->i"))},
            .forms_of = forms_of_einsum,
            .properties = {{"einsum_str", std::string(), "The letters of the operands: `ij,jk->ik`."},
                           {"alpha", std::int64_t{1}, "Factor of the products."},
                           {"beta", std::int64_t{0}, "Factor of what the output holds before."}},
            .update_factor = "beta",
            .flops = multiply_and_add,
            .reference = sum_of_products,
            .expansions = {native_sum_of_products(), sums_in_blocks()}};
}

}  // namespace sluice::library
