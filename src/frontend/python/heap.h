// Functions over lists, texts, dictionaries and sets of any kind, at any depth, as functions over numbers. The objects of the run
// lie in one memory, which grows: an object is the number of a row of elements, whose place, length and room are three lists (cf.
// rows.h), and the elements of all objects of a kind are one list more:
//     path = [x]; rows.append(path)   ->   path = new row of ints: [x]; append(rows, path): a row of row numbers
// A text is a row of code points, or for one character the number -1 - its code point, so that equal characters are equal numbers.
// A dictionary is the row of its places, in order of insertion, in lists of keys and values that all dictionaries of its type
// share. Names and elements thus mean objects exactly as in Python, whoever else holds them. What is returned is put together again
// by Python's caller, from the memory, an object once.
#pragma once

#include <map>
#include <string>

#include "frontend/python/frontend.h"

namespace sluice::frontend {

/// A name that the written function alone calls: what is returned, as its form and the parts.
inline constexpr const char* kObjects = "<objects>";
/// Likewise: what is read of a parameter, as its form and the parts.
inline constexpr const char* kTake = "<take>";
/// The line that a written function begins on: those of files are lower.
inline constexpr std::uint32_t kWrittenLines = 1U << 24U;
/// The program over numbers. Throws NotOfHeap (heap_types.h) where something in it has no such meaning.
/// given: the form of a tuple of all parameters, which are objects of Python's; empty: they are numbers and arrays.
/// with_arrays: NumPy's arrays are among the objects.
Program with_heap(const Program& program, const std::map<std::string, ArgumentType>& arguments, const std::string& given = {},
                  bool with_arrays = false);

}  // namespace sluice::frontend
