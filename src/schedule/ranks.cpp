// What one rank of a distributed program runs. Its place is a parameter: instances of distributed loops whose iteration has another
// number are left out, and inputs that ranks hold in parts are read at indices of the part.
#include <fmt/format.h>

#include <algorithm>

#include "ir/messages.h"
#include "poly/bounds.h"
#include "poly/convert.h"
#include "schedule/program.h"
#include "support/check.h"

namespace sluice::schedule {

using symbolic::Expr;

Expr first_on_rank(const Expr& size) {
    return size * (symbolic::symbol(ir::kRankPlace) - 1);
}

bool is_in_blocks(const Program& program, const Definition& of) {
    const Definition& original = program.original(of);
    return of.blocks || (original.computed_at && is_in_blocks(program, program.definitions[original.computed_at->of]));
}

namespace {

/// What holds of the blocks of a rank, without products of variables: those of the first begin at 0, those of others behind one
/// block at least, and only the last rank's end behind all `extent` iterations.
Expr known_of_blocks(const Expr& size, const Expr& extent) {
    using namespace symbolic;
    const Expr place = symbol(ir::kRankPlace), ranks = symbol(ir::kRanks), first = first_on_rank(size);
    const Expr is_first = logical_and(equal(place, 1), equal(first, 0));
    const Expr is_later = logical_and(less(1, place), logical_and(less_equal(size, first), less_equal(place - 1, first)));
    const Expr is_inner = logical_and(less(place, ranks), less(first + size, extent));
    const Expr is_last = logical_and(equal(place, ranks), less_equal(extent, first + size));
    return logical_and(less_equal(1, size), logical_and(logical_or(is_first, is_later), logical_or(is_inner, is_last)));
}

}  // namespace

void keep_blocks(Program& program) {
    const poly::Set context = program.context();
    std::vector<Expr> known;
    for (Definition& of : program.definitions) {
        if (!of.blocks || of.is_inlined) continue;
        if (of.distributed != of.blocks->level)
            refuse("M011",
                   fmt::format("`{}` is split by `{}`, a size that is known only when the function is called: its loops are affine "
                               "functions of its iterators only where each block is a rank's",
                               of.name, symbolic::to_string(of.blocks->size)),
                   fmt::format("Call distribute({}), or split by a number.", of.blocks->level));
        const poly::Map split = of.blocks->split.intersect_domain(of.shared.value_or(of.domain)).intersect_parameters(context);
        const auto end = poly::to_expression(poly::greatest(split.range(), 0), {});
        if (!end || split.range().intersect(poly::Set::parse("{ [x] : x < 0 }")).is_empty() != poly::Answer::Yes)
            refuse("M011", fmt::format("the iterations of `{}` that ranks share do not count from 0 to an affine bound", of.name),
                   "Shift them to 0, or split by a number.");
        const Expr &size = of.blocks->size, ranks = symbolic::symbol(ir::kRanks);
        known.push_back(symbolic::less_equal(*end + 1, ranks * size));
        known.push_back(symbolic::less(ranks * size - size, *end + 1));
        known.push_back(known_of_blocks(size, *end + 1));
        const Expr at = symbolic::symbol("x"), first = first_on_rank(size);
        const auto own = poly::to_set(symbolic::logical_and(symbolic::less_equal(first, at), symbolic::less(at, first + size)),
                                      {.tuple = "", .dims = {"x"}});
        check(own.ok(), "a block is affine in the place of a rank times its size");
        of.on_all_ranks = of.domain;
        of.domain = of.shared.value_or(of.domain).intersect(split.reverse().image(*own.value)).coalesce();
        if (of.shared) of.shared = of.domain;
    }
    if (known.empty()) return;
    program.constants.insert({ir::kRankPlace, ir::kRanks});
    program.assumptions.insert(program.assumptions.end(), known.begin(), known.end());
    for (std::size_t number = program.definitions.size(); number-- > 0;)
        if (Definition& of = program.definitions[number]; of.blocks && of.shared)
            of.domain = with_points_read(program, of).coalesce();
}

namespace {

/// Who shares the outermost loop of a distributed computation is distributed as well.
void expect_whole_loops(Program& program) {
    for (bool more = true; more;) {
        more = false;
        for (Definition& of : program.definitions) {
            // Updates of what is computed in a loop are as well.
            const Definition& original = program.original(of);
            if (!of.distributed.empty() || !original.computed_at) continue;
            if (program.definitions[original.computed_at->of].distributed.empty()) continue;
            of.distributed = of.levels.front();
            more = true;
        }
    }
    for (const Definition& of : program.definitions) {
        if (!of.distributed.empty() && of.levels.front() != of.distributed)
            refuse("M004",
                   fmt::format("`{}`, which is distributed, is no longer the outermost level of `{}`", of.distributed, of.name),
                   "Distribute after the other commands.");
        if (of.target && !of.distributed.empty() && program.original(of).distributed.empty())
            refuse("M004",
                   fmt::format("`{}` is distributed and updates `{}`, which every rank has", of.name, program.original(of).name),
                   "Distribute both: each rank would have the updates of its own instances alone.");
        if (of.is_inlined || !of.order || of.order->shared == 0) continue;
        const Definition& other = program.definitions[of.order->other];
        if (of.distributed.empty() != other.distributed.empty())
            refuse("M004", fmt::format("`{}` and `{}` share a loop that is distributed for one of them", of.name, other.name),
                   "Distribute both.");
    }
}

void keep_own_instances(Program& program) {
    const poly::Set here = poly::Set::parse(fmt::format("[{0}] -> {{ [r] : r = {0} - 1 }}", ir::kRankPlace));
    for (Definition& of : program.definitions)
        if (!of.distributed.empty() && !of.is_inlined)
            of.domain = of.shared.value_or(of.domain).intersect(program.iterations(of, 1).reverse().image(here)).coalesce();
    for (std::size_t number = program.definitions.size(); number-- > 0;) {
        Definition& of = program.definitions[number];
        if (of.shared && !of.is_inlined) of.domain = with_points_read(program, of).coalesce();
    }
    for (RankOperation& of : program.operations)
        if (of.is_distributed) of.domain = of.domain.intersect(here.with_tuple(of.name));
}

void read_own_parts(Program& program) {
    for (Definition& of : program.definitions) {
        const auto stored = program.storage.find(of.buffer);
        if (stored != program.storage.end() && stored->second.part)
            refuse("M004", fmt::format("`{}` is stored in `{}`, which ranks hold in parts", of.name, of.buffer),
                   "Store it elsewhere.");
        for (Read& read : of.reads) {
            const auto input = program.storage.find(read.of);
            if (input == program.storage.end() || !input->second.part) continue;
            if (!read.is_affine())
                refuse("M004",
                       fmt::format("data decide which element of `{}`, which ranks hold in parts, `{}` reads", read.of, of.name),
                       "Pass all of it to every rank.");
            read.indices.front() = read.indices.front() - first_on_rank(input->second.part->rows);
        }
    }
}

}  // namespace

std::int64_t ranks_of(const Program& program) {
    std::int64_t most = 1;
    const auto count = [&](const std::string& name, const poly::Set& numbers) {
        if (numbers.is_empty() == poly::Answer::Yes) return;
        const auto last = poly::constant_greatest(numbers, 0);
        if (!last && program.constants.contains(ir::kRanks) &&
            numbers.intersect(poly::Set::parse(fmt::format("[{0}] -> {{ [r] : r >= {0} or r < 0 }}", ir::kRanks))).is_empty() ==
                poly::Answer::Yes)
            return;
        if (!last)
            refuse("M004", fmt::format("how many ranks run `{}` is known only when the function is called", name),
                   "Give the outermost level a constant number of iterations.");
        const poly::Set negative = numbers.intersect(poly::Set::parse("{ [r] : r < 0 }"));
        if (negative.is_empty() != poly::Answer::Yes)
            refuse("M004", fmt::format("`{}` runs on a rank with a negative number", name), "Count ranks from 0.");
        most = std::max(most, *last + 1);
    };
    const poly::Set context = program.context();
    for (const Definition& of : program.definitions)
        if (!of.distributed.empty() && !of.is_inlined && !is_in_blocks(program, of))
            count(of.name,
                  program.iterations(of, 1).intersect_domain(of.shared.value_or(of.domain)).range().intersect_parameters(context));
    for (const RankOperation& of : program.operations) {
        if (of.kind == RankOperation::Kind::Barrier) continue;
        if (!of.is_distributed)
            refuse("M004", fmt::format("which rank runs `{}` is not said", of.name), fmt::format("Call distribute({}).", of.rank));
        count(of.name, of.domain.with_tuple("").intersect_parameters(context));
    }
    return most;
}

Program on_one_rank(Program program) {
    if (std::ranges::any_of(program.definitions, [](const Definition& of) { return !of.device.empty(); }))
        refuse("M008", "ranks with a device each are missing", "Distribute the program, or map it to a device.");
    for (const Definition& reader : program.definitions)
        if (!reader.is_inlined)
            for (const Read& read : reader.reads)
                if (const Definition* producer = program.find(read.of)) {
                    Definition whole = *producer;
                    if (producer->blocks) whole.domain = producer->on_all_ranks;
                    check_domain(program, reader, whole);
                }
    expect_whole_loops(program);
    ranks_of(program);
    program.constants.insert(ir::kRankPlace);
    keep_own_instances(program);
    read_own_parts(program);
    return program;
}

}  // namespace sluice::schedule
