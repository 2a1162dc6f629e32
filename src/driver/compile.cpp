#include "driver/compile.h"

#include <chrono>

#include "codegen/c_like/exported.h"
#include "driver/cache.h"
#include "driver/decisions.h"
#include "driver/expansion_settings.h"
#include "driver/for_device.h"
#include "driver/print_program.h"
#include "driver/profile/recorder.h"
#include "driver/settings.h"
#include "driver/targets/shared_library.h"
#include "driver/targets/target.h"
#include "driver/verify_operation.h"
#include "driver/warnings.h"
#include "ir/builder.h"
#include "ir/messages.h"
#include "ir/verify.h"
#include "loop/passes/checks.h"
#include "loop/passes/layouts.h"
#include "loop/passes/queues.h"
#include "loop/passes/rare.h"
#include "loop/verify.h"
#include "lower/lower.h"
#include "support/activity.h"
#include "support/formatted_number.h"
#include "support/words.h"
#include "target/target.h"
#include "transform/decision/decision.h"
#include "transform/device/host_parts.h"
#include "transform/distribute/ranks.h"

namespace sluice::driver {

namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;

/// Runs a stage and adds its seconds.
template <class Stage> auto timed(double& seconds, Stage&& stage) {
    const auto start = Clock::now();
    auto result = stage();
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
    return result;
}

const char* status_sentence(int status) {
    switch (status) {
        case 1:
            return "ran out of memory";
        case 2:
            return "was called with a bad argument";
        case 3:
            return "waits for a stream element that cannot come";
        case 4:
            return "was ended by an exception in user code";
        case 5:
            return "failed on its device";
        case 6:
            return "failed among its ranks";
        case 7:
            return "was interrupted";
        default:
            return "failed";
    }
}

const char* status_remedy(int status) {
    switch (status) {
        case 1:
            return "use smaller sizes, or fewer and smaller transients";
        case 3:
            return "push every element that is popped, and give bounded streams room for what waits";
        case 4:
            return "look at the C++ tasklets of the program";
        case 6:
            return "let every rank come to the same messages and collectives, with sizes and ranks that fit";
        case 5:
            return "`sluice doctor` names the device; choose smaller sizes or blocks, or another target";
        case 7:
            return "what it has written until then stays; run it again from inputs that are whole";
        default:
            return "check the arguments";
    }
}

/// What a check of the program says that does not hold.
std::optional<Diagnostic> failed_check(const codegen::Artifact& artifact, int status, const std::string& sentence) {
    static constexpr int kFirstCheck = 16;  // runtime/abi.h
    const auto number = static_cast<std::size_t>(status - kFirstCheck);
    if (status < kFirstCheck || number >= artifact.checks.size()) return std::nullopt;
    const codegen::Check& check = artifact.checks[number];
    static const std::map<std::string, std::pair<std::string, std::string>> kErrors{
        {"LinAlgError", {"A013", "pass a matrix for which it holds"}},
        {"IndexError", {"A011", "use an index between -size and size - 1"}},
        {"UnboundLocalError", {"A012", "give the variable a value on every path that leads here"}}};
    if (check.error == "raised")
        return Diagnostic{"A014",
                          with_numbers_written(check.filled ? sentence : check.message),
                          check.where,
                          {},
                          "the program raises it at this line",
                          {}};
    if (check.error == "ahead")
        return Diagnostic{"A017", check.filled ? sentence : check.message, check.where,
                          {},     "pass values for which the check holds", {}};
    const auto error = kErrors.find(check.error);
    const auto& [code, remedy] = error == kErrors.end()
                                     ? std::pair<std::string, std::string>{"A009", "pass values for which the check holds"}
                                     : error->second;
    return Diagnostic{code, check.filled ? sentence : check.message, check.where, {}, remedy, {}};
}

/// `n = 5, m = 7`: the integers among the arguments that a sentence of the library speaks of.
std::string values_in(const std::string& sentence, const Signature& signature, std::span<void* const> arguments) {
    std::string text;
    for (std::size_t at = 0; at < arguments.size(); ++at) {
        const Argument& argument = signature.arguments[at];
        if (argument.kind != Argument::Kind::Symbol || !mentions_word(sentence, argument.name)) continue;
        const auto value = *static_cast<const std::int64_t*>(arguments[at]);
        text += (text.empty() ? "" : ", ") + argument.name + " = " + std::to_string(value);
    }
    return text;
}

/// `sentence`: what the library says of it, of memory that it did not get.
Diagnostic run_failure(const Signature& signature, int status, const std::string& sentence, std::span<void* const> arguments) {
    std::string message = "`" + signature.program + "` " + status_sentence(status);
    if (!sentence.empty()) message += ": " + sentence;
    if (const std::string values = values_in(sentence, signature, arguments); !values.empty()) message += ", with " + values;
    if (sentence.empty()) message += " (status " + std::to_string(status) + ")";
    const bool negative = status == 2 && !sentence.empty();
    return {negative      ? "A003"
            : status == 1 ? "D015"
            : status == 5 ? "D025"
            : status == 6 ? "D031"
            : status == 7 ? "A015"
                          : "D010",
            std::move(message),
            {},
            {},
            negative ? "choose larger sizes" : status_remedy(status),
            {}};
}

}  // namespace

struct CompiledProgram::Impl {
    using Init = int (*)(void**, void* const*);
    using Invoke = int (*)(void*, void* const*);
    using Finalise = int (*)(void*);
    using Sentence = const char* (*)();
    using Interruption = volatile int* (*)();
    using CountTraffic = void (*)(std::int64_t*);
    using AskWorld = int (*)(std::int64_t*);

    Signature signature;
    ShapeSolver solver;
    std::string target;
    World world;
    CompileTimes times;
    codegen::Artifact artifact;
    std::vector<Prediction> predictions;
    std::vector<PartOnHost> on_host;
    std::vector<std::string> warnings;
    fs::path library;
    std::unique_ptr<PrivateFolder> folder;  // without a cache; outlives the library
    std::unique_ptr<SharedLibrary> loaded;
    Init init = nullptr;
    Invoke invoke = nullptr;
    Finalise end = nullptr;
    Sentence sentence = nullptr;
    Interruption interruption = nullptr;   ///< Of programs that look whether they are asked to end.
    CountTraffic count_traffic = nullptr;  ///< Of programs for a device.
    std::unique_ptr<Recorder> recorder;    ///< Of instrumented programs.
    void* handle = nullptr;
    std::vector<std::int64_t> initialised_sizes;

    Impl(const ir::Sdfg& sdfg, std::string target) : signature(signature_of(sdfg)), solver(signature), target(std::move(target)) {}
    ~Impl() { finalise(); }

    void finalise() {
        if (handle) end(handle);
        handle = nullptr;
    }
    bool sizes_changed(std::span<void* const> arguments) const {
        if (!artifact.sizes_matter) return false;
        for (std::size_t i = 0; i < artifact.size_parameters.size(); ++i)
            if (*static_cast<const std::int64_t*>(arguments[artifact.size_parameters[i]]) != initialised_sizes[i]) return true;
        return false;
    }
    int initialise(std::span<void* const> arguments) {
        finalise();
        initialised_sizes.clear();
        for (const std::size_t i : artifact.size_parameters)
            initialised_sizes.push_back(*static_cast<const std::int64_t*>(arguments[i]));
        return init(&handle, arguments.data());
    }
    void learn_world(AskWorld ask) {
        std::int64_t numbers[2] = {};
        if (const int status = ask(numbers)) fail(run_failure(signature, status, sentence(), {}));
        world = {numbers[0], numbers[1]};
        solver.know(ir::kRankPlace, world.rank + 1);
        solver.know(ir::kRanks, world.ranks);
    }
    /// The library in the cache, or in a folder of its own.
    void build(const Printed& printed, const CompileOptions& options);
    void load(const std::string& name) {
        tools_of(target).before_loading();
        loaded = std::make_unique<SharedLibrary>(library);
        const auto exported = [&](const char* suffix) { return loaded->symbol(codegen::exported_name(name, suffix)); };
        init = reinterpret_cast<Init>(exported("_init_invoke"));
        invoke = reinterpret_cast<Invoke>(exported("_invoke"));
        end = reinterpret_cast<Finalise>(exported("_finalise"));
        sentence = reinterpret_cast<Sentence>(exported("_failure"));
        if (artifact.looks) interruption = reinterpret_cast<Interruption>(exported("_interruption"));
        if (artifact.is_timed)
            recorder = std::make_unique<Recorder>(
                predictions, artifact.is_counted,
                Recorder::Library{exported("_profile"), artifact.is_counted ? exported("_counts") : nullptr,
                                  artifact.is_counted ? exported("_count_with") : nullptr});
        if (tools_of(target).has_ranks) learn_world(reinterpret_cast<AskWorld>(exported("_world")));
        if (tools_of(target).target->device) count_traffic = reinterpret_cast<CountTraffic>(exported("_traffic"));
    }
};

const Signature& CompiledProgram::signature() const {
    return impl_->signature;
}
const ShapeSolver& CompiledProgram::shape_solver() const {
    return impl_->solver;
}
const CompileTimes& CompiledProgram::times() const {
    return impl_->times;
}
const std::string& CompiledProgram::source() const {
    return impl_->artifact.host();
}
const fs::path& CompiledProgram::library() const {
    return impl_->library;
}

const World& CompiledProgram::world() const {
    return impl_->world;
}

const std::vector<PartOnHost>& CompiledProgram::on_host() const {
    return impl_->on_host;
}

const std::vector<std::string>& CompiledProgram::warnings() const {
    return impl_->warnings;
}

std::optional<Traffic> CompiledProgram::traffic() const {
    if (!impl_->count_traffic) return std::nullopt;
    std::int64_t counts[7] = {};
    impl_->count_traffic(counts);
    return Traffic{counts[0], counts[1], counts[2], counts[3], counts[4], counts[5], counts[6]};
}

Result<Done> CompiledProgram::run(std::span<void* const> arguments) {
    Impl& impl = *impl_;
    check(arguments.size() == impl.signature.arguments.size(), "a call of ", impl.signature.program, " with ", arguments.size(),
          " arguments instead of ", impl.signature.arguments.size());
    if (!impl.handle || impl.sizes_changed(arguments)) {
        const int status = impl.initialise(arguments);
        if (status != 0) return run_failure(impl.signature, status, impl.sentence(), arguments);
    }
    if (impl.recorder) impl.recorder->begin();
    const int status = impl.invoke(impl.handle, arguments.data());
    if (impl.recorder) impl.recorder->end(impl.signature, arguments);
    if (const auto check = failed_check(impl.artifact, status, impl.sentence())) return *check;
    if (status != 0) return run_failure(impl.signature, status, impl.sentence(), arguments);
    return Done{};
}

Result<Report> CompiledProgram::report() const {
    if (!impl_->recorder || impl_->recorder->report().runs == 0)
        return Diagnostic{"D040",
                          "`" + impl_->signature.program + "` has measured nothing: " +
                              (impl_->recorder ? "it has not run" : "none of its parts is instrumented"),
                          {},
                          {},
                          impl_->recorder ? "run it first" : "instrument it before it is compiled (docs/instrumentation.md)",
                          {}};
    Report report = impl_->recorder->report();
    report.program = impl_->signature.program;
    return report;
}

volatile int* CompiledProgram::interruption() const {
    return impl_->interruption ? impl_->interruption() : nullptr;
}

void CompiledProgram::finalise() {
    impl_->finalise();
}

namespace {

/// Maps that ranks share are shares and messages, where the target sends any.
ir::Sdfg for_ranks(const ir::Sdfg& sdfg, const target::Target& target) {
    return target.messages ? transform::on_ranks(sdfg) : sdfg;
}

/// `kernels/query.py:12`, or nothing.
std::string place_of(const Span& where) {
    return where.known() && where.file ? *where.file + ":" + std::to_string(where.line) : std::string();
}

}  // namespace

loop::Module lowered(const ir::Sdfg& sdfg, const CompileOptions& options, Decided* findings) {
    const target::Target& target = *tools_of(target_for(sdfg, options.target)).target;
    library::ExpandOptions expansions = with_settings(options.expansions);
    expansions.libraries = target.libraries;
    lower::LowerOptions lowering;
    lowering.target = &target;
    lowering.parallel = options.parallel && target.threads;
    lowering.expansions = expansions;
    lowering.expansions.only_asked = !options.decide;
    analysis::Machine machine = target_machine().or_fail();
    if (!lowering.parallel) machine.threads = 1;
    ir::Sdfg decided = target.device ? for_device(sdfg, expansions, target).or_fail() : for_ranks(sdfg, target);
    if (options.decide)
        decided = with_decisions(std::move(decided), machine, expansions).or_fail();
    else
        transform::take_back_wrong_decisions(decided);
    if (findings && findings->measured) findings->predictions = predictions(decided);
    if (findings && target.device && !target.fpga)
        for (const transform::KeptPart& part : transform::kept_parts(decided))
            findings->on_host.push_back({part.what, place_of(part.where), part.reason});
    loop::Module module = lower::lower(decided, lowering).or_fail();
    if (options.decide && !target.device) {
        loop::compare_indices_in_blocks(module);
        loop::look_ahead_for_rare_branches(module);
    }
    const bool queues = target::holds(target.maps, ir::Schedule::GPU_Device) && !target.fpga;
    if (queues && setting("device_queues").text == "1") loop::overlap_on_device(module);
    const std::vector<std::string> broken = loop::verify(module);
    check(broken.empty(), "lowering made an invalid loop nest: ", broken.empty() ? std::string() : broken.front());
    return module;
}

Printed print_program(const ir::Sdfg& sdfg, const CompileOptions& options, CompileTimes& times) {
    const std::vector<Diagnostic> violations = timed(times.verify, [&] { return ir::verify(sdfg); });
    if (!violations.empty()) fail(violations.front());
    verify_new_operations(sdfg, options);
    const TargetTools& tools = tools_of(target_for(sdfg, options.target));
    Decided decided{.measured = is_instrumented(sdfg)};
    const loop::Module module = timed(times.lower, [&] { return lowered(sdfg, options, &decided); });
    Printed printed{timed(times.print, [&] { return tools.print(module); }), module.name, tools.toolchain().or_fail(),
                    std::move(decided.predictions), std::move(decided.on_host)};
    for (const Diagnostic& one : loop::changing_layouts(module)) printed.warnings.push_back(warning_text(one));
    for (const std::string& flag : options.extra_flags) printed.toolchain.flags.push_back(flag);
    return printed;
}

void CompiledProgram::Impl::build(const Printed& printed, const CompileOptions& options) {
    if (options.use_cache) {
        const fs::path cache = options.cache.empty() ? default_cache() : options.cache;
        const CachedLibrary found = cached_library(cache, artifact, printed.name, printed.toolchain).or_fail();
        library = found.library;
        times.cached = found.hit;
        return;
    }
    folder = std::make_unique<PrivateFolder>(temporary_folder() / "sluice", "D004");
    write_runtime(folder->path(), "D004");
    library = compile_in(folder->path(), folder->path(), artifact, printed.name, printed.toolchain, "D004");
}

Result<CompiledProgram> compile(const ir::Sdfg& given, const CompileOptions& options) {
    return capture([&] {
        const Activity activity("compiling " + given.name);
        const ir::Sdfg sdfg = for_ranks(given, *tools_of(target_for(given, options.target)).target);  // Its symbols are arguments.
        auto impl = std::make_shared<CompiledProgram::Impl>(sdfg, target_for(sdfg, options.target));
        Printed printed = print_program(sdfg, options, impl->times);
        impl->artifact = std::move(printed.artifact);
        impl->predictions = std::move(printed.predictions);
        impl->on_host = std::move(printed.on_host);
        impl->warnings = std::move(printed.warnings);
        for (bool again = true; again;) {
            timed(impl->times.compiler, [&] {
                impl->build(printed, options);
                return Done{};
            });
            const Result<Done> loaded = timed(impl->times.load, [&] {
                return capture([&] {
                    impl->load(printed.name);
                    return Done{};
                });
            });
            // Another process may have trimmed the cache since the library was found there.
            again = !loaded.ok() && options.use_cache && !fs::exists(impl->library);
            if (!again && !loaded.ok()) fail(loaded.error());
        }
        CompiledProgram program;
        program.impl_ = std::move(impl);
        return program;
    });
}

Result<World> world() {
    return capture([] {
        ir::Sdfg nothing;
        nothing.name = "ranks";
        ir::add_state(nothing, "nothing");
        CompileOptions options;
        options.target = target::named("mpi").name;
        static const CompiledProgram asked = compile(nothing, options).or_fail();
        return asked.world();
    });
}

}  // namespace sluice::driver
