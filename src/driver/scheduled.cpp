#include "driver/scheduled.h"

#include "driver/session.h"

namespace sluice::driver {

Result<ir::Sdfg> scheduled(const schedule::Function& function, const std::vector<schedule::Computation>& outputs) {
    Result<ir::Sdfg> graph = function.build(outputs);
    if (!graph.ok() || !function.on_device()) return graph;
    Session session(*std::move(graph));
    if (const auto done = session.simplify(); !done.ok()) return done.error();
    return session.program();
}

}  // namespace sluice::driver
