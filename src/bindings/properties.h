// Properties of library nodes across the border.
#pragma once

#include "bindings/convert.h"

namespace sluice::bindings {

ir::Property property_from(nb::handle value);
nb::object property_object(const ir::Property& property);

}  // namespace sluice::bindings
