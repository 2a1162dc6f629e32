#include "driver/for_device.h"

#include "driver/pipelines/pipeline.h"
#include "driver/transformations.h"
#include "library/expand.h"
#include "rewrite/session.h"
#include "target/device.h"
#include "target/fpga.h"

namespace sluice::driver {

Result<ir::Sdfg> for_device(ir::Sdfg sdfg, library::ExpandOptions expansions, const target::Target& target) {
    return capture([&] {
        if (target.fpga ? target::has_fpga_parts(sdfg) : target::has_device_parts(sdfg)) return std::move(sdfg);
        expansions.libraries = expansions.parallel = false;
        expansions.recursive = true;
        if (target.fpga) expansions.preferences.insert(expansions.preferences.begin(), {.names = {"FPGA"}, .origin = "the target"});
        library::expand_library_nodes(sdfg, expansions).or_fail();
        rewrite::Session session(std::move(sdfg), Transformations().registry());
        session.apply_repeated(simplification().transformations).or_fail();
        const std::string name = target.fpga ? "FPGATransformSDFG" : "GPUTransformSDFG";
        const rewrite::Transformation& transformation = session.registry().at(name);
        const auto matches = rewrite::find_matches(session.program(), transformation.descriptor);
        check(!matches.empty(), "a program is no place for ", name);
        const auto refusal = rewrite::can_apply(session.program(), transformation, matches.front()).or_fail();
        // A program without arrays and maps is the host's.
        if (refusal && refusal->code == (target.fpga ? "F1" : "G1")) return ir::Sdfg(session.program());
        if (refusal) fail(rewrite::to_diagnostic(session.program(), transformation.descriptor, matches.front(), *refusal));
        session.apply(name, matches.front()).or_fail();
        return ir::Sdfg(session.program());
    });
}

}  // namespace sluice::driver
