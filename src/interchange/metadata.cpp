// DebugInfo, guid, and the extras: what the file says beyond the grammar survives a round trip.
//
// Extras are one JSON object: unknown keys of the element as they are, unknown attributes under `attributes`, those of an edge
// object under `edge` (its memlet or condition carries the metadata of both).
#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include "interchange/document.h"
#include "interchange/elements.h"
#include "interchange/read_values.h"

namespace sluice::interchange {

namespace {

// Written from the graph, or (the history of transformations) of no use to a reader.
bool is_derived_key(std::string_view key) {
    static constexpr std::array<std::string_view, 15> kDerived = {
        "type",        "id",           "label",       "collapsed",   "scope_entry",  "scope_exit",   "scope_exits", "scope_dict",
        "cfg_list_id", "sdfg_list_id", "start_block", "start_state", "source_files", "dace_version", "attributes"};
    return std::find(kDerived.begin(), kDerived.end(), key) != kDerived.end();
}
bool is_derived_attribute(std::string_view name) {
    static constexpr std::array<std::string_view, 16> kDerived = {"hash",
                                                                  "transformation_hist",
                                                                  "orig_sdfg",
                                                                  "pre_conditions",
                                                                  "post_conditions",
                                                                  "invariant_conditions",
                                                                  "ranges",
                                                                  "executions",
                                                                  "src_subset",
                                                                  "dst_subset",
                                                                  "num_accesses",
                                                                  "dynamic_executions",
                                                                  "using_explicit_control_flow",
                                                                  "using_experimental_blocks",
                                                                  "guid",
                                                                  "debuginfo"};
    return std::find(kDerived.begin(), kDerived.end(), name) != kDerived.end();
}

// Attributes outside our grammar at the value that the format elides.
bool is_default(const Member& attribute) {
    static const std::unordered_map<std::string_view, std::string_view> kDefaults = {
        {"is_collapsed", "false"},
        {"location", "{}"},
        {"environments", "[]"},
        {"instrument", "\"No_Instrumentation\""},
        {"instrument_condition", R"({"string_data":"1","language":"CPP"})"},
        {"symbol_instrument", "\"No_Instrumentation\""},
        {"symbol_instrument_condition", R"({"string_data":"1","language":"CPP"})"},
        {"callback_mapping", "{}"},
        {"logical_groups", "[]"},
        {"gpu_force_syncthreads", "false"},
        {"gpu_launch_bounds", "\"0\""},
        {"gpu_min_warps_per_eu", "0"},
        {"gpu_maxnreg", "0"},
        {"_pgrids", "{}"},
        {"_subarrays", "{}"},
        {"_rdistrarrays", "{}"},
    };
    if (attribute.value.is_null()) return true;
    const auto at = kDefaults.find(attribute.key);
    return at != kDefaults.end() && to_compact_text(attribute.value) == at->second;
}

std::uint32_t clamp(std::int64_t value) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<std::uint32_t>::max() - 1));
}

// Columns count from 0 in the file and from 1 here.
Span read_debuginfo(Reader& reader, Value& value) {
    const Place here(reader, "debuginfo");
    Members members(reader, value);
    const auto number = [&](std::string_view key, std::int64_t missing) {
        Value* found = members.take(key);
        std::int64_t out = missing;
        if (found) {
            const Place there(reader, key);
            read(reader, *found, out);
        }
        return out;
    };
    Span where;
    const std::int64_t line = number("start_line", 0);
    const std::int64_t column = number("start_column", 0);
    where.line = clamp(line);
    where.end_line = clamp(number("end_line", line));
    where.column = clamp(column) + 1;
    where.end_column = clamp(number("end_column", column)) + 1;
    if (Value* name = members.take("filename")) {
        const Place there(reader, "filename");
        std::string text;
        read(reader, *name, text);
        where.file = intern_file_name(text);
    } else if (const std::int64_t index = number("file_index", -1); index >= 0) {
        if (static_cast<std::size_t>(index) < reader.source_files.size())
            where.file = reader.source_files[static_cast<std::size_t>(index)];
    }
    return where;
}

}  // namespace

void drop_derived(Value::Object& keys) {
    std::erase_if(keys, [](const Member& member) { return is_derived_key(member.key); });
}

void drop_defaults(Value::Object& attributes) {
    std::erase_if(attributes, [](const Member& member) { return is_derived_attribute(member.key) || is_default(member); });
}

std::string extra_text(Value::Object keys, Value::Object attributes, Value::Object edge) {
    if (!attributes.empty()) keys.push_back({"attributes", Value{std::move(attributes)}});
    if (!edge.empty()) keys.push_back({"edge", Value{std::move(edge)}});
    return keys.empty() ? std::string() : to_compact_text(Value{std::move(keys)});
}

void read_metadata(Reader& reader, Members& keys, Members& attributes, Metadata& out) {
    if (Value* info = attributes.take("debuginfo")) out.where = read_debuginfo(reader, *info);
    if (Value* guid = attributes.take("guid")) {
        const Place here(reader, "guid");
        read(reader, *guid, out.guid);
    }
    Value::Object left_keys = keys.rest(), left_attributes = attributes.rest();
    drop_derived(left_keys);
    drop_defaults(left_attributes);
    out.extra = extra_text(std::move(left_keys), std::move(left_attributes));
}

Value parse_extra(const Metadata& metadata) {
    if (metadata.extra.empty()) return Value{Value::Object{}};
    const Result<Value> parsed = capture([&] { return parse_document(metadata.extra, {}); });
    check(parsed.ok() && parsed.value().is_object(), "Metadata::extra is not a JSON object: ", metadata.extra);
    return parsed.value();
}

void write_metadata(Element& element, const Metadata& metadata) {
    const Span& where = metadata.where;
    Emitter& to = element.emitter;
    if (where.known() || where.file) {
        const auto number = [&](std::string_view key, std::uint32_t value) {
            to.out.key(key);
            to.out.integer(value);
        };
        const std::uint32_t column = where.column ? where.column - 1 : 0;
        const std::uint32_t end_column = where.end_column ? where.end_column - 1 : column;
        const std::uint32_t end_line = where.end_line ? where.end_line : where.line;
        TextWriter& out = element.key("debuginfo");
        out.begin_object();
        out.key("type");
        out.string("DebugInfo");
        number("start_line", where.line);
        if (!to.dollar || end_line != where.line) number("end_line", end_line);
        if (!to.dollar || column != 0) number("start_column", column);
        if (!to.dollar || end_column != column) number("end_column", end_column);
        if (to.dollar) {
            if (where.file) number("file_index", static_cast<std::uint32_t>(to.source_file(where.file)));
        } else {
            out.key("filename");
            if (where.file)
                out.string(*where.file);
            else
                out.null();
        }
        out.end_object();
    }
    if (!metadata.guid.empty()) element.key("guid").string(metadata.guid);
}

}  // namespace sluice::interchange
