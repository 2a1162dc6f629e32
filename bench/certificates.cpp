// What certificates decide (docs/certify.md), each answer beside the interpreter.
//
//     bench_certificates transformations [KERNEL]    PolyBench before and after each transformation that applies
//     bench_certificates faults COUNT [SEED]         faults planted in PolyBench, before and after a transformation
//     bench_certificates random COUNT [SEED]         random graphs, each beside itself with a planted fault
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstring>
#include <random>

#include "driver/certificate.h"
#include "driver/session.h"
#include "driver/transformations.h"
#include "fuzz/generate.h"
#include "fuzz/memory.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "library/reference.h"
#include "measure.h"

namespace {

using namespace sluice;
using driver::Verdict;
using Symbols = std::map<std::string, std::int64_t>;

// ---- the interpreter ----------------------------------------------------------------------------------------------------

/// Memory after a run on made up numbers; nullopt: it fails.
std::optional<std::vector<std::vector<double>>> interpreted(const ir::Sdfg& sdfg, Symbols symbols, std::uint64_t seed) {
    std::vector<std::vector<double>> memory;
    interpret::Arguments arguments;
    std::map<std::string, const ir::Container*> ordered;
    for (const auto& [name, container] : sdfg.containers)
        if (!container.transient) ordered.emplace(name, &container);
    memory.reserve(ordered.size());
    std::int64_t next = 4;
    for (const auto& [name, type] : sdfg.symbols)
        if (symbols.emplace(name, next).second) ++next;
    for (const auto& [name, container] : ordered) {
        std::int64_t size = 1, row = 1;
        for (const ir::Expr& e : container->shape) size *= (row = symbolic::evaluate(e, symbols).value());
        std::vector<double>& values = memory.emplace_back(static_cast<std::size_t>(std::max<std::int64_t>(size, 1)));
        std::mt19937_64 random(std::hash<std::string>{}(name) + seed);
        for (std::size_t at = 0; at < values.size(); ++at) {
            const bool diagonal = container->shape.size() > 1 && at % static_cast<std::size_t>(row + 1) == 0;
            const double value = 0.5 + static_cast<double>(random() % 100003) / 100003.0 + (diagonal ? 9 : 0);
            const std::int64_t integer = static_cast<std::int64_t>(random() % 4);
            if (container->dtype.scalar == code::Scalar::Float64)
                values[at] = value;
            else
                std::memcpy(&values[at], &integer, sizeof integer);
        }
        arguments.memory[name] = values.data();
    }
    for (const auto& [name, value] : symbols) arguments.symbols[name] = value;
    const auto report =
        interpret::interpret(sdfg, arguments, {.seed = seed % 2, .step_limit = 20'000'000, .library = library::meaning_of});
    if (!report.ok()) return std::nullopt;
    return memory;
}

enum class Compared { Same, Differ, Fails };
Compared compare(const ir::Sdfg& before, const ir::Sdfg& after, const Symbols& symbols) {
    bool some = false;
    for (const std::uint64_t seed : {0, 1, 2}) {
        const auto expected = interpreted(before, symbols, seed);
        if (!expected) continue;
        some = true;
        const auto actual = interpreted(after, symbols, seed);
        if (!actual || actual->size() != expected->size()) return Compared::Differ;
        for (std::size_t k = 0; k < expected->size(); ++k)
            for (std::size_t at = 0; at < (*expected)[k].size(); ++at) {
                const double x = (*expected)[k][at], y = (*actual)[k][at];
                if (std::isnan(x) && std::isnan(y)) continue;
                if (!(std::abs(x - y) <= 1e-7 * std::max({std::abs(x), std::abs(y), 1e-3}))) return Compared::Differ;
            }
    }
    return some ? Compared::Same : Compared::Fails;
}

const std::vector<Symbols> kSizes = {{{"N", 6}, {"M", 5}, {"P", 4}, {"Q", 3}, {"T", 2}},
                                     {{"N", 4}, {"M", 7}, {"P", 1}, {"Q", 2}, {"T", 3}},
                                     {{"N", 35}, {"M", 34}, {"P", 3}, {"Q", 33}, {"T", 2}}};
bool differs_somewhere(const ir::Sdfg& before, const ir::Sdfg& after) {
    for (const Symbols& symbols : kSizes)
        if (compare(before, after, symbols) == Compared::Differ) return true;
    return false;
}

// ---- asking -------------------------------------------------------------------------------------------------------------

struct Tally {
    std::size_t equal = 0, different = 0, unknown = 0, wrong = 0;
    double longest = 0;
    std::size_t all() const { return equal + different + unknown; }
};

Verdict ask(const ir::Sdfg& before, const ir::Sdfg& after, const std::string& what, Tally& tally) {
    driver::Certificate certificate;
    const double seconds = bench::seconds([&] { certificate = driver::certify_programs(before, after); });
    tally.longest = std::max(tally.longest, seconds);
    bool wrong = false;
    if (certificate.verdict == Verdict::Equal) ++tally.equal, wrong = differs_somewhere(before, after);
    if (certificate.verdict == Verdict::Unknown) ++tally.unknown;
    if (certificate.verdict == Verdict::Different)
        ++tally.different, wrong = compare(before, after, certificate.witness->parameters) == Compared::Same;
    if (wrong) ++tally.wrong;
    if (wrong || certificate.verdict != Verdict::Equal)
        fmt::print("{}{}: {}", wrong ? "WRONG " : "", what, driver::to_string(certificate));
    if (wrong) fmt::print("{}\n{}\n", ir::to_text(before), ir::to_text(after));
    std::fflush(stdout);
    return certificate.verdict;
}

/// Simplified, as loops and with maps of those that are parallel.
std::vector<ir::Sdfg> kernels(const std::string& only) {
    std::vector<ir::Sdfg> programs;
    for (driver::Session& session : driver::Session::read(SLUICE_SOURCE_DIR "/tests/analysis/scop/polybench.py").or_fail()) {
        if (!only.empty() && session.program().name != only) continue;
        session.simplify().or_fail();
        programs.push_back(session.program());
        const std::vector<std::string> names{"LoopToMap"};
        if (session.apply_repeated(names).or_fail() == 0) continue;
        session.simplify().or_fail();
        programs.push_back(session.program());
    }
    return programs;
}

/// The graph after the first application of each that applies.
std::vector<std::pair<std::string, ir::Sdfg>> transformed(const ir::Sdfg& program) {
    std::vector<std::pair<std::string, ir::Sdfg>> graphs;
    driver::Session session(program);
    for (const driver::Descriptor* descriptor : session.transformations().all()) {
        int tried = 0;
        for (const driver::Proposal& proposal : session.matches(descriptor->name)) {
            if (proposal.refusal || ++tried > 4) continue;
            if (!session.apply(proposal.application).ok()) continue;
            graphs.emplace_back(driver::to_string(proposal.application), session.program());
            session.undo();
            break;
        }
    }
    return graphs;
}

int transformations(const std::string& only) {
    std::map<std::string, Tally> tallies;
    Tally all;
    for (const ir::Sdfg& program : kernels(only))
        for (const auto& [line, after] : transformed(program)) {
            const std::string name = line.substr(0, line.find(' '));
            const Verdict verdict = ask(program, after, program.name + " " + line, all);
            Tally& one = tallies[name];
            ++(verdict == Verdict::Equal ? one.equal : verdict == Verdict::Different ? one.different : one.unknown);
        }
    fmt::print("\n{:28} {:>8} {:>6} {:>9} {:>8}\n", "transformation", "applied", "equal", "different", "unknown");
    for (const auto& [name, one] : tallies)
        fmt::print("{:28} {:8} {:6} {:9} {:8}\n", name, one.all(), one.equal, one.different, one.unknown);
    fmt::print("{} pairs: {} equal, {} different, {} unknown: {:.1f} % decided; {} wrong; at most {:.2f} s\n", all.all(), all.equal,
               all.different, all.unknown, 100.0 * static_cast<double>(all.equal + all.different) / static_cast<double>(all.all()),
               all.wrong, all.longest);
    return all.wrong > 0 ? 1 : 0;
}

// ---- faults -------------------------------------------------------------------------------------------------------------

class Planter {
public:
    explicit Planter(std::uint64_t seed) : random_(seed) {}

    /// What was done to the graph; empty: nothing could be.
    std::string plant(ir::Sdfg& sdfg) {
        places_.clear();
        collect(sdfg);
        if (places_.empty()) return {};
        // Each kind as often as the others.
        std::map<std::string, std::vector<std::size_t>> kinds;
        for (std::size_t at = 0; at < places_.size(); ++at) kinds[places_[at].first].push_back(at);
        auto kind = kinds.begin();
        std::advance(kind, static_cast<std::ptrdiff_t>(random_() % kinds.size()));
        places_[kind->second[random_() % kind->second.size()]].second();
        return kind->first;
    }

private:
    std::int64_t sign() { return random_() % 2 == 0 ? 1 : -1; }
    void add(const char* kind, std::function<void()> edit) { places_.emplace_back(kind, std::move(edit)); }

    void collect(ir::Sdfg& sdfg) {
        ir::for_each_region(sdfg.body, [&](ir::Region& region) {
            std::vector<ir::BlockId> ids;
            for (auto [id, block] : region.blocks) ids.push_back(id);
            for (std::size_t at = 0; at + 1 < ids.size(); ++at)
                add("order", [&region, a = ids[at], b = ids[at + 1]] { std::swap(region.blocks[a].kind, region.blocks[b].kind); });
            for (const ir::BlockId id : ids)
                if (auto* loop = std::get_if<ir::LoopRegion>(&region.blocks[id].kind); loop && loop->condition)
                    add("bound", [loop, this] { loop->condition->text += sign() > 0 ? " - 1" : " + 1"; });
        });
        ir::edit_each_state(sdfg.body, [&](ir::State& state) { collect(state); });
    }
    void collect(ir::State& state) {
        for (auto [id, node] : state.nodes) {
            if (auto* map = std::get_if<ir::MapEntry>(&node.kind))
                for (symbolic::Range& range : map->range.dims)
                    add("bound", [&range, this] {
                        if (sign() > 0)
                            range.begin = range.begin + 1;
                        else
                            range.end = range.end - 1;
                    });
            if (auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) operators(tasklet->code.text);
            if (auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) collect(nested->sdfg.edit());
        }
        for (auto [id, edge] : state.edges) {
            if (edge.memlet.empty()) continue;
            const bool leaf = std::holds_alternative<ir::Tasklet>(state.nodes[edge.src].kind) ||
                              std::holds_alternative<ir::Tasklet>(state.nodes[edge.dst].kind);
            if (leaf && edge.memlet.subset)
                for (symbolic::Range& range : edge.memlet.subset->dims)
                    add("subset", [&range, this] {
                        const std::int64_t by = sign();
                        range.begin = range.begin + by;
                        range.end = range.end + by;
                    });
            if (edge.memlet.wcr)
                add("wcr", [&edge = edge, this] {
                    if (sign() > 0)
                        edge.memlet.wcr.reset();
                    else
                        edge.memlet.wcr = ir::Resolution(
                            edge.memlet.wcr->type() == code::ReductionType::Sum ? "lambda a, b: max(a, b)" : "lambda a, b: a + b");
                });
            add("edge", [&state, id = id] { state.edges.erase(id); });
        }
    }
    void operators(std::string& text) {
        static const std::vector<std::pair<std::string, std::string>> kExchanged = {
            {" + ", " - "}, {" - ", " + "}, {" * ", " + "}, {" / ", " * "}, {"min(", "max("}, {"max(", "min("}, {" <= ", " > "}};
        for (const auto& [from, to] : kExchanged)
            for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1))
                add("operator", [&text, at, size = from.size(), &to = to] { text.replace(at, size, to); });
    }

    std::mt19937_64 random_;
    std::vector<std::pair<std::string, std::function<void()>>> places_;
};

/// What a random graph leaves in memory; nullopt: it fails, or with `strict` reads what nobody wrote.
std::optional<fuzz::Memory> left_by(const fuzz::TestCase& test, bool strict) {
    Result<fuzz::Memory> memory = fuzz::make_memory(test);
    if (!memory.ok()) return std::nullopt;
    const auto report = interpret::interpret(test.sdfg, fuzz::arguments_of(test, *memory),
                                             {.strict = strict, .step_limit = 3'000'000, .library = library::meaning_of});
    if (!report.ok()) return std::nullopt;
    return std::move(*memory);
}

template <class T> bool same_numbers(const fuzz::Block& a, const fuzz::Block& b) {
    for (std::size_t at = 0; at + sizeof(T) <= a.size(); at += sizeof(T)) {
        T x, y;
        std::memcpy(&x, a.data() + at, sizeof x);
        std::memcpy(&y, b.data() + at, sizeof y);
        if (std::isnan(x) && std::isnan(y)) continue;
        if (!(x == y || std::abs(x - y) <= T(1e-4) * std::max({std::abs(x), std::abs(y), T(1e-3)}))) return false;
    }
    return true;
}

Compared compare(fuzz::TestCase test, const ir::Sdfg& after, bool strict) {
    const std::optional<fuzz::Memory> before = left_by(test, strict);
    if (!before) return Compared::Fails;
    test.sdfg = after;
    const std::optional<fuzz::Memory> actual = left_by(test, strict);
    if (!actual || actual->blocks.size() != before->blocks.size()) return Compared::Differ;
    for (std::size_t k = 0; k < before->blocks.size(); ++k) {
        const fuzz::Block &x = before->blocks[k], &y = actual->blocks[k];
        const code::Scalar type = before->description(k).dtype.scalar;
        const bool same =
            x.size() == y.size() && (type == code::Scalar::Float64   ? same_numbers<double>(x, y)
                                     : type == code::Scalar::Float32 ? same_numbers<float>(x, y)
                                                                     : std::memcmp(x.data(), y.data(), x.size()) == 0);
        if (!same) return Compared::Differ;
    }
    return Compared::Same;
}

int random_pairs(std::size_t count, std::uint64_t seed) {
    Tally all;
    Planter planter(seed);
    std::size_t confirmed = 0;
    for (std::uint64_t graph = 0; all.all() < count; ++graph) {
        fuzz::TestCase test = fuzz::generate(seed * 1'000'003 + graph, {});
        fuzz::complete_symbols(test);
        ir::Sdfg after = test.sdfg;
        const std::string kind = planter.plant(after);
        if (kind.empty() || !ir::verify(after).empty()) continue;
        const driver::Certificate certificate = driver::certify_programs(test.sdfg, after, {.seconds = 2});
        bool wrong = false;
        if (certificate.verdict == Verdict::Equal)
            for (const std::uint64_t inputs : {1, 2, 3})
                test.inputs = inputs, wrong |= compare(test, after, false) == Compared::Differ;
        if (certificate.verdict == Verdict::Different) {
            bool seen = false;
            for (const auto& [name, value] : certificate.witness->parameters) test.symbols[name] = value;
            for (const std::uint64_t inputs : {1, 2, 3, 4, 5, 6})
                test.inputs = inputs, seen |= compare(test, after, true) != Compared::Same;
            confirmed += seen ? 1 : 0;
            wrong = !seen;
        }
        ++(certificate.verdict == Verdict::Equal       ? all.equal
           : certificate.verdict == Verdict::Different ? all.different
                                                       : all.unknown);
        if (!wrong) continue;
        ++all.wrong;
        fmt::print("WRONG {} {}: {}{}\n{}\n", graph, kind, driver::to_string(certificate), ir::to_text(test.sdfg),
                   ir::to_text(after));
    }
    fmt::print("{} random pairs: {} equal, {} different ({} of them for the interpreter too), {} unknown; {} wrong\n", all.all(),
               all.equal, all.different, confirmed, all.unknown, all.wrong);
    return all.wrong > 0 ? 1 : 0;
}

int faults(std::size_t count, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Planter planter(seed + 1);
    std::vector<std::pair<ir::Sdfg, std::vector<std::pair<std::string, ir::Sdfg>>>> programs;
    for (const ir::Sdfg& program : kernels("")) programs.emplace_back(program, transformed(program));
    std::map<std::string, Tally> tallies;
    Tally all;
    std::size_t neutral = 0, neutral_equal = 0;
    while (all.all() < count) {
        const auto& [program, others] = programs[random() % programs.size()];
        const bool plain = others.empty() || random() % 2 == 0;
        ir::Sdfg after = plain ? program : others[random() % others.size()].second;
        const std::string kind = planter.plant(after);
        if (kind.empty() || !ir::verify(after).empty()) continue;
        const bool fault = differs_somewhere(program, after);
        Tally ignored;
        if (!fault) {
            ++neutral;
            if (driver::certify_programs(program, after).verdict == Verdict::Equal) ++neutral_equal;
            continue;
        }
        const Verdict verdict = ask(program, after, program.name + " " + kind, all);
        Tally& one = tallies[kind];
        ++(verdict == Verdict::Equal ? one.equal : verdict == Verdict::Different ? one.different : one.unknown);
    }
    fmt::print("\n{:12} {:>8} {:>6} {:>9} {:>8}\n", "fault", "planted", "equal", "different", "unknown");
    for (const auto& [name, one] : tallies)
        fmt::print("{:12} {:8} {:6} {:9} {:8}\n", name, one.all(), one.equal, one.different, one.unknown);
    fmt::print(
        "{} faults: {} different, {} unknown, {} equal (wrong); at most {:.2f} s; of {} edits that change nothing {} are equal\n",
        all.all(), all.different, all.unknown, all.equal, all.longest, neutral, neutral_equal);
    return all.equal > 0 || all.wrong > 0 ? 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    const std::string mode = words.empty() ? "" : words[0];
    if (mode == "transformations") return transformations(words.size() > 1 ? words[1] : "");
    if (mode == "faults" && words.size() > 1) return faults(std::stoul(words[1]), words.size() > 2 ? std::stoul(words[2]) : 1);
    if (mode == "random" && words.size() > 1)
        return random_pairs(std::stoul(words[1]), words.size() > 2 ? std::stoul(words[2]) : 1);
    fmt::print("bench_certificates random COUNT [SEED] | transformations [KERNEL] | faults COUNT [SEED]\n");
    return 2;
}
