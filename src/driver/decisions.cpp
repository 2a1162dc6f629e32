#include "driver/decisions.h"

#include <fstream>
#include <sstream>

#include "driver/settings.h"
#include "library/expand.h"
#include "transform/decision/decision.h"

namespace sluice::driver {

Result<ir::Sdfg> with_decisions(ir::Sdfg sdfg, const analysis::Machine& machine, library::ExpandOptions expansions) {
    return capture([&] {
        // Libraries have threads of their own: not in a program of one thread.
        expansions.parallel = expansions.parallel && machine.threads > 1;
        expansions.recursive = true;
        library::expand_library_nodes(sdfg, expansions).or_fail();
        transform::decide(sdfg, machine);
        return std::move(sdfg);
    });
}

Result<analysis::Machine> target_machine() {
    return capture([] {
        const SettingValue path = setting("machine");
        if (path.text.empty()) return analysis::Machine();
        std::ifstream file(path.text);
        std::ostringstream text;
        if (!file || !(text << file.rdbuf()))
            fail({"D003",
                  "cannot read the machine description `" + path.text + "` (" + path.origin + ")",
                  {},
                  {},
                  "name a file with lines as in docs/decisions.md, or leave the setting `machine` empty",
                  {}});
        return analysis::parse_machine(text.str()).or_fail();
    });
}

}  // namespace sluice::driver
