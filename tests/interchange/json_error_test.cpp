// Every diagnostic of the .sdfg reader: code, text and place; and that damaged input never does worse than that.
#include <cstdlib>

#include "json_data.h"

namespace sluice::interchange {

namespace {

Diagnostic error_of(const std::string& bytes) {
    const Result<Sdfg> sdfg = from_json(bytes, "bad.sdfg");
    if (sdfg.ok()) {
        ADD_FAILURE() << "loads";
        return {};
    }
    return sdfg.error();
}

// The error after one edit of a file that loads, as `code pointer: message`.
std::string after(const std::string& from, const std::string& to, const char* name = "scale_dollar.sdfg") {
    std::string text = data_file(name);
    replace(text, from, to);
    const Diagnostic d = error_of(text);
    EXPECT_EQ(*d.where.file, "bad.sdfg");
    EXPECT_FALSE(d.remedy.empty());
    return d.code + " " + d.path + ": " + d.message;
}

}  // namespace

TEST(JsonError, NoSdfg) {
    EXPECT_EQ(render(error_of("")), "bad.sdfg: error J002: the file is empty\nhelp: Save the graph again\n");
    EXPECT_EQ(error_of(" \n\t").message, "the file is empty");
    EXPECT_EQ(error_of("\x80\x04pickle").message, "the file is a Python pickle, not JSON");
    EXPECT_EQ(error_of("hello").message, "the file is no SDFG: it does not begin with `{`");
}

TEST(JsonError, Malformed) {
    const Diagnostic d = error_of("{\n  \"type\": \"SDFG\",\n  \"x\": [NaN, }\n");
    EXPECT_EQ(d.code, "J001");
    EXPECT_EQ(d.where.line, 3u);
    EXPECT_EQ(d.where.column, 14u);
    EXPECT_NE(d.message.find("the file is not valid JSON: syntax error"), std::string::npos);
    EXPECT_EQ(error_of("{\"type\": \"SDFG\"").code, "J001");
    EXPECT_EQ(error_of("{} {}").code, "J001");
    EXPECT_EQ(error_of("{\"a\": \"\xff\"}").code, "J001") << "invalid UTF-8";
}

TEST(JsonError, Gzip) {
    const std::string packed = to_json(load(data_file("scale_dollar.sdfg")), {.compressed = true});
    EXPECT_EQ(load(packed), load(data_file("scale_dollar.sdfg")));
    EXPECT_EQ(error_of(packed.substr(0, packed.size() / 2)).message, "the gzip data end too early");
    EXPECT_EQ(error_of(packed.substr(0, 2)).code, "J003");
    std::string damaged = packed;
    damaged[20] = static_cast<char>(damaged[20] ^ 0x55);
    EXPECT_EQ(error_of(damaged).code, "J003");
}

TEST(JsonError, NestsTooDeep) {
    EXPECT_EQ(error_of("{\"a\":" + std::string(100000, '[')).code, "J004");
    std::string text = data_file("scale_dollar.sdfg");
    replace(text, "\"guid\": \"0cb", "\"odd\": " + std::string(200, '[') + std::string(200, ']') + ", \"guid\": \"0cb");
    EXPECT_TRUE(from_json(text).ok());
}

TEST(JsonError, PlacesArePointers) {
    EXPECT_EQ(after("\"src\": \"3\"", "\"src\": \"17\""), "J007 /nodes/0/edges/5/src: index 17 names none of the 6 nodes");
    EXPECT_EQ(after("\"src\": \"3\"", "\"src\": -1"), "J007 /nodes/0/edges/5/src: index -1 names none of the 6 nodes");
    EXPECT_EQ(after("\"src\": \"3\"", "\"source\": \"3\""), "J005 /nodes/0/edges/5: the key `src` is missing");
    EXPECT_EQ(after("\"volume\": \"$N\"", "\"volume\": [1]"),
              "J006 /nodes/0/edges/0/attributes/data/attributes/volume: expected a symbolic expression, found an array");
    EXPECT_EQ(after("\"volume\": \"$N\"", "\"volume\": \"$N +\""),
              "J010 /nodes/0/edges/0/attributes/data/attributes/volume: the expression `$N +` ends too early (column 5)");
    EXPECT_EQ(after("\"float64\"", "\"float65\""), "J011 /attributes/_arrays/A/attributes/dtype: unknown data type `float65`");
    EXPECT_EQ(after("\"Tasklet\"", "\"PipelineEntry\""), "J009 /nodes/0/nodes/2/attributes: unknown node type `PipelineEntry`");
    EXPECT_EQ(after("\"SDFGState\"", "\"Blob\""), "J009 /nodes/0: unknown block type `Blob`");
    EXPECT_EQ(after("\"step\": \"1\"", "\"step\": \"0\""),
              "J013 /nodes/0/nodes/1/attributes/range/ranges/0: the step of the range is 0");
    EXPECT_EQ(after("\"i\"\n", "\"i\", \"j\"\n"), "J013 /nodes/0/nodes/1/attributes: the map has 2 parameters and 1 ranges");
}

TEST(JsonError, DanglingScopes) {
    EXPECT_EQ(after("\"scope_exit\": \"3\"", "\"scope_exit\": \"30\""),
              "J007 /nodes/0/nodes/1/scope_exit: index 30 names none of the 6 nodes");
    EXPECT_EQ(after("\"scope_exit\": \"3\"", "\"scope_exit\": \"4\""),
              "J008 /nodes/0/nodes/1/scope_exit: node 4 does not end the scope that this node opens");
    EXPECT_EQ(after("\"id\": 3,\n     \"scope_entry\": \"1\"", "\"id\": 3,\n     \"scope_entry\": \"2\""),
              "J008 /nodes/0/nodes/3/scope_entry: node 2 does not open the scope that this node ends");
}

TEST(JsonError, OtherFiles) {
    std::string text = data_file("old.sdfg");
    const std::size_t begin = text.find("\"sdfg\": \"");
    const std::size_t end = text.find("\",\n", begin);
    text.replace(begin, end + 1 - begin, "\"sdfg\": null, \"ext_sdfg_path\": \"inner.sdfg\"");
    const Diagnostic d = error_of(text);
    EXPECT_EQ(d.code, "J012");
    EXPECT_EQ(d.message, "the nested SDFG lies in another file, `inner.sdfg`");
}

TEST(JsonError, Constants) {
    EXPECT_EQ(after("0.25", "\"x\"", "control_flow.sdfg"),
              "J013 /attributes/constants_prop/table/1/data/1/1: expected a constant of type float32, found a string");
    EXPECT_EQ(after("0.25", "0.25, 1", "control_flow.sdfg"),
              "J013 /attributes/constants_prop/table/1: the constant has 5 elements, its shape 4");
}

TEST(JsonError, HugeConstant) {
    EXPECT_EQ(after("\"2\",\n", "\"4294967296\", \"4294967296\", \"4294967296\",\n", "control_flow.sdfg").substr(0, 4), "J013");
}

// Truncation anywhere and any single changed byte: an error or a graph, never a crash.
TEST(JsonError, DamagedBytes) {
    for (const char* name : {"scale_dollar.sdfg", "control_flow.sdfg", "old.sdfg", "extras.sdfg"}) {
        const std::string text = data_file(name);
        for (std::size_t length = 0; length + 2 < text.size(); length += 97) EXPECT_FALSE(from_json(text.substr(0, length)).ok());
        std::srand(1);
        for (int round = 0; round < 150; ++round) {
            std::string damaged = text;
            damaged[static_cast<std::size_t>(std::rand()) % text.size()] = "\"{}[],:0-$a\\"[std::rand() % 12];
            const Result<Sdfg> sdfg = from_json(damaged);
            if (sdfg.ok()) {
                EXPECT_FALSE(to_json(sdfg.value()).empty());
            }
        }
    }
}

}  // namespace sluice::interchange
