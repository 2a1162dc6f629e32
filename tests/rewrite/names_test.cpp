// Further names of transformations: what they stand for, and who comes first.
#include <gtest/gtest.h>

#include "graphs.h"

namespace sluice::rewrite {
namespace {

Registry with_names() {
    Registry registry;
    registry.add(make_sequential());
    registry.add_name({.name = "InOrder", .meanings = {{"MakeSequential", {}}}});
    return registry;
}

TEST(Names, AFurtherNameIsRecordedAsWhatItStandsFor) {
    Session session(two_maps(), with_names());
    ASSERT_TRUE(session.replay("InOrder @ main(map=plus)"));
    EXPECT_EQ(session.recipe(), "MakeSequential @ main(map=plus)\n");
    EXPECT_EQ(&session.registry().at("InOrder"), session.registry().find("MakeSequential"));
    EXPECT_EQ(session.registry().find("InOrder"), nullptr);
}

TEST(Names, ATransformationOfTheNameStandsBeforeIt) {
    Registry registry = with_names();
    Transformation own = make_sequential();
    own.descriptor.name = "InOrder";
    registry.add(own);
    Session session(two_maps(), registry);
    ASSERT_TRUE(session.replay("InOrder @ main(map=plus)"));
    EXPECT_EQ(session.recipe(), "InOrder @ main(map=plus)\n");
}

TEST(Names, TheRefusalIsToldRatherThanThatThePlaceIsAnother) {
    Registry registry = with_names();
    Transformation elsewhere = make_sequential();
    elsewhere.descriptor.name = "Elsewhere";
    elsewhere.descriptor.patterns = {chain({{"tasklet", kind::tasklet}})};
    registry.add(elsewhere);
    registry.add_name({.name = "Either", .meanings = {{"Elsewhere", {}}, {"MakeSequential", {}}}});
    Session session(two_maps(), registry);
    ASSERT_TRUE(session.replay("Either @ main(map=plus)"));
    EXPECT_EQ(session.recipe(), "MakeSequential @ main(map=plus)\n");
    EXPECT_EQ(session.replay("Either @ main(map=plus)").error().code, "E007") << "it is sequential already";
}

}  // namespace
}  // namespace sluice::rewrite
