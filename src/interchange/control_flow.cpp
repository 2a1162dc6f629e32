// Blocks, regions and interstate edges.
#include <algorithm>
#include <array>

#include "interchange/elements.h"
#include "interchange/read_values.h"
#include "interchange/write_values.h"

namespace sluice::interchange {

namespace {

void read_transition(Reader& reader, Value& value, std::size_t blocks, Transition& out) {
    Members keys(reader, value);
    const auto end = [&](std::string_view key) {
        const Value& index = keys.need(key);
        const Place here(reader, key);
        return BlockId(read_index(reader, index, blocks, "blocks"));
    };
    out.src = end("src");
    out.dst = end("dst");
    Value none{Value::Object{}}, no_data{Value::Object{}}, no_attributes{Value::Object{}};
    Value* found = keys.take("attributes");
    const Place here(reader, "attributes");
    Members edge_attributes(reader, found ? *found : none);
    Value* data = edge_attributes.take("data");
    const Place there(reader, "data");
    Members data_keys(reader, data ? *data : no_data);
    Value* inner = data_keys.take("attributes");
    const Place inside(reader, "attributes");
    Members attributes(reader, inner ? *inner : no_attributes);

    if (Value* condition = attributes.take("condition")) {
        const Place at(reader, "condition");
        read(reader, *condition, out.condition);
        if (out.condition.text == "1" && out.condition.language == Language::Python) out.condition.text.clear();
    }
    if (Value* assignments = attributes.take("assignments")) {
        const Place at(reader, "assignments");
        if (!assignments->is_object()) reader.fail_type(*assignments, "an object");
        for (Member& member : *assignments->object()) {
            const Place each(reader, member.key);
            out.assignments.emplace_back(member.key, scalar_text(reader, member.value));
        }
    }
    read_metadata(reader, data_keys, attributes, out.metadata);
    Value::Object left = keys.rest(), left_attributes = edge_attributes.rest();
    drop_derived(left);
    if (!left_attributes.empty()) left.push_back({"attributes", Value{std::move(left_attributes)}});
    if (left.empty()) return;
    Value extra = parse_extra(out.metadata);
    extra.object()->push_back({"edge", Value{std::move(left)}});
    out.metadata.extra = to_compact_text(extra);
}

constexpr std::array<std::pair<std::string_view, RegionKind>, 4> kRegionTypes = {
    {{"ControlFlowRegion", RegionKind::ControlFlowRegion},
     {"NamedRegion", RegionKind::NamedRegion},
     {"FunctionCallRegion", RegionKind::FunctionCallRegion},
     {"UnstructuredControlFlow", RegionKind::UnstructuredControlFlow}}};

const RegionKind* region_kind(std::string_view type) {
    for (const auto& [name, kind] : kRegionTypes)
        if (name == type) return &kind;
    return nullptr;
}

// A branch is a condition and a region. Label, guid and what else the region has go to `kept`, for the block's extras.
Branch read_branch(Reader& reader, Value& value, const Sdfg& sdfg, Value& kept) {
    Value::Array* pair = value.array();
    if (!pair || pair->size() != 2) reader.fail_type(value, "a pair of condition and region");
    Branch branch;
    if (!(*pair)[0].is_null()) {
        const Place here(reader, std::size_t{0});
        read(reader, (*pair)[0], branch.condition);
    }
    const Place here(reader, std::size_t{1});
    Members keys(reader, (*pair)[1]);
    Value& type = keys.need("type");
    const std::string* name = type.string();
    if (!name || !region_kind(*name))
        reader.fail("J009", "a branch must be a ControlFlowRegion", "Put the block into a ControlFlowRegion of its own");
    Value* label = keys.take("label");
    read_region(reader, keys, sdfg, branch.body);
    Value none{Value::Object{}};
    Value* found = keys.take("attributes");
    Metadata metadata;
    {
        const Place there(reader, "attributes");
        Members attributes(reader, found ? *found : none);
        read_metadata(reader, keys, attributes, metadata);
    }
    kept = parse_extra(metadata);
    if (label && label->is_string()) kept.object()->push_back({"label", *label});
    if (!metadata.guid.empty()) kept.object()->push_back({"guid", Value{metadata.guid}});
    return branch;
}

void read_conditional(Reader& reader, Members& keys, const Sdfg& sdfg, ConditionalBlock& out, Value::Array& kept) {
    Value& branches = keys.need("branches");
    keys.take("nodes");  // two alpha releases repeat the branches there
    keys.take("edges");
    const Place here(reader, "branches");
    if (!branches.is_array()) reader.fail_type(branches, "an array");
    for (std::size_t i = 0; i < branches.array()->size(); ++i) {
        const Place there(reader, i);
        out.branches.push_back(read_branch(reader, (*branches.array())[i], sdfg, kept.emplace_back()));
    }
}

void read_kind(Reader& reader, const std::string& type, Members& keys, Members& attributes, const Sdfg& sdfg, Block& out,
               Value::Array& branches) {
    const auto fields = [&](auto& object) {
        const Place here(reader, "attributes");
        read_fields(reader, attributes, object);
    };
    const auto no_content = [&] {
        keys.take("nodes");
        keys.take("edges");
    };
    if (type == "SDFGState") {
        read_state(reader, keys, attributes, sdfg, out.kind.emplace<Cow<State>>().edit());
    } else if (type == "LoopRegion") {
        LoopRegion& loop = out.kind.emplace<LoopRegion>();
        fields(loop);
        if (reader.scope && !loop.variable.empty()) reader.scope->bound.insert(loop.variable);
        read_region(reader, keys, sdfg, loop.body);
    } else if (type == "ConditionalBlock") {
        read_conditional(reader, keys, sdfg, out.kind.emplace<ConditionalBlock>(), branches);
    } else if (type == "BreakBlock") {
        out.kind = BreakBlock{};
        no_content();
    } else if (type == "ContinueBlock") {
        out.kind = ContinueBlock{};
        no_content();
    } else if (type == "ReturnBlock") {
        out.kind = ReturnBlock{};
        no_content();
    } else if (const RegionKind* kind = region_kind(type)) {
        NamedRegion& region = out.kind.emplace<NamedRegion>();
        region.kind = *kind;
        if (Value* arguments = attributes.take("arguments")) {
            const Place here(reader, "attributes");
            const Place there(reader, "arguments");
            read(reader, *arguments, region.arguments);
        }
        read_region(reader, keys, sdfg, region.body);
    } else {
        reader.fail("J009", "unknown block type `" + type + "`", "Use a block type of the format");
    }
}

void read_block(Reader& reader, Value& value, const Sdfg& sdfg, Block& out) {
    Members keys(reader, value);
    std::string type;
    const auto text = [&](std::string_view key, std::string& to) {
        Value& found = keys.need(key);
        const Place here(reader, key);
        read(reader, found, to);
    };
    text("type", type);
    text("label", out.label);
    Value none{Value::Object{}};
    Value* found = keys.take("attributes");
    Members attributes(reader, found ? *found : none);
    Value::Array branches;
    read_kind(reader, type, keys, attributes, sdfg, out, branches);
    const Place here(reader, "attributes");
    read_metadata(reader, keys, attributes, out.metadata);
    if (branches.empty()) return;
    Value extra = parse_extra(out.metadata);
    extra.object()->push_back({"branches", Value{std::move(branches)}});
    out.metadata.extra = to_compact_text(extra);
}

// The only block without an incoming edge is the start, whatever `start_block` says; otherwise `start_block` decides.
BlockId find_start(Reader& reader, Members& keys, const Region& region) {
    Value* named = keys.take("start_block");
    Value* old = keys.take("start_state");
    std::vector<bool> entered(region.blocks.size(), false);
    for (const auto [id, transition] : region.transitions) entered[transition.dst.value] = true;
    const auto first = std::find(entered.begin(), entered.end(), false);
    if (first != entered.end() && std::find(first + 1, entered.end(), false) == entered.end())
        return BlockId(static_cast<std::uint32_t>(first - entered.begin()));
    const Value* chosen = named ? named : old;
    if (!chosen) return {};
    const Place here(reader, named ? "start_block" : "start_state");
    return BlockId(read_index(reader, *chosen, region.blocks.size(), "blocks"));
}

}  // namespace

void read_region(Reader& reader, Members& keys, const Sdfg& sdfg, Region& out) {
    const auto each = [&](std::string_view key, const auto& read_item) {
        Value& items = keys.need(key);
        const Place here(reader, key);
        if (!items.is_array()) reader.fail_type(items, "an array");
        for (std::size_t i = 0; i < items.array()->size(); ++i) {
            const Place there(reader, i);
            read_item((*items.array())[i]);
        }
    };
    each("nodes", [&](Value& item) {
        Block block;
        read_block(reader, item, sdfg, block);
        out.blocks.add(std::move(block));
    });
    each("edges", [&](Value& item) {
        Transition transition;
        read_transition(reader, item, out.blocks.size(), transition);
        out.transitions.add(std::move(transition));
    });
    out.start = find_start(reader, keys, out);
}

namespace {

std::vector<std::size_t> positions_of(const Region& region) {
    std::vector<std::size_t> positions(region.blocks.id_bound(), 0);
    std::size_t next = 0;
    for (const auto [id, block] : region.blocks) positions[id.value] = next++;
    return positions;
}

void write_transition(Emitter& to, const Transition& transition, const std::vector<std::size_t>& positions) {
    Value extra = parse_extra(transition.metadata);
    Value own{Value::Object{}};
    if (const Value* kept = extra.find("edge"); kept && kept->is_object()) own = *kept;
    Element edge(to, "Edge", std::move(own));
    const auto end = [&](BlockId id) {
        return id.value < positions.size() ? std::to_string(positions[id.value]) : std::string("-1");
    };
    edge.key("src").string(end(transition.src));
    edge.key("dst").string(end(transition.dst));
    edge.begin_attributes();
    edge.key("data");
    {
        Element data(to, "InterstateEdge", std::move(extra));
        data.begin_attributes();
        if (!transition.condition.text.empty()) {
            data.key("condition");
            write(to, transition.condition);
        }
        if (!transition.assignments.empty()) {
            data.key("assignments").begin_object();
            for (const auto& [symbol, value] : transition.assignments) {
                to.out.key(symbol);
                to.out.string(value);
            }
            to.out.end_object();
        }
        write_metadata(data, transition.metadata);
        data.end_attributes();
        data.end();
    }
    edge.end_attributes();
    edge.end();
}

void write_collapsed(Element& element) {
    const Value* collapsed = element.extra_attribute("is_collapsed");
    const bool* flag = collapsed ? std::get_if<bool>(&collapsed->data) : nullptr;
    element.key("collapsed").boolean(flag && *flag);
}

void write_branches(Element& element, const Block& block, const ConditionalBlock& conditional, const Value* kept) {
    Emitter& to = element.emitter;
    element.key("cfg_list_id").integer(to.regions++);
    element.key("start_block").null();
    element.key("branches").begin_array();
    for (std::size_t i = 0; i < conditional.branches.size(); ++i) {
        const Branch& branch = conditional.branches[i];
        Value extra{Value::Object{}};
        if (kept && kept->is_array() && i < kept->array()->size() && (*kept->array())[i].is_object()) extra = (*kept->array())[i];
        const Value* label = extra.find("label");
        const std::string name = label && label->is_string() ? *label->string() : block.label + "_branch_" + std::to_string(i);
        const Value* guid = extra.find("guid");
        const std::string guid_text = guid && guid->is_string() ? *guid->string() : std::string();
        std::erase_if(*extra.object(), [](const Member& member) { return member.key == "guid"; });
        to.out.begin_array();
        write(to, branch.condition);
        Element region(to, "ControlFlowRegion", std::move(extra));
        region.key("label").string(name);
        region.key("id").null();
        write_collapsed(region);
        write_region(region, branch.body);
        region.begin_attributes();
        if (!guid_text.empty()) region.key("guid").string(guid_text);
        region.end_attributes();
        region.end();
        to.out.end_array();
    }
    to.out.end_array();
}

void write_no_content(Element& element) {
    for (const std::string_view key : {"nodes", "edges"}) {
        element.key(key).begin_array();
        element.emitter.out.end_array();
    }
}

std::string_view type_name(const Block& block) {
    struct Name {
        std::string_view operator()(const Cow<State>&) const { return "SDFGState"; }
        std::string_view operator()(const LoopRegion&) const { return "LoopRegion"; }
        std::string_view operator()(const ConditionalBlock&) const { return "ConditionalBlock"; }
        std::string_view operator()(const BreakBlock&) const { return "BreakBlock"; }
        std::string_view operator()(const ContinueBlock&) const { return "ContinueBlock"; }
        std::string_view operator()(const ReturnBlock&) const { return "ReturnBlock"; }
        std::string_view operator()(const NamedRegion& region) const { return to_string(region.kind); }
    };
    return std::visit(Name{}, block.kind);
}

/// An absent condition means "none" to the format, which no reader can run. It stands where a given one would: a file that is
/// read and written again keeps its bytes.
void write_loop_attributes(Element& element, const LoopRegion& loop) {
    if (loop.condition) return write_fields(element, loop);
    LoopRegion endless{.variable = loop.variable,
                       .init = loop.init,
                       .condition = CodeBlock{"True", Language::Python},
                       .update = loop.update,
                       .inverted = loop.inverted,
                       .update_before_condition = loop.update_before_condition,
                       .unroll = loop.unroll,
                       .unroll_factor = loop.unroll_factor,
                       .schedule = loop.schedule,
                       .body = {}};
    write_fields(element, endless);
}

struct BodyWriter {
    Element& element;
    const Block& block;
    const Value* branches;

    void operator()(const Cow<State>& state) const { write_state_body(element, *state); }
    void operator()(const LoopRegion& loop) const { write_region(element, loop.body); }
    void operator()(const ConditionalBlock& conditional) const { write_branches(element, block, conditional, branches); }
    void operator()(const BreakBlock&) const { write_no_content(element); }
    void operator()(const ContinueBlock&) const { write_no_content(element); }
    void operator()(const ReturnBlock&) const { write_no_content(element); }
    void operator()(const NamedRegion& region) const { write_region(element, region.body); }
};

struct AttributeWriter {
    Element& element;

    void operator()(const Cow<State>& state) const { write_fields(element, *state); }
    void operator()(const LoopRegion& loop) const { write_loop_attributes(element, loop); }
    void operator()(const NamedRegion& region) const {
        if (region.arguments.empty()) return;
        element.key("arguments");
        write(element.emitter, region.arguments);
    }
    template <class Other> void operator()(const Other&) const {}
};

void write_block(Emitter& to, const Block& block, std::size_t position) {
    Value extra = parse_extra(block.metadata);
    Value branches;
    if (Value* kept = extra.find("branches")) branches = std::move(*kept);
    Element element(to, type_name(block), std::move(extra));
    element.key("label").string(block.label);
    element.key("id").integer(static_cast<std::int64_t>(position));
    write_collapsed(element);
    std::visit(BodyWriter{element, block, &branches}, block.kind);
    element.begin_attributes();
    std::visit(AttributeWriter{element}, block.kind);
    write_metadata(element, block.metadata);
    element.end_attributes();
    element.end();
}

}  // namespace

void write_region(Element& element, const Region& region) {
    Emitter& to = element.emitter;
    const std::vector<std::size_t> positions = positions_of(region);
    element.key("cfg_list_id").integer(to.regions++);
    TextWriter& out = element.key("start_block");
    if (region.blocks.contains(region.start))
        out.integer(static_cast<std::int64_t>(positions[region.start.value]));
    else
        out.null();
    element.key("nodes").begin_array();
    for (const auto [id, block] : region.blocks) write_block(to, block, positions[id.value]);
    to.out.end_array();
    element.key("edges").begin_array();
    for (const auto [id, transition] : region.transitions) write_transition(to, transition, positions);
    to.out.end_array();
}

}  // namespace sluice::interchange
