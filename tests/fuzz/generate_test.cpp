// Random graphs keep the promises of generate.h.
#include "fuzz/generate.h"

#include "checks.h"
#include "fuzz/random.h"
#include "ir/query.h"
#include "ir/text.h"
#include "ir/verify.h"
#include "ir/walk.h"

namespace sluice::fuzz {
namespace {

TEST(Generate, FollowsFromTheSeed) {
    for (const std::uint64_t seed : {1, 2, 3}) EXPECT_EQ(to_text(generate(seed)), to_text(generate(seed)));
    EXPECT_NE(to_text(generate(1)), to_text(generate(2)));
}

TEST(Generate, IsValidWrittenBeforeReadAndTheSameInEveryOrder) {
    CheckOptions options;
    options.orders = {1, 2, 3};
    for (std::uint64_t k = 0; k < 100; ++k) {
        const TestCase test = generate(derived_seed(7, k));
        const Interpreted interpreted = interpret_case(test, options);
        if (interpreted.finding) ADD_FAILURE() << to_string(*interpreted.finding) << to_text(test);
    }
}

TEST(Generate, HasEveryFeature) {
    std::string all;
    for (std::uint64_t k = 0; k < 300; ++k) all += ir::to_text(generate(derived_seed(11, k)).sdfg);
    for (const char* word : {"map_entry", "consume_entry",   "wcr=",     "library Reduce", "library MatMul", "stream ",
                             "view ",     "nested ",         "loop ",    "conditional ",   "break ",         "continue ",
                             "return ",   "omp_num_threads", "strides=", "collapse=",      "dynamic",        "lifetime=Persistent",
                             "complex64", "float16",         "bool",     "uint64",         "int8",           "inverted"})
        EXPECT_NE(all.find(word), std::string::npos) << word;
}

TEST(Generate, WithoutAFeatureThereIsNone) {
    GenerateOptions options;
    options.swarm = false;
    for (const Feature gone : {Feature::Streams, Feature::Views, Feature::Nested}) options.features.erase(gone);
    for (std::uint64_t k = 0; k < 50; ++k) {
        const std::string text = ir::to_text(generate(derived_seed(13, k), options).sdfg);
        for (const char* word : {"stream ", "view ", "nested "}) EXPECT_EQ(text.find(word), std::string::npos) << word << text;
    }
}

/// Names that the graph makes itself: containers, parameters, inputs of ranges, indices of workers, variables of loops, assigned
/// symbols.
std::vector<std::string> made_names(const ir::Sdfg& sdfg) {
    std::vector<std::string> names = ir::assigned_symbols(sdfg);
    for (const auto& [name, container] : sdfg.containers) names.push_back(name);
    ir::for_each_region(sdfg.body, [&](const ir::Region& region) {
        for (const auto& [id, block] : region.blocks)
            if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind)) names.push_back(loop->variable);
    });
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes) {
            if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind)) names.push_back(consume->pe_index);
            const auto* map = std::get_if<ir::MapEntry>(&node.kind);
            if (!map) continue;
            names.insert(names.end(), map->params.begin(), map->params.end());
            for (const auto& [connector, type] : node.in)
                if (!connector.starts_with("IN_")) names.push_back(connector);
        }
    });
    return names;
}

void no_name_twice(const ir::Sdfg& sdfg, std::size_t& nested_with_symbols) {
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes) {
            const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind);
            if (!nested) continue;
            nested_with_symbols += nested->symbol_mapping.empty() ? 0 : 1;
            for (const std::string& name : made_names(*nested->sdfg))
                EXPECT_FALSE(nested->symbol_mapping.contains(name)) << name << " is a symbol from outside:\n"
                                                                    << ir::to_text(*nested->sdfg);
            no_name_twice(*nested->sdfg, nested_with_symbols);
        }
    });
}

// An index of the caller keeps its meaning in the callee.
TEST(Generate, NoNewNameHidesASymbolFromOutside) {
    std::size_t nested_with_symbols = 0;
    GenerateOptions options;
    options.features = {Feature::Nested, Feature::Loops, Feature::Machines, Feature::DynamicRanges};
    options.swarm = false;
    options.size = 10;
    for (std::uint64_t k = 0; k < 500; ++k) no_name_twice(generate(derived_seed(19, k), options).sdfg, nested_with_symbols);
    EXPECT_GT(nested_with_symbols, 100u);
}

TEST(Generate, RacesWhereAskedFor) {
    GenerateOptions options;
    options.races = true;
    for (std::uint64_t k = 0; k < 20; ++k) {
        const Interpreted interpreted = interpret_case(generate(derived_seed(17, k), options), {});
        ASSERT_TRUE(interpreted.finding);
        EXPECT_EQ(interpreted.finding->detail, "I004");
    }
}

TEST(TestCase, FilesReadBack) {
    const TestCase test = generate(5);
    const Result<TestCase> back = parse_case(to_text(test, "two\nlines"));
    ASSERT_TRUE(back) << render(back.error());
    EXPECT_TRUE(back->sdfg == test.sdfg);
    EXPECT_EQ(back->symbols, test.symbols);
    EXPECT_EQ(back->inputs, test.inputs);
    const Result<TestCase> broken = parse_case("# case: N=three\nsdfg g() {\n}\n", "case.txt");
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().code, "Z001");
    EXPECT_EQ(broken.error().path, "case.txt");
}

}  // namespace
}  // namespace sluice::fuzz
