// Sizes that data decide. An array of such a size is counted first; the number becomes a symbol, as other sizes of the run do, and
// a second pass fills what it allocates:
//     x = a[a > 0]   ->   n = number of a > 0 { places[n] = where they are; x[n] = a[places] }
// The caller allocates what is returned, before the size is known: room for the most elements that the array can have, flat, and
// its shape beside it. Whoever called takes from it what the shape says. This also serves returns that differ in their shapes.
#include "frontend/python/sizes.h"

#include <algorithm>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "ir/builder.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using symbolic::Kind;

std::optional<Value> Sizes::call(const std::string& name, const Arguments& arguments) {
    if (name != "numpy._at_most") return std::nullopt;
    const Span& span = arguments.span();
    const Expr n = t_.integer_of(t_.value_of(arguments, "n"), span, "count");
    const Expr limit = t_.integer_of(arguments.at("most"));
    const auto bound = most(limit);
    if (!bound && t_.context_.callers.size() == 1) static_cast<void>(known_before_the_call(symbolic::free_symbols(limit)));
    if (n.is_symbol() && t_.defined_symbols_.contains(n.name())) {
        t_.assumptions_.assume(symbolic::less_equal(0, n));
        if (bound) t_.assumptions_.assume(symbolic::less_equal(n, *bound));
        if (bound) t_.most_.insert_or_assign(n.name(), *bound);
    }
    return symbolic_value(n, span);
}

void Sizes::note(const std::string& symbol, const Expr& value) {
    if (const auto bound = most(value)) t_.most_.insert_or_assign(symbol, *bound);
}

std::optional<Expr> Sizes::most(const Expr& e) const {
    const auto not_negative = [&](const Expr& one) {
        return symbolic::is_yes(symbolic::decide(symbolic::less_equal(0, one), t_.assumptions_));
    };
    const auto inside = [&] {
        std::vector<std::optional<Expr>> bounds;
        for (const Expr& operand : e.operands()) bounds.push_back(most(operand));
        return bounds;
    };
    switch (e.kind()) {
        case Kind::Integer:
            return e;
        case Kind::Symbol: {
            if (!t_.defined_symbols_.contains(e.name())) return e;
            const auto known = t_.most_.find(e.name());
            return known == t_.most_.end() ? std::nullopt : std::optional(known->second);
        }
        case Kind::Add: {
            Expr sum = 0;
            for (const Expr& term : e.operands()) {
                const auto bound = most(term);
                if (!bound) return std::nullopt;
                sum = sum + *bound;
            }
            return sum;
        }
        case Kind::Multiply: {
            const auto operands = e.operands();
            Expr rest = 1, product = 1;
            const bool negative = operands[0].is_integer() && operands[0].integer() < 0;
            for (std::size_t at = negative ? 1 : 0; at < operands.size(); ++at) {
                if (!not_negative(operands[at])) return std::nullopt;
                const auto bound = most(operands[at]);
                if (!negative && !bound) return std::nullopt;
                if (!negative) product = product * *bound;
                rest = rest * operands[at];
            }
            if (!negative) return product;
            // At least what the symbols that the caller knows take away.
            const bool outer = std::ranges::none_of(symbolic::free_symbols(rest),
                                                    [&](const std::string& name) { return t_.defined_symbols_.contains(name); });
            return outer ? operands[0] * rest : Expr(0);
        }
        case Kind::FloorDivide:
            if (const auto bound = most(e.operands()[0]); bound && e.operands()[1].is_integer() && e.operands()[1].integer() > 0)
                return symbolic::floor_divide(*bound, e.operands()[1]);
            return std::nullopt;
        case Kind::Minimum: {
            std::optional<Expr> least;
            for (const auto& bound : inside())
                if (bound) least = least ? symbolic::minimum(*least, *bound) : *bound;
            return least;
        }
        case Kind::Maximum: {
            Expr largest = 0;
            for (const auto& bound : inside()) {
                if (!bound) return std::nullopt;
                largest = symbolic::maximum(largest, *bound);
            }
            return largest;
        }
        case Kind::Select: {
            const auto first = most(e.operands()[1]), second = most(e.operands()[2]);
            return first && second ? std::optional(symbolic::maximum(*first, *second)) : std::nullopt;
        }
        default:
            return std::nullopt;
    }
}

// ---- returned arrays ----------------------------------------------------------------------------------------------------
/// Integer parameters may be what the sizes are computed from: with the numbers as symbols the translation can tell.
bool Sizes::known_before_the_call(const std::set<std::string>& symbols) {
    const auto is_known = [&](const std::string& symbol) { return !t_.defined_symbols_.contains(symbol); };
    if (std::ranges::all_of(symbols, is_known)) return true;
    take_parameters_as_symbols();
    return false;
}

void Sizes::take_parameters_as_symbols() {
    bool found = false;
    for (const std::string& name : t_.sdfg_.arg_names) {
        const auto variable = t_.variables_.find(name);
        if (t_.context_.bindings.contains(name) || variable == t_.variables_.end() || !variable->second.value.is_scalar() ||
            !code::is_integer(variable->second.value.type.dtype.scalar) || !t_.context_.number_symbols.insert(name).second)
            continue;
        t_.context_.symbol_types.emplace(name, variable->second.value.type.dtype);
        found = true;
    }
    if (found) throw StartAgain{};
}

Target Sizes::returned(const std::string& name, const Value& value, const Span& span) {
    const code::DType type = strong(value.type);
    const ir::Container* present = t_.sdfg_.containers.find(name);
    if (present && !t_.context_.return_variable.empty()) throw KeepReturnApart{};
    if (t_.context_.rooms.contains(name)) return in_room(name, value, span);
    std::set<std::string> symbols;
    for (const Expr& extent : value.shape) symbols.merge(symbolic::free_symbols(extent));
    const bool differs = present && present->dtype == type && present->shape != value.shape;
    if (differs || !known_before_the_call(symbols)) {
        t_.context_.rooms.emplace(name, 0);
        throw StartAgain{};
    }
    if (!present) {
        t_.need_symbols(symbols);
        ir::add_array(t_.sdfg_, name, type, value.shape).metadata.where = span;
    }
    return t_.target_of(t_.read_container(name), span);
}

/// Room for every array that is returned under this name; later returns may need more than earlier ones.
Target Sizes::in_room(const std::string& name, const Value& value, const Span& span) {
    Expr total = 1, place = 0, stride = 1;
    bool unbounded = false;
    std::set<std::string> symbols;
    for (std::size_t dim = value.rank(); dim-- > 0;) {
        const auto bound = most(value.shape[dim]);
        unbounded = unbounded || !bound;
        if ((!bound && !t_.context_.tells_places) || t_.context_.callers.size() > 1)
            refuse("F010", "the size of a returned array is known only while the program runs", span,
                   "write into an argument, out[:n] = ..., and return n");
        if (bound) total = total * *bound;
        place = place + iteration_of(dim, value.rank()) * stride;
        stride = stride * value.shape[dim];
        if (bound) symbols.merge(symbolic::free_symbols(*bound));
    }
    if (unbounded) {
        total = ir::kReservedExtent;
        t_.require(make_compare(ir::to_code(stride), code::CompareOp::Le, make_integer(ir::kReservedExtent), span),
                   "MemoryError: the result has more elements than any", span, {"raised", {}});
    }
    Expr& room = t_.context_.rooms.at(name);
    if (!symbolic::is_yes(symbolic::decide(symbolic::less_equal(total, room)))) {
        room = unbounded ? total : symbolic::maximum(room, total);
        throw StartAgain{};
    }
    const std::string shape = name + "_shape";
    const code::DType type = strong(value.type);
    if (!t_.sdfg_.containers.contains(name)) {
        t_.need_symbols(symbolic::free_symbols(room));
        ir::add_array(t_.sdfg_, name, type, {room}).metadata.where = span;
        ir::add_array(t_.sdfg_, shape, code::Scalar::Int64, {static_cast<std::int64_t>(value.rank())}).metadata.where = span;
    }
    const ir::Container& sizes = t_.sdfg_.containers.at(shape);
    if (!(t_.sdfg_.containers.at(name).dtype == type) || !sizes.shape[0].is_integer(static_cast<std::int64_t>(value.rank())))
        refuse("F008", "the returns of this program differ in type or number of dimensions", span,
               "return values of one type and number of dimensions");
    t_.context_.returns[name].shape = shape;
    for (std::size_t dim = 0; dim < value.rank(); ++dim)
        t_.assign({{shape, {static_cast<std::int64_t>(dim)}, false, code::Scalar::Int64}, {}, nullptr, {}},
                  symbolic_value(value.shape[dim], span), "return");
    return {{name, {place}, false, type}, value.shape, nullptr, {}};
}

}  // namespace sluice::frontend
