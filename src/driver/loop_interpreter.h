// The second oracle with what the library of operations knows.
#pragma once

#include "interpret/loop/interpret.h"

namespace sluice::driver {

/// As interpret::loops::interpret; functions of libraries compute what their references say.
Result<interpret::loops::Report> interpret_module(const loop::Module& module, const interpret::loops::Arguments& arguments,
                                                  interpret::loops::Options options = {});

}  // namespace sluice::driver
