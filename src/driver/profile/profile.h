// What an instrumented program was measured to do, beside what its graph says that it does.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/measure_machine.h"
#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::driver {

/// The kinds of parts that may be instrumented.
enum class Part : std::uint8_t { Program, State, Map, Tasklet };
inline constexpr std::array<std::string_view, 4> kPartNames{"program", "state", "map", "tasklet"};

/// Gives all parts of these kinds the instrumentation, in nested graphs too (`Program`: the outermost graph alone; `Map`: consume
/// scopes too), where `filter`, a label with `*` for any text, fits their label. How many have it now.
std::size_t instrument(ir::Sdfg& sdfg, ir::Instrumentation how, const std::set<Part>& parts, const std::string& filter = "*");

/// Is any part of it measured?
bool is_instrumented(const ir::Sdfg& sdfg);

/// What the graph says about one execution of an instrumented part, in symbols that have one value during a run. Missing: it has
/// parts whose work nobody knows, or the number changes from execution to execution.
struct Prediction {
    std::string part;                          ///< As lowering names it in the library's profile: `gemm/main/n3`.
    std::string label;                         ///< `map gemm`
    Span where;                                ///< In the user's source.
    std::optional<symbolic::Expr> operations;  ///< An elementary function counts as one.
    std::optional<symbolic::Expr> bytes;       ///< Of a map: distinct ones that it touches; of others: each access counted.
};
/// Of all instrumented parts of a graph whose decisions are taken.
std::vector<Prediction> predictions(const ir::Sdfg& sdfg);

/// One part, over all runs.
struct Measured {
    std::string part, label;  ///< Of Prediction.
    Span where;
    std::int64_t executions = 0;
    double seconds = 0;                ///< Summed over threads where the part stands in a team.
    std::vector<std::int64_t> counts;  ///< Of Report::counters.
    std::optional<double> operations, bytes;
};
struct Report {
    std::string program;
    std::int64_t runs = 0;
    std::vector<std::string> counters;  ///< Empty: times alone were taken.
    std::vector<Measured> parts;        ///< Those that were executed, outer parts before what they hold.
    std::optional<Roof> roof;
};

/// For people: a line for each part.
std::string to_table(const Report& report);
std::string to_json(const Report& report);
/// A roofline: operations a second over operations a byte, in logarithms, under the roof of the machine; of the parts whose
/// operations and bytes are known. A report without a roof has no line for it.
std::string to_svg(const Report& report);
/// The picture above the table, in one file.
std::string to_html(const Report& report);
/// By the end of a file's name: .txt, .json, .svg or .html, the last two under the roof that measure_roof() finds. Errors C025:
/// another ending; as of measure_roof().
Result<std::string> report_text(Report report, const std::string& file);

}  // namespace sluice::driver
