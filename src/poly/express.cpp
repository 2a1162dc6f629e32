// Affine functions and sets as symbolic expressions, by way of isl's code generator, which knows how to write divisions and cases.
#include <isl/aff.h>
#include <isl/ast.h>
#include <isl/ast_build.h>
#include <isl/id.h>
#include <isl/set.h>
#include <isl/val.h>

#include <functional>
#include <memory>

#include "poly/convert.h"
#include "poly/raw.h"

namespace sluice::poly {

using symbolic::Expr;

namespace {

using Owned = std::unique_ptr<isl_ast_expr, decltype(&isl_ast_expr_free)>;

std::optional<Expr> operation(isl_ast_expr* e) {
    std::vector<Expr> operands;
    const isl_size count = isl_ast_expr_get_op_n_arg(e);
    for (int at = 0; at < count; ++at) {
        const Owned part(isl_ast_expr_get_op_arg(e, at), isl_ast_expr_free);
        std::optional<Expr> operand = expression_of(part.get());
        if (!operand) return std::nullopt;
        operands.push_back(std::move(*operand));
    }
    const auto fold = [&](Expr (*combine)(const Expr&, const Expr&)) {
        Expr all = operands[0];
        for (std::size_t at = 1; at < operands.size(); ++at) all = combine(all, operands[at]);
        return all;
    };
    switch (isl_ast_expr_get_op_type(e)) {
        case isl_ast_expr_op_and:
        case isl_ast_expr_op_and_then:
            return fold(symbolic::logical_and);
        case isl_ast_expr_op_or:
        case isl_ast_expr_op_or_else:
            return fold(symbolic::logical_or);
        case isl_ast_expr_op_max:
            return fold(symbolic::maximum);
        case isl_ast_expr_op_min:
            return fold(symbolic::minimum);
        case isl_ast_expr_op_minus:
            return -operands[0];
        case isl_ast_expr_op_add:
            return operands[0] + operands[1];
        case isl_ast_expr_op_sub:
            return operands[0] - operands[1];
        case isl_ast_expr_op_mul:
            return operands[0] * operands[1];
        case isl_ast_expr_op_div:
        case isl_ast_expr_op_fdiv_q:
        case isl_ast_expr_op_pdiv_q:
            return symbolic::floor_divide(operands[0], operands[1]);
        case isl_ast_expr_op_pdiv_r:
        case isl_ast_expr_op_zdiv_r:
            return symbolic::modulo(operands[0], operands[1]);
        case isl_ast_expr_op_cond:
        case isl_ast_expr_op_select:
            return symbolic::select(operands[0], operands[1], operands[2]);
        case isl_ast_expr_op_eq:
            return symbolic::equal(operands[0], operands[1]);
        case isl_ast_expr_op_le:
            return symbolic::less_equal(operands[0], operands[1]);
        case isl_ast_expr_op_lt:
            return symbolic::less(operands[0], operands[1]);
        case isl_ast_expr_op_ge:
            return symbolic::less_equal(operands[1], operands[0]);
        case isl_ast_expr_op_gt:
            return symbolic::less(operands[1], operands[0]);
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<Expr> expression_of(isl_ast_expr* e) {
    switch (isl_ast_expr_get_type(e)) {
        case isl_ast_expr_int:
            return Expr(take_integer(isl_ast_expr_get_val(e)));
        case isl_ast_expr_id: {
            isl_id* id = isl_ast_expr_get_id(e);
            const std::string name = isl_id_get_name(id);
            isl_id_free(id);
            if (!is_opaque(name)) return symbolic::symbol(name);
            Result<Expr> parsed = symbolic::parse(name);
            if (!parsed.ok()) return std::nullopt;
            return *parsed;
        }
        case isl_ast_expr_op:
            return operation(e);
        default:
            return std::nullopt;
    }
}

namespace {

/// The dimensions as parameters under their names: the code generator then writes the names.
template <class Raw, class Rename, class Move> Raw* dims_to_parameters(Raw* raw, const Space& space, Rename rename, Move move) {
    for (unsigned at = 0; at < space.dims.size(); ++at) raw = rename(raw, at, space.dims[at].c_str());
    return move(raw, static_cast<unsigned>(space.dims.size()));
}

template <class Build> std::optional<Expr> built(Build&& build) {
    isl_ast_build* around = isl_ast_build_alloc(context());
    const Owned e(build(around), isl_ast_expr_free);
    isl_ast_build_free(around);
    return e ? expression_of(e.get()) : std::nullopt;
}

}  // namespace

std::optional<Expr> to_expression(const Affine& affine, const Space& space) {
    isl_pw_aff* raw = dims_to_parameters(
        affine.copy(), space,
        [](isl_pw_aff* f, unsigned at, const char* name) {
            return isl_pw_aff_set_dim_id(f, isl_dim_in, at, isl_id_alloc(context(), name, nullptr));
        },
        [](isl_pw_aff* f, unsigned count) {
            const auto parameters = static_cast<unsigned>(isl_pw_aff_dim(f, isl_dim_param));
            return isl_pw_aff_project_domain_on_params(isl_pw_aff_move_dims(f, isl_dim_param, parameters, isl_dim_in, 0, count));
        });
    return built([&](isl_ast_build* build) { return isl_ast_build_expr_from_pw_aff(build, raw); });
}

std::optional<Expr> to_condition(const Set& set, const Space& space) {
    isl_set* raw = dims_to_parameters(
        set.copy(), space, [](isl_set* s, unsigned at, const char* name) { return isl_set_set_dim_name(s, isl_dim_set, at, name); },
        [](isl_set* s, unsigned count) {
            const auto parameters = static_cast<unsigned>(isl_set_dim(s, isl_dim_param));
            return isl_set_params(isl_set_move_dims(s, isl_dim_param, parameters, isl_dim_set, 0, count));
        });
    std::optional<Expr> condition = built([&](isl_ast_build* build) { return isl_ast_build_expr_from_set(build, raw); });
    if (condition && condition->is_integer()) condition = symbolic::boolean(condition->integer() != 0);
    return condition;
}

}  // namespace sluice::poly
