// Two values of one struct, field by field, and the list of what was found.
#pragma once

#include "ir/difference.h"
#include "ir/text/values.h"

namespace sluice::ir::difference {

/// Differences so far, and the place.
class Findings {
public:
    void add(const std::string& leaf, std::string sentence) {
        std::string path;
        for (const std::string& part : place) path += (path.empty() ? "" : "/") + part;
        if (!leaf.empty()) path += (path.empty() ? "" : "/") + leaf;
        list.push_back({std::move(path), std::move(sentence)});
    }

    std::vector<Difference> list;
    std::vector<std::string> place;  ///< The path without its last part.
};

template <class T> std::string shown(const T& value) {
    text::Writer out;
    write(out, value);
    return std::move(out.text);
}
inline std::string shown(const CodeBlock& code) {
    text::Writer out;
    text::write_code(out, code, Language::Python);
    return std::move(out.text);
}
inline std::string shown(bool value) {
    return value ? "true" : "false";
}
template <class T> std::string shown(const std::optional<T>& value) {
    return value ? shown(*value) : "missing";
}

/// `the schedule is X instead of Y`, where the second graph's value comes first: what it has become.
template <class T>
void compare(Findings& findings, const std::string& leaf, const std::string& what, const T& before, const T& after) {
    if (!(before == after)) findings.add(leaf, what + " is " + shown(after) + " instead of " + shown(before));
}

/// Every property but those named.
template <class Struct> void compare_fields(Findings& findings, const std::string& leaf, const Struct& before, const Struct& after,
                                            std::initializer_list<std::string_view> but = {}) {
    const auto one = [&]<class T>(const Field<Struct, T>& field) {
        if constexpr (!text::kIsBlock<T> && !std::is_same_v<T, Array>)  // those are compared part by part
            if (!text::contains(but, field.name))
                compare(findings, leaf, "the property " + std::string(field.name), before.*field.member, after.*field.member);
    };
    std::apply([&](const auto&... field) { (one(field), ...); }, Struct::fields());
}

/// Pairs of ids, and what stays alone on either side.
template <class IdType> struct Pairs {
    std::vector<std::pair<IdType, IdType>> both;  ///< In the order of the first graph.
    std::vector<IdType> only_before, only_after;
};
Pairs<NodeId> match_nodes(const State& before, const State& after);

void compare_sdfgs(Findings& findings, const Sdfg& before, const Sdfg& after);
void compare_states(Findings& findings, const State& before, const State& after);

}  // namespace sluice::ir::difference
