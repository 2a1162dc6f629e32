#include "library/shared/sum_of_products.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "library/typed_number.h"

namespace sluice::library {

namespace {

using ir::Expr;

bool is_name(const std::string& size) {
    return std::isdigit(static_cast<unsigned char>(size[0])) == 0;
}

/// `name[__i, __j]`; the only element where there are no sizes.
ir::Memlet element(const std::string& name, const BoundOperand& operand) {
    std::vector<Expr> index;
    if (operand.operand.is_stream)
        index.emplace_back(0);
    else
        for (const std::string& size : operand.sizes) index.push_back(is_name(size) ? symbolic::symbol("__" + size) : Expr(0));
    if (index.empty()) index.assign(operand.dims.size(), 0);
    return index.empty() ? ir::memlet(name) : ir::memlet(name, ir::Subset::indices(index));
}

bool is_zero(const std::string& factor) {
    return factor == "0" || factor == "0.0";
}
bool is_one(const std::string& factor) {
    return factor == "1" || factor == "1.0";
}

/// Rows and columns of the parts of matrices that the threads of a block share.
constexpr std::int64_t kTile = 16;

/// Which sizes are looped over where.
struct Loops {
    std::vector<std::string> outer, inner, innermost;
    std::vector<std::string> result;  ///< Of the output.
};
Loops loops_of(const Binding& binding, const LoopOrder& order) {
    Loops loops;
    const auto add = [](std::vector<std::string>& sizes, const std::string& size) {
        if (is_name(size) && std::ranges::find(sizes, size) == sizes.end()) sizes.push_back(size);
    };
    for (const std::string& size : binding.outputs[0].sizes) add(loops.result, size);
    for (const std::string& size : loops.result) add(size == order.innermost ? loops.innermost : loops.outer, size);
    for (const BoundOperand& input : binding.inputs)
        for (const std::string& size : input.sizes)
            if (std::ranges::find(loops.result, size) == loops.result.end()) add(loops.inner, size);
    return loops;
}

ir::MapRanges ranges(const std::vector<std::string>& sizes, const Binding& binding) {
    ir::MapRanges result;
    for (const std::string& size : sizes) result.emplace_back("__" + size, symbolic::Range::extent(binding.sizes.at(size)));
    return result;
}

/// A tasklet for each combination of the sizes that computes one element from others; a single one where there are no sizes.
void add_elements(ir::StateBuilder state, const std::string& label, const ir::MapRanges& params, const ir::NamedMemlets& inputs,
                  const std::string& code, const ir::Memlet& target, ir::Schedule schedule = ir::Schedule::Default) {
    if (!params.empty()) {
        state.mapped_tasklet(label, params, inputs, code, {{"__o", target}}, {}, schedule);
        return;
    }
    ir::Connectors in;
    for (const auto& [connector, element] : inputs) in.emplace(connector, code::DType());
    const ir::NodeId task = state.tasklet(label, in, {{"__o", code::DType()}}, code);
    for (const auto& [connector, element] : inputs)
        state.edge(state.access(element.value.data), "", task, connector, element.value);
    state.edge(task, "__o", state.access(target.data), "", target);
}

/// The types of NumPy along the way, as the definition has them.
struct Types {
    code::DType common;     ///< Of the products and of their sum.
    bool alike = true;      ///< Every input has it.
    bool as_output = true;  ///< And so have the output and what the factors make of it: sums may grow in the output.
};
Types types_of(const Binding& binding, const std::string& alpha, const std::string& beta) {
    Types types{.common = binding.inputs[0].operand.type};
    for (const BoundOperand& input : binding.inputs) types.common = code::promote(types.common, input.operand.type);
    for (const BoundOperand& input : binding.inputs) types.alike = types.alike && input.operand.type == types.common;
    const code::DType out = binding.outputs[0].operand.type;
    code::Type result{types.common, false};
    if (!is_one(alpha)) result = code::promote(type_of_factor(alpha), result);
    if (!is_zero(beta)) result = code::promote(code::promote(type_of_factor(beta), {out, false}), result);
    types.as_output = types.alike && types.common == out && result.dtype == out;
    return types;
}

class SumOfProducts {
public:
    SumOfProducts(NodeDraft& draft, const LoopOrder& order)
        : draft_(draft),
          binding_(bind(draft)),
          alpha_(draft.factor("alpha", "1")),
          beta_(draft.factor("beta", "0")),
          types_(types_of(binding_, alpha_, beta_)),
          loops_(loops_of(binding_, order)),
          out_(binding_.outputs.at(0)) {}

    enum class Memory { Output, Chip, Blocks };
    void expand(Memory sums) {
        for (std::size_t k = 0; k < binding_.inputs.size(); ++k) {
            declare_operand(draft_, body_, "_in" + std::to_string(k), binding_.inputs[k].edge, binding_.inputs[k].dims);
            leads_.push_back({binding_.inputs[k].edge, "_in" + std::to_string(k)});
        }
        declare_operand(draft_, body_, "_out", out_.edge, out_.dims);
        const bool adds = !loops_.inner.empty() || !is_zero(beta_);
        const bool in_output = types_.as_output && !out_.operand.is_stream;
        if (sums == Memory::Chip || (sums == Memory::Blocks && adds && !in_output))
            sum_on_chip();
        else if (!adds)
            add_products(ir::add_state(body_.body, "product"), scaled(product()), element("_out", out_));
        else if (in_output)
            sum_in_output(sums == Memory::Blocks);
        else
            sum_apart();
        replace_by(draft_, std::move(body_), leads_, {{out_.edge, "_out"}});
    }

private:
    std::string scaled(const std::string& value) const { return "__o = " + (is_one(alpha_) ? "" : "(" + alpha_ + ") * ") + value; }
    std::string product() const {
        std::string text;
        for (std::size_t k = 0; k < binding_.inputs.size(); ++k) {
            const std::string input = "__x" + std::to_string(k);
            text += (k ? " * " : "") + (types_.alike ? input : code::to_string(types_.common) + "(" + input + ")");
        }
        return types_.alike ? text : "(" + text + ")";
    }
    /// out = beta * out, then out += alpha * products.
    void sum_in_output(bool by_blocks) {
        const ir::Memlet target = element("_out", out_);
        ir::BlockId start;
        ir::StateBuilder scale = ir::add_state(body_.body, "start", &start);
        if (is_zero(beta_))
            add_elements(scale, "scale", ranges(loops_.result, binding_), {}, "__o = 0", target);
        else
            add_elements(scale, "scale", ranges(loops_.result, binding_),
                         {{"__i", element(old_values(draft_, binding_, body_, leads_, "_out"), out_)}},
                         "__o = (" + beta_ + ") * __i", target);
        ir::StateBuilder sum = ir::add_state_after(body_.body, start, "sum");
        if (!by_blocks)
            add_products(sum, scaled(product()), target, "lambda a, b: a + b");
        else if (has_tiles())
            add_products_of_tiles(sum, target);
        else
            add_products_in_one_map(sum, target);
    }
    /// sums = 0, sums += products, then out = alpha * sums + beta * out: the output is rounded once.
    void sum_apart() {
        std::vector<Expr> shape;
        BoundOperand sums{.connector = "_sums", .sizes = loops_.result, .edge = {}, .dims = {}, .operand = {}};
        for (const std::string& size : loops_.result) shape.push_back(binding_.sizes.at(size));
        if (shape.empty())
            ir::add_scalar(body_, "_sums", types_.common, true);
        else
            ir::add_transient(body_, "_sums", types_.common, shape);
        const ir::Memlet target = element("_sums", sums);
        ir::BlockId start, sum;
        add_elements(ir::add_state(body_.body, "start", &start), "zero", ranges(loops_.result, binding_), {}, "__o = 0", target);
        add_products(ir::add_state_after(body_.body, start, "sum", &sum), "__o = " + product(), target, "lambda a, b: a + b");
        ir::NamedMemlets inputs{{"__s", target}};
        std::string code = scaled("__s");
        if (!is_zero(beta_)) {
            inputs.emplace_back("__i", element(old_values(draft_, binding_, body_, leads_, "_out"), out_));
            code += " + (" + beta_ + ") * __i";
        }
        add_elements(ir::add_state_after(body_.body, sum, "finish"), "finish", ranges(loops_.result, binding_), inputs, code,
                     element("_out", out_), has_stream(draft_) ? ir::Schedule::Sequential : ir::Schedule::Default);
    }
    /// For each element: sum = 0, sum += products, then out = alpha * sum + beta * out.
    void sum_on_chip() {
        ir::add_scalar(body_, "_sum", types_.common, true);
        ir::StateBuilder state = ir::add_state(body_, "sum");
        std::vector<std::pair<ir::NodeId, ir::NodeId>> outer, scopes;
        if (!loops_.result.empty()) outer.push_back(state.map("outer", ranges(loops_.result, binding_)));
        scopes = outer;
        if (!loops_.inner.empty()) scopes.push_back(state.map("inner", ranges(loops_.inner, binding_), ir::Schedule::Sequential));
        const ir::NodeId sum = state.access("_sum");
        std::get<ir::Access>(state.state().nodes[sum].kind).setzero = true;
        multiply(state, scopes, outer.size(), "__o = " + product(), ir::memlet("_sum", {.wcr = "lambda a, b: a + b"}), sum);
        std::string code = scaled("__s");
        ir::Connectors in{{"__s", code::DType()}};
        if (!is_zero(beta_)) in.emplace("__i", code::DType()), code += " + (" + beta_ + ") * __i";
        const ir::NodeId finish = state.tasklet("finish", in, {{"__o", code::DType()}}, code);
        state.edge(sum, "", finish, "__s", ir::memlet("_sum"));
        std::vector<ir::NodeId> to{finish};
        if (!outer.empty()) to.push_back(outer[0].second);
        to.push_back(state.access("_out"));
        state.memlet_path(to, "__o", "", element("_out", out_));
        if (is_zero(beta_)) return;
        const std::string old = old_values(draft_, binding_, body_, leads_, "_out");
        std::vector<ir::NodeId> from{state.access(old)};
        if (!outer.empty()) from.push_back(outer[0].first);
        from.push_back(finish);
        state.memlet_path(from, "", "__i", element(old, out_));
    }
    void add_products_in_one_map(ir::StateBuilder state, ir::Memlet target) {
        std::vector<std::string> sizes = loops_.result;
        sizes.insert(sizes.end(), loops_.inner.begin(), loops_.inner.end());
        target.wcr = ir::Resolution("lambda a, b: a + b");
        multiply(state, {state.map("products", ranges(sizes, binding_))}, 0, scaled(product()), target, state.access(target.data));
    }

    // ---- by tiles: the last two sizes of the result and the summed one, in parts that the threads of a block share ----
    /// Is it a product of matrices, in which a tile is worth its copy?
    bool has_tiles() const {
        if (binding_.inputs.size() != 2 || loops_.inner.size() != 1 || loops_.result.size() < 2) return false;
        const std::array<std::string, 3> sizes = tiled_sizes();
        const auto has = [&](std::size_t input, std::size_t size) {
            return std::ranges::count(binding_.inputs[input].sizes, sizes[size]) == 1;
        };
        const auto most = [&](const std::string& size, std::int64_t elements) {
            const auto extent = binding_.sizes.at(size).constant();
            return extent && *extent <= elements;
        };
        const bool one_tile = most(sizes[0], kTile) && most(sizes[1], kTile);
        const bool small = std::ranges::any_of(sizes, [&](const std::string& size) { return most(size, kTile / 2); });
        return !one_tile && !small && has(0, 0) && !has(0, 1) && has(0, 2) && !has(1, 0) && has(1, 1) && has(1, 2);
    }
    /// Rows, columns, and what is summed over.
    std::array<std::string, 3> tiled_sizes() const {
        return {loops_.result[loops_.result.size() - 2], loops_.result.back(), loops_.inner[0]};
    }
    static std::string first_of(const std::string& size) { return "__" + size + "_tile"; }
    /// What of a size a tile has.
    symbolic::Range part(const std::string& size) const {
        const Expr first = symbolic::symbol(first_of(size));
        return {first, symbolic::minimum(first + kTile, binding_.sizes.at(size)), 1};
    }
    /// for tiles of the result, shared by blocks: for tiles along the sum: copy both parts, then each thread adds up one element.
    void add_products_of_tiles(ir::StateBuilder state, ir::Memlet target) {
        const auto [rows, columns, sum] = tiled_sizes();
        ir::MapRanges blocks;
        for (std::size_t k = 0; k + 2 < loops_.result.size(); ++k)
            blocks.emplace_back("__" + loops_.result[k], symbolic::Range::extent(binding_.sizes.at(loops_.result[k])));
        for (const std::string& size : {rows, columns})
            blocks.emplace_back(first_of(size), symbolic::Range{0, binding_.sizes.at(size), kTile});
        const std::vector<std::pair<ir::NodeId, ir::NodeId>> scopes{
            state.map("blocks", blocks),
            state.map("tiles", {{first_of(sum), symbolic::Range{0, binding_.sizes.at(sum), kTile}}}, ir::Schedule::Sequential),
            state.map("threads", {{"__" + rows, part(rows)}, {"__" + columns, part(columns)}}, ir::Schedule::GPU_ThreadBlock),
            state.map("sum", {{"__" + sum, part(sum)}}, ir::Schedule::Sequential)};
        const ir::NodeId task = state.tasklet("multiply", {{"__x0", code::DType()}, {"__x1", code::DType()}},
                                              {{"__o", code::DType()}}, scaled(product()));
        for (std::size_t k = 0; k < 2; ++k) add_tile(state, scopes, task, k);
        std::vector<ir::NodeId> back{task};
        for (std::size_t scope = scopes.size(); scope-- > 0;) back.push_back(scopes[scope].second);
        back.push_back(state.access(target.data));
        target.wcr = ir::Resolution("lambda a, b: a + b");
        state.memlet_path(back, "__o", "", target);
    }
    /// A part of an input in memory of the block, and the way from there to the tasklet.
    void add_tile(ir::StateBuilder state, const std::vector<std::pair<ir::NodeId, ir::NodeId>>& scopes, ir::NodeId task,
                  std::size_t input) {
        const BoundOperand& operand = binding_.inputs[input];
        const auto sizes = tiled_sizes();
        const std::string name = "_in" + std::to_string(input), tile = name + "_tile";
        ir::add_transient(body_, tile, operand.operand.type, {kTile, kTile}).storage = ir::Storage::GPU_Shared;
        ir::Subset from, to, element;
        for (const std::string& size : operand.sizes) {
            const bool tiled = std::ranges::find(sizes, size) != sizes.end();
            if (!tiled) {
                from.dims.push_back(symbolic::Range::index(is_name(size) ? symbolic::symbol("__" + size) : Expr(0)));
                continue;
            }
            const symbolic::Range range = part(size);
            from.dims.push_back(range);
            to.dims.push_back(symbolic::Range::extent(range.end - range.begin));
            element.dims.push_back(symbolic::Range::index(symbolic::symbol("__" + size) - range.begin));
        }
        ir::Memlet copy = ir::memlet(name, from);
        copy.other_subset = to;
        const ir::NodeId held = state.access(tile);
        state.memlet_path({state.access(name), scopes[0].first, scopes[1].first, held}, "", "", copy);
        state.memlet_path({held, scopes[2].first, scopes[3].first, task}, "", "__x" + std::to_string(input),
                          ir::memlet(tile, element));
    }
    void add_products(ir::StateBuilder state, const std::string& code, ir::Memlet target,
                      std::optional<ir::Resolution> resolution = {}) {
        std::vector<std::pair<ir::NodeId, ir::NodeId>> scopes;
        const bool in_order = has_stream(draft_);
        const auto open = [&](const char* label, const std::vector<std::string>& sizes, bool sequential) {
            const ir::Schedule schedule = sequential || in_order ? ir::Schedule::Sequential : draft_.library().schedule;
            if (!sizes.empty()) scopes.push_back(state.map(label, ranges(sizes, binding_), schedule));
        };
        open("outer", loops_.outer, false);
        open("inner", loops_.inner, !loops_.result.empty());
        open("row", loops_.innermost, true);
        target.wcr = std::move(resolution);
        multiply(state, scopes, 0, code, target, state.access(target.data));
    }
    /// A tasklet in the scopes that computes a product; from scope number `inside` on they are inside of the result's node.
    void multiply(ir::StateBuilder state, const std::vector<std::pair<ir::NodeId, ir::NodeId>>& scopes, std::size_t inside,
                  const std::string& code, const ir::Memlet& target, ir::NodeId result) {
        ir::Connectors in;
        for (std::size_t k = 0; k < binding_.inputs.size(); ++k) in.emplace("__x" + std::to_string(k), code::DType());
        const ir::NodeId task = state.tasklet("multiply", in, {{"__o", code::DType()}}, code);
        for (std::size_t k = 0; k < binding_.inputs.size(); ++k) {
            const std::string name = "_in" + std::to_string(k);
            std::vector<ir::NodeId> path{state.access(name)};
            for (const auto& scope : scopes) path.push_back(scope.first);
            path.push_back(task);
            state.memlet_path(path, "", "__x" + std::to_string(k), element(name, binding_.inputs[k]));
        }
        std::vector<ir::NodeId> back{task};
        for (std::size_t scope = scopes.size(); scope-- > inside;) back.push_back(scopes[scope].second);
        back.push_back(result);
        state.memlet_path(back, "__o", "", target);
    }

    NodeDraft& draft_;
    const Binding binding_;
    const std::string alpha_, beta_;
    const Types types_;
    const Loops loops_;
    const BoundOperand& out_;
    ir::Sdfg body_{.name = "products"};
    std::vector<Lead> leads_;
};

}  // namespace

std::string old_values(const NodeContext& context, const Binding& binding, ir::Sdfg& body, std::vector<Lead>& inputs,
                       const std::string& result) {
    const BoundOperand& out = binding.outputs[0];
    const auto at = binding.old_values.find(out.connector);
    if (at == binding.old_values.end()) return result;
    const ir::Memlet &before = context.state.edges[at->second].memlet, &after = context.state.edges[out.edge].memlet;
    const bool same = before.data == after.data && context.subset(at->second) == context.subset(out.edge);
    inputs.push_back({at->second, same ? result : "_old"});
    if (same) return result;
    declare_operand(context, body, "_old", at->second, context.dims(at->second, std::max<std::size_t>(out.sizes.size(), 1)));
    return "_old";
}

void expand_sum_of_products(NodeDraft& draft, const LoopOrder& order) {
    SumOfProducts(draft, order).expand(SumOfProducts::Memory::Output);
}

Expansion sums_on_chip() {
    return {.name = "FPGA",
            .summary = "A scalar for each sum, in one state.",
            .aliases = {"FPGA_Accumulate"},
            .why_not = [](const NodeContext& context) { return has_stream(context) ? "an operand is a stream" : ""; },
            .why_rather_not = [](const NodeContext&) { return "it is for an FPGA"; },
            .expand = [](NodeDraft& draft) { SumOfProducts(draft, {}).expand(SumOfProducts::Memory::Chip); }};
}

Expansion sums_in_blocks() {
    return {.name = "GPU",
            .summary = "Products of matrices by tiles in memory that the threads of a block share, others in one map.",
            .why_not = [](const NodeContext& context) { return has_stream(context) ? "an operand is a stream" : ""; },
            .why_rather_not = [](const NodeContext&) { return "it is for a device with blocks of threads"; },
            .expand = [](NodeDraft& draft) { SumOfProducts(draft, {}).expand(SumOfProducts::Memory::Blocks); }};
}

Expansion native_sum_of_products(const LoopOrder& order) {
    return {.name = "native",
            .summary = "Loops over the output's sizes around sequential sums.",
            .aliases = {"pure", "OpenMP"},
            .expand = [order](NodeDraft& draft) { expand_sum_of_products(draft, order); }};
}

}  // namespace sluice::library
