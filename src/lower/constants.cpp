#include "lower/constants.h"

#include <algorithm>

#include "loop/walk.h"

namespace sluice::lower {

namespace {

bool same_table(const loop::ConstantTable& a, const loop::ConstantTable& b) {
    return a.type == b.type && a.values == b.values && a.integers == b.integers && a.scalar == b.scalar;
}

}  // namespace

void add_constants(FunctionContext& function) {
    std::vector<loop::ConstantTable>& tables = function.module.module.constants;
    for (const auto& [name, constant] : function.sdfg.constants) {
        if (function.slots.contains(name)) continue;
        loop::ConstantTable table{name, constant.container.dtype, constant.values, constant.integers,
                                  constant.container.shape.empty()};
        // One table serves every SDFG that has the same constant under the same name; other values, and functions that use the name
        // for something else, get a table of their own.
        auto present = tables.end();
        do {
            table.name = function.names.fresh(name);
            present = std::ranges::find(tables, table.name, &loop::ConstantTable::name);
        } while (present != tables.end() && !same_table(*present, table));
        if (present == tables.end()) tables.push_back(table);
        Slot slot;
        slot.kind = table.scalar ? Slot::Kind::Variable : Slot::Kind::Buffer;
        slot.name = table.name;
        slot.container = &constant.container;
        function.slots.insert_or_assign(name, std::move(slot));
    }
}

void place_constants(loop::Module& module) {
    std::vector<loop::ConstantTable*> tables;
    for (loop::ConstantTable& table : module.constants) tables.push_back(&table);
    std::ranges::stable_sort(tables, {}, [](const loop::ConstantTable* table) { return loop::bytes_of(*table); });
    // What the program fills there has been promised.
    std::int64_t bytes = 0;
    const auto promised = [&](const loop::Function& f) {
        loop::for_each_statement(f.body, [&](const loop::Statement& s) {
            const auto* buffer = std::get_if<loop::Allocate>(&s.node);
            if (buffer && buffer->space == loop::Space::Constant)
                bytes += buffer->size.constant().value() * static_cast<std::int64_t>(code::size_in_bytes(buffer->type));
        });
    };
    for (const loop::Function& f : module.functions) promised(f);
    promised(module.program);
    for (loop::ConstantTable* table : tables)
        if ((bytes += loop::bytes_of(*table)) > loop::kConstantBytes) table->space = loop::Space::Global;
}

}  // namespace sluice::lower
