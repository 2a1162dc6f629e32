// Classes of the user's whose objects lie in the memory of a program (heap.h): an object is the number of a row in columns, one
// for each field, that all classes share which inherit from one another; None is -1.
//     b = Body(1.0); b.x += b.v * dt   ->   b = new(0); init(b, 1.0); x[at(b)] += v[at(b)] * dt
// A method is a function whose first parameter is such a number, one for each class of the objects, and calls ask the row for its
// class where several have a method of the name.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/python/classes.h"

namespace sluice::frontend {

/// The second parameter of an `__eq__` that a dataclass has of itself (python/sluice/classes.py): objects of other classes are not
/// equal.
inline constexpr const char* kOtherOfClass = "other_of_class";

struct HeapType;
struct HeapFamily;

struct HeapClass {
    ObjectClass of;
    std::map<std::string, std::string> constants;  ///< Attributes of the class, those that objects assign included.
    HeapFamily* family = nullptr;
    std::int64_t tag = 0;                     ///< Its place in the family.
    bool made = false;                        ///< The program makes objects of it.
    std::vector<code::Parameter> tuple = {};  ///< Of a named tuple, which is a tuple in what is written: the fields.
};

/// Classes that inherit from one another.
struct HeapFamily {
    std::size_t number = 0;
    HeapType* type = nullptr;
    std::vector<HeapClass*> classes = {};
    std::set<std::string> names = {};              ///< Of the classes and their bases.
    std::map<std::string, HeapType*> fields = {};  ///< Those that are assigned or read, with their types.
    std::set<std::string> checked = {};            ///< Of these: objects may be without them.
};

/// A special method that what is being written needs, and that nothing calls by its name: the types of all have to be found again.
struct NeedsMethod {
    std::string name;
};

}  // namespace sluice::frontend
