// Commands for programs on ranks: what is distributed, messages, barriers.
#include <fmt/format.h>

#include <algorithm>

#include "code/parse.h"
#include "code/print.h"
#include "code/walk.h"
#include "schedule/program.h"

namespace sluice::schedule {

using symbolic::Expr;

namespace {

std::string fresh_operation(const Program& program, const std::string& base) {
    const auto taken = [&](const std::string& name) {
        return program.constants.contains(name) || program.storage.contains(name) || program.find(name) ||
               std::ranges::find(program.operations, name, &RankOperation::name) != program.operations.end();
    };
    std::string name = base;
    for (int k = 0; taken(name); ++k) name = fmt::format("{}_{}", base, k);
    return name;
}

/// An expression in the message's rank and constants.
Expr known_expression(const Program& program, const RankOperation& of, const std::string& text, const char* what) {
    Expr value = parse_affine(text, what);
    for (const std::string& symbol : symbolic::free_symbols(value))
        if (symbol != of.rank && !program.constants.contains(symbol))
            refuse("M001", fmt::format("{} `{}` names `{}`, which is no constant", what, text, symbol),
                   "Declare it as a constant.");
    return value;
}

/// `lin[0, 0, 0]`: a name, and indices in the message's rank and constants.
void read_start(const Program& program, RankOperation& of, const std::string& text) {
    const Result<code::ExprPtr> tree = code::parse_expr(text);
    const auto* read = tree.ok() ? std::get_if<code::SubscriptExpr>(&(*tree)->node) : nullptr;
    if (!read) refuse("M002", fmt::format("`{}` is no element of anything", text), "Write it as `lin[0, 0, 0]`.");
    of.of = code::dotted_name(*read->object);
    std::vector<code::ExprPtr> indices{read->index};
    if (const auto* tuple = std::get_if<code::TupleExpr>(&read->index->node)) indices = tuple->elements;
    for (const code::ExprPtr& index : indices)
        of.start.push_back(known_expression(program, of, code::to_string(*index), "the index"));
    const Definition* computation = program.find(of.of);
    const auto input = program.storage.find(of.of);
    if (!computation && (input == program.storage.end() || !input->second.is_input))
        refuse("M001", fmt::format("`{}` is no computation and no input", of.of), "Send elements of one of these.");
    if (computation && computation->target)
        refuse("M001", fmt::format("`{}` updates the memory of its target", of.of), "Send the target.");
    if (!computation && !input->second.part)
        refuse("M004", fmt::format("every rank is passed all of `{}`", of.of), "Distribute it, or leave the message out.");
    const std::size_t rank = computation ? computation->iterators.size() : input->second.shape.size();
    if (of.start.size() != rank)
        refuse("M001", fmt::format("`{}` is named with {} indices", of.of, of.start.size()), fmt::format("It has {}.", rank));
}

RankOperation message(Program& program, RankOperation::Kind kind, const Var& rank, const std::string& start,
                      const std::string& size, const std::string& peer, Delivery how) {
    RankOperation made{.kind = kind, .name = fresh_operation(program, kind == RankOperation::Kind::Send ? "send" : "receive")};
    made.rank = rank.name;
    for (const std::string& text : {rank.lower, rank.upper, peer})
        if (symbolic::free_symbols(parse_affine(text, "the bound")).contains(kRankCount)) program.constants.insert(kRankCount);
    made.how = how;
    Definition ranks{.name = made.name, .iterators = {rank.name}, .domain = {}, .type = code::Scalar::Int64};
    const Expr lower = parse_affine(rank.lower, "the bound"), upper = parse_affine(rank.upper, "the bound");
    const Expr at = symbolic::symbol(rank.name);
    made.domain =
        affine_set(program, ranks, symbolic::logical_and(symbolic::less_equal(lower, at), symbolic::less(at, upper)), "a bound");
    read_start(program, made, start);
    made.size = known_expression(program, made, size, "the size");
    made.peer = known_expression(program, made, peer, "the other rank");
    return made;
}

}  // namespace

bool Program::is_on_ranks() const {
    return !operations.empty() || std::ranges::any_of(definitions, [](const Definition& of) { return !of.distributed.empty(); }) ||
           std::ranges::any_of(storage, [](const auto& entry) { return entry.second.part.has_value(); });
}

Computation& Computation::distribute(const std::string& level) {
    Definition& of = program_->definitions[number_];
    if (of.levels.empty() || of.levels.front() != level)
        refuse("M004", fmt::format("`{}` is not the outermost level of `{}`", level, of.name),
               fmt::format("Its levels are {}; iterations of the first can be ranks.", fmt::join(of.levels, ", ")));
    if (of.parallel.contains(level) || of.lanes.contains(level))
        refuse("M004", fmt::format("the level `{}` of `{}` is parallel, unrolled or vectorized", level, of.name),
               "Let other levels run in threads or lanes.");
    of.distributed = level;
    return *this;
}

void Function::distribute(const std::string& input, const std::string& rows, std::int64_t halo) {
    const auto storage = program_->storage.find(input);
    if (storage == program_->storage.end() || !storage->second.is_input)
        refuse("M001", fmt::format("`{}` is no input", input), "Name an input.");
    const Expr size = parse_affine(rows, "the size");
    expect_known(*program_, {.name = input, .iterators = {}, .domain = {}, .type = {}}, size, "the size");
    if (size.constant().value_or(1) < 1 || halo < 0)
        refuse("M004", fmt::format("parts of {} and {} elements", rows, halo), "Give a positive number.");
    Storage& of = storage->second;
    if (of.shape.empty() || of.part) refuse("M004", fmt::format("`{}` has no dimension to distribute", input), "Say it once.");
    of.part = Storage::Part{.rows = size, .halo = halo, .all = of.shape.front()};
    of.shape.front() = size + halo;
}

Operation Function::send(const Var& rank, const std::string& start, const std::string& size, const std::string& to, Delivery how) {
    program_->operations.push_back(message(*program_, RankOperation::Kind::Send, rank, start, size, to, how));
    return {*program_, program_->operations.size() - 1};
}

Operation Function::receive(const Var& rank, const std::string& start, const std::string& size, const std::string& from,
                            Delivery how, const Operation& sent) {
    expect_same(*program_, *sent.program_);
    if (program_->operations[sent.number_].kind != RankOperation::Kind::Send)
        refuse("M004", fmt::format("`{}` sends nothing", sent.name()), "Name a send.");
    for (const RankOperation& other : program_->operations)
        if (other.kind == RankOperation::Kind::Receive && other.sent == sent.number_)
            refuse("M004", fmt::format("`{}` receives what `{}` sends", other.name, sent.name()), "Send it twice.");
    RankOperation made = message(*program_, RankOperation::Kind::Receive, rank, start, size, from, how);
    made.sent = sent.number_;
    program_->operations.push_back(std::move(made));
    return {*program_, program_->operations.size() - 1};
}

Operation Function::barrier_at(const Computation& other, const std::string& level) {
    expect_same(*program_, *other.program_);
    if (level != kRoot)
        refuse("M004", fmt::format("ranks would meet in a loop of `{}`, whose iterations they do not all run", other.name()),
               "Name `root`. Threads of a device meet behind each nest of theirs.");
    RankOperation made{.kind = RankOperation::Kind::Barrier, .name = fresh_operation(*program_, "barrier")};
    made.domain = poly::Set::universe({.tuple = made.name});
    program_->operations.push_back(std::move(made));
    Operation barrier(*program_, program_->operations.size() - 1);
    barrier.before(other);
    return barrier;
}

const std::string& Operation::name() const {
    return program_->operations[number_].name;
}
Operation& Operation::before(const Computation& other) {
    expect_same(*program_, *other.program_);
    program_->operations[number_].orders.push_back({.before = true, .is_operation = false, .other = other.number_});
    return *this;
}
Operation& Operation::after(const Computation& other) {
    expect_same(*program_, *other.program_);
    program_->operations[number_].orders.push_back({.before = false, .is_operation = false, .other = other.number_});
    return *this;
}
Operation& Operation::before(const Operation& other) {
    expect_same(*program_, *other.program_);
    program_->operations[number_].orders.push_back({.before = true, .is_operation = true, .other = other.number_});
    return *this;
}
Operation& Operation::after(const Operation& other) {
    expect_same(*program_, *other.program_);
    program_->operations[number_].orders.push_back({.before = false, .is_operation = true, .other = other.number_});
    return *this;
}
Operation& Operation::distribute(const std::string& iterator) {
    RankOperation& of = program_->operations[number_];
    if (of.kind == RankOperation::Kind::Barrier) refuse("M004", "all ranks come to a barrier", "Take distribute away.");
    if (iterator != of.rank)
        refuse("M004", fmt::format("`{}` has no iterator `{}`", of.name, iterator), fmt::format("It has `{}`.", of.rank));
    of.is_distributed = true;
    return *this;
}

}  // namespace sluice::schedule
