// Records what a program says; each command is a function that the translation calls.

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <numeric>

#include "support/diagnostic.h"
#include "support/result.h"
#include "tiramisu/record.h"

namespace tiramisu {

namespace schedule = sluice::schedule;

void refuse(const std::string& code, const std::string& message, const std::string& remedy) {
    sluice::fail({.code = code, .message = message, .where = {}, .path = {}, .remedy = remedy, .notes = {}});
}
void reporting(const std::function<void()>& run) {
    try {
        run();
    } catch (const sluice::Failure& failure) {
        std::cout.flush();
        std::cerr << sluice::render(failure.diagnostic) << std::endl;
        std::exit(1);
    }
}

namespace {

function& expect_function(function* fct) {
    if (!fct) reporting([] { refuse("M001", "no function was begun", "Call `tiramisu::init(name)`, or name the function."); });
    return *fct;
}

std::string new_name(const char* prefix) {
    static std::map<std::string, int> next;
    return prefix + std::to_string(next[prefix]++);
}

[[noreturn]] void not_carried_out(const std::string& what, const std::string& remedy) {
    reporting([&] { refuse("M018", what, remedy); });
    std::abort();
}

/// The name and the iterators in `[N] -> { C[i, j] : ... }`.
std::pair<std::string, std::vector<std::string>> heading_of(const std::string& domain) {
    const std::size_t brace = domain.find('{'), open = domain.find('[', brace), close = domain.find(']', open);
    if (brace == std::string::npos || close == std::string::npos)
        reporting([&] { refuse("M002", "`" + domain + "` is no set", "Write a set in isl's notation."); });
    const auto trimmed = [](std::string text) {
        text.erase(0, text.find_first_not_of(" \t\n"));
        text.erase(text.find_last_not_of(" \t\n") + 1);
        return text;
    };
    std::vector<std::string> iterators;
    const std::string list = domain.substr(open + 1, close - open - 1);
    for (std::size_t at = 0; at < list.size();) {
        const std::size_t end = std::min(list.find(',', at), list.size());
        iterators.push_back(trimmed(list.substr(at, end - at)));
        at = end + 1;
    }
    return {trimmed(domain.substr(brace + 1, open - brace - 1)), iterators};
}

ComputationRecord& add(Recording& in, const std::string& name, primitive_t type, computation* face) {
    std::string unique = spelled(name);
    for (int k = 1; std::ranges::find(in.computations, unique, &ComputationRecord::unique) != in.computations.end(); ++k)
        unique = fmt::format("{}__{}", name, k);
    return in.computations.emplace_back(ComputationRecord{.in = in, .name = name, .unique = unique, .type = type, .face = face});
}

}  // namespace

const ConstantRecord* Recording::find_constant(const std::string& of) const {
    const auto at = std::ranges::find(constants, of, &ConstantRecord::name);
    return at == constants.end() ? nullptr : &*at;
}
const ComputationRecord* Recording::find_computation(const std::string& of) const {
    const auto at = std::ranges::find(computations, of, &ComputationRecord::name);
    return at == computations.end() ? nullptr : &*at;
}
bool Recording::is_passed(const BufferRecord& memory) const {
    return arguments.empty() ? memory.role != a_temporary : std::ranges::find(arguments, &memory) != arguments.end();
}
BufferRecord& Recording::memory_of(ComputationRecord& of, argument_t role) {
    if (!of.memory) {
        BufferRecord& made = buffers.emplace_back(
            BufferRecord{.in = *this, .name = of.unique + "_buffer", .sizes = {}, .type = of.type, .role = role});
        made.handle = std::make_unique<buffer>(made);
        of.memory = &made;
    }
    return *of.memory;
}

// ---- functions --------------------------------------------------------------------------------------------------------------

function::function(std::string name) : recording_(std::make_unique<Recording>(std::move(name))) {
    if (!global::get_implicit_function()) global::set_implicit_function(this);
}
function::~function() {
    if (global::get_implicit_function() == this) global::set_implicit_function(nullptr);
}
const std::string& function::get_name() const {
    return recording_->name;
}
void function::add_context_constraints(const std::string& set) {
    recording_->context.push_back(set);
}
void function::set_arguments(const std::vector<buffer*>& arguments) {
    recording_->arguments.clear();
    for (const buffer* one : arguments) recording_->arguments.push_back(&one->record());
}
void function::allocate_and_map_buffers_automatically() {
    for (ComputationRecord& of : recording_->computations)
        if (!of.is_place && !is_copy(of) && !of.is_inlined) recording_->memory_of(of, a_temporary);
}
void function::compute_bounds() {
    recording_->infers_bounds = true;
}
constant* function::get_invariant_by_name(const std::string& name) const {
    const ConstantRecord* found = recording_->find_constant(name);
    return found ? found->face : nullptr;
}
void function::codegen(const std::vector<buffer*>& arguments, const std::string& object_file, bool gen_cuda_stmt, bool gen_python) {
    if (gen_python) not_carried_out("no Python module is written", "Use Sluice's own package: `sluice.schedule`.");
    recording_->has_kernels = gen_cuda_stmt;
    set_arguments(arguments);
    gen_halide_obj(object_file);
}
void function::codegen(const std::vector<buffer*>& arguments, const std::string& object_file, hardware_architecture_t architecture,
                       bool gen_python) {
    codegen(arguments, object_file, architecture != hardware_architecture_t::arch_cpu, gen_python);
}
void function::gen_halide_obj(const std::string& object_file) const {
    reporting([&] { write_object(*recording_, object_file); });
}
void init(const std::string& name) {
    static std::vector<std::unique_ptr<function>> implicit;
    global::set_implicit_function(nullptr);
    implicit.push_back(std::make_unique<function>(name));
    global::set_implicit_function(implicit.back().get());
}
void init() {
    global::set_default_tiramisu_options();
}
function* get_implicit_function() {
    return global::get_implicit_function();
}
void codegen(const std::vector<buffer*>& arguments, const std::string& object_file, bool gen_cuda_stmt, bool gen_python) {
    expect_function(global::get_implicit_function()).codegen(arguments, object_file, gen_cuda_stmt, gen_python);
}
void codegen(const std::vector<buffer*>& arguments, const std::string& object_file, hardware_architecture_t architecture,
             bool gen_python) {
    expect_function(global::get_implicit_function()).codegen(arguments, object_file, architecture, gen_python);
}
expr memcpy(const buffer& from, const buffer& to) {
    return {o_memcpy, from.get_name(), {expr(o_buffer, to.get_name())}, p_none};
}
expr allocate(const buffer& memory) {
    return {o_allocate, memory.get_name()};
}

// ---- memory -----------------------------------------------------------------------------------------------------------------

buffer::buffer(std::string name, std::vector<expr> sizes, primitive_t type, argument_t role, function* fct) : record_(nullptr) {
    Recording& in = expect_function(fct).record();
    record_ = &in.buffers.emplace_back(
        BufferRecord{.in = in, .name = std::move(name), .sizes = std::move(sizes), .type = type, .role = role});
}
const std::string& buffer::get_name() const {
    return record_->name;
}
argument_t buffer::get_argument_type() const {
    return record_->role;
}
computation* buffer::allocate_at(computation& other, const LoopLevel& level) {
    Recording& in = record_->in;
    ComputationRecord& made = add(in, new_name("allocation"), p_none, nullptr);
    made.is_place = true;
    made.is_scheduled = false;
    static std::vector<std::unique_ptr<computation>> places;
    places.push_back(std::unique_ptr<computation>(new computation(&made)));
    made.face = places.back().get();
    const ComputationRecord& at = other.record();
    in.commands.push_back({nullptr, [of = record_, &at, level](Translation& to) { to.allocate(*of, at, level); }});
    return made.face;
}
computation* buffer::deallocate_at(computation& other, const LoopLevel&) {
    not_carried_out("`" + get_name() + "` would be freed in a loop of `" + other.get_name() + "`",
                    "Leave it out: memory is freed behind its last use.");
}
void buffer::tag_gpu_global() {
    record_->on_device = true;
}
void buffer::tag_gpu_shared() {
    not_carried_out("`" + get_name() + "` would lie in memory of a block", "Build it with `sluice.schedule`: cache_shared_at.");
}
void buffer::tag_gpu_local() {
    not_carried_out("`" + get_name() + "` would lie in memory of a thread", "Build it with `sluice.schedule`: cache_local_at.");
}
void buffer::tag_gpu_constant() {
    not_carried_out("`" + get_name() + "` would lie in constant memory", "Build it with `sluice.schedule`: tag_gpu_constant.");
}

// ---- computations -----------------------------------------------------------------------------------------------------------

const var computation::root("root");

computation::computation(const std::string& domain, expr value, bool schedule, primitive_t type, function* fct) : record_(nullptr) {
    const auto [name, iterators] = heading_of(domain);
    record_ = &add(expect_function(fct).record(), name, type, this);
    record_->domain = domain;
    for (const std::string& iterator : iterators) record_->iterators.emplace_back(iterator);
    record_->value = std::move(value);
    record_->is_scheduled = schedule;
}
computation::computation(std::string name, std::vector<var> iterators, expr value, bool schedule, primitive_t type)
    : record_(&add(expect_function(global::get_implicit_function()).record(), name, type, this)) {
    record_->iterators = std::move(iterators);
    record_->value = std::move(value);
    record_->is_scheduled = schedule;
    BufferRecord& memory = record_->in.memory_of(*record_, schedule ? a_output : a_input);
    for (const var& iterator : record_->iterators) memory.sizes.push_back(iterator.get_upper());
}
computation::computation(std::string name, std::vector<var> iterators, expr value, bool schedule)
    : computation(std::move(name), std::move(iterators), value, schedule, value.get_data_type()) {}
computation::computation(std::string name, std::vector<var> iterators, expr predicate, expr value)
    : computation(std::move(name), std::move(iterators), std::move(value)) {
    record_->predicate = std::move(predicate);
}
computation::computation(std::vector<var> iterators, expr value)
    : computation(new_name("C"), std::move(iterators), std::move(value)) {}
computation::computation(std::vector<var> iterators, expr value, bool schedule)
    : computation(new_name("C"), std::move(iterators), std::move(value), schedule) {}
computation::computation(std::vector<var> iterators, expr predicate, expr value)
    : computation(new_name("C"), std::move(iterators), std::move(predicate), std::move(value)) {}

const std::string& computation::get_name() const {
    return record_->name;
}
primitive_t computation::get_data_type() const {
    return record_->type;
}
const expr& computation::get_expr() const {
    return record_->value;
}
void computation::set_expression(const expr& value) {
    record_->value = value;
}
void computation::add_predicate(const expr& predicate) {
    record_->predicate = predicate;
}
void computation::add_definitions(const std::string& domain, const expr& value, bool schedule, primitive_t type, function* fct) {
    record_->updates.push_back(std::make_unique<computation>(domain, value, schedule, type, fct));
}
computation& computation::get_update(int number) {
    return number == 0 ? *this : *record_->updates.at(static_cast<std::size_t>(number) - 1);
}
computation& computation::get_last_update() {
    return get_update(static_cast<int>(record_->updates.size()));
}
void computation::set_inline(bool is_inline) {
    record_->is_inlined = is_inline;
}
bool computation::is_inline_computation() const {
    return record_->is_inlined;
}
expr computation::at(std::vector<expr> indices) const {
    return {o_access, record_->name, std::move(indices), record_->type};
}

namespace {

/// Replayed with the computation and the names of its levels.
void command(ComputationRecord& of, std::function<void(Translation&, schedule::Computation&)> apply) {
    of.in.commands.push_back({&of, [&of, apply = std::move(apply)](Translation& to) { apply(to, to[of]); }});
}

std::string fresh_level() {
    return new_name("t_");
}

}  // namespace

void computation::split(const LoopLevel& level, int size) {
    command(*record_, [of = record_, level, size, outer = fresh_level(), inner = fresh_level()](Translation& to, auto& made) {
        made.split(to.level(*of, level), size, outer, inner);
    });
}
void computation::split(const var& level, int size, const var& outer, const var& inner) {
    command(*record_, [of = record_, level = LoopLevel(level), size, outer = outer.get_name(), inner = inner.get_name()](
                          Translation& to, auto& made) { made.split(to.level(*of, level), size, outer, inner); });
}
void computation::tile(const LoopLevel& a, const LoopLevel& b, int size_a, int size_b) {
    command(*record_,
            [of = record_, a, b, size_a, size_b, a0 = fresh_level(), b0 = fresh_level(), a1 = fresh_level(), b1 = fresh_level()](
                Translation& to, auto& made) { made.tile(to.level(*of, a), to.level(*of, b), size_a, size_b, a0, b0, a1, b1); });
}
void computation::tile(const var& a, const var& b, int size_a, int size_b, const var& a_outer, const var& b_outer,
                       const var& a_inner, const var& b_inner) {
    command(*record_, [of = record_, a = LoopLevel(a), b = LoopLevel(b), size_a, size_b, a0 = a_outer.get_name(),
                       b0 = b_outer.get_name(), a1 = a_inner.get_name(), b1 = b_inner.get_name()](Translation& to, auto& made) {
        made.tile(to.level(*of, a), to.level(*of, b), size_a, size_b, a0, b0, a1, b1);
    });
}
void computation::tile(const var& a, const var& b, const var& c, int size_a, int size_b, int size_c, const var& a_outer,
                       const var& b_outer, const var& c_outer, const var& a_inner, const var& b_inner, const var& c_inner) {
    command(*record_, [=, of = record_, a0 = a_outer.get_name(), b0 = b_outer.get_name(), c0 = c_outer.get_name(),
                       a1 = a_inner.get_name(), b1 = b_inner.get_name(), c1 = c_inner.get_name()](Translation& to, auto& made) {
        made.split(to.level(*of, a), size_a, a0, a1);
        made.split(to.level(*of, b), size_b, b0, b1);
        made.split(to.level(*of, c), size_c, c0, c1);
        // a0 a1 b0 b1 c0 c1
        made.interchange(a1, b0);  // a0 b0 a1 b1 c0 c1
        made.interchange(a1, c0);  // a0 b0 c0 b1 a1 c1
        made.interchange(a1, b1);
    });
}
void computation::interchange(const LoopLevel& a, const LoopLevel& b) {
    command(*record_, [of = record_, a, b](Translation& to, auto& made) { made.interchange(to.level(*of, a), to.level(*of, b)); });
}
void computation::shift(const LoopLevel& level, int by) {
    command(*record_, [of = record_, level, by](Translation& to, auto& made) { made.shift(to.level(*of, level), by); });
}
void computation::skew(const var& i, const var& j, int f, const var& new_i, const var& new_j) {
    skew(i, j, 1, 0, f, 1, new_i, new_j);
}
void computation::skew(const var& i, const var& j, int a, int b, const var& new_i, const var& new_j) {
    // Without their common divisor the iterations lie no longer apart, and their order is the same.
    const int divisor = std::max(std::gcd(a, b), 1);
    a /= divisor, b /= divisor;
    if (a == 0 && b == 0)
        reporting(
            [&] { refuse("M004", fmt::format("all iterations of `{}` would be one", get_name()), "Give factors other than 0."); });
    // The least c with a * d - b * c = 1.
    int c = 0;
    while (a == 0 ? b * c != -1 : (1 + b * c) % a != 0) c = c > 0 ? -c : 1 - c;
    skew(i, j, a, b, c, a == 0 ? 0 : (1 + b * c) / a, new_i, new_j);
}
void computation::skew(const var& i, const var& j, int a, int b, int c, int d, const var& new_i, const var& new_j) {
    command(*record_, [of = record_, i = LoopLevel(i), j = LoopLevel(j), a, b, c, d, ni = new_i.get_name(), nj = new_j.get_name()](
                          Translation& to, auto& made) {
        made.transform(to.level(*of, i), to.level(*of, j), {a, b, c, d}, ni, nj);
    });
}
void computation::loop_reversal(const var& level, const var& renamed) {
    command(*record_, [of = record_, level = LoopLevel(level), name = renamed.get_name()](Translation& to, auto& made) {
        made.reverse(to.level(*of, level), name);
    });
}
void computation::set_low_level_schedule(const std::string& map) {
    command(*record_, [map](Translation& to, auto& made) { made.set_schedule(to.texts().with_values(map)); });
}
void computation::apply_transformation_on_schedule(const std::string&) {
    not_carried_out("`" + get_name() + "` would get a transformation of its times and of the order of statements as one text",
                    "Use commands: shift, skew, interchange, split, after.");
}
void computation::after(computation& other, const LoopLevel& level) {
    record_->predecessor = other.record_;
    record_->in.commands.push_back(
        {record_, [of = record_, &other = *other.record_, level](Translation& to) { to.order(*of, other, level); }});
}
void computation::before(computation& other, const LoopLevel& level) {
    other.after(*this, level);
}
computation& computation::then(computation& next, const LoopLevel& level) {
    next.after(*this, level);
    return next;
}
void computation::between(computation& first, const LoopLevel& first_level, computation& second, const LoopLevel& second_level) {
    after(first, first_level);
    second.record_->predecessor = record_;
    record_->in.commands.push_back({second.record_, [of = record_, &next = *second.record_, second_level](Translation& to) {
                                        const LoopLevel number =
                                            second_level.name.empty() ? second_level : LoopLevel(to.number(*of, second_level));
                                        to.order(next, *of, number, true);
                                    }});
}
void computation::fuse_after(const LoopLevel& level, computation& other) {
    after(other, level);
}
computation* computation::get_predecessor() const {
    return record_->predecessor ? record_->predecessor->face : nullptr;
}
void computation::compute_at(computation& consumer, const LoopLevel& level) {
    command(*record_, [&consumer = *consumer.record_, level](Translation& to, auto& made) {
        made.compute_at(to[consumer], to.level(consumer, level));
    });
}
computation* computation::store_at(computation& other, const LoopLevel& level) {
    BufferRecord& memory = record_->in.memory_of(*record_, a_temporary);
    return memory.handle->allocate_at(other, level);
}
void computation::vectorize(const LoopLevel& level, int lanes) {
    command(*record_, [of = record_, level, lanes](Translation& to, auto& made) { made.vectorize(to.level(*of, level), lanes); });
}
void computation::vectorize(const var& level, int lanes, const var& outer, const var& inner) {
    command(*record_, [of = record_, level = LoopLevel(level), lanes, outer = outer.get_name(), inner = inner.get_name()](
                          Translation& to, auto& made) { made.vectorize(to.level(*of, level), lanes, outer, inner); });
}
void computation::unroll(const LoopLevel& level, int factor) {
    command(*record_, [of = record_, level, factor](Translation& to, auto& made) { made.unroll(to.level(*of, level), factor); });
}
void computation::unroll(const var& level, int factor, const var& outer, const var& inner) {
    command(*record_, [of = record_, level = LoopLevel(level), factor, outer = outer.get_name(), inner = inner.get_name()](
                          Translation& to, auto& made) { made.unroll(to.level(*of, level), factor, outer, inner); });
}
void computation::tag_parallel_level(const LoopLevel& level) {
    command(*record_, [of = record_, level](Translation& to, auto& made) { made.parallelize(to.level(*of, level)); });
}
void computation::tag_vector_level(const LoopLevel& level, int lanes) {
    command(*record_,
            [of = record_, level, lanes](Translation& to, auto& made) { made.vectorize_level(to.level(*of, level), lanes); });
}
void computation::tag_unroll_level(const LoopLevel& level) {
    command(*record_, [of = record_, level](Translation& to, auto& made) { made.unroll_level(to.level(*of, level)); });
}
void computation::tag_unroll_level(const LoopLevel& level, int factor) {
    command(*record_, [of = record_, level, factor](Translation& to, auto& made) {
        const std::string name = to.level(*of, level);
        made.unroll(name, factor, name, name + "_inner");
    });
}

namespace {

constexpr const char* kDevice = "Build it with `sluice.schedule` for a target with devices.";
constexpr const char* kRanks = "Build it with `sluice.schedule` for the target mpi.";

}  // namespace

void computation::gpu_tile(const var& a, const var& b, int size_a, int size_b) {
    const auto named = [](const var& of, const char* part) { return var(of.get_name() + part); };
    gpu_tile(a, b, size_a, size_b, named(a, "_block"), named(b, "_block"), named(a, "_thread"), named(b, "_thread"));
}
void computation::gpu_tile(const var& a, const var& b, int size_a, int size_b, const var& a_outer, const var& b_outer,
                           const var& a_inner, const var& b_inner) {
    command(*record_, [of = record_, a = LoopLevel(a), b = LoopLevel(b), size_a, size_b, a0 = a_outer.get_name(),
                       b0 = b_outer.get_name(), a1 = a_inner.get_name(), b1 = b_inner.get_name()](Translation& to, auto& made) {
        made.tile_gpu(to.level(*of, a), to.level(*of, b), size_a, size_b, a0, b0, a1, b1);
    });
}
void computation::tag_gpu_level(const LoopLevel& block, const LoopLevel& thread) {
    command(*record_, [of = record_, block, thread](Translation& to, auto& made) {
        made.gpu({to.level(*of, block), to.level(*of, thread)});
    });
}
void computation::tag_gpu_level(const LoopLevel& block_a, const LoopLevel& block_b, const LoopLevel& thread_a,
                                const LoopLevel& thread_b) {
    command(*record_, [of = record_, block_a, block_b, thread_a, thread_b](Translation& to, auto& made) {
        made.gpu({to.level(*of, block_a), to.level(*of, block_b), to.level(*of, thread_a), to.level(*of, thread_b)});
    });
}
computation* computation::cache_shared(computation&, const var&, const std::vector<int>&, const std::vector<expr>&, bool) {
    not_carried_out("`" + get_name() + "` would run on a device", kDevice);
}
void computation::tag_distribute_level(const LoopLevel&) {
    not_carried_out("`" + get_name() + "` would run on ranks", kRanks);
}
void computation::drop_rank_iter(const LoopLevel& level) {
    tag_distribute_level(level);
}
void computation::gen_communication() {
    tag_distribute_level(0);
}

xfer computation::create_xfer(const std::string& send_domain, const std::string&, const expr&, const expr&, const xfer_prop&,
                              const xfer_prop&, const expr&, function*) {
    not_carried_out("`" + send_domain + "` would be sent to other ranks", kRanks);
}
wait::wait(const expr&, const xfer_prop&, function*) : computation(nullptr) {
    not_carried_out("a message of other ranks would be waited for", kRanks);
}
expr cublas_gemm(const buffer& a, const buffer&, buffer&, expr, expr, expr, expr, expr, expr, expr, expr, expr, expr, expr, expr,
                 expr) {
    not_carried_out("`" + a.get_name() + "` would be multiplied by cuBLAS", "Write the product as a computation.");
}

void computation::store_in(buffer* memory) {
    record_->memory = &memory->record();
}
void computation::store_in(buffer* memory, std::vector<expr> indices) {
    record_->memory = &memory->record();
    record_->indices = std::move(indices);
}
void computation::store_in(std::vector<expr> indices, std::vector<expr> sizes) {
    record_->in.memory_of(*record_, a_output).sizes = std::move(sizes);
    record_->indices = std::move(indices);
}
void computation::set_access(const std::string& map) {
    record_->access = map;
}
void computation::storage_fold(const LoopLevel& level, int factor) {
    record_->folds.emplace_back(level, factor);
}
buffer* computation::get_buffer() {
    return record_->in.memory_of(*record_, a_temporary).handle.get();
}
void computation::allocate_and_map_buffer_automatically(argument_t role) {
    record_->in.memory_of(*record_, role).role = role;
}
void computation::dump() const {
    std::cout << record_->unique << ": " << record_->value.to_str() << std::endl;
}

block::block(const std::vector<computation*>& computations) : computation(nullptr) {
    for (computation* one : computations) {
        const auto* inner = dynamic_cast<block*>(one);
        if (inner)
            computations_.insert(computations_.end(), inner->computations_.begin(), inner->computations_.end());
        else
            computations_.push_back(one);
    }
}

input::input(std::string name, std::vector<var> iterators, primitive_t type)
    : computation(std::move(name), std::move(iterators), expr(type), false) {}
input::input(std::vector<var> iterators, primitive_t type) : input(new_name("I"), std::move(iterators), type) {}

namespace {

std::vector<var> with_bounds(const std::vector<std::string>& names, const std::vector<expr>& sizes) {
    std::vector<var> iterators;
    for (std::size_t at = 0; at < sizes.size(); ++at)
        iterators.emplace_back(at < names.size() ? names[at] : "d" + std::to_string(at), expr(0), sizes[at]);
    return iterators;
}

}  // namespace

input::input(std::string name, const std::vector<std::string>& dimensions, const std::vector<expr>& sizes, primitive_t type)
    : input(std::move(name), with_bounds(dimensions, sizes), type) {}
Input::Input(std::string name, const std::vector<expr>& sizes, primitive_t type) : input(std::move(name), {}, sizes, type) {}

constant::constant(std::string name, const expr& value, primitive_t type, bool function_wide, computation*, int, function* fct)
    : var(type, std::move(name)), value_(value) {
    expect_function(fct).record().constants.push_back({get_name(), value, type, function_wide, this});
}
constant::constant(std::string name, const expr& value, primitive_t type, function* fct)
    : constant(std::move(name), value, type, true, nullptr, 0, fct) {}
constant::constant(std::string name, const expr& value)
    : constant(std::move(name), value, value.get_data_type(), global::get_implicit_function()) {}
void constant::set_low_level_schedule(const std::string&) {}

}  // namespace tiramisu
