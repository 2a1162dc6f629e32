// All built-in transformations: one for each file of a group's folder that defines `rewrite::Transformation name() {`.
// The list is generated from the folders (cmake/list_transformations.cmake); nobody writes it.
#pragma once

#include <string_view>
#include <vector>

#include "rewrite/registry.h"

namespace sluice::transform {

struct Listed {
    std::string_view group;  ///< The folder in which it is defined.
    rewrite::Transformation (*make)();
};
const std::vector<Listed>& listed();

/// Made once; a session takes a copy and may add to it.
const rewrite::Registry& builtin();

}  // namespace sluice::transform
