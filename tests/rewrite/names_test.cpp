// Further names of transformations: what they stand for, and who comes first.
#include <gtest/gtest.h>

#include "graphs.h"

namespace sluice::rewrite {
namespace {

Registry with_names() {
    Registry registry;
    registry.add(make_sequential());
    registry.add_name({.name = "InOrder", .meanings = {{"MakeSequential", {}}}, .missing = {}});
    registry.add_name({.name = "OnTheMoon", .meanings = {}, .missing = "the moon"});
    return registry;
}

TEST(Names, AFurtherNameIsRecordedAsWhatItStandsFor) {
    Session session(two_maps(), with_names());
    ASSERT_TRUE(session.replay("InOrder @ main(map=plus)"));
    EXPECT_EQ(session.recipe(), "MakeSequential @ main(map=plus)\n");
    EXPECT_EQ(&session.registry().at("InOrder"), session.registry().find("MakeSequential"));
    EXPECT_EQ(session.registry().find("InOrder"), nullptr);
}

TEST(Names, AMissingTargetIsNamed) {
    Session session(two_maps(), with_names());
    const auto done = session.replay("OnTheMoon @ main(map=plus)");
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, "E011");
    EXPECT_NE(done.error().message.find("the moon"), std::string::npos);
}

TEST(Names, ATransformationOfTheNameStandsBeforeIt) {
    Registry registry = with_names();
    Transformation own = make_sequential();
    own.descriptor.name = "OnTheMoon";
    registry.add(own);
    Session session(two_maps(), registry);
    ASSERT_TRUE(session.replay("OnTheMoon @ main(map=plus)"));
    EXPECT_EQ(session.recipe(), "OnTheMoon @ main(map=plus)\n");
}

TEST(Names, TheRefusalIsToldRatherThanThatThePlaceIsAnother) {
    Registry registry = with_names();
    Transformation elsewhere = make_sequential();
    elsewhere.descriptor.name = "Elsewhere";
    elsewhere.descriptor.patterns = {chain({{"tasklet", kind::tasklet}})};
    registry.add(elsewhere);
    registry.add_name({.name = "Either", .meanings = {{"Elsewhere", {}}, {"MakeSequential", {}}}, .missing = {}});
    Session session(two_maps(), registry);
    ASSERT_TRUE(session.replay("Either @ main(map=plus)"));
    EXPECT_EQ(session.recipe(), "MakeSequential @ main(map=plus)\n");
    EXPECT_EQ(session.replay("Either @ main(map=plus)").error().code, "E007") << "it is sequential already";
}

}  // namespace
}  // namespace sluice::rewrite
