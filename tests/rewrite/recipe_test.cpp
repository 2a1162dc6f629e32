#include "rewrite/recipe.h"

#include <gtest/gtest.h>

#include "graphs.h"

namespace sluice::rewrite {
namespace {

using symbolic::Expr;
using symbolic::symbol;

TEST(Recipe, LinesReadBackAsTheyPrint) {
    for (const std::string line : {
             "MapTiling @ main(map=gemm) tile_sizes=[32, N]",
             "MapFusion @ loop/choice[1]/body#2(first=\"two words\", second=add#3)",
             "Simplify @",
             "SetStorage @ main(data=csr.indptr) storage=\"Register\" unsafe_assume=[\"L1\", \"L2\"]",
         }) {
        const auto application = parse_application(line);
        ASSERT_TRUE(application) << render(application.error());
        EXPECT_EQ(to_string(*application), line);
    }
}

TEST(Recipe, SpacesInExpressionsAndComments) {
    const auto application = parse_application("MapTiling @ main(map=a) tile_sizes=[N + 1, (2 * M)] skip=N - 1  # halves");
    ASSERT_TRUE(application) << render(application.error());
    EXPECT_EQ(application->options.at("tile_sizes"), "[N + 1, (2 * M)]");
    EXPECT_EQ(application->options.at("skip"), "N - 1");
}

TEST(Recipe, SyntaxErrorsNameLineAndColumn) {
    for (const auto& [text, line, column] : std::vector<std::tuple<std::string, std::uint32_t, std::uint32_t>>{
             {"\nMapTiling @ main(map)", 2, 21},
             {"@ main", 1, 1},
             {"MapTiling @ main(map=\"open", 1, 27},
             {"MapTiling @ main(map=a) tile_sizes=[4", 1, 38},
             {"MapTiling @ main(map=a) tile_sizes", 1, 35},
         }) {
        const auto recipe = parse_recipe(text, "r.recipe");
        ASSERT_FALSE(recipe) << text;
        EXPECT_EQ(recipe.error().code, "E005");
        EXPECT_EQ(recipe.error().where.line, line) << text;
        EXPECT_EQ(recipe.error().where.column, column) << text;
    }
}

TEST(Recipe, OptionsOfEveryTypeReadBack) {
    const std::vector<std::pair<Parameter, OptionValue>> options{
        {{"flag", false, ""}, true},
        {{"count", std::int64_t{1}, ""}, std::int64_t{-7}},
        {{"text", std::string(), ""}, std::string("say \"hi\" \\ now")},
        {{"size", Expr(1), ""}, symbol("N") * 2 + 1},
        {{"names", std::vector<std::string>{}, ""}, std::vector<std::string>{"i", "a, b"}},
        {{"sizes", std::vector<Expr>{}, ""}, std::vector<Expr>{32, symbol("N"), symbolic::minimum(symbol("N"), 4)}},
    };
    for (const auto& [parameter, value] : options) {
        const auto parsed = parse_option(parameter, to_string(value));
        ASSERT_TRUE(parsed) << parameter.name << " " << to_string(value);
        EXPECT_TRUE(*parsed == value) << to_string(value) << " reads as " << to_string(*parsed);
    }
}

TEST(Recipe, OptionsAreCheckedAndConverted) {
    const std::vector<Parameter> parameters{{"size", Expr(1), ""}, {"sizes", std::vector<Expr>{}, ""}, {"flag", false, ""}};
    const auto converted = complete("T", parameters, {{"size", std::int64_t{4}}, {"sizes", std::int64_t{8}}});
    ASSERT_TRUE(converted);
    EXPECT_TRUE(converted->at("size") == OptionValue(Expr(4)));
    EXPECT_TRUE(converted->at("sizes") == OptionValue(std::vector<Expr>{8}));
    EXPECT_TRUE(converted->at("flag") == OptionValue(false));
    EXPECT_EQ(complete("T", parameters, {{"flag", std::string("perhaps")}}).error().code, "E002");
    const auto unknown = complete("T", parameters, {{"sice", Expr(4)}});
    EXPECT_NE(unknown.error().remedy.find("size, sizes, flag"), std::string::npos);
}

TEST(Recipe, WhatNamesBeginWithIsChecked) {
    const std::vector<Parameter> parameters{
        {.name = "prefix", .default_value = std::string("tile"), .help = "", .begins_names = true},
        {.name = "label", .default_value = std::string(), .help = ""}};
    for (const std::string good : {"t", "T_0", "", "_"}) EXPECT_TRUE(complete("T", parameters, {{"prefix", good}})) << good;
    for (const std::string bad : {"2x", "a b", "a-b", "a.b", "\u00e9"}) {
        const auto refused = complete("T", parameters, {{"prefix", bad}});
        ASSERT_FALSE(refused) << bad;
        EXPECT_EQ(refused.error().code, "E002");
        EXPECT_NE(refused.error().message.find("T: names begin with prefix, and none can begin with \"" + bad), std::string::npos);
    }
    EXPECT_TRUE(complete("T", parameters, {{"label", std::string("a b")}})) << "a text that begins no names";
}

TEST(Recipe, AnAmbiguousPlaceIsAskedAbout) {
    const ir::Sdfg sdfg = two_maps();
    const auto found = locate(sdfg, make_sequential().descriptor, parse_application("MakeSequential @ main").value());
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().code, "E006");
    ASSERT_EQ(found.error().notes.size(), 2u);
    EXPECT_EQ(found.error().notes[0].message, "MakeSequential @ main(map=double)");
    EXPECT_EQ(found.error().notes[1].message, "MakeSequential @ main(map=plus)");
}

TEST(Recipe, ALineWithoutAPathMeansTheOnlyPlaceOfTheProgram) {
    const ir::Sdfg sdfg = two_maps();
    const Descriptor& descriptor = make_sequential().descriptor;
    const auto found = locate(sdfg, descriptor, parse_application("MakeSequential @ (map=plus)").value());
    ASSERT_TRUE(found);
    EXPECT_EQ(to_string(sdfg, found->place), "main");
    const auto several = locate(sdfg, descriptor, parse_application("MakeSequential @").value());
    ASSERT_FALSE(several);
    EXPECT_EQ(several.error().code, "E006");
    EXPECT_EQ(several.error().notes.size(), 2u);
}

TEST(Recipe, EqualLabelsAreNumbered) {
    ir::Sdfg sdfg = two_maps();
    for (auto [id, node] : edit_state(sdfg.body, sdfg.body.start).state().nodes)
        if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) map->label = "same";
    const Descriptor descriptor = make_sequential().descriptor;
    const auto matches = find_matches(sdfg, descriptor);
    ASSERT_EQ(matches.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
        const Application application = describe(sdfg, descriptor, matches[i], {});
        EXPECT_EQ(to_string(application), "MakeSequential @ main(map=same#" + std::to_string(i + 1) + ")");
        EXPECT_TRUE(locate(sdfg, descriptor, application).value() == matches[i]);
    }
}

TEST(Place, PathsLeadThroughLoopsBranchesAndNestedGraphs) {
    const auto sdfg = ir::parse_text(R"(sdfg outer(x) {
  array x: float64[10]
  loop over [i: `i = 0`; `i < 10`; `i = i + 1`] {
    conditional choice {
      when `i < 5` {
        state low {
        }
      }
      else {
        state high {
          n0 = access x
          n1 = nested call (x) -> (x) sdfg inner(x) {
            array x: float64[10]
            state deep {
              n0 = map_entry m [j=0:10]
              n1 = tasklet t () -> (o) { o = j }
              n2 = map_exit n0 passing (x)
              n3 = access x
              n0 -> n1
              n1.o -> n2.IN_x : x[j]
              n2.OUT_x -> n3 : x[0:10]
            }
          }
          n2 = access x
          n0 -> n1.x : x[0:10]
          n1.x -> n2 : x[0:10]
        }
      }
    }
  }
})");
    ASSERT_TRUE(sdfg) << render(sdfg.error());
    const auto matches = find_matches(*sdfg, make_sequential().descriptor);
    ASSERT_EQ(matches.size(), 1u);
    const std::string path = to_string(*sdfg, matches[0].place);
    EXPECT_EQ(path, "over/choice[1]/high/call/deep");
    EXPECT_TRUE(find_place(*sdfg, path).value() == matches[0].place);
    EXPECT_EQ(state_at(*sdfg, matches[0].place).nodes.size(), 4u);
    std::size_t regions = 0;
    rewrite::for_each_region(*sdfg, [&](const Place& place, const ir::Region& region) {
        ++regions;
        EXPECT_TRUE(find_place(*sdfg, to_string(*sdfg, place)).value() == place);
        EXPECT_EQ(&region_at(*sdfg, place), &region);
    });
    EXPECT_EQ(regions, 5u);

    for (const auto& [wrong, present] : std::vector<std::pair<std::string, std::string>>{
             {"over/choice[2]", "choice"}, {"over/choice[1]/high/cal", "call"}, {"over/chois[0]/low", "choice"}}) {
        const auto nothing = find_place(*sdfg, wrong);
        ASSERT_FALSE(nothing) << wrong;
        EXPECT_EQ(nothing.error().code, "E004");
        EXPECT_NE(nothing.error().remedy.find(present), std::string::npos) << nothing.error().remedy;
    }

    // Editing through a place copies what other copies share.
    ir::Sdfg draft = *sdfg;
    std::get<ir::MapEntry>(state_at(draft, matches[0].place).nodes[matches[0].nodes[0]].kind).label = "changed";
    EXPECT_EQ(std::get<ir::MapEntry>(state_at(*sdfg, matches[0].place).nodes[matches[0].nodes[0]].kind).label, "m");
}

}  // namespace
}  // namespace sluice::rewrite
