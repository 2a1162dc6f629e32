// Which stores and updates a read sees (Feautrier, "Dataflow analysis of array and scalar references", 1991), updates as
// reductions.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "certify/model.h"

namespace sluice::certify {

/// Thrown where a set is not known within the budget.
struct BudgetEnded {};

/// A value and from which instances of the reader's assignment to which of its own it is taken.
struct Source {
    TreePtr tree;
    poly::Map from_reader;
};

class Sources {
public:
    Sources(const Model& model, const poly::Set& context);

    const Model& model() const { return model_; }
    /// What a Read or After stands for: trees that are neither, or reads of copies. Their domains are disjoint and together all
    /// instances of the reader. Throws BudgetEnded.
    const std::vector<Source>& of(const TreePtr& read);
    /// What a Fold combines: the updates since the last store or other update, and what that left. Throws BudgetEnded.
    const std::vector<Source>& terms(const TreePtr& fold);
    /// Two accesses to one element, one of them a store, in no order; nullopt: every order gives the same. Throws BudgetEnded.
    std::optional<Construct> unordered();

private:
    struct FoldKey {
        TreePtr read;
        poly::Set domain;
    };
    poly::Map time(std::size_t assignment, const std::vector<Step>& order, bool after) const;
    poly::Map stored(std::size_t assignment) const;
    poly::Map sink(const Tree& read, const std::string& container) const;
    poly::Map sink_time(const Tree& read) const;
    /// Store -> reader: the last of these before the read; `none`: readers that none comes before.
    std::map<std::size_t, poly::Map> last(const Tree& read, const poly::Set& domain, const std::vector<std::size_t>& stores,
                                          poly::Set& none) const;
    poly::Map earlier(std::size_t first, const poly::Map& first_elements, const poly::Map& first_time,
                      const poly::Map& second_elements, const poly::Map& second_time) const;
    bool path_leads(const Step& from, const Step& to);
    std::optional<poly::Map> in_no_order(std::size_t a, const std::vector<Step>& steps_a, std::size_t b,
                                         const std::vector<Step>& steps_b);

    const Model& model_;
    poly::Set context_;
    std::size_t length_ = 0;
    std::map<std::string, std::vector<std::size_t>> stores_;  ///< By container.
    std::map<const Tree*, std::vector<Source>> sources_, terms_;
    std::map<const Tree*, FoldKey> folds_;
    std::vector<TreePtr> kept_;
    std::map<std::pair<const ir::State*, ir::NodeId>, std::vector<bool>> reachable_;
};

}  // namespace sluice::certify
