// Bytes of a file to a Value: container formats, malformed text and size limits end here.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "interchange/value.h"

namespace sluice::interchange {

/// Objects and arrays may nest this deep, nested SDFGs included.
inline constexpr std::size_t kMaxDepth = 256;

/// The text in the file: unpacks gzip (by its magic), refuses empty files and pickles. Failures J002, J003.
std::string_view unpack(std::string_view bytes, const std::string& file, std::string& storage);
/// gzip of the text.
std::string pack(const std::string& text);
/// Parses JSON and the bare tokens NaN, Infinity and -Infinity, which become strings. `depth` is what the caller has already
/// used of kMaxDepth. Failures J001 (with line and column), J004.
Value parse_document(std::string_view text, const std::string& file, std::size_t depth = 0);

}  // namespace sluice::interchange
