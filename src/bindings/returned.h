// Results that are views of arrays which the caller has.
#pragma once

#include <functional>

#include "bindings/convert.h"
#include "driver/returned_views.h"

namespace sluice::bindings {

/// The view of `base`, which has this shape; `copy`, or a copy made here where that is None, if the base is no array of NumPy's.
/// `value` evaluates what the view is said by.
nb::object place_view(const driver::python::ReturnedView& view, nb::handle base, const nb::tuple& shape, const nb::object& copy,
                      const std::function<std::int64_t(const symbolic::Expr&)>& value);

/// An array of numbers as a list of NumPy's numbers, of lists of these, and so on.
nb::list lists_of(const nb::object& array);

}  // namespace sluice::bindings
