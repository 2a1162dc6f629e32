// Reading of hand-written .sdfg files: every construct lands where the grammar has it.
#include <cmath>

#include "interchange/expression.h"
#include "json_data.h"

namespace sluice::interchange {

namespace {

Expr N() {
    return symbolic::symbol("N");
}

const State& state_of(const Sdfg& sdfg, std::uint32_t block) {
    const State* state = as_state(sdfg.body.blocks[BlockId(block)]);
    EXPECT_NE(state, nullptr);
    return *state;
}

}  // namespace

TEST(JsonRead, MapOverAnArray) {
    const Sdfg sdfg = load(data_file("scale_dollar.sdfg"));
    EXPECT_EQ(sdfg.name, "scale");
    EXPECT_EQ(sdfg.arg_names, (std::vector<std::string>{"A", "B"}));
    EXPECT_EQ(sdfg.symbols.at("N"), DType(code::Scalar::Int64));
    EXPECT_EQ(sdfg.containers.at("A"), sdfg.containers.at("B")) << "strides, size and offset follow from the shape";
    EXPECT_TRUE(sdfg.containers.at("s").shape.empty());
    const State& state = state_of(sdfg, 0);
    const auto& map = std::get<MapEntry>(state.nodes[NodeId(1)].kind);
    EXPECT_EQ(map.range, Subset{{Range::extent(N())}}) << "the file's end is inclusive";
    EXPECT_EQ(std::get<MapExit>(state.nodes[NodeId(3)].kind).entry, NodeId(1));
    EXPECT_TRUE(state.edges[EdgeId(1)].memlet.subset->is_index());
    EXPECT_EQ(state.edges[EdgeId(2)].memlet.subset->rank(), 0u) << "a scalar has no dimension";
    EXPECT_FALSE(state.edges[EdgeId(4)].memlet.is_data_src.has_value()) << "follows from the graph";
    EXPECT_EQ(state.nodes[NodeId(2)].in.at("a"), DType(code::Scalar::Float64));
    EXPECT_TRUE(state.nodes[NodeId(2)].in.at("s").is_void());
}

TEST(JsonRead, DialectsMeanTheSame) {
    EXPECT_EQ(load(data_file("scale_dollar.sdfg")), load(data_file("scale_legacy.sdfg")));
}

TEST(JsonRead, DebugInfoCountsFromOne) {
    for (const char* name : {"scale_dollar.sdfg", "scale_legacy.sdfg"}) {
        const Span where = load(data_file(name)).metadata.where;
        EXPECT_EQ(*where.file, "scale.py");
        EXPECT_EQ(where.line, 3u);
        EXPECT_EQ(where.column, 5u);
        EXPECT_EQ(where.end_line, 7u);
        EXPECT_EQ(where.end_column, 5u);
    }
}

TEST(JsonRead, ControlFlow) {
    const Sdfg sdfg = load(data_file("control_flow.sdfg"));
    const Region& body = sdfg.body;
    EXPECT_EQ(body.start, BlockId(0)) << "the only block without an incoming edge, whatever start_block says";
    const auto& loop = std::get<LoopRegion>(body.blocks[BlockId(0)].kind);
    EXPECT_EQ(loop.variable, "i");
    EXPECT_EQ(loop.condition->text, "i < 10");
    EXPECT_TRUE(loop.inverted && loop.unroll && !loop.update_before_condition);
    EXPECT_EQ(loop.unroll_factor, 2);
    const auto& pick = std::get<ConditionalBlock>(loop.body.blocks[BlockId(0)].kind);
    ASSERT_EQ(pick.branches.size(), 2u);
    EXPECT_EQ(pick.branches[0].condition->text, "q > 3");
    EXPECT_TRUE(std::holds_alternative<BreakBlock>(pick.branches[0].body.blocks[BlockId(0)].kind));
    EXPECT_FALSE(pick.branches[1].condition.has_value());
    Sdfg inner;
    inner.body = std::get<NamedRegion>(body.blocks[BlockId(1)].kind).body;
    EXPECT_TRUE(state_of(inner, 0).nosync);
    const auto& call = std::get<NamedRegion>(body.blocks[BlockId(2)].kind);
    EXPECT_EQ(call.kind, RegionKind::FunctionCallRegion);
    EXPECT_EQ(call.arguments.at("x"), "A");
    const auto& machine = std::get<NamedRegion>(body.blocks[BlockId(3)].kind);
    EXPECT_EQ(machine.kind, RegionKind::UnstructuredControlFlow);
    EXPECT_EQ(machine.body.start, BlockId(1)) << "a cycle: start_block decides";
    EXPECT_EQ(body.transitions[TransitionId(0)].condition.text, "");
    using Assignments = std::vector<std::pair<std::string, std::string>>;
    EXPECT_EQ(body.transitions[TransitionId(1)].assignments, (Assignments{{"z1", "A[0]"}, {"a1", "1"}})) << "in the file's order";
}

TEST(JsonRead, ConstantsAreExact) {
    const Sdfg sdfg = load(data_file("control_flow.sdfg"));
    using Values = std::vector<std::pair<double, double>>;
    EXPECT_EQ(sdfg.constants.at("table").values, (Values{{1.5, 0}, {2, 0}, {-3, 0}, {0.25, 0}}));
    EXPECT_EQ(sdfg.constants.at("big").integers, std::vector<std::int64_t>{-1});
    EXPECT_EQ(sdfg.constants.at("z").values, (Values{{1, -2.5}}));
    EXPECT_EQ(sdfg.constants.at("half").values, (Values{{0.5, 0}}));
}

TEST(JsonRead, BareNanAndInfinity) {
    std::string text = data_file("control_flow.sdfg");
    replace(text, "1.5", "NaN");
    replace(text, "2.0", "Infinity");
    replace(text, "-3.0", "-Infinity");
    const auto values = load(text).constants.at("table").values;
    EXPECT_TRUE(std::isnan(values[0].first));
    EXPECT_EQ(values[1].first, INFINITY);
    EXPECT_EQ(values[2].first, -INFINITY);
    const std::string written = to_json(load(text));
    EXPECT_EQ(load(written), load(text));
    EXPECT_NE(written.find("[[\"NaN\",\"Infinity\"],[\"-Infinity\",0.25]]"), std::string::npos) << "strict JSON";
}

TEST(JsonRead, OldReleases) {
    const Sdfg sdfg = load(data_file("old.sdfg"));
    EXPECT_EQ(sdfg.body.start, BlockId(1)) << "start_state";
    EXPECT_EQ(sdfg.containers.at("v").binding, Binding::View);
    EXPECT_EQ(sdfg.containers.at("v").shape[0], symbolic::floor_divide(N(), 2));
    EXPECT_EQ(sdfg.containers.at("r").binding, Binding::Reference);
    EXPECT_EQ(sdfg.containers.at("A").storage, Storage::FPGA_Global);
    EXPECT_TRUE(std::get<Array>(sdfg.containers.at("A").kind).strides.empty());
    const auto& array = std::get<ContainerArray>(sdfg.containers.at("sa").kind);
    EXPECT_EQ((*array.element)->shape, std::vector<Expr>{8});
    const code::Compound& pair = *sdfg.containers.at("sa").dtype.compound->fields[0].second.compound;
    EXPECT_EQ(pair.fields[1].first, "p");
    EXPECT_EQ(pair.lengths[0].second, "n + 1");
    EXPECT_EQ(std::get<ForeignContainer>(sdfg.containers.at("grid").kind).type, "ProcessGrid");

    const State& state = state_of(sdfg, 0);
    EXPECT_EQ(std::get<MapExit>(state.nodes[NodeId(3)].kind).entry, NodeId(1)) << "scope_exits";
    const auto& map = std::get<MapEntry>(state.nodes[NodeId(1)].kind);
    EXPECT_EQ(map.range.dims[0].end, N()) << "main is exact";
    EXPECT_EQ(map.schedule, Schedule::FPGA_Device);
    EXPECT_TRUE(state.nodes[NodeId(1)].in.contains("IN_1"));
    const auto& nested = std::get<NestedSdfg>(state.nodes[NodeId(2)].kind);
    EXPECT_EQ(nested.sdfg->name, "inner") << "a nested SDFG as text";
    EXPECT_EQ(nested.symbol_mapping.at("L"), Expr(2) * N());
    EXPECT_EQ(std::get<LibraryNode>(state.nodes[NodeId(4)].kind).classpath, "dace.libraries.linalg.nodes.transpose.Transpose");
    EXPECT_EQ(*state.edges[EdgeId(0)].memlet.subset, Subset::indices({3, N() + 1})) << "Indices";
    EXPECT_EQ(state.edges[EdgeId(1)].memlet.subset->dims[0], (Range{9, -1, -2, 1})) << "a negative step ends before";
    EXPECT_EQ(state.edges[EdgeId(1)].memlet.volume, symbolic::ceil_divide(N(), 3));
    EXPECT_TRUE(state.edges[EdgeId(2)].memlet.empty());
}

TEST(JsonRead, LibraryProperties) {
    const Sdfg sdfg = load(data_file("extras.sdfg"));
    const auto& odd = std::get<LibraryNode>(state_of(sdfg, 0).nodes[NodeId(1)].kind);
    EXPECT_EQ(odd.operation, "Odd");
    EXPECT_EQ(odd.properties.at("alpha"), Property(Expr(2) * symbolic::symbol("M"))) << "symbolic by its name";
    EXPECT_EQ(odd.properties.at("mode"), Property(std::string("fast $x"))) << "a text stays a text";
    EXPECT_EQ(odd.properties.at("axes"), Property(std::vector<std::int64_t>{0, 1}));
    EXPECT_EQ(odd.properties.at("scale"), Property(0.5));
    EXPECT_EQ(odd.properties.at("nothing"), Property(std::monostate{}));
    const auto& reduce = std::get<LibraryNode>(state_of(sdfg, 0).nodes[NodeId(2)].kind);
    EXPECT_EQ(reduce.properties.at("identity"), Property(std::int64_t{0})) << "a number as text";
    EXPECT_EQ(reduce.schedule, Schedule::Undefined);
}

TEST(JsonRead, SymbolsDeclaredOnlyInExpressions) {
    const Sdfg sdfg = load(data_file("extras.sdfg"));
    EXPECT_EQ(sdfg.symbols.at("k"), DType(code::Scalar::Int16));
    EXPECT_NE(to_json(sdfg).find("symbol($k, dtype=dace.int16, nonnegative=True)"), std::string::npos) << "assumptions survive";
}

TEST(JsonRead, SymbolsTakeTheTypeOfWhatIsAssigned) {
    std::string text = data_file("control_flow.sdfg");
    const Sdfg before = load(text);
    ASSERT_FALSE(before.symbols.contains("measured"));
    replace(text, "\"assignments\": {", "\"assignments\": {\"measured\": \"A[0] / 2\", \"whole\": \"3\", ");
    const Sdfg after = load(text);
    EXPECT_EQ(after.symbols.at("measured"), DType(code::Scalar::Float64));
    EXPECT_FALSE(after.symbols.contains("whole")) << "undeclared symbols are integers";
    EXPECT_EQ(load(to_json(after)).symbols, after.symbols);
}

TEST(JsonRead, VersionSelectsTheDialect) {
    for (const auto& [version, dollar] : {std::pair{"2.0.0a10", true},
                                          {"2.0.0a4", true},
                                          {"2.0.0", true},
                                          {"2.1", true},
                                          {"2.0.0a3", false},
                                          {"1.0.2", false},
                                          {"0.16.1", false},
                                          {"2.0.0.dev1", false}}) {
        std::string text = data_file("scale_legacy.sdfg");
        replace(text, "1.0.2", version);
        replace(text, "\"volume\": \"N\"", "\"volume\": \"E\"");  // e in the new dialect, a symbol in the old
        const Expr volume = state_of(load(text), 0).edges[EdgeId(0)].memlet.volume;
        EXPECT_EQ(volume.is_symbol("E"), !dollar) << version;
    }
}

}  // namespace sluice::interchange
