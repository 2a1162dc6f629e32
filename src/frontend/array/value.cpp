#include "frontend/array/value.h"

#include "code/print.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "ir/code_block.h"

namespace sluice::frontend {

code::DType strong(const code::Type& type) {
    return type.dtype;
}

using symbolic::Expr;

std::string Operand::id() const {
    if (whole || index.empty()) return data;
    std::string text = data + "[";
    for (std::size_t dim = 0; dim < index.size(); ++dim) text += (dim ? ", " : "") + symbolic::to_string(index[dim]);
    return text + "]";
}

std::string iteration_name(std::size_t from_last) {
    return "__r" + std::to_string(from_last);
}
Expr iteration(std::size_t from_last) {
    return symbolic::symbol(iteration_name(from_last));
}
Expr iteration_of(std::size_t dim, std::size_t rank) {
    return iteration(rank - 1 - dim);
}

Value number(code::ExprPtr literal, code::Type type) {
    Value value;
    value.type = std::move(type);
    value.code = std::move(literal);
    return value;
}
Value integer(std::int64_t value) {
    return number(make_integer(value), {code::Scalar::Int64, true});
}
Value symbolic_value(const Expr& e, const Span& span) {
    code::ExprPtr code = ir::to_code(e);
    if (span.known()) code = std::make_shared<const code::Expr>(code::Expr{code->node, span});
    return number(std::move(code), {code::Scalar::Int64, true});
}
Value none_value() {
    Value none;
    none.kind = Value::Kind::None;
    return none;
}

Value text_value(code::ExprPtr literal) {
    Value text;
    text.kind = Value::Kind::Text;
    text.code = std::move(literal);
    return text;
}

Value tuple(std::vector<Value> elements) {
    Value value;
    value.kind = Value::Kind::Tuple;
    value.elements = std::move(elements);
    return value;
}

Value whole_container(const std::string& data, const code::DType& dtype, const std::vector<Expr>& shape, bool scalar) {
    Operand operand{data, {}, false, dtype};
    Value value;
    value.type = {dtype, false};
    if (!scalar) {
        value.shape = shape;
        for (std::size_t dim = 0; dim < shape.size(); ++dim) operand.index.push_back(iteration_of(dim, shape.size()));
    }
    value.code = make_name(operand.id());
    value.operands.emplace(operand.id(), operand);
    return value;
}

Value with_axis(const Value& value, std::size_t axis) {
    const std::size_t behind = value.rank() - axis;
    symbolic::Substitution moved;
    for (std::size_t r = behind; r < value.rank(); ++r) moved.emplace(iteration_name(r), iteration(r + 1));
    Value result = substitute(value, moved);
    result.shape = value.shape;
    result.shape.insert(result.shape.begin() + static_cast<std::ptrdiff_t>(axis), Expr(1));
    return result;
}

bool can_cast(const code::Type& from, const code::DType& to) {
    const auto kind = [&](const code::DType& type) {
        if (type == code::DType(code::Scalar::Bool)) return 0;
        if (code::is_integer(type.scalar)) return code::is_signed(type.scalar) && !from.weak ? 2 : 1;
        return code::is_complex(type.scalar) ? 4 : 3;
    };
    return kind(from.dtype) <= kind(to);
}

// ---- substitution -------------------------------------------------------------------------------------------------------
Value substitute(const Value& value, const symbolic::Substitution& replacement) {
    return substitute_dynamic(value, replacement, {}, {});
}

Value substitute_dynamic(const Value& value, const symbolic::Substitution& replacement,
                         const std::map<std::string, code::ExprPtr>& dynamic, const std::map<std::string, Operand>& operands) {
    Value result = value;
    if (value.which)
        result.which = dynamic.empty() ? std::make_shared<const Value>(substitute(*value.which, replacement)) : nullptr;
    result.operands = operands;
    std::map<std::string, code::ExprPtr> names = dynamic;
    for (const auto& [name, with] : replacement) names.emplace(name, ir::to_code(with));
    for (const auto& [id, operand] : value.operands) {
        Operand moved = operand;
        bool computed = false;
        for (Expr& index : moved.index) {
            for (const auto& [name, code] : dynamic) computed = computed || symbolic::depends_on(index, name);
        }
        if (operand.whole || operand.index.empty()) {
            result.operands.emplace(id, operand);
            continue;
        }
        if (!computed) {
            for (Expr& index : moved.index) index = symbolic::substitute(index, replacement);
            names[id] = make_name(moved.id(), value.code->span);
        } else {
            std::vector<code::ExprPtr> index;
            for (const Expr& e : moved.index) index.push_back(replace_names(ir::to_code(e), names));
            moved.whole = true;
            moved.index.clear();
            names[id] = make_subscript(make_name(moved.id(), value.code->span), std::move(index), value.code->span);
        }
        result.operands.emplace(moved.id(), std::move(moved));
    }
    result.code = replace_names(value.code, names);
    return result;
}

// ---- views --------------------------------------------------------------------------------------------------------------
bool is_one_or_none(const Expr& size, const symbolic::Assumptions& known) {
    return !size.is_integer() && symbolic::is_yes(symbolic::decide(symbolic::less_equal(size, Expr(1)), known));
}

const Operand* as_view(const Value& value) {
    if (!value.is_elements() || value.operands.size() != 1) return nullptr;
    const Operand& operand = value.operands.begin()->second;
    if (operand.whole || name_of(value.code) != value.operands.begin()->first) return nullptr;
    return &operand;
}

const Operand* as_part(const Value& value) {
    const auto* call = value.is_elements() && value.rank() > 0 ? std::get_if<code::CallExpr>(&value.code->node) : nullptr;
    if (!call || call->arguments.size() != 1 || value.operands.size() != 1 || value.operands.begin()->second.whole) return nullptr;
    const std::string_view function = name_of(call->function);
    const bool part = function == "real" || function == "imag";
    return part && name_of(call->arguments[0]) == value.operands.begin()->first ? &value.operands.begin()->second : nullptr;
}

std::optional<symbolic::Subset> subset_of_view(const Operand& operand, const std::vector<Expr>& shape) {
    symbolic::Subset subset;
    std::vector<bool> used(shape.size(), false);
    for (const Expr& index : operand.index) {
        std::optional<std::size_t> over;
        for (std::size_t r = 0; r < shape.size(); ++r) {
            if (!symbolic::depends_on(index, iteration_name(r))) continue;
            if (over || used[r]) return std::nullopt;
            over = r;
        }
        if (!over) {
            subset.dims.push_back(symbolic::Range::index(index));
            continue;
        }
        used[*over] = true;
        const Expr begin = symbolic::substitute(index, {{iteration_name(*over), Expr(0)}});
        const Expr step = symbolic::substitute(index, {{iteration_name(*over), Expr(1)}}) - begin;
        if (!step.is_integer() || step.is_integer(0) || !(begin + step * iteration(*over) == index)) return std::nullopt;
        const Expr size = shape[shape.size() - 1 - *over];
        const Expr end = step.is_integer(1) ? begin + size : begin + step * (size - 1) + (step.integer() > 0 ? 1 : -1);
        subset.dims.push_back({begin, end, step, 1});
    }
    for (std::size_t r = 0; r < shape.size(); ++r)
        if (!used[r] && !shape[shape.size() - 1 - r].is_integer(1)) return std::nullopt;
    return subset;
}

bool is_identity(const Operand& operand, std::size_t rank) {
    if (operand.whole || operand.index.size() != rank) return false;
    for (std::size_t dim = 0; dim < rank; ++dim)
        if (!(operand.index[dim] == iteration_of(dim, rank))) return false;
    return true;
}

bool same_meaning(const Value& a, const Value& b) {
    if (a.kind != b.kind || a.stream != b.stream || a.elements.size() != b.elements.size()) return false;
    for (std::size_t at = 0; at < a.elements.size(); ++at)
        if (!same_meaning(a.elements[at], b.elements[at])) return false;
    if (a.kind == Value::Kind::Function)
        return a.function == b.function && a.program == b.program &&
               (!a.code || code::to_string(*a.code) == code::to_string(*b.code));
    if (a.kind == Value::Kind::Text) return code::to_string(*a.code) == code::to_string(*b.code);
    if (!a.is_elements()) return a.list == b.list && a.keys == b.keys && a.of_list == b.of_list && a.of_keys == b.of_keys;
    if ((a.which == nullptr) != (b.which == nullptr) || (a.which && !same_meaning(*a.which, *b.which))) return false;
    return a.type == b.type && a.of_rank_0 == b.of_rank_0 && a.shape == b.shape && a.list == b.list &&
           code::to_string(*a.code) == code::to_string(*b.code);
}

std::int64_t type_code(const code::Type& type) {
    return (type.weak ? 0 : 2) + (code::is_floating(type.dtype.scalar) ? 1 : 0);
}

void add_types_of(Value& value, const Value& other) {
    const auto which = value.which && other.which && same_meaning(*value.which, *other.which) ? value.which : nullptr;
    const auto add = [&](const code::Type& type) {
        if (!(type == value.type) && std::ranges::find(value.other_types, type) == value.other_types.end())
            value.other_types.push_back(type), value.which = nullptr;
    };
    add(other.type);
    for (const code::Type& type : other.other_types) add(type);
    if (which) value.which = which;
    value.type_sources.insert(other.type_sources.begin(), other.type_sources.end());
}

void add_value_symbols(const Value& value, std::set<std::string>& symbols) {
    for (const Value& element : value.elements) add_value_symbols(element, symbols);
    if (value.which) add_value_symbols(*value.which, symbols);
    if (!value.is_elements()) return;
    for (const Expr& extent : value.shape) symbols.merge(symbolic::free_symbols(extent));
    for (const auto& [id, operand] : value.operands)
        for (const Expr& index : operand.index) symbols.merge(symbolic::free_symbols(index));
    if (value.is_symbolic()) symbols.merge(ir::free_names(*value.code));
}

void refuse_array_truth(const Value& value, const Span& span) {
    if (!value.is_elements()) unsupported("the truth of this value", span, "compare numbers");
    if (value.rank() > 0)
        refuse("F004", "a condition must be one value: the truth of an array is ambiguous", span,
               "use np.any(...) or np.all(...), or & and | for each element");
}

}  // namespace sluice::frontend
