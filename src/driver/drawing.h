// Pictures of a program: what draw/ describes, laid out by Graphviz where a picture and not its source is wanted.
#pragma once

#include <string>

#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::driver {

enum class PictureForm { dot, svg, png, html };

/// The bytes of the picture. Errors C007: there is no command `dot`; C008: it failed; U001: the build has no layout library for
/// pages.
Result<std::string> drawing(const ir::Sdfg& sdfg, PictureForm form);

}  // namespace sluice::driver
