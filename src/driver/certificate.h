// Certificates of programs, for every face.
#pragma once

#include "certify/certify.h"

namespace sluice::driver {

using certify::Certificate;
using certify::CertifyOptions;
using certify::to_string;
using certify::Verdict;

/// certify::certify; where library nodes stand in the way, of both programs with all of them expanded. Errors B001 to B006.
Certificate certify_programs(const ir::Sdfg& before, const ir::Sdfg& after, const CertifyOptions& options = {});

}  // namespace sluice::driver
