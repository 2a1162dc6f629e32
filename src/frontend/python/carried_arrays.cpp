// An array that a loop computes anew from its last value is another container in each iteration where its size is another one, or
// where it is a view of something computed: nothing says that an iteration begins with what the first one began with. Such a name
// gets a container of its own, and what is bound to it is copied there:
//     while z.size > 0:                 z_carried[0:n] = z; z_length = n
//         z = f(z)              ->      while z_length > 0: { x = f(z_carried[0:z_length]); z_carried[0:m] = x; z_length = m }
// Copies cost a pass over the array, so this is for names that mean many things otherwise (references.cpp).
#include "frontend/python/carried_arrays.h"

#include <algorithm>
#include <set>

#include "frontend/array/syntax.h"
#include "frontend/python/lists.h"
#include "frontend/python/sizes.h"
#include "ir/code_block.h"

namespace sluice::frontend {

namespace {

constexpr std::size_t kFew = 4;    ///< Meanings, each a copy of what follows.
constexpr int kMostWidenings = 4;  ///< Of a bound that grows with each attempt.

bool is_array(const Value& value) {
    return value.is_elements() && value.rank() > 0 && !value.is_symbolic() && value.list.empty();
}

}  // namespace

/// Computed, and no other name sees it, or none that outlives the iteration while nothing changes it in place: whether it is copied
/// makes no difference.
bool CarriedArrays::is_of_its_own(const std::string& name, const Value& value, const Span& span) const {
    const Operand* view = as_view(value);
    if (!view) return !as_part(value);
    const ir::Container* container = t_.sdfg_.containers.find(t_.root_of(view->data));
    if (!container || !container->transient || value.read_only) return false;
    if (!t_.shared_with_others(view->data, name)) return true;
    std::set<std::string> sharing{name};
    for (const auto& [other, variable] : t_.variables_)
        if (t_.refers_to(variable.value, view->data)) sharing.insert(other);
    const auto in_iteration = [&](const std::string& one) {
        return one == name || std::ranges::any_of(t_.context_.scratch, [&](const auto& loop) { return loop.second.contains(one); });
    };
    const bool held = std::ranges::any_of(t_.held_, [&](const Value& one) { return t_.refers_to(one, view->data); });
    return !held && std::ranges::all_of(sharing, in_iteration) && !Lists(t_).may_change_in_place(sharing, span);
}

void CarriedArrays::note(const std::vector<const Variables*>& meanings) {
    if (meanings.size() < kFew || t_.parent_) return;
    const std::size_t before = t_.context_.carried.size();
    for (const auto& [name, variable] : *meanings.front()) {
        if (!is_array(variable.value) || t_.context_.carried.contains(name)) continue;
        const bool differs = std::ranges::any_of(meanings, [&, &name = name, &value = variable.value](const Variables* one) {
            const auto other = one->find(name);
            return other != one->end() && is_array(other->second.value) && !same_meaning(other->second.value, value);
        });
        if (differs) t_.context_.carried[name];
    }
    if (t_.context_.carried.size() != before) throw StartAgain{};
}

bool CarriedArrays::assign(const std::string& name, const Value& value, const Span& span) {
    const auto carried = t_.context_.carried.find(name);
    if (carried == t_.context_.carried.end() || t_.parent_ || !is_array(value) || !is_of_its_own(name, value, span)) return false;
    const code::DType type = strong(value.type);
    const auto of_the_run = [&](const Expr& extent) {
        return std::ranges::any_of(symbolic::free_symbols(extent),
                                   [&](const std::string& symbol) { return t_.defined_symbols_.contains(symbol); });
    };
    if (std::any_of(value.shape.begin() + 1, value.shape.end(), of_the_run)) return false;
    const std::vector<Expr> row(value.shape.begin() + 1, value.shape.end());
    auto facts = std::ranges::find_if(carried->second, [&](const CarriedArray& one) { return one.type == type && one.row == row; });
    if (facts == carried->second.end()) facts = carried->second.insert(facts, CarriedArray{type, row, value.shape[0], false, 0});
    if (!facts->varies && (of_the_run(value.shape[0]) || !t_.same_size(facts->room, value.shape[0]))) {
        facts->varies = true;
        throw StartAgain{};
    }
    if (facts->varies) {
        const std::optional<Expr> most = Sizes(t_).most(value.shape[0]);
        const bool fits = facts->room.is_integer(ir::kReservedExtent) ||
                          (most && symbolic::is_yes(symbolic::decide(symbolic::less_equal(*most, facts->room), t_.assumptions_)));
        if (!fits) {
            const bool bounded = most && !of_the_run(*most) && ++facts->widenings < kMostWidenings;
            facts->room = !bounded                  ? Expr(ir::kReservedExtent)
                          : of_the_run(facts->room) ? *most
                                                    : symbolic::maximum(facts->room, *most);
            throw StartAgain{};
        }
    }
    std::vector<Expr> shape{facts->room};
    shape.insert(shape.end(), row.begin(), row.end());
    Value place = t_.read_container(room_for(name, type, shape));
    if (!facts->varies) {
        t_.assign(t_.target_of(place, span), value, "assign_" + name);
        t_.bind(name, place);
        return true;
    }
    if (facts->room.is_integer(ir::kReservedExtent))
        t_.require(make_compare(ir::to_code(value.shape[0]), code::CompareOp::Le, make_integer(ir::kReservedExtent), span),
                   "MemoryError: an array has more elements than any", span, {"raised", {}});
    place.shape[0] = value.shape[0];
    t_.assign(t_.target_of(place, span), value, "assign_" + name);
    std::string& length = t_.carried_lengths_[as_view(place)->data];
    if (length.empty()) {
        length = t_.fresh_symbol(name + "_length");
        t_.keeper_of_[length] = name;
    }
    const Expr symbol = symbolic::symbol(length);
    if (!(value.shape[0] == symbol)) t_.assign_symbols({{length, symbolic::to_string(value.shape[0])}});
    t_.assumptions_.assume_any(length);
    t_.assumptions_.assume(symbolic::less_equal(0, symbol));
    if (!facts->room.is_integer(ir::kReservedExtent)) {
        t_.assumptions_.assume(symbolic::less_equal(symbol, facts->room));
        t_.most_.insert_or_assign(length, facts->room);
    }
    place.shape[0] = symbol;
    t_.bind(name, place);
    return true;
}

/// The name's present container, or another one while a second name sees that, or a value that is still to be bound counts by its
/// length.
std::string CarriedArrays::room_for(const std::string& name, const code::DType& type, const std::vector<Expr>& shape) {
    std::set<std::string> counted;
    for (const Value& held : t_.held_) add_value_symbols(held, counted);
    std::vector<std::string>& rooms = t_.carried_rooms_[name];
    for (const std::string& data : rooms) {
        const ir::Container& container = t_.sdfg_.containers.at(data);
        const bool free = !t_.shared_with_others(data, name) && !counted.contains(t_.carried_lengths_[data]);
        if (container.dtype == type && container.shape == shape && free) return data;
    }
    rooms.push_back(t_.add_temporary(name + "_carried", type, shape));
    return rooms.back();
}

}  // namespace sluice::frontend
