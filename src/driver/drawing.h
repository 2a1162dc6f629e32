// Pictures of a program: what draw/ describes, laid out by Graphviz where a picture and not its source is wanted.
#pragma once

#include <string>

#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::driver {

/// A page is one file, or has the layout library, which is nearly all of it, in a file beside it.
enum class PictureForm { dot, svg, png, html, html_with_library_file };
/// The name of that file, and what it holds. Errors U001: the build has no layout library.
inline constexpr const char* kLayoutLibraryFile = "layout.js";
Result<std::string> layout_library();

/// The bytes of the picture. Errors C007: there is no command `dot`; C008: it failed; U001: the build has no layout library for
/// pages.
Result<std::string> drawing(const ir::Sdfg& sdfg, PictureForm form);

}  // namespace sluice::driver
