#include "driver/signature.h"

#include <algorithm>
#include <set>

#include "analysis/counted_loops.h"
#include "analysis/symbols.h"
#include "ir/strides.h"

namespace sluice::driver {

namespace {

using symbolic::Expr;

Argument container_argument(const std::string& name, const ir::Container& container, bool written) {
    Argument argument;
    argument.name = name;
    argument.dtype = container.dtype;
    argument.written = written;
    argument.is_return = name.starts_with("__return");
    if (std::holds_alternative<ir::Scalar>(container.kind)) {
        argument.kind = Argument::Kind::Scalar;
        argument.scalar_by_pointer = written;
        return argument;
    }
    argument.shape = container.shape;
    argument.on_device = container.storage == ir::Storage::GPU_Global;
    const ir::Array* array = std::get_if<ir::Array>(&container.kind);
    if (const auto* nested = std::get_if<ir::ContainerArray>(&container.kind)) array = &nested->layout;
    if (array) {
        argument.strides = array->strides;
        argument.optional = array->optional.value_or(false);
        argument.may_alias = array->may_alias;
    }
    if (argument.strides.empty()) argument.strides = ir::dense_strides(argument.shape);
    return argument;
}

}  // namespace

Signature signature_of(const ir::Sdfg& sdfg) {
    Signature signature;
    signature.program = sdfg.name;
    const std::set<std::string> written = analysis::written_containers(sdfg);
    const std::vector<std::string> order = analysis::argument_order(sdfg);
    for (const std::string& name : order) {
        const ir::Container* container = sdfg.containers.find(name);
        if (!container) continue;
        signature.arguments.push_back(container_argument(name, *container, written.contains(name)));
        if (sdfg.arg_names.empty() && !signature.arguments.back().is_return)
            signature.positional.push_back(signature.arguments.size() - 1);
    }
    for (const std::string& name : order) {
        if (sdfg.containers.contains(name)) continue;
        Argument argument;
        argument.name = name;
        argument.kind = Argument::Kind::Symbol;
        argument.dtype = code::Scalar::Int64;
        const auto declared = sdfg.symbols.find(name);
        if (declared != sdfg.symbols.end() && !code::is_integer(declared->second.scalar) && declared->second.is_scalar()) {
            argument.kind = Argument::Kind::Scalar;
            argument.dtype = declared->second;
        }
        signature.arguments.push_back(std::move(argument));
    }
    for (const std::string& name : sdfg.arg_names) {  // A symbol among the parameters keeps its place among them.
        const auto at = std::ranges::find(signature.arguments, name, &Argument::name);
        if (at != signature.arguments.end() && !at->is_return)
            signature.positional.push_back(static_cast<std::size_t>(at - signature.arguments.begin()));
    }
    return signature;
}

}  // namespace sluice::driver
