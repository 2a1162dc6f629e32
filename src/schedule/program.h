// What algorithm and commands amount to: the values behind schedule.h.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/scop/scop.h"
#include "code/reduction.h"
#include "ir/sdfg.h"
#include "schedule/schedule.h"

namespace sluice::schedule {

struct Read {
    std::string of;  ///< A computation or an input.
    std::vector<symbolic::Expr> indices;
};

struct Storage {
    std::string name;
    std::vector<symbolic::Expr> shape;
    code::DType type;
    bool is_input = false;
};

struct Order {
    std::size_t other;
    unsigned shared;  ///< Loops that both run in.
};

struct Definition {
    std::string name;  ///< Also the tuple of its instances.
    std::vector<std::string> iterators;
    poly::Set domain;
    std::vector<Read> reads;
    std::string code;  ///< Of a tasklet: `out = in0 * in1`.
    code::DType type;
    /// Of an update.
    std::optional<std::size_t> target = {};
    std::string operation = {};
    /// The instance of the target (of itself, unless an update) whose value it makes.
    poly::Map element = {};
    std::vector<symbolic::Expr> element_indices = {};

    // The schedule.
    poly::Map times = {};  ///< Instance -> levels.
    std::vector<std::string> levels = {};
    std::optional<Order> order = {};
    std::set<std::string> parallel = {};
    // The memory; of an update that of its target.
    std::string buffer = {};
    std::vector<symbolic::Expr> layout = {};   ///< In terms of its iterators.
    std::vector<symbolic::Expr> extents = {};  ///< Of memory in which each instance has its own element; empty: not known.
};

struct Program {
    std::string name;
    std::set<std::string> constants;
    std::map<std::string, Storage> storage;
    std::vector<Definition> definitions;

    const Definition* find(const std::string& computation) const;
    /// The definition whose values and memory it shares: an update's target.
    const Definition& home(const Definition& definition) const;
    poly::Set context() const;
    /// Name[iterators] -> buffer[indices].
    poly::Map elements(const Definition& definition) const;
    poly::Map elements(const Definition& reader, const Read& read) const;
    /// Name[iterators] -> producer[indices]; of an input: -> input[indices].
    poly::Map points(const Definition& reader, const Read& read) const;
};

/// The relation from the points of a computation to `tuple[indices]`. Failure M002.
poly::Map affine_map(const Definition& from, const std::vector<symbolic::Expr>& indices, const std::string& tuple);
symbolic::Expr parse_affine(const std::string& text, const std::string& what);
[[noreturn]] void refuse(const std::string& code, const std::string& message, const std::string& remedy);

/// Failure M001 unless both are one function's.
void expect_same(const Program& a, const Program& b);

/// Times of all instances in one space: statics and levels in turn. Failure M004.
poly::UnionMap full_times(const Program& program);
/// Throws Failure M003, M005, M006 or M007 unless every value is there when it is read; `outputs` are there at the end.
void check_values(const Program& program, const std::set<std::string>& outputs, const poly::UnionMap& times);
/// Failure M005: loops that were to be parallel and are not. `dependences` of the memory.
void check_parallel(const Program& program, const poly::UnionMap& times, const poly::UnionMap& dependences);

}  // namespace sluice::schedule
