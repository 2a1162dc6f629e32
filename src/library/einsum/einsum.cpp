#include "library/einsum/einsum.h"

#include <algorithm>
#include <cctype>
#include <map>

#include "library/contraction/contraction.h"

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

}  // namespace

void expand_einsum(NodeContext& context) {
    const std::string text = context.factor("einsum_str", "");
    const std::size_t arrow = text.find("->");
    const std::vector<std::string> inputs = split(context, text.substr(0, arrow));
    std::map<std::string, ir::EdgeId> edges;
    Contraction contraction;
    std::string output;
    for (const auto& [id, edge] : context.state.edges) {
        if (edge.memlet.empty()) continue;
        if (edge.src == context.node) contraction.output.edge = id, output = edge.src_connector;
        if (edge.dst == context.node) edges.emplace(edge.dst_connector, id);
    }
    contraction.beta = context.factor("beta", "0");
    edges.erase(output);  // what the output holds before
    if (edges.size() != inputs.size() || !contraction.output.edge.valid())
        context.refuse("B002", "Einsum `" + text + "` has " + std::to_string(edges.size()) + " inputs",
                       "connect one for each operand");
    auto letters = inputs.begin();
    for (const auto& [connector, edge] : edges) contraction.inputs.push_back({edge, *letters++});
    contraction.output.letters = arrow == std::string::npos ? implicit_output(inputs) : split(context, text.substr(arrow + 2))[0];
    contraction.alpha = context.factor("alpha", "1");
    expand_contraction(context, contraction);
}

}  // namespace sluice::library
