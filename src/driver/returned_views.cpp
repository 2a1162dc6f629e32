#include "driver/returned_views.h"

#include <algorithm>
#include <set>

#include "driver/session.h"

namespace sluice::driver {

namespace {

using python::ReturnedForm;
using python::ReturnedForms;
using python::ReturnedView;

using Names = std::set<std::string>;

/// The symbols that the shapes of the arguments tell.
Names symbols_of_arguments(const ir::Sdfg& program) {
    Names known;
    for (const auto& [name, container] : program.containers)
        if (!container.transient && !name.starts_with("__return"))
            for (const symbolic::Expr& extent : container.shape) known.merge(symbolic::free_symbols(extent));
    return known;
}

bool follow_from(const std::vector<symbolic::Expr>& expressions, const Names& symbols) {
    return std::ranges::all_of(expressions, [&](const symbolic::Expr& one) {
        return std::ranges::all_of(symbolic::free_symbols(one),
                                   [&](const std::string& name) { return name.starts_with("__r") || symbols.contains(name); });
    });
}

/// What other results say about themselves by the container, or where they lie.
bool named_by_another(const ReturnedForms& forms, const std::string& result) {
    return std::ranges::any_of(forms.results, [&](const auto& entry) {
        const ReturnedForm& form = entry.second;
        return form.shape == result || form.choice == result ||
               std::ranges::any_of(form.views, [&](const auto& view) { return view && view->container == result; });
    });
}

bool is_array_argument(const ir::Sdfg& program, const std::string& name) {
    const ir::Container* container = program.containers.find(name);
    const auto* array = container ? std::get_if<ir::Array>(&container->kind) : nullptr;
    return array && !container->transient && !array->optional.value_or(false) && !name.starts_with("__return");
}

/// Whether it is one view of an argument, whatever happens.
bool is_known_view(const ir::Sdfg& program, const ReturnedForms& forms, const std::string& result, const Names& symbols) {
    const ReturnedForm& form = forms.results.at(result);
    const ir::Container* container = program.containers.find(result);
    if (!container || !std::holds_alternative<ir::Array>(container->kind)) return false;
    if (form.number || form.list || form.shared || !form.shape.empty() || !form.choice.empty()) return false;
    if (form.views.size() != 1 || !form.views[0] || named_by_another(forms, result)) return false;
    return is_array_argument(program, form.views[0]->container) && follow_from(form.views[0]->index, symbols) &&
           follow_from(container->shape, symbols);
}

/// The program in which nobody computes the result; nullopt: something else needs it.
std::optional<ir::Sdfg> without(ir::Sdfg program, const std::string& result) {
    program.containers.at(result).transient = true;
    Session session(std::move(program));
    for (bool changed = true; changed;) {
        changed = false;
        for (const Proposal& one : session.matches("DeadDataflowElimination")) {
            const std::string& access = one.application.nodes.at("access");
            if (one.refusal || !(access == result || access.starts_with(result + "#"))) continue;
            changed = session.apply(one.application).ok();
            if (changed) break;
        }
    }
    if (session.program().containers.contains(result)) return std::nullopt;
    return session.program();
}

}  // namespace

LeftOut leave_out_returned_views(ir::Sdfg& program, const ReturnedForms& forms) {
    LeftOut left_out;
    const Signature before = signature_of(program);
    const Names symbols = symbols_of_arguments(program);
    for (const Argument& argument : before.arguments) {
        if (argument.is_return) left_out.order.push_back(argument.name);
        if (!forms.results.contains(argument.name) || !is_known_view(program, forms, argument.name, symbols)) continue;
        std::optional<ir::Sdfg> lighter = without(program, argument.name);
        if (!lighter) continue;
        left_out.results.push_back(argument);
        program = std::move(*lighter);
    }
    return left_out;
}

bool is_whole(const ReturnedView& view, const Argument& base, const Argument& result) {
    if (!view.part.empty() || base.shape != result.shape || view.index.size() != result.shape.size()) return false;
    for (std::size_t dim = 0; dim < view.index.size(); ++dim)
        if (view.index[dim] != symbolic::symbol("__r" + std::to_string(view.index.size() - 1 - dim))) return false;
    return true;
}

}  // namespace sluice::driver
