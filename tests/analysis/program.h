// Programs in Python for the tests of this room.
#pragma once

#include <string>

#include "frontend/python/frontend.h"

namespace sluice::analysis {

/// The graph of `def f(parameters): body` over symbols N and M; the body is indented by four spaces.
inline ir::Sdfg program(const std::string& parameters, const std::string& body) {
    const std::string source =
        "import numpy as np\nimport sluice\nfrom sluice import float64, int64\nN = sluice.symbol('N')\nM = sluice.symbol('M')\n\n"
        "@sluice.program\ndef f(" +
        parameters + "):\n" + body;
    return frontend::build(frontend::find_programs(source, "f.py").value().front()).value();
}

/// The first loop of a program, an invalid id if it has none.
inline ir::BlockId first_loop(const ir::Sdfg& sdfg) {
    for (auto [id, block] : sdfg.body.blocks)
        if (std::holds_alternative<ir::LoopRegion>(block.kind)) return id;
    return {};
}

}  // namespace sluice::analysis
