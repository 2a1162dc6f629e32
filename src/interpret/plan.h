// An SDFG resolved for execution: names are slots, tasklets are programs, subsets are evaluators. Built once, then only read
// (registers of programs aside).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "interpret/index.h"
#include "interpret/instructions.h"
#include "interpret/interpret.h"
#include "ir/adjacency.h"
#include "ir/meaning.h"

namespace sluice::interpret {

struct SdfgPlan;

struct SymbolPlan {
    std::string name;
    Scalar type = Scalar::Int64;            ///< Integers are kept as int64, floats as double.
    std::vector<std::uint32_t> sizes = {};  ///< Transients whose size reads the symbol, where the SDFG assigns it.
    bool used = false;                      ///< Something reads or sets it: it needs a value.
};
struct ContainerPlan {
    enum class Kind : std::uint8_t { Memory, Stream, Structure, Unsupported };
    std::string name;
    const ir::Container* container = nullptr;
    Kind kind = Kind::Memory;
    Scalar scalar = Scalar::Void;
    std::uint32_t lanes = 1;
    std::size_t lane_size = 0, element_size = 0;
    std::vector<Index> shape, strides, offset;  ///< `strides` empty: C order.
    Index start, total, capacity;
    bool transient = false;
    bool is_scoped = false;  ///< Belongs to one scope: allocated anew whenever that is entered.
    const ir::Constant* constant = nullptr;
};

struct RangePlan {
    Index begin, end, step, tile;
};
/// Part of a container.
struct SectionPlan {
    std::uint32_t container = 0;
    std::vector<RangePlan> ranges;  ///< One for each dimension, unless `whole`.
    bool whole = false;
    bool single = false;  ///< One element: only `begin` counts.
    bool allow_oob = false;
    std::string text;
};
/// A write-conflict resolution over one element (one lane).
struct ResolutionPlan {
    Program program;
    std::uint32_t old_value = 0, new_value = 0, result = 0;
};

struct InputPlan {
    /// Lanes: a vector of scalars that lie in an array of scalars, the section's elements in order.
    enum class Kind : std::uint8_t { Element, Lanes, Wire, Pop, Port };
    Kind kind = Kind::Element;
    SectionPlan section;
    std::uint32_t source = 0;  ///< Wire.
    std::uint32_t to = 0;      ///< First register, or the port.
    Scalar from_type = Scalar::Void, to_type = Scalar::Void;
    std::uint32_t lanes = 1;
    std::string name;
};
struct OutputPlan {
    enum class Kind : std::uint8_t { Element, Lanes, Wire, Port };  // Streams are ports: each assignment pushes.
    Kind kind = Kind::Element;
    SectionPlan section;
    std::uint32_t target = 0;  ///< Wire.
    std::uint32_t from = 0;    ///< First register, or the port.
    Scalar from_type = Scalar::Void, to_type = Scalar::Void;
    std::uint32_t lanes = 1;
    std::shared_ptr<ResolutionPlan> resolution;
    std::string name;
};
struct TaskletPlan {
    std::shared_ptr<Program> program;
    std::vector<InputPlan> inputs;
    std::vector<OutputPlan> outputs;
    std::uint32_t port_count = 0;
    TaskletFunction foreign;
    struct ForeignName {
        bool is_port = false, is_symbol = false;
        std::uint32_t at = 0;  ///< Register, port or slot.
    };
    std::vector<ForeignName> foreign_names;
};
struct CopyPlan {
    SectionPlan source, destination;
    bool implied_source = false, implied_destination = false;  ///< The end that the memlet leaves open.
    bool from_stream = false, to_stream = false, dynamic = false;
    std::optional<std::uint32_t> from_wire;  ///< A popped element of a consume scope.
    std::shared_ptr<ResolutionPlan> resolution;
    bool rebinds = false;  ///< The edge sets a reference.
};
struct AccessPlan {
    std::uint32_t container = 0;
    std::vector<CopyPlan> copies;
};
struct NodePlan;
/// The elements of a state or of a scope, without its entry and exit.
struct ScopePlan {
    std::vector<NodePlan> nodes;  ///< In canonical order.
    std::vector<std::uint32_t> privates;
    struct View {
        std::uint32_t container = 0;
        SectionPlan section;
    };
    std::vector<View> views;            ///< A view of a view comes after that.
    std::vector<std::uint32_t> zeroed;  ///< Containers of access nodes with setzero: before anything else.
    /// nodes x nodes: does a path lead from one to the other?
    std::vector<bool> reaches;
    bool blocks = false;    ///< Something below may have to wait for a stream.
    bool is_chain = false;  ///< All nodes are ordered.
    bool reaches_from(std::size_t a, std::size_t b) const;
};
struct MapPlan {
    std::vector<std::uint32_t> slots;
    std::vector<RangePlan> ranges;
    std::vector<std::pair<std::uint32_t, InputPlan>> dynamic;  ///< Slot of a range symbol and what is read into it.
    bool in_order = false;                                     ///< A point begins when the one before has ended.
    std::shared_ptr<ScopePlan> body;
};
struct ConsumePlan {
    SectionPlan stream;
    std::uint32_t pe_slot = 0, element = 0;  ///< Wire of OUT_stream.
    Index num_pes;
    std::shared_ptr<Program> condition;
    std::uint32_t condition_register = 0;
    std::vector<std::pair<std::uint32_t, InputPlan>> dynamic;
    std::shared_ptr<ScopePlan> body;
};
struct InvokePlan {
    std::shared_ptr<SdfgPlan> sdfg;
    struct Connection {
        std::uint32_t inner = 0;
        SectionPlan section;
        std::optional<std::uint32_t> wire;
        bool by_value = false;  ///< A scalar that the call only reads: what it holds when the call begins.
    };
    std::vector<Connection> connections;
    std::vector<std::pair<std::uint32_t, Index>> symbols;  ///< Integers.
    struct RealSymbol {
        std::uint32_t slot;
        std::shared_ptr<Program> program;
        std::uint32_t result;
    };
    std::vector<RealSymbol> real_symbols;
};
struct ReducePlan {
    SectionPlan source, destination;
    std::vector<bool> reduced;  ///< By dimension of the source.
    std::shared_ptr<ResolutionPlan> resolution;
    std::optional<double> identity;
};
/// An operation by its contract: all operands are read, then the definition runs, then the outputs are written.
struct DefinitionPlan {
    struct Port {
        std::string operand;
        SectionPlan section;
        std::shared_ptr<ResolutionPlan> resolution;
        std::optional<Index> streamed;  ///< Elements that are popped from a stream, or pushed into it.
    };
    std::vector<Port> inputs, outputs;
    bool reads_outputs = false;
    std::function<void(ir::Operands&)> run;
};
/// A call of a library's function.
struct CallPlan {
    std::vector<std::variant<SectionPlan, ir::Number, Index>> arguments;
    std::function<void(const std::vector<ir::CallValue>&)> run;
};
struct NodePlan {
    ir::NodeId id;
    std::string path, label;
    std::variant<AccessPlan, TaskletPlan, MapPlan, ConsumePlan, InvokePlan, ReducePlan, DefinitionPlan, CallPlan> kind;
    std::vector<std::uint32_t> successors;
    std::uint32_t predecessors = 0;
    bool blocks = false;
};

struct CodePlan {
    std::shared_ptr<Program> program;
    std::uint32_t result = 0;
    Scalar type = Scalar::Bool;
};
struct AssignmentPlan {
    std::uint32_t slot = 0;
    CodePlan value;
};
struct TransitionPlan {
    std::uint32_t destination = 0;
    std::optional<CodePlan> condition;
    std::vector<AssignmentPlan> assignments;
};
struct RegionPlan;
struct LoopPlan {
    std::vector<AssignmentPlan> init, update;
    CodePlan condition;
    bool inverted = false, update_before_condition = true;
    std::shared_ptr<RegionPlan> body;
};
struct ConditionalPlan {
    struct Branch {
        std::optional<CodePlan> condition;
        std::shared_ptr<RegionPlan> body;
    };
    std::vector<Branch> branches;
};
enum class Jump : std::uint8_t { None, Break, Continue, Return };
struct BlockPlan {
    std::string label;
    std::variant<std::shared_ptr<ScopePlan>, LoopPlan, ConditionalPlan, Jump, std::shared_ptr<RegionPlan>> kind;
    std::vector<TransitionPlan> transitions;
};
struct RegionPlan {
    std::vector<BlockPlan> blocks;
    std::uint32_t start = 0;
};
struct SdfgPlan {
    std::string name;
    const ir::Sdfg* sdfg = nullptr;
    std::vector<SymbolPlan> symbols;
    std::vector<ContainerPlan> containers;
    std::map<std::string, std::uint32_t, std::less<>> symbol_slots, container_slots;
    std::uint32_t wires = 0;
    RegionPlan body;
    bool blocks = false;
};

/// Throws Failure I007 and those of inference. `sdfg` must outlive the plan.
std::shared_ptr<SdfgPlan> make_plan(const ir::Sdfg& sdfg, const Options& options);

}  // namespace sluice::interpret
