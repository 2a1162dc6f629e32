#include "driver/verify_operation.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>

#include <fmt/format.h>

#include "driver/element_bytes.h"
#include "driver/expansion_settings.h"
#include "driver/operation_samples.h"
#include "driver/operations.h"
#include "driver/settings.h"
#include "interpret/interpret.h"
#include "ir/messages.h"
#include "ir/verify.h"
#include "ir/walk.h"
#include "library/expand.h"
#include "library/reference.h"
#include "library/registry.h"
#include "target/carries.h"
#include "target/target.h"

namespace sluice::driver {

namespace {

using Memory = std::map<std::string, std::vector<std::byte>>;

/// Samples are drawn so often again for an expansion that none suits.
constexpr std::uint64_t kMoreRounds = 8;

/// What the interpreter makes of the program's memory: by references as it is, by loops where it is expanded.
Memory interpreted_memory(const SampleProgram& program, const ir::Sdfg& sdfg) {
    Memory memory = program.memory;
    interpret::Arguments arguments;
    for (auto& [name, bytes] : memory) arguments.memory.emplace(name, bytes.data());
    for (const auto& [name, value] : program.symbols) arguments.symbols.emplace(name, value);
    interpret::Options options;
    options.detect_conflicts = options.detect_uninitialised = false;
    options.library = library::meaning_of;
    interpret::interpret(sdfg, arguments, options).or_fail();
    return memory;
}

Memory compiled_memory(const SampleProgram& program, const ir::Sdfg& expanded, const CompileOptions& options) {
    Memory memory = program.memory;
    std::map<std::string, std::int64_t> symbols = program.symbols;
    CompiledProgram compiled = compile(expanded, options).or_fail();
    std::vector<void*> arguments;
    for (const Argument& argument : compiled.signature().arguments)
        arguments.push_back(argument.kind == Argument::Kind::Symbol ? static_cast<void*>(&symbols.at(argument.name))
                                                                    : memory.at(argument.name).data());
    compiled.run(arguments).or_fail();
    return memory;
}

library::ExpandOptions expansion_options(const library::Expansion& expansion, const CompileOptions& options) {
    library::ExpandOptions wished = options.expansions;
    wished.implementation = expansion.name;
    return wished;
}

/// Why the expansion does not serve this node; empty where it does.
std::string why_passed_over(const SampleProgram& program, const SampleProgram::Node& node, const library::Expansion& expansion,
                            const CompileOptions& options) {
    const ir::State& state = *ir::as_state(program.sdfg.body.blocks[node.state]);
    const library::NodeContext context = library::context_of(program.sdfg, state, node.node, program.sdfg.name, false);
    return library::why_not(context, expansion, expansion_options(expansion, options));
}

/// How far results may lie apart that were computed in another order.
double tolerance(code::Scalar type) {
    switch (type) {
        case code::Scalar::Float32:
        case code::Scalar::Complex64:
            return 1e-4;
        case code::Scalar::Float64:
        case code::Scalar::Complex128:
            return 1e-11;
        default:
            return 0;
    }
}

std::string number_text(const ir::Number& number) {
    if (number.integral) return std::to_string(number.integer);
    if (number.real.imag() == 0) return fmt::format("{}", number.real.real());
    return fmt::format("{}{:+}j", number.real.real(), number.real.imag());
}

/// The first element that differs; empty if none does.
std::string first_difference(const library::Operation& operation, const SampleProgram& program, const SampleProgram::Node& node,
                             const Memory& expected, const Memory& got) {
    for (const std::string& name : node.containers) {
        const std::string connector = name.substr(name.find('_'));
        const bool up_to_phase = std::ranges::count(operation.up_to_phase, connector) > 0;
        const code::Scalar type = program.sdfg.containers.at(name).dtype.scalar;
        const std::size_t element = code::size_in_bytes(type), count = expected.at(name).size() / element;
        double largest = 1;
        for (std::size_t at = 0; at < count; ++at) {
            const double size = std::abs(load_number(type, expected.at(name).data() + at * element).complex());
            if (std::isfinite(size)) largest = std::max(largest, size);
        }
        for (std::size_t at = 0; at < count; ++at) {
            const ir::Number wanted = load_number(type, expected.at(name).data() + at * element),
                             found = load_number(type, got.at(name).data() + at * element);
            std::complex<double> a = wanted.complex(), b = found.complex();
            if (up_to_phase) a = std::abs(a), b = std::abs(b);
            const bool both_nan = (a != a) && (b != b);
            if (both_nan || a == b || std::abs(a - b) <= tolerance(type) * largest) continue;
            return fmt::format("{}: element {} of the memory at {} is {}, the reference says {}", node.text, at, connector,
                               number_text(found), number_text(wanted));
        }
    }
    return {};
}

OperationCheck check_expansion(const library::Operation& operation, const library::Expansion& expansion,
                               const std::vector<OperationSample>& all, const CompileOptions& options) {
    OperationCheck result{.expansion = expansion.name, .samples = 0, .passed_over = {}, .differences = {}};
    const SampleProgram everything = sample_program(operation, all);
    std::vector<OperationSample> suited;
    for (std::size_t at = 0; at < all.size(); ++at) {
        const std::string why = why_passed_over(everything, everything.nodes[at], expansion, options);
        if (why.empty())
            suited.push_back(all[at]);
        else if (std::ranges::find(result.passed_over, why) == result.passed_over.end())
            result.passed_over.push_back(why);
    }
    result.samples = suited.size();
    if (suited.empty()) return result;
    const SampleProgram program = sample_program(operation, suited);
    ir::Sdfg expanded = program.sdfg;
    for (const SampleProgram::Node& node : program.nodes) {
        ir::State& state = std::get<Cow<ir::State>>(expanded.body.blocks[node.state].kind).edit();
        const library::NodeContext context = library::context_of(expanded, state, node.node, expanded.name, false);
        library::NodeDraft draft(expanded, state, node.node, context.operation, context.path, context.around);
        library::expand_node(draft, expansion_options(expansion, options));
    }
    // What is for another target than this one is interpreted.
    const bool carried = target::violations(expanded, target::named(options.target)).empty();
    const Memory expected = interpreted_memory(program, program.sdfg),
                 got = carried ? compiled_memory(program, expanded, options) : interpreted_memory(program, expanded);
    for (const SampleProgram::Node& node : program.nodes)
        if (std::string difference = first_difference(operation, program, node, expected, got); !difference.empty())
            result.differences.push_back(std::move(difference));
    return result;
}

[[noreturn]] void refuse_operation(const std::string& code, const std::string& message, const std::string& remedy) {
    fail({.code = code, .message = message, .where = {}, .path = {}, .remedy = remedy, .notes = {}});
}

void collect_operations(const ir::Sdfg& sdfg, std::set<const library::Operation*>& found) {
    ir::for_each_sdfg(sdfg, [&](const ir::Sdfg& each) {
        ir::for_each_state(each.body, [&](const ir::State& state) {
            for (const auto& [id, node] : state.nodes) {
                const auto* library = std::get_if<ir::LibraryNode>(&node.kind);
                if (const library::Operation* operation = library ? library::operations().find(*library) : nullptr)
                    found.insert(operation);
            }
        });
    });
}

}  // namespace

bool OperationReport::ok() const {
    return std::ranges::all_of(checks, [](const OperationCheck& check) { return check.differences.empty(); });
}

Result<OperationReport> verify_operation(const library::Operation& operation, const CompileOptions& options, std::uint64_t seed) {
    return capture([&] {
        // What ranks do together has no meaning in one process.
        const bool among_ranks = operation.name.starts_with(ir::kMessagePrefix);
        if (operation.builtin && (operation.expansions.empty() || among_ranks))
            return OperationReport{.operation = operation.name, .checks = {}};
        if (operation.forms.empty() || (!operation.reference && operation.name != "Reduce"))
            refuse_operation("B007",
                             "the operation " + operation.name + " has no form or no reference by which it could be checked",
                             "give its contract both");
        CompileOptions compiling = options;
        compiling.verify_operations = false;
        compiling.expansions = {.target = options.expansions.target, .missing = with_settings(options.expansions).missing};
        OperationReport report{.operation = operation.name, .checks = {}};
        const std::vector<OperationSample> samples = samples_of(operation, seed);
        for (const library::Expansion& expansion : operation.expansions) {
            if (expansion.target != compiling.expansions.target) continue;
            OperationCheck check = check_expansion(operation, expansion, samples, compiling);
            for (std::uint64_t more = 1; check.samples == 0 && more <= kMoreRounds; ++more)
                check = check_expansion(operation, expansion, samples_of(operation, seed + more), compiling);
            report.checks.push_back(std::move(check));
        }
        return report;
    });
}

Result<OperationReport> verify_operation(const std::string& name, const CompileOptions& options, std::uint64_t seed) {
    return capture(
        [&] { return verify_operation(*library::operations().find(describe_operation(name).name), options, seed).or_fail(); });
}

void verify_new_operations(const ir::Sdfg& sdfg, const CompileOptions& options) {
    static std::mutex mutex;
    static std::set<const library::Operation*> verified;
    if (!options.verify_operations || setting("verify_operations").text == "0") return;
    std::set<const library::Operation*> used;
    collect_operations(sdfg, used);
    for (const library::Operation* operation : used) {
        {
            const std::lock_guard lock(mutex);
            if (operation->builtin || !operation->reference || verified.contains(operation)) continue;
        }
        const OperationReport report = verify_operation(*operation, options).or_fail();
        for (const OperationCheck& check : report.checks)
            if (!check.differences.empty())
                refuse_operation("B008",
                                 fmt::format("the expansion {} of {} is not what the operation's reference says: {}",
                                             check.expansion, operation->name, check.differences[0]),
                                 "correct the expansion or the reference; `sluice verify-operation` shows all differences");
        const std::lock_guard lock(mutex);
        verified.insert(operation);
    }
}

}  // namespace sluice::driver
