// Texts: values as code of tasklets, domains and layouts as the schedule's language reads them.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>

#include "tiramisu/record.h"

namespace tiramisu {

namespace {

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_part(char c) {
    return is_letter(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_name(const std::string& text) {
    return !text.empty() && is_letter(text[0]) && std::ranges::all_of(text, is_part);
}
std::string trimmed(std::string text) {
    text.erase(0, text.find_first_not_of(" \t\n"));
    text.erase(text.find_last_not_of(" \t\n") + 1);
    return text;
}

/// Each name replaced, or left where there is no other.
std::string renamed(const std::string& text, const std::function<std::optional<std::string>(const std::string&)>& by) {
    std::string made;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && is_part(text[end])) ++end;
        if (end == at || !is_letter(text[at])) {
            // A factor in front of a name, `2i`.
            const std::size_t digits =
                std::isdigit(static_cast<unsigned char>(text[at])) != 0 ? text.find_first_not_of("0123456789", at) : at + 1;
            const std::size_t next = std::min(digits, text.size());
            made += text.substr(at, next - at);
            if (next > at && std::isdigit(static_cast<unsigned char>(text[at])) != 0 && next < text.size() && is_letter(text[next]))
                made += "*";
            at = next;
            continue;
        }
        const std::string name = text.substr(at, end - at);
        made += by(name).value_or(name);
        at = end;
    }
    return made;
}

/// The texts between commas at the outermost depth.
std::vector<std::string> parts(const std::string& list) {
    std::vector<std::string> all;
    int depth = 0;
    std::string one;
    for (const char c : list) {
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (c == ',' && depth == 0) {
            all.push_back(trimmed(one));
            one.clear();
        } else {
            one += c;
        }
    }
    if (!trimmed(one).empty()) all.push_back(trimmed(one));
    return all;
}

struct Tuple {
    std::string name;
    std::vector<std::string> entries;
    std::size_t end;
};
Tuple tuple_at(const std::string& text, std::size_t from) {
    const std::size_t open = text.find('[', from);
    int depth = 0;
    std::size_t close = open;
    for (; close < text.size(); ++close) {
        depth += text[close] == '[' ? 1 : text[close] == ']' ? -1 : 0;
        if (depth == 0) break;
    }
    if (open == std::string::npos || close >= text.size())
        refuse("M002", "`" + text + "` is not in isl's notation", "Write `{ C[i, j] : ... }` or `{ C[i, j] -> b[i, j] }`.");
    return {trimmed(text.substr(from, open - from)), parts(text.substr(open + 1, close - open - 1)), close + 1};
}

/// `floor(a / b)` -> `((a) // (b))`.
std::string as_python(std::string text) {
    for (std::size_t at; (at = text.find("floor(")) != std::string::npos;) {
        std::size_t slash = std::string::npos, end = at + 6;
        for (int depth = 1; end < text.size(); ++end) {
            depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
            if (text[end] == '/' && depth == 1) slash = end;
            if (depth == 0) break;
        }
        if (slash == std::string::npos) refuse("M002", "`" + text + "` rounds what is no quotient", "Write `floor(a / b)`.");
        text = text.substr(0, at) + "((" + text.substr(at + 6, slash - at - 6) + ") // (" +
               text.substr(slash + 1, end - slash - 1) + "))" + text.substr(end + 1);
    }
    return text;
}

const char* symbol_of(op_t op) {
    switch (op) {
        case o_add:
            return "+";
        case o_sub:
            return "-";
        case o_mul:
            return "*";
        case o_mod:
            return "%";
        case o_logical_and:
            return "and";
        case o_logical_or:
            return "or";
        case o_eq:
            return "==";
        case o_ne:
            return "!=";
        case o_le:
            return "<=";
        case o_lt:
            return "<";
        case o_ge:
            return ">=";
        case o_gt:
            return ">";
        case o_right_shift:
            return ">>";
        case o_left_shift:
            return "<<";
        default:
            return nullptr;
    }
}
const char* function_of(op_t op) {
    switch (op) {
        case o_floor:
            return "floor";
        case o_sin:
            return "sin";
        case o_cos:
            return "cos";
        case o_tan:
            return "tan";
        case o_asin:
            return "asin";
        case o_acos:
            return "acos";
        case o_atan:
            return "atan";
        case o_sinh:
            return "sinh";
        case o_cosh:
            return "cosh";
        case o_tanh:
            return "tanh";
        case o_asinh:
            return "asinh";
        case o_acosh:
            return "acosh";
        case o_atanh:
            return "atanh";
        case o_abs:
            return "abs";
        case o_sqrt:
            return "sqrt";
        case o_expo:
            return "exp";
        case o_log:
            return "log";
        case o_ceil:
            return "ceil";
        case o_round:
            return "rint";
        case o_trunc:
            return "trunc";
        case o_max:
            return "max";
        case o_min:
            return "min";
        default:
            return nullptr;
    }
}

[[noreturn]] void no_value(const expr& e) {
    switch (e.get_op_type()) {
        case o_call:
            refuse("M018", "`" + e.get_name() + "` is a function of the caller's", "Write what it computes as an expression.");
        case o_memcpy:
            refuse("M018", "`" + e.get_name() + "` would be copied as a whole", "Write a computation that copies.");
        case o_allocate:
        case o_free:
            refuse("M018", "`" + e.get_name() + "` would be allocated by a computation", "Use allocate_at.");
        default:
            refuse("M018", "`" + e.to_str() + "` has no value", "Write it with operators that docs/coming-from-tiramisu.md names.");
    }
}

bool is_real(primitive_t type) {
    return type == p_float32 || type == p_float64;
}

}  // namespace

std::string spelled(const std::string& name) {
    static const std::set<std::string> kKeywords = {
        "False", "None",   "True",     "as",     "assert",  "async",  "await", "break",  "class", "continue", "def",
        "del",   "elif",   "else",     "except", "finally", "for",    "from",  "global", "if",    "import",   "in",
        "is",    "lambda", "nonlocal", "pass",   "raise",   "return", "try",   "while",  "with",  "yield"};
    return kKeywords.contains(name) ? name + "_" : name;
}

sluice::code::DType element_type(primitive_t type) {
    using sluice::code::Scalar;
    switch (type) {
        case p_uint8:
            return Scalar::UInt8;
        case p_uint16:
            return Scalar::UInt16;
        case p_uint32:
            return Scalar::UInt32;
        case p_uint64:
            return Scalar::UInt64;
        case p_int8:
            return Scalar::Int8;
        case p_int16:
            return Scalar::Int16;
        case p_int32:
            return Scalar::Int32;
        case p_int64:
            return Scalar::Int64;
        case p_float32:
            return Scalar::Float32;
        case p_float64:
            return Scalar::Float64;
        case p_boolean:
            return Scalar::Bool;
        default:
            refuse("M018", "a value is of no type of elements", "Use integers, float32, float64 or boolean.");
    }
}
std::string type_name(primitive_t type) {
    return sluice::code::to_string(element_type(type));
}

Notation::Notation(const Recording& in, const std::set<const ComputationRecord*>* only)
    : in_(in), only_(only), twins_(twins_of(in)) {
    for (const ConstantRecord& one : in.constants) {
        if (!one.function_wide || number(one.value) || is_real(one.type)) continue;
        bool reads = false;
        const std::function<void(const expr&)> look = [&](const expr& e) {
            reads = reads || e.get_op_type() == o_access;
            for (int at = 0; at < e.get_n_arg(); ++at) look(e.get_operand(at));
        };
        look(one.value);
        if (reads) read_.emplace(one.name, one.value);
    }
}

std::optional<std::int64_t> Notation::number(const expr& e) const {
    if (e.get_expr_type() == e_val && !is_real(e.get_data_type())) return e.get_int_val();
    if (e.get_expr_type() == e_var) {
        const ConstantRecord* constant = in_.find_constant(e.get_name());
        return constant ? number(constant->value) : std::nullopt;
    }
    if (e.get_expr_type() != e_op || e.get_op_type() == o_access || is_real(e.get_data_type())) return std::nullopt;
    std::vector<std::int64_t> values;
    for (int at = 0; at < e.get_n_arg(); ++at) {
        const auto value = number(e.get_operand(at));
        if (!value) return std::nullopt;
        values.push_back(*value);
    }
    const auto floored = [&] {
        const std::int64_t quotient = values[0] / values[1];
        return values[0] % values[1] != 0 && (values[0] < 0) != (values[1] < 0) ? quotient - 1 : quotient;
    };
    switch (e.get_op_type()) {
        case o_cast:
        case o_floor:
            return values.at(0);
        case o_minus:
            return -values.at(0);
        case o_abs:
            return std::abs(values.at(0));
        case o_add:
            return values.at(0) + values.at(1);
        case o_sub:
            return values.at(0) - values.at(1);
        case o_mul:
            return values.at(0) * values.at(1);
        case o_max:
            return std::max(values.at(0), values.at(1));
        case o_min:
            return std::min(values.at(0), values.at(1));
        case o_div:
            return values.at(1) == 0 ? std::nullopt : std::optional(floored());
        case o_mod:
            return values.at(1) == 0 ? std::nullopt : std::optional(values[0] - values[1] * floored());
        default:
            return std::nullopt;
    }
}

std::string Notation::read(const expr& value) const {
    for (const auto& [name, known] : read_)
        if (known.is_equal(value)) return name;
    return {};
}

std::string Notation::parameters() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : read_) names.push_back(name);
    return names.empty() ? std::string() : fmt::format("[{}] -> ", fmt::join(names, ", "));
}

std::string Notation::with_values(const std::string& isl) const {
    const std::size_t brace = isl.find('{');
    return parameters() + renamed(brace == std::string::npos ? isl : isl.substr(brace),
                                  [&](const std::string& name) -> std::optional<std::string> {
                                      const ConstantRecord* constant = in_.find_constant(name);
                                      const auto value = constant ? number(constant->value) : std::nullopt;
                                      return value ? fmt::format("({})", *value) : spelled(name);
                                  });
}

bool Notation::is_defined(const ComputationRecord& of) const {
    return !of.is_place && !is_copy(of) && (of.is_scheduled || of.is_inlined) && (!only_ || only_->contains(&of) || of.is_inlined);
}

const BufferRecord& Notation::memory(const ComputationRecord& of) const {
    const BufferRecord& said = said_memory(in_, of);
    const auto twin = twins_.find(&said);
    return twin == twins_.end() ? said : *twin->second;
}

const BufferRecord& said_memory(const Recording& in, const ComputationRecord& of) {
    const ComputationRecord& base = *in.find_computation(of.name);
    const std::string& access = of.access.empty() && !of.indices && !of.memory ? base.access : of.access;
    if (!access.empty()) {
        const std::string name = tuple_at(access, access.find("->", access.find('{')) + 2).name;
        const auto at = std::ranges::find(in.buffers, name, &BufferRecord::name);
        if (at != in.buffers.end()) return *at;
        refuse("M001", fmt::format("there is no buffer `{}` for `{}`", name, of.name), "Declare it with its sizes.");
    }
    if (of.memory) return *of.memory;
    if (base.memory) return *base.memory;
    refuse("M018", fmt::format("`{}` has no memory", of.name), "Store it in a buffer.");
}

std::string Notation::name(const BufferRecord& memory) const {
    const auto taken = [&](const std::string& name) {
        return in_.find_constant(name) || std::ranges::any_of(in_.computations, [&](const ComputationRecord& of) {
                   return of.unique == name ||
                          std::ranges::any_of(of.iterators, [&](const var& iterator) { return iterator.get_name() == name; });
               });
    };
    std::string name = spelled(memory.name);
    while (taken(name)) name += "_buffer";
    return name;
}

Points Notation::domain(const ComputationRecord& of) const {
    Points made;
    std::vector<std::string> conditions;
    if (of.domain.empty()) {
        for (const var& iterator : of.iterators) {
            made.iterators.push_back(spelled(iterator.get_name()));
            if (!iterator.has_bounds())
                refuse("M002", fmt::format("the iterator `{}` of `{}` has no bounds", iterator.get_name(), of.name), "Give both.");
            conditions.push_back(fmt::format("{} <= {} < {}", index(iterator.get_lower(), true), made.iterators.back(),
                                             index(iterator.get_upper(), true)));
        }
    } else {
        const std::string text = with_values(of.domain);
        const std::size_t brace = text.find('{');
        const Tuple tuple = tuple_at(text, brace + 1);
        if (text.find(';', brace) != std::string::npos)
            refuse("M002", fmt::format("the domain of `{}` has several parts", of.name), "Write one set with `or`.");
        for (std::size_t at = 0; at < tuple.entries.size(); ++at) {
            const std::string& entry = tuple.entries[at];
            const bool own = is_name(entry) && std::ranges::find(made.iterators, entry) == made.iterators.end();
            made.iterators.push_back(own ? entry : fmt::format("at{}_", at));
            if (!own) conditions.push_back(fmt::format("{} = {}", made.iterators.back(), entry));
        }
        const std::size_t colon = text.find(':', tuple.end), end = text.rfind('}');
        if (colon != std::string::npos) conditions.push_back("(" + text.substr(colon + 1, end - colon - 1) + ")");
    }
    made.conditions = fmt::format("{}", fmt::join(conditions, " and "));
    return made;
}

std::vector<std::string> Notation::layout(const ComputationRecord& of) const {
    const std::vector<std::string> iterators = of.domain.empty() ? [&] {
        std::vector<std::string> names;
        for (const var& one : of.iterators) names.push_back(spelled(one.get_name()));
        return names;
    }() : domain(of).iterators;
    const ComputationRecord& base = *in_.find_computation(of.name);
    const std::string& access = of.access.empty() && !of.indices ? base.access : of.access;
    std::vector<std::string> indices;
    if (!access.empty()) {
        const std::string text = with_values(access);
        const Tuple from = tuple_at(text, text.find('{') + 1), to = tuple_at(text, text.find("->", from.end) + 2);
        for (const std::string& entry : to.entries)
            indices.push_back(as_python(renamed(entry, [&](const std::string& name) -> std::optional<std::string> {
                const auto at = std::ranges::find(from.entries, name) - from.entries.begin();
                return static_cast<std::size_t>(at) < iterators.size() && static_cast<std::size_t>(at) < from.entries.size()
                           ? std::optional(iterators[static_cast<std::size_t>(at)])
                           : std::nullopt;
            })));
    } else if (of.indices) {
        for (const expr& one : *of.indices) indices.push_back(index(one));
        if (indices.empty()) indices.emplace_back("0");
    } else {
        indices = iterators;
        if (indices.empty()) indices.emplace_back("0");
    }
    for (const auto& [at, factor] : folds(of)) indices.at(at) = fmt::format("({}) % {}", indices.at(at), factor);
    return indices;
}

std::string Notation::access(const expr& e) const {
    const ComputationRecord* of = in_.find_computation(e.get_name());
    if (!of) refuse("M001", fmt::format("there is no computation `{}`", e.get_name()), "Define it before it is read.");
    std::vector<std::string> at;
    for (const expr& one : e.get_access()) at.push_back(index(one));
    // Memory may be of another type.
    const primitive_t stored = of->is_inlined ? of->type : this->type(memory(*of));
    const auto typed = [&](const std::string& text) {
        return stored == of->type ? text : fmt::format("{}({})", type_name(of->type), text);
    };
    if (is_defined(*of)) return typed(fmt::format("{}[{}]", of->unique, at.empty() ? "0" : fmt::format("{}", fmt::join(at, ", "))));
    std::vector<std::string> iterators;
    if (of->domain.empty())
        for (const var& one : of->iterators) iterators.push_back(spelled(one.get_name()));
    else
        iterators = domain(*of).iterators;
    if (iterators.size() != at.size())
        refuse("M001", fmt::format("`{}` is read with {} indices", of->name, at.size()),
               fmt::format("It has {}.", iterators.size()));
    std::vector<std::string> indices;
    for (const std::string& one : layout(*of))
        indices.push_back(renamed(one, [&](const std::string& name) -> std::optional<std::string> {
            const auto found = static_cast<std::size_t>(std::ranges::find(iterators, name) - iterators.begin());
            return found < at.size() ? std::optional("(" + at[found] + ")") : std::nullopt;
        }));
    return typed(fmt::format("{}[{}]", name(memory(*of)), fmt::join(indices, ", ")));
}

std::string Notation::index(const expr& e, bool isl) const {
    if (const auto value = number(e)) return *value < 0 ? fmt::format("({})", *value) : std::to_string(*value);
    if (e.get_expr_type() == e_var) {
        const ConstantRecord* constant = in_.find_constant(e.get_name());
        return constant && !read_.contains(e.get_name()) ? index(constant->value, isl) : spelled(e.get_name());
    }
    if (const std::string known = read(e); !known.empty()) return known;
    if (e.get_expr_type() != e_op || is_real(e.get_data_type())) return e.get_expr_type() == e_op ? value(e) : std::string("0");
    std::vector<std::string> operands;
    if (e.get_op_type() != o_access)
        for (int at = 0; at < e.get_n_arg(); ++at) operands.push_back(index(e.get_operand(at), isl));
    switch (e.get_op_type()) {
        case o_access:
            return access(e);
        case o_cast: {
            const expr& of = e.get_operand(0);
            return is_real(of.get_data_type()) ? fmt::format("int({})", value(of)) : operands[0];
        }
        case o_floor:
            return operands[0];
        case o_minus:
            return fmt::format("(-{})", operands[0]);
        case o_div:
            return isl ? fmt::format("floor({} / {})", operands[0], operands[1])
                       : fmt::format("({} // {})", operands[0], operands[1]);
        case o_select:
            return fmt::format("({} if {} else {})", operands[1], operands[0], operands[2]);
        default:
            break;
    }
    if (const char* symbol = symbol_of(e.get_op_type()); symbol && operands.size() == 2)
        return fmt::format("({} {} {})", operands[0], symbol, operands[1]);
    if (const char* function = function_of(e.get_op_type())) return fmt::format("{}({})", function, fmt::join(operands, ", "));
    no_value(e);
}

std::string Notation::value(const expr& e) const {
    const primitive_t type = e.get_data_type();
    if (e.get_expr_type() == e_val)
        return is_real(type) ? fmt::format("{}({:.17g})", type_name(type), e.get_double_val())
                             : fmt::format("{}({})", type_name(type), e.get_int_val());
    if (e.get_expr_type() == e_var) {
        const ConstantRecord* constant = in_.find_constant(e.get_name());
        if (constant && !read_.contains(e.get_name()))
            return fmt::format("{}({})", type_name(constant->type), value(constant->value));
        return fmt::format("{}({})", type_name(type), spelled(e.get_name()));
    }
    if (e.get_expr_type() != e_op) refuse("M018", "a part of an expression has no value", "Give it one.");
    if (e.get_op_type() == o_access) return access(e);
    std::vector<std::string> operands;
    if (e.get_op_type() != o_call && e.get_op_type() != o_memcpy)
        for (int at = 0; at < e.get_n_arg(); ++at) operands.push_back(value(e.get_operand(at)));
    switch (e.get_op_type()) {
        case o_cast:
            return fmt::format("{}({})", type_name(type), operands[0]);
        case o_minus:
            return fmt::format("(-{})", operands[0]);
        case o_logical_not:
            return fmt::format("(not {})", operands[0]);
        case o_div:
            return fmt::format("({} {} {})", operands[0], is_real(type) ? "/" : "//", operands[1]);
        case o_select:
            return fmt::format("({} if {} else {})", operands[1], operands[0], operands[2]);
        case o_lerp: {
            // Of integers without sign the weight is a fraction of the largest value, rounded.
            if (is_real(type))
                return fmt::format("({0} * ({3}(1) - {2}) + {1} * {2})", operands[0], operands[1], operands[2], type_name(type));
            if (type != p_uint8) no_value(e);
            const std::string wide = fmt::format("(uint32({0}) * (uint32(255) - uint32({2})) + uint32({1}) * uint32({2}))",
                                                 operands[0], operands[1], operands[2]);
            return fmt::format("uint8(({} + uint32(127)) // uint32(255))", wide);
        }
        case o_floor:
            if (!is_real(type)) return operands[0];
            break;
        default:
            break;
    }
    if (const char* symbol = symbol_of(e.get_op_type()); symbol && operands.size() == 2)
        return fmt::format("({} {} {})", operands[0], symbol, operands[1]);
    if (const char* function = function_of(e.get_op_type())) return fmt::format("{}({})", function, fmt::join(operands, ", "));
    no_value(e);
}

}  // namespace tiramisu
