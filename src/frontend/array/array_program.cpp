#include "frontend/array/array_program.h"

#include <algorithm>

#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"

namespace sluice::frontend {

using code::DType;

ArrayProgram::ArrayProgram(ProgramNames& names, const ArrayProgram* around) : names_(names), around_(around) {
    region_ = &sdfg_.body;
    if (!around) return;
    assumptions_ = around->assumptions_;
    map_params_ = around->map_params_;
    checked_ = around->checked_;
    where_ = around->where_;
}

ir::Sdfg ArrayProgram::take_graph() {
    flush_symbols();
    if (!region_->start.valid()) new_state("empty");
    emit_entry_checks();
    return std::move(sdfg_);
}

// ---- what a front end knows of names ------------------------------------------------------------------------------------
bool ArrayProgram::shared_with_others(const std::string&, const std::string&) const {
    return false;
}

bool ArrayProgram::has_meaning(const std::string&) const {
    return false;
}

std::optional<std::string> ArrayProgram::container_of_result(const DType&, const std::vector<Expr>&, const std::vector<Value>&) {
    return std::nullopt;
}

void ArrayProgram::require_value(const Value&, const std::string&, const Span&) {}

Value ArrayProgram::as_array(const Value& value, const Span&, const std::optional<DType>&) {
    return value;
}

// ---- states and blocks --------------------------------------------------------------------------------------------------
void ArrayProgram::refuse_flat() const {
    if (flat_) throw NotFlat{};
}

std::string ArrayProgram::fresh_label(const std::string& base) {
    const auto [known, added] = labels_.try_emplace(base, 0);
    if (added) return base;
    std::string label;
    do label = base + "_" + std::to_string(known->second++);
    while (!labels_.try_emplace(label, 0).second);
    return label;
}

ir::BlockId ArrayProgram::append_block(ir::Block block) {
    refuse_flat();
    block.metadata.where = where_;
    if (!pending_.empty() && !last_.valid())
        last_ = ir::add_block(*region_, ir::Block{.label = fresh_label("start"), .kind = Cow<ir::State>(), .metadata = {}});
    const ir::BlockId id = ir::add_block(*region_, std::move(block));
    if (last_.valid()) ir::add_transition(*region_, last_, id, {}, std::exchange(pending_, {}));
    last_ = id;
    return id;
}

ir::StateBuilder ArrayProgram::new_state(const std::string& label) {
    refuse_flat();
    return ir::edit_state(*region_, append_block({.label = fresh_label(label), .kind = Cow<ir::State>(), .metadata = {}}));
}

void ArrayProgram::assign_symbols(std::vector<std::pair<std::string, std::string>> assignments) {
    refuse_flat();
    if (!pending_.empty()) flush_symbols();
    for (const auto& [name, text] : assignments) forget(name);
    pending_ = std::move(assignments);
}

void ArrayProgram::flush_symbols() {
    if (!pending_.empty()) new_state("assign");
}

void ArrayProgram::emit_state(const std::string& label, Plan plan) {
    refuse_flat();
    const auto own = [this](const std::string& data) {
        for (const ArrayProgram* outer = around_; outer; outer = outer->around_)
            if (outer->sdfg_.containers.contains(data)) return false;
        return true;
    };
    if (Plan first = initial_values(plan, map_parameters(), own); !first.empty()) emit_state("identity", std::move(first));
    for (const PlanItem& item : plan) {
        const Touched touched = touched_by(item);
        for (const auto* names : {&touched.reads, &touched.writes})
            for (const std::string& name : *names) need_container(name);
        for (const std::string& name : touched.writes) note_written(name);
        for (const std::string& name : touched.writes)
            raises_ = raises_ || (!container(root_of(name)).transient && !name.starts_with("__return"));
    }
    need_symbols(symbols_of(plan));
    emit(new_state(label), plan, view_of_);
}

// ---- names --------------------------------------------------------------------------------------------------------------
bool ArrayProgram::name_taken(const std::string& name) const {
    if (names_.taken.contains(name)) return true;
    for (const ArrayProgram* t = this; t; t = t->around_)
        if (t->sdfg_.containers.contains(name) || t->sdfg_.symbols.contains(name)) return true;
    return false;
}

std::string ArrayProgram::fresh_symbol(const std::string& base) {
    std::string name = base;
    for (int suffix = 0; name_taken(name); ++suffix) name = base + std::to_string(suffix);
    define_symbol(name);
    return name;
}

std::string ArrayProgram::fresh_container(const std::string& base) const {
    const auto exists = [&](const std::string& name) {
        for (const ArrayProgram* t = this; t; t = t->around_)
            if (t->sdfg_.containers.contains(name) || t->sdfg_.symbols.contains(name)) return true;
        return has_meaning(name) || names_.symbol_types.contains(name);
    };
    std::string name = base;
    for (int suffix = 0; exists(name); ++suffix) name = base + "_" + std::to_string(suffix);
    return name;
}

void ArrayProgram::define_symbol(const std::string& name, const DType& type) {
    sdfg_.symbols.emplace(name, type);
    defined_symbols_.insert(name);
    names_.symbol_types.emplace(name, type);
}

void ArrayProgram::add_map_parameter(const std::string& name, const symbolic::Range& range) {
    std::string hidden = name + "'";
    while (map_params_.contains(hidden)) hidden += "'";
    if (const auto around = map_params_.find(name); around != map_params_.end()) map_params_.emplace(hidden, around->second);
    map_params_.insert_or_assign(name, range);
}

std::set<std::string> ArrayProgram::map_parameters() const {
    std::set<std::string> names;
    for (const auto& [name, range] : map_params_) names.insert(name);
    return names;
}

void ArrayProgram::need_symbols(const std::set<std::string>& names) {
    for (const std::string& name : names) {
        if (sdfg_.symbols.contains(name) || sdfg_.containers.contains(name) || name.starts_with("__r")) continue;
        const bool of_parent = around_ && around_->map_params_.contains(name);
        if (map_params_.contains(name) && !of_parent) continue;
        const auto known = names_.symbol_types.find(name);
        sdfg_.symbols.emplace(name, known == names_.symbol_types.end() ? code::DType(code::Scalar::Int64) : known->second);
    }
}

const ir::Container& ArrayProgram::container(const std::string& name) const {
    for (const ArrayProgram* t = this; t; t = t->around_)
        if (const ir::Container* found = t->sdfg_.containers.find(name)) return *found;
    check(false, "no container ", name);
    return sdfg_.containers.at(name);
}

void ArrayProgram::need_container(const std::string& name) {
    if (name.empty() || sdfg_.containers.contains(name)) return;
    ir::Container copy = container(name);
    copy.transient = false;
    copy.binding = ir::Binding::Own;
    std::set<std::string> symbols;
    for (const Expr& extent : copy.shape) symbols.merge(symbolic::free_symbols(extent));
    need_symbols(symbols);
    sdfg_.containers.set(name, std::move(copy));
}

// ---- containers ---------------------------------------------------------------------------------------------------------
std::string ArrayProgram::add_temporary(const std::string& base, const DType& type, const std::vector<Expr>& shape) {
    refuse_flat();
    if (translating_again_)
        for (const std::string& known : temporaries_[base]) {
            const ir::Container& present = sdfg_.containers.at(known);
            const bool fits = present.dtype == type && present.shape == shape && !shared_with_others(known, {});
            if (fits && handed_out_.insert(known).second) return known;
        }
    const std::string name = fresh_container(base);
    temporaries_[base].push_back(name);
    handed_out_.insert(name);
    std::set<std::string> symbols;
    for (const Expr& extent : shape) symbols.merge(symbolic::free_symbols(extent));
    need_symbols(symbols);
    sizing_.merge(symbols);
    if (shape.empty())
        ir::add_scalar(sdfg_, name, type, true).metadata.where = where_;
    else
        ir::add_transient(sdfg_, name, type, shape).metadata.where = where_;
    return name;
}

Value ArrayProgram::read_container(const std::string& name) const {
    const ir::Container& found = container(name);
    return whole_container(name, found.dtype, found.shape, std::holds_alternative<ir::Scalar>(found.kind));
}

Value ArrayProgram::materialise(const Value& value, const std::string& base) {
    if (const Operand* view = as_view(value); view && is_identity(*view, value.rank())) {
        const ir::Container& whole = container(view->data);
        bool complete = whole.shape.size() == value.rank();
        for (std::size_t dim = 0; complete && dim < value.rank(); ++dim) complete = whole.shape[dim] == value.shape[dim];
        if (complete) return value;
    }
    const std::string name = add_temporary(base, strong(value.type), value.shape);
    const Value result = read_container(name);
    assign(target_of(result, where_), value, base);
    return result;
}

std::string ArrayProgram::root_of(const std::string& data) const {
    for (const ArrayProgram* t = this; t; t = t->around_)
        if (const auto at = t->view_of_.find(data); at != t->view_of_.end()) return root_of(at->second);
    return data;
}

std::string ArrayProgram::fresh_param(std::set<std::string>& used) const {
    for (int at = 0;; ++at) {
        const std::string name = "i" + std::to_string(at);
        if (name_taken(name) || map_params_.contains(name) || !used.insert(name).second) continue;
        return name;
    }
}

/// The value as it is now, where what it reads may change before it is used. A view stays a view.
Value ArrayProgram::settled(const Value& value) {
    if (value.kind == Value::Kind::Tuple) {
        Value result = value;
        for (Value& element : result.elements) {
            element = settled(element);
            if (element.is_elements() && element.is_symbolic() && element.rank() > 0) element = materialise(element, "value");
        }
        return result;
    }
    if (!value.is_elements() || value.is_symbolic() || (value.rank() > 0 && as_view(value)) || as_part(value)) return value;
    Value copy = read_container(add_temporary("value", strong(value.type), value.shape));
    assign(target_of(copy, where_), value, "value");
    copy.type.weak = value.type.weak;
    copy.other_types = value.other_types;
    copy.type_sources = value.type_sources;
    if (value.which) copy.which = std::make_shared<const Value>(settled(*value.which));
    return copy;
}

Value ArrayProgram::result_place(const std::string& base, const DType& type, const std::vector<Expr>& shape,
                                 const std::vector<Value>& operands) {
    if (hint_ && !hint_->scatter && hint_->shape == shape && hint_->view.dtype == type) {
        bool free = true;
        for (const Value& value : operands)
            for (const auto& [id, operand] : value.operands) free = free && root_of(operand.data) != root_of(hint_->view.data);
        if (free) {
            Value place;
            place.type = {type, false};
            place.shape = shape;
            place.code = make_name(hint_->view.id());
            place.operands.emplace(hint_->view.id(), hint_->view);
            return place;
        }
    }
    const auto own = container_of_result(type, shape, operands);
    return read_container(own ? *own : add_temporary(base, type, shape));
}
}  // namespace sluice::frontend
