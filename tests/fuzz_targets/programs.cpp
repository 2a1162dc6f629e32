// The front end: a module of `@program` functions is a graph that verifies and prints, or an error.
#include "frontend/python/frontend.h"
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sluice;
    const Result<std::vector<frontend::Program>> programs =
        frontend::find_programs({reinterpret_cast<const char*>(data), size}, "f.py");
    if (!programs.ok()) {
        fuzz::demand_told(programs.error());
        return 0;
    }
    for (const frontend::Program& program : *programs) {
        const Result<ir::Sdfg> graph = frontend::build(program);
        if (graph.ok())
            fuzz::demand_whole(*graph);
        else
            fuzz::demand_told(graph.error());
    }
    return 0;
}
