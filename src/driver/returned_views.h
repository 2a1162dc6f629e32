// Results that are the caller's own arrays: programs called from Python need not compute them.
#pragma once

#include <string>
#include <vector>

#include "driver/python_source.h"
#include "driver/signature.h"
#include "ir/sdfg.h"

namespace sluice::driver {

/// Results that a program does not compute.
struct LeftOut {
    std::vector<Argument> results;   ///< As arguments that nobody passes.
    std::vector<std::string> order;  ///< All results by name, in the order that they had, these among them.
};
/// Leaves out results that are views of arguments wherever the program returns, as far as the arguments that stay tell where and
/// how large they are: who has the arguments has them. A result of which something else is made stays.
LeftOut leave_out_returned_views(ir::Sdfg& program, const python::ReturnedForms& forms);

/// Whether the result is every element of the argument that it is a view of, in its own order.
bool is_whole(const python::ReturnedView& view, const Argument& base, const Argument& result);

}  // namespace sluice::driver
