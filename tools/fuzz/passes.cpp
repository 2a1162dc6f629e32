#include "fuzz/passes.h"

#include "analysis/propagate.h"
#include "driver/session.h"
#include "fuzz/random.h"
#include "interchange/json.h"
#include "ir/text.h"
#include "library/expand.h"

namespace sluice::fuzz {

namespace {

bool expand(ir::Sdfg& sdfg, std::uint64_t) {
    ir::Sdfg expanded = sdfg;
    library::expand_library_nodes(expanded, {.preferences = {{.names = {"native"}}}}).or_fail();
    const bool changed = !(expanded == sdfg);
    sdfg = std::move(expanded);
    return changed;
}

bool through_text(ir::Sdfg& sdfg, std::uint64_t) {
    const std::string text = ir::to_text(sdfg);
    ir::Sdfg back = ir::parse_text(text).or_fail();
    check(back == sdfg, "the textual form of a graph reads as another graph:\n", text);
    sdfg = std::move(back);
    return true;
}

/// Equality is not asked for: JSON spells some things in one way only.
bool through_json(ir::Sdfg& sdfg, std::uint64_t seed) {
    Random random(seed);
    interchange::JsonOptions options;
    options.readable = random.chance(50);
    options.compressed = random.chance(50);
    options.dialect = random.chance(50) ? interchange::JsonOptions::Dialect::legacy : interchange::JsonOptions::Dialect::dollar;
    sdfg = interchange::from_json(interchange::to_json(sdfg, options)).or_fail();
    return true;
}

bool propagate(ir::Sdfg& sdfg, std::uint64_t) {
    analysis::propagate_memlets(sdfg);
    return true;
}

template <driver::Level level> bool pipeline(ir::Sdfg& sdfg, std::uint64_t) {
    driver::Session session(std::move(sdfg));
    const std::size_t applied = session.run(driver::pipeline(level)).or_fail();
    sdfg = session.program();
    return applied > 0;
}

}  // namespace

std::vector<Pass>& passes() {
    static std::vector<Pass> all = {{"expand", expand},
                                    {"text", through_text},
                                    {"json", through_json},
                                    {"propagate", propagate},
                                    {"O1", pipeline<driver::Level::O1>},
                                    {"O3", pipeline<driver::Level::O3>}};
    return all;
}

const Pass* find_pass(const std::string& name) {
    for (const Pass& pass : passes())
        if (pass.name == name) return &pass;
    return nullptr;
}

}  // namespace sluice::fuzz
