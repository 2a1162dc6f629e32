// The four layers of a schedule as values with a text that reads back as itself (Baghdadi et al., "Tiramisu", CGO 2019, section
// IV): 1 the algorithm, what is computed from what; 2 computation management, when and on what each instance runs; 3 data
// management, where values lie and which orders their memory asks for; 4 communication, what is copied between host and device.
//
//     layer 2 of gemm
//     times C: { C[i, j] -> [0, i, 0, j, 0] }
//     parallel C = i
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "poly/relation.h"
#include "schedule/schedule.h"

namespace sluice::schedule {

/// `kind name: relation = text`; which of them there are, the kind says.
struct LayerLine {
    std::string kind;
    std::string name = {};          ///< Of a computation or of memory; empty: of all.
    poly::UnionSet instances = {};  ///< Of a domain.
    poly::UnionMap relation = {};   ///< Of times, places and dependences.
    std::string text = {};
};
struct Layer {
    int number = 1;
    std::string function;
    std::vector<LayerLine> lines;
};

/// Relations are compared as sets.
bool operator==(const Layer& a, const Layer& b);
std::string to_text(const Layer& layer);
/// Failure M021: the line, and what it should be.
Result<Layer> parse_layer(std::string_view text);

}  // namespace sluice::schedule
