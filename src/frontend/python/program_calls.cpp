// A call of another program is a nested SDFG: its size symbols follow from the shapes of the arguments.
#include <algorithm>

#include "code/parse.h"
#include "code/print.h"
#include "code/walk.h"
#include "frontend/array/diagnostics.h"
#include "frontend/array/syntax.h"
#include "frontend/python/bindings.h"
#include "frontend/python/nested.h"
#include "frontend/python/prelude.h"
#include "frontend/python/program_build.h"
#include "frontend/python/results.h"
#include "frontend/python/translator.h"
#include "ir/code_block.h"
#include "ir/strides.h"

namespace sluice::frontend {

using namespace code;

namespace {

/// The containers of an SDFG's return values, in order.
std::vector<std::string> result_names(const ir::Sdfg& sdfg) {
    if (const auto* one = sdfg.containers.find("__return"); one && !one->transient) return {"__return"};
    std::vector<std::string> names;
    for (std::size_t at = 0;; ++at) {
        std::string name = "__return_" + std::to_string(at);
        const auto* found = sdfg.containers.find(name);
        if (!found || found->transient) return names;
        names.push_back(std::move(name));
    }
}

/// Shapes of arguments speak of the caller's symbols. Those whose names mean something else in the called function, and the names
/// that they take there.
std::map<std::string, std::string> names_apart(const FunctionStmt& function, const std::map<std::string, ArgumentType>& types) {
    std::map<std::string, int> own = occurrences(function.body);
    for (const Parameter& parameter : function.parameters) ++own[parameter.name];
    std::set<std::string> symbols;
    for (const auto& [name, type] : types)
        if (type.shape)
            for (const Expr& extent : *type.shape) symbols.merge(symbolic::free_symbols(extent));
    std::map<std::string, std::string> apart;
    for (const std::string& symbol : symbols) {
        if (!own.contains(symbol)) continue;
        std::string name = symbol + "_outside";
        while (own.contains(name) || symbols.contains(name)) name += "_";
        apart.emplace(symbol, name);
    }
    return apart;
}

/// The result of a call that returns a view of what was given: that view, so that who writes to one changes the other. Anything
/// else is `copy`, the container that the call writes. `given`: arguments, and arrays of the module.
Value view_of_argument(const Returned& returned, const std::map<std::string, Value>& given, const Value& copy,
                       const ir::NestedSdfg& call, const Span& span) {
    const auto refuse_view = [&] {
        refuse("F011", call.label + " returns a view of an argument in some cases only", span,
               "return a copy, x.copy(), or the view in every case");
    };
    if (returned.unnamed || returned.places.size() > 1) refuse_view();
    if (returned.places.empty() || !returned.places[0].view) return copy;
    const auto& [place, part] = returned.places[0];
    if (!given.contains(place->data)) refuse_view();  // Of another result.
    const Value& base = given.at(place->data);
    if (!as_view(base) || base.copied) return copy;
    const symbolic::Substitution outward(call.symbol_mapping.begin(), call.symbol_mapping.end());
    symbolic::Substitution index;
    for (std::size_t dim = 0; dim < base.rank(); ++dim) {
        const Expr& inner = place->index[dim];
        for (const std::string& symbol : symbolic::free_symbols(inner))
            if (!symbol.starts_with("__r") && !call.symbol_mapping.contains(symbol)) refuse_view();
        index.emplace(iteration_of(dim, base.rank()).name(), symbolic::substitute(inner, outward));
    }
    Value view = substitute(base, index);
    view.shape = copy.shape;
    if (part.empty()) return view;
    view.code = make_call(part, {view.code}, span);
    view.type = copy.type;
    return view;
}

/// A call without the keywords that name symbols of the called program, and these.
std::pair<CallExpr, std::vector<Keyword>> without_symbols(const Program& program, const CallExpr& node) {
    std::pair<CallExpr, std::vector<Keyword>> result{{node.function, node.arguments, {}}, {}};
    const auto& parameters = std::get<FunctionStmt>(program.function->node).parameters;
    for (const Keyword& keyword : node.keywords) {
        const auto bound = program.globals.find(keyword.name);
        const bool symbol = bound != program.globals.end() && std::holds_alternative<SymbolBinding>(bound->second) &&
                            std::ranges::none_of(parameters, [&](const Parameter& one) { return one.name == keyword.name; });
        (symbol ? result.second : result.first.keywords).push_back(keyword);
    }
    return result;
}

}  // namespace

/// A function of NumPy's or of the user's that is a default; nullopt for anything else.
static std::optional<Value> default_function(const Program& program, const ExprPtr& e, Bindings& bindings) {
    Value function;
    function.kind = Value::Kind::Function;
    const std::string prefix = "numpy.", name = qualified_name(*e, program.globals);
    const bool known = code::find_function(name) || signature_of(name) || find_in_prelude(name);
    if (name.starts_with(prefix) && name.find('.', prefix.size()) == std::string::npos && known) {
        bindings.emplace("__numpy", ModuleBinding{"numpy"});
        function.code = make_attribute(make_name("__numpy", e->span), name.substr(prefix.size()), e->span);
        return function;
    }
    const auto bound = program.globals.find(std::string(name_of(e)));
    const auto* of_user = bound == program.globals.end() ? nullptr : std::get_if<ProgramBinding>(&bound->second);
    if (!of_user) return std::nullopt;
    function.function = of_user->program->function;
    function.program = of_user->program;
    return function;
}

/// A default that is a number: as Python evaluated it, else as the called program's own names make it one; or a function.
Value Translator::default_of(const Program& program, const std::string& parameter, const ExprPtr& e) {
    const auto evaluated = program.definition.defaults.find(parameter);
    if (evaluated != program.definition.defaults.end()) return evaluate(literal_of(evaluated->second, e->span));
    const auto constant = constant_value(*e, program.globals);
    if (auto function = constant ? std::nullopt : default_function(program, e, bindings_)) return *function;
    if (!constant) refuse("F011", "the default of this parameter is no number", e->span, "pass the argument");
    return evaluate(literal_of(*constant, e->span));
}

std::vector<Translator::Actual> Translator::program_arguments(const Program& program, const CallExpr& node, const Span& span) {
    const auto& function = std::get<FunctionStmt>(program.function->node);
    const std::vector<ProgramParameter> list = parameters(program).or_fail();
    CallSignature signature{function.name, {}, {}, "F011"};
    for (const ProgramParameter& parameter : list)
        signature.parameters.push_back({CallParameter::Kind::Either, parameter.name, parameter.has_default ? "its default" : ""});
    const Arguments arguments(signature, node, span);
    std::vector<Actual> actuals;
    for (std::size_t at = 0; at < list.size(); ++at) {
        const std::string& name = list[at].name;
        const ExprPtr e = arguments.find(name) ? arguments.find(name) : function.parameters[at].default_value;
        if (!e) refuse("F011", "the argument " + name + " of " + function.name + " is missing", span, "pass it");
        Value value = arguments.find(name) ? evaluate(e) : default_of(program, name, e);
        const bool changes = std::any_of(list.begin() + static_cast<std::ptrdiff_t>(at) + 1, list.end(), [&](const auto& later) {
            const ExprPtr given = arguments.find(later.name);
            return given && has_effects(given);
        });
        if (changes) value = settled(value);
        if (!value.is_elements())  // A tuple, say: written out, the body takes it apart.
            refuse("F011", "the argument " + name + " of " + function.name + " is no array and no number", e->span,
                   "pass arrays and numbers");
        if (!value.list.empty()) refuse("F011", "a list whose length the run decides as an argument", e->span, "pass an array");
        const bool wants_array = list[at].type ? list[at].type->shape.has_value() : value.rank() > 0;
        if (wants_array && list[at].type && value.rank() != list[at].type->shape->size())
            refuse("F011", "the argument " + name + " of " + function.name + " has another number of dimensions", e->span,
                   "pass an array of " + std::to_string(list[at].type->shape->size()) + " dimensions");
        if (!wants_array && value.rank() > 0)
            refuse("F011", "the argument " + name + " of " + function.name + " is a number, not an array", e->span,
                   "pass an element");
        std::optional<ArgumentType> inferred;
        if (!list[at].type || (list[at].type->of_python && !program.definition.of_dace))
            inferred = {strong(value.type), wants_array ? std::optional(value.shape) : std::nullopt,
                        value.rank() == 0 && value.type.weak};
        actuals.push_back({name, std::move(value), std::move(inferred)});
    }
    return actuals;
}

/// The strides of a view of a C-order container; nullopt if a dimension runs backwards.
std::optional<std::vector<Expr>> Translator::view_strides(const Value& value, const Operand& view,
                                                          const symbolic::Subset& subset) const {
    std::vector<Expr> strides;
    const std::vector<Expr> outer = ir::dense_strides(container(view.data).shape);
    for (std::size_t dim = 0; dim < value.rank(); ++dim) {
        const std::string symbol = iteration_of(dim, value.rank()).name();
        Expr stride = 0;
        for (std::size_t d = 0; d < view.index.size(); ++d)
            if (symbolic::depends_on(view.index[d], symbol)) stride = outer[d] * subset.dims[d].step;
        if (symbolic::is_yes(symbolic::decide(symbolic::less(stride, 0), assumptions_))) return std::nullopt;
        strides.push_back(stride);
    }
    return strides;
}

/// Ties one argument to the formal container: a view passes in place, anything else through a copy.
void Translator::pass_argument(Actual& actual, ir::Sdfg& inner, ProgramCall& call) {
    ir::Container* formal = inner.containers.find(actual.name);
    if (!formal) {  // A symbol.
        call.nested.symbol_mapping[actual.name] = integer_of(actual.value, call.span);
        return;
    }
    const bool written = call.touched.writes.contains(actual.name), number = formal->shape.empty();
    Value& value = actual.value;
    const Operand* view = as_view(value);
    auto subset = view ? subset_of_view(*view, value.shape) : std::nullopt;
    auto strides = subset && !number ? view_strides(value, *view, *subset) : std::optional<std::vector<Expr>>(std::in_place);
    const bool in_order = !strides || number || *strides == ir::dense_strides(value.shape) || !relies_on_layout(inner, actual.name);
    if (!subset || !strides || !in_order || !(formal->dtype == strong(value.type)) ||
        (written && (value.copied || value.read_only || value.sees_through))) {
        if (written)
            refuse("F011",
                   "the argument " + actual.name + " of " + call.nested.label +
                       " is written and must be a view of one array of its type",
                   call.span, "pass an array or a regular slice of type " + code::to_string(formal->dtype));
        const Value before = value;
        value = read_container(add_temporary(actual.name + "_argument", formal->dtype, number ? std::vector<Expr>() : value.shape));
        assign(target_of(value, call.span), broadcast_to(before, value.shape, call.span), "argument");
        view = as_view(value);
        subset = subset_of_view(*view, value.shape);
        strides = ir::dense_strides(value.shape);
    }
    if (!number) {
        for (const auto& [wanted, given] :
             match_sizes(*formal, value.shape, call.nested.symbol_mapping, actual.name, call.nested.label, call.span, assumptions_))
            require_equal(wanted, given, "the argument " + actual.name + " of " + call.nested.label, call.span);
        if (*strides != ir::dense_strides(value.shape)) give_strides(inner, actual.name, *strides, call.nested.symbol_mapping);
    }
    const ir::Memlet memlet = subset_memlet(view->data, *subset);
    if (call.touched.reads.contains(actual.name) || !written) call.code.in.push_back({actual.name, memlet});
    if (written) call.code.out.push_back({actual.name, memlet});
}

/// A container for one return value, and what it means to the caller.
Value Translator::receive_result(const std::string& name, const ir::Container& formal, const Returned& returned, ProgramCall& call,
                                 const std::vector<Value>& operands) {
    const std::optional<NumberKind> number = returned.number;
    std::vector<Expr> shape;
    const symbolic::Substitution outward(call.nested.symbol_mapping.begin(), call.nested.symbol_mapping.end());
    for (const Expr& extent : formal.shape) shape.push_back(symbolic::substitute(extent, outward));
    const std::string base = call.nested.label + "_result";
    if (hint_ && !(is_identity(hint_->view, shape.size()) && container(hint_->view.data).shape == shape)) hint_.reset();
    const Value place = name == "__return" && !number ? result_place(base, formal.dtype, shape, operands)
                                                      : read_container(add_temporary(base, formal.dtype, shape));
    call.code.out.push_back({name, subset_memlet(as_view(place)->data, *subset_of_view(*as_view(place), shape))});
    if (call.touched.reads.contains(name)) call.code.in.push_back({name, call.code.out.back().memlet});
    if (!number) return place;
    // It came back as an array of one element.
    Value result = substitute(place, {{iteration_name(0), Expr(0)}});
    result.shape.clear();
    result.type.weak = number == NumberKind::Python;
    result.of_rank_0 = number == NumberKind::Array;
    // Who sees the type that the path decides has the call written out (TypesByPath::ask).
    for (const Type& type : returned.types) add_types_of(result, frontend::number(result.code, type));
    if (!result.other_types.empty()) result.type_sources.insert({call.span.line, call.span.column, inline_prefix_});
    return result;
}

/// A call as a nested SDFG; where that cannot do what the call does, the translation starts again with the body in its place.
Value Translator::call_program(const Program& program, const CallExpr& node, const Span& span) {
    // F005: an axis and its kin are known where the body stands in the place of the call.
    static const std::set<std::string> kOfNesting{"F005", "F008", "F010", "F011"};
    try {
        return call_nested(program, node, span, false);
    } catch (const Failure& failure) {
        const auto list = parameters(program).or_fail();
        const bool sized = std::ranges::any_of(list, [](const auto& one) { return one.type && one.type->shape; });
        const bool inlined = kOfNesting.contains(failure.diagnostic.code) && !parent_ && !sized &&
                             context_.inlined_calls.emplace(span.line, span.column, inline_prefix_).second;
        if (!inlined && failure.diagnostic.code == "F011") return call_nested(program, node, span, true);
        if (!inlined) throw;
    }
    throw StartAgain{};
}

Value Translator::call_nested(const Program& program, const CallExpr& given_node, const Span& span, bool raises_for_none) {
    refuse_flat();
    const auto& function = std::get<FunctionStmt>(program.function->node);
    const auto [node, symbols] = without_symbols(program, given_node);
    std::vector<Actual> actuals = program_arguments(program, node, span);
    std::map<std::string, ArgumentType> types;
    for (const Actual& actual : actuals)
        if (actual.inferred) types.emplace(actual.name, *actual.inferred);
    const std::map<std::string, std::string> apart = names_apart(function, types);
    symbolic::Substitution renamed;
    for (const auto& [symbol, name] : apart) renamed.emplace(symbol, symbolic::symbol(name));
    for (auto& [name, type] : types)
        if (type.shape)
            for (Expr& extent : *type.shape) extent = symbolic::substitute(extent, renamed);
    Returns returns;
    const BuildOptions options{context_.check_indices, context_.as_dace, context_.strict};
    ir::Sdfg inner = translate_program(program, types, context_.callers, {}, options, &returns, false, raises_for_none);
    std::map<std::string, Value> given;
    for (const Actual& actual : actuals) given.emplace(actual.name, actual.value);
    ProgramCall call{{}, {{}, {}, {}, span}, containers_touched(inner), span};
    for (const Keyword& symbol : symbols) call.nested.symbol_mapping.emplace(symbol.name, integer_of(symbol.value));
    for (const auto& [symbol, name] : apart) call.nested.symbol_mapping.emplace(name, symbolic::symbol(symbol));
    const Sharing sharing = shared_parameters(actuals, call.touched, function.name, call.nested.symbol_mapping, span);
    if (!sharing.empty()) {
        inner = translate_program(program, types, context_.callers, sharing, options, nullptr, false, raises_for_none);
        call.touched = containers_touched(inner);
    }
    std::vector<Value> results;
    call.nested.label = function.name;
    for (Actual& actual : actuals)
        if (!sharing.contains(actual.name)) pass_argument(actual, inner, call);
    pass_shared(program, actuals, sharing, call);
    map_symbols(inner, call.nested.symbol_mapping, span);
    std::vector<Value> operands;
    for (const Actual& actual : actuals) operands.push_back(actual.value);
    for (const auto& [name, formal] : inner.containers)
        if (!formal.transient && name.starts_with("__g_")) {
            operands.push_back(read_container(name));
            given.emplace(name, operands.back());
        }
    const bool alone = inner.containers.contains("__return");
    const std::vector<std::string> names = result_names(inner);
    for (const std::string& name : names)
        results.push_back(view_of_argument(returns[name], given,
                                           receive_result(name, inner.containers.at(name), returns[name], call, operands),
                                           call.nested, span));
    for (const auto& [name, formal] : inner.containers) {
        if (formal.transient) continue;
        if (!name.starts_with("__g_")) continue;
        // An array of the module: an argument of the caller too, under the same name.
        const ir::Memlet whole = subset_memlet(name, symbolic::Subset::extents(formal.shape));
        const bool written = call.touched.writes.contains(name);
        if (call.touched.reads.contains(name) || !written) call.code.in.push_back({name, whole});
        if (written) call.code.out.push_back({name, whole});
    }
    call.nested.sdfg = Cow<ir::Sdfg>(std::move(inner));
    call.code.node = std::move(call.nested);
    emit_state("call_" + function.name, {std::move(call.code)});
    raises_ = raises_ || returns.raises;
    program_raises_ = program_raises_ || returns.program_raises;
    if (returns.structures.empty()) {
        return none_value();
    }
    return alone ? results[0] : with_results(code::parse_expr(returns.structures[0].text).or_fail(), results, context_);
}

}  // namespace sluice::frontend
