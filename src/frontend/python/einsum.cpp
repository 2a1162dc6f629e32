// np.einsum: an Einsum node; transposition and a diagonal of one operand are views, as in NumPy.
#include <algorithm>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

namespace {

struct Letters {
    std::vector<std::string> inputs;
    std::string output;
};

/// `ij,jk->ik`; without an arrow the letters that occur once, sorted.
Letters letters_of(std::string text, const Span& span) {
    std::erase(text, ' ');
    const std::size_t arrow = text.find("->");
    Letters letters{{{}}, {}};
    for (const char c : text.substr(0, arrow)) {
        if (c == ',')
            letters.inputs.emplace_back();
        else if (std::isalpha(static_cast<unsigned char>(c)))
            letters.inputs.back() += c;
        else
            unsupported("the subscripts `" + text + "` of einsum", span, "name every dimension by a letter");
    }
    if (arrow != std::string::npos) {
        letters.output = text.substr(arrow + 2);
        return letters;
    }
    std::map<char, int> times;
    for (const std::string& input : letters.inputs)
        for (const char letter : input) ++times[letter];
    for (const auto& [letter, count] : times)
        if (count == 1) letters.output += letter;
    return letters;
}

}  // namespace

/// The sizes of the letters. F004, F005: operands and subscripts do not go together.
std::map<char, Expr> Translator::sizes_of_letters(const std::vector<std::string>& letters, const std::vector<Value>& operands,
                                                  const Span& span) {
    std::map<char, Expr> sizes;
    if (letters.size() != operands.size())
        refuse("F005",
               "einsum has " + std::to_string(operands.size()) + " operands for " + std::to_string(letters.size()) + " subscripts",
               span, "give one group of letters for each operand");
    for (std::size_t at = 0; at < operands.size(); ++at) {
        if (!operands[at].is_elements() || operands[at].rank() != letters[at].size())
            refuse("F005", "einsum: operand " + std::to_string(at) + " does not have the dimensions `" + letters[at] + "`", span,
                   "give one letter for each dimension");
        for (std::size_t dim = 0; dim < letters[at].size(); ++dim) {
            const auto [known, fresh] = sizes.emplace(letters[at][dim], operands[at].shape[dim]);
            if (!fresh)
                require_equal(known->second, operands[at].shape[dim],
                              std::string("einsum: the dimensions named ") + letters[at][dim], span);
        }
    }
    return sizes;
}

std::optional<Value> Translator::call_einsum(const std::string& name, const Arguments& arguments) {
    if (name != "numpy.einsum") return std::nullopt;
    const Span& span = arguments.span();
    const std::string* text = text_of(arguments.at("subscripts"));
    if (!text)
        unsupported("einsum without a text of subscripts", span, "write the subscripts as text: np.einsum('ij,jk->ik', A, B)");
    arguments.given("optimize");  // An order of products is no part of their meaning.
    const Letters letters = letters_of(*text, span);
    std::vector<Value> operands = evaluate_all(arguments.more());
    Type type{DType(Scalar::Bool), true};
    for (Value& operand : operands) {
        operand = as_array(operand, span);
        type = code::promote(type, Type{operand.type.dtype, false});
    }
    const std::map<char, Expr> sizes = sizes_of_letters(letters.inputs, operands, span);
    std::vector<Expr> shape;
    for (const char letter : letters.output) {
        if (!sizes.contains(letter) || std::ranges::count(letters.output, letter) > 1)
            refuse("F005", std::string("einsum: the output's letter ") + letter + " is in no operand, or twice in the output", span,
                   "use letters of the operands, each once");
        shape.push_back(sizes.at(letter));
    }
    if (operands.size() == 1 && as_view(operands[0])) {
        const std::string& input = letters.inputs[0];
        if (input.size() == letters.output.size() && !input.empty()) {
            std::vector<std::int64_t> axes;
            for (const char letter : letters.output) axes.push_back(static_cast<std::int64_t>(input.find(letter)));
            return into_out(arguments, transpose(operands[0], axes, span), Fit::SafeType);
        }
        if (input.size() == 2 && input[0] == input[1] && letters.output.size() == 1)
            return into_out(arguments, diagonal(operands[0], 0, 0, 1, span), Fit::SafeType);
    }
    if (type.dtype == DType(Scalar::Bool) || type.dtype == DType(Scalar::Float16))
        unsupported("einsum of this element type", span, "convert the operands: x.astype(np.int64)");
    hint_.reset();
    name_.clear();
    std::vector<std::pair<std::string, Value>> inputs;
    for (std::size_t at = 0; at < operands.size(); ++at) {
        if (operands[at].rank() == 0) unsupported("einsum of a number", span, "multiply by it");
        inputs.emplace_back("_" + std::string(1, static_cast<char>('a' + at)), matrix_operand(operands[at], "operand"));
    }
    const bool single = shape.empty();
    Value place = read_container(add_temporary("einsum", type.dtype, single ? std::vector<Expr>{1} : shape));
    std::string subscripts;
    for (const std::string& input : letters.inputs) subscripts += (subscripts.empty() ? "" : ",") + input;
    run_operation("Einsum", "dace.libraries.blas.nodes.einsum.Einsum", inputs, {{"_out", place}}, span,
                  {{"einsum_str", subscripts + "->" + letters.output}});
    if (single) {
        place = substitute(place, {{iteration_name(0), Expr(0)}});
        place.shape.clear();
    }
    return into_out(arguments, place, Fit::SafeType);
}

}  // namespace sluice::frontend
