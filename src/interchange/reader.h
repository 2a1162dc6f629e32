// The state of reading one file: the place for diagnostics, the dialect, the memo of parsed expressions, the symbols met.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "interchange/expression.h"
#include "interchange/grammar.h"
#include "interchange/value.h"

namespace sluice::interchange {

/// What the expressions of one SDFG say of its symbols.
struct SymbolScope {
    std::uint32_t number = 0;  ///< Differs between the SDFGs of a file.
    std::map<std::string, SymbolFact> facts;
    std::set<std::string> bound;  ///< Parameters of maps, loop variables: not symbols of the SDFG itself.
};

class Reader {
public:
    explicit Reader(std::string file) : file(std::move(file)) {}

    /// Ends reading with a Diagnostic whose path is the JSON pointer of the current place.
    [[noreturn]] void fail(const std::string& code, const std::string& message, const std::string& remedy) const;
    [[noreturn]] void fail_type(const Value& value, std::string_view expected) const;
    std::string pointer() const;
    std::size_t depth() const { return path_.size(); }
    /// Parsed once per text; what it says of symbols goes to the current scope. Failure J010 with the current place.
    Expr expression(const std::string& text);

    std::string file;
    bool dollar = true;
    std::vector<const std::string*> source_files;
    SymbolScope* scope = nullptr;
    std::uint32_t scopes = 0;  ///< Scopes so far.

private:
    friend class Place;
    struct Step {
        std::string_view key;
        std::size_t index;
    };
    struct Memo {
        ParsedExpression parsed;
        std::uint32_t announced = 0;  ///< Number of the scope that last heard of it.
    };
    void tell(Memo& memo);

    std::vector<Step> path_;
    std::unordered_map<std::string, Memo> memo_;
};

/// One step into the document, for its lifetime. `key` must outlive it.
class Place {
public:
    Place(Reader& reader, std::string_view key) : reader_(reader) { reader_.path_.push_back({key, 0}); }
    Place(Reader& reader, std::size_t index) : reader_(reader) { reader_.path_.push_back({{}, index}); }
    ~Place() { reader_.path_.pop_back(); }
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

private:
    Reader& reader_;
};

/// Takes members out of an object one by one; `rest` is what nobody took.
class Members {
public:
    /// Failure J006 unless `value` is an object.
    Members(Reader& reader, Value& value);

    /// The member, from now on taken; null if it is missing or null.
    Value* take(std::string_view key);
    /// The member as it stands, or null; not taken.
    Value* peek(std::string_view key);
    /// The member, taken. Failure J005 if it is missing.
    Value& need(std::string_view key);
    Value::Object rest();
    /// Makes these the members again.
    void put_back(Value::Object members) { *members_ = std::move(members); }

private:
    Member* member(std::string_view key);
    Reader& reader_;
    Value::Object* members_;
};

}  // namespace sluice::interchange
