#include "interpret/interpret.h"

#include "interpret/machine.h"
#include "interpret/numbers.h"

namespace sluice::interpret {

Result<Report> interpret(const ir::Sdfg& sdfg, const Arguments& arguments, const Options& options) {
    return capture([&] {
        converted_beyond_range = false;
        const std::shared_ptr<SdfgPlan> plan = make_plan(sdfg, options);
        Report report;
        Machine machine(options, report);
        machine.call(*plan, arguments);
        report.beyond_range = converted_beyond_range;
        return report;
    });
}

}  // namespace sluice::interpret
