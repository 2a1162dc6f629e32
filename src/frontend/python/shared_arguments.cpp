// Calls whose arguments overlap: f(A[:-1], A[1:]). Where the called program writes one of them, it is translated once more with
// these parameters as views of one container, so that it means what Python means; all others may count on memory of their own.
#include <algorithm>

#include "frontend/array/diagnostics.h"
#include "frontend/python/nested.h"
#include "frontend/python/translator.h"

namespace sluice::frontend {

/// Whether two arguments may have an element in common.
bool Translator::may_overlap(const Value& a, const Value& b) const {
    const Operand *one = as_view(a), *other = as_view(b);
    if (!one || !other || a.rank() == 0 || b.rank() == 0 || root_of(one->data) != root_of(other->data)) return false;
    if (one->data != other->data) return true;
    const auto first = subset_of_view(*one, a.shape), second = subset_of_view(*other, b.shape);
    return !first || !second || !symbolic::is_yes(symbolic::disjoint(*first, *second, assumptions_));
}

/// The parameters that the called program must know to overlap, with the symbols of the caller that their views need.
Sharing Translator::shared_parameters(const std::vector<Actual>& actuals, const Touched& touched, const std::string& program,
                                      std::map<std::string, Expr>& mapping, const Span& span) {
    std::set<std::string> shared;
    for (const Actual& a : actuals)
        for (const Actual& b : actuals)
            if (&a != &b && touched.writes.contains(a.name) && may_overlap(a.value, b.value)) shared.insert({a.name, b.name});
    for (const Actual& a : actuals)
        if (const Operand* view = as_view(a.value); view && a.value.rank() > 0) {
            const std::string& root = root_of(view->data);
            const bool both = root.starts_with("__g_") && (touched.reads.contains(root) || touched.writes.contains(root));
            if (both && (touched.writes.contains(root) || touched.writes.contains(a.name)))
                refuse("F011", program + " changes an array of the module that is its argument " + a.name + " as well", span,
                       "pass a copy, or let the program use the array of the module alone");
        }
    Sharing result;
    std::map<std::string, Expr> renamed;
    const auto inner = [&](const Expr& e) {
        symbolic::Substitution substitution;
        for (const std::string& symbol : symbolic::free_symbols(e)) {
            if (symbol.starts_with("__r")) continue;
            const auto [at, added] = renamed.emplace(symbol, symbolic::symbol("shared_" + std::to_string(renamed.size())));
            if (added) mapping.emplace(at->second.name(), symbolic::symbol(symbol));
            substitution.emplace(symbol, at->second);
        }
        return symbolic::substitute(e, substitution);
    };
    for (const Actual& a : actuals) {
        if (!shared.contains(a.name)) continue;
        const Operand& view = *as_view(a.value);
        if (view_of_.contains(view.data))
            refuse("F011", "arguments of " + program + " share memory in different shapes, and it changes them", span,
                   "pass a copy of one of them");
        SharedParameter one{
            .container = "__shared_" + view.data, .dtype = view.dtype, .container_shape = {}, .index = {}, .strides = {}};
        for (const Expr& extent : container(view.data).shape) one.container_shape.push_back(inner(extent));
        for (const Expr& index : view.index) one.index.push_back(inner(index));
        result.emplace(a.name, std::move(one));
    }
    return result;
}

/// Ties the containers in common to those of the caller, and the sizes of the parameters to those of the arguments.
void Translator::pass_shared(const Program& program, const std::vector<Actual>& actuals, const Sharing& sharing,
                             ProgramCall& call) {
    if (sharing.empty()) return;
    std::set<std::string> passed;
    const std::vector<ProgramParameter> list = parameters(program).or_fail();
    for (std::size_t at = 0; at < list.size(); ++at) {
        const auto shared = sharing.find(list[at].name);
        if (shared == sharing.end()) continue;
        const Actual& actual = actuals[at];
        ir::Container formal;
        formal.shape = list[at].type ? *list[at].type->shape : actual.value.shape;
        if (list[at].type && !(list[at].type->dtype == shared->second.dtype))
            refuse("F011", "arguments of " + call.nested.label + " share memory and have other types than its parameters",
                   call.span, "pass arrays of the parameters' types");
        for (const auto& [wanted, given] : match_sizes(formal, actual.value.shape, call.nested.symbol_mapping, actual.name,
                                                       call.nested.label, call.span, assumptions_))
            require_equal(wanted, given, "the argument " + actual.name + " of " + call.nested.label, call.span);
        const std::string& container_name = shared->second.container;
        if (!passed.insert(container_name).second) continue;
        const std::string& data = as_view(actual.value)->data;
        const ir::Memlet whole = subset_memlet(data, symbolic::Subset::extents(container(data).shape));
        const bool written = call.touched.writes.contains(container_name);
        if (call.touched.reads.contains(container_name) || !written) call.code.in.push_back({container_name, whole});
        if (written) call.code.out.push_back({container_name, whole});
    }
}

}  // namespace sluice::frontend
