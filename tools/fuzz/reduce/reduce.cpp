#include "fuzz/reduce.h"

#include <chrono>
#include <unordered_set>

#include "analysis/propagate.h"
#include "fuzz/reduce/edits.h"
#include "ir/verify.h"

namespace sluice::fuzz {

namespace {

using Clock = std::chrono::steady_clock;

class Reduction {
public:
    Reduction(const TestCase& test, const StillFails& still_fails, const ReduceOptions& options)
        : best_(test),
          still_fails_(still_fails),
          options_(options),
          end_(Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(options.seconds))) {
        for (const auto& list : {recipe_edits(), control_flow_edits(), dataflow_edits(), declaration_edits(), scope_edits(),
                                 code_edits(), replacement_edits()})
            families_.insert(families_.end(), list.begin(), list.end());
        seen_.insert(to_text(best_));
    }

    TestCase run() {
        for (bool smaller = true; smaller;) {
            smaller = false;
            for (const EditFamily& family : families_) smaller = exhaust(family) || smaller;
        }
        return std::move(best_);
    }

private:
    /// Applies what can be applied of the family, one edit after the other.
    bool exhaust(const EditFamily& family) {
        bool any = false;
        for (std::size_t at = 0; Clock::now() < end_;) {
            TestCase candidate = best_;
            if (!family.apply(candidate, at)) break;
            if (keeps(candidate))
                any = true;  // the next edit now has this one's number
            else
                ++at;
        }
        return any;
    }

    bool keeps(TestCase& candidate) {
        if (!seen_.insert(to_text(candidate)).second) return false;
        if (!ir::verify(candidate.sdfg).empty()) {
            // Memlets outside of scopes may say more than what is left inside.
            try {
                analysis::propagate_memlets(candidate.sdfg);
            } catch (const Failure&) {
                return false;
            } catch (const InternalError&) {
                return false;
            }
            if (!ir::verify(candidate.sdfg).empty()) return false;
        }
        ++attempts_;
        if (!still_fails_(candidate)) return false;
        best_ = std::move(candidate);
        if (options_.progress) options_.progress(best_, attempts_);
        return true;
    }

    TestCase best_;
    const StillFails& still_fails_;
    const ReduceOptions& options_;
    Clock::time_point end_;
    std::vector<EditFamily> families_;
    std::unordered_set<std::string> seen_;
    std::size_t attempts_ = 0;
};

}  // namespace

TestCase reduce(const TestCase& test, const StillFails& still_fails, const ReduceOptions& options) {
    return Reduction(test, still_fails, options).run();
}

}  // namespace sluice::fuzz
