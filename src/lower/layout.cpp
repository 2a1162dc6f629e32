#include "lower/layout.h"

#include <algorithm>

#include "ir/code_block.h"
#include "ir/query.h"

namespace sluice::lower {

using code::Scalar;
using symbolic::Kind;

Expr Layout::at(const std::vector<Expr>& index) const {
    Expr flat = start;
    for (std::size_t d = 0; d < strides.size() && d < index.size(); ++d) flat = flat + (index[d] + offset[d]) * strides[d];
    return flat;
}

Layout layout_of(const ir::Container& container) {
    Layout layout;
    const auto* array = std::get_if<ir::Array>(&container.kind);
    if (const auto* pointers = std::get_if<ir::ContainerArray>(&container.kind)) array = &pointers->layout;
    const auto* stream = std::get_if<ir::Stream>(&container.kind);
    if (!array && !stream) return layout;
    layout.shape = container.shape;
    const std::size_t rank = container.shape.size();
    layout.offset = array ? array->offset : stream->offset;
    layout.offset.resize(rank, Expr(0));
    if (array) layout.strides = array->strides;
    if (layout.strides.size() != rank) {
        layout.strides.assign(rank, Expr(1));
        for (std::size_t d = rank; d-- > 1;) layout.strides[d - 1] = layout.strides[d] * layout.shape[d];
    }
    for (const Expr& extent : layout.shape) layout.total = layout.total * extent;
    if (array && !array->total_size.is_integer(0)) layout.total = array->total_size;
    if (array) layout.start = array->start_offset;
    return layout;
}

namespace {

bool reads_data(const FunctionContext& function, const Expr& e) {
    if (e.kind() == Kind::Call || e.kind() == Kind::Real) return true;
    if (e.is_symbol()) {
        const auto symbol = function.symbols.find(e.name());
        return symbol == function.symbols.end() || symbol->second.type != DType(Scalar::Int64);
    }
    return std::ranges::any_of(e.operands(), [&](const Expr& operand) { return reads_data(function, operand); });
}

std::optional<Typed> constant_of(const FunctionContext& function, const std::string& name) {
    const ir::Constant* constant = function.sdfg.constants.find(name);
    if (!constant) return std::nullopt;
    const auto slot = function.slots.find(name);
    if (slot == function.slots.end()) return std::nullopt;
    const DType& type = constant->container.dtype;
    if (slot->second.kind == Slot::Kind::Variable) return Typed{loop::variable(slot->second.name, type), false};
    return Typed{loop::load(slot->second.name, loop::index_value(0), type), false};
}

std::optional<Typed> name_meaning(const FunctionContext& function, const std::string& name) {
    if (const auto symbol = function.symbols.find(name); symbol != function.symbols.end() && symbol->second.value)
        return Typed{loop::index_value(*symbol->second.value), symbol->second.weak};
    else if (symbol != function.symbols.end())
        return Typed{loop::variable(symbol->second.name, symbol->second.type), symbol->second.weak};
    if (const auto constant = constant_of(function, name)) return constant;
    const auto slot = function.slots.find(name);
    if (slot == function.slots.end() || slot->second.kind == Slot::Kind::Stream) return std::nullopt;
    const DType& type = slot->second.container->dtype;
    if (slot->second.kind == Slot::Kind::Variable) return Typed{loop::variable(slot->second.name, type), false};
    const Layout layout = layout_of(*slot->second.container);
    const Expr first = layout.at(std::vector<Expr>(layout.shape.size(), Expr(0)));
    return Typed{loop::load(slot->second.name, loop::index_value(resolve(function, first)), type), false};
}

std::optional<Typed> element_meaning(const FunctionContext& function, const std::string& name, std::vector<ValuePtr> indices) {
    const auto slot = function.slots.find(name);
    if (slot == function.slots.end() || slot->second.kind == Slot::Kind::Stream) return std::nullopt;
    const DType& type = slot->second.container->dtype;
    if (slot->second.kind == Slot::Kind::Variable) return Typed{loop::variable(slot->second.name, type), false};
    Layout layout = layout_of(*slot->second.container);
    if (indices.size() != layout.shape.size()) {
        if (!(layout.shape.empty() && indices.size() == 1)) return std::nullopt;
        return Typed{loop::load(slot->second.name, indices[0], type), false};
    }
    Expr base = resolve(function, layout.at(std::vector<Expr>(layout.shape.size(), Expr(0))));
    for (std::size_t d = 0; d < indices.size(); ++d) {
        layout.strides[d] = resolve(function, layout.strides[d]);
        if (const auto index = as_index(*indices[d]); index && index->is_integer() && index->integer() < 0)
            indices[d] = loop::index_value(*index + resolve(function, layout.shape[d]));
    }
    return Typed{loop::load(slot->second.name, flat_value(base, indices, layout.strides), type), false};
}

}  // namespace

Meaning meaning_of(const FunctionContext& function, std::string path) {
    Meaning meaning;
    meaning.name = [&function](const std::string& name) { return name_meaning(function, name); };
    meaning.element = [&function](const std::string& name, const std::vector<ValuePtr>& indices) {
        return element_meaning(function, name, indices);
    };
    meaning.length = [&function](const std::string& name) -> std::optional<Typed> {
        const auto slot = function.slots.find(name);
        if (slot == function.slots.end() || slot->second.kind != Slot::Kind::Stream) return std::nullopt;
        return Typed{std::make_shared<const loop::Value>(
                         loop::Value{Scalar::Int64, loop::StreamSize{slot->second.name, loop::index_value(0)}}),
                     true};
    };
    meaning.path = std::move(path);
    return meaning;
}

Expr resolve(const FunctionContext& function, const Expr& e) {
    if (e.is_integer()) return e;
    symbolic::Substitution renamed;
    for (const std::string& name : symbolic::free_symbols(e))
        if (const auto symbol = function.symbols.find(name);
            symbol != function.symbols.end() && (symbol->second.value || symbol->second.name != name))
            renamed.emplace(name, symbol->second.value ? Expr(*symbol->second.value) : symbolic::symbol(symbol->second.name));
    return renamed.empty() ? e : symbolic::substitute(e, renamed);
}

symbolic::Range resolve(const FunctionContext& function, const symbolic::Range& range) {
    return {resolve(function, range.begin), resolve(function, range.end), resolve(function, range.step),
            resolve(function, range.tile)};
}

Subset resolve(const FunctionContext& function, const Subset& subset) {
    Subset result;
    for (const symbolic::Range& range : subset.dims) result.dims.push_back(resolve(function, range));
    return result;
}

Expr count_of(const FunctionContext& function, const symbolic::Range& range) {
    if (range.is_index()) return 1;
    std::set<std::string> variables = symbolic::free_symbols(range);
    return symbolic::count(range, variables.empty() ? symbolic::Assumptions() : function.known(std::move(variables)));
}

ValuePtr value_of(const FunctionContext& function, const Expr& e) {
    if (!reads_data(function, e)) return loop::index_value(resolve(function, e));
    return lower_expression(*ir::to_code(e), meaning_of(function, function.path)).value;
}

Expr index_of(FunctionContext& function, const Expr& e, const std::string& name_hint, Body& body) {
    if (!reads_data(function, e)) return resolve(function, e);
    const std::string name = function.names.fresh(name_hint);
    function.note_variable(name);
    emit(body, loop::Declare{name, Scalar::Int64, convert(value_of(function, e), Scalar::Int64), true});
    return symbolic::symbol(name);
}

bool Location::single() const {
    return std::ranges::all_of(subset.dims,
                               [](const symbolic::Range& range) { return symbolic::num_elements(range).is_integer(1); });
}

Expr Location::first() const {
    std::vector<Expr> begin;
    for (const symbolic::Range& range : subset.dims) begin.push_back(range.begin);
    return layout.at(begin);
}

std::vector<std::size_t> Location::dimensions(bool all) const {
    std::vector<std::size_t> result;
    for (std::size_t d = 0; d < subset.rank(); ++d)
        if (all || !symbolic::num_elements(subset.dims[d]).is_integer(1)) result.push_back(d);
    return result;
}

Location locate(const StateContext& state, const std::string& data, const std::optional<Subset>& subset, NodeId at) {
    const auto slot = state.function.slots.find(data);
    if (slot == state.function.slots.end())
        refuse({"L004", "container `" + data + "` has no memory here", state.node(at).metadata.where, state.path_of(at),
                "give it a kind that can be compiled, or connect it to what it views"});
    Location location{&slot->second, layout_of(*slot->second.container), {}};
    const FunctionContext& function = state.function;
    for (std::size_t d = 0; d < location.layout.shape.size(); ++d) {
        location.layout.shape[d] = resolve(function, location.layout.shape[d]);
        location.layout.strides[d] = resolve(function, location.layout.strides[d]);
        location.layout.offset[d] = resolve(function, location.layout.offset[d]);
    }
    location.layout.start = resolve(function, location.layout.start);
    if (subset && subset->rank() == location.layout.shape.size())
        location.subset = resolve(function, *subset);
    else
        for (std::size_t d = 0; d < location.layout.shape.size(); ++d) {
            const Expr from = -location.layout.offset[d];
            location.subset.dims.push_back({from, from + location.layout.shape[d], 1, 1});
        }
    return location;
}

ValuePtr read_at(const Location& location, const ValuePtr& index) {
    if (location.slot->kind == Slot::Kind::Variable) return loop::variable(location.slot->name, location.element_type());
    return loop::load(location.slot->name, index, location.element_type());
}

ValuePtr read(const Location& location) {
    return read_at(location, loop::index_value(location.first()));
}

ValuePtr address_of(const Location& location) {
    check(location.slot->kind == Slot::Kind::Buffer, "address of `", location.slot->name, "`, which is not a buffer");
    return loop::address(location.slot->name, loop::index_value(location.first()), location.element_type());
}

ValuePtr element_index(const Location& location, const std::vector<ValuePtr>& indices, const std::string& path) {
    std::vector<std::size_t> dimensions = location.dimensions(indices.size() == location.subset.rank());
    if (indices.size() != dimensions.size() && indices.size() == 1) {
        // One index into several dimensions counts elements of the underlying memory, as C++ tasklets do.
        return flat_value(location.first(), indices, {Expr(1)});
    }
    if (indices.size() != dimensions.size())
        refuse({"L012",
                "an element of rank " + std::to_string(dimensions.size()) + " is indexed with " + std::to_string(indices.size()) +
                    " indices",
                {},
                path,
                "use one index for each dimension of the memlet that has more than one element"});
    std::vector<ValuePtr> positions;
    std::vector<Expr> strides;
    for (std::size_t at = 0; at < indices.size(); ++at) {
        const symbolic::Range& range = location.subset.dims[dimensions[at]];
        ValuePtr index = indices[at];
        if (const auto number = as_index(*index); number && number->is_integer() && number->integer() < 0)
            index = loop::index_value(*number + symbolic::count(range));
        positions.push_back(index);
        strides.push_back(location.layout.strides[dimensions[at]] * range.step);
    }
    return flat_value(location.first(), positions, strides);
}

}  // namespace sluice::lower
