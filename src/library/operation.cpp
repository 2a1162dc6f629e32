#include "library/operation.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "library/typed_number.h"

namespace sluice::library {

// ---- forms --------------------------------------------------------------------------------------------------------------
namespace {

/// Reads `_a[M, K], _b[K, N] -> _c[M, N]`.
class FormReader {
public:
    explicit FormReader(const std::string& text) : text_(text) {}

    Form read() {
        Form form;
        if (!takes("->")) {
            do form.inputs.push_back(operand());
            while (takes(","));
            if (!takes("->")) refuse("`->` and the outputs");
        }
        do form.outputs.push_back(operand());
        while (takes(","));
        blanks();
        if (at_ != text_.size()) refuse("a comma or the end");
        return form;
    }

private:
    void blanks() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool takes(const std::string& token) {
        blanks();
        if (text_.compare(at_, token.size(), token) != 0) return false;
        at_ += token.size();
        return true;
    }
    std::string word(const char* what) {
        blanks();
        const std::size_t begin = at_;
        while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_')) ++at_;
        if (begin == at_) refuse(what);
        return text_.substr(begin, at_ - begin);
    }
    FormOperand operand() {
        FormOperand operand{.connector = word("a connector"), .sizes = {}};
        if (!takes("[")) return operand;
        do operand.sizes.push_back(word("a size"));
        while (takes(","));
        if (!takes("]")) refuse("`]`");
        return operand;
    }
    [[noreturn]] void refuse(const std::string& expected) const {
        fail({.code = "B006",
              .message = fmt::format("the form `{}` has no {} at column {}", text_, expected, at_ + 1),
              .where = {},
              .path = {},
              .remedy = "write it as `_a[M, K], _b[K, N] -> _c[M, N]`",
              .notes = {}});
    }

    const std::string& text_;
    std::size_t at_ = 0;
};

}  // namespace

Result<Form> parse_form(const std::string& text) {
    return capture([&] { return FormReader(text).read(); });
}

Form form(const std::string& text, std::map<std::string, ir::Property> properties) {
    Form parsed = parse_form(text).or_fail();
    parsed.properties = std::move(properties);
    return parsed;
}

std::string to_string(const Form& form) {
    const auto joined = [](const std::vector<FormOperand>& operands) {
        std::vector<std::string> texts;
        for (const FormOperand& one : operands)
            texts.push_back(one.sizes.empty() ? one.connector : fmt::format("{}[{}]", one.connector, fmt::join(one.sizes, ", ")));
        return fmt::format("{}", fmt::join(texts, ", "));
    };
    return joined(form.inputs) + " -> " + joined(form.outputs);
}

// ---- references ---------------------------------------------------------------------------------------------------------
ir::Number ReferenceCall::number(const std::string& property) const {
    const auto at = properties.find(property);
    check(at != properties.end(), "the reference asks for a property ", property, " that the contract does not have");
    if (const auto* v = std::get_if<std::int64_t>(&at->second)) return *v;
    if (const auto* v = std::get_if<double>(&at->second)) return *v;
    if (const auto* v = std::get_if<bool>(&at->second)) return std::int64_t{*v};
    if (const auto* v = std::get_if<ir::Expr>(&at->second)) {
        if (v->is_integer()) return v->integer();
        if (v->kind() == symbolic::Kind::Real) return v->real();
    }
    const auto* text = std::get_if<std::string>(&at->second);
    double value = 0;
    if (text && std::from_chars(text->data(), text->data() + text->size(), value).ec == std::errc{}) return value;
    fail({.code = "B005",
          .message = "the property " + property + " has no value that is known before the program runs",
          .where = {},
          .path = {},
          .remedy = "give it a number",
          .notes = {}});
}

namespace {

/// The index of an operand's element in row-major order, for values of the sizes' indices.
std::size_t element_at(const FormOperand& operand, const ir::Operand& data, const std::map<std::string, std::int64_t>& index) {
    std::size_t at = 0;
    for (std::size_t dim = 0; dim < operand.sizes.size(); ++dim) {
        const auto found = index.find(operand.sizes[dim]);
        const std::int64_t i = data.shape[dim] == 1 || found == index.end() ? 0 : found->second;
        at = at * static_cast<std::size_t>(data.shape[dim]) + static_cast<std::size_t>(i);
    }
    return at;
}

/// Calls `visit` for each combination of indices below the extents.
template <class Visit> void for_each_index(const std::map<std::string, std::int64_t>& extents, const Visit& visit) {
    std::map<std::string, std::int64_t> index;
    for (const auto& [name, extent] : extents) {
        if (extent == 0) return;
        index[name] = 0;
    }
    while (true) {
        visit(index);
        auto at = index.rbegin();
        for (; at != index.rend(); ++at) {
            if (++at->second < extents.at(at->first)) break;
            at->second = 0;
        }
        if (at == index.rend()) return;
    }
}

/// Every dimension of a size has that extent; of an input it may be 1 instead, which goes with all.
void check_extents(const ReferenceCall& call, const std::map<std::string, std::int64_t>& extents) {
    const auto check_operand = [&](const FormOperand& operand, bool spreads) {
        const std::vector<std::int64_t>& shape = call.operands.at(operand.connector).shape;
        for (std::size_t dim = 0; dim < operand.sizes.size(); ++dim) {
            const auto extent = extents.find(operand.sizes[dim]);
            if (extent == extents.end() || shape[dim] == extent->second || (spreads && shape[dim] == 1)) continue;
            fail({.code = "B003",
                  .message = fmt::format("{} has {} elements along dimension {}, where {} is {}", operand.connector, shape[dim],
                                         dim, operand.sizes[dim], extent->second),
                  .where = {},
                  .path = {},
                  .remedy = "give the operands sizes that go together",
                  .notes = {}});
        }
    };
    for (const FormOperand& operand : call.form.inputs) check_operand(operand, true);
    for (const FormOperand& operand : call.form.outputs) check_operand(operand, false);
}

}  // namespace

void sum_of_products(ReferenceCall& call) {
    const FormOperand& result = call.form.outputs.at(0);
    ir::Operand& out = call.output(result.connector);
    std::map<std::string, std::int64_t> extents, kept;
    const auto note = [&](const FormOperand& operand, std::map<std::string, std::int64_t>& into) {
        const ir::Operand& data = call.operands.at(operand.connector);
        for (std::size_t dim = 0; dim < operand.sizes.size(); ++dim)
            if (!std::isdigit(static_cast<unsigned char>(operand.sizes[dim][0]))) {
                std::int64_t& extent = into.emplace(operand.sizes[dim], data.shape[dim]).first->second;
                if (extent == 1) extent = data.shape[dim];
            }
    };
    for (const FormOperand& operand : call.form.inputs) note(operand, extents);
    note(result, kept);
    note(result, extents);
    check_extents(call, extents);
    // As NumPy's products: the operands' common type is that of the products and of the sum; the factors come last.
    code::DType common = call.input(call.form.inputs[0].connector).type;
    for (const FormOperand& operand : call.form.inputs) common = code::promote(common, call.input(operand.connector).type);
    std::vector<TypedNumber> sums(out.values.size(), {as_type(ir::Number(), common.scalar), {common, false}});
    for_each_index(extents, [&](const std::map<std::string, std::int64_t>& index) {
        std::optional<ir::Number> product;
        for (const FormOperand& operand : call.form.inputs) {
            const ir::Operand& data = call.input(operand.connector);
            const ir::Number next = as_type(data.values[element_at(operand, data, index)], common.scalar);
            product = product ? as_type(*product * next, common.scalar) : next;
        }
        ir::Number& sum = sums[element_at(result, out, index)].value;
        sum = as_type(sum + *product, common.scalar);
    });
    const auto is = [&](const char* property, double value) { return call.number(property).complex() == value; };
    const bool scales = call.properties.contains("alpha") && !is("alpha", 1),
               adds = call.properties.contains("beta") && !is("beta", 0);
    for (std::size_t at = 0; at < sums.size(); ++at) {
        if (scales) sums[at] = factor(call, "alpha") * sums[at];
        if (adds) sums[at] = sums[at] + factor(call, "beta") * element(out, at);
        out.values[at] = sums[at].value;
    }
}

std::string multiply_and_add(const Form& form) {
    std::vector<std::string> sizes;
    for (const FormOperand& operand : form.inputs)
        for (const std::string& size : operand.sizes)
            if (std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(size);
    return sizes.empty() ? "2" : fmt::format("2*{}", fmt::join(sizes, "*"));
}

}  // namespace sluice::library
