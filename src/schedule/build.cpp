#include <fmt/format.h>

#include <cctype>

#include "analysis/scop/rebuild.h"
#include "analysis/scop/reorder.h"
#include "ir/builder.h"
#include "ir/messages.h"
#include "ir/verify.h"
#include "poly/schedule.h"
#include "schedule/alternatives.h"
#include "schedule/program.h"

namespace sluice::schedule {

namespace {

/// isl's operations for the proof, the dependences and the code together.
constexpr unsigned long kOperations = 20'000'000;

code::ReductionType reduction_of(const std::string& operation) {
    if (operation == "+") return code::ReductionType::Sum;
    if (operation == "*") return code::ReductionType::Product;
    return operation == "min" ? code::ReductionType::Min : code::ReductionType::Max;
}

std::string resolution_of(const std::string& operation) {
    const bool infix = operation == "+" || operation == "*";
    return infix ? fmt::format("lambda a, b: a {} b", operation) : fmt::format("lambda a, b: {}(a, b)", operation);
}

using symbolic::Expr;

ir::Memlet element(const std::string& buffer, const std::vector<Expr>& indices, const std::string& wcr = {}) {
    return ir::memlet(buffer, indices.empty() ? symbolic::Subset::indices({0}) : symbolic::Subset::indices(indices), {.wcr = wcr});
}
ir::Memlet whole(const Storage& storage) {
    symbolic::Subset all;
    for (const Expr& extent : storage.shape) all.dims.push_back({.begin = 0, .end = extent});
    return ir::memlet(storage.name, all);
}

/// Statements of one definition: its instances, distinguished by which piece of the value they compute and by whether they lie in
/// full tiles, with the symbols of iterations that allocate memory as further iterators.
class Statements {
public:
    Statements(const Program& program, const Definition& of, bool tiles_apart) : program_(program), of_(of), apart_(tiles_apart) {
        const auto add = [&](const Storage& storage) {
            for (unsigned level = 0; level < storage.around.size(); ++level) around(storage.around[level], level);
        };
        add(program.storage.at(program.original(of).buffer));
        prefetched_ = prefetched(program, of);
        for (const Read& read : of.reads) {
            const Definition* producer = program.find(read.of);
            if (producer) add(program.storage.at(producer->buffer));
        }
    }

    std::vector<analysis::ScopStatement> all() const {
        std::vector<analysis::ScopStatement> made;
        for (const Piece& piece : of_.pieces) {
            const poly::Set points = piece.where ? of_.domain.intersect(*piece.where) : of_.domain;
            for (const Part& part : tiles(points))
                if (part.points.intersect_parameters(program_.context()).is_empty() != poly::Answer::Yes)
                    made.push_back(statement(piece, part, made.size()));
        }
        return made;
    }

    /// From instances of a statement to those of the definition.
    poly::Map instances(const std::string& statement) const {
        std::vector<std::string> from, to;
        for (std::size_t at = 0; at < around_.size(); ++at) from.push_back(fmt::format("p{}", at));
        for (std::size_t at = 0; at < of_.iterators.size(); ++at) to.push_back(fmt::format("x{}", at));
        from.insert(from.end(), to.begin(), to.end());
        return poly::Map::parse(
            fmt::format("{{ {}[{}] -> {}[{}] }}", statement, fmt::join(from, ", "), of_.name, fmt::join(to, ", ")));
    }

private:
    void around(const std::string& symbol, unsigned level) {
        const bool known = std::ranges::find(of_.iterators, symbol) != of_.iterators.end() ||
                           std::ranges::any_of(around_, [&](const auto& one) { return one.first == symbol; });
        if (!known) around_.emplace_back(symbol, level);
    }

    /// Points of full tiles, or of partial ones, of levels that run without a loop or in lanes.
    struct Part {
        poly::Set points;
        std::set<std::string> full;  ///< Levels.
    };
    std::vector<Part> tiles(const poly::Set& points) const {
        std::vector<Part> all{{.points = points, .full = {}}};
        for (const auto& [level, lanes] : of_.lanes) {
            if (!apart_) {
                all.front().full.insert(level);
                continue;
            }
            poly::Set full = full_tiles(level, lanes.second, points);
            if (full.is_empty() == poly::Answer::Yes) full = full_tiles(level, lanes.second, of_.domain);
            std::vector<Part> parts;
            for (const Part& one : all) {
                parts.push_back({.points = one.points.intersect(full).coalesce(), .full = one.full});
                parts.back().full.insert(level);
                parts.push_back({.points = one.points.subtract(full).coalesce(), .full = one.full});
            }
            all = std::move(parts);
        }
        return all;
    }

    /// The points of tiles in which all iterations run some of these points.
    poly::Set full_tiles(const std::string& level, std::int64_t size, const poly::Set& points) const {
        const auto at = static_cast<unsigned>(std::ranges::find(of_.levels, level) - of_.levels.begin());
        const poly::Map iterations = program_.iterations(of_, at + 1).intersect_domain(points);
        std::vector<std::string> outer;
        for (unsigned d = 0; d < at; ++d) outer.push_back(fmt::format("p{}", d));
        const auto step = [&](const std::string& condition) {
            std::vector<std::string> from = outer, to = outer;
            from.emplace_back("x"), to.emplace_back("y");
            return poly::Map::parse(fmt::format("{{ [{}] -> [{}] : {} }}", fmt::join(from, ", "), fmt::join(to, ", "), condition));
        };
        const poly::Set run = iterations.range();
        const poly::Set first = run.intersect(step(fmt::format("y = x + {}", size - 1)).reverse().image(run));
        const poly::Map between = step(fmt::format("x < y < x + {}", size - 1));
        const poly::Set full = first.subtract(between.reverse().image(between.image(first).subtract(run)));
        return iterations.project_out_range(at, 1).reverse().image(full.project_out(at, 1));
    }

    analysis::ScopStatement statement(const Piece& piece, const Part& part, std::size_t number) const {
        using Kind = analysis::StatementAccess::Kind;
        const std::string name = number == 0 ? of_.name : fmt::format("{}__{}", of_.name, number);
        const poly::Map instance = instances(name);
        poly::Set domain = instance.reverse().image(part.points);
        if (!around_.empty()) domain = domain.intersect(at_levels(name));
        analysis::ScopStatement made{.name = name, .label = of_.name, .place = of_.name};
        for (const auto& [symbol, level] : around_) made.iterators.push_back(symbol);
        made.iterators.insert(made.iterators.end(), of_.iterators.begin(), of_.iterators.end());
        made.domain = domain;
        for (const std::string& iterator : made.iterators) made.values.emplace(iterator, symbolic::symbol(iterator));
        for (const std::string& level : of_.parallel) {
            const auto device = of_.device.find(level);
            if (!of_.lanes.contains(level))
                made.loops.emplace(dimension(of_, level),
                                   device == of_.device.end() ? analysis::LoopKind::Threads : device->second);
        }
        for (const std::string& level : part.full)
            made.loops.emplace(dimension(of_, level), of_.lanes.at(level).first == Lanes::Vector ? analysis::LoopKind::Vector
                                                                                                 : analysis::LoopKind::Unrolled);
        const auto touched = [&](const poly::Map& elements) { return instance.then(elements).intersect_domain(domain); };
        analysis::Operation body;
        ir::Tasklet tasklet;
        tasklet.label = of_.name;
        std::string code = piece.code;
        for (const std::size_t at : piece.reads) {
            const Read& read = of_.reads[at];
            const Definition* producer = program_.find(read.of);
            const std::string connector = fmt::format("in{}", at), buffer = producer ? producer->buffer : read.of;
            made.accesses.push_back({.container = buffer,
                                     .connector = connector,
                                     .kind = Kind::Read,
                                     .elements = touched(program_.elements(of_, read)),
                                     .exact = read.is_affine()});
            body.node.in.emplace(connector, code::DType());
            if (read.is_affine()) {
                body.wires.push_back(
                    {connector, buffer, false, element(buffer, producer ? indices_in(*producer, point_of(read)) : read.indices)});
                body.wires.back().memlet.prefetch = prefetched_[at];
                continue;
            }
            code = with_subscript(code, connector, subscript(read, producer));
            body.wires.push_back({connector, buffer, false, whole(program_.storage.at(buffer))});
        }
        tasklet.code = {code, ir::Language::Python};
        body.node.kind = std::move(tasklet);
        const Definition& original = program_.original(of_);
        made.accesses.push_back({.container = original.buffer,
                                 .connector = "out",
                                 .kind = of_.target ? Kind::Reduce : Kind::Write,
                                 .reduction = of_.target ? reduction_of(of_.operation) : code::ReductionType::Custom,
                                 .elements = touched(program_.elements(of_)),
                                 .exact = of_.guard.empty()});
        body.node.out.emplace("out", code::DType());
        body.wires.push_back({"out", original.buffer, true,
                              element(original.buffer, indices_in(original, of_.element_indices),
                                      of_.target ? resolution_of(of_.operation) : std::string())});
        body.wires.back().memlet.dynamic = !of_.guard.empty();
        made.body = std::move(body);
        return made;
    }

    /// The further iterators are these levels.
    poly::Set at_levels(const std::string& name) const {
        std::vector<std::string> levels, own;
        for (std::size_t at = 0; at < of_.levels.size(); ++at) levels.push_back(fmt::format("l{}", at));
        std::vector<std::string> from;
        for (const auto& [symbol, level] : around_) from.push_back(levels[level]);
        const poly::Map picked =
            poly::Map::parse(fmt::format("{{ [{}] -> [{}] }}", fmt::join(levels, ", "), fmt::join(from, ", ")));
        return of_.times.intersect_domain(of_.domain).then(picked).reverse().flatten().with_tuple(name);
    }

    /// Where in memory the element lies whose indices are code.
    static std::vector<std::string> subscript(const Read& read, const Definition* producer) {
        if (!producer) return read.texts;
        std::vector<std::string> indices;
        for (const Expr& index : producer->layout) {
            // Iterators of the producer become placeholders, and these, in one pass, the texts.
            static constexpr std::string_view kPlaceholder = "__sluice_index_";
            symbolic::Substitution at;
            const std::size_t around = read.around.size();
            for (std::size_t d = 0; d < read.texts.size(); ++d)
                at.emplace(producer->iterators[around + d], symbolic::symbol(fmt::format("{}{}", kPlaceholder, d)));
            const std::string pattern = symbolic::to_string(symbolic::substitute(index, at));
            std::string text;
            std::size_t end = 0;
            for (std::size_t found; (found = pattern.find(kPlaceholder, end)) != std::string::npos;) {
                std::size_t digits = 0;
                const std::size_t d = std::stoul(pattern.substr(found + kPlaceholder.size()), &digits);
                text += pattern.substr(end, found - end) + "(" + read.texts.at(d) + ")";
                end = found + kPlaceholder.size() + digits;
            }
            indices.push_back(text + pattern.substr(end));
        }
        return indices;
    }

    /// `in3` -> `in3[...]`, where it is a name of its own.
    static std::string with_subscript(const std::string& code, const std::string& connector,
                                      const std::vector<std::string>& indices) {
        const auto part_of_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
        const std::string by =
            fmt::format("{}[{}]", connector, indices.empty() ? "0" : fmt::format("{}", fmt::join(indices, ", ")));
        std::string made;
        for (std::size_t at = 0; at < code.size();) {
            const bool here = code.compare(at, connector.size(), connector) == 0 && (at == 0 || !part_of_name(code[at - 1])) &&
                              (at + connector.size() == code.size() || !part_of_name(code[at + connector.size()]));
            made += here ? by : std::string(1, code[at]);
            at += here ? connector.size() : 1;
        }
        return made;
    }

    const Program& program_;
    const Definition& of_;
    std::vector<std::pair<std::string, unsigned>> around_;
    std::vector<std::optional<symbolic::Subset>> prefetched_;
    bool apart_;
};

/// How isl is asked for loops.
struct Loops {
    bool tiles_apart = true;    ///< Full tiles are statements of their own.
    bool whole_around = false;  ///< Loops in whose iterations memory is allocated are not taken apart.
};

std::vector<unsigned> levels_around_memory(const analysis::Scop& scop) {
    unsigned depth = 0;
    for (const auto& [name, dimensions] : scop.allocated) depth = std::max(depth, dimensions);
    std::vector<unsigned> levels;
    for (unsigned at = 1; at < depth; at += 2) levels.push_back(at);
    return levels;
}

Nest nest_of(const Program& program, const Operations& placed, const Loops& asked) {
    const poly::UnionMap& times = placed.times;
    Nest nest{.scop = {.statements = {}, .context = program.context(), .schedule = {}, .assigned = {}},
              .loops = {},
              .tiles_apart = asked.tiles_apart};
    analysis::Scop& scop = nest.scop;
    for (const auto& [name, storage] : program.storage)
        if (storage.allocated) scop.allocated.emplace(name, 2 * storage.allocated->depth);
    poly::UnionMap instances = poly::UnionMap::empty();
    for (const Definition& of : program.definitions) {
        if (of.is_inlined) continue;
        const Statements statements(program, of, asked.tiles_apart);
        for (analysis::ScopStatement& statement : statements.all()) {
            instances = instances.unite(statements.instances(statement.name).intersect_domain(statement.domain));
            scop.assigned.insert(statement.iterators.begin(), statement.iterators.end());
            scop.statements.push_back(std::move(statement));
        }
    }
    for (const analysis::ScopStatement& statement : placed.statements) {
        instances = instances.unite(poly::UnionMap(poly::Map::identity(statement.domain)));
        scop.assigned.insert(statement.iterators.begin(), statement.iterators.end());
        scop.statements.push_back(statement);
    }
    scop.schedule = poly::Schedule::of(scop.domain()).within(instances.then(times), {});
    if (asked.whole_around && !scop.allocated.empty()) scop.schedule = scop.schedule.with_whole_loops(levels_around_memory(scop));
    const poly::UnionMap dependences = analysis::dependences(scop);
    if (!scop.schedule.known() || !dependences.known())
        refuse("M007", "what depends on what is beyond the budget of isl's operations", "Give simpler domains or schedules.");
    check_parallel(program, times, instances.reverse().then(dependences).then(instances));
    nest.loops = analysis::loops_of(scop, scop.schedule, dependences);
    if (!nest.loops) refuse("M007", "the loops are beyond the budget of isl's operations", "Give simpler domains or schedules.");
    return nest;
}

/// Loops in which every command has its effect, full tiles apart if that can be.
Nest best_nest(const Program& program, const Operations& placed) {
    std::optional<Diagnostic> without_effect;
    for (const Loops& asked : {Loops{}, Loops{.whole_around = true}, Loops{.tiles_apart = false}}) {
        Nest nest = nest_of(program, placed, asked);
        if (!analysis::allocates_in_loops(nest.scop, *nest.loops)) continue;
        std::optional<Diagnostic> missing = command_without_effect(program, nest);
        if (!missing) return nest;
        if (!without_effect) without_effect = std::move(missing);
    }
    if (without_effect) fail(*std::move(without_effect));
    refuse("M007", "the loops that isl finds do not keep all users of memory that an iteration allocates in that iteration's loop",
           "Allocate in a loop further out, or store the values in a buffer.");
}

/// Assertions at the beginning: what was assumed, and ranks, without which iterations would be left out.
void expect_assumptions(ir::Sdfg& sdfg, const Program& program, std::int64_t ranks) {
    std::vector<std::string> lines;
    if (ranks > 1)
        lines.push_back(fmt::format("assert {} >= {}, 'the program is distributed over {} ranks'", ir::kRanks, ranks, ranks));
    for (const Expr& assumption : program.assumptions) {
        const std::string text = symbolic::to_string(assumption);
        if (!symbolic::free_symbols(assumption).contains(ir::kRankPlace))
            lines.push_back(fmt::format("assert {}, 'the schedule is for calls with {}'", text, text));
    }
    if (lines.empty()) return;
    if (ranks > 1 && !sdfg.symbols.contains(ir::kRanks)) ir::add_symbol(sdfg, ir::kRanks);
    ir::State state;
    ir::StateBuilder(state).tasklet("assumptions", {}, {}, fmt::format("{}", fmt::join(lines, "\n")));
    const ir::BlockId start = sdfg.body.start;
    const ir::BlockId added =
        ir::add_block(sdfg.body, {.label = "assumptions", .kind = Cow<ir::State>(std::move(state)), .metadata = {}});
    ir::add_transition(sdfg.body, added, start);
    sdfg.body.start = added;
}

ir::Sdfg graph_of(Program program, const std::set<std::string>& outputs) {
    const poly::Budget budget(kOperations);
    resolve(program, outputs);
    std::set<std::string> results;
    for (const std::string& output : outputs) results.insert(program.find(output)->buffer);
    for (const auto& [name, storage] : program.storage)
        if (storage.is_argument) results.insert(name);
    std::int64_t ranks = 0;
    if (program.is_on_ranks()) {
        const Program all = program;
        program = on_one_rank(std::move(program));
        ranks = ranks_of(all);
        check_meetings(all, full_times(all));
        receive_points(program);
    }
    const Operations placed = place_operations(program, full_times(program));
    if (ranks > 0) check_messages(program, placed);
    check_values(program, results, placed.times);

    ir::Sdfg sdfg{.name = program.name};
    for (const std::string& constant : program.constants) ir::add_symbol(sdfg, constant);
    for (const auto& [name, storage] : program.storage) {
        const std::vector<Expr> shape = storage.shape.empty() ? std::vector<Expr>{1} : storage.shape;
        ir::Container& container = ir::add_array(sdfg, name, storage.type, shape);
        container.transient = !storage.is_input && !storage.is_argument && !results.contains(name);
        container.storage = storage.memory;
    }
    for (const std::string& request : placed.requests) ir::add_transient(sdfg, request, code::Scalar::Int64, {1});
    const Nest nest = best_nest(program, placed);
    analysis::rebuild_program(sdfg, nest.scop, *nest.loops);
    mark_apart(sdfg, program, nest);
    place_on_device(sdfg, program, results);
    expect_lanes(program, sdfg);
    expect_assumptions(sdfg, program, ranks);
    return sdfg;
}

/// What each of the refusals is about that another command may mend.
bool is_illegal(const std::string& code) {
    return code == "M005" || code == "M006" || code == "M009" || code == "M016" || code == "M017";
}

std::set<std::string> outputs_of(const Program& program, const std::vector<std::size_t>& numbers) {
    std::set<std::string> names;
    for (const std::size_t number : numbers) names.insert(program.original(program.definitions[number]).name);
    if (names.empty() && program.semantics == Reads::Values)
        refuse("M001", "`" + program.name + "` has no output", "Name the computations that it is for.");
    return names;
}

std::optional<Alternative> near_to(const Program& program, const std::set<std::string>& outputs) {
    return legal_alternative(program, [&](const Program& changed) { graph_of(changed, outputs); });
}

}  // namespace

bool Function::on_device() const {
    return std::ranges::any_of(program_->definitions, [](const Definition& of) { return !of.device.empty(); });
}

Result<ir::Sdfg> Function::build(const std::vector<Computation>& outputs, const BuildOptions& options) const {
    return capture([&] {
        const std::set<std::string> names = outputs_of(*program_, numbers(outputs));
        try {
            ir::Sdfg sdfg = graph_of(*program_, names);
            for (const Diagnostic& problem : ir::verify(sdfg)) fail(problem);
            return sdfg;
        } catch (Failure& failure) {
            if (!options.suggest || !is_illegal(failure.diagnostic.code)) throw;
            const std::optional<Alternative> legal = near_to(*program_, names);
            failure.diagnostic.notes.push_back(
                {legal ? "legal instead: " + legal->text : "no legal alternative was found near to it", {}});
            throw;
        }
    });
}

Result<Done> Function::check(const std::vector<Computation>& outputs) const {
    return capture([&] {
        const poly::Budget budget(kOperations);
        Program program = *program_;
        const std::set<std::string> names = outputs_of(program, numbers(outputs));
        resolve(program, names);
        check_values(program, names, full_times(program));
        return Done{};
    });
}

std::optional<std::string> Function::repair(const std::vector<Computation>& outputs) {
    const std::optional<Alternative> legal = near_to(*program_, outputs_of(*program_, numbers(outputs)));
    if (!legal) return std::nullopt;
    legal->apply(*program_);
    return legal->text;
}

std::vector<std::size_t> Function::numbers(const std::vector<Computation>& computations) const {
    std::vector<std::size_t> numbers;
    for (const Computation& one : computations) {
        expect_same(*program_, *one.program_);
        numbers.push_back(one.number_);
    }
    return numbers;
}

}  // namespace sluice::schedule
