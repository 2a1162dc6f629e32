// The textual form: what parses is a graph that prints, parses and goes through JSON.
#include "target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace sluice;
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const Result<ir::Sdfg> graph = ir::parse_text(input);
    if (!graph.ok()) {
        fuzz::demand_told(graph.error());
        render(graph.error(), std::string(input));
        return 0;
    }
    fuzz::demand_whole(*graph);
    interchange::to_json(*graph);
    return 0;
}
