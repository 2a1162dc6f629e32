#include "interchange/symbol_types.h"

#include "code/infer.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::interchange {

namespace {

class Assignments {
public:
    explicit Assignments(Sdfg& sdfg) : sdfg_(sdfg) {}

    /// One pass; true if it declared a symbol, whose type others may follow.
    bool declare() {
        changed_ = false;
        for_each_region(sdfg_.body, [&](const Region& region) {
            for (const auto& [id, edge] : region.transitions)
                for (const auto& [symbol, text] : edge.assignments)
                    if (const auto value = parsed_expr(text); value.ok()) assign(symbol, *value.value());
            for (const auto& [id, block] : region.blocks)
                if (const auto* loop = std::get_if<LoopRegion>(&block.kind)) start(*loop);
        });
        return changed_;
    }

private:
    void start(const LoopRegion& loop) {
        if (!loop.init) return;
        const auto body = parsed_body(*loop.init);
        if (!body.ok()) return;
        const auto locals = code::infer_locals(body.value(), [&](const std::string& name) {
            return name == loop.variable && !sdfg_.symbols.contains(name) ? std::nullopt : type_of(name);
        });
        if (!locals.ok()) return;
        for (const auto& [name, type] : locals.value()) declare(name, type.dtype);
    }

    void assign(const std::string& symbol, const code::Expr& value) {
        const auto type = code::infer(value, [&](const std::string& name) { return type_of(name); });
        if (type.ok()) declare(symbol, type.value().dtype);
    }

    void declare(const std::string& symbol, const DType& type) {
        if (!(code::is_floating(type.scalar) || code::is_complex(type.scalar)) || type.compound ||
            sdfg_.containers.contains(symbol))
            return;
        changed_ |= sdfg_.symbols.try_emplace(symbol, type).second;
    }

    std::optional<code::Type> type_of(const std::string& name) const {
        if (const Container* container = find_container(sdfg_, name)) return code::Type{container->dtype};
        const auto declared = sdfg_.symbols.find(name);
        return code::Type{declared == sdfg_.symbols.end() ? DType(code::Scalar::Int64) : declared->second};
    }

    Sdfg& sdfg_;
    bool changed_ = false;
};

}  // namespace

void declare_assigned_symbols(Sdfg& sdfg) {
    Assignments assignments(sdfg);
    while (assignments.declare()) {
    }
}

}  // namespace sluice::interchange
