// The `.sdfg` loader, plain and gzipped: what loads is a graph that prints, and whose JSON loads as the same graph.
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sluice;
    const Result<ir::Sdfg> graph = interchange::from_json({reinterpret_cast<const char*>(data), size});
    if (!graph.ok()) {
        fuzz::demand_told(graph.error());
        return 0;
    }
    fuzz::demand_whole(*graph);
    const std::string json = interchange::to_json(*graph);
    const Result<ir::Sdfg> again = interchange::from_json(json);
    fuzz::demand(again.ok(), "the JSON of a graph loads", again.ok() ? "" : render(again.error()) + json);
    fuzz::demand(interchange::to_json(*again) == json, "JSON is stable after one normalisation", json);
    return 0;
}
