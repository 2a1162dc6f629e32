// Names become slots, symbolic expressions become evaluators.
#include <algorithm>

#include "code/walk.h"
#include "interpret/access.h"
#include "interpret/plan_builder.h"
#include "ir/query.h"
#include "ir/streams.h"

namespace sluice::interpret {

using symbolic::Expr;
using symbolic::Kind;

PlanBuilder::PlanBuilder(const ir::Sdfg& sdfg, const Options& options, std::string path)
    : sdfg_(sdfg), options_(options), path_(std::move(path)), plan_(std::make_shared<SdfgPlan>()) {
    plan_->sdfg = &sdfg;
    plan_->name = sdfg.name;
}

std::uint32_t PlanBuilder::slot(const std::string& symbol) {
    const std::uint32_t at = declared_slot(symbol);
    plan_->symbols[at].used = true;
    return at;
}

std::uint32_t PlanBuilder::declared_slot(const std::string& symbol) {
    const auto [at, added] = plan_->symbol_slots.try_emplace(symbol, static_cast<std::uint32_t>(plan_->symbols.size()));
    if (added) {
        const auto declared = sdfg_.symbols.find(symbol);
        const bool integral =
            declared == sdfg_.symbols.end() || is_integer(declared->second.scalar) || !declared->second.is_scalar();
        plan_->symbols.push_back({symbol, integral ? Scalar::Int64 : declared->second.scalar});
    }
    return at->second;
}

std::optional<std::uint32_t> PlanBuilder::container(const std::string& name) const {
    const auto found = plan_->container_slots.find(name);
    return found == plan_->container_slots.end() ? std::nullopt : std::optional(found->second);
}

void PlanBuilder::add_container(const std::string& name, const ir::Container& container, bool transient) {
    ContainerPlan plan;
    plan.name = name;
    plan.container = &container;
    plan.transient = transient;
    plan.scalar = container.dtype.compound ? Scalar::Void : container.dtype.scalar;
    plan.lanes = std::max(container.dtype.lanes, 1u);
    plan.lane_size = code::size_in_bytes(DType(plan.scalar));
    plan.element_size = plan.lane_size * plan.lanes;
    const bool known = visit_scalar(plan.scalar, []<class T>() {});
    plan.kind = known ? ContainerPlan::Kind::Memory : ContainerPlan::Kind::Unsupported;
    if (std::holds_alternative<ir::Stream>(container.kind) && known) plan.kind = ContainerPlan::Kind::Stream;
    const auto* structure = std::get_if<ir::Structure>(&container.kind);
    if (structure) plan.kind = ContainerPlan::Kind::Structure;
    if (std::holds_alternative<ir::ForeignContainer>(container.kind) || std::holds_alternative<ir::ContainerArray>(container.kind))
        plan.kind = ContainerPlan::Kind::Unsupported;
    plan_->container_slots.emplace(name, static_cast<std::uint32_t>(plan_->containers.size()));
    plan_->containers.push_back(std::move(plan));
    if (structure)
        for (const auto& [member, inner] : structure->members) add_container(name + "." + member, *inner, transient);
}

void PlanBuilder::fill_container(std::uint32_t at) {
    const ir::Container& container = *plan_->containers[at].container;
    std::vector<Index> shape, strides, offset;
    Index start(0), total(0), capacity(0);
    const auto all = [&](const std::vector<Expr>& from, std::vector<Index>& to) {
        for (const Expr& e : from) to.push_back(index(e));
    };
    all(container.shape, shape);
    if (const auto* array = std::get_if<ir::Array>(&container.kind)) {
        all(array->strides, strides);
        all(array->offset, offset);
        start = index(array->start_offset);
        total = index(array->total_size);
    }
    if (const auto* stream = std::get_if<ir::Stream>(&container.kind)) {
        all(stream->offset, offset);
        if (!ir::feeds_consume_scope(sdfg_, plan_->containers[at].name)) capacity = index(stream->buffer_size);
    }
    ContainerPlan& plan = plan_->containers[at];
    plan.shape = std::move(shape), plan.strides = std::move(strides), plan.offset = std::move(offset);
    plan.start = start, plan.total = total, plan.capacity = capacity;
}

namespace {

std::set<std::string> symbols_of_size(const ir::Container& container) {
    std::set<std::string> names;
    for (const Expr& extent : container.shape) names.merge(symbolic::free_symbols(extent));
    if (const auto* array = std::get_if<ir::Array>(&container.kind)) names.merge(symbolic::free_symbols(array->total_size));
    return names;
}

}  // namespace

void PlanBuilder::declare() {
    for (const auto& [name, type] : sdfg_.symbols) declared_slot(name), visible_.insert(name);
    for (const std::string& name : ir::assigned_symbols(sdfg_)) slot(name), visible_.insert(name);
    for (const auto& [name, container] : sdfg_.containers) add_container(name, container, container.transient);
    for (const auto& [name, constant] : sdfg_.constants) {
        add_container(name, constant.container, true);
        plan_->containers.back().constant = &constant;
    }
    // What shapes mention is a symbol, declared or not.
    for (const ContainerPlan& container : plan_->containers)
        for (const Expr& extent : container.container->shape)
            for (const std::string& name : symbolic::free_symbols(extent))
                if (!plan_->container_slots.contains(name) && !visible_.contains(name)) slot(name), visible_.insert(name);
    for (std::uint32_t at = 0; at < plan_->containers.size(); ++at) fill_container(at);
    for (const std::string& name : ir::assigned_symbols(sdfg_))
        for (std::uint32_t at = 0; at < plan_->containers.size(); ++at) {
            const ContainerPlan& plan = plan_->containers[at];
            if (plan.transient && !plan.constant && plan.container->binding == ir::Binding::Own &&
                symbols_of_size(*plan.container).contains(name))
                plan_->symbols[slot(name)].sizes.push_back(at);
        }
}

// ---- indices ------------------------------------------------------------------------------------------------------------
bool PlanBuilder::index_affine(const Expr& e, Index& result) {
    if (e.is_integer()) {
        result.constant_ += e.integer();
        return true;
    }
    if (e.is_symbol() && !plan_->container_slots.contains(e.name())) {
        result.terms_.emplace_back(slot(e.name()), 1);
        return true;
    }
    if (e.kind() == Kind::Multiply && e.operands().size() == 2 && e.operands()[0].is_integer() && e.operands()[1].is_symbol() &&
        !plan_->container_slots.contains(e.operands()[1].name())) {
        result.terms_.emplace_back(slot(e.operands()[1].name()), e.operands()[0].integer());
        return true;
    }
    return e.kind() == Kind::Add && std::ranges::all_of(e.operands(), [&](const Expr& operand) {
               return operand.kind() != Kind::Add && index_affine(operand, result);
           });
}

bool PlanBuilder::index_stack(const Expr& e, Index& result, int depth) {
    using Step = Index::Step;
    if (depth > 30) return false;
    const auto fold = [&](Step step) {
        for (std::size_t at = 0; at < e.operands().size(); ++at) {
            if (!index_stack(e.operands()[at], result, depth + 1)) return false;
            if (at > 0) result.steps_.push_back({step});
        }
        return true;
    };
    switch (e.kind()) {
        case Kind::Integer:
        case Kind::Boolean:
            result.steps_.push_back({Step::Push, e.integer()});
            return true;
        case Kind::Symbol:
            if (plan_->container_slots.contains(e.name())) return false;
            result.steps_.push_back({Step::Symbol, slot(e.name())});
            return true;
        case Kind::Add:
            return fold(Step::Add);
        case Kind::Multiply:
            return fold(Step::Multiply);
        case Kind::FloorDivide:
            return fold(Step::FloorDivide);
        case Kind::Modulo:
            return fold(Step::Modulo);
        case Kind::Minimum:
            return fold(Step::Minimum);
        case Kind::Maximum:
            return fold(Step::Maximum);
        case Kind::Equal:
            return fold(Step::Equal);
        case Kind::Less:
            return fold(Step::Less);
        case Kind::LessEqual:
            return fold(Step::LessEqual);
        case Kind::And:
            return fold(Step::And);
        case Kind::Or:
            return fold(Step::Or);
        case Kind::Not:
            if (!index_stack(e.operands()[0], result, depth + 1)) return false;
            result.steps_.push_back({Step::Not});
            return true;
        case Kind::Select:
            for (const Expr& operand : e.operands())
                if (!index_stack(operand, result, depth + 1)) return false;
            result.steps_.push_back({Step::Select});
            return true;
        case Kind::Rational:
        case Kind::Real:
        case Kind::Power:
        case Kind::Call:
            return false;
    }
    return false;
}

namespace {

bool reads_data(const Expr& e, const SdfgPlan& plan) {
    if (e.kind() == Kind::Call) return true;
    if (e.is_symbol() && plan.container_slots.contains(e.name())) return true;
    return std::ranges::any_of(e.operands(), [&](const Expr& operand) { return reads_data(operand, plan); });
}

}  // namespace

Index PlanBuilder::index(const Expr& e) {
    Index result;
    if (e.is_integer()) return Index(e.integer());
    if (index_affine(e, result)) {
        result.kind_ = Index::Kind::Affine;
        return result;
    }
    result = Index();
    if (index_stack(e, result, 0)) {
        result.kind_ = Index::Kind::Stack;
        return result;
    }
    result = Index();
    if (reads_data(e, *plan_)) {
        const CodePlan program = code(*ir::to_code(e), false, path_);
        result.kind_ = Index::Kind::Code;
        result.code_ = program.program;
        result.result_ = program.result;
        result.result_type_ = program.type;
        return result;
    }
    result.kind_ = Index::Kind::Symbolic;
    result.expression_ = e;
    for (const std::string& name : symbolic::free_symbols(e)) result.names_.emplace_back(name, slot(name));
    return result;
}

SectionPlan PlanBuilder::section(const std::string& data, const std::optional<symbolic::Subset>& subset, const std::string& path) {
    const auto at = container(data);
    if (!at) fail({"I007", "container `" + data + "` is not declared", {}, path, "declare it", {}});
    SectionPlan section;
    section.container = *at;
    const std::size_t rank = plan_of(*at).shape.size();
    section.text = data;
    if (!subset || subset->rank() != rank) {
        section.whole = rank > 0;
        section.single =
            std::ranges::all_of(plan_of(*at).container->shape, [](const Expr& extent) { return extent.is_integer(1); });
        return section;
    }
    section.single = true;
    for (const symbolic::Range& range : subset->dims) {
        section.single = section.single && symbolic::num_elements(range).is_integer(1);
        section.ranges.push_back({index(range.begin), index(range.end), index(range.step), index(range.tile)});
    }
    return section;
}

// ---- code ---------------------------------------------------------------------------------------------------------------
CodePlan PlanBuilder::code(const code::Expr& e, bool condition, const std::string& path) {
    CodePlan plan;
    plan.program = std::make_shared<Program>();
    GlobalNames names(*this);
    CodeCompiler compiler(*plan.program, names, path);
    const Value value = condition ? compiler.condition(e) : compiler.expression(e);
    compiler.finish();
    plan.result = value.registers[0];
    plan.type = value.scalar;
    return plan;
}

namespace {

class ResolutionNames : public GlobalNames {
public:
    ResolutionNames(PlanBuilder& builder, std::map<std::string, Value> parameters)
        : GlobalNames(builder), parameters_(std::move(parameters)) {}
    std::optional<Value> name(CodeCompiler& compiler, const std::string& name) override {
        const auto found = parameters_.find(name);
        return found == parameters_.end() ? GlobalNames::name(compiler, name) : std::optional(found->second);
    }

private:
    std::map<std::string, Value> parameters_;
};

}  // namespace

std::shared_ptr<ResolutionPlan> PlanBuilder::resolution(const std::optional<ir::Resolution>& wcr, std::uint32_t container,
                                                        const std::string& path) {
    if (!wcr) return nullptr;
    const code::ExprPtr tree = ir::parsed_expr(wcr->text()).or_fail();
    const auto* lambda = std::get_if<code::LambdaExpr>(&tree->node);
    if (!lambda || lambda->parameters.size() != 2)
        fail({"I007",
              "a conflict resolution must be a lambda of two arguments",
              {},
              path,
              "write it as `lambda old, new: ...`",
              {}});
    auto plan = std::make_shared<ResolutionPlan>();
    const Scalar scalar = plan_of(container).scalar;
    plan->program.registers.resize(2);
    plan->old_value = 0, plan->new_value = 1;
    ResolutionNames names(*this, {{lambda->parameters[0], {scalar, false, {0}}}, {lambda->parameters[1], {scalar, false, {1}}}});
    CodeCompiler compiler(plan->program, names, path);
    const Value result = compiler.convert(compiler.expression(*lambda->body), scalar);
    compiler.finish();
    plan->result = result.registers[0];
    return plan;
}

std::optional<code::Type> GlobalNames::type_of(const std::string& name) {
    if (const auto at = builder_.container(name)) {
        const ContainerPlan& plan = builder_.plan_of(*at);
        if (plan.kind == ContainerPlan::Kind::Memory) return code::Type{DType(plan.scalar, plan.lanes), false};
        return std::nullopt;
    }
    if (!builder_.is_visible(name)) return std::nullopt;
    const Scalar type = builder_.symbol(name).type;
    return code::Type{type, type == Scalar::Int64};
}

std::optional<Value> GlobalNames::name(CodeCompiler& compiler, const std::string& name) {
    if (builder_.container(name)) return element(compiler, name, {});
    if (!builder_.is_visible(name)) return std::nullopt;
    const Scalar type = builder_.symbol(name).type;
    const Value value = compiler.fresh(type, type == Scalar::Int64);
    compiler.emit(load_symbol(), value.registers[0], builder_.slot(name));
    return value;
}

std::optional<Value> GlobalNames::element(CodeCompiler& compiler, const std::string& name, const std::vector<Value>& indices) {
    const auto at = builder_.container(name);
    if (!at || builder_.plan_of(*at).kind != ContainerPlan::Kind::Memory) return std::nullopt;
    const ContainerPlan& plan = builder_.plan_of(*at);
    const std::uint32_t first = compiler.as_indices(indices);
    const Value value = compiler.fresh(DType(plan.scalar, plan.lanes));
    compiler.emit(load_container(), value.registers[0], *at, first, static_cast<std::uint32_t>(indices.size()));
    return value;
}

std::optional<Value> GlobalNames::length(CodeCompiler& compiler, const std::string& name) {
    const auto at = builder_.container(name);
    if (!at || builder_.plan_of(*at).kind != ContainerPlan::Kind::Stream) return std::nullopt;
    const Value value = compiler.fresh(Scalar::Int64, true);
    compiler.emit(stream_length(), value.registers[0], *at);
    return value;
}

}  // namespace sluice::interpret
