// Tasklets and library nodes.
#include <algorithm>

#include "certify/reader.h"
#include "certify/tasklet.h"
#include "ir/code_block.h"
#include "ir/query.h"

namespace sluice::certify {

using ir::NodeId;
using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

namespace {

bool is_element(const Subset& subset) {
    return std::ranges::all_of(subset.dims, [](const Range& range) { return symbolic::count(range).is_integer(1); });
}

/// The element at these positions within the subset, counted in its dimensions, or in those that are no single index.
std::optional<std::vector<Expr>> within(const Subset& subset, const std::vector<Expr>& positions) {
    std::vector<Expr> indices;
    std::size_t next = 0;
    for (const Range& range : subset.dims) {
        const bool skipped = range.is_index() && positions.size() != subset.rank();
        if (!skipped && next >= positions.size()) return std::nullopt;
        indices.push_back(skipped ? range.begin : range.begin + positions[next++] * range.step);
    }
    if (next != positions.size()) return std::nullopt;
    return indices;
}

std::string text_of(const ir::Property& property) {
    struct Text {
        std::string operator()(std::monostate) const { return "None"; }
        std::string operator()(bool value) const { return value ? "True" : "False"; }
        std::string operator()(std::int64_t value) const { return std::to_string(value); }
        std::string operator()(double value) const { return std::to_string(value); }
        std::string operator()(const std::string& value) const { return "'" + value + "'"; }
        std::string operator()(const Expr& value) const { return symbolic::to_string(value); }
        std::string operator()(const std::vector<std::int64_t>& values) const {
            std::string all = "[";
            for (const std::int64_t value : values) all += std::to_string(value) + " ";
            return all + "]";
        }
    };
    return std::visit(Text{}, property);
}

}  // namespace

void ModelReader::tasklet(const Frame& frame, StateWalk& walk, NodeId id) {
    const ir::Node& node = walk.state.nodes[id];
    const auto& tasklet = std::get<ir::Tasklet>(node.kind);
    const Span& where = node.metadata.where;
    if (tasklet.side_effects.value_or(false)) refuse("the side effects of " + tasklet.label, where);
    if (tasklet.code.language != ir::Language::Python) refuse("the tasklet " + tasklet.label + ", which is not in Python", where);
    const Result<code::Body> body = ir::parsed_body(tasklet.code, where);
    if (!body.ok()) refuse("the code of " + tasklet.label, where);

    // One set of trees for each output: their iterators are the assignment's.
    struct Output {
        std::string connector, data;
        Subset subset;
        std::optional<ir::Resolution> resolution;
    };
    std::vector<Output> outputs;
    std::set<std::string> handed;
    TaskletNames names{.values = frame.values};
    for (const auto& [name, type] : frame.sdfg->symbols) names.symbols.insert(name);
    for (const auto& [name, value] : frame.values) names.symbols.insert(name);
    for (const std::string& name : model_.symbols) names.symbols.insert(name);
    for (const ir::EdgeId at : walk.adjacency.out(id)) {
        const ir::Edge& edge = walk.state.edges[at];
        if (edge.src_connector.empty()) continue;
        const NodeId end = far_end(walk, at, false);
        const bool to_code = std::holds_alternative<ir::Tasklet>(walk.state.nodes[edge.dst].kind);
        if (!end.valid() && !to_code) refuse("what " + tasklet.label + " hands over without a container", where);
        if (to_code) {
            handed.insert(edge.src_connector);
            names.outputs.try_emplace(edge.src_connector, node.out.at(edge.src_connector));
            continue;
        }
        const std::string& data = data_of(walk, end);
        outputs.push_back({edge.src_connector, data, side(frame, edge.memlet, data, false, where), resolution_along(walk, at)});
        names.outputs.try_emplace(edge.src_connector, container(frame, data, where).dtype);
        if (node.out.contains(edge.src_connector) && node.out.at(edge.src_connector).is_vector())
            refuse("the vectors of " + tasklet.label, where);
    }
    const auto read = [&](std::size_t owner) {
        names.owner = owner;
        for (const ir::EdgeId at : walk.adjacency.in(id)) {
            const ir::Edge& edge = walk.state.edges[at];
            if (edge.dst_connector.empty()) continue;
            if (const auto from = handed_.find({edge.src, edge.src_connector}); from != handed_.end()) {
                const TreePtr tree = from->second;
                names.inputs[edge.dst_connector] = [tree](const std::vector<Expr>&) { return tree; };
                continue;
            }
            if (edge.memlet.empty()) continue;
            const NodeId end = far_end(walk, at, true);
            if (!end.valid()) refuse("what " + tasklet.label + " is handed without a container", where);
            const std::string data = data_of(walk, end);
            const Subset subset = side(frame, edge.memlet, data, true, where);
            const auto type = node.in.find(edge.dst_connector);
            if (type != node.in.end() && type->second.is_vector()) refuse("the vectors of " + tasklet.label, where);
            names.inputs[edge.dst_connector] = [=, this, &frame](const std::vector<Expr>& positions) {
                std::optional<std::vector<Expr>> indices;
                if (positions.empty() || (is_element(subset) && positions.size() == 1 && positions[0].is_integer(0))) {
                    if (!is_element(subset)) return unknown_tree(owner, "all elements of " + data);
                    indices.emplace();
                    for (const Range& range : subset.dims) indices->push_back(range.begin);
                } else {
                    indices = within(subset, positions);
                }
                if (!indices) return unknown_tree(owner, "the element of " + data);
                TreePtr tree = read_tree(frame, owner, data, *indices);
                if (type != node.in.end() && type->second.is_scalar()) tree = cast_tree(tree, type->second);
                return tree;
            };
        }
        return trees_of(*body, names);
    };
    for (const std::string& connector : handed) {
        const TaskletTrees trees = read(model_.assignments.size());
        for (const Stored& stored : trees.stores)
            if (stored.connector == connector) handed_[{id, connector}] = stored.value;
        refuse("what " + tasklet.label + " hands to a tasklet without a container", where);
    }
    for (const Output& output : outputs) {
        Assignment& assignment = add(frame, tasklet.label, where);
        const TaskletTrees trees = read(model_.assignments.size() - 1);
        if (!trees.why.empty()) refuse("the tasklet " + tasklet.label + ": " + trees.why, where);
        const auto stored = std::ranges::find(trees.stores, output.connector, &Stored::connector);
        if (stored == trees.stores.end())
            refuse("the tasklet " + tasklet.label + ", which stores no `" + output.connector + "`", where);
        std::optional<std::vector<Expr>> indices;
        if (stored->positions.empty()) {
            indices.emplace();
            for (const Range& range : output.subset.dims) indices->push_back(range.begin);
        } else if (is_element(output.subset)) {
            refuse("the element that " + tasklet.label + " stores", where);
        } else {
            indices = within(output.subset, stored->positions);
        }
        if (!indices) refuse("the element that " + tasklet.label + " stores", where);
        TreePtr value = stored->value;
        const auto type = node.out.find(output.connector);
        if (type != node.out.end() && type->second.is_scalar()) value = cast_tree(value, type->second);
        store(frame, assignment, output.data, *indices, value, output.resolution);
    }
}

/// The element of an output is an uninterpreted function of its position and of all elements of the operands.
void ModelReader::library(const Frame& frame, StateWalk& walk, NodeId id) {
    const ir::Node& node = walk.state.nodes[id];
    const auto& library = std::get<ir::LibraryNode>(node.kind);
    const Span& where = node.metadata.where;
    if (library.operation == ir::kExternCall || library.operation.find("MPI") != std::string::npos)
        refuse("the call " + library.label, where);
    std::string name = library.operation;
    for (const auto& [key, value] : library.properties) name += " " + key + "=" + text_of(value);
    struct Operand {
        std::string connector;
        std::size_t assignment;
        std::vector<Expr> sizes;
    };
    std::vector<Operand> operands;
    const auto add_operand = [&](const ir::EdgeId at, bool reading) {
        const ir::Edge& edge = walk.state.edges[at];
        if (edge.memlet.empty()) return;
        const NodeId end = far_end(walk, at, reading);
        if (!end.valid()) refuse("an operand of " + library.label, where);
        const std::string data = data_of(walk, end);
        const Subset subset = side(frame, edge.memlet, data, reading, where);
        Frame inner = frame;
        outer_iterators_ = frame.iterators.size();
        const std::vector<Expr> indices = count_elements(inner, subset, where);
        Assignment& assignment = add(inner, "operand of " + library.label, where);
        const std::size_t number = model_.assignments.size() - 1;
        assignment.value = read_tree(inner, number, data, indices);
        operands.push_back({(reading ? edge.dst_connector : "old " + edge.src_connector), number, symbolic::sizes(subset)});
    };
    for (const ir::EdgeId at : walk.adjacency.in(id)) add_operand(at, true);
    if (ir::updates_output(library))
        for (const ir::EdgeId at : walk.adjacency.out(id)) add_operand(at, false);
    std::ranges::sort(operands, {}, &Operand::connector);
    for (const ir::EdgeId at : walk.adjacency.out(id)) {
        const ir::Edge& edge = walk.state.edges[at];
        if (edge.memlet.empty()) continue;
        const NodeId end = far_end(walk, at, false);
        if (!end.valid()) refuse("an output of " + library.label, where);
        const std::string data = data_of(walk, end);
        const Subset subset = side(frame, edge.memlet, data, false, where);
        Frame inner = frame;
        outer_iterators_ = frame.iterators.size();
        const std::vector<Expr> indices = count_elements(inner, subset, where);
        Assignment& assignment = add(inner, library.label, where);
        const std::size_t owner = model_.assignments.size() - 1;
        std::vector<TreePtr> parts;
        for (const Operand& operand : operands) {
            parts.push_back(std::make_shared<const Tree>(
                Tree{.kind = Tree::Kind::Operand, .owner = owner, .name = operand.connector, .operand = operand.assignment}));
            for (const Expr& size : operand.sizes) parts.push_back(index_tree(owner, size));
        }
        for (std::size_t p = frame.iterators.size(); p < inner.iterators.size(); ++p)
            parts.push_back(index_tree(owner, symbolic::symbol(inner.iterators[p])));
        for (const Expr& size : symbolic::sizes(subset)) parts.push_back(index_tree(owner, size));
        const code::DType type = container(frame, data, where).dtype;
        store(inner, assignment, data, indices, apply_tree(owner, name + " " + edge.src_connector, std::move(parts), {type}),
              resolution_along(walk, at));
    }
}

}  // namespace sluice::certify
