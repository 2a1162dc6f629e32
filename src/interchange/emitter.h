// The state of writing one file: the text so far, the dialect, the symbols in scope, source files and region numbers.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interchange/expression.h"
#include "interchange/grammar.h"
#include "interchange/json.h"
#include "interchange/text_writer.h"
#include "interchange/value.h"

namespace sluice::interchange {

class Emitter {
public:
    explicit Emitter(const JsonOptions& options) : out(options.readable), dollar(options.dialect == JsonOptions::Dialect::dollar) {}

    /// Text of an expression in the dialect, under the symbols of the innermost SDFG.
    const std::string& expression(const Expr& e);
    void enter(const Sdfg& sdfg, std::map<std::string, std::string> assumptions);
    void leave() { scopes_.pop_back(); }
    /// Index of the file in the root's `source_files`.
    std::size_t source_file(const std::string* name);
    const std::vector<const std::string*>& source_files() const { return source_files_; }

    TextWriter out;
    bool dollar;
    std::int64_t regions = 0;  ///< Regions written so far: the next `cfg_list_id`.

private:
    struct Scope {
        const Sdfg* sdfg;
        std::map<std::string, std::string> assumptions;
        std::unordered_map<const symbolic::Node*, std::string> texts;
    };
    std::string symbol(const std::string& name) const;

    std::vector<Scope> scopes_;
    std::vector<const std::string*> source_files_;
};

/// Writes one `{"type": ..., <keys>, "attributes": {...}}`; what the element's extras hold and nobody wrote comes at the ends.
class Element {
public:
    Element(Emitter& emitter, std::string_view type, Value extra);

    /// The writer, after a key beside `attributes`, or after an attribute (between begin_ and end_attributes).
    TextWriter& key(std::string_view name);
    bool has_extra_attribute(std::string_view name) const;
    const Value* extra_attribute(std::string_view name) const;
    void begin_attributes();
    void end_attributes();
    void end();
    Emitter& emitter;

private:
    void write_rest(const Value* rest);
    Value extra_;
    bool in_attributes_ = false;
    std::vector<std::string_view> written_keys_, written_attributes_;
};

}  // namespace sluice::interchange
