#include "driver/loop_interpreter.h"

#include "library/extern_reference.h"

namespace sluice::driver {

Result<interpret::loops::Report> interpret_module(const loop::Module& module, const interpret::loops::Arguments& arguments,
                                                  interpret::loops::Options options) {
    if (!options.functions) options.functions = library::reference_of_function;
    return interpret::loops::interpret(module, arguments, options);
}

}  // namespace sluice::driver
