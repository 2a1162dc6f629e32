// What is written: the checklist of the format, both dialects, and that unknown content survives.
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "ir/builder.h"
#include "json_data.h"

namespace sluice::interchange {

namespace {

constexpr auto kLegacy = JsonOptions::Dialect::legacy;
constexpr auto kDollar = JsonOptions::Dialect::dollar;

void expect_round_trip(const std::string& bytes, const std::string& name) {
    const Sdfg sdfg = load(bytes, name);
    for (const auto dialect : {kLegacy, kDollar}) {
        const std::string text = to_json(sdfg, {.dialect = dialect});
        const Sdfg again = load(text, name);
        EXPECT_EQ(again, sdfg) << name;
        EXPECT_EQ(to_json(again, {.dialect = dialect}), text) << name << ": metadata differ";
    }
}

}  // namespace

TEST(JsonWrite, RoundTrips) {
    for (const char* name : {"scale_dollar.sdfg", "scale_legacy.sdfg", "control_flow.sdfg", "old.sdfg", "extras.sdfg"})
        expect_round_trip(data_file(name), name);
}

TEST(JsonWrite, LoopWithoutConditionKeepsItsBytes) {
    Sdfg g{.name = "g"};
    LoopRegion endless{.variable = "i", .init = CodeBlock{"i = 0"}, .condition = {}, .update = CodeBlock{"i = i + 1"}, .body = {}};
    add_block(g.body, Block{.label = "forever", .kind = endless, .metadata = {}});
    const std::string once = to_json(g);
    EXPECT_EQ(to_json(load(once)), once);
}

TEST(JsonWrite, OfMembersOfOneNameTheLastCounts) {
    std::string text = data_file("scale_dollar.sdfg");
    replace(text, "\"label\": \"main\"", "\"label\": \"other\", \"label\": \"main\"");
    const std::string once = to_json(load(text));
    EXPECT_EQ(once, to_json(load(data_file("scale_dollar.sdfg"))));
    EXPECT_EQ(to_json(load(once)), once);
}

// Files of other programs, where a directory of them is at hand.
TEST(JsonWrite, SampleFilesRoundTrip) {
    const char* directory = std::getenv("SLUICE_SDFG_SAMPLES");
    if (!directory) GTEST_SKIP() << "SLUICE_SDFG_SAMPLES is not set";
    for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
        const std::string extension = entry.path().extension();
        if (extension == ".sdfg" || extension == ".sdfgz") expect_round_trip(read_bytes(entry.path()), entry.path());
    }
}

TEST(JsonWrite, Checklist) {
    const std::string text = to_json(load(data_file("scale_dollar.sdfg")));
    EXPECT_EQ(text[0], '{');
    const nlohmann::json root = nlohmann::json::parse(text);
    EXPECT_EQ(root["dace_version"], "2.0.0a6");
    EXPECT_EQ(root["label"], "");
    EXPECT_TRUE(root["id"].is_null());
    EXPECT_EQ(root["source_files"], nlohmann::json::array({"scale.py"}));
    EXPECT_EQ(root["start_block"], 0);
    const nlohmann::json& arrays = root["attributes"]["_arrays"];
    EXPECT_EQ(arrays["s"]["attributes"]["shape"], nlohmann::json::array({"1"}));
    EXPECT_EQ(arrays["A"]["attributes"]["shape"][0], "symbol($N, dtype=dace.int64)");
    EXPECT_EQ(arrays["A"]["attributes"]["strides"], nlohmann::json::array({"1"}));
    EXPECT_EQ(root["attributes"]["global_code"]["frame"]["language"], "CPP");
    EXPECT_FALSE(root["attributes"].contains("using_explicit_control_flow"));

    const nlohmann::json& state = root["nodes"][0];
    EXPECT_EQ(state["scope_dict"], nlohmann::json::parse(R"({"-1":[0,1,4,5],"1":[2,3]})"));
    EXPECT_EQ(state["id"], 0);
    const nlohmann::json& entry = state["nodes"][1];
    EXPECT_TRUE(entry["scope_entry"].is_null());
    EXPECT_EQ(entry["scope_exit"], "3");
    EXPECT_EQ(state["nodes"][2]["scope_entry"], "1");
    EXPECT_EQ(state["nodes"][2]["scope_exit"], "3");
    EXPECT_EQ(state["nodes"][3]["scope_entry"], "1");
    EXPECT_EQ(state["nodes"][3]["scope_exit"], "3");
    EXPECT_TRUE(state["nodes"][0]["label"].is_string());
    EXPECT_EQ(entry["attributes"]["range"]["ranges"][0],
              nlohmann::json::parse(R"x({"start":"0","end":"-1 + symbol($N, dtype=dace.int64)","step":"1","tile":"1"})x"));
    const nlohmann::json& edge = state["edges"][5];
    EXPECT_EQ(edge["src"], "3");
    EXPECT_TRUE(edge["dst_connector"].is_null());
    const nlohmann::json& scalar = state["edges"][3]["attributes"]["data"]["attributes"];
    EXPECT_EQ(scalar["volume"], "1");
    EXPECT_EQ(scalar["subset"]["ranges"][0]["end"], "0");
}

TEST(JsonWrite, RegionsAreNumberedInPreOrder) {
    const nlohmann::json root = nlohmann::json::parse(to_json(load(data_file("control_flow.sdfg"))));
    EXPECT_EQ(root["attributes"]["using_explicit_control_flow"], true);
    EXPECT_EQ(root["cfg_list_id"], 0);
    EXPECT_EQ(root["nodes"][0]["cfg_list_id"], 1);
    const nlohmann::json& pick = root["nodes"][0]["nodes"][0];
    EXPECT_EQ(pick["cfg_list_id"], 2);
    EXPECT_TRUE(pick["start_block"].is_null());
    EXPECT_EQ(pick["branches"][0][1]["cfg_list_id"], 3);
    EXPECT_EQ(pick["branches"][0][1]["label"], "yes");
    EXPECT_EQ(pick["branches"][0][1]["attributes"]["guid"], "r");
    EXPECT_TRUE(pick["branches"][0][1]["id"].is_null());
    EXPECT_TRUE(pick["branches"][1][0].is_null());
    EXPECT_EQ(root["nodes"][1]["cfg_list_id"], 5);
    EXPECT_EQ(root["nodes"][3]["start_block"], 1);
}

TEST(JsonWrite, LegacyDialect) {
    const std::string text = to_json(load(data_file("scale_dollar.sdfg")), {.dialect = kLegacy});
    EXPECT_EQ(text.find('$'), std::string::npos);
    const nlohmann::json root = nlohmann::json::parse(text);
    EXPECT_EQ(root["dace_version"], "1.0.2");
    EXPECT_EQ(root["attributes"]["_arrays"]["A"]["attributes"]["shape"][0], "N");
    EXPECT_EQ(root["attributes"]["debuginfo"],
              nlohmann::json::parse(
                  R"({"type":"DebugInfo","start_line":3,"end_line":7,"start_column":4,"end_column":4,"filename":"scale.py"})"));
}

TEST(JsonWrite, UnknownContentSurvives) {
    const nlohmann::json root = nlohmann::json::parse(to_json(load(data_file("extras.sdfg"))));
    EXPECT_EQ(root["viewer"], "left");
    EXPECT_EQ(root["error"]["message"], "old");
    EXPECT_EQ(root["attributes"]["vendor"], nlohmann::json::parse(R"({"deep":[1,null,{"k":2.5}]})"));
    EXPECT_EQ(root["attributes"]["logical_groups"][0]["name"], "hot");
    EXPECT_EQ(root["attributes"]["_arrays"]["W"]["type"], "ParameterArray");
    EXPECT_EQ(root["attributes"]["_arrays"]["W"]["attributes"]["gradient"], "gW");
    EXPECT_EQ(root["attributes"]["_arrays"]["T"]["attributes"]["tensor_shape"], nlohmann::json::array({"$M", "2"}));
    const nlohmann::json& state = root["nodes"][0];
    EXPECT_EQ(state["collapsed"], true);
    EXPECT_EQ(state["attributes"]["color"], "red");
    EXPECT_EQ(state["nodes"][0]["vendor_key"], 7);
    EXPECT_EQ(state["nodes"][0]["attributes"]["layout"]["x"], 1);
    EXPECT_EQ(state["nodes"][1]["classpath"], "vendor.nodes.odd.Odd");
    EXPECT_EQ(state["nodes"][1]["attributes"]["table"], nlohmann::json::parse(R"({"k":[1]})"));
    EXPECT_EQ(state["nodes"][1]["attributes"]["mode"], "fast $x");
    EXPECT_EQ(state["nodes"][2]["attributes"]["schedule"], "Quantum_Device") << "an enumerator we do not know";
    EXPECT_EQ(state["nodes"][2]["attributes"]["identity"], "0");
    EXPECT_EQ(state["edges"][0]["x"], 1.5);
    EXPECT_EQ(state["edges"][0]["width"], 3);
    EXPECT_EQ(state["edges"][0]["attributes"]["data"]["note"], "m");
    const nlohmann::json legacy = nlohmann::json::parse(to_json(load(data_file("extras.sdfg")), {.dialect = kLegacy}));
    EXPECT_EQ(legacy["attributes"]["_arrays"]["T"]["attributes"]["tensor_shape"], nlohmann::json::array({"M", "2"}));
    EXPECT_EQ(legacy["nodes"][0]["nodes"][2]["attributes"]["identity"], 0);
}

TEST(JsonWrite, ErasedElementsLeaveNoHoles) {
    Sdfg sdfg = load(data_file("scale_dollar.sdfg"));
    State& state = *as_state(sdfg.body.blocks[BlockId(0)]);
    state.edges.erase(EdgeId(0));
    state.nodes.erase(NodeId(0));
    const nlohmann::json written = nlohmann::json::parse(to_json(sdfg))["nodes"][0];
    EXPECT_EQ(written["nodes"].size(), 5u);
    EXPECT_EQ(written["nodes"][0]["scope_exit"], "2");
    EXPECT_EQ(written["edges"][4]["src"], "2");
}

TEST(JsonWrite, ReadableTextIsTheSameDocument) {
    const Sdfg sdfg = load(data_file("control_flow.sdfg"));
    const std::string readable = to_json(sdfg, {.readable = true});
    EXPECT_EQ(readable.substr(0, 22), "{\n  \"type\": \"SDFG\",\n  ");
    EXPECT_EQ(nlohmann::json::parse(readable), nlohmann::json::parse(to_json(sdfg)));
}

TEST(JsonWrite, TextOutsideAscii) {
    Sdfg sdfg{.name = "caf\xc3\xa9 \xf0\x9f\x98\x80 \x01\"\\\n bad \xff"};
    const std::string text = to_json(sdfg);
    EXPECT_NE(text.find(R"("caf\u00e9 \ud83d\ude00 \u0001\"\\\n bad \ufffd")"), std::string::npos);
}

TEST(JsonWrite, BuiltGraph) {
    Sdfg sdfg{.name = "built"};
    add_symbol(sdfg, "N");
    add_array(sdfg, "x", code::Scalar::Float64, {symbolic::symbol("N")});
    StateBuilder state = add_state(sdfg, "main");
    state.mapped_tasklet("twice", {{"i", "0:N"}}, {{"a", "x[i]"}}, "b = 2 * a", {{"b", "x[i]"}});
    expect_round_trip(to_json(sdfg), "built");
    EXPECT_EQ(load(to_json(sdfg)), sdfg);
}

}  // namespace sluice::interchange
