// MPI_MatMul: the product of matrices that lie in blocks on a grid of ranks, rows x columns of them, numbered row by row. A rank in
// row i and column j has block (i, j) of every matrix. A vector on the right lies in blocks along a row of the grid, the same in
// each row; one on the left along a column; so does the result of a matrix and a vector along a column, of a vector and a matrix
// along a row.
#include "ir/messages.h"
#include "library/contract.h"
#include "library/extern_call.h"
#include "library/shared/messages.h"

namespace sluice::library {

namespace {

using ir::Expr;
using symbolic::Range;
using symbolic::Subset;

/// `_a[M, L], _b[K, N] -> _c[M, N]`: L and K are parts of the same dimension, cut along a row of the grid and along a column.
std::vector<Form> forms_of(const NodeContext& context) {
    const std::string vector = context.factor("vector", "");
    if (vector == "right") return {form("_a[M, L], _b[L] -> _c[M]")};
    if (vector == "left") return {form("_a[K], _b[K, N] -> _c[N]")};
    return {form("_a[M, L], _b[K, N] -> _c[M, N]")};
}

Expr number_of(const NodeContext& context, const char* property) {
    const ir::Property* given = context.property(property);
    if (const auto* e = given ? std::get_if<Expr>(given) : nullptr) return *e;
    if (const auto* integer = given ? std::get_if<std::int64_t>(given) : nullptr) return *integer;
    context.refuse("B005", std::string("the property ") + property + " of MPI_MatMul is no integer",
                   "give it an integer or an expression over symbols");
}

/// The grid, and the groups of ranks that are a row or a column of it.
struct Grid {
    Expr rows, columns, rank;

    explicit Grid(const NodeContext& context)
        : rows(number_of(context, "rows")), columns(number_of(context, "columns")), rank(number_of(context, "rank")) {}
    std::map<std::string, ir::Property> row() const {
        return {{"first", symbolic::floor_divide(rank, columns) * columns}, {"count0", columns}, {"step0", Expr(1)}};
    }
    std::map<std::string, ir::Property> column() const {
        return {{"first", symbolic::modulo(rank, columns)}, {"count0", rows}, {"step0", columns}};
    }
};

Subset whole(const std::vector<Expr>& shape) {
    Subset all;
    for (const Expr& extent : shape) all.dims.push_back(Range::extent(extent));
    return all;
}

/// A product in blocks as messages and products of one rank: SUMMA (van de Geijn and Watts, 1997), panel by panel, or a product of
/// the blocks and a sum over a row or a column of the grid.
class InMessages {
public:
    explicit InMessages(NodeDraft& draft) : draft_(draft), binding_(bind(draft)), grid_(draft) {
        for (const char* name : {"_a", "_b"}) declare(binding_.input(name));
        declare(binding_.output("_c"));
    }
    void expand() {
        if (shape("_a").size() == 2 && shape("_b").size() == 2)
            by_panels();
        else
            by_sum();
        const auto lead = [](const BoundOperand& one) { return Lead{one.edge, one.connector}; };
        replace_by(draft_, std::move(body_), {lead(binding_.input("_a")), lead(binding_.input("_b"))},
                   {lead(binding_.output("_c"))});
    }

private:
    void declare(const BoundOperand& one) { declare_operand(draft_, body_, one.connector, one.edge, one.dims); }
    const std::vector<Expr>& shape(const std::string& name) const { return body_.containers.at(name).shape; }
    code::DType type() const { return body_.containers.at("_c").dtype; }

    static void copy(ir::StateBuilder state, const std::string& from, const Subset& part, const std::string& to,
                     const Subset& place) {
        ir::Memlet moved = ir::memlet(from, part);
        moved.other_subset = place;
        state.edge(state.access(from), "", state.access(to), "", std::move(moved));
    }
    static void broadcast(ir::StateBuilder state, const std::string& name, const Subset& part, const Expr& root,
                          std::map<std::string, ir::Property> group) {
        group.emplace("root", root);
        const ir::NodeId node = state.library("MPI_Bcast", "broadcast", {"_buffer"}, {"_buffer"}, std::move(group));
        state.edge(state.access(name), "", node, "_buffer", ir::memlet(name, part));
        state.edge(node, "_buffer", state.access(name), "", ir::memlet(name, part));
    }
    static void multiply(ir::StateBuilder state, const std::string& operation, const std::vector<std::string>& connectors,
                         const std::vector<std::pair<std::string, Subset>>& operands,
                         std::map<std::string, ir::Property> properties) {
        const ir::NodeId node =
            state.library(operation, "product", {connectors[0], connectors[1]}, {connectors[2]}, std::move(properties));
        for (std::size_t at = 0; at < 2; ++at)
            state.edge(state.access(operands[at].first), "", node, connectors[at],
                       ir::memlet(operands[at].first, operands[at].second));
        state.edge(node, connectors[2], state.access(operands[2].first), "", ir::memlet(operands[2].first, operands[2].second));
    }

    void by_panels() {
        const Expr m = shape("_a")[0], l = shape("_a")[1], k = shape("_b")[0], n = shape("_b")[1];
        const Expr at = symbolic::symbol("__k"), width = symbolic::symbol("__width"), most = symbolic::minimum(l, k);
        const Subset left{{Range::extent(m), Range::extent(width)}}, right{{Range::extent(width), Range::extent(n)}};
        ir::add_transient(body_, "_left", type(), {m, most});
        ir::add_transient(body_, "_right", type(), {most, n});
        ir::BlockId zero;
        ir::add_state(body_.body, "zero", &zero)
            .mapped_tasklet("zero", {{"__i", Range::extent(m)}, {"__j", Range::extent(n)}}, {}, "__o = 0",
                            {{"__o", "_c[__i, __j]"}});

        const Expr all = l * grid_.columns;
        ir::Block panels = ir::while_loop("panels", symbolic::to_string(at) + " < " + symbolic::to_string(all));
        auto& loop = std::get<ir::LoopRegion>(panels.kind).body;
        ir::BlockId start, copied, left_sent, right_sent, multiplied, next;
        const Expr in_left = symbolic::modulo(at, l), in_right = symbolic::modulo(at, k);
        ir::add_state(loop, "next_width", &start);
        ir::StateBuilder copies = ir::add_state(loop, "panels", &copied);
        copy(copies, "_a", {{Range::extent(m), Range{in_left, in_left + width, 1, 1}}}, "_left", left);
        copy(copies, "_b", {{Range{in_right, in_right + width, 1, 1}, Range::extent(n)}}, "_right", right);
        broadcast(ir::add_state(loop, "left", &left_sent), "_left", left, symbolic::floor_divide(at, l), grid_.row());
        broadcast(ir::add_state(loop, "right", &right_sent), "_right", right, symbolic::floor_divide(at, k), grid_.column());
        multiply(ir::add_state(loop, "product", &multiplied), "Gemm", {"_a", "_b", "_c"},
                 {{"_left", left}, {"_right", right}, {"_c", whole({m, n})}}, {{"beta", std::int64_t{1}}});
        ir::add_state(loop, "next", &next);
        ir::add_transition(loop, start, copied, {},
                           {{"__width", symbolic::to_string(symbolic::minimum(l - in_left, k - in_right))}});
        ir::add_transition(loop, copied, left_sent);
        ir::add_transition(loop, left_sent, right_sent);
        ir::add_transition(loop, right_sent, multiplied);
        ir::add_transition(loop, multiplied, next, {}, {{"__k", symbolic::to_string(at + width)}});
        const ir::BlockId block = ir::add_block(body_.body, std::move(panels));
        ir::add_transition(body_.body, zero, block, {}, {{"__k", "0"}});
    }
    void by_sum() {
        const bool column = shape("_b").size() == 1;
        const std::vector<Expr>& result = shape("_c");
        ir::add_transient(body_, "_part", type(), result);
        ir::BlockId product, sum;
        const char *matrix = column ? "_a" : "_b", *vector = column ? "_b" : "_a";
        multiply(ir::add_state(body_.body, "product", &product), "Gemv", {"_A", "_x", "_y"},
                 {{matrix, whole(shape(matrix))}, {vector, whole(shape(vector))}, {"_part", whole(result)}}, {{"transA", !column}});
        ir::StateBuilder state = ir::add_state(body_.body, "sum", &sum);
        auto properties = column ? grid_.row() : grid_.column();
        properties.emplace("op", std::string("sum"));
        const ir::NodeId node = state.library("MPI_Allreduce", "sum", {"_in"}, {"_out"}, std::move(properties));
        state.edge(state.access("_part"), "", node, "_in", ir::memlet("_part", whole(result)));
        state.edge(node, "_out", state.access("_c"), "", ir::memlet("_c", whole(result)));
        ir::add_transition(body_.body, product, sum);
    }

    NodeDraft& draft_;
    const Binding binding_;
    const Grid grid_;
    ir::Sdfg body_{.name = "product_on_grid"};
};

/// PBLAS's p?gemm; it is loaded when the program runs.
std::string why_not_scalapack(const NodeContext& context) {
    const Binding binding = bind(context);
    for (const char* name : {"_a", "_b"}) {
        const Operand& one = binding.input(name).operand;
        if (!one.strides.back().is_integer(1)) return "the rows of " + std::string(name) + " are not contiguous";
    }
    const Operand& result = binding.output("_c").operand;
    if (!result.strides.back().is_integer(1)) return "the rows of the result are not contiguous";
    for (const char* name : {"_a", "_b"})
        if (!(binding.input(name).operand.type == result.type)) return "the operands differ in type";
    const code::Scalar type = result.type.scalar;
    const bool known = type == code::Scalar::Float32 || type == code::Scalar::Float64 || type == code::Scalar::Complex64 ||
                       type == code::Scalar::Complex128;
    return known ? "" : "it has no routine for " + code::to_string(result.type);
}

void call_scalapack(NodeDraft& draft) {
    const Binding binding = bind(draft);
    const Grid grid(draft);
    ExternCall call{
        .environment = "scalapack", .function = "sluice::mpi::multiply_on_grid", .arguments = {grid.rows, grid.columns}};
    std::vector<Lead> inputs, outputs;
    for (const char* name : {"_a", "_b", "_c"}) {
        const BoundOperand& one = name[1] == 'c' ? binding.output(name) : binding.input(name);
        const std::vector<Expr>& shape = one.operand.shape;
        const bool vector = one.sizes.size() == 1;
        call.arguments.insert(call.arguments.end(),
                              {ExternCall::Address{name}, vector ? Expr(0) : shape[0], shape.back(),
                               vector ? ExternCall::Argument(Expr(1)) : ExternCall::Argument(ExternCall::Stride{name, 0, 2})});
        (name[1] == 'c' ? outputs : inputs).push_back({one.edge, name});
    }
    become_call(draft, call, inputs, outputs, false);
}

}  // namespace

Operation mpi_matmul() {
    Operation result =
        message({.name = "MPI_MatMul",
                 .summary = "The product of matrices, or a matrix and a vector, that lie in blocks on a grid of ranks.",
                 .inputs = {"_a", "_b"},
                 .outputs = {"_c"},
                 .properties = {}});
    result.forms_of = forms_of;
    result.properties = {{"rows", std::int64_t{1}, "Of the grid of ranks."},
                         {"columns", std::int64_t{1}, "Of the grid of ranks."},
                         {"vector", std::string(), "Which operand is a vector: left, right, or none."},
                         {"rank", std::monostate(), "The number of the rank itself, comm_place - 1."}};
    result.types = {};
    result.expansions = {{.name = "Messages",
                          .summary = "Products of one rank, and broadcasts or a sum among the rows and columns of the grid.",
                          .aliases = {"pure", "native"},
                          .expand = [](NodeDraft& draft) { InMessages(draft).expand(); }},
                         {.name = "ScaLAPACK",
                          .summary = "A call of the library.",
                          .aliases = {"ReferenceOpenMPI", "ReferenceMPICH", "PBLAS"},
                          .requirement = {"scalapack"},
                          .why_not = why_not_scalapack,
                          .expand = call_scalapack}};
    return result;
}

}  // namespace sluice::library
