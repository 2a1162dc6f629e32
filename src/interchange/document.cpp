// JSON text to a Value by nlohmann's event parser. The format is not strict JSON (constants hold bare NaN and Infinity), so a
// quick look replaces those tokens by strings first; almost no file has one.
#include "interchange/document.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "support/diagnostic.h"

namespace sluice::interchange {

namespace {

// Bounds memory on hostile input: an element costs up to 72 bytes where its text may cost 2.
constexpr std::size_t kMaxValues = 40'000'000;

Span span_at(std::string_view text, std::size_t offset, const std::string& file) {
    offset = std::min(offset, text.size());
    Span where;
    where.file = intern_file_name(file);
    where.line = 1 + static_cast<std::uint32_t>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
    const std::size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
    where.column = static_cast<std::uint32_t>(newline == std::string_view::npos ? offset + 1 : offset - newline);
    where.end_line = where.line;
    where.end_column = where.column + 1;
    return where;
}

// Text in which bare NaN, Infinity and -Infinity are quoted; `added[i]` says where two bytes were added.
struct Quoted {
    std::string text;
    std::vector<std::size_t> added;
};

std::size_t skip_string(std::string_view text, std::size_t at) {
    for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
    return std::min(at + 1, text.size());
}

std::optional<Quoted> quote_bare_tokens(std::string_view text) {
    if (text.find("NaN") == std::string_view::npos && text.find("Infinity") == std::string_view::npos) return std::nullopt;
    Quoted quoted;
    std::size_t copied = 0;
    const auto quote = [&](std::size_t at, std::size_t length) {
        quoted.text.append(text, copied, at - copied).append("\"").append(text, at, length).append("\"");
        quoted.added.push_back(quoted.text.size());
        copied = at + length;
    };
    for (std::size_t at = 0; at < text.size();) {
        const std::string_view rest = text.substr(at);
        std::size_t token = 0;
        if (text[at] == '"') {
            at = skip_string(text, at);
            continue;
        }
        if (text[at] == 'N' && rest.starts_with("NaN")) token = 3;
        if (text[at] == 'I' && rest.starts_with("Infinity")) token = 8;
        if (text[at] == '-' && rest.starts_with("-Infinity")) token = 9;
        if (token) quote(at, token);
        at += token ? token : 1;
    }
    quoted.text.append(text, copied);
    return quoted;
}

// Builds the tree. The stack points into vectors that do not grow while a child is open.
class TreeBuilder {
public:
    TreeBuilder(Value& root, std::size_t depth) : root_(root), depth_(depth) {}

    bool null() { return put(Value{}); }
    bool boolean(bool value) { return put(Value{value}); }
    bool number_integer(std::int64_t value) { return put(Value{value}); }
    bool number_unsigned(std::uint64_t value) {
        if (value > static_cast<std::uint64_t>(INT64_MAX)) return put(Value{BigNumber{std::to_string(value)}});
        return put(Value{static_cast<std::int64_t>(value)});
    }
    bool number_float(double value, const std::string& text) {
        if (text.find_first_of(".eE") == std::string::npos) return put(Value{BigNumber{text}});
        return put(Value{value});
    }
    bool string(std::string& value) { return put(Value{std::move(value)}); }
    bool binary(std::vector<std::uint8_t>&) { return false; }
    bool start_object(std::size_t) { return open(Value{Value::Object{}}); }
    bool start_array(std::size_t) { return open(Value{Value::Array{}}); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& key) {
        open_.back()->object()->push_back(Member{std::move(key), {}});
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
        error_at = position;
        error_text = error.what();
        return false;
    }

    std::size_t error_at = 0;
    std::string error_text;
    bool too_deep = false, too_large = false;

private:
    Value* place(Value&& value) {
        if (++count_ > kMaxValues) too_large = true;
        if (open_.empty()) return &(root_ = std::move(value));
        if (Value::Array* items = open_.back()->array()) return &items->emplace_back(std::move(value));
        return &(open_.back()->object()->back().value = std::move(value));
    }
    bool put(Value&& value) {
        place(std::move(value));
        return !too_large;
    }
    bool open(Value&& value) {
        if (depth_ + open_.size() >= kMaxDepth) {
            too_deep = true;
            return false;
        }
        open_.push_back(place(std::move(value)));
        return !too_large;
    }
    bool close() {
        open_.pop_back();
        return true;
    }

    Value& root_;
    std::size_t depth_;
    std::size_t count_ = 0;
    std::vector<Value*> open_;
};

// The parser's sentence without its name and position, which the diagnostic carries itself.
std::string explain(const std::string& what) {
    const std::size_t at = what.find("syntax error");
    if (at == std::string::npos) {
        const std::size_t bracket = what.find("] ");
        return bracket == std::string::npos ? what : what.substr(bracket + 2);
    }
    return what.substr(at);
}

}  // namespace

Value parse_document(std::string_view text, const std::string& file, std::size_t depth) {
    const std::optional<Quoted> quoted = quote_bare_tokens(text);
    const std::string_view strict = quoted ? std::string_view(quoted->text) : text;
    Value root;
    TreeBuilder builder(root, depth);
    if (nlohmann::json::sax_parse(strict.begin(), strict.end(), &builder)) return root;

    Diagnostic d;
    if (builder.too_deep) {
        d = {.code = "J004", .message = "objects and arrays nest more than " + std::to_string(kMaxDepth) + " deep"};
        d.where.file = intern_file_name(file);
        d.remedy = "Inline or outline nested SDFGs";
    } else if (builder.too_large) {
        d = {.code = "J004", .message = "the file has more than " + std::to_string(kMaxValues) + " values"};
        d.where.file = intern_file_name(file);
        d.remedy = "Split the graph";
    } else {
        std::size_t at = builder.error_at == 0 ? 0 : builder.error_at - 1;
        if (quoted)
            at -= 2 * static_cast<std::size_t>(std::count_if(quoted->added.begin(), quoted->added.end(),
                                                             [&](std::size_t place) { return place <= at; }));
        d = {.code = "J001",
             .message = "the file is not valid JSON: " + explain(builder.error_text),
             .where = span_at(text, at, file)};
        d.remedy = "Save the graph again; the file is damaged or was edited by hand";
    }
    fail(std::move(d));
}

}  // namespace sluice::interchange
