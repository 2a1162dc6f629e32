#include "library/matmul/matmul.h"

#include <algorithm>

#include <fmt/format.h>

#include "library/matmul/openblas.h"

namespace sluice::library {

using ir::Expr;

namespace {

/// A factor as Python text.
std::string factor(const NodeContext& context, const std::string& name, const std::string& otherwise) {
    const auto at = context.library().properties.find(name);
    if (at == context.library().properties.end()) return otherwise;
    if (const auto* v = std::get_if<std::int64_t>(&at->second)) return std::to_string(*v);
    if (const auto* v = std::get_if<double>(&at->second)) return fmt::format("{}", *v);
    if (const auto* v = std::get_if<std::string>(&at->second)) return *v;
    if (const auto* v = std::get_if<Expr>(&at->second)) return symbolic::to_string(*v);
    return otherwise;
}

bool flag(const NodeContext& context, const std::string& name) {
    const auto at = context.library().properties.find(name);
    const auto* value = at == context.library().properties.end() ? nullptr : std::get_if<bool>(&at->second);
    return value && *value;
}

bool is_number(const std::string& text, double value) {
    try {
        std::size_t used = 0;
        return std::stod(text, &used) == value && used == text.size();
    } catch (const std::exception&) {
        return false;
    }
}

std::string element(const std::string& data, const std::vector<std::string>& index) {
    return index.empty() ? data : fmt::format("{}[{}]", data, fmt::join(index, ", "));
}

/// The index of an operand's leading dimensions: right-aligned with those of the result, 0 where it has size 1.
std::vector<std::string> leading(const std::vector<Expr>& shape, std::size_t batch, const std::vector<std::string>& params) {
    std::vector<std::string> index;
    const std::size_t own = shape.size() > 2 ? shape.size() - 2 : 0;
    for (std::size_t dim = 0; dim < own; ++dim) index.push_back(shape[dim].is_integer(1) ? "0" : params[batch - own + dim]);
    return index;
}

struct Product {
    ir::NamedTexts outer, along, row;  ///< Parallel; the inner size; contiguous along the result's rows.
    std::string a, b, c;
    ir::NamedTexts result;  ///< All dimensions of _c.
};

Product plan_product(const NodeContext& context, const ir::Sdfg& body) {
    const std::vector<Expr>&a = body.containers.at("_a").shape, &b = body.containers.at("_b").shape,
          &c = body.containers.at("_c").shape;
    if (a.empty() || b.empty()) context.refuse("B003", "a product needs arrays", "connect vectors or matrices");
    const bool trans_a = flag(context, "transA"), trans_b = flag(context, "transB");
    const bool row = a.size() == 1, column = b.size() == 1;
    const Expr inner = row ? a[0] : a[a.size() - (trans_a ? 2 : 1)];
    const Expr inner_b = column ? b[0] : b[b.size() - (trans_b ? 1 : 2)];
    if (symbolic::is_no(symbolic::decide(symbolic::equal(inner, inner_b))))
        context.refuse(
            "B003",
            fmt::format("inner sizes {} and {} of a product differ", symbolic::to_string(inner), symbolic::to_string(inner_b)),
            "transpose an operand or correct its shape");
    const std::size_t batch = std::max(a.size() > 2 ? a.size() - 2 : 0, b.size() > 2 ? b.size() - 2 : 0);
    const std::size_t expected = batch + (row ? 0 : 1) + (column ? 0 : 1);
    if (c.size() != expected && !(expected == 0 && c.size() <= 1))
        context.refuse("B003", fmt::format("the product has {} dimensions, its output {}", expected, c.size()),
                       "correct the output");
    Product p;
    std::vector<std::string> params;
    const auto extent = [](const Expr& e) { return "0:" + symbolic::to_string(e); };
    for (std::size_t dim = 0; dim < batch; ++dim) {
        params.push_back("__b" + std::to_string(dim));
        p.outer.emplace_back(params.back(), extent(c[dim]));
    }
    std::vector<std::string> ia = leading(a, batch, params), ib = leading(b, batch, params), ic = params;
    if (!row) {
        ia.push_back(trans_a ? "__k" : "__i");
        ic.emplace_back("__i");
        p.outer.emplace_back("__i", extent(a[a.size() - (trans_a ? 1 : 2)]));
    }
    ia.push_back(!row && trans_a ? "__i" : "__k");
    if (!column && trans_b) ib.emplace_back("__j");
    ib.emplace_back("__k");
    if (!column) {
        if (!trans_b) ib.emplace_back("__j");
        ic.emplace_back("__j");
        p.row.emplace_back("__j", extent(b[b.size() - (trans_b ? 2 : 1)]));
    }
    p.along.emplace_back("__k", extent(inner));
    p.result = p.outer;
    p.result.insert(p.result.end(), p.row.begin(), p.row.end());
    if (ic.empty() && !c.empty()) ic.emplace_back("0");
    p.a = element("_a", ia);
    p.b = element("_b", ib);
    p.c = element("_c", ic);
    return p;
}

/// First state: _c = beta * _c.
void add_start(ir::Sdfg& body, const Product& p, const std::string& beta, ir::BlockId& id) {
    ir::StateBuilder start = ir::add_state(body.body, "start", &id);
    const bool zero = is_number(beta, 0);
    const std::string code = zero ? "__o = 0" : "__o = " + beta + " * __i";
    const ir::NamedTexts inputs = zero ? ir::NamedTexts{} : ir::NamedTexts{{"__i", p.c}};
    if (!p.result.empty()) {
        start.mapped_tasklet("scale", p.result, inputs, code, {{"__o", p.c}});
        return;
    }
    ir::Connectors in;
    if (!zero) in.emplace("__i", code::DType());
    const ir::NodeId task = start.tasklet("scale", in, {{"__o", code::DType()}}, code);
    if (!zero) start.edge(start.access("_c"), "", task, "__i", ir::memlet(p.c));
    start.edge(task, "__o", start.access("_c"), "", ir::memlet(p.c));
}

}  // namespace

void expand_matmul(NodeContext& context) {
    const auto any = [&](const char* first, const char* second, bool input) {
        for (const auto& [id, edge] : context.state.edges) {
            const bool here = input ? edge.dst == context.node : edge.src == context.node;
            const std::string& connector = input ? edge.dst_connector : edge.src_connector;
            if (here && (connector == first || connector == second)) return id;
        }
        context.refuse("B002", context.library().operation + " has no connector " + first, "connect _a, _b and _c");
    };
    const ir::EdgeId a = any("_a", "_A", true), b = any("_b", "_x", true), c = any("_c", "_y", false);
    const std::string alpha = factor(context, "alpha", "1"), beta = factor(context, "beta", "0");
    ir::Sdfg body{.name = "product"};
    const auto rank_of = [&](ir::EdgeId edge) { return std::max<std::size_t>(context.container(edge).shape.size(), 1); };
    // Single indices of an operand of more than two dimensions select a matrix.
    const auto dims = [&](ir::EdgeId edge) {
        const std::size_t rank = rank_of(edge);
        std::vector<std::size_t> all = operand_dims(context, edge, rank);
        return all;
    };
    declare_operand(context, body, "_a", a, dims(a));
    declare_operand(context, body, "_b", b, dims(b));
    declare_operand(context, body, "_c", c, dims(c));
    const Product p = plan_product(context, body);
    std::vector<Lead> inputs{{a, "_a"}, {b, "_b"}};
    if (!is_number(beta, 0))
        for (const auto& [id, edge] : context.state.edges)
            if (edge.dst == context.node &&
                (edge.dst_connector == "_c" || edge.dst_connector == "_y" || edge.dst_connector == "_cin"))
                inputs.push_back({id, "_c"});
    const std::string implementation = context.library().implementation.value_or("");
    const bool may_call = context.vendor_libraries && implementation != "native" && implementation != "pure";
    if (may_call && call_openblas(context, body,
                                  {.a = a,
                                   .b = b,
                                   .c = c,
                                   .trans_a = flag(context, "transA"),
                                   .trans_b = flag(context, "transB"),
                                   .alpha = alpha,
                                   .beta = beta,
                                   .inputs = inputs}))
        return;
    ir::BlockId start;
    add_start(body, p, beta, start);
    ir::StateBuilder state = ir::add_state_after(body.body, start, "product");
    std::vector<std::pair<ir::NodeId, ir::NodeId>> scopes;
    const auto sequential = ir::Schedule::Sequential;
    if (!p.outer.empty()) scopes.push_back(state.map("rows", p.outer, context.library().schedule));
    scopes.push_back(state.map("along", p.along, p.outer.empty() && p.row.empty() ? context.library().schedule : sequential));
    if (!p.row.empty()) scopes.push_back(state.map("row", p.row, sequential));
    const std::string code = is_number(alpha, 1) ? "__o = __x * __y" : "__o = " + alpha + " * __x * __y";
    const ir::NodeId task =
        state.tasklet("multiply", {{"__x", code::DType()}, {"__y", code::DType()}}, {{"__o", code::DType()}}, code);
    const auto path = [&](ir::NodeId first) {
        std::vector<ir::NodeId> nodes{first};
        for (const auto& scope : scopes) nodes.push_back(scope.first);
        nodes.push_back(task);
        return nodes;
    };
    state.memlet_path(path(state.access("_a")), "", "__x", ir::memlet(p.a));
    state.memlet_path(path(state.access("_b")), "", "__y", ir::memlet(p.b));
    std::vector<ir::NodeId> back{task};
    for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope) back.push_back(scope->second);
    back.push_back(state.access("_c"));
    state.memlet_path(back, "__o", "", ir::memlet(p.c, {.wcr = "lambda a, b: a + b"}));
    replace_by(context, std::move(body), inputs, {{c, "_c"}});
}

}  // namespace sluice::library
