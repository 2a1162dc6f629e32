// One program under work: the one way in for the command, the Python module and every other face.
//
// A session holds the program, what was applied to it (which can be undone, recorded and replayed), and how long each step took.
// Questions leave it as it is; of what changes it, whatever fails leaves it as it was. It prints nothing.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "driver/compile.h"
#include "driver/drawing.h"
#include "driver/pipelines/pipeline.h"
#include "driver/transformations.h"
#include "interpret/interpret.h"
#include "interpret/loop/interpret.h"
#include "ir/difference.h"
#include "rewrite/session.h"

namespace sluice::driver {

using InterpreterArguments = interpret::Arguments;
using InterpreterOptions = interpret::Options;
using InterpreterReport = interpret::Report;

using LoopArguments = interpret::loops::Arguments;
using LoopOptions = interpret::loops::Options;
using LoopReport = interpret::loops::Report;

using library::Expanded;
using library::ExpandOptions;

/// A place where the pattern of a transformation occurs.
struct Proposal {
    Application application;
    std::optional<Diagnostic> refusal;  ///< Why it may not be applied there; E007.
    std::string reason = {};            ///< Of a decision: what would be chosen, and why.
};

/// What one step of a pipeline did.
struct Measurement {
    std::string pipeline, step;
    std::size_t applications = 0;
    double milliseconds = 0;
};

class Session {
public:
    explicit Session(ir::Sdfg program, Transformations transformations = {});

    /// Every program of a file, in its order. Errors as of read_programs().
    static Result<std::vector<Session>> read(const std::filesystem::path& file, const Transformations& transformations = {});
    /// The program of that name; without a name the only one. Error C001 as well: there is none, or there are several.
    static Result<Session> read_one(const std::filesystem::path& file, const std::string& name = {},
                                    const Transformations& transformations = {});

    const ir::Sdfg& program() const { return engine_ ? engine_->program() : program_; }
    const Transformations& transformations() const { return transformations_; }

    // ---- what it is ----
    /// Every violated invariant of docs/spec.md; empty: it is valid.
    std::vector<Diagnostic> verify() const;
    /// What another session's program has otherwise, in words.
    std::vector<ir::Difference> differences(const Session& other) const { return ir::differences(program(), other.program()); }

    // ---- what may be applied ----
    /// Every place where the pattern occurs, with the options' texts by name. A name that stands for several transformations has
    /// the places of all that know the options. Failures E001, E002.
    std::vector<Proposal> matches(std::string_view name, const std::map<std::string, std::string>& options = {});

    // ---- what changes the program ----
    /// Errors E001 to E007.
    Result<Done> apply(const Application& application);
    /// Until none of them applies, or `limit` times; how often. The options are passed to each. Errors E001, E002, E008.
    Result<std::size_t> apply_repeated(std::span<const std::string> names, const std::map<std::string, std::string>& options = {},
                                       std::size_t limit = 0);
    /// A whole recipe. On an error nothing is changed; the message names the first line that does not fit.
    Result<Done> replay(std::string_view recipe, const std::string& file = {});
    /// Every step in order, then the verifier; how often something was applied. On an error nothing is changed.
    Result<std::size_t> run(const Pipeline& pipeline);
    Result<std::size_t> simplify();
    /// Every library node, each level an application of ExpandLibraryNode with the name that was chosen; how many. Errors B001 to
    /// B006.
    Result<std::size_t> expand_library_nodes(const ExpandOptions& options = {});
    /// The program before the last application, which is forgotten; false if there was none.
    bool undo();

    // ---- what was done ----
    /// All applications, one line each.
    std::string recipe() const { return engine_ ? engine_->recipe() : std::string(); }
    std::size_t applied() const { return engine_ ? engine_->trace().size() : 0; }
    /// Of every step of every pipeline that was run, in order.
    const std::vector<Measurement>& measurements() const { return measurements_; }

    // ---- what comes out ----
    /// Errors C007, C008, U001 (drawing.h).
    Result<std::string> drawing(PictureForm form) const { return driver::drawing(program(), form); }
    /// The loop nest that carries the program out, as text (docs/loop-text.md). Errors: the verifier's first, L0nn.
    Result<std::string> loops(const CompileOptions& options = {}) const;
    /// The C++ that is compiled. Errors as of loops().
    Result<std::string> source(const CompileOptions& options = {}) const;
    Result<CompiledProgram> compile(const CompileOptions& options = {}) const { return driver::compile(program(), options); }
    /// driver::emit of the program.
    Result<std::string> emit(const std::filesystem::path& folder, const CompileOptions& options = {}) const {
        return driver::emit(program(), folder, options);
    }
    /// By the operational semantics (docs/semantics.md).
    Result<InterpreterReport> interpret(const InterpreterArguments& arguments, const InterpreterOptions& options = {}) const;
    /// The loops that it is lowered to, with arguments in the order of the signature; teams share whatever they may, however small.
    Result<LoopReport> interpret_loops(const LoopArguments& arguments, const LoopOptions& options = {}) const;

    /// Transformations that are passed over, as if they never applied.
    std::set<std::string> disabled = {};
    /// Called after each application with the program before it.
    std::function<void(const Application&, double milliseconds, const ir::Sdfg& before, const ir::Sdfg& after)> on_change = {};

private:
    /// Made when the first question or change comes: a program that is only compiled stays as it was read.
    rewrite::Session& engine();
    std::size_t run_step(const Pipeline& pipeline, const Step& step);

    ir::Sdfg program_;  ///< As it was given.
    Transformations transformations_;
    std::optional<rewrite::Session> engine_;
    std::vector<Measurement> measurements_;
};

}  // namespace sluice::driver
