// A graph with what it takes to run it: values of its symbols and a seed for its data. Kept in files as the textual form of the
// graph after comments, `# case: inputs=17 N=3 M=1`, or `# case: inputs=17 indices=4` where integers subscript arrays,
// and lines `# apply: MapTiling @ main(map=sum)`.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "driver/signature.h"
#include "ir/sdfg.h"
#include "support/result.h"

namespace sluice::fuzz {

struct TestCase {
    ir::Sdfg sdfg;
    std::map<std::string, std::int64_t> symbols;
    std::uint64_t inputs = 1;  ///< Seed of the data.
    std::int64_t indices = 0;  ///< If positive: integers are in [0, indices), so that they may stand for places in arrays.
    /// Lines of a recipe: transformations that must not change what the graph means. Those that do not apply are passed over.
    std::vector<std::string> recipe = {};
};

/// `note` becomes further lines of comment.
std::string to_text(const TestCase& test, const std::string& note = {});
/// A file without the first line has inputs=1 and no values of symbols. Errors of ir::parse_text, Z001 a line `# case:` that does
/// not read.
Result<TestCase> parse_case(const std::string& text, const std::string& file = {});

/// Gives every integer symbol that the signature or the graph declares and `test` does not have a small value.
void complete_symbols(TestCase& test);

}  // namespace sluice::fuzz
