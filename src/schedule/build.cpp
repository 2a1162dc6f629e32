#include <fmt/format.h>

#include "analysis/scop/rebuild.h"
#include "analysis/scop/reorder.h"
#include "ir/builder.h"
#include "ir/verify.h"
#include "poly/schedule.h"
#include "schedule/program.h"

namespace sluice::schedule {

namespace {

/// isl's operations for the proof, the dependences and the code together.
constexpr unsigned long kOperations = 10'000'000;

/// Every computation in memory: each that was not stored has elements of its own.
void store(Program& program) {
    for (Definition& of : program.definitions) {
        if (of.target || !of.buffer.empty()) continue;
        if (of.extents.size() != of.iterators.size())
            refuse("M006", fmt::format("`{}` has no memory: the extents of a domain given as a set are not known", of.name),
                   "Store it in a buffer.");
        of.buffer = of.name;
        program.storage.emplace(of.name, Storage{.name = of.name, .shape = of.extents, .type = of.type});
    }
}

code::ReductionType reduction_of(const std::string& operation) {
    if (operation == "+") return code::ReductionType::Sum;
    if (operation == "*") return code::ReductionType::Product;
    return operation == "min" ? code::ReductionType::Min : code::ReductionType::Max;
}

std::string resolution_of(const std::string& operation) {
    const bool infix = operation == "+" || operation == "*";
    return infix ? fmt::format("lambda a, b: a {} b", operation) : fmt::format("lambda a, b: {}(a, b)", operation);
}

std::vector<symbolic::Expr> indices_in(const Definition& stored, const std::vector<symbolic::Expr>& point) {
    symbolic::Substitution at;
    for (std::size_t d = 0; d < point.size(); ++d) at.emplace(stored.iterators[d], point[d]);
    std::vector<symbolic::Expr> indices;
    for (const symbolic::Expr& index : stored.layout) indices.push_back(symbolic::substitute(index, at));
    return indices;
}

ir::Memlet element(const std::string& buffer, const std::vector<symbolic::Expr>& indices, const std::string& wcr = {}) {
    return ir::memlet(buffer, indices.empty() ? symbolic::Subset::indices({0}) : symbolic::Subset::indices(indices), {.wcr = wcr});
}

analysis::ScopStatement statement_of(const Program& program, const Definition& of) {
    using Kind = analysis::StatementAccess::Kind;
    analysis::ScopStatement made{
        .name = of.name, .label = of.name, .place = of.name, .iterators = of.iterators, .domain = of.domain};
    for (const std::string& iterator : of.iterators) made.values.emplace(iterator, symbolic::symbol(iterator));
    analysis::Operation body;
    ir::Tasklet tasklet;
    tasklet.label = of.name;
    tasklet.code = {of.code, ir::Language::Python};
    body.node.kind = std::move(tasklet);
    for (std::size_t at = 0; at < of.reads.size(); ++at) {
        const Read& read = of.reads[at];
        const Definition* producer = program.find(read.of);
        const std::string connector = "in" + std::to_string(at), buffer = producer ? producer->buffer : read.of;
        const auto indices = producer ? indices_in(*producer, read.indices) : read.indices;
        made.accesses.push_back(
            {.container = buffer, .connector = connector, .kind = Kind::Read, .elements = program.elements(of, read)});
        body.node.in.emplace(connector, code::DType());
        body.wires.push_back({connector, buffer, false, element(buffer, indices)});
    }
    const Definition& home = program.home(of);
    made.accesses.push_back({.container = home.buffer,
                             .connector = "out",
                             .kind = of.target ? Kind::Reduce : Kind::Write,
                             .reduction = of.target ? reduction_of(of.operation) : code::ReductionType::Custom,
                             .elements = program.elements(of)});
    body.node.out.emplace("out", code::DType());
    body.wires.push_back(
        {"out", home.buffer, true,
         element(home.buffer, indices_in(home, of.element_indices), of.target ? resolution_of(of.operation) : std::string())});
    made.body = std::move(body);
    return made;
}

ir::Sdfg graph_of(Program program, const std::set<std::string>& outputs) {
    const poly::Budget budget(kOperations);
    store(program);
    std::set<std::string> results;
    for (const std::string& output : outputs) results.insert(program.find(output)->buffer);
    const poly::UnionMap times = full_times(program);
    check_values(program, results, times);

    ir::Sdfg sdfg{.name = program.name};
    for (const std::string& constant : program.constants) ir::add_symbol(sdfg, constant);
    for (const auto& [name, storage] : program.storage) {
        const std::vector<symbolic::Expr> shape = storage.shape.empty() ? std::vector<symbolic::Expr>{1} : storage.shape;
        ir::add_array(sdfg, name, storage.type, shape).transient = !storage.is_input && !results.contains(name);
    }
    analysis::Scop scop{.statements = {}, .context = program.context(), .schedule = {}, .assigned = {}};
    for (const Definition& of : program.definitions) {
        scop.statements.push_back(statement_of(program, of));
        scop.assigned.insert(of.iterators.begin(), of.iterators.end());
    }
    scop.schedule = poly::Schedule::of(scop.domain()).within(times, {});
    const poly::UnionMap dependences = analysis::dependences(scop);
    if (!scop.schedule.known() || !dependences.known())
        refuse("M007", "what depends on what is beyond the budget of isl's operations", "Give simpler domains or schedules.");
    check_parallel(program, times, dependences);
    const std::optional<poly::AstNode> loops = analysis::loops_of(scop, scop.schedule, dependences);
    if (!loops) refuse("M007", "the loops are beyond the budget of isl's operations", "Give simpler domains or schedules.");
    analysis::rebuild_program(sdfg, scop, *loops);
    return sdfg;
}

}  // namespace

Result<ir::Sdfg> Function::build(const std::vector<Computation>& outputs) const {
    return capture([&] {
        std::set<std::string> names;
        for (const Computation& output : outputs) {
            expect_same(*program_, *output.program_);
            const Definition& of = program_->definitions[output.number_];
            names.insert(program_->home(of).name);
        }
        if (names.empty()) refuse("M001", "`" + program_->name + "` has no output", "Name the computations that it is for.");
        ir::Sdfg sdfg = graph_of(*program_, names);
        for (const Diagnostic& problem : ir::verify(sdfg)) fail(problem);
        return sdfg;
    });
}

}  // namespace sluice::schedule
