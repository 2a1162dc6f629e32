// What the fuzz targets share: an input that breaks a promise ends the process, so that the fuzzer keeps it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "interchange/json.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace sluice::fuzz {

inline void demand(bool kept, std::string_view promise, const std::string& shown = {}) {
    if (kept) return;
    std::fprintf(stderr, "broken promise: %s\n%s\n", std::string(promise).c_str(), shown.c_str());
    std::abort();
}

/// A graph that a loader accepted can be verified, printed and read again as the same graph.
inline void demand_whole(const ir::Sdfg& graph) {
    for (const Diagnostic& violation : ir::verify(graph)) demand(!violation.remedy.empty(), "a violation has a remedy");
    const std::string text = ir::to_text(graph);
    const Result<ir::Sdfg> again = ir::parse_text(text);
    demand(again.ok(), "the textual form of a graph parses", again.ok() ? "" : render(again.error(), text) + text);
    demand(*again == graph, "the textual form of a graph is the graph", text);
}

inline void demand_told(const Diagnostic& error) {
    demand(error.code.size() == 4 && !error.message.empty(), "an error has a code and a message");
}

}  // namespace sluice::fuzz
