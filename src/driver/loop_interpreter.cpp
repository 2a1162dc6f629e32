#include "driver/loop_interpreter.h"

#include "driver/print_program.h"
#include "ir/verify.h"
#include "library/extern_reference.h"

namespace sluice::driver {

Result<interpret::loops::Report> interpret_module(const loop::Module& module, const interpret::loops::Arguments& arguments,
                                                  interpret::loops::Options options) {
    if (!options.functions) options.functions = library::reference_of_function;
    return interpret::loops::interpret(module, arguments, options);
}

Result<interpret::loops::Report> interpret_for_target(const ir::Sdfg& sdfg, const std::string& target,
                                                      const interpret::loops::Arguments& arguments,
                                                      const interpret::loops::Options& options) {
    return capture([&] {
        if (const std::vector<Diagnostic> violations = ir::verify(sdfg); !violations.empty()) fail(violations.front());
        CompileOptions compile;
        compile.target = target;
        return interpret_module(lowered(sdfg, compile), arguments, options).or_fail();
    });
}

}  // namespace sluice::driver
