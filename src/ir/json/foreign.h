// Symbolic texts inside JSON that we keep without understanding it: they are held in plain names and written in the
// dialect of the file, so that the two never mix.
#pragma once

#include "ir/json/emitter.h"
#include "ir/json/reader.h"
#include "ir/json/value.h"

namespace sluice::ir::json {

/// Rewrites, at any depth, the texts under names that the format defines as symbolic (`shape`, `subshape`, `value_count`, ...).
void to_plain_dialect(Value& value, Reader& reader);
void to_file_dialect(Value& value, Emitter& to);

}  // namespace sluice::ir::json
