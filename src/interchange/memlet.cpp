// Memlets. The edge object around one has keys of its own (a viewer's layout, for example); both share one Metadata.
#include "interchange/elements.h"
#include "interchange/read_values.h"
#include "interchange/write_values.h"

namespace sluice::interchange {

void read_memlet(Reader& reader, Members& edge, Members& edge_attributes, Memlet& out) {
    if (Value* data = edge_attributes.take("data")) {
        const Place here(reader, "data");
        Members keys(reader, *data);
        Value none{Value::Object{}};
        Value* found = keys.take("attributes");
        const Place there(reader, "attributes");
        Members attributes(reader, found ? *found : none);
        read_fields(reader, attributes, out);
        read_metadata(reader, keys, attributes, out.metadata);
    }
    Value::Object keys = edge.rest(), attributes = edge_attributes.rest();
    drop_derived(keys);
    if (!attributes.empty()) keys.push_back({"attributes", Value{std::move(attributes)}});
    if (keys.empty()) return;
    Value extra = parse_extra(out.metadata);
    extra.object()->push_back({"edge", Value{std::move(keys)}});
    out.metadata.extra = to_compact_text(extra);
}

namespace {

// One-element containers have one dimension of size 1 in the format.
Memlet with_unit_dimension(Memlet memlet) {
    for (std::optional<Subset>* subset : {&memlet.subset, &memlet.other_subset})
        if (*subset && (*subset)->dims.empty()) (*subset)->dims.push_back(Range{});
    return memlet;
}

}  // namespace

void write_memlet(Emitter& to, const Memlet& memlet, Value extra) {
    Element element(to, "Memlet", std::move(extra));
    element.begin_attributes();
    if (memlet.data.empty()) element.key("data").null();
    write_fields(element, with_unit_dimension(memlet));
    if (memlet.volume.is_integer(0)) {  // elided volumes mean 0 in the format, but not to every reader of it
        element.key("volume");
        write(to, memlet.volume);
    }
    write_metadata(element, memlet.metadata);
    element.end_attributes();
    element.end();
}

}  // namespace sluice::interchange
