// A whole SDFG, the root or a nested one. Only the root carries source files and the version.
#include <algorithm>

#include "interchange/elements.h"
#include "interchange/read_values.h"
#include "interchange/symbol_types.h"
#include "interchange/version.h"
#include "interchange/write_values.h"

namespace sluice::interchange {

namespace {

void read_containers(Reader& reader, Members& attributes, std::string_view key, OrderedMap<Container>& out) {
    Value* descriptors = attributes.take(key);
    if (!descriptors) return;
    const Place here(reader, key);
    if (!descriptors->is_object()) reader.fail_type(*descriptors, "an object");
    for (Member& member : *descriptors->object()) {
        const Place there(reader, member.key);
        Container container;
        read_container(reader, member.value, container);
        out.set(member.key, std::move(container));
    }
}

void read_code(Reader& reader, Members& attributes, std::string_view key, std::map<std::string, CodeBlock>& out) {
    Value* blocks = attributes.take(key);
    if (!blocks) return;
    const Place here(reader, key);
    read(reader, *blocks, out);
    std::erase_if(out, [](const auto& entry) { return entry.second.text.empty(); });
}

template <class T> void read_attribute(Reader& reader, Members& attributes, std::string_view key, T& out) {
    Value* value = attributes.take(key);
    if (!value) return;
    const Place here(reader, key);
    read(reader, *value, out);
}

void read_root_keys(Reader& reader, Members& keys) {
    if (Value* version = keys.take("dace_version"); version && version->is_string())
        reader.dollar = has_dollar_dialect(*version->string()).value_or(true);
    if (Value* files = keys.take("source_files")) {
        const Place here(reader, "source_files");
        std::vector<std::string> names;
        read(reader, *files, names);
        for (const std::string& name : names) reader.source_files.push_back(intern_file_name(name));
    }
}

void read_attributes(Reader& reader, Members& attributes, Sdfg& out) {
    {
        Value& name = attributes.need("name");
        const Place here(reader, "name");
        read(reader, name, out.name);
    }
    read_attribute(reader, attributes, "arg_names", out.arg_names);
    read_attribute(reader, attributes, "symbols", out.symbols);
    for (const std::string_view key : {"_arrays", "_pgrids", "_subarrays", "_rdistrarrays"})
        read_containers(reader, attributes, key, out.containers);
    if (Value* constants = attributes.take("constants_prop")) {
        const Place here(reader, "constants_prop");
        read_constants(reader, *constants, out.constants);
    }
    read_code(reader, attributes, "global_code", out.global_code);
    read_code(reader, attributes, "init_code", out.init_code);
    read_code(reader, attributes, "exit_code", out.exit_code);
    if (Value* value = attributes.peek("instrument"); value && !value->is_null()) {
        const Place here(reader, "instrument");
        if (read_enum(reader, *value, out.instrument)) attributes.take("instrument");
    }
    read_attribute(reader, attributes, "openmp_sections", out.openmp_sections);
}

// Symbols that only an expression declares, `symbol($N, dtype=dace.int64)`; assumptions stay for the writer.
void keep_facts(const SymbolScope& scope, Sdfg& out) {
    Value::Object assumptions;
    for (const auto& [name, fact] : scope.facts) {
        if (!fact.assumptions.empty()) assumptions.push_back({name, Value{fact.assumptions}});
        if (!fact.dtype || scope.bound.contains(name) || out.containers.contains(name) || out.constants.contains(name)) continue;
        out.symbols.try_emplace(name, *fact.dtype);
    }
    if (assumptions.empty()) return;
    Value extra = parse_extra(out.metadata);
    extra.object()->push_back({"_meta_assumptions", Value{std::move(assumptions)}});
    out.metadata.extra = to_compact_text(extra);
}

}  // namespace

void read_sdfg(Reader& reader, Value& value, Sdfg& out, bool is_root) {
    Members keys(reader, value);
    Value& type = keys.need("type");
    if (!type.string() || *type.string() != "SDFG")
        reader.fail("J009", "expected an object of type `SDFG`", "Pass an .sdfg file as DaCe or Sluice save it");
    if (is_root) read_root_keys(reader, keys);
    SymbolScope scope;
    scope.number = ++reader.scopes;
    SymbolScope* const outer = std::exchange(reader.scope, &scope);
    Value& found = keys.need("attributes");
    std::optional<Members> attributes;
    {
        const Place here(reader, "attributes");
        attributes.emplace(reader, found);
        read_attributes(reader, *attributes, out);
    }
    read_region(reader, keys, out, out.body);
    {
        const Place here(reader, "attributes");
        read_metadata(reader, keys, *attributes, out.metadata);
    }
    keep_facts(scope, out);
    declare_assigned_symbols(out);
    reader.scope = outer;
}

namespace {

struct UsesRegions {
    bool operator()(const Cow<State>&) const { return false; }
    template <class Other> bool operator()(const Other&) const { return true; }
};

bool has_control_flow(const Region& region) {
    for (const auto [id, block] : region.blocks)
        if (std::visit(UsesRegions{}, block.kind)) return true;
    return false;
}

void write_code(Element& element, std::string_view key, const std::map<std::string, CodeBlock>& blocks) {
    std::map<std::string, CodeBlock> all = blocks;
    all.try_emplace("frame", CodeBlock{"", Language::CPP});
    element.key(key);
    write(element.emitter, all);
}

std::map<std::string, std::string> assumptions_in(const Value& extra) {
    std::map<std::string, std::string> assumptions;
    const Value* kept = extra.find("_meta_assumptions");
    if (!kept || !kept->is_object()) return assumptions;
    for (const Member& member : *kept->object())
        if (const std::string* text = member.value.string()) assumptions.emplace(member.key, *text);
    return assumptions;
}

/// Where a container is declared: releases before the `$` dialect keep those of distributed programs apart.
std::string_view section_of(const Container& container, bool dollar) {
    const auto* foreign = std::get_if<ForeignContainer>(&container.kind);
    if (dollar || !foreign) return "_arrays";
    if (foreign->type == "ProcessGrid") return "_pgrids";
    if (foreign->type == "SubArray") return "_subarrays";
    return foreign->type == "RedistrArray" ? "_rdistrarrays" : "_arrays";
}

void write_containers(Element& element, const Sdfg& sdfg) {
    Emitter& to = element.emitter;
    for (const std::string_view section : {"_arrays", "_pgrids", "_subarrays", "_rdistrarrays"}) {
        const auto here = [&](const auto& entry) { return section_of(entry.second, to.dollar) == section; };
        if (section != "_arrays" && std::ranges::none_of(sdfg.containers, here)) continue;
        element.key(section).begin_object();
        for (const auto& entry : sdfg.containers) {
            if (!here(entry)) continue;
            to.out.key(entry.first);
            write_container(to, entry.second);
        }
        to.out.end_object();
    }
}

void write_attributes(Element& element, const Sdfg& sdfg) {
    Emitter& to = element.emitter;
    element.key("name").string(sdfg.name);
    if (!sdfg.arg_names.empty()) {
        element.key("arg_names");
        write(to, sdfg.arg_names);
    }
    write_containers(element, sdfg);
    if (!sdfg.symbols.empty()) {
        element.key("symbols");
        write(to, sdfg.symbols);
    }
    if (!sdfg.constants.empty()) {
        element.key("constants_prop");
        write_constants(to, sdfg.constants);
    }
    write_code(element, "global_code", sdfg.global_code);
    write_code(element, "init_code", sdfg.init_code);
    write_code(element, "exit_code", sdfg.exit_code);
    const bool unknown = sdfg.instrument == Instrumentation::Undefined && element.has_extra_attribute("instrument");
    if (sdfg.instrument != Instrumentation::No_Instrumentation && !unknown) {
        element.key("instrument");
        write(to, sdfg.instrument);
    }
    if (sdfg.openmp_sections) element.key("openmp_sections").boolean(true);
    if (has_control_flow(sdfg.body)) element.key("using_explicit_control_flow").boolean(true);
    write_metadata(element, sdfg.metadata);
}

}  // namespace

void write_sdfg(Emitter& to, const Sdfg& sdfg, bool is_root) {
    Value extra = parse_extra(sdfg.metadata);
    to.enter(sdfg, assumptions_in(extra));
    Element element(to, "SDFG", std::move(extra));
    element.begin_attributes();
    write_attributes(element, sdfg);
    element.end_attributes();
    element.key("label").string("");
    element.key("id").null();
    element.key("collapsed").boolean(false);
    write_region(element, sdfg.body);
    to.leave();
    if (is_root) {
        element.key("source_files").begin_array();
        for (const std::string* name : to.source_files()) to.out.string(*name);
        to.out.end_array();
        element.key("dace_version").string(to.dollar ? kDollarVersion : kLegacyVersion);
    }
    element.end();
}

}  // namespace sluice::interchange
