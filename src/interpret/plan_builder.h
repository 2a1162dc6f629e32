// Resolves an SDFG: see plan.h. Private to plan*.cpp.
#pragma once

#include <map>
#include <set>

#include "interpret/code.h"
#include "interpret/plan.h"
#include "ir/code_block.h"

namespace sluice::interpret {

/// A state with its scopes.
struct StateView {
    explicit StateView(const ir::State& state);

    const ir::State& state;
    ir::Adjacency adjacency;
    std::vector<ir::NodeId> parent;  ///< Entry of the scope that holds a node; invalid at the top. An exit lies in its own scope.
    std::string path;

    const ir::Node& node(ir::NodeId id) const { return state.nodes[id]; }
    bool is_entry(ir::NodeId id) const;
    bool is_exit(ir::NodeId id) const;
    ir::NodeId entry_of(ir::NodeId exit) const;
    /// The other end of a memlet path, through scopes. A consume entry's stream connector is an end.
    ir::EdgeId first_edge(ir::EdgeId edge) const;
    ir::EdgeId last_edge(ir::EdgeId edge) const;
    ir::NodeId source(ir::EdgeId edge) const { return state.edges[first_edge(edge)].src; }
    ir::NodeId target(ir::EdgeId edge) const { return state.edges[last_edge(edge)].dst; }
};

/// A connector that no container lies behind.
struct Wire {
    std::uint32_t first = 0;
    Scalar scalar = Scalar::Void;
    std::uint32_t lanes = 1;
};

class PlanBuilder {
public:
    PlanBuilder(const ir::Sdfg& sdfg, const Options& options, std::string path);
    std::shared_ptr<SdfgPlan> build();

    // ---- names (plan_names.cpp) ----
    /// Where a symbol that is used lies, or one that is only declared.
    std::uint32_t slot(const std::string& symbol);
    std::uint32_t declared_slot(const std::string& symbol);
    std::optional<std::uint32_t> container(const std::string& name) const;
    const ContainerPlan& plan_of(std::uint32_t container) const { return plan_->containers[container]; }
    bool is_visible(const std::string& symbol) const { return visible_.contains(symbol); }
    const std::multiset<std::string>& visible() const { return visible_; }
    const SymbolPlan& symbol(const std::string& name) { return plan_->symbols[slot(name)]; }
    Index index(const symbolic::Expr& e);
    SectionPlan section(const std::string& data, const std::optional<symbolic::Subset>& subset, const std::string& path);
    CodePlan code(const code::Expr& e, bool condition, const std::string& path);
    std::shared_ptr<ResolutionPlan> resolution(const std::optional<ir::Resolution>& wcr, std::uint32_t container,
                                               const std::string& path);

private:
    void declare();
    void add_container(const std::string& name, const ir::Container& container, bool transient);
    void fill_container(std::uint32_t at);
    bool index_affine(const symbolic::Expr& e, Index& index);
    bool index_stack(const symbolic::Expr& e, Index& index, int depth);

    // ---- states (plan_state.cpp, plan_tasklet.cpp) ----
    std::shared_ptr<ScopePlan> scope(const StateView& view, ir::NodeId entry);
    void order(const StateView& view, const std::vector<ir::NodeId>& members, ScopePlan& scope);
    void relate(ScopePlan& scope);
    void node(const StateView& view, ir::NodeId id, NodePlan& plan);
    AccessPlan access(const StateView& view, ir::NodeId id);
    CopyPlan copy(const StateView& view, ir::EdgeId edge);
    MapPlan map(const StateView& view, ir::NodeId id);
    ConsumePlan consume(const StateView& view, ir::NodeId id);
    InvokePlan invoke(const StateView& view, ir::NodeId id, const std::string& path);
    void library(const StateView& view, ir::NodeId id, NodePlan& plan);
    DefinitionPlan definition(const StateView& view, ir::NodeId id, ir::Meaning meaning, const std::string& path);
    CallPlan library_call(const StateView& view, ir::Call call, const std::string& path);
    std::vector<std::pair<std::uint32_t, InputPlan>> range_symbols(const StateView& view, ir::NodeId id);
    InputPlan scalar_input(const StateView& view, ir::EdgeId edge, Scalar type);
    void views(const StateView& view, const std::vector<ir::NodeId>& members, ScopePlan& scope);
    TaskletPlan tasklet(const StateView& view, ir::NodeId id, const std::string& path);
    TaskletPlan foreign_tasklet(const StateView& view, ir::NodeId id, const std::string& path);
    const Wire* wire(const StateView& view, ir::EdgeId edge) const;
    Wire& add_wire(const StateView& view, ir::NodeId node, const std::string& connector, Scalar scalar, std::uint32_t lanes);
    bool blocks(const NodePlan& plan) const;
    friend class TaskletNames;

    // ---- control flow (plan_control.cpp) ----
    void find_allocation_scopes();
    RegionPlan region(const ir::Region& region);
    BlockPlan block(const ir::Block& block);
    std::optional<CodePlan> condition(const ir::CodeBlock& code, const std::string& path);
    std::vector<AssignmentPlan> statements(const std::optional<ir::CodeBlock>& code, const std::string& path);

    const ir::Sdfg& sdfg_;
    const Options& options_;
    std::string path_;
    std::shared_ptr<SdfgPlan> plan_;
    std::multiset<std::string> visible_;
    std::map<std::tuple<const ir::State*, ir::NodeId, std::string>, Wire> wires_;
    /// Containers of one scope: by state and entry.
    std::map<std::pair<const ir::State*, ir::NodeId>, std::vector<std::string>> allocation_scopes_;
};

/// Symbols, containers and constants: what code outside tasklets sees.
class GlobalNames : public Names {
public:
    explicit GlobalNames(PlanBuilder& builder) : builder_(builder) {}
    std::optional<code::Type> type_of(const std::string& name) override;
    std::optional<Value> name(CodeCompiler& compiler, const std::string& name) override;
    std::optional<Value> element(CodeCompiler& compiler, const std::string& name, const std::vector<Value>& indices) override;
    std::optional<Value> length(CodeCompiler& compiler, const std::string& name) override;

protected:
    PlanBuilder& builder_;
};

}  // namespace sluice::interpret
