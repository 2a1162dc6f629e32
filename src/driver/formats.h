// The interchange format, under the driver's name.
#pragma once

#include "interchange/json.h"

namespace sluice::driver {

using interchange::from_json;
using interchange::JsonOptions;
using interchange::to_json;

}  // namespace sluice::driver
