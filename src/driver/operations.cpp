#include "driver/operations.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/propagate.h"
#include "ir/walk.h"
#include "library/contract.h"
#include "library/environment.h"
#include "library/expand.h"
#include "library/extern_call.h"
#include "library/plugin.h"
#include "library/registry.h"

namespace sluice::driver {

namespace {

using library::Binding;
using library::BoundOperand;

[[noreturn]] void refuse_operand(const std::string& code, const std::string& message, const std::string& remedy) {
    fail({.code = code, .message = message, .where = {}, .path = {}, .remedy = remedy, .notes = {}});
}

void run_reference(const UserOperation& operation, library::ReferenceCall& call) {
    auto results = operation.reference(call.operands, call.properties);
    for (const library::FormOperand& output : call.form.outputs) {
        ir::Operand& operand = call.output(output.connector);
        std::vector<ir::Number>& values = results[output.connector];
        if (values.size() != operand.values.size())
            refuse_operand("B005",
                           fmt::format("the reference of {} gives {} elements for {}, which has {}", operation.name, values.size(),
                                       output.connector, operand.values.size()),
                           "return an array of the output's shape");
        operand.values = std::move(values);
    }
}

/// A graph with a container for each connector, and the symbols of their sizes.
UserNode node_of(const library::NodeDraft& draft, const Binding& binding, const std::string& expansion) {
    UserNode node{.body = ir::Sdfg{.name = draft.operation->name + "_" + expansion},
                  .operands = {},
                  .properties = draft.library().properties,
                  .parallel = draft.around.parallel};
    for (const auto* side : {&binding.inputs, &binding.outputs})
        for (const BoundOperand& one : *side)
            if (!node.body.containers.contains(one.connector)) {
                library::declare_operand(draft, node.body, one.connector, one.edge, one.dims);
                node.operands.emplace(one.connector, UserOperand{one.operand.type, one.operand.shape, one.operand.strides});
            }
    for (const library::PropertyRule& rule : draft.operation->properties) node.properties.emplace(rule.name, rule.default_value);
    for (const auto& [connector, operand] : node.operands)
        for (const auto* sizes : {&operand.shape, &operand.strides})
            for (const ir::Expr& size : *sizes)
                for (const std::string& symbol : symbolic::free_symbols(size))
                    if (!node.body.symbols.contains(symbol)) ir::add_symbol(node.body, symbol);
    return node;
}

std::vector<library::Lead> leads_of(const std::vector<BoundOperand>& operands, const std::map<std::string, std::string>* names) {
    std::vector<library::Lead> leads;
    for (const BoundOperand& one : operands) {
        if (!names) leads.push_back({one.edge, one.connector});
        if (names && names->contains(one.connector)) leads.push_back({one.edge, names->at(one.connector)});
    }
    return leads;
}

library::Expansion expansion_of(UserExpansion user) {
    library::Expansion expansion{
        .name = user.name, .summary = user.summary, .requirement = {user.environment, user.one_at_a_time}, .expand = {}};
    expansion.expand = [user](library::NodeDraft& draft) {
        const Binding binding = library::bind(draft);
        UserNode node = node_of(draft, binding, user.name);
        const std::optional<UserReplacement> instead = user.expand(node);
        if (instead)
            return library::become(draft, instead->operation, leads_of(binding.inputs, &instead->inputs),
                                   leads_of(binding.outputs, &instead->outputs), instead->properties);
        analysis::propagate_memlets(node.body);
        library::replace_by(draft, std::move(node.body), leads_of(binding.inputs, nullptr), leads_of(binding.outputs, nullptr));
    };
    return expansion;
}

}  // namespace

void add_operation(UserOperation user) {
    library::Operation operation{.name = user.name, .classpath = user.classpath, .summary = user.summary, .forms = {}};
    for (const auto& [text, where] : user.forms) {
        operation.forms.push_back(library::parse_form(text).or_fail());
        operation.forms.back().properties = where;
    }
    for (const auto& [name, value, help] : user.properties) operation.properties.push_back({name, value, help});
    for (const std::string& type : user.types) {
        const auto parsed = code::parse_dtype(type);
        if (!parsed || !parsed->is_scalar())
            refuse_operand("B006", "the operation " + user.name + " takes elements of a type " + type + ", which does not exist",
                           "use names such as float64");
        operation.types.push_back(parsed->scalar);
    }
    operation.element_wise = user.element_wise;
    for (const UserExpansion& expansion : user.expansions) operation.expansions.push_back(expansion_of(expansion));
    operation.reference = [user = std::move(user)](library::ReferenceCall& call) { run_reference(user, call); };
    library::operations().add(std::move(operation));
}

void add_expansion(const std::string& operation, UserExpansion expansion) {
    library::operations().add(operation, expansion_of(std::move(expansion)));
}

std::vector<std::string> load_operations(const std::filesystem::path& library) {
    return library::load_operations(library);
}

void add_environment(UserEnvironment user) {
    library::add_environment({.name = user.name,
                              .headers = user.headers,
                              .library_files = user.library_files,
                              .compiler_flags = user.compiler_flags,
                              .init_code = user.init_code,
                              .exit_code = user.exit_code});
}

void add_library_folder(const std::string& folder) {
    library::add_library_folder(folder);
}

OperationDescription describe_operation(const std::string& name) {
    const library::Operation* operation = library::operations().find(name);
    if (!operation)
        refuse_operand("B001", "there is no operation named " + name,
                       fmt::format("use one of {}", fmt::join(operation_names(), ", ")));
    OperationDescription description{operation->name, operation->classpath, operation->summary, {}, {}};
    for (const library::Form& form : operation->forms) description.forms.push_back(library::to_string(form));
    for (const library::Expansion& expansion : operation->expansions) description.expansions.push_back(expansion.name);
    return description;
}

std::vector<NodeCost> node_costs(const ir::Sdfg& program) {
    std::vector<NodeCost> costs;
    const auto in_state = [&](const ir::Sdfg& sdfg, const ir::State& state) {
        for (const auto& [id, node] : state.nodes) {
            const auto* library = std::get_if<ir::LibraryNode>(&node.kind);
            if (!library || library::is_final(*library)) continue;
            const Result<library::Cost> cost = capture([&] {
                const library::NodeContext context = library::context_of(sdfg, state, id, sdfg.name, false);
                return library::cost_of(context, library::bind(context));
            });
            if (cost.ok())
                costs.push_back({sdfg.name, library->label, library->operation,
                                 cost->flops ? symbolic::to_string(*cost->flops) : "?", symbolic::to_string(cost->bytes)});
        }
    };
    ir::for_each_sdfg(program, [&](const ir::Sdfg& sdfg) {
        ir::for_each_state(sdfg.body, [&](const ir::State& state) { in_state(sdfg, state); });
    });
    return costs;
}

std::vector<std::string> operation_names() {
    std::vector<std::string> names;
    for (const library::Operation* operation : library::operations().all()) names.push_back(operation->name);
    return names;
}

}  // namespace sluice::driver
