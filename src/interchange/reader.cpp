#include "interchange/reader.h"

#include "support/diagnostic.h"

namespace sluice::interchange {

std::string Reader::pointer() const {
    std::string text;
    for (const Step& step : path_) {
        text += '/';
        if (step.key.data() == nullptr) {
            text += std::to_string(step.index);
            continue;
        }
        for (const char c : step.key) {
            if (c == '~')
                text += "~0";
            else if (c == '/')
                text += "~1";
            else
                text += c;
        }
    }
    return text;
}

void Reader::fail(const std::string& code, const std::string& message, const std::string& remedy) const {
    Diagnostic d{.code = code, .message = message, .path = pointer(), .remedy = remedy};
    d.where.file = intern_file_name(file);
    sluice::fail(std::move(d));
}

void Reader::fail_type(const Value& value, std::string_view expected) const {
    fail("J006", "expected " + std::string(expected) + ", found " + std::string(value.kind_name()),
         "Correct the value in the file or save the graph again");
}

void Reader::tell(Memo& memo) {
    if (!scope || memo.announced == scope->number) return;
    memo.announced = scope->number;
    for (const SymbolFact& fact : memo.parsed.facts) {
        SymbolFact& known = scope->facts.try_emplace(fact.name, fact).first->second;
        if (!known.dtype) known.dtype = fact.dtype;
        if (known.assumptions.empty()) known.assumptions = fact.assumptions;
    }
}

Expr Reader::expression(const std::string& text) {
    const auto [at, fresh] = memo_.try_emplace(text);
    if (fresh) {
        try {
            at->second.parsed = parse_expression(text, dollar);
        } catch (const Failure& failure) {
            memo_.erase(at);
            fail(failure.diagnostic.code, failure.diagnostic.message, failure.diagnostic.remedy);
        }
    }
    tell(at->second);
    return at->second.parsed.value;
}

Members::Members(Reader& reader, Value& value) : reader_(reader), members_(value.object()) {
    if (!members_) reader.fail_type(value, "an object");
}

Member* Members::member(std::string_view key) {
    Member* last = nullptr;
    for (Member& each : *members_) {
        if (each.key != key) continue;
        if (last) last->key.clear();  // of members of one name the last counts, as in Python
        last = &each;
    }
    return last;
}

Value* Members::peek(std::string_view key) {
    Member* found = member(key);
    return found ? &found->value : nullptr;
}

Value* Members::take(std::string_view key) {
    Member* found = member(key);
    if (!found) return nullptr;
    found->key.clear();
    return found->value.is_null() ? nullptr : &found->value;
}

Value& Members::need(std::string_view key) {
    Member* found = member(key);
    if (!found)
        reader_.fail("J005", "the key `" + std::string(key) + "` is missing",
                     "Add the key or save the graph again with its program");
    found->key.clear();
    return found->value;
}

Value::Object Members::rest() {
    Value::Object left;
    for (Member& each : *members_)
        if (!each.key.empty()) left.push_back(std::move(each));
    return left;
}

}  // namespace sluice::interchange
