// The two descriptions of what a program touches agree: boxes by projection (analysis/projection.h, by which memlets are
// propagated) contain the exact sets of its statements (analysis/dependences), and are what is written for certain where they say
// so.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/access_sets.h"
#include "analysis/dependences/access_model.h"
#include "analysis/symbols.h"
#include "fuzz/generate.h"
#include "fuzz/random.h"
#include "ir/text.h"
#include "ir/walk.h"
#include "poly/convert.h"

namespace sluice::fuzz {
namespace {

using analysis::Certainty;

/// What statements touch of a container, all together.
struct Touched {
    poly::Set elements;
    bool certain = true;  ///< Each of them, on every run.
};
using ByContainer = std::map<std::string, Touched>;

ByContainer touched(const analysis::AccessModel& model, bool writes) {
    ByContainer all;
    for (const analysis::Statement& statement : model.statements) {
        if (statement.summary) continue;
        for (const analysis::StatementAccess& access : statement.accesses) {
            const bool counts = writes ? access.writes() : access.kind != analysis::StatementAccess::Kind::Write;
            if (!counts) continue;
            auto [at, first] = all.try_emplace(access.container);
            at->second.certain = at->second.certain && access.certainty == Certainty::Must;
            if (access.certainty != Certainty::Must) continue;  // The relation contains what is touched, and more.
            const poly::Set elements = access.elements.range();
            at->second.elements = at->second.elements.known() ? at->second.elements.unite(elements) : elements;
        }
    }
    return all;
}

TEST(Projection, BoxesContainWhatStatementsTouch) {
    std::size_t contained = 0, equal = 0;
    for (std::uint64_t k = 0; k < 300; ++k) {
        const ir::Sdfg sdfg = generate(derived_seed(23, k)).sdfg;
        const symbolic::Assumptions known = analysis::assumptions_of(sdfg);
        const analysis::AccessModel model = analysis::access_model(sdfg, analysis::WholeProgram{}, known);
        if (!model.obstacles.empty()) continue;
        const analysis::Accesses boxes = analysis::accesses_of(sdfg);
        const std::set<std::string> assigned = ir::assigned_symbols(sdfg.body);
        std::vector<std::string> symbols;
        for (const auto& [symbol, type] : sdfg.symbols) symbols.push_back(symbol);
        const poly::Set context = poly::to_parameters(known, symbols).intersect_parameters(model.context);
        for (const bool writes : {false, true})
            for (const auto& [name, exact] : touched(model, writes)) {
                const ir::Container* container = sdfg.containers.find(name);
                if (!container || container->shape.empty() || !exact.elements.known()) continue;
                const auto& side = writes ? boxes.writes : boxes.reads;
                const std::string where = "graph " + std::to_string(k) + ", " + (writes ? "writes of " : "reads of ") + name;
                const auto found = side.find(name);
                if (exact.elements.is_empty() == poly::Answer::Yes) continue;
                ASSERT_NE(found, side.end()) << where << "\n" << ir::to_text(sdfg);
                // Extents that the program assigns are its own symbols, of which the model knows the values.
                if (std::ranges::any_of(symbolic::free_symbols(found->second.subset),
                                        [&](const std::string& symbol) { return assigned.contains(symbol); }))
                    continue;
                const auto box = poly::to_elements(found->second.subset, {.tuple = "", .dims = {}}, name);
                if (!box.ok()) continue;
                // A place in terms of no affine value may not exist.
                if (std::ranges::any_of(exact.elements.parameter_names(), poly::is_opaque)) continue;
                const poly::Set inside = box.value->range().with_tuple(exact.elements.tuple());
                const poly::Answer contains = exact.elements.intersect_parameters(context).is_subset(inside);
                EXPECT_NE(contains, poly::Answer::No)
                    << where << ": " << exact.elements.to_string() << " in " << symbolic::to_string(found->second.subset) << "\n"
                    << ir::to_text(sdfg);
                contained += contains == poly::Answer::Yes;
                // Code may read less than what its memlets move.
                if (!writes || !found->second.exact || !found->second.must || !exact.certain) continue;
                const poly::Answer all = inside.intersect_parameters(context).is_subset(exact.elements);
                EXPECT_NE(all, poly::Answer::No) << where << ": " << symbolic::to_string(found->second.subset) << " is more than "
                                                 << exact.elements.to_string() << "\n"
                                                 << ir::to_text(sdfg);
                equal += all == poly::Answer::Yes;
            }
    }
    EXPECT_GT(contained, 500u);
    EXPECT_GT(equal, 50u);
}

}  // namespace
}  // namespace sluice::fuzz
