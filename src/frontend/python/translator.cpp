#include "frontend/python/translator.h"

#include <algorithm>

#include "analysis/symbols.h"
#include "frontend/python/diagnostics.h"
#include "frontend/python/domain.h"
#include "frontend/python/syntax.h"

namespace sluice::frontend {

Translator::Translator(FunctionContext& context, const Translator* parent) : context_(context), parent_(parent) {
    region_ = &sdfg_.body;
    if (!parent) {
        bindings_ = context.program->globals;
        return;
    }
    bindings_ = parent->bindings_;
    variables_ = parent->variables_;
    inline_prefix_ = parent->inline_prefix_;
    inline_depth_ = parent->inline_depth_;
    assumptions_ = parent->assumptions_;
    map_params_ = parent->map_params_;
    checked_ = parent->checked_;
    where_ = parent->where_;
}

ir::Sdfg Translator::take() {
    flush_symbols();
    if (!region_->start.valid()) new_state("empty");
    give_first_values();
    Domain(*this).forget_notes();
    emit_entry_checks();
    return std::move(sdfg_);
}

/// A symbol that some path leaves without a value begins as 0, or it would be an argument: of a variable (where it is read, a check
/// says that it has none), those that say whether a name is bound, and those that such a name's value counts by.
void Translator::give_first_values() {
    std::vector<std::pair<std::string, std::string>> values;
    for (const std::string& name : analysis::free_symbols(sdfg_)) {
        const bool given =
            std::ranges::find(sdfg_.arg_names, name) != sdfg_.arg_names.end() || (parent_ && parent_->variables_.contains(name));
        const auto watched = std::ranges::find_if(context_.watched, [&](const auto& one) { return one.second == name; });
        const bool tells = watched != context_.watched.end() && !(parent_ && parent_->variables_.contains(watched->first));
        const bool variable = integer_locals_.contains(name) || keeper_of_.contains(name) || behind_checks_.contains(name) ||
                              of_numbers_.contains(name);
        if (tells || (variable && defined_symbols_.contains(name) && !given)) values.emplace_back(name, "0");
    }
    if (values.empty()) return;
    const ir::BlockId before = sdfg_.body.start;
    const ir::BlockId first =
        ir::add_block(sdfg_.body, ir::Block{.label = fresh_label("begin"), .kind = Cow<ir::State>(), .metadata = {}});
    ir::add_transition(sdfg_.body, first, before, {}, std::move(values));
    sdfg_.body.start = first;
}

// ---- states and blocks --------------------------------------------------------------------------------------------------
void Translator::refuse_flat() const {
    if (flat_) throw NotFlat{};
}

std::string Translator::fresh_label(const std::string& base) {
    std::string label = base;
    for (int suffix = 0; !labels_.insert(label).second; ++suffix) label = base + "_" + std::to_string(suffix);
    return label;
}

ir::BlockId Translator::append_block(ir::Block block) {
    refuse_flat();
    block.metadata.where = where_;
    if (!pending_.empty() && !last_.valid())
        last_ = ir::add_block(*region_, ir::Block{.label = fresh_label("start"), .kind = Cow<ir::State>(), .metadata = {}});
    const ir::BlockId id = ir::add_block(*region_, std::move(block));
    if (last_.valid()) ir::add_transition(*region_, last_, id, {}, std::exchange(pending_, {}));
    last_ = id;
    return id;
}

ir::StateBuilder Translator::new_state(const std::string& label) {
    refuse_flat();
    return ir::edit_state(*region_, append_block({.label = fresh_label(label), .kind = Cow<ir::State>(), .metadata = {}}));
}

void Translator::assign_symbols(std::vector<std::pair<std::string, std::string>> assignments) {
    refuse_flat();
    if (!pending_.empty()) flush_symbols();
    for (const auto& [name, text] : assignments) forget(name);
    pending_ = std::move(assignments);
}

void Translator::flush_symbols() {
    if (!pending_.empty()) new_state("assign");
}

void Translator::emit_state(const std::string& label, Plan plan) {
    refuse_flat();
    const auto own = [this](const std::string& data) {
        for (const Translator* outer = parent_; outer; outer = outer->parent_)
            if (outer->sdfg_.containers.contains(data)) return false;
        return true;
    };
    if (Plan first = initial_values(plan, map_params_, own); !first.empty()) emit_state("identity", std::move(first));
    for (const PlanItem& item : plan) {
        const Touched touched = touched_by(item);
        for (const auto* names : {&touched.reads, &touched.writes})
            for (const std::string& name : *names) need_container(name);
        for (const std::string& name : touched.writes) note_written(name);
    }
    need_symbols(symbols_of(plan));
    emit(new_state(label), plan, view_of_);
}

ir::Region Translator::region_of(const std::function<void()>& fill) {
    refuse_flat();
    flush_symbols();
    ir::Region region;
    ir::Region* const outer = std::exchange(region_, &region);
    const ir::BlockId last = std::exchange(last_, ir::BlockId());
    ++depth_;
    const Restored region_number(context_.region, ++context_.regions);
    selections_.clear();
    fill();
    selections_.clear();
    flush_symbols();
    if (!region.start.valid()) new_state("empty");
    --depth_;
    region_ = outer;
    last_ = last;
    return region;
}

// ---- names --------------------------------------------------------------------------------------------------------------
bool Translator::name_taken(const std::string& name) const {
    if (context_.taken.contains(name)) return true;
    for (const Translator* t = this; t; t = t->parent_)
        if (t->sdfg_.containers.contains(name) || t->sdfg_.symbols.contains(name)) return true;
    return false;
}

std::string Translator::fresh_symbol(const std::string& base) {
    std::string name = base;
    for (int suffix = 0; name_taken(name); ++suffix) name = base + std::to_string(suffix);
    define_symbol(name);
    return name;
}

std::string Translator::fresh_container(const std::string& base) const {
    const auto exists = [&](const std::string& name) {
        for (const Translator* t = this; t; t = t->parent_)
            if (t->sdfg_.containers.contains(name) || t->sdfg_.symbols.contains(name)) return true;
        return bindings_.contains(name) || context_.symbol_types.contains(name);
    };
    std::string name = base;
    for (int suffix = 0; exists(name); ++suffix) name = base + "_" + std::to_string(suffix);
    return name;
}

void Translator::define_symbol(const std::string& name, const code::DType& type) {
    sdfg_.symbols.emplace(name, type);
    defined_symbols_.insert(name);
    context_.symbol_types.emplace(name, type);
}

void Translator::need_symbols(const std::set<std::string>& names) {
    for (const std::string& name : names) {
        if (sdfg_.symbols.contains(name) || sdfg_.containers.contains(name) || name.starts_with("__r")) continue;
        const bool of_parent = parent_ && parent_->map_params_.contains(name);
        if (map_params_.contains(name) && !of_parent) continue;
        const auto known = context_.symbol_types.find(name);
        sdfg_.symbols.emplace(name, known == context_.symbol_types.end() ? code::DType(code::Scalar::Int64) : known->second);
    }
}

const ir::Container& Translator::container(const std::string& name) const {
    for (const Translator* t = this; t; t = t->parent_)
        if (const ir::Container* found = t->sdfg_.containers.find(name)) return *found;
    check(false, "no container ", name);
    return sdfg_.containers.at(name);
}

void Translator::need_container(const std::string& name) {
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
std::string Translator::add_temporary(const std::string& base, const code::DType& type, const std::vector<Expr>& shape) {
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

Value Translator::read_container(const std::string& name) const {
    const ir::Container& found = container(name);
    return whole_container(name, found.dtype, found.shape, std::holds_alternative<ir::Scalar>(found.kind));
}

Value Translator::materialise(const Value& value, const std::string& base) {
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

}  // namespace sluice::frontend
