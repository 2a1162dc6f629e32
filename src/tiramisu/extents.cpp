// Memory: its type and extents, where they follow from what is stored in it.
#include <fmt/format.h>

#include <functional>

#include "poly/bounds.h"
#include "tiramisu/record.h"

namespace tiramisu {

std::vector<std::pair<std::size_t, int>> Notation::folds(const ComputationRecord& of) const {
    std::vector<std::pair<std::size_t, int>> all;
    for (const auto& [level, factor] : of.folds) {
        std::size_t at = static_cast<std::size_t>(level.number);
        if (!level.name.empty()) {
            at = 0;
            while (at < of.iterators.size() && of.iterators[at].get_name() != level.name) ++at;
        }
        if (at >= of.iterators.size()) refuse("M004", fmt::format("`{}` has no such index to fold", of.name), "Name an iterator.");
        all.emplace_back(at, factor);
    }
    return all;
}

namespace {

std::string greatest_of(const sluice::poly::Set& set, unsigned at, const BufferRecord& memory) {
    if (const auto last = sluice::poly::constant_greatest(set, at)) return std::to_string(*last);
    const auto last = sluice::poly::greatest(set, at);
    const auto text = last.known() ? sluice::poly::to_expression(last, {}) : std::nullopt;
    if (!text) refuse("M006", fmt::format("the extents of `{}` are not known", memory.name), "Give its sizes.");
    return sluice::symbolic::to_string(*text);
}

}  // namespace

const ComputationRecord* Notation::stored_in(const BufferRecord& memory) const {
    for (const ComputationRecord& of : in_.computations)
        if (!of.is_place && !is_copy(of) && !of.is_inlined && (of.is_scheduled || of.memory || !of.access.empty()) &&
            &this->memory(of) == &memory)
            return &of;
    return nullptr;
}

primitive_t Notation::type(const BufferRecord& memory) const {
    const ComputationRecord* of = stored_in(memory);
    return of ? of->type : memory.type;
}

std::vector<std::string> Notation::shape(const BufferRecord& memory) const {
    const ComputationRecord* of = stored_in(memory);
    const auto points_and = [&](const std::string& further, const std::string& condition) {
        const Points points = domain(*of);
        std::vector<std::string> dimensions = points.iterators, conditions;
        for (const std::string& one : {points.conditions, condition})
            if (!one.empty()) conditions.push_back(one);
        if (!further.empty()) dimensions.push_back(further);
        if (conditions.empty()) conditions.emplace_back("1 = 1");
        return sluice::poly::Set::parse(
            fmt::format("{}{{ [{}] : {} }}", parameters(), fmt::join(dimensions, ", "), fmt::join(conditions, " and ")));
    };
    std::vector<std::string> shape;
    for (const expr& size : memory.sizes) {
        const std::function<bool(const expr&)> varies = [&](const expr& e) {
            if (e.get_expr_type() == e_var) return !in_.find_constant(e.get_name());
            for (int at = 0; at < e.get_n_arg(); ++at)
                if (varies(e.get_operand(at))) return true;
            return false;
        };
        // Of what loops around decide, the most.
        if (of && varies(size)) {
            const auto set = points_and("extent_", "extent_ = " + index(size, true));
            if (!set.known())
                refuse("M002", fmt::format("an extent of `{}` is not affine", memory.name), "Write it affine in iterators.");
            shape.push_back(greatest_of(set, set.dimensions() - 1, memory));
        } else {
            shape.push_back(index(size));
        }
    }
    if (!shape.empty()) {  // Of what is folded, memory holds as many as are kept.
        for (const ComputationRecord& one : in_.computations)
            if (!one.folds.empty() && &this->memory(one) == &memory)
                for (const auto& [at, factor] : folds(one)) shape.at(at) = std::to_string(factor);
        return shape;
    }
    if (of) {  // As its domain needs.
        const auto set = points_and("", "");
        for (unsigned at = 0; set.known() && at < set.dimensions(); ++at) shape.push_back(greatest_of(set, at, memory) + " + 1");
    }
    if (shape.empty()) shape.emplace_back("1");
    return shape;
}

}  // namespace tiramisu
