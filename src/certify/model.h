// A program as assignments of elements: which instances there are, what they store where, and what is ordered before what.
//
// Read from the graph by rules of its own (docs/semantics.md), not from the access model that transformations ask: a mistake there
// must not hide here. Nested SDFGs are entered, views followed.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "certify/tree.h"
#include "code/reduction.h"
#include "ir/sdfg.h"
#include "poly/relation.h"

namespace sluice::certify {

/// One step of a place in the order of execution; the places of two instances are compared step by step until they differ.
struct Step {
    enum class Kind {
        Sequence,  ///< The smaller position comes first.
        Loop,      ///< The iterator, upwards or (`position` -1) downwards.
        Map,       ///< The iterator; different values are in no order.
        Dataflow,  ///< Nodes of a state: in order where a path leads from one to the other.
    } kind = Kind::Sequence;
    std::int64_t position = 0;
    std::size_t iterator = 0;
    const ir::State* state = nullptr;
    ir::NodeId node = {};
};

/// Stores one element for each of its instances. An operand of a library node is one that stores nothing.
struct Assignment {
    std::string label;  ///< For people.
    Span where = {};
    std::vector<std::string> iterators = {};
    poly::Set domain = {};             ///< Named after the assignment, `S3`.
    std::size_t positions = 0;         ///< The last so many iterators count elements of a copy or an operand.
    std::vector<Step> order = {};      ///< Of what it reads.
    std::vector<Step> stores_at = {};  ///< Of its store.
    std::string container = {};        ///< Empty: stores nothing.
    std::vector<symbolic::Expr> indices = {};
    TreePtr value = {};                 ///< What is stored, or what an update combines the element with.
    std::string update = {};            ///< The operator of an update: `add`, `multiply`, `minimum`, ...; empty: a plain store.
    TreePtr after = {};                 ///< Of an update.
    std::vector<TreePtr> touched = {};  ///< Elements that are read whether or not the value depends on them.
};

/// A container. Of those that each execution of a scope has for itself, the first indices of an element are the iterators of the
/// execution, which the shape may name.
struct Held {
    std::vector<std::string> executions = {};
    std::vector<symbolic::Expr> shape = {};
    code::DType dtype = {};
    bool argument = false;
    std::string layout = {};  ///< Text of strides and offset.
    std::optional<ir::Constant> constant = {};
};

struct Model {
    std::string name;
    std::vector<Assignment> assignments;
    std::map<std::string, Held> containers;
    std::vector<std::string> symbols;  ///< Free ones: the parameters.
};

/// A construct that has no place in a model, in one sentence.
struct Construct {
    std::string text;
    Span where;
};

/// The whole program; it must be verified.
std::variant<Model, Construct> read_model(const ir::Sdfg& sdfg);

poly::Space space_of(const Model& model, std::size_t assignment);
std::string tuple_of(std::size_t assignment);
/// From instances to elements; not known where indices are not affine.
poly::Map elements_of(const Model& model, std::size_t assignment, const std::string& container,
                      const std::vector<symbolic::Expr>& indices);

/// The parameters for which an access leaves its container, among those of `context`; `first` says where. Not known if the budget
/// ends.
poly::Set leaving(const Model& model, const poly::Set& context, Construct& first);

}  // namespace sluice::certify
