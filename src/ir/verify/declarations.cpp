// V1xx: names and declarations of an SDFG.
#include "ir/query.h"
#include "ir/verify/verification.h"

namespace sluice::ir::verification {

namespace {

/// Product of constant extents; nullopt if one is symbolic, negative or the product leaves 64 bits.
std::optional<std::int64_t> constant_size(const std::vector<Expr>& shape) {
    std::int64_t size = 1;
    for (const Expr& extent : shape) {
        const auto value = extent.constant();
        if (!value || *value < 0 || __builtin_mul_overflow(size, *value, &size)) return std::nullopt;
    }
    return size;
}

void check_name(Report& report, const std::string& name, std::string_view what, const Span& where) {
    if (!is_identifier(name))
        report.add("V102", "the name `" + name + "` of a " + std::string(what) + " is not an identifier", where);
}

void check_constant(Report& report, const std::string& name, const Constant& constant) {
    const Span& where = constant.container.metadata.where;
    check_name(report, name, "constant", where);
    const auto size = constant_size(constant.container.shape);
    const std::size_t given = constant.values.size() + constant.integers.size();
    const bool both = !constant.values.empty() && !constant.integers.empty();
    if (!size || both || static_cast<std::uint64_t>(*size) != given)
        report.add("V106",
                   "the constant " + name + " has " + std::to_string(given) + " elements, its shape says " +
                       (size ? std::to_string(*size) : std::string("no constant number")),
                   where);
}

}  // namespace

void check_declarations(Report& report, Names& names) {
    const Sdfg& sdfg = names.sdfg;
    const Span& where = sdfg.metadata.where;
    if (!is_identifier(sdfg.name)) report.add("V101", "the name `" + sdfg.name + "` of the SDFG is not an identifier", where);
    for (const auto& [name, type] : sdfg.symbols) {
        check_name(report, name, "symbol", where);
        const bool callback = type.compound && type.compound->kind == code::CompoundKind::Callback;
        const bool opaque = type.compound && type.compound->kind == code::CompoundKind::Opaque;
        if (!type.is_scalar() && !callback && !opaque)
            report.add("V105", "the symbol " + name + " has the type " + code::to_string(type), where);
    }
    for (const auto& [name, constant] : sdfg.constants) check_constant(report, name, constant);
    for (const auto& [name, container] : sdfg.containers) {
        check_name(report, name, "container", container.metadata.where);
        if (sdfg.symbols.contains(name) || sdfg.constants.contains(name))
            report.add("V103",
                       "the name " + name + " names a container and a " + (sdfg.symbols.contains(name) ? "symbol" : "constant"),
                       container.metadata.where);
    }
    if (report.place.size() > 1) return;  // a nested SDFG is called by connectors: its list means nothing
    std::set<std::string> listed;
    for (const std::string& name : sdfg.arg_names) {
        const Container* container = sdfg.containers.find(name);
        if (!listed.insert(name).second)
            report.add("V104", "the argument " + name + " is listed twice", where);
        else if (container ? container->transient : !sdfg.symbols.contains(name))
            report.add("V104", "the argument " + name + (container ? " is transient" : " is not declared"), where);
    }
}

}  // namespace sluice::ir::verification
