// Functions, buffers and computations with their commands. They only record: function::codegen proves the schedule and writes the
// object. What cannot be done ends the program with one diagnostic of docs/diagnostics.md on its standard error.
#pragma once

#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tiramisu/debug.h"
#include "tiramisu/expr.h"

namespace tiramisu {

class buffer;
class computation;
class constant;
class xfer_prop;
struct xfer;
class Recording;  // record.h, private to the room
struct ComputationRecord;
struct BufferRecord;

/// A loop, by its variable or by its place from outside; -1: none.
struct LoopLevel {
    LoopLevel(const var& level) : name(level.get_name()) {}
    LoopLevel(int number) : number(number) {}
    std::string name;
    int number = 0;
};

class function {
public:
    explicit function(std::string name);
    function(const function&) = delete;
    function& operator=(const function&) = delete;
    ~function();

    const std::string& get_name() const;
    /// What holds of constants: `[N] -> { : N > 0 }`.
    void add_context_constraints(const std::string& set);
    void set_context_set(const std::string& set) { add_context_constraints(set); }
    void set_arguments(const std::vector<buffer*>& arguments);
    void allocate_and_map_buffers_automatically();
    /// Domains that are not bounded hold what is read.
    void compute_bounds();
    constant* get_invariant_by_name(const std::string& name) const;

    void codegen(const std::vector<buffer*>& arguments, const std::string& object_file, bool gen_cuda_stmt = false,
                 bool gen_python = false);
    void codegen(const std::vector<buffer*>& arguments, const std::string& object_file, hardware_architecture_t architecture,
                 bool gen_python = false);
    void gen_time_space_domain() {}
    void gen_isl_ast() {}
    void gen_halide_stmt() {}
    void gen_halide_obj(const std::string& object_file) const;
    void gen_c_code() const;

    void perform_full_dependency_analysis() {}
    void prepare_schedules_for_legality_checks(bool = false) {}
    bool check_legality_of_function() const;
    bool check_partial_legality_in_function(const std::vector<computation*>& computations) const;
    bool loop_parallelization_is_legal(const LoopLevel& level, const std::vector<computation*>& computations) const;
    bool loop_unrolling_is_legal(const LoopLevel& level, const std::vector<computation*>& computations) const;
    bool loop_vectorization_is_legal(const LoopLevel& level, const std::vector<computation*>& computations) const;
    /// Factors (a, b) of computation::skew that make the outer loop parallel, the inner one, and neither, there perhaps
    /// with the inner loop reversed.
    using skewings = std::vector<std::pair<int, int>>;
    std::tuple<skewings, skewings, skewings> skewing_local_solver(const std::vector<computation*>& computations, const var& outer,
                                                                  const var& inner, int count) const;
    /// The same with all four factors, so that both loops may be tiled; the third are those that keep the outer loop.
    using transformations = std::vector<std::tuple<int, int, int, int>>;
    std::tuple<transformations, transformations, transformations> skewing_local_solver_positive(
        const std::vector<computation*>& computations, const var& outer, const var& inner, int count) const;
    /// Shifts of loops of `shifted` that make its place behind the others legal; none where there are none.
    std::vector<std::tuple<var, int>> correcting_loop_fusion_with_shifting(const std::vector<computation*>& before,
                                                                           const computation& shifted,
                                                                           const std::vector<var>& levels) const;

    void dump(bool exhaustive = false) const;
    void dump_iteration_domain() const { dump(); }
    void dump_schedule() const { dump(); }
    void dump_time_processor_domain() const { dump(); }
    void dump_trimmed_time_processor_domain() const { dump(); }
    void dump_halide_stmt() const { dump(); }
    void dump_dep_graph() const { dump(); }

    Recording& record() const { return *recording_; }

private:
    std::unique_ptr<Recording> recording_;
};

class buffer {
public:
    buffer(std::string name, std::vector<expr> sizes, primitive_t type, argument_t role,
           function* fct = global::get_implicit_function());

    const std::string& get_name() const;
    argument_t get_argument_type() const;
    /// New memory in each iteration; what is returned takes a place in the order.
    computation* allocate_at(computation& other, const LoopLevel& level);
    computation* deallocate_at(computation& other, const LoopLevel& level);
    void tag_gpu_global();
    void tag_gpu_shared();
    void tag_gpu_local();
    void tag_gpu_register() { tag_gpu_local(); }
    void tag_gpu_constant();

    explicit buffer(BufferRecord& record) : record_(&record) {}
    BufferRecord& record() const { return *record_; }

private:
    friend class computation;

    BufferRecord* record_;
};

class computation {
public:
    static const var root;
    static constexpr int root_dimension = -1;

    /// Over a set in isl's notation.
    computation(const std::string& domain, expr value, bool schedule, primitive_t type,
                function* fct = global::get_implicit_function());
    computation(std::string name, std::vector<var> iterators, expr value, bool schedule, primitive_t type);
    computation(std::string name, std::vector<var> iterators, expr value, bool schedule = true);
    computation(std::string name, std::vector<var> iterators, expr predicate, expr value);
    computation(std::vector<var> iterators, expr value);
    computation(std::vector<var> iterators, expr value, bool schedule);
    computation(std::vector<var> iterators, expr predicate, expr value);
    computation(std::string name, std::vector<var> iterators, primitive_t type)
        : computation(std::move(name), std::move(iterators), expr(type)) {}
    computation(std::vector<var> iterators, primitive_t type) : computation(std::move(iterators), expr(type)) {}
    virtual ~computation() = default;

    template <class... Indices> expr operator()(const Indices&... indices) const { return at({expr(indices)...}); }

    const std::string& get_name() const;
    primitive_t get_data_type() const;
    const expr& get_expr() const;
    void set_expression(const expr& value);
    void add_predicate(const expr& predicate);
    /// Further values of the name, over other points.
    void add_definitions(const std::string& domain, const expr& value, bool schedule, primitive_t type, function* fct);
    computation& get_update(int number);
    computation& get_last_update();
    void set_inline(bool is_inline = true);
    bool is_inline_computation() const;

    // ---- when ----
    void split(const LoopLevel& level, int size);
    void split(const var& level, int size, const var& outer, const var& inner);
    void tile(const LoopLevel& a, const LoopLevel& b, int size_a, int size_b);
    void tile(const var& a, const var& b, int size_a, int size_b, const var& a_outer, const var& b_outer, const var& a_inner,
              const var& b_inner);
    void tile(const var& a, const var& b, const var& c, int size_a, int size_b, int size_c, const var& a_outer, const var& b_outer,
              const var& c_outer, const var& a_inner, const var& b_inner, const var& c_inner);
    void interchange(const LoopLevel& a, const LoopLevel& b);
    void shift(const LoopLevel& level, int by);
    /// j becomes f * i + j.
    void skew(const var& i, const var& j, int f, const var& new_i, const var& new_j);
    /// i becomes a * i + b * j, and j what makes both together one by one.
    void skew(const var& i, const var& j, int a, int b, const var& new_i, const var& new_j);
    void skew(const var& i, const var& j, int a, int b, int c, int d, const var& new_i, const var& new_j);
    void loop_reversal(const var& level, const var& renamed);
    void set_low_level_schedule(const std::string& map);
    void apply_transformation_on_schedule(const std::string& map);
    void after(computation& other, const LoopLevel& level);
    void before(computation& other, const LoopLevel& level);
    computation& then(computation& next, const LoopLevel& level = root);
    void between(computation& first, const LoopLevel& first_level, computation& second, const LoopLevel& second_level);
    void fuse_after(const LoopLevel& level, computation& other);
    computation* get_predecessor() const;
    void compute_at(computation& consumer, const LoopLevel& level);
    computation* store_at(computation& other, const LoopLevel& level);
    void vectorize(const LoopLevel& level, int lanes);
    void vectorize(const var& level, int lanes, const var& outer, const var& inner);
    void unroll(const LoopLevel& level, int factor);
    void unroll(const var& level, int factor, const var& outer, const var& inner);
    void parallelize(const var& level) { tag_parallel_level(level); }
    void tag_parallel_level(const LoopLevel& level);
    void tag_vector_level(const LoopLevel& level, int lanes);
    void tag_unroll_level(const LoopLevel& level);
    void tag_unroll_level(const LoopLevel& level, int factor);

    // ---- on devices and ranks ----
    void gpu_tile(const var& a, const var& b, int size_a, int size_b);
    void gpu_tile(const var& a, const var& b, int size_a, int size_b, const var& a_outer, const var& b_outer, const var& a_inner,
                  const var& b_inner);
    void tag_gpu_level(const LoopLevel& block, const LoopLevel& thread);
    void tag_gpu_level(const LoopLevel& block_a, const LoopLevel& block_b, const LoopLevel& thread_a, const LoopLevel& thread_b);
    computation* cache_shared(computation& input, const var& level, const std::vector<int>& shape, const std::vector<expr>& offsets,
                              bool pad = false);
    void tag_distribute_level(const LoopLevel& level);
    void drop_rank_iter(const LoopLevel& level);
    void gen_communication();
    static xfer create_xfer(const std::string& send_domain, const std::string& receive_domain, const expr& to, const expr& from,
                            const xfer_prop& send, const xfer_prop& receive, const expr& value, function* fct);

    // ---- where ----
    void store_in(buffer* memory);
    void store_in(buffer* memory, std::vector<expr> indices);
    void store_in(std::vector<expr> indices, std::vector<expr> sizes);
    /// `{ C[i, j] -> b[i, j] }`.
    void set_access(const std::string& map);
    void storage_fold(const LoopLevel& level, int factor);
    buffer* get_buffer();
    void allocate_and_map_buffer_automatically(argument_t role = a_temporary);
    buffer* get_automatically_allocated_buffer() { return get_buffer(); }

    bool involved_subset_of_dependencies_is_legal(computation* other) const;
    void dump() const;
    void dump_iteration_domain() const { dump(); }
    void dump_schedule() const { dump(); }

    ComputationRecord& record() const { return *record_; }

protected:
    computation(ComputationRecord* record) : record_(record) {}

private:
    friend class buffer;
    expr at(std::vector<expr> indices) const;
    ComputationRecord* record_;
};

/// What the caller passes, as a computation.
class input : public computation {
public:
    input(std::string name, std::vector<var> iterators, primitive_t type);
    input(std::vector<var> iterators, primitive_t type);
    input(std::string name, const std::vector<std::string>& dimensions, const std::vector<expr>& sizes, primitive_t type);
};
class Input : public input {
public:
    Input(std::string name, const std::vector<expr>& sizes, primitive_t type);
};

/// A value that a function knows from its beginning, or one that the loops of a computation down to a level compute.
class constant : public var {
public:
    constant(std::string name, const expr& value, primitive_t type, bool function_wide, computation* with, int level,
             function* fct = global::get_implicit_function());
    /// Where another such value is computed; NULL is a computation.
    template <std::same_as<constant> Constant>
    constant(std::string name, const expr& value, primitive_t type, bool function_wide, Constant*, int level, function* fct)
        : constant(std::move(name), value, type, function_wide, static_cast<computation*>(nullptr), level, fct) {}
    constant(std::string name, const expr& value, primitive_t type, function* fct);
    constant(std::string name, const expr& value);
    const expr& get_expr() const { return value_; }
    void set_low_level_schedule(const std::string& map);

private:
    expr value_;
};

void init(const std::string& name);
void init();
void codegen(const std::vector<buffer*>& arguments, const std::string& object_file, bool gen_cuda_stmt = false,
             bool gen_python = false);
void codegen(const std::vector<buffer*>& arguments, const std::string& object_file, hardware_architecture_t architecture,
             bool gen_python = false);
function* get_implicit_function();
/// A copy of a whole buffer, as a value.
expr memcpy(const buffer& from, const buffer& to);
expr allocate(const buffer& memory);

inline void perform_full_dependency_analysis() {}
inline void prepare_schedules_for_legality_checks(bool = false) {}
bool check_legality_of_function();
bool loop_parallelization_is_legal(const var& level, const std::vector<computation*>& computations);
bool loop_unrolling_is_legal(const var& level, const std::vector<computation*>& computations);
bool loop_vectorization_is_legal(const var& level, const std::vector<computation*>& computations);

}  // namespace tiramisu

#include "tiramisu/block.h"
#include "tiramisu/foreign.h"
