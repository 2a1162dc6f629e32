// C++ tasklets for the interpreter: each is compiled alone, once per process and text.
#pragma once

#include "interpret/interpret.h"

namespace sluice::fuzz {

/// For interpret::Options::compile_tasklet. Errors D001, D002.
Result<interpret::TaskletFunction> compile_tasklet(const interpret::ForeignTasklet& tasklet);

}  // namespace sluice::fuzz
