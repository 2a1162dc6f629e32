// Turns of threads, waiting, and what stands where something failed.
#include <algorithm>
#include <cstring>

#include "interpret/loop/messages.h"
#include "interpret/loop/planner.h"
#include "loop/origins.h"
#include "loop/text.h"

namespace sluice::interpret::loops {

Machine::Machine(const loop::Module& module, const Options& options, Report& report)
    : module_(module), options_(options), report_(report), scheduler_(options.seed) {}

void Machine::end() {
    scheduler_.destroy_suspended();
    waits_.clear();
    flights_.clear();
    over_.clear();
    given_back_.clear();
    globals.clear();
}

void Machine::run(Task root) {
    Join join;
    scheduler_.spawn(std::move(root), join);
    while (join.pending > 0) {
        if (std::exchange(changed_, false)) wake();
        if (!scheduler_.step() && !wake()) deadlock();
        scheduler_.rethrow();
    }
}

bool Machine::wake() {
    std::vector<Wait> still;
    bool any = false;
    for (Wait& wait : std::exchange(waits_, {})) {
        if (wait.ready()) {
            any = true;
            scheduler_.make_ready(wait.handle);
        } else {
            still.push_back(std::move(wait));
        }
    }
    waits_ = std::move(still);
    return any;
}

void Machine::deadlock() {
    check(!waits_.empty(), "no thread can go on and none waits");
    const bool many = world->ranks() > 1;
    if (std::ranges::any_of(waits_, [](const Wait& wait) { return wait.element != nullptr; })) fail(deadlock_of_elements());
    Diagnostic found = world->deadlock();
    const bool ranks_wait = found.code.empty();
    if (ranks_wait && many)
        found = diagnostic(waits_.front().at, "I005",
                           "ranks wait for each other: rank " + std::to_string(waits_.front().rank) + " waits",
                           "let one of two ranks send while the other receives, and every rank come to the same collectives");
    if (ranks_wait && !many)
        found = diagnostic(waits_.front().at, "I005", "threads wait for what never comes",
                           "let every thread of a team come to every barrier, and push as many elements as are popped");
    for (std::size_t at = ranks_wait ? 1 : 0; at < waits_.size(); ++at) {
        const Diagnostic other = diagnostic(waits_[at].at, "I005", {}, {});
        const std::string who = many ? "rank " + std::to_string(waits_[at].rank) : "another";
        found.notes.push_back({who + " waits in " + other.path + ": " + text_of(waits_[at].at), other.where});
    }
    for (std::size_t rank = 0; many && rank < world->ended.size(); ++rank)
        if (world->ended[rank]) found.notes.push_back({"rank " + std::to_string(rank) + " has ended", {}});
    fail(std::move(found));
}

Task Machine::body(Thread& thread, const Steps& steps) {
    for (std::size_t at = 0; at < steps.steps.size(); ++at) {
        const Step& step = steps.steps[at];
        count(thread, step.id);
        if (step.leaf)
            step.leaf(thread);
        else
            co_await step.compound->run(*this, thread, step.id);
        if (thread.flow == Flow::Goto) {
            const auto found = std::ranges::find_if(steps.labels, [&](const auto& label) { return label.first == *thread.label; });
            if (found == steps.labels.end()) co_return;
            thread.flow = Flow::None;
            at = found->second;
        } else if (thread.flow != Flow::None) {
            co_return;
        }
        if (interleaves(thread) && scheduler_.below(3) == 0) co_await scheduler_.yield();
    }
}

void Machine::leaves(Thread& thread, const Steps& steps) {
    for (const Step& step : steps.steps) {
        count(thread, step.id);
        step.leaf(thread);
        if (thread.flow != Flow::None) return;
    }
}

void Machine::joined(Thread& thread) {
    if (thread.concurrent || !flights_.empty()) return;
    strands_.forget();
    thread.strand = strands_.next() - 1;
}

Task Machine::barrier(Thread& thread) {
    Team& team = *thread.team;
    const std::int64_t generation = team.generation;
    if (++team.arrived == team.count) {
        team.arrived = 0;
        ++team.generation;
        team.group = strands_.new_group();
        announce();
    }
    const auto passed = [&] { return team.generation != generation; };
    while (!passed()) co_await until(thread, passed);
    thread.strand = thread.phase = strands_.add(team.parent, team.group, static_cast<std::uint32_t>(thread.number), nullptr);
}

// ---- messages -----------------------------------------------------------------------------------------------------------
StatementId Machine::add_statement(const loop::Statement& statement, const loop::Function& function) {
    places_.push_back({&statement, &function});
    return static_cast<StatementId>(places_.size() - 1);
}

std::string Machine::text_of(StatementId id) const {
    return id < places_.size() ? "`" + loop::to_text(module_, *places_[id].statement) + "`" : std::string();
}

Diagnostic Machine::diagnostic(StatementId id, const char* code, const std::string& message, const std::string& remedy) const {
    Diagnostic result{code, message, {}, module_.name, remedy, {}};
    if (id >= places_.size()) return result;
    const loop::Statement& statement = *places_[id].statement;
    result.where = statement.where;
    const std::string& origin = loop::path_of_origin(module_, statement);
    result.path = origin.empty() ? places_[id].function->name : origin;
    if (!message.empty()) result.message += ", in " + result.path + ": " + text_of(id);
    return result;
}

void Machine::fail_at(StatementId id, const char* code, const std::string& message, const std::string& remedy) const {
    fail(diagnostic(id, code, message, remedy));
}

void Machine::over_limit(StatementId id) const {
    fail_at(id, "I008", "the run takes more than " + std::to_string(options_.step_limit) + " statements",
            "raise the limit, or run a smaller case");
}

// ---- the program --------------------------------------------------------------------------------------------------------
namespace {

void make_constant(Machine& machine, Slot& slot, const loop::ConstantTable& table) {
    const std::size_t count = std::max(table.values.size(), table.integers.size());
    machine.allocate(slot, table.name, table.type, static_cast<std::int64_t>(std::max<std::size_t>(count, 1)), true, false);
    const std::size_t size = code::size_in_bytes(table.type);
    for (std::size_t at = 0; at < count; ++at) {
        const Cell value = table.integers.empty() ? convert(cell(Complex128(table.values[at].first, table.values[at].second)),
                                                            Scalar::Complex128, table.type.scalar)
                                                  : convert(cell(table.integers[at]), Scalar::Int64, table.type.scalar);
        std::memcpy(slot.pointer.at + at * size, value.bytes.data(), size);
    }
}

/// The program of a rank, with persistent buffers of its own.
Task program(Machine& machine, const FunctionPlan& plan, const Arguments& arguments, std::int64_t rank, Strands::Id root) {
    Frame frame(plan.slots);
    Thread thread;
    thread.frame = &frame;
    thread.rank = rank;
    thread.concurrent = machine.world->ranks() > 1;
    // Ranks have no memory in common, so that no access of one is unordered with another's; a strand each, because they take turns.
    thread.strand = thread.concurrent ? machine.strands().add(root, 0, static_cast<std::uint32_t>(rank), nullptr) : root;
    std::map<std::string, std::int64_t> sizes;
    for (std::size_t at = 0; at < plan.parameters.size(); ++at) {
        const loop::Parameter& parameter = plan.source->parameters[at];
        const Region& region = arguments.parameters[at];
        Slot& slot = frame.declare(plan.parameters[at]);
        if (parameter.kind == loop::Parameter::Kind::Buffer) {
            machine.adopt(slot, parameter.name, parameter.type, region);
            continue;
        }
        Allocation& memory = machine.allocate(slot, parameter.name, parameter.type, 1, true);
        std::memcpy(memory.data, region.data, std::min(memory.bytes, region.bytes));
        if (parameter.type == loop::DType(Scalar::Int64)) std::memcpy(&sizes[parameter.name], region.data, sizeof(std::int64_t));
    }
    std::vector<std::unique_ptr<Slot>> kept;
    for (const loop::Allocate& buffer : machine.module().persistent) {
        auto slot = std::make_unique<Slot>();
        const Result<std::int64_t> elements = symbolic::evaluate(buffer.size, sizes);
        machine.allocate(*slot, buffer.name, buffer.type, elements ? *elements : fail_with(elements.error()), buffer.zero);
        kept.push_back(std::move(slot));
    }
    const std::size_t constants = machine.globals.size();
    for (const auto& [slot, global] : plan.globals)
        frame.slots[slot] =
            (global < constants ? machine.globals : kept).at(global < constants ? global : global - constants).get();
    co_await machine.body(thread, plan.body);
    co_await machine.await_rest(thread, 0);
    machine.world->ended[static_cast<std::size_t>(rank)] = true;
    machine.announce();
}

Task all_ranks(Machine& machine, const FunctionPlan& plan, const std::vector<Arguments>& ranks) {
    const Strands::Id root = machine.strands().next() - 1;
    Join join;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank)
        machine.scheduler().spawn(program(machine, plan, ranks[rank], static_cast<std::int64_t>(rank), root), join);
    co_await Scheduler::wait(join);
    machine.world->report_leftovers();
}

}  // namespace

Result<Report> interpret(const loop::Module& module, const Arguments& arguments, const Options& options) {
    return interpret_ranks(module, {arguments}, options);
}

Result<Report> interpret_ranks(const loop::Module& module, const std::vector<Arguments>& ranks, const Options& options) {
    return capture([&] {
        converted_beyond_range = false;
        Report report;
        Machine machine(module, options, report);
        World world(machine, static_cast<std::int64_t>(ranks.size()));
        machine.world = &world;
        const FunctionPlan& plan = make_plan(machine);
        for (const Arguments& arguments : ranks)
            if (arguments.parameters.size() != module.program.parameters.size())
                fail({"I002",
                      "the program takes " + std::to_string(module.program.parameters.size()) + " arguments, not " +
                          std::to_string(arguments.parameters.size()),
                      {},
                      module.name,
                      "give one for each parameter",
                      {}});
        for (const loop::ConstantTable& table : module.constants)
            make_constant(machine, *machine.globals.emplace_back(std::make_unique<Slot>()), table);
        std::vector<std::unique_ptr<Slot>> reachable;
        for (const Arguments& arguments : ranks)
            for (const Region& region : arguments.reachable)
                machine.adopt(*reachable.emplace_back(std::make_unique<Slot>()), "an argument's member", Scalar::UInt8, region);
        machine.run(all_ranks(machine, plan, ranks));
        report.beyond_range = converted_beyond_range;
        machine.end();
        return report;
    });
}

}  // namespace sluice::interpret::loops
