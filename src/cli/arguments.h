// The arguments of `sluice run`: `N=1000 A=random B=file.npy`, made into memory that a program can be given.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/npy.h"
#include "driver/compile.h"

namespace sluice::cli {

/// One argument with its value. Arrays and scalars keep their initial bytes, so that every repetition starts from them.
struct Value {
    const driver::Argument* argument = nullptr;
    std::vector<std::int64_t> shape;
    Buffer initial, working;
};

/// Values of all arguments, in the signature's order (which must outlive them). Arrays that are not given are filled with random
/// numbers. Throws Failure C005 for texts that are no value and the A... failures of the shape solver.
std::vector<Value> make_values(const driver::Signature& signature, const driver::ShapeSolver& solver,
                               const std::map<std::string, std::string>& given, std::uint64_t seed);

/// `N=1000` as N -> 1000. Throws Failure C005.
std::map<std::string, std::string> by_name(const std::vector<std::string>& assignments);

/// The class of the sizes that are given by name, of which tuned programs are kept (driver/tuning/store.h).
std::string class_of_sizes(const ir::Sdfg& program, const std::map<std::string, std::string>& given);

/// Runs from the initial values every time; the seconds of each repetition, sorted.
std::vector<double> run_repeatedly(driver::CompiledProgram& program, std::vector<Value>& values, int repeat);

/// What the program writes or returns.
bool is_result(const Value& value);

/// `float64[10, 20]: sum 3.5, min 0, max 1`.
std::string summary(const Value& value);

/// Have both runs left the same bits in all results?
bool same_results(const std::vector<Value>& some, const std::vector<Value>& others);

}  // namespace sluice::cli
