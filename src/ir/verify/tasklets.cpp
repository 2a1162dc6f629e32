// V51x: tasklets. Only Python is read; code in other languages is opaque.
#include <algorithm>

#include "code/walk.h"
#include "ir/code_block.h"
#include "ir/verify/verification.h"

namespace sluice::ir::verification {

namespace {

/// Names in statements that are expressions: methods called on a name may write it (`out.push(x)`).
void collect_called(const code::Body& body, std::set<std::string>& names) {
    for (const code::StmtPtr& stmt : body) {
        if (const auto* expression = std::get_if<code::ExprStmt>(&stmt->node)) names.merge(free_names(*expression->value));
        code::for_each_body(*stmt, [&](const code::Body& inner) { collect_called(inner, names); });
    }
}

/// Names that only the target's compiler knows may be used if there is code that declares them.
bool has_foreign_names(const Sdfg& sdfg, const Tasklet& tasklet) {
    const auto has_text = [](const auto& entry) { return !entry.second.text.empty(); };
    return !tasklet.code_global.text.empty() || !tasklet.state_fields.empty() || std::ranges::any_of(sdfg.global_code, has_text);
}

bool calls_back(const Sdfg& sdfg, const code::Expr& e) {
    bool found = false;
    if (const auto* call = std::get_if<code::CallExpr>(&e.node)) {
        const auto symbol = sdfg.symbols.find(code::dotted_name(*call->function));
        found = symbol != sdfg.symbols.end() && symbol->second.compound &&
                symbol->second.compound->kind == code::CompoundKind::Callback;
    }
    code::for_each_child(e, [&](const code::ExprPtr& child) { found = found || calls_back(sdfg, *child); });
    return found;
}

/// Does the body call Python outside of the graph, `f(x)` or `y = f(x)`, which may do more than the code says?
bool calls_back(const Sdfg& sdfg, const code::Body& body) {
    return std::ranges::any_of(body, [&](const code::StmtPtr& stmt) {
        if (const auto* assign = std::get_if<code::AssignStmt>(&stmt->node)) return calls_back(sdfg, *assign->value);
        const auto* expression = std::get_if<code::ExprStmt>(&stmt->node);
        return expression && calls_back(sdfg, *expression->value);
    });
}

}  // namespace

void check_tasklet(Report& report, Names& names, const Dataflow& flow, NodeId id, const Tasklet& tasklet) {
    const Node& node = flow.state.nodes[id];
    const auto add = [&](std::string_view code, const std::string& message) {
        report.add(code, message, node.metadata.where, node_place(flow.state, id));
    };
    for (const auto& [name, type] : node.in)
        if (node.out.contains(name)) add("V514", "the connector " + name + " is an input and an output");
    if (tasklet.code.language != Language::Python) return;
    const Result<code::Body> body = parsed_body(tasklet.code);
    if (!body.ok()) return add("V511", "the code does not parse: " + body.error().message);
    std::set<std::string> assigned;
    collect_called(*body, assigned);
    assigned.merge(assigned_names(*body));
    const bool calls_out = calls_back(names.sdfg, *body);
    for (const auto& [name, type] : node.out)
        if (!assigned.contains(name) && !calls_out) add("V512", "the output " + name + " is not assigned");
    const bool foreign = has_foreign_names(names.sdfg, tasklet);
    for (const std::string& name : free_names(*body)) {
        if (node.in.contains(name) || node.out.contains(name)) continue;
        if (is_defined(names, &flow, flow.scope[id.value], name) || foreign) continue;
        if (std::ranges::find(tasklet.ignored_symbols, name) != tasklet.ignored_symbols.end()) continue;
        add("V513", "the code reads " + name + ", which is neither a connector nor a symbol in scope");
    }
}

}  // namespace sluice::ir::verification
