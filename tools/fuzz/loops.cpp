#include "fuzz/loops.h"

#include <algorithm>
#include <cstring>

#include "driver/loop_interpreter.h"
#include "loop/text.h"

namespace sluice::fuzz {

namespace {

/// Blocks that hold addresses of others do so while they are here.
class Linked {
public:
    explicit Linked(Memory& memory) : memory_(memory) { set(true); }
    Linked(const Linked&) = delete;
    ~Linked() { set(false); }

private:
    void set(bool linked) {
        for (const Memory::Link& link : memory_.links) {
            std::byte* address = linked ? memory_.blocks[link.to].data() : nullptr;
            std::memcpy(memory_.blocks[link.from].data() + link.offset, &address, sizeof address);
        }
    }
    Memory& memory_;
};

/// By name: a pass may have changed which arguments the graph takes.
interpret::loops::Arguments loop_arguments(const ir::Sdfg& sdfg, Memory& memory) {
    interpret::loops::Arguments arguments;
    const std::vector<driver::Argument>& given = memory.signature.arguments;
    for (const driver::Argument& wanted : driver::signature_of(sdfg).arguments) {
        const auto found = std::ranges::find(given, wanted.name, &driver::Argument::name);
        check(found != given.end(), "nobody gives the argument ", wanted.name);
        Block& block = memory.blocks[static_cast<std::size_t>(found - given.begin())];
        arguments.parameters.push_back({block.data(), block.size()});
    }
    for (std::size_t at = given.size(); at < memory.blocks.size(); ++at)
        arguments.reachable.push_back({memory.blocks[at].data(), memory.blocks[at].size()});
    return arguments;
}

/// The loops of a small graph, as comments under what is wrong with them.
std::string shown(const loop::Module& module) {
    constexpr std::ptrdiff_t kMostLines = 60;
    std::string text = loop::to_text(module);
    return std::ranges::count(text, '\n') > kMostLines ? std::string() : "\n" + text;
}

}  // namespace

LoopOutcome check_loops(const Interpreted& interpreted, const Configuration& configuration, std::uint64_t seed, bool detect) {
    using Kind = Finding::Kind;
    LoopOutcome outcome;
    const auto found = [&](Kind kind, std::string detail, std::string message, std::uint64_t order) {
        outcome.finding = Finding{kind, std::move(detail), std::move(message), "loops in order " + std::to_string(order)};
        return outcome;
    };
    try {
        const Result<loop::Module> module = lowered(interpreted.sdfg, configuration);
        if (!module) {
            if (lacks({Outcome::Kind::Refused, module.error().code, {}, {}}, configuration)) return outcome;
            return found(Kind::Refused, module.error().code, render(module.error()), 0);
        }
        for (const std::uint64_t order : {std::uint64_t{0}, seed}) {
            Memory memory = interpreted.before;
            interpret::loops::Options options;
            options.seed = order;
            options.threads = 1 + static_cast<std::int64_t>((seed + order) % 4);
            options.detect_races = options.detect_uninitialised = detect;
            options.step_limit = 20000000;
            Result<interpret::loops::Report> report = [&] {
                const Linked linked(memory);
                return driver::interpret_module(*module, loop_arguments(interpreted.sdfg, memory), options);
            }();
            if (!report && report.error().code == "I007") return outcome;
            if (!report) return found(Kind::Loops, report.error().code, render(report.error()) + shown(*module), order);
            if (!report->findings.empty())
                return found(Kind::Loops, report->findings.front().code, render(report->findings.front()) + shown(*module), order);
            const Allowance allowance{.zeros = configuration.parallel || interpreted.reordered};
            if (const auto difference = first_difference(interpreted.expected, memory, allowance))
                return found(Kind::Loops, difference->argument, to_string(*difference) + shown(*module), order);
        }
        outcome.ran = true;
        return outcome;
    } catch (const InternalError& bug) {
        return found(Kind::Internal, "loops", bug.what(), 0);
    }
}

}  // namespace sluice::fuzz
