#include "interchange/write_values.h"

namespace sluice::interchange {

void write(Emitter& to, bool value) {
    to.out.boolean(value);
}
void write(Emitter& to, std::int64_t value) {
    to.out.integer(value);
}
void write(Emitter& to, const std::string& value) {
    to.out.string(value);
}
void write(Emitter& to, const Expr& value) {
    to.out.string(to.expression(value));
}

void write(Emitter& to, const CodeBlock& value) {
    to.out.begin_object();
    to.out.key("string_data");
    to.out.string(value.text);
    to.out.key("language");
    to.out.string(to_string(value.language));
    to.out.end_object();
}

void write(Emitter& to, const Subset& value) {
    to.out.begin_object();
    to.out.key("type");
    to.out.string("Range");
    to.out.key("ranges");
    to.out.begin_array();
    for (const Range& range : value.dims) {
        const auto step = range.step.constant();
        const auto part = [&](std::string_view key, const Expr& e) {
            to.out.key(key);
            write(to, e);
        };
        to.out.begin_object();
        part("start", range.begin);
        part("end", step && *step < 0 ? range.end + 1 : range.end - 1);
        part("step", range.step);
        part("tile", range.tile);
        to.out.end_object();
    }
    to.out.end_array();
    to.out.end_object();
}

void write_connectors(Emitter& to, const Connectors& value) {
    to.out.begin_object();
    for (const auto& [name, type] : value) {
        to.out.key(name);
        if (type.is_void())
            to.out.null();
        else
            write(to, type);
    }
    to.out.end_object();
}

}  // namespace sluice::interchange
