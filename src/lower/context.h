// What the files of this room share while one SDFG becomes one function: what every name of the graph is in the loop IR, which
// loops are open, and where in the graph we are.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/liveness.h"
#include "analysis/scopes.h"
#include "ir/adjacency.h"
#include "ir/sdfg.h"
#include "loop/ir.h"
#include "loop/origins.h"
#include "lower/lower.h"
#include "lower/names.h"
#include "symbolic/assumptions.h"

namespace sluice::lower {

using code::DType;
using ir::NodeId;
using loop::Body;
using loop::ValuePtr;
using symbolic::Expr;
using symbolic::Subset;

/// A container as the function sees it.
struct Slot {
    enum class Kind { Variable, Buffer, Stream };
    Kind kind = Kind::Buffer;
    std::string name;  ///< In the loop IR.
    const ir::Container* container = nullptr;
    std::size_t depth = 0;  ///< Number of loops open where it was declared.
    bool shared = false;    ///< Threads of the caller may write the same elements.
    loop::Space space = loop::Space::Own;
    std::string count =
        {};  ///< Of a stream on a device, whose elements lie in the buffer `name`: how many, a buffer of one integer.
};
/// A symbol: a variable of the function.
struct SymbolSlot {
    std::string name;
    DType type = code::Scalar::Int64;
    bool weak = true;                        ///< Counts as a Python number in promotion.
    std::optional<std::int64_t> value = {};  ///< Known when it is lowered: no variable exists.
};
/// An open loop.
struct LoopScope {
    std::string variable;  ///< Empty: a team of workers without an index.
    symbolic::Range range;
    bool parallel = false;
};

/// The team that runs the loop around, every thread of it all of the control flow. Threads meet where they have to.
struct Team {
    std::string thread;                             ///< The variable with a thread's number.
    bool alone = false;                             ///< Since they last met, one thread has run something by itself.
    bool shares = false;                            ///< Shares of a map may still be running.
    bool starts_with_map = false, started = false;  ///< What the body of the innermost loop begins with.
};

/// The launch in whose body this is.
struct OpenLaunch {
    bool by_blocks = false;      ///< Blocks share its dimensions, and their threads maps inside,
    bool among_threads = false;  ///< of which one is open.
    Body shared;                 ///< Memory of a block.
};

/// One for the library.
struct ModuleContext {
    LowerOptions options;
    loop::Module module;
    loop::Origins origins{module};
    Names function_names;
    /// Functions of nested SDFGs, by the node and what the call knows: both ways to run a map may call one.
    std::map<std::string, std::string> functions;
    std::string
        state_fields;  ///< Declarations of tasklets that live as long as the library: members of `*__state`, as DaCe names it.
};

/// One for each SDFG.
struct FunctionContext {
    FunctionContext(ModuleContext& module, const ir::Sdfg& sdfg, std::string path)
        : module(module), sdfg(sdfg), path(std::move(path)) {}

    ModuleContext& module;
    const ir::Sdfg& sdfg;
    std::string path;  ///< Graph path: `gemm/nested_3`.
    bool nested = false;
    bool parallel_caller = false;  ///< Called from a parallel loop: every map is sequential.
    bool by_one = false;           ///< One thread runs this: there is too little for a team, or the team does something else.
    bool on_device = false;        ///< In a launch, or called by one.
    std::optional<OpenLaunch> launch;
    std::optional<Team> team;  ///< Its loop is open here, and no map that it shares.
    Names names;
    std::map<std::string, Slot, std::less<>> slots;
    std::map<std::string, SymbolSlot, std::less<>> symbols;
    std::vector<LoopScope> loops;
    std::map<std::string, analysis::AllocationScope> allocated;
    std::map<const ir::State*, std::vector<std::string>> allocated_in_state;
    std::map<std::pair<const ir::State*, NodeId>, std::vector<std::string>> allocated_in_scope;
    std::set<std::string> on_chip;        ///< Containers on an FPGA that a kernel allocates for itself.
    std::set<std::string> outgrowing;     ///< Containers whose sizes are assigned again while they live.
    std::set<std::string> addressed;      ///< Scalars that something needs a pointer to.
    std::set<std::string> for_variables;  ///< Loop variables that exist only in their loops.
    std::set<std::string> sizes;          ///< Parameters of the function that sizes of kept buffers may use.
    std::set<std::string> overlapping;    ///< Arguments whose memory another one reaches.
    std::set<std::string> positive;       ///< Those of them that every caller gives a positive value.
    std::set<std::string> varying;        ///< Variables that serve as symbols and differ between iterations of a parallel loop.
    std::vector<loop::Allocate> kept;     ///< Buffers that outlive the call: the caller hands them in. Nested SDFGs only.

    bool in_parallel() const;
    /// May iterations here be shared by a team of threads? Not inside of one that they share already, nor where one thread is to
    /// run it.
    bool may_share() const { return module.options.parallel && !in_parallel() && !by_one; }
    /// Notes a variable that will serve as a symbol and was declared here.
    void note_variable(const std::string& variable) {
        if (in_parallel()) varying.insert(variable);
    }
    /// What holds for these variables here: those of open loops lie in their ranges, `positive` ones are positive, others may be
    /// anything.
    symbolic::Assumptions known(std::set<std::string> variables) const;
};

/// A scalar that takes the updates of a scope in place of the container beyond its exit.
struct Accumulator {
    std::string variable;
    DType type;
    std::size_t depth = 0;  ///< Loops around, with those that reduce it: parallel loops below share it.
    /// What combines values in it; another than the memlet's where it holds truths as integers.
    code::ReductionType op = code::ReductionType::Custom;
};

/// One for each state.
struct StateContext {
    StateContext(FunctionContext& function, const ir::State& state, std::string path)
        : function(function), state(state), adjacency(state), scopes(state, adjacency), path(std::move(path)) {}

    FunctionContext& function;
    const ir::State& state;
    ir::Adjacency adjacency;
    analysis::ScopeTree scopes;
    std::string path;
    /// Values on edges that touch no container: (node, output connector) -> variable.
    std::map<std::pair<NodeId, std::string>, ValuePtr> wires;
    /// (scope exit, name after IN_) -> accumulator.
    std::map<std::pair<NodeId, std::string>, Accumulator> accumulators;

    const ir::Node& node(NodeId id) const { return state.nodes[id]; }
    std::string path_of(NodeId id) const { return path + "/n" + std::to_string(id.value); }
};

/// Opens a name scope and puts back every binding it replaced when it closes.
class ScopedBindings {
public:
    explicit ScopedBindings(FunctionContext& function) : function_(function) { function_.names.open(); }
    ScopedBindings(const ScopedBindings&) = delete;
    ~ScopedBindings();
    void bind(const std::string& name, SymbolSlot symbol);
    void bind(const std::string& name, Slot slot);

private:
    FunctionContext& function_;
    std::vector<std::pair<std::string, std::optional<SymbolSlot>>> symbols_;
    std::vector<std::pair<std::string, std::optional<Slot>>> slots_;
};

template <class Node> loop::Statement statement(Node node, Span where = {}) {
    return {std::move(node), where};
}
/// Appends a statement.
template <class Node> void emit(Body& body, Node node, Span where = {}) {
    body.push_back({std::move(node), where});
}

struct Refusal {
    std::string code, message;
    Span where;
    std::string path, remedy;
};
[[noreturn]] void refuse(Refusal refusal);

}  // namespace sluice::lower
