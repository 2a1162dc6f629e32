// FindKey: where a key is among others, by an index that is kept from one search to the next (runtime/lookup.h). A key is an
// integer, or a pair or triple of them in columns.
#include "library/contract.h"
#include "library/extern_call.h"
#include "runtime/lookup.h"

namespace sluice::library {

namespace {

std::vector<std::int64_t> integers_of(const ir::Operand& operand) {
    std::vector<std::int64_t> all;
    for (const ir::Number& one : operand.values) all.push_back(one.integer);
    return all;
}

void define_find(ReferenceCall& call) {
    std::vector<std::vector<std::int64_t>> keys;  // Of each column, the wanted one at the end.
    for (const auto& [column, wanted] : {std::pair("_a", "_x"), std::pair("_b", "_y"), std::pair("_c", "_z")}) {
        if (!call.operands.contains(column)) continue;
        keys.push_back(integers_of(call.input(column)));
        keys.back().push_back(call.input(wanted).values[0].integer);
    }
    std::vector<std::int64_t> table = integers_of(call.input("_table"));
    const auto hash = [&](std::int64_t at) {
        std::uint64_t mixed = 0;
        for (const auto& column : keys)
            mixed = lookup::mixed(mixed, static_cast<std::uint64_t>(column[static_cast<std::size_t>(at)]));
        return mixed;
    };
    const auto same = [&](std::int64_t one, std::int64_t other) {
        for (const auto& column : keys)
            if (column[static_cast<std::size_t>(one)] != column[static_cast<std::size_t>(other)]) return false;
        return true;
    };
    const auto n = static_cast<std::int64_t>(keys[0].size()) - 1;
    call.output("_place").values[0] = lookup::place(n, static_cast<std::int64_t>(table.size()), table.data(), 1, hash, same);
    for (std::size_t at = 0; at < table.size(); ++at) call.output("_table").values[at] = table[at];
}

void expand_find(NodeDraft& draft) {
    const Binding binding = bind(draft);
    ExternCall call{
        .environment = "lookup", .function = "sluice::lookup::find", .arguments = {binding.sizes.at("N"), binding.sizes.at("T")}};
    std::vector<Lead> inputs, outputs;
    const auto add = [&](const BoundOperand& operand) {
        call.arguments.emplace_back(ExternCall::Address{operand.connector});
        if (!operand.sizes.empty()) call.arguments.emplace_back(ExternCall::Stride{operand.connector, 0, 1});
    };
    for (const BoundOperand& one : binding.inputs) {
        add(one);
        inputs.push_back({one.edge, one.connector});
    }
    add(binding.output("_place"));
    for (const BoundOperand& one : binding.outputs) outputs.push_back({one.edge, one.connector});
    become_call(draft, call, inputs, outputs, true);
}

/// Few different keys, and an index of none.
void make_alike(ir::Operands& operands) {
    for (auto& [connector, operand] : operands)
        for (ir::Number& one : operand.values) one = connector == "_table" ? 0 : (one.integer % 5 + 5) % 5;
}

}  // namespace

Operation find_key() {
    using enum code::Scalar;
    return {
        .name = "FindKey",
        .classpath = {},
        .summary = "The first place where a key is among others, or their number, by an index that grows with them.",
        .forms = {form("_a[N], _x, _table[T] -> _table[T], _place"), form("_a[N], _b[N], _x, _y, _table[T] -> _table[T], _place"),
                  form("_a[N], _b[N], _c[N], _x, _y, _z, _table[T] -> _table[T], _place")},
        .types = {Int64, Int32, Int16, Int8, UInt64, UInt32, UInt16, UInt8, Bool},
        .operand_types = {{"_table", Int64}, {"_place", Int64}},
        .make_valid = make_alike,
        .reference = define_find,
        .expansions = {{.name = "native",
                        .summary = "A hash table of the runtime.",
                        .aliases = {"pure"},
                        .requirement = {"lookup", false},
                        .expand = expand_find}}};
}

}  // namespace sluice::library
