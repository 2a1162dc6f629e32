// What a printer knows of its module before it prints: names, and the arguments of init.
#include "codegen/c_like/printer.h"

namespace sluice::codegen {

using code::DType;
using code::Scalar;
using loop::Parameter;

namespace {

void collect_identifiers(const loop::Function& function, std::set<std::string>& names) {
    names.insert(function.name);
    for (const Parameter& p : function.parameters) names.insert(p.name);
    loop::for_each_statement(function.body, [&](const loop::Statement& s) {
        std::visit(
            [&](const auto& n) {
                if constexpr (requires { n.name; }) names.insert(n.name);
                if constexpr (requires { n.variable; }) names.insert(n.variable);
                if constexpr (requires { n.pe_variable; }) names.insert(n.pe_variable), names.insert(n.element_variable);
                if constexpr (requires { n.thread_variable; }) names.insert(n.thread_variable), names.insert(n.count_variable);
                if constexpr (requires { n.kernel; }) names.insert(n.kernel);
                if constexpr (requires { n.old_name; }) names.insert(n.old_name), names.insert(n.new_name);
            },
            s.node);
    });
}

}  // namespace

std::vector<std::size_t> size_parameters(const loop::Module& module) {
    const std::vector<Parameter>& all = module.program.parameters;
    std::size_t first = all.size();
    while (first > 0 && all[first - 1].kind == Parameter::Kind::Value && all[first - 1].type == DType(Scalar::Int64)) --first;
    std::vector<std::size_t> result;
    for (std::size_t i = first; i < all.size(); ++i) result.push_back(i);
    return result;
}

CLikePrinter::CLikePrinter(const loop::Module& module) : module_(module) {
    collect_identifiers(module.program, identifiers_);
    for (const loop::Function& f : module.functions) collect_identifiers(f, identifiers_);
    for (const loop::ConstantTable& table : module.constants) {
        identifiers_.insert(table.name);
        globals_[table.name] = {table.type, true};
    }
    for (const loop::StructType& structure : module.structs) identifiers_.insert(structure.name);
    for (const loop::Allocate& buffer : module.persistent) identifiers_.insert(buffer.name);
    identifiers_.erase("");
}

void CLikePrinter::enter_function(const loop::Function& f) {
    scope_ = globals_;
    open_loops_.clear();
    enter(f.parameters);
}

void CLikePrinter::enter(const std::vector<Parameter>& parameters) {
    for (const Parameter& p : parameters) scope_[p.name] = {p.type, p.kind == Parameter::Kind::Buffer && !p.written, p.space};
}

std::string CLikePrinter::own(const std::string& name) const {
    std::string free = name;
    while (identifiers_.contains(free)) free += "_";
    return free;
}

}  // namespace sluice::codegen
