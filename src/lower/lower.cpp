#include "lower/lower.h"

#include "library/expand.h"
#include "loop/passes/pipelines.h"
#include "loop/verify.h"
#include "lower/constants.h"
#include "lower/function.h"
#include "target/carries.h"
#include "target/device.h"
#include "target/fpga.h"

namespace sluice::lower {

namespace {

std::string code_for_cpu(const std::map<std::string, ir::CodeBlock>& code) {
    std::string text;
    for (const auto& [location, block] : code)
        if ((location == "frame" || location == "cpu" || location.empty()) && !block.text.empty()) text += block.text + "\n";
    return text;
}

loop::Module lower_program(const ir::Sdfg& sdfg, const LowerOptions& options) {
    ModuleContext context;
    context.options = options;
    context.module.name = sdfg.name;
    context.module.global_code = code_for_cpu(sdfg.global_code);
    context.module.init_code = code_for_cpu(sdfg.init_code);
    context.module.exit_code = code_for_cpu(sdfg.exit_code);
    const std::string name = context.function_names.fresh(sdfg.name);
    for (const char* taken : {"_init", "_run", "_finalise", "_failure", "_interruption", "_invoke", "_handle"})
        context.function_names.fresh(sdfg.name + taken);
    context.module.program = lower_function(context, sdfg, name, sdfg.name, program_facts(sdfg)).function;
    if (!context.state_fields.empty())
        context.module.global_code +=
            "static struct {\n" + context.state_fields + "} state_fields;\nstatic auto* const __state = &state_fields;\n";
    if (options.target->device) place_constants(context.module);
    if (options.target->fpga)
        for (loop::Function& f : context.module.functions)
            if (f.on_device) loop::pipeline_loops(f.body);
    return std::move(context.module);
}

}  // namespace

Result<loop::Module> lower(const ir::Sdfg& sdfg, const LowerOptions& options) {
    return capture([&] {
        ir::Sdfg expanded = sdfg;
        library::ExpandOptions expansions = options.expansions;
        expansions.parallel = expansions.parallel && options.parallel;
        expansions.recursive = true;
        expansions.libraries = expansions.libraries && options.target->libraries;
        library::expand_library_nodes(expanded, expansions).or_fail();
        if (const auto refused = target::violations(expanded, *options.target); !refused.empty()) fail(refused.front());
        if (options.target->fpga)
            if (const auto refused = target::fpga_violations(expanded, options.target->phrase, options.target->of_kernels);
                !refused.empty())
                fail(refused.front());
        if (target::holds(options.target->maps, ir::Schedule::GPU_Device))
            if (const auto refused = target::device_violations(expanded, options.target->phrase, options.target->of_kernels);
                !refused.empty())
                fail(refused.front());
        loop::Module module = lower_program(expanded, options);
        const std::vector<std::string> violations = loop::verify(module);
        check(violations.empty(), "lowering `", sdfg.name,
              "` broke the loop IR: ", violations.empty() ? std::string() : violations.front());
        return module;
    });
}

}  // namespace sluice::lower
