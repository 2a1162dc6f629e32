// Names in graphs and in the code that they carry.
#include <algorithm>

#include "code/parse.h"
#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"
#include "rewrite/edit.h"
#include "support/words.h"

namespace sluice::rewrite {

using symbolic::Substitution;

namespace {

// ---- code ---------------------------------------------------------------------------------------------------------------
/// The places in a Python tree where names are read or written, lambda parameters and called functions aside.
class NameSpans {
public:
    explicit NameSpans(std::function<bool(const std::string&)> wanted) : wanted_(std::move(wanted)) {}
    std::vector<std::pair<Span, std::string>> found;

    void visit(const code::ExprPtr& e) {
        if (e) visit(*e);
    }
    void visit(const code::Expr& e) {
        if (const auto* name = std::get_if<code::NameExpr>(&e.node)) {
            if (wanted_(name->id) && !hidden_.contains(name->id)) found.emplace_back(e.span, name->id);
            return;
        }
        if (const auto* call = std::get_if<code::CallExpr>(&e.node)) {
            if (!std::holds_alternative<code::NameExpr>(call->function->node)) visit(call->function);
            for (const code::ExprPtr& argument : call->arguments) visit(argument);
            for (const code::Keyword& keyword : call->keywords) visit(keyword.value);
            return;
        }
        const std::multiset<std::string> outside = hidden_;
        if (const auto* lambda = std::get_if<code::LambdaExpr>(&e.node))
            hidden_.insert(lambda->parameters.begin(), lambda->parameters.end());
        code::for_each_child(e, [this](const code::ExprPtr& child) { visit(child); });
        hidden_ = outside;
    }
    void visit(const code::Body& body) {
        for (const code::StmtPtr& stmt : body) {
            std::visit(
                [this](const auto& s) {
                    if constexpr (requires { s.targets; })
                        for (const code::ExprPtr& target : s.targets) visit(target);
                    if constexpr (requires { s.target; }) visit(s.target);
                    if constexpr (requires { s.value; }) visit(s.value);
                    if constexpr (requires { s.iterable; }) visit(s.iterable);
                    if constexpr (requires { s.condition; }) visit(s.condition);
                    if constexpr (requires { s.message; }) visit(s.message);
                },
                stmt->node);
            code::for_each_body(*stmt, [this](const code::Body& inner) { visit(inner); });
        }
    }

private:
    std::function<bool(const std::string&)> wanted_;
    std::multiset<std::string> hidden_;
};

std::string operand_text(const symbolic::Expr& e) {
    const bool atom = e.is_symbol() || (e.is_integer() && e.integer() >= 0);
    return atom ? symbolic::to_string(e) : "(" + symbolic::to_string(e) + ")";
}

/// Puts texts in the place of spans; columns count from 1.
std::string spliced(const std::string& text, std::vector<std::pair<Span, std::string>> places, const Substitution& replacement) {
    std::vector<std::size_t> line_starts{0};
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '\n') line_starts.push_back(i + 1);
    std::string result;
    std::size_t done = 0;
    std::ranges::sort(places, {}, [](const auto& place) { return std::pair(place.first.line, place.first.column); });
    for (const auto& [span, name] : places) {
        const std::size_t at = line_starts[span.line - 1] + span.column - 1;
        check(text.compare(at, name.size(), name) == 0, "the name ", name, " is not where its span says");
        result += text.substr(done, at - done) + operand_text(replacement.find(name)->second);
        done = at + name.size();
    }
    return result + text.substr(done);
}

template <class Tree> std::string substitute_python(const std::string& text, const Tree& tree, const Substitution& replacement,
                                                    const std::set<std::string>& bound) {
    NameSpans spans([&](const std::string& name) { return replacement.contains(name) && !bound.contains(name); });
    spans.visit(tree);
    return spans.found.empty() ? text : spliced(text, std::move(spans.found), replacement);
}

/// Identifiers of C or C++ text, members and literals aside.
std::string substitute_foreign(const std::string& text, const Substitution& replacement, const std::set<std::string>& bound) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t begin = i;
        if (text[i] == '"' || text[i] == '\'') {
            const char quote = text[i++];
            while (i < text.size() && text[i] != quote) i += text[i] == '\\' ? 2 : 1;
            i = std::min(i + 1, text.size());
            result += text.substr(begin, i - begin);
            continue;
        }
        if (!is_word_part(text[i])) {
            result += text[i++];
            continue;
        }
        while (i < text.size() && is_word_part(text[i])) ++i;
        const std::string word = text.substr(begin, i - begin);
        const bool member =
            begin > 0 && (text[begin - 1] == '.' ||
                          (begin > 1 && (text.compare(begin - 2, 2, "->") == 0 || text.compare(begin - 2, 2, "::") == 0)));
        const auto at = replacement.find(word);
        const bool replaced = at != replacement.end() && !member && !bound.contains(word);
        result += replaced ? (at->second.is_symbol() ? at->second.name() : "(" + symbolic::to_cpp(at->second, {}) + ")") : word;
    }
    return result;
}

// ---- graph --------------------------------------------------------------------------------------------------------------
void substitute_memlet(ir::Memlet& memlet, const Substitution& replacement) {
    if (memlet.subset) memlet.subset = symbolic::substitute(*memlet.subset, replacement);
    if (memlet.other_subset) memlet.other_subset = symbolic::substitute(*memlet.other_subset, replacement);
    if (memlet.prefetch) memlet.prefetch = symbolic::substitute(*memlet.prefetch, replacement);
    memlet.volume = symbolic::substitute(memlet.volume, replacement);
}

std::set<std::string> connector_names(const ir::Node& node) {
    std::set<std::string> names;
    for (const auto* connectors : {&node.in, &node.out})
        for (const auto& [name, type] : *connectors) names.insert(name);
    return names;
}

Substitution without(const Substitution& replacement, const std::set<std::string>& hidden) {
    Substitution rest;
    for (const auto& [name, value] : replacement)
        if (!hidden.contains(name)) rest.emplace(name, value);
    return rest;
}

void substitute_node(ir::Node& node, const Substitution& replacement) {
    const std::set<std::string> connectors = connector_names(node);
    std::visit(code::Overloaded{
                   [&](ir::Tasklet& tasklet) { tasklet.code = rewrite::substitute(tasklet.code, replacement, connectors); },
                   [&](ir::MapEntry& map) {
                       std::set<std::string> hidden = connectors;
                       hidden.insert(map.params.begin(), map.params.end());
                       map.range = symbolic::substitute(map.range, without(replacement, hidden));
                       map.omp_if = symbolic::substitute(map.omp_if, without(replacement, connectors));
                   },
                   [&](ir::ConsumeEntry& consume) {
                       consume.num_pes = symbolic::substitute(consume.num_pes, replacement);
                       if (consume.condition)
                           consume.condition = rewrite::substitute(*consume.condition, replacement, {consume.pe_index});
                   },
                   [&](ir::NestedSdfg& nested) {
                       for (auto& [inner, value] : nested.symbol_mapping) value = symbolic::substitute(value, replacement);
                   },
                   [&](ir::LibraryNode& library) {
                       for (auto& [name, property] : library.properties)
                           if (auto* e = std::get_if<symbolic::Expr>(&property)) *e = symbolic::substitute(*e, replacement);
                   },
                   [](auto&) {},
               },
               node.kind);
}

void substitute_code(std::optional<ir::CodeBlock>& code, const Substitution& replacement) {
    if (code) code = rewrite::substitute(*code, replacement);
}

/// Applies `visit_code` and `visit_state` to everything in a region.
template <class Visit> void for_each_part(ir::Region& region, Visit&& visit) {
    for (auto [id, transition] : region.transitions) {
        visit(transition.condition);
        for (auto& [symbol, value] : transition.assignments) visit(value);
    }
    for (auto [id, block] : region.blocks) visit(block);
}

}  // namespace

ir::CodeBlock substitute(const ir::CodeBlock& code, const Substitution& replacement, const std::set<std::string>& bound) {
    ir::CodeBlock result = code;
    if (code.text.empty()) return result;
    if (code.language != ir::Language::Python) {
        result.text = substitute_foreign(code.text, replacement, bound);
        return result;
    }
    result.text = substitute_python(code.text, ir::parsed_body({code.text, code.language}).or_fail(), replacement, bound);
    return result;
}

std::string substitute(const std::string& python, const Substitution& replacement, const std::set<std::string>& bound) {
    if (python.empty()) return python;
    return substitute_python(python, *ir::parsed_expr(python).or_fail(), replacement, bound);
}

void substitute(ir::State& state, std::span<const ir::NodeId> nodes, std::span<const ir::EdgeId> edges,
                const Substitution& replacement) {
    for (const ir::NodeId id : nodes) substitute_node(state.nodes[id], replacement);
    for (const ir::EdgeId id : edges) substitute_memlet(state.edges[id].memlet, replacement);
}

void substitute(ir::Container& container, const Substitution& replacement) {
    const auto replace = [&](ir::Expr& e) { e = symbolic::substitute(e, replacement); };
    std::ranges::for_each(container.shape, replace);
    if (auto* array = std::get_if<ir::Array>(&container.kind)) {
        std::ranges::for_each(array->strides, replace);
        std::ranges::for_each(array->offset, replace);
        replace(array->total_size);
        replace(array->start_offset);
    }
    if (auto* stream = std::get_if<ir::Stream>(&container.kind)) {
        std::ranges::for_each(stream->offset, replace);
        replace(stream->buffer_size);
    }
}

void substitute(ir::Region& region, const Substitution& replacement) {
    for_each_part(region, code::Overloaded{
                              [&](ir::CodeBlock& code) { code = substitute(code, replacement); },
                              [&](std::string& python) { python = substitute(python, replacement); },
                              [&](ir::Block& block) {
                                  std::visit(code::Overloaded{
                                                 [&](Cow<ir::State>& state) {
                                                     ir::State& edited = state.edit();
                                                     for (auto [id, node] : edited.nodes) substitute_node(node, replacement);
                                                     for (auto [id, edge] : edited.edges)
                                                         substitute_memlet(edge.memlet, replacement);
                                                 },
                                                 [&](ir::LoopRegion& loop) {
                                                     const Substitution inside = without(replacement, {loop.variable});
                                                     // The initial value is computed before the variable has its own.
                                                     substitute_code(loop.init, inside);
                                                     substitute_code(loop.condition, inside);
                                                     substitute_code(loop.update, inside);
                                                     substitute(loop.body, inside);
                                                 },
                                                 [&](ir::ConditionalBlock& choice) {
                                                     for (ir::Branch& branch : choice.branches) {
                                                         substitute_code(branch.condition, replacement);
                                                         substitute(branch.body, replacement);
                                                     }
                                                 },
                                                 [&](ir::NamedRegion& named) { substitute(named.body, replacement); },
                                                 [](auto&) {},
                                             },
                                             block.kind);
                              },
                          });
}

void rename_data(ir::State& state, const std::string& from, const std::string& to) {
    const auto renamed = [&](std::string& data) {
        if (ir::root_name(data) == from) data = to + data.substr(from.size());
    };
    const Substitution in_expressions{{from, symbolic::symbol(to)}};
    for (auto [id, node] : state.nodes) {
        if (auto* access = std::get_if<ir::Access>(&node.kind)) renamed(access->data);
        if (auto* map = std::get_if<ir::MapEntry>(&node.kind)) {
            map->range = symbolic::substitute(map->range, in_expressions);
            for (std::string& data : map->private_updates) renamed(data);
        }
    }
    for (auto [id, edge] : state.edges) {
        renamed(edge.memlet.data);
        substitute_memlet(edge.memlet, in_expressions);
    }
}

void rename_data(ir::Region& region, const std::string& from, const std::string& to) {
    // Conditions and assignments name containers as they name symbols.
    ir::edit_each_state(region, [&](ir::State& state) { rename_data(state, from, to); });
    substitute(region, {{from, symbolic::symbol(to)}});
}

}  // namespace sluice::rewrite
