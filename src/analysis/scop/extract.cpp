// From a part of a graph to a scop.
#include <algorithm>

#include "analysis/scop/scop.h"
#include "analysis/symbols.h"
#include "ir/adjacency.h"
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::analysis {

using symbolic::Expr;

poly::UnionSet Scop::domain() const {
    poly::UnionSet all = poly::UnionSet::empty();
    for (const ScopStatement& statement : statements) all = all.unite(statement.domain);
    return all;
}

const ScopStatement* Scop::find(const std::string& name) const {
    const auto at = std::ranges::find(statements, name, &ScopStatement::name);
    return at == statements.end() ? nullptr : &*at;
}

namespace {

/// Why there is no scop.
struct Construct {
    std::string text;
    Span where;
};

std::optional<Construct> unsupported(const ir::Sdfg& sdfg, const ir::State& state) {
    for (const auto& [id, node] : state.nodes) {
        const Span& where = node.metadata.where;
        if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind))
            return Construct{"the nested SDFG " + nested->label, where};
        if (std::holds_alternative<ir::ConsumeEntry>(node.kind))
            return Construct{"the consume scope " + ir::label_of(state, id), where};
        const auto* access = std::get_if<ir::Access>(&node.kind);
        if (!access) continue;
        const ir::Container* container = ir::find_container(sdfg, access->data);
        const auto is = [&](const char* what) { return Construct{std::string("the ") + what + " " + access->data, where}; };
        if (!container || access->data.find('.') != std::string::npos) return is("member");
        if (container->binding == ir::Binding::View) return is("view");
        if (container->binding == ir::Binding::Reference) return is("reference");
        if (std::holds_alternative<ir::Stream>(container->kind)) return is("stream");
        if (!std::holds_alternative<ir::Array>(container->kind) && !std::holds_alternative<ir::Scalar>(container->kind))
            return is("structure");
        if (access->setzero) return Construct{access->data + ", which is set to zero where it is allocated", where};
    }
    return {};
}

/// The states of the part, and the symbols that it gives a value.
struct Part {
    std::optional<Construct> obstacle;
    std::set<std::string> assigned;
};

Part look_at(const ir::Sdfg& sdfg, const ModelRoot& root) {
    Part part;
    const auto enter = [&](const ir::Block& block) {
        if (const ir::State* state = ir::as_state(block); state && !part.obstacle) part.obstacle = unsupported(sdfg, *state);
    };
    const auto all = [&](const ir::Region& region) {
        ir::for_each_block(region, enter);
        part.assigned.merge(ir::assigned_symbols(region));
    };
    if (const auto* blocks = std::get_if<BlocksRoot>(&root)) {
        ir::Region alone;
        for (const ir::BlockId id : blocks->blocks) alone.blocks.add(ir::Block(blocks->region->blocks[id]));
        all(alone);
        for (auto [id, transition] : blocks->region->transitions)
            if (std::ranges::find(blocks->blocks, transition.src) != blocks->blocks.end())
                for (const auto& [symbol, value] : transition.assignments) part.assigned.insert(symbol);
    } else {
        all(sdfg.body);
    }
    return part;
}

class Extraction {
public:
    Extraction(const ir::Sdfg& sdfg, const AccessModel& model) : sdfg_(sdfg), model_(model) {}

    std::optional<Construct> statement(const Statement& from, Scop& scop) {
        if (!from.guards.empty())
            return Construct{"the condition `" + model_.guards[from.guards.back()].text + "`, which depends on data", from.where};
        ScopStatement to{.name = "S" + std::to_string(scop.statements.size()),
                         .label = from.label,
                         .place = from.place,
                         .values = from.values,
                         .where = from.where};
        for (const std::size_t at : from.iterators) to.iterators.push_back(model_.iterators[at].name);
        to.domain = from.domain.with_tuple(to.name);
        for (const StatementAccess& access : from.accesses)
            if (auto obstacle = this->access(access, from, to)) return obstacle;
        const std::optional<Construct> body = from.edge.valid() ? copy(from, to) : operation(from, to);
        if (body) return body;
        scop.statements.push_back(std::move(to));
        return {};
    }

private:
    std::optional<Construct> access(const StatementAccess& from, const Statement& at, ScopStatement& to) {
        const ir::Container* container = sdfg_.containers.find(from.container);
        if (!container) {
            if (sdfg_.symbols.contains(from.container)) return {};  // Followed by its value.
            if (from.container.starts_with("$"))
                return Construct{from.why.empty() ? "the side effects of " + at.label : from.why, at.where};
            return Construct{"the symbol " + from.container, at.where};
        }
        const auto rank = static_cast<unsigned>(std::holds_alternative<ir::Scalar>(container->kind) ? 0 : container->shape.size());
        const unsigned dimensions = from.elements.range_dimensions();
        poly::Map elements = from.elements;
        if (dimensions > rank) elements = elements.project_out_range(0, dimensions - rank);
        to.accesses.push_back({.container = from.container,
                               .connector = from.connector,
                               .kind = from.kind,
                               .reduction = from.reduction,
                               .elements = elements.with_range_tuple(from.container).with_domain_tuple(to.name),
                               .exact = from.certainty == Certainty::Must});
        return {};
    }

    /// Every name is a parameter, or has a value that is one of the iterators and parameters.
    std::optional<Construct> of_known(const std::set<std::string>& names, const Statement& at) const {
        for (const std::string& name : names) {
            const auto value = at.values.find(name);
            if (value == at.values.end()) continue;
            if (!is_known(value->second)) return Construct{"the symbol " + name + ", whose value data decide", at.where};
        }
        return {};
    }
    static void names_of(const ir::Memlet& memlet, std::set<std::string>& names) {
        for (const auto* subset : {&memlet.subset, &memlet.other_subset})
            if (*subset) names.merge(symbolic::free_symbols(**subset));
    }

    std::optional<Construct> copy(const Statement& from, ScopStatement& to) {
        const ir::Edge& edge = from.state->edges[from.edge];
        const auto* source = std::get_if<ir::Access>(&from.state->nodes[edge.src].kind);
        const auto* destination = std::get_if<ir::Access>(&from.state->nodes[edge.dst].kind);
        if (!source || !destination) return Construct{"the copy through a scope at " + from.label, from.where};
        std::set<std::string> names;
        names_of(edge.memlet, names);
        if (auto obstacle = of_known(names, from)) return obstacle;
        to.body = Copy{source->data, destination->data, edge.memlet};
        return {};
    }

    std::optional<Construct> operation(const Statement& from, ScopStatement& to) {
        const ir::Adjacency adjacency(*from.state);
        Operation operation{.node = from.state->nodes[from.node], .wires = {}};
        std::set<std::string> names;
        if (const auto* tasklet = std::get_if<ir::Tasklet>(&operation.node.kind)) {
            if (tasklet->code.language != ir::Language::Python)
                return Construct{"the tasklet " + tasklet->label + ", which is not in Python", from.where};
            const Result<code::Body> body = ir::parsed_body(tasklet->code, operation.node.metadata.where);
            if (!body.ok()) return Construct{"the code of " + tasklet->label, from.where};
            names = ir::free_names(*body);
        } else if (const auto* library = std::get_if<ir::LibraryNode>(&operation.node.kind)) {
            for (const auto& [symbol, value] : from.values)  // A property may name it.
                if (!library->properties.empty()) names.insert(symbol);
        }
        for (const bool reading : {true, false})
            for (const ir::EdgeId at : reading ? adjacency.in(from.node) : adjacency.out(from.node)) {
                const ir::Edge& edge = from.state->edges[at];
                const std::string& connector = reading ? edge.dst_connector : edge.src_connector;
                if (edge.memlet.empty() && connector.empty()) continue;
                names.erase(connector);
                names_of(edge.memlet, names);
                const bool known = !edge.memlet.empty() && std::ranges::any_of(to.accesses, [&](const ScopAccess& access) {
                    return access.connector == connector && access.container == edge.memlet.data;
                });
                if (!known) return Construct{"the value that " + from.label + " hands over without a container", from.where};
                operation.wires.push_back({connector, edge.memlet.data, !reading, edge.memlet});
            }
        if (auto obstacle = of_known(names, from)) return obstacle;
        to.body = std::move(operation);
        return {};
    }

    const ir::Sdfg& sdfg_;
    const AccessModel& model_;
};

using Members = std::vector<std::pair<const Statement*, const ScopStatement*>>;

/// The order of statements, which agree in everything before `level`.
LoopTree tree(const AccessModel& model, const Members& group, std::size_t level) {
    const Statement& first = *group.front().first;
    LoopTree all;
    if (first.order.size() <= level) {
        // Several copies into one node: any order among them.
        for (const auto& [statement, scop] : group)
            all.children.push_back({.kind = LoopTree::Kind::Statement, .name = scop->name, .domain = scop->domain});
    } else if (first.order[level].kind == OrderStep::Kind::Iterate) {
        const Iterator& iterator = model.iterators[static_cast<std::size_t>(first.order[level].position)];
        all.kind = LoopTree::Kind::Loop;
        all.name = iterator.name;
        all.any_order = iterator.kind == Iterator::Kind::Map;
        for (const auto& [statement, scop] : group)
            all.times.emplace(scop->name, symbolic::symbol(iterator.name) * iterator.direction);
        all.children.push_back(tree(model, group, level + 1));
        return all;
    } else {
        std::map<std::int64_t, Members> parts;
        for (const auto& member : group) parts[member.first->order[level].position].push_back(member);
        for (const auto& [position, part] : parts) all.children.push_back(tree(model, part, level + 1));
    }
    if (all.children.size() > 1) return all;
    LoopTree only = std::move(all.children.front());
    return only;
}

Extracted refused(const Construct& construct) {
    return {.scop = {}, .construct = construct.text, .where = construct.where};
}

}  // namespace

Extracted extract(const ir::Sdfg& sdfg, const ModelRoot& root, const symbolic::Assumptions& known) {
    const Part part = look_at(sdfg, root);
    if (part.obstacle) return refused(*part.obstacle);
    const AccessModel model = access_model(sdfg, root, known);
    if (!model.obstacles.empty()) return refused({model.obstacles.front(), {}});
    Scop scop{.statements = {}, .context = model.context, .schedule = {}, .assigned = part.assigned};
    std::vector<const Statement*> from;
    Extraction extraction(sdfg, model);
    for (const Statement& statement : model.statements) {
        if (statement.leaves != Statement::Leaves::Nothing) return refused({"`" + statement.label + "`", statement.where});
        const bool runs =
            statement.node.valid() && statement.state != nullptr &&
            (statement.edge.valid() || std::holds_alternative<ir::Tasklet>(statement.state->nodes[statement.node].kind) ||
             std::holds_alternative<ir::LibraryNode>(statement.state->nodes[statement.node].kind));
        if (!runs) continue;  // Conditions and assignments: domains and values hold what they say.
        if (auto obstacle = extraction.statement(statement, scop)) return refused(*obstacle);
        from.push_back(&statement);
    }
    std::vector<std::pair<const Statement*, const ScopStatement*>> pairs;
    std::set<std::string> containers;
    for (std::size_t at = 0; at < from.size(); ++at) {
        pairs.emplace_back(from[at], &scop.statements[at]);
        for (const ScopAccess& access : scop.statements[at].accesses) containers.insert(access.container);
    }
    // Memory of a size that changes cannot be one container for all statements.
    const std::set<std::string> assigned = ir::assigned_symbols(sdfg.body);
    for (const std::string& name : containers)
        for (const std::string& symbol : free_symbols(sdfg.containers.at(name)))
            if (assigned.contains(symbol)) return refused({"the layout of " + name + ", which depends on " + symbol, {}});
    if (!pairs.empty()) scop.order = tree(model, pairs, 0);
    scop.schedule = schedule_of(scop, scop.order);
    for (const ScopStatement& statement : scop.statements)
        if (!statement.domain.known()) scop.schedule = {};
    if (!scop.schedule.known()) return refused({"a set that is too large for the budget", {}});
    return {.scop = std::move(scop), .construct = {}, .where = {}};
}

std::string to_string(const Scop& scop) {
    std::string text;
    for (const ScopStatement& statement : scop.statements) {
        text += statement.name + " " + statement.label + ": " + statement.domain.to_string() + "\n";
        for (const ScopAccess& access : statement.accesses)
            text += std::string("    ") + (access.exact ? "" : "may ") +
                    (access.kind == StatementAccess::Kind::Read    ? "read "
                     : access.kind == StatementAccess::Kind::Write ? "write "
                                                                   : "update ") +
                    access.elements.to_string() + "\n";
    }
    return text + scop.schedule.to_block();
}

}  // namespace sluice::analysis
