// np.einsum: an Einsum node; transposition and a diagonal of one operand are views, as in NumPy.
#include <algorithm>
#include <functional>

#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/texts.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

using namespace code;

namespace {

constexpr char kRest = '.';  // The dimensions that `...` stands for.

struct Subscripts {
    std::vector<std::string> inputs;
    std::optional<std::string> output;
};

/// `ij,jk->ik`
Subscripts subscripts_of(std::string text, const Span& span) {
    std::erase(text, ' ');
    for (std::size_t at = 0; (at = text.find("...")) != std::string::npos;) text.replace(at, 3, 1, kRest);
    const std::size_t arrow = text.find("->");
    Subscripts result{{{}}, std::nullopt};
    if (arrow != std::string::npos) result.output = text.substr(arrow + 2);
    for (const char c : text.substr(0, arrow)) {
        if (c == ',')
            result.inputs.emplace_back();
        else if (c == kRest || std::isalpha(static_cast<unsigned char>(c)))
            result.inputs.back() += c;
        else
            unsupported("the subscripts `" + text + "` of einsum", span, "name every dimension by a letter");
    }
    return result;
}

/// `[0, 1]` of `np.einsum(a, [0, 1], b, [1, 2], [0, 2])`: as letters.
std::string letters_of_list(const ExprPtr& list) {
    std::string letters;
    for (const ExprPtr& one : elements_of(list)) {
        const auto* constant = std::get_if<ConstantExpr>(&one->node);
        const auto* number = constant ? std::get_if<std::int64_t>(&constant->value) : nullptr;
        const bool rest = constant && std::holds_alternative<EllipsisValue>(constant->value);
        if (!rest && (!number || *number < 0 || *number > 25))
            unsupported("these indices of einsum", list->span, "name the dimensions by integers below 26: [0, 1]");
        letters += rest ? kRest : static_cast<char>('a' + *number);
    }
    return letters;
}

/// The letters that occur once, sorted, behind the dimensions of `...`.
std::string usual_output(const Subscripts& subscripts) {
    std::map<char, int> times;
    std::string output;
    for (const std::string& input : subscripts.inputs)
        for (const char letter : input) ++times[letter];
    for (const auto& [letter, count] : times)
        if (count == 1 || letter == kRest) output += letter;
    return output;
}

/// Letters in place of `...`, the same for dimensions that are broadcast together: they count from the last one. A dimension of one
/// element beside others has none: the operand is read at its only index there.
void name_rest(Subscripts& subscripts, std::vector<Value>& operands, const std::function<Value(const Value&, std::size_t)>& without,
               const Span& span) {
    std::string unused;
    for (char letter = 'A'; letter <= 'Z'; ++letter)
        if (std::ranges::none_of(subscripts.inputs, [&](const std::string& one) { return one.find(letter) != std::string::npos; }))
            unused += letter;
    const auto rest_of = [&](std::size_t at) {
        const std::size_t named = subscripts.inputs[at].size() - 1, rank = operands[at].rank();
        if (std::ranges::count(subscripts.inputs[at], kRest) > 1 || rank < named || rank - named > unused.size())
            refuse("F005", "einsum: operand " + std::to_string(at) + " does not have the dimensions that it is given", span,
                   "give one letter for each dimension, and `...` once");
        return rank - named;
    };
    std::size_t longest = 0;
    std::vector<bool> larger(unused.size());  // Dimensions, from the last one on, that may have more than one element.
    for (std::size_t at = 0; at < operands.size(); ++at) {
        const std::size_t begin = subscripts.inputs[at].find(kRest);
        if (begin == std::string::npos) continue;
        const std::size_t rest = rest_of(at);
        longest = std::max(longest, rest);
        for (std::size_t dim = 0; dim < rest; ++dim)
            if (!operands[at].shape[begin + rest - 1 - dim].is_integer(1)) larger[dim] = true;
    }
    for (std::size_t at = 0; at < operands.size(); ++at) {
        std::string& input = subscripts.inputs[at];
        const std::size_t begin = input.find(kRest);
        if (begin == std::string::npos) continue;
        const std::size_t rest = rest_of(at);
        std::string letters;
        for (std::size_t dim = rest, place = begin; dim-- > 0;)
            if (operands[at].shape[place].is_integer(1) && larger[dim]) {
                operands[at] = without(operands[at], place);
            } else {
                letters += unused[dim];
                ++place;
            }
        input.replace(begin, 1, letters);
    }
    std::string& output = *subscripts.output;
    const std::size_t begin = output.find(kRest);
    if (begin == std::string::npos) {
        if (longest > 0) refuse("F005", "einsum: the output lacks the dimensions of `...`", span, "write `...` there, too");
        return;
    }
    std::string letters;
    for (std::size_t dim = longest; dim-- > 0;) letters += unused[dim];
    output.replace(begin, 1, letters);
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
    arguments.given("optimize");  // An order of products is no part of their meaning.
    std::vector<ExprPtr> expressions = arguments.more();
    Subscripts letters;
    if (const auto text = Texts(*this).known(arguments.at("subscripts"))) {
        letters = subscripts_of(*text, span);
    } else {
        std::vector<ExprPtr> given{arguments.at("subscripts")};
        given.insert(given.end(), expressions.begin(), expressions.end());
        expressions.clear();
        for (std::size_t at = 0; at + 1 < given.size(); at += 2) {
            expressions.push_back(given[at]);
            letters.inputs.push_back(letters_of_list(given[at + 1]));
        }
        if (given.size() % 2 == 1) letters.output = letters_of_list(given.back());
    }
    if (!letters.output) letters.output = usual_output(letters);
    std::vector<Value> operands = evaluate_all(expressions);
    Type type{DType(Scalar::Bool), true};
    for (Value& operand : operands) {
        operand = as_array(operand, span);
        type = code::promote(type, Type{operand.type.dtype, false});
    }
    if (letters.inputs.size() == operands.size()) {
        const auto without = [&](const Value& array, std::size_t dim) {
            return squeeze(array, std::vector{static_cast<std::int64_t>(dim)}, span);
        };
        name_rest(letters, operands, without, span);
    }
    const std::map<char, Expr> sizes = sizes_of_letters(letters.inputs, operands, span);
    std::vector<Expr> shape;
    for (const char letter : *letters.output) {
        if (!sizes.contains(letter) || std::ranges::count(*letters.output, letter) > 1)
            refuse("F005", std::string("einsum: the output's letter ") + letter + " is in no operand, or twice in the output", span,
                   "use letters of the operands, each once");
        shape.push_back(sizes.at(letter));
    }
    if (operands.size() == 1 && as_view(operands[0])) {
        const std::string& input = letters.inputs[0];
        if (input.size() == letters.output->size() && !input.empty()) {
            std::vector<std::int64_t> axes;
            for (const char letter : *letters.output) axes.push_back(static_cast<std::int64_t>(input.find(letter)));
            return into_out(arguments, transpose(operands[0], axes, span), Fit::SafeType);
        }
        if (input.size() == 2 && input[0] == input[1] && letters.output->size() == 1)
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
                  {{"einsum_str", subscripts + "->" + *letters.output}});
    if (single) {
        place = substitute(place, {{iteration_name(0), Expr(0)}});
        place.shape.clear();
    }
    return into_out(arguments, place, Fit::SafeType);
}

}  // namespace sluice::frontend
