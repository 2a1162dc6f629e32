// Makes one SDFG, statement by statement. A statement is appended to the flow of a region; each keeps the promises of generate.h.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fuzz/generate.h"
#include "fuzz/generate/expressions.h"
#include "fuzz/random.h"
#include "ir/builder.h"

namespace sluice::fuzz {

using symbolic::Expr;

/// A container as statements see it.
struct Data {
    enum class Use : std::uint8_t {
        Free,      ///< Read and written.
        Constant,  ///< Read only.
        Sums,      ///< Floating-point sums: updated and copied to its like, read by nothing else.
        Shared,    ///< Belongs to all points of a map around: updated with `wcr` only.
    };
    std::string name;
    Scalar type = Scalar::Float64;
    std::vector<Expr> shape;
    Use use = Use::Free;
    bool plain = true;  ///< In C order without gaps.
    std::string wcr = {};
};

/// The memlet of all of it.
std::string whole(const Data& data);

/// A name with a value in [0, extent).
struct Index {
    std::string name;
    Expr extent;
};

/// A region that grows at its end.
struct Flow {
    ir::Region region;
    ir::BlockId last;
    bool open = false;  ///< `last` is a state that takes more.
    struct Touched {
        ir::NodeId node;
        int readers = 0;
    };
    std::map<std::string, Touched> touched = {};  ///< The newest access node of each container in the open state.
};

class Maker {
public:
    Maker(Random& random, const GenerateOptions& options, std::set<Feature> features, std::string name, int depth);

    /// The outermost graph: containers and symbols of its own.
    void declare_arguments();
    /// A nested graph: what its connectors bring.
    void declare(const Data& data);
    void add_index(const Index& index) { indices_.push_back(index); }
    void set_extents(std::vector<Expr> extents) { extents_ = std::move(extents); }
    void fill(int statements);
    /// One loop around one state, which computes a container or updates one.
    void fill_with_loop(bool updates = false);
    void plant_race();

    ir::Sdfg take() { return std::move(sdfg_); }

private:
    bool has(Feature feature) const { return features_.contains(feature); }
    /// A name that no index from outside has.
    std::string fresh(const std::string& stem);
    Scalar some_type();
    /// One of those that the options have.
    Scalar pick_type(const std::vector<Scalar>& among);
    Expr some_extent();
    /// One that arguments may have.
    Expr some_argument_extent();

    // ---- control flow (control.cpp) ----
    ir::Region region(int statements, int depth, Flow flow = {});
    void statement(Flow& flow, int depth);
    bool structured(Flow& flow, int depth);
    void append(Flow& flow, ir::Block block, std::vector<std::pair<std::string, std::string>> assignments = {});
    void loop(Flow& flow, int depth);
    void counted_while(Flow& flow, int depth);
    void branch(Flow& flow, int depth);
    void machine(Flow& flow, int depth);
    void jump(Flow& flow, const ir::Block& target);
    std::string condition();

    // ---- states (maker.cpp) ----
    /// A state in which nothing forbids an operation that reads and writes these.
    ir::StateBuilder state_for(Flow& flow, const std::set<std::string>& reads, const std::set<std::string>& writes);
    ir::StateBuilder new_state(Flow& flow);
    ir::NodeId source(Flow& flow, ir::StateBuilder& state, const std::string& data);
    ir::NodeId sink(Flow& flow, ir::StateBuilder& state, const std::string& data);
    std::vector<const Data*> readable(const std::string& but = {}) const;
    std::vector<const Data*> where(bool (*fits)(const Data&)) const;
    /// A transient that is written as a whole here; the flow goes on behind that.
    const Data& add_transient(Flow& flow, Scalar type, std::vector<Expr> shape);
    /// An argument of the outermost graph, elsewhere a transient that nothing reads.
    Data add_result(Scalar type, std::vector<Expr> shape);
    /// Is its memory that of an argument, or can it be: the outermost graph knows its size before it begins?
    bool sized_by_arguments(const std::vector<Expr>& shape) const;

    // ---- maps (maps.cpp) ----
    struct Parameter {
        std::string name, range, index;
        Expr extent;
    };
    struct Input {
        std::string connector, memlet, data;
        Scalar type;
        bool pointer = false;
        Expr extent = 1;  ///< Of a pointer.
    };
    struct Nest {
        std::vector<ir::NodeId> entries, exits;  ///< Outermost first, innermost first.
    };
    Parameter covering(const Expr& extent, bool whole, const Parameter* before);
    std::string index_for(const Expr& extent, const std::vector<Parameter>& parameters);
    std::string memlet_for(const Data& data, const std::vector<Parameter>& parameters);
    std::vector<Input> inputs_for(const std::vector<Parameter>& parameters, const std::string& but, int most);
    /// `apart`: each parameter has a map of its own.
    Nest open_nest(ir::StateBuilder& state, const std::vector<Parameter>& parameters, bool apart = false);
    void tune(ir::MapEntry& map);
    std::vector<Operand> operands(const std::vector<Input>& inputs, const std::vector<Parameter>& parameters);
    void connect(Flow& flow, ir::StateBuilder& state, const Nest& nest, ir::NodeId tasklet, const std::vector<Input>& inputs);
    ir::NodeId viewed(Flow& flow, ir::StateBuilder& state, const Data& data);
    void elementwise(Flow& flow, const Data* define = nullptr);
    void scalar_tasklet(Flow& flow, const Data* define = nullptr);
    std::string body_for(Scalar type, const std::vector<Input>& inputs, const std::vector<Parameter>& parameters,
                         const std::string& out);

    // ---- idioms.cpp ----
    struct Idiom {
        std::set<Feature> needs;
        void (Maker::*make)(Flow&);
        std::size_t weight;  ///< How often it is chosen, beside the others.
    };
    static const std::vector<Idiom>& idioms();
    void idiom(Flow& flow);
    void chain(Flow& flow);
    void copy_of_copy(Flow& flow);
    void count_up(Flow& flow);
    void summed_in_loop(Flow& flow);
    void lifted_loop(Flow& flow);
    struct Reducible {
        Data between, to;
        bool rows;  ///< What is summed: each row, else each column.
        ir::StateBuilder state;
        ir::NodeId middle;  ///< The node of `between`.
    };
    Reducible reducible(Flow& flow, const std::vector<Expr>& shape);
    void reduced_map(Flow& flow);
    void reduced_by_maps(Flow& flow);
    std::vector<Parameter> all_of(const std::vector<Expr>& shape);
    /// `row`: an index before those of the parameters.
    void produce(Flow& flow, ir::StateBuilder& state, const Data& data, ir::NodeId node, const std::vector<Parameter>& parameters,
                 const std::vector<Input>& inputs, const std::string& row = {});

    // ---- named_sizes.cpp ----
    /// Begins a state behind the flow where a new symbol is the value, which is positive; extents may be the symbol.
    void name_size(Flow& flow, const std::string& value);

    // ---- teams.cpp ----
    void team_loop(Flow& flow);

    // ---- statements.cpp ----
    void subscripted_update(Flow& flow);
    void guarded_loop(Flow& flow);
    void two_in_a_loop(Flow& flow);
    void operand_that_dies(Flow& flow);
    void two_products(Flow& flow);

    // ---- transients.cpp ----
    void buffered_loop(Flow& flow);
    void begun_at_identity(Flow& flow);
    void there_and_back(Flow& flow);
    void one_after_another(Flow& flow);
    void produced_and_copied(Flow& flow);
    void side_by_side(Flow& flow);
    void updated_once(Flow& flow);
    void handed_on(Flow& flow);
    void moved(Flow& flow);
    /// At the beginning of the outermost graph.
    void kept_result(Flow& flow);

    // ---- others ----
    void update(Flow& flow);  // updates.cpp
    void histogram(Flow& flow);
    void reduce(Flow& flow);
    void product(Flow& flow);
    std::string resolution(const Data& data);
    void copy(Flow& flow);  // copies.cpp
    void view_copy(Flow& flow);
    void drain(Flow& flow);  // streams.cpp
    void piped(Flow& flow);
    void consume(Flow& flow);
    void nested(Flow& flow);  // nested.cpp
    void nested_in_map(Flow& flow);
    void loop_in_map(Flow& flow);
    void updating_call(Flow& flow);
    enum class Callee : std::uint8_t { Any, Loop };
    void call_in_map(Flow& flow, Callee callee);
    void call(Flow& flow, ir::StateBuilder& state, const Nest& nest, const std::vector<std::pair<Data, std::string>>& arguments,
              const std::vector<Index>& indices, Callee callee);

    Random& random_;
    const GenerateOptions& options_;
    std::set<Feature> features_;
    ir::Sdfg sdfg_;
    int depth_;
    int counter_ = 0;
    int loops_ = 0;  ///< Open loops.
    bool outermost_ = false;
    std::vector<Data> data_;
    std::vector<Index> indices_;
    std::vector<Expr> extents_;
};

}  // namespace sluice::fuzz
