// A file that a process of a unit shares with the fuzzer: arguments go in, results and the progress come out.
//     int64 count, next;  int64 table_at[count]                      the head
//     int64 blocks, status;  { int64 at, size } [blocks]             one table for each graph,
//     int64 links;  { int64 from, offset, to } [links]                with addresses of blocks that blocks hold; then the bytes
#pragma once

#include <filesystem>
#include <vector>

#include "fuzz/memory.h"

namespace sluice::fuzz {

struct Job;

class Arena {
public:
    Arena(const std::filesystem::path& path, const std::vector<Job>& jobs);
    Arena(const Arena&) = delete;
    ~Arena();

    /// The graph that was running when the process ended; the number of graphs if all ran.
    std::size_t next() const { return static_cast<std::size_t>(words()[1]); }
    void skip() { ++words()[1]; }
    int status(std::size_t graph) const;
    /// What the graph left, in the shape of `before`.
    Memory memory(std::size_t graph, const Memory& before) const;

private:
    std::int64_t* words() const { return reinterpret_cast<std::int64_t*>(base_); }
    const std::int64_t* table(std::size_t graph) const { return reinterpret_cast<const std::int64_t*>(base_ + words()[2 + graph]); }
    std::byte* base_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace sluice::fuzz
