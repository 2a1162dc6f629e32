#include "library/matmul/openblas.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>

#include <fmt/format.h>

namespace sluice::library {

using code::DType;
using ir::Expr;

namespace {

/// The element type in generated code; null where BLAS has no routine for it.
const char* element_type(const ir::Sdfg& body) {
    const DType type = body.containers.at("_c").dtype;
    if (body.containers.at("_a").dtype != type || body.containers.at("_b").dtype != type || type.lanes != 1) return nullptr;
    switch (type.scalar) {
        case code::Scalar::Float32:
            return "float";
        case code::Scalar::Float64:
            return "double";
        case code::Scalar::Complex64:
            return "sluice::complex<float>";
        case code::Scalar::Complex128:
            return "sluice::complex<double>";
        default:
            return nullptr;
    }
}

bool is_number(const std::string& text) {
    char* end = nullptr;
    std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0' && text.find_first_not_of("+-.0123456789eE") == std::string::npos;
}

/// Shape and strides of an operand as a matrix; a vector is one column.
struct Layout {
    Expr rows, columns, row_stride, column_stride;

    Layout transposed() const { return {columns, rows, column_stride, row_stride}; }
    bool has_unit_stride() const { return row_stride.is_integer(1) || column_stride.is_integer(1); }
};
Layout layout_of(const ir::Container& container) {
    const auto* array = std::get_if<ir::Array>(&container.kind);
    const std::vector<Expr>& shape = container.shape;
    std::vector<Expr> strides = array ? array->strides : std::vector<Expr>();
    if (strides.empty()) strides = shape.size() == 2 ? std::vector<Expr>{shape[1], Expr(1)} : std::vector<Expr>{Expr(1)};
    if (shape.size() == 1) return {shape[0], Expr(1), strides[0], Expr(1)};
    return {shape[0], shape[1], strides[0], strides[1]};
}

/// a @ b as a matrix times a matrix or a vector; none for other ranks.
struct Plan {
    Layout a, b, c;
    const char *left = "__a", *right = "__b";
    bool vector = false;
};
std::optional<Plan> plan_call(const ir::Sdfg& body, const ProductOperands& operands) {
    const ir::Container &a = body.containers.at("_a"), &b = body.containers.at("_b"), &c = body.containers.at("_c");
    const std::size_t left = a.shape.size(), right = b.shape.size();
    if (left < 1 || left > 2 || right < 1 || right > 2 || left + right < 3 || c.shape.size() != left + right - 2) return {};
    Plan plan{.a = layout_of(a), .b = layout_of(b), .c = layout_of(c)};
    if (operands.trans_a && left == 2) plan.a = plan.a.transposed();
    if (operands.trans_b && right == 2) plan.b = plan.b.transposed();
    plan.vector = left + right == 3;
    if (left == 1) {  // x @ B is transpose(B) @ x.
        std::swap(plan.a, plan.b);
        std::swap(plan.left, plan.right);
        plan.a = plan.a.transposed();
    }
    const bool fits = plan.a.has_unit_stride() && (plan.vector || (plan.b.has_unit_stride() && plan.c.column_stride.is_integer(1)));
    return fits ? std::optional(plan) : std::nullopt;
}

/// Below this many multiplications of constant sizes, loops that the compiler sees through are faster than a call.
constexpr std::int64_t kSmall = 4096;

bool is_small(const Plan& plan) {
    std::int64_t product = 1;
    for (const Expr& size : {plan.a.rows, plan.a.columns, plan.b.columns}) {
        if (!size.is_integer() || size.integer() > kSmall) return false;
        product *= std::max<std::int64_t>(size.integer(), 1);
    }
    return product <= kSmall;
}

}  // namespace

bool openblas_installed() {
    static const bool found = [] {
        const char* own = std::getenv("LIBRARY_PATH");
        std::istringstream folders(std::string(own ? own : "") +
                                   ":/usr/local/lib:/usr/local/lib64:/usr/lib/x86_64-linux-gnu:/usr/lib/aarch64-linux-gnu"
                                   ":/usr/lib64:/usr/lib:/lib64:/lib");
        std::error_code error;
        for (std::string folder; std::getline(folders, folder, ':');)
            if (!folder.empty() && std::filesystem::exists(folder + "/libopenblas.so", error)) return true;
        return false;
    }();
    return found;
}

bool call_openblas(NodeContext& context, ir::Sdfg& body, const ProductOperands& operands) {
    const char* type = element_type(body);
    if (!type || !is_number(operands.alpha) || !is_number(operands.beta)) return false;
    const std::optional<Plan> plan = plan_call(body, operands);
    if (!plan || is_small(*plan)) return false;
    std::map<std::string, Expr> symbols;
    const auto matrix = [&](const char* element, const std::string& name, const Layout& layout) {
        const auto size = [&](const char* which, const Expr& value) {
            symbols.emplace(name + which, value);
            return name + which;
        };
        return fmt::format("sluice::blas::Matrix<{}>{{{}, {}, {}, {}, {}}}", element, name, size("_rows", layout.rows),
                           size("_columns", layout.columns), size("_row_stride", layout.row_stride),
                           size("_column_stride", layout.column_stride));
    };
    const std::string constant = std::string("const ") + type;
    const std::string text =
        fmt::format("sluice::blas::{}<{}>({}({}), {}, {}, {}({}), {});", plan->vector ? "multiply_vector" : "multiply", type, type,
                    operands.alpha, matrix(constant.c_str(), plan->left, plan->a), matrix(constant.c_str(), plan->right, plan->b),
                    type, operands.beta, matrix(type, "__c", plan->c));
    const DType pointer = DType::pointer(body.containers.at("_c").dtype);
    ir::StateBuilder state = ir::add_state(body.body, "product");
    ir::Connectors in{{"__a", pointer}, {"__b", pointer}};
    const bool accumulates = operands.inputs.size() > 2;
    if (accumulates) in.emplace("__old", pointer);
    const ir::NodeId call = state.tasklet("openblas", in, {{"__c", pointer}}, text, ir::Language::CPP);
    std::get<ir::Tasklet>(state.state().nodes[call].kind).environments = {"openblas"};
    state.edge(state.access("_a"), "", call, "__a", ir::memlet("_a"));
    state.edge(state.access("_b"), "", call, "__b", ir::memlet("_b"));
    if (accumulates) state.edge(state.access("_c"), "", call, "__old", ir::memlet("_c"));
    state.edge(call, "__c", state.access("_c"), "", ir::memlet("_c"));
    replace_by(context, std::move(body), operands.inputs, {{operands.c, "_c"}});
    auto& nested = std::get<ir::NestedSdfg>(context.state.nodes[context.node].kind);
    for (const auto& [name, value] : symbols) {
        nested.sdfg.edit().symbols.insert_or_assign(name, DType(code::Scalar::Int64));
        nested.symbol_mapping.insert_or_assign(name, value);
    }
    return true;
}

}  // namespace sluice::library
