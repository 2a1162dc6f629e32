// A call of an SDFG that exists already: `sdfg(A, n=3)`. The graph becomes a nested one; its symbols follow from the sizes and
// strides of what it is given, else they are arguments by name, else symbols of the caller with the same names.
#include <algorithm>

#include "analysis/symbols.h"
#include "code/parse.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/python/graph_calls.h"
#include "frontend/python/nested.h"
#include "frontend/python/results.h"
#include "ir/code_block.h"

namespace sluice::frontend {

using namespace code;

namespace {

bool is_result(const std::string& name) {
    return name.starts_with("__return");
}

CallSignature signature_of_graph(const GraphBinding& binding) {
    CallSignature signature{binding.graph->name, {}, {}, "F011"};
    const auto add = [&](const std::string& name) {
        const auto known = [&](const CallParameter& one) { return one.name == name; };
        if (!is_result(name) && std::ranges::none_of(signature.parameters, known))
            signature.parameters.push_back({CallParameter::Kind::Either, name, "what follows"});
    };
    for (const std::string& name : binding.arguments) add(name);
    for (const auto& [name, formal] : binding.graph->containers)
        if (!formal.transient) add(name);
    for (const std::string& name : analysis::free_symbols(*binding.graph)) add(name);
    return signature;
}

/// Whether the structure is made of results, tuples, lists, and dictionaries with keys that are written.
bool is_plain(const ExprPtr& structure) {
    const auto is_key = [](const ExprPtr& key) {
        const auto* constant = std::get_if<ConstantExpr>(&key->node);
        return constant && !std::holds_alternative<EllipsisValue>(constant->value);
    };
    const auto* keyed = std::get_if<DictExpr>(&structure->node);
    bool plain = !keyed || std::ranges::all_of(keyed->keys, is_key);
    for_each_child(*structure, [&](const ExprPtr& part) { plain = plain && is_plain(part); });
    return plain;
}

/// What the graph's program returns; null for a graph that is no program's.
ExprPtr structure_of(const GraphBinding& binding, const Span& span) {
    const std::vector<std::string>& structures = binding.forms.structures;
    if (structures.empty()) return nullptr;
    const ExprPtr whole = code::parse_expr(structures[0]).or_fail();
    if (structures.size() > 1 || !is_plain(whole))
        refuse("F011", "the path decides what " + binding.graph->name + " returns, or it returns an object or a growing list", span,
               "call the program itself");
    return whole;
}

}  // namespace

/// Symbols that are strides of a formal array, from the array that it is given. Other strides must be those of that array.
void GraphCalls::match_strides(const Translator::Actual& actual, ir::Sdfg& inner, Translator::ProgramCall& call) const {
    const ir::Container& formal = inner.containers.at(actual.name);
    const auto* layout = std::get_if<ir::Array>(&formal.kind);
    if (!layout || layout->strides.empty()) return;
    const auto wrong = [&](const std::string& why) {
        refuse("F011", "the argument " + actual.name + " of " + call.nested.label + " has strides of its own" + why, call.span,
               "pass an array of this layout, or give the graph's array none");
    };
    const Operand* view = as_view(actual.value);
    const auto subset = view ? subset_of_view(*view, actual.value.shape) : std::nullopt;
    const auto strides = subset ? t_.view_strides(actual.value, *view, *subset) : std::nullopt;
    if (!strides) wrong(", and this value has none");
    for (std::size_t dim = 0; dim < strides->size(); ++dim) {
        const Expr& wanted = layout->strides[dim];
        const std::set<std::string> symbols = symbolic::free_symbols(wanted);
        if (symbols.size() == 1 && wanted == symbolic::symbol(*symbols.begin()))
            if (call.nested.symbol_mapping.try_emplace(*symbols.begin(), (*strides)[dim]).second) continue;
        const symbolic::Substitution known(call.nested.symbol_mapping.begin(), call.nested.symbol_mapping.end());
        if (!t_.same_size(symbolic::substitute(wanted, known), (*strides)[dim]))
            wrong(": " + symbolic::to_string(wanted) + " in dimension " + std::to_string(dim) + ", not " +
                  symbolic::to_string((*strides)[dim]));
    }
}

void GraphCalls::give_symbols(const ir::Sdfg& inner, Translator::ProgramCall& call) {
    for (const std::string& name : analysis::free_symbols(inner)) {
        if (call.nested.symbol_mapping.contains(name)) continue;
        const auto bound = t_.bindings_.find(name);
        const bool known = t_.sdfg_.symbols.contains(name) ||
                           (bound != t_.bindings_.end() && std::holds_alternative<SymbolBinding>(bound->second));
        if (!known)
            refuse("F011", "the symbol " + name + " of " + call.nested.label + " has no value", call.span, "pass it by name");
        t_.need_symbols({name});
    }
    map_symbols(inner, call.nested.symbol_mapping, call.span);
}

Value GraphCalls::call(const GraphBinding& binding, const CallExpr& node, const Span& span) {
    t_.refuse_flat();
    ir::Sdfg inner = *binding.graph;
    const CallSignature signature = signature_of_graph(binding);
    const Arguments arguments(signature, node, span);
    std::vector<Translator::Actual> actuals;
    for (const CallParameter& parameter : signature.parameters) {
        const ir::Container* formal = inner.containers.find(parameter.name);
        const ExprPtr e = arguments.find(parameter.name);
        if (!e && !formal) continue;
        if (!e) refuse("F011", "the argument " + parameter.name + " of " + inner.name + " is missing", span, "pass it");
        Value value = t_.evaluate(e);
        if (!value.is_elements() || !value.list.empty())
            unsupported("an argument of this kind", e->span, "pass arrays and numbers");
        if (formal && value.rank() != formal->shape.size())
            refuse("F011",
                   "the argument " + parameter.name + " of " + inner.name + " has " + std::to_string(formal->shape.size()) +
                       " dimensions, not " + std::to_string(value.rank()),
                   e->span, "pass what the graph declares");
        actuals.push_back({parameter.name, std::move(value), std::nullopt});
    }
    Translator::ProgramCall call{{}, {{}, {}, {}, span}, containers_touched(inner), span};
    call.nested.label = inner.name;
    for (const Translator::Actual& a : actuals)
        for (const Translator::Actual& b : actuals)
            if (&a != &b && call.touched.writes.contains(a.name) && t_.may_overlap(a.value, b.value))
                refuse("F011", "the arguments " + a.name + " and " + b.name + " of " + inner.name + " share memory", span,
                       "pass a copy of one of them");
    for (const bool symbols : {true, false})  // Sizes are compared with what is given.
        for (Translator::Actual& actual : actuals)
            if (inner.containers.contains(actual.name) != symbols) {
                if (!symbols) match_strides(actual, inner, call);
                t_.pass_argument(actual, inner, call);
            }
    give_symbols(inner, call);
    const ExprPtr structure = structure_of(binding, span);
    std::vector<Value> operands;
    std::map<std::size_t, Value> results;  // By number, as the structure names them.
    for (const Translator::Actual& actual : actuals) operands.push_back(actual.value);
    for (const auto& [name, formal] : inner.containers) {
        if (formal.transient || !is_result(name)) continue;
        const auto form = binding.forms.results.find(name);
        const bool known = form != binding.forms.results.end();
        const bool is_view = known && (form->second.shared ||
                                       std::ranges::any_of(form->second.views, [](const auto& one) { return one.has_value(); }));
        if (known && (!form->second.shape.empty() || form->second.list || is_view))
            refuse("F011", "the result of " + inner.name + " is a view, a list, or has a size that data decide", span,
                   "call the program itself, or return a copy");
        Returned returned;
        if (known) returned.number = form->second.number;
        const std::string number = name.substr(std::min(name.size(), std::string("__return_").size()));
        results.emplace(structure && !number.empty() ? std::stoul(number) : results.size(),
                        t_.receive_result(name, formal, returned, call, operands));
    }
    call.nested.sdfg = Cow<ir::Sdfg>(std::move(inner));
    call.code.node = std::move(call.nested);
    t_.emit_state("call_" + binding.graph->name, {std::move(call.code)});
    std::vector<Value> in_order;
    for (auto& [number, result] : results) in_order.push_back(std::move(result));
    if (structure) return with_results(structure, in_order, t_.context_);
    if (in_order.empty()) return none_value();
    return in_order.size() == 1 ? in_order[0] : tuple(std::move(in_order));
}

}  // namespace sluice::frontend
