// Replays what was recorded on a function of the schedule's language.
#include <fmt/format.h>

#include <algorithm>

#include "support/result.h"
#include "tiramisu/record.h"

namespace tiramisu {

namespace schedule = sluice::schedule;

Translation::Translation(const Recording& in, const std::set<const ComputationRecord*>* only)
    : in_(in), texts_(in, only), function_(std::make_unique<schedule::Function>(in.name + "_program", schedule::Reads::Memory)) {
    for (const auto& [name, value] : texts_.read_constants()) function_->constant(name);
    for (const std::string& set : in.context) assume(set);
    define_memory();
    define_computations();
    for (const Recording::Command& command : in.commands) {
        if (command.of && !command.of->is_place && !made_.contains(command.of)) {
            if (command.of->is_scheduled) continue;  // Left out by the caller.
            refuse("M018", fmt::format("`{}` gets a command and never runs", command.of->name), "Take the command away.");
        }
        command.apply(*this);
    }
    apply_orders();
}

void Translation::assume(const std::string& set) {
    const std::string text = texts_.with_values(set);
    const std::size_t colon = text.find(':'), end = text.rfind('}');
    if (colon == std::string::npos) return;
    std::string condition = text.substr(colon + 1, end - colon - 1);
    // Of numbers alone, there is nothing to know.
    if (std::ranges::none_of(texts_.read_constants(),
                             [&](const auto& one) { return condition.find(one.first) != std::string::npos; }))
        return;
    for (std::size_t at = 0; (at = condition.find('=', at)) != std::string::npos; at += 2) {
        const char before = at > 0 ? condition[at - 1] : ' ';
        if (before == '<' || before == '>' || before == '!') continue;
        condition.insert(at, "=");
    }
    function_->assume(condition);
}

void Translation::define_memory() {
    std::set<const BufferRecord*> used(in_.arguments.begin(), in_.arguments.end());
    for (const ComputationRecord& of : in_.computations)
        if (!of.is_place && !is_copy(of) && !of.is_inlined && (of.is_scheduled || of.memory || !of.access.empty()))
            used.insert(&texts_.memory(of));
    for (const BufferRecord& one : in_.buffers) {
        if (!used.contains(&one)) continue;
        buffers_.emplace(&one, in_.is_passed(one)
                                   ? function_->argument(texts_.name(one), texts_.shape(one), element_type(texts_.type(one)))
                                   : function_->buffer(texts_.name(one), texts_.shape(one), element_type(texts_.type(one))));
    }
}

void Translation::define_computations() {
    for (const ComputationRecord& of : in_.computations) {
        if (!texts_.is_defined(of)) continue;
        const Points points = texts_.domain(of);
        const sluice::code::DType type = element_type(of.is_inlined ? of.type : texts_.type(texts_.memory(of)));
        if (in_.infers_bounds && points.conditions.empty() && !points.iterators.empty()) {
            std::vector<schedule::Var> iterators;
            for (const std::string& name : points.iterators) iterators.push_back({name, "0", "0"});
            made_.emplace(&of, function_->computation(of.unique, iterators, "0", {}, type));
            made_.at(&of).infer_bounds();
            continue;
        }
        made_.emplace(&of, function_->computation_over(
                               fmt::format("{}{{ {}[{}] : {} }}", texts_.parameters(), of.unique, fmt::join(points.iterators, ", "),
                                           points.conditions.empty() ? "1 = 1" : points.conditions),
                               "0", type));
    }
    for (auto& [of, made] : made_) {
        if (of->is_inlined)
            made.inline_into_readers();
        else
            made.store_in(texts_.name(texts_.memory(*of)), texts_.layout(*of));
    }
    for (auto& [of, made] : made_) {
        if (!of->value.is_defined()) refuse("M018", fmt::format("`{}` has no value", of->name), "Use set_expression.");
        std::string value = texts_.value(of->value);
        for (const primitive_t type : {of->type, of->is_inlined ? of->type : texts_.type(texts_.memory(*of))})
            if (of->value.get_data_type() != type) value = fmt::format("{}({})", type_name(type), value);
        if (!of->predicate.is_defined()) {
            made.set_expression(value);
            continue;
        }
        made.set_expression(value);
        try {
            made.add_predicate(texts_.index(of->predicate));
        } catch (const sluice::Failure& failure) {
            if (failure.diagnostic.code != "M002") throw;
            // Where it does not hold, memory keeps what it has.
            made.set_expression(fmt::format("({} if {} else {}[{}])", value, texts_.value(of->predicate),
                                            texts_.name(texts_.memory(*of)), fmt::join(texts_.layout(*of), ", ")));
        }
    }
}

schedule::Computation& Translation::operator[](const ComputationRecord& of) {
    const auto at = made_.find(&of);
    if (at == made_.end())
        refuse("M018", fmt::format("`{}` is named in a command and never runs", of.name), "Name another computation.");
    return at->second;
}

int Translation::number(const ComputationRecord& of, const LoopLevel& level) {
    if (level.name.empty()) return level.number;
    if (level.name == schedule::kRoot) return computation::root_dimension;
    const std::vector<std::string> levels = (*this)[of].levels();
    const auto at = std::ranges::find(levels, level.name);
    if (at == levels.end())
        refuse("M004", fmt::format("`{}` has no level `{}`", of.name, level.name),
               fmt::format("Its levels are {}.", fmt::join(levels, ", ")));
    return static_cast<int>(at - levels.begin());
}

std::string Translation::level(const ComputationRecord& of, const LoopLevel& level) {
    const int at = number(of, level);
    const std::vector<std::string> levels = (*this)[of].levels();
    if (at < 0 || static_cast<std::size_t>(at) >= levels.size())
        refuse("M004", fmt::format("`{}` has no level {}", of.name, at),
               fmt::format("Its levels are {}.", fmt::join(levels, ", ")));
    return levels[static_cast<std::size_t>(at)];
}

void Translation::order(const ComputationRecord& of, const ComputationRecord& other, const LoopLevel& level, bool replaces) {
    const bool by_other = of.is_place || !made_.contains(&of);
    if (by_other && !made_.contains(&other) && !level.name.empty() && level.name != schedule::kRoot) return;
    const auto known = orders_.find(&of);
    if (known != orders_.end() && known->second.other != &other && !replaces)
        refuse("M004", fmt::format("`{}` runs after `{}` already and would forget it", of.name, known->second.other->name),
               "Name one computation that it runs after, and order that one after the other.");
    orders_.insert_or_assign(&of, Place{&other, number(by_other ? other : of, level)});
}

std::optional<Translation::Place> Translation::predecessor(const ComputationRecord& of) const {
    const auto at = orders_.find(&of);
    if (at == orders_.end()) return std::nullopt;
    Place found = at->second;
    while (!made_.contains(found.other)) {  // A place between computations, or one that was left out.
        const auto before = orders_.find(found.other);
        if (before == orders_.end()) return std::nullopt;
        found = {before->second.other, std::min(found.number, before->second.number)};
    }
    return found;
}

void Translation::apply_orders() {
    for (auto& [of, made] : made_) {
        const auto found = predecessor(*of);
        if (!found) continue;
        schedule::Computation& other = made_.at(found->other);
        made.after(other, found->number < 0 ? schedule::kRoot : level(*found->other, found->number));
    }
}

void Translation::allocate(const BufferRecord& memory, const ComputationRecord& other, const LoopLevel& at) {
    if (!made_.contains(&other)) return;
    if (number(other, at) >= 0) buffers_.at(&memory).allocate_at(made_.at(&other), level(other, at));
}

}  // namespace tiramisu
