#include <gtest/gtest.h>

#include "graphs.h"

namespace sluice::rewrite {
namespace {

Registry registry_of(Transformation transformation) {
    Registry registry;
    registry.add(std::move(transformation));
    return registry;
}

Match only(const ir::Sdfg& sdfg, const Transformation& transformation, const std::string& name) {
    for (const Match& match : find_matches(sdfg, transformation.descriptor))
        if (bare_name(state_at(sdfg, match.place), match.nodes[0]) == name) return match;
    ADD_FAILURE() << "no match named " << name;
    return {};
}

TEST(Session, AppliesRecordsAndUndoes) {
    const ir::Sdfg before = two_maps();
    Session session(before, registry_of(make_sequential()));
    const auto outcome = session.apply("MakeSequential", only(before, make_sequential(), "plus"));
    ASSERT_TRUE(outcome && std::holds_alternative<Applied>(*outcome));
    EXPECT_FALSE(session.program() == before);
    EXPECT_EQ(session.recipe(), "MakeSequential @ main(map=plus)\n");
    EXPECT_TRUE(session.undo());
    EXPECT_TRUE(session.program() == before);
    EXPECT_FALSE(session.undo());
}

TEST(Session, ReplayOnTheSameSourceGivesTheSameGraph) {
    Session session(two_maps(), registry_of(make_sequential()));
    const std::vector<std::string> names{"MakeSequential"};
    EXPECT_EQ(session.apply_repeated(names).value(), 2u);
    Session again(two_maps(), registry_of(make_sequential()));
    ASSERT_TRUE(again.replay(session.recipe()));
    EXPECT_TRUE(again.program() == session.program());
}

TEST(Session, ReplayOnAnEditedSourceNamesTheFirstLineThatNoLongerFits) {
    Session session(two_maps("renamed"), registry_of(make_sequential()));
    const auto done =
        session.replay("# both maps\nMakeSequential @ renamed(map=double)\nMakeSequential @ renamed(map=minus)\n", "a.recipe");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, "E004");
    EXPECT_NE(render(done.error()).find("line 3 of the recipe"), std::string::npos) << render(done.error());
    EXPECT_NE(render(done.error()).find("note: MakeSequential @ renamed(map=double)\nnote: MakeSequential @ renamed(map=plus)\n"),
              std::string::npos)
        << render(done.error());
    EXPECT_TRUE(session.program() == two_maps("renamed")) << "the first line is undone with the rest";
    EXPECT_TRUE(session.trace().empty());

    const auto gone = session.replay("MakeSequential @ main(map=double)\n");
    ASSERT_FALSE(gone);
    EXPECT_NE(render(gone.error()).find("use one of the names that are here: renamed"), std::string::npos) << render(gone.error());
}

TEST(Session, ARefusalLeavesTheProgramAndIsToldWithItsPlace) {
    Session session(two_maps(), registry_of(make_sequential()));
    const auto done = session.replay("MakeSequential @ main(map=plus) taboo=\"plus\"");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, "E007");
    EXPECT_EQ(done.error().path, "two/main");
    EXPECT_EQ(done.error().message, "MakeSequential refused (S2): plus is taboo");
    EXPECT_TRUE(session.program() == two_maps());
}

TEST(Session, WhatTheCallerVouchesForIsRecorded) {
    Session session(two_maps(), registry_of(make_sequential()));
    ASSERT_TRUE(session.replay("MakeSequential @ main(map=plus) taboo=plus unsafe_assume=[S2]"));
    EXPECT_EQ(session.recipe(), "MakeSequential @ main(map=plus) taboo=\"plus\" unsafe_assume=[\"S2\"]\n");
}

TEST(Session, AnInvalidDraftIsDropped) {
    const auto spoil = [](Draft& draft) { draft.get<ir::MapEntry>("map").params.push_back("extra"); };
    Session session(two_maps(), registry_of(make_sequential(spoil)));
    const auto done = session.replay("MakeSequential @ main(map=plus)");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, "E003");
    EXPECT_TRUE(session.program() == two_maps());
}

TEST(Session, WhatWasPlannedIsCarriedOut) {
    std::size_t asked = 0;
    Registry registry;
    registry.add(transformation(
        make_sequential().descriptor,
        [&asked](const Site& site) -> Planned<std::string> {
            ++asked;
            const auto& map = site.get<ir::MapEntry>("map");
            if (map.label.ends_with("_planned")) return Refusal{.code = "S1", .why = "it has its label"};
            return map.label + "_planned";
        },
        [](Draft& draft, const std::string& label) { draft.get<ir::MapEntry>("map").label = label; }));
    Session session(two_maps(), registry);
    ASSERT_TRUE(session.replay("MakeSequential @ main(map=plus)"));
    EXPECT_EQ(asked, 1u) << "nothing is proven twice";
    EXPECT_TRUE(session.replay("MakeSequential @ main(map=plus_planned)").error().code == "E007");
}

TEST(Session, WhatWasNotTouchedIsVerifiedAtTheEnd) {
    // The container of the other map goes: the edit touches neither its access nodes nor their memlets.
    const auto spoil = [](Draft& draft) { draft.sdfg().containers.erase("tmp"); };
    Session session(two_maps(), registry_of(make_sequential(spoil)));
    const std::vector<std::string> names{"MakeSequential"};
    const auto count = session.apply_repeated(names, {}, 1);
    ASSERT_FALSE(count);
    EXPECT_EQ(count.error().code, "E003");
    EXPECT_TRUE(session.program() == two_maps()) << "what was applied is undone";
    EXPECT_TRUE(session.trace().empty());
    session.verify_everything(true);
    const Match match = only(two_maps(), make_sequential(), "plus");
    EXPECT_EQ(session.apply("MakeSequential", match).error().code, "E003");
}

TEST(Session, WhatWasInvalidBeforeIsNotBlamedOnTheTransformation) {
    ir::Sdfg invalid = two_maps();
    invalid.containers.erase("tmp");
    std::set<std::string> own;
    for (const Diagnostic& problem : ir::verify(invalid)) own.insert(problem.code);
    Session session(invalid, registry_of(make_sequential()));
    const auto done = session.replay("MakeSequential @ main(map=plus)");
    ASSERT_FALSE(done);
    EXPECT_TRUE(own.contains(done.error().code)) << done.error().code;
    const std::vector<std::string> names{"MakeSequential"};
    const auto count = session.apply_repeated(names, {}, 1);
    ASSERT_FALSE(count);
    EXPECT_TRUE(own.contains(count.error().code)) << count.error().code;
    EXPECT_TRUE(session.program() == invalid);
}

TEST(Session, DisabledTransformationsAndUnknownOnes) {
    Session session(two_maps(), registry_of(make_sequential()));
    session.disabled.insert("MakeSequential");
    const std::vector<std::string> names{"MakeSequential"};
    EXPECT_EQ(session.apply_repeated(names).value(), 0u);
    const auto unknown = session.replay("MakeSequentiel @ main(map=plus)");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().code, "E001");
    EXPECT_NE(unknown.error().remedy.find("MakeSequential"), std::string::npos);
}

TEST(Session, RepetitionThatDoesNotEndIsAnError) {
    Transformation toggle = make_sequential([](Draft& draft) {
        auto& map = draft.get<ir::MapEntry>("map");
        map.unroll = !map.unroll;
    });
    Session session(two_maps(), registry_of(toggle));
    const std::vector<std::string> names{"MakeSequential"};
    const auto count = session.apply_repeated(names);
    ASSERT_FALSE(count);
    EXPECT_EQ(count.error().code, "E008");
    EXPECT_EQ(session.apply_repeated(names, {}, 3).value(), 3u);
}

TEST(Session, AMatchThatIsGoneIsStale) {
    ir::Sdfg sdfg = two_maps();
    const Match match = only(sdfg, make_sequential(), "plus");
    edit_state(sdfg.body, match.place.state).state().nodes[match.nodes[0]].kind = ir::Access{.data = "x"};
    const auto refusal = can_apply(sdfg, make_sequential(), match);
    ASSERT_TRUE(refusal && *refusal);
    EXPECT_EQ((*refusal)->code, "stale");
}

TEST(Session, ReportsEachChange) {
    Session session(two_maps(), registry_of(make_sequential()));
    std::vector<std::string> seen;
    session.on_change = [&](const Applied& applied, const ir::Sdfg& before, const ir::Sdfg& after) {
        EXPECT_FALSE(before == after);
        seen.push_back(applied.application().nodes.at("map"));
    };
    const std::vector<std::string> names{"MakeSequential"};
    ASSERT_TRUE(session.apply_repeated(names));
    EXPECT_EQ(seen, (std::vector<std::string>{"double", "plus"}));
}

}  // namespace
}  // namespace sluice::rewrite
