// Messages between ranks: a part of the statements of the loop IR (statements.h). A program that sends messages runs in several
// processes, its ranks, each with memory of its own; they are numbered from 0.
#pragma once

#include <cstdint>
#include <vector>

#include "code/reduction.h"
#include "loop/value.h"

namespace sluice::loop {

using code::ReductionType;

/// Elements in the order of nested loops: those at `address` + the sum of i_d * strides[d], each i_d from 0 to extents[d]. Without
/// dimensions one element; without an address none.
struct Part {
    ValuePtr address;
    DType type;
    std::vector<Expr> extents, strides;
};
/// A group of ranks: `first` + the sum of i_d * strides[d], each i_d from 0 to extents[d], numbered from 0 in the order of nested
/// loops. Without dimensions all ranks.
struct Ranks {
    Expr first;
    std::vector<Expr> extents, strides;
    bool all() const { return extents.empty(); }
};
/// Sends a part to another rank or receives it. Messages between two ranks of a group with one tag arrive in the order in which
/// they are sent; a message has as many elements as its receiver takes. Without a request the statement comes back when the part
/// may be used again; a send may wait for its receive.
struct Message {
    bool sends = true;
    Part part;
    ValuePtr peer;     ///< The other rank, by its number in the group; kNoRank: nothing is sent or received.
    ValuePtr tag;      ///< Not negative.
    ValuePtr request;  ///< May be null; else the address of an int64 that stands for the message until somebody waits for it.
    bool synchronous = false;  ///< Of a send without a request: it comes back once its receive has begun.
    Ranks among = {};          ///< The rank itself is one of them.
};
inline constexpr std::int64_t kNoRank = -1000;  ///< Unlike what any MPI uses for a special rank.
/// Waits until the messages of these requests have ended, and sets them to 0, which stands for none.
struct WaitFor {
    Part requests;
};
/// What all ranks of a group carry out together, in the same order.
struct Collective {
    enum class Kind : std::uint8_t {
        Barrier,
        Broadcast,      // part of the root -> part of the others
        Reduce,         // the parts of all, combined -> result of the root
        AllReduce,      // -> results of all
        Scatter,        // part of the root, a share after the other -> result of each rank
        Gather,         // parts of all -> result of the root, one after the other
        AllGather,      // -> results of all
        AllToAll,       // share r of each rank's part -> the result of rank r
        ScatterBlocks,  // part of the root, cut into a grid of blocks, row by row -> result of each rank, its block
        GatherBlocks,   // blocks of all -> result of the root
    };
    Kind kind = Kind::Barrier;
    Part part, result;
    ReductionType op = ReductionType::Sum;  ///< Reduce, AllReduce.
    ValuePtr root;                          ///< A rank, by its number in the group; null where the kind has none.
    Ranks among = {};                       ///< The rank itself is one of them.
};

}  // namespace sluice::loop
