// Reading and writing of the graph's elements, one pair of functions per level.
#pragma once

#include <map>
#include <string>

#include "interchange/emitter.h"
#include "interchange/grammar.h"
#include "interchange/reader.h"

namespace sluice::interchange {

// ---- metadata -----------------------------------------------------------------------------------------------------------
/// Takes `debuginfo` and `guid`; what is left of the attributes and of the element's other keys becomes the extras, without
/// keys that are derived and attributes at the default of the format.
void read_metadata(Reader& reader, Members& keys, Members& attributes, Metadata& out);
/// The same for several parts of an element that share one Metadata: `edge` holds keys and attributes of the edge object.
std::string extra_text(Value::Object keys, Value::Object attributes, Value::Object edge = {});
void drop_derived(Value::Object& keys);
void drop_defaults(Value::Object& attributes);
Value parse_extra(const Metadata& metadata);
/// `debuginfo` and `guid`, inside the attributes.
void write_metadata(Element& element, const Metadata& metadata);

// ---- containers ---------------------------------------------------------------------------------------------------------
void read_container(Reader& reader, Value& value, Container& out);
void write_container(Emitter& to, const Container& container);
void read_constants(Reader& reader, Value& value, OrderedMap<Constant>& out);
void write_constants(Emitter& to, const OrderedMap<Constant>& constants);
/// The container that a data name means, through dotted members of structures; null if there is none.
const Container* resolve_data(const Sdfg& sdfg, const std::string& data);

// ---- dataflow -----------------------------------------------------------------------------------------------------------
void read_memlet(Reader& reader, Members& edge, Members& edge_attributes, Memlet& out);
void write_memlet(Emitter& to, const Memlet& memlet, Value extra);
/// One node; the scope of an exit is tied afterwards, by read_state.
void read_node(Reader& reader, Value& value, Node& out);
/// Position of the scope around a node and of its end, as the format wants them.
struct ScopeKeys {
    std::string entry, exit;  ///< Empty: null.
};
void write_node(Emitter& to, const Node& node, std::size_t position, const std::string& label, const ScopeKeys& scope);
void read_library_node(Reader& reader, Members& keys, Members& attributes, Node& node);
void write_library_properties(Element& element, const LibraryNode& node);
/// `sdfg` is the graph around, its containers already read.
void read_state(Reader& reader, Members& keys, Members& attributes, const Sdfg& sdfg, State& out);
void write_state_body(Element& element, const State& state);

// ---- control flow -------------------------------------------------------------------------------------------------------
/// Blocks, transitions and start of a region, from the keys `nodes`, `edges`, `start_block`.
void read_region(Reader& reader, Members& keys, const Sdfg& sdfg, Region& out);
/// The keys `cfg_list_id`, `start_block`, `nodes`, `edges`.
void write_region(Element& element, const Region& region);
void read_sdfg(Reader& reader, Value& value, Sdfg& out, bool is_root);
void write_sdfg(Emitter& to, const Sdfg& sdfg, bool is_root);

}  // namespace sluice::interchange
