#include "interpret/interpret.h"

#include "interpret/machine.h"

namespace sluice::interpret {

Result<Report> interpret(const ir::Sdfg& sdfg, const Arguments& arguments, const Options& options) {
    return capture([&] {
        const std::shared_ptr<SdfgPlan> plan = make_plan(sdfg, options);
        Report report;
        Machine machine(options, report);
        machine.call(*plan, arguments);
        return report;
    });
}

}  // namespace sluice::interpret
