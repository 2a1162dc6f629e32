// Several computations that get the same commands.
#pragma once

#include <vector>

#include "tiramisu/core.h"

namespace tiramisu {

/// Commands for several computations, or for those of blocks.
class block : public computation {
public:
    block(const std::vector<computation*>& computations);

    template <class... Arguments> void split(const Arguments&... arguments) {
        for (computation* one : computations_) one->split(arguments...);
    }
    template <class... Arguments> void tile(const Arguments&... arguments) {
        for (computation* one : computations_) one->tile(arguments...);
    }
    template <class... Arguments> void interchange(const Arguments&... arguments) {
        for (computation* one : computations_) one->interchange(arguments...);
    }
    template <class... Arguments> void shift(const Arguments&... arguments) {
        for (computation* one : computations_) one->shift(arguments...);
    }
    template <class... Arguments> void skew(const Arguments&... arguments) {
        for (computation* one : computations_) one->skew(arguments...);
    }
    template <class... Arguments> void parallelize(const Arguments&... arguments) {
        for (computation* one : computations_) one->parallelize(arguments...);
    }
    template <class... Arguments> void unroll(const Arguments&... arguments) {
        for (computation* one : computations_) one->unroll(arguments...);
    }
    template <class... Arguments> void vectorize(const Arguments&... arguments) {
        for (computation* one : computations_) one->vectorize(arguments...);
    }
    template <class... Arguments> void gpu_tile(const Arguments&... arguments) {
        for (computation* one : computations_) one->gpu_tile(arguments...);
    }
    template <class... Arguments> void storage_fold(const Arguments&... arguments) {
        for (computation* one : computations_) one->storage_fold(arguments...);
    }

private:
    std::vector<computation*> computations_;
};

}  // namespace tiramisu
