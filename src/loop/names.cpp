#include "loop/names.h"

#include "loop/walk.h"

namespace sluice::loop {

using code::Scalar;

namespace {

DType type_of_name(const std::string& name, const NameTypes& names) {
    const auto at = names.find(name);
    return at == names.end() ? DType() : at->second;
}

DType type_of(const ValuePtr& value) {
    return value ? value->type : DType();
}

bool is_logical(BinaryOp op) {
    return op >= BinaryOp::Equal;
}

}  // namespace

DType natural_type(const Value& value, const NameTypes& names) {
    return std::visit(
        Overloaded{
            [](const IntegerLiteral&) -> DType { return Scalar::Int64; },
            [](const FloatLiteral&) -> DType { return Scalar::Float64; },
            [&](const Variable& n) { return type_of_name(n.name, names); },
            [](const Index&) -> DType { return Scalar::Int64; },
            [&](const Load& n) { return type_of_name(n.buffer, names); },
            [&](const Address& n) { return names.contains(n.buffer) ? DType::pointer(names.at(n.buffer)) : DType(); },
            [](const Unary& n) {
                return n.op == UnaryOp::LogicalNot && n.operand ? DType(Scalar::Bool, n.operand->type.lanes) : type_of(n.operand);
            },
            [](const Binary& n) { return is_logical(n.op) && n.left ? DType(Scalar::Bool, n.left->type.lanes) : type_of(n.left); },
            [](const Select& n) { return type_of(n.if_true); },
            [&](const Cast&) { return value.type; },
            [](const Call& n) { return n.arguments.empty() ? DType() : type_of(n.arguments.front()); },
            [](const Member&) { return DType(); },
            [](const StreamSize&) -> DType { return Scalar::Int64; },
        },
        value.node);
}

void declare(const Statement& statement, NameTypes& names) {
    std::visit(Overloaded{
                   [&](const Declare& n) { names[n.name] = n.type; },
                   [&](const Allocate& n) { names[n.name] = n.type; },
                   [&](const AllocateStream& n) { names[n.name] = n.type; },
                   [&](const Alias& n) { names[n.name] = n.type; },
                   [&](const For& n) { names[n.variable] = Scalar::Int64; },
                   [&](const ParallelRegion& n) {
                       if (!n.thread_variable.empty()) names[n.thread_variable] = Scalar::Int64;
                       if (!n.count_variable.empty()) names[n.count_variable] = Scalar::Int64;
                   },
                   [&](const Consume& n) {
                       if (!n.pe_variable.empty()) names[n.pe_variable] = Scalar::Int64;
                       names[n.element_variable] = n.element_type;
                   },
                   [](const auto&) {},
               },
               statement.node);
}

void declare(const Module& module, NameTypes& names) {
    for (const ConstantTable& table : module.constants) names[table.name] = table.type;
    for (const Allocate& buffer : module.persistent) names[buffer.name] = buffer.type;
}

void declare(const Function& function, NameTypes& names) {
    for (const Parameter& parameter : function.parameters) names[parameter.name] = parameter.type;
}

UsedNames::UsedNames(const Function& function) {
    for (const Parameter& parameter : function.parameters) all_.insert(parameter.name);
    for_each_statement(function.body, [&](const Statement& s) {
        NameTypes declared;
        declare(s, declared);
        for (const auto& [name, type] : declared) all_.insert(name);
    });
}

std::string UsedNames::fresh(const std::string& name) {
    std::string result = name;
    for (int number = 0; !all_.insert(result).second; ++number) result = name + "_" + std::to_string(number);
    return result;
}

}  // namespace sluice::loop
