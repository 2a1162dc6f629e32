// What one rank of a distributed program runs. Its place is a parameter: instances of distributed loops whose iteration has another
// number are left out, and inputs that ranks hold in parts are read at indices of the part.
#include <fmt/format.h>

#include <algorithm>

#include "ir/messages.h"
#include "poly/bounds.h"
#include "schedule/program.h"

namespace sluice::schedule {

using symbolic::Expr;

namespace {

/// Who shares the outermost loop of a distributed computation is distributed as well.
void expect_whole_loops(Program& program) {
    for (bool more = true; more;) {
        more = false;
        for (Definition& of : program.definitions) {
            // Updates of what is computed in a loop are as well.
            const Definition& home = program.home(of);
            if (!of.distributed.empty() || !home.computed_at) continue;
            if (program.definitions[home.computed_at->of].distributed.empty()) continue;
            of.distributed = of.levels.front();
            more = true;
        }
    }
    for (const Definition& of : program.definitions) {
        if (!of.distributed.empty() && of.levels.front() != of.distributed)
            refuse("M004",
                   fmt::format("`{}`, which is distributed, is no longer the outermost level of `{}`", of.distributed, of.name),
                   "Distribute after the other commands.");
        if (of.target && !of.distributed.empty() && program.home(of).distributed.empty())
            refuse("M004",
                   fmt::format("`{}` is distributed and updates `{}`, which every rank has", of.name, program.home(of).name),
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
            read.indices.front() = read.indices.front() - input->second.part->rows * (symbolic::symbol(ir::kRankPlace) - 1);
        }
    }
}

}  // namespace

std::int64_t ranks_of(const Program& program) {
    std::int64_t most = 1;
    const auto count = [&](const std::string& name, const poly::Set& numbers) {
        if (numbers.is_empty() == poly::Answer::Yes) return;
        const auto last = poly::constant_greatest(numbers, 0);
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
        if (!of.distributed.empty() && !of.is_inlined)
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
    if (program.constants.contains(ir::kRankPlace) || program.constants.contains(ir::kRanks))
        refuse("M001", "a constant has the name of a rank's place", "Give it another name.");
    for (const Definition& reader : program.definitions)
        if (!reader.is_inlined)
            for (const Read& read : reader.reads)
                if (const Definition* producer = program.find(read.of)) check_domain(program, reader, *producer);
    expect_whole_loops(program);
    ranks_of(program);
    program.constants.insert(ir::kRankPlace);
    keep_own_instances(program);
    read_own_parts(program);
    return program;
}

}  // namespace sluice::schedule
