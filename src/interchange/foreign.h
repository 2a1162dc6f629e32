// Symbolic texts inside JSON that we keep without understanding it: they are held in plain names and written in the
// dialect of the file, so that the two never mix.
#pragma once

#include "interchange/emitter.h"
#include "interchange/reader.h"
#include "interchange/value.h"

namespace sluice::interchange {

/// Rewrites, at any depth, the texts under names that the format defines as symbolic (`shape`, `subshape`, `value_count`, ...).
void to_plain_dialect(Value& value, Reader& reader);
void to_file_dialect(Value& value, Emitter& to);

}  // namespace sluice::interchange
