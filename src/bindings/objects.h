// Objects of Python's that a program over one memory is given and returns (frontend/python/heap_results.cpp).
#pragma once

#include <nanobind/nanobind.h>

#include <string>

namespace sluice::bindings {

namespace nb = nanobind;

/// forms: of each return, between bars: `i` an integer, `f` a float, `b` a truth, `o` an integer or a float, `N` None, `t` a text,
/// `I`, `F` and `B` NumPy's int64, float64 and bool, `p` any of these integers and floats, `a2F` an array of two dimensions, and in
/// front of the forms of their parts `l` a list, `r` a tuple of any length, `s` a set, `d` a dictionary; `(if)` a tuple. whole,
/// real: rows of NumPy's, of which the first begins with the number of the return.
nb::object objects_of(const std::string& forms, const nb::object& whole, const nb::object& real);
/// The same of a program that was given these objects: some of them follow, with what they have become.
nb::object read_objects(const std::string& forms, const nb::object& whole, const nb::object& real, const nb::list& given);
/// The form of the values, the rows that they are written as, and the objects among them, in the order of their numbers; None where
/// there is no form for them. `q` is a deque, `c1I` an array that may not be written, `?` the elements of what is empty.
nb::object write_objects(const nb::tuple& values);

}  // namespace sluice::bindings
