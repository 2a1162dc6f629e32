// The second oracle with what the library of operations knows.
#pragma once

#include <string>

#include "interpret/loop/interpret.h"
#include "ir/sdfg.h"

namespace sluice::driver {

/// As interpret::loops::interpret; functions of libraries compute what their references say.
Result<interpret::loops::Report> interpret_module(const loop::Module& module, const interpret::loops::Arguments& arguments,
                                                  interpret::loops::Options options = {});

/// What the loops do that a program is lowered to for a target, its launches and their threads included, with arguments in the
/// order of the signature.
Result<interpret::loops::Report> interpret_for_target(const ir::Sdfg& sdfg, const std::string& target,
                                                      const interpret::loops::Arguments& arguments,
                                                      const interpret::loops::Options& options);

}  // namespace sluice::driver
