// Nodes of an operation with generated operands, for its verification: one state for each, over containers and symbols of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "library/operation.h"

namespace sluice::driver {

struct OperationSample {
    std::uint64_t seed = 0;
    std::size_t form = 0;  ///< Of the operation's.
    code::Scalar type = code::Scalar::Float64;
    bool in_place = false;  ///< An operand lies in the output's container.
    bool mixed = false;     ///< Operands have types of their own.
    bool streams = false;   ///< Operands with one dimension are streams.
    /// The size that is 0; empty: none.
    std::string empty = {};
};
/// All forms with all types; with the first type in place, with each size 0, and where an expansion takes them with streams; with
/// mixed types where the operation takes such.
std::vector<OperationSample> samples_of(const library::Operation& operation, std::uint64_t seed);

struct SampleProgram {
    struct Node {
        ir::BlockId state;
        ir::NodeId node;
        std::string text;  ///< What was generated.
        std::vector<std::string> containers;
    };
    ir::Sdfg sdfg;
    std::vector<Node> nodes;
    std::map<std::string, std::vector<std::byte>> memory;
    std::map<std::string, std::int64_t> symbols;
};
SampleProgram sample_program(const library::Operation& operation, const std::vector<OperationSample>& samples);

}  // namespace sluice::driver
