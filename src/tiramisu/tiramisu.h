// Tiramisu's public names (docs/coming-from-tiramisu.md).
#pragma once

#include "tiramisu/core.h"
