#include "driver/renaming.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>

#include "analysis/symbols.h"
#include "ir/text.h"
#include "ir/walk.h"
#include "rewrite/edit.h"
#include "support/nearest.h"

namespace sluice::driver {

namespace {

void add_words(std::set<std::string>& words, std::string_view text) {
    std::string word;
    for (const char letter : text) {
        if (std::isalnum(static_cast<unsigned char>(letter)) || letter == '_') {
            word += letter;
        } else if (!word.empty()) {
            words.insert(std::exchange(word, {}));
        }
    }
    if (!word.empty()) words.insert(word);
}

/// Names that something in the region may mean, those of its code included; `bound` are those that get their values there.
void add_names(const ir::Region& region, std::set<std::string>& names, std::set<std::string>& bound) {
    ir::for_each_region(region, [&](const ir::Region& each) {
        ir::for_each_code(
            each, [&](const ir::CodeBlock& code) { add_words(names, code.text); },
            [&](const std::string& text) { add_words(names, text); });
    });
    bound.merge(ir::assigned_symbols(region));
    ir::for_each_state(region, [&](const ir::State& state) {
        for (auto [id, node] : state.nodes) add_words(names, ir::node_text(state, id));
        for (auto [id, edge] : state.edges) add_words(names, ir::edge_text(edge));
    });
}

/// Symbols that loops and transitions assign; what stands inside of a loop that assigns it is renamed with it.
void rename_bound(ir::Region& region, const std::string& from, const std::string& to) {
    const symbolic::Substitution replacement{{from, symbolic::symbol(to)}};
    ir::for_each_region(region, [&](ir::Region& each) {
        for (auto [id, transition] : each.transitions)
            for (auto& [symbol, value] : transition.assignments)
                if (symbol == from) symbol = to;
        for (auto [id, block] : each.blocks) {
            auto* loop = std::get_if<ir::LoopRegion>(&block.kind);
            if (!loop || loop->variable != from) continue;
            loop->variable = to;
            for (auto* code : {&loop->init, &loop->condition, &loop->update})
                if (*code) **code = rewrite::substitute(**code, replacement);
            rewrite::substitute(loop->body, replacement);
        }
    });
}

/// The same entries in the same order.
template <class Value> void rename_entry(OrderedMap<Value>& map, const std::string& from, const std::string& to) {
    if (!map.contains(from)) return;
    OrderedMap<Value> renamed;
    for (const auto& [name, value] : map) renamed.set(name == from ? to : name, value);
    map = std::move(renamed);
}

[[noreturn]] void refuse_name(const char* code, std::string message, std::string remedy) {
    fail({code, std::move(message), {}, {}, std::move(remedy), {}});
}

std::string among(const std::string& name, const std::set<std::string>& names) {
    if (names.empty()) return "there is none";
    const std::vector<std::string> candidates(names.begin(), names.end());
    return fmt::format("perhaps you mean one of: {}", fmt::join(nearest(name, candidates), ", "));
}

bool is_identifier(const std::string& text) {
    if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
    std::set<std::string> words;
    add_words(words, text);
    return words.size() == 1 && *words.begin() == text;
}

}  // namespace

void rename(ir::Sdfg& sdfg, const std::string& from, const std::string& to) {
    std::set<std::string> declared, used;
    add_names(sdfg.body, used, declared);
    declared.erase("");
    for (const auto& [name, container] : sdfg.containers) {
        declared.insert(name);
        add_words(used, ir::container_text(name, container));
    }
    for (const auto& [name, type] : sdfg.symbols) declared.insert(name);
    for (const auto& [name, constant] : sdfg.constants) declared.insert(name);
    if (!declared.contains(from))
        refuse_name("D021", fmt::format("the SDFG {} has no name `{}`", sdfg.name, from), among(from, declared));
    if (from == to) return;
    if (!is_identifier(to)) refuse_name("D021", fmt::format("`{}` is no name", to), "give letters, digits and underscores");
    if (declared.contains(to) || used.contains(to))
        refuse_name("D021", fmt::format("`{}` is in use in the SDFG {}", to, sdfg.name), "choose a name that nothing in it has");

    const symbolic::Substitution replacement{{from, symbolic::symbol(to)}};
    if (sdfg.containers.contains(from))
        rewrite::rename_data(sdfg.body, from, to);
    else
        rewrite::substitute(sdfg.body, replacement);
    rename_bound(sdfg.body, from, to);
    rename_entry(sdfg.containers, from, to);
    rename_entry(sdfg.constants, from, to);
    std::vector<std::string> names;
    for (const auto& [name, container] : sdfg.containers) names.push_back(name);
    for (const std::string& name : names) rewrite::substitute(sdfg.containers.at(name), replacement);
    if (auto symbol = sdfg.symbols.extract(from)) {
        symbol.key() = to;
        sdfg.symbols.insert(std::move(symbol));
    }
    std::ranges::replace(sdfg.arg_names, from, to);
}

void specialize(ir::Sdfg& sdfg, const std::map<std::string, std::string>& values) {
    const std::set<std::string> free = analysis::free_symbols(sdfg);
    std::set<std::string> names, assigned;
    add_names(sdfg.body, names, assigned);
    symbolic::Substitution replacement;
    for (const auto& [name, text] : values) {
        if (!free.contains(name))
            refuse_name("D022", fmt::format("the SDFG {} has no free symbol `{}`", sdfg.name, name), among(name, free));
        if (assigned.contains(name))
            refuse_name("D022", fmt::format("the program assigns `{}`, so it is no constant", name),
                        "specialise what only the caller gives a value");
        const Result<symbolic::Expr> value = symbolic::parse(text);
        const auto type = sdfg.symbols.find(name);
        const bool whole = type == sdfg.symbols.end() || code::is_integer(type->second.scalar);
        const bool fits = value.ok() && (value->is_integer() || (!whole && value->kind() == symbolic::Kind::Real) ||
                                         (!whole && value->kind() == symbolic::Kind::Rational));
        if (!fits)
            refuse_name("D022", fmt::format("`{}` is no value for the symbol `{}`", text, name),
                        whole ? "give an integer" : "give a number");
        replacement.insert_or_assign(name, *value);
    }
    rewrite::substitute(sdfg.body, replacement);
    std::vector<std::string> containers;
    for (const auto& [name, container] : sdfg.containers) containers.push_back(name);
    for (const std::string& name : containers) rewrite::substitute(sdfg.containers.at(name), replacement);
    for (const auto& [name, text] : values) {
        sdfg.symbols.erase(name);
        std::erase(sdfg.arg_names, name);
    }
}

}  // namespace sluice::driver
