// Graphs made without any syntax: what a front end of another language would ask of arrays, run by the interpreter.
#include <cmath>

#include "../../interpret/run.h"
#include "frontend/array/array_program.h"

namespace sluice::frontend {
namespace {

using interpret::Call;
using interpret::Doubles;
using symbolic::symbol;

/// A front end without names.
class Bare : public ArrayProgram {
public:
    Bare() : ArrayProgram(names, nullptr) { sdfg_.name = "bare"; }
    Value array(const std::string& name, std::vector<Expr> shape) {
        for (const Expr& extent : shape) need_symbols(symbolic::free_symbols(extent));
        ir::add_array(sdfg_, name, code::Scalar::Float64, std::move(shape));
        return read_container(name);
    }
    void store(const Value& place, const Value& value) { assign(target_of(place, {}), value, "store"); }
    Value difference(const Value& a, const Value& b) { return call_ufunc("subtract", {a, b}, {}); }

    ProgramNames names;
};

TEST(ArrayProgram, SoftmaxOfRowsBroadcastsWhatItReduces) {
    Bare p;
    const Value x = p.array("x", {symbol("N"), 3}), y = p.array("y", {symbol("N"), 3});
    const Reduction rows{.axes = {1}, .keepdims = true, .initial = {}, .where = {}, .dtype = {}};
    const Value powers = p.materialise(p.call_ufunc("exp", {p.difference(x, p.reduce(x, "max", rows, {}))}, {}), "powers");
    p.store(y, p.call_ufunc("divide", {powers, p.reduce(powers, "sum", rows, {})}, {}));
    Call call{.doubles = {{"x", {1, 2, 3, 5, 5, 5}}, {"y", Doubles(6)}}, .symbols = {{"N", 2}}};
    call.clean(p.take_graph());
    const double total = std::exp(-2) + std::exp(-1) + 1;
    const Doubles expected{std::exp(-2) / total, std::exp(-1) / total, 1 / total, 1.0 / 3, 1.0 / 3, 1.0 / 3};
    for (std::size_t at = 0; at < 6; ++at) EXPECT_NEAR(call.doubles["y"][at], expected[at], 1e-15) << at;
}

TEST(ArrayProgram, ViewsAreReadInPlaceAndOverlapsAsTheyWere) {
    Bare p;
    const Value a = p.array("a", {symbol("N"), symbol("N")});
    p.store(a, p.transpose(a, {}, {}));  // All of it is read before any of it is written.
    Call call{.doubles = {{"a", {1, 2, 3, 4, 5, 6, 7, 8, 9}}}, .symbols = {{"N", 3}}};
    call.clean(p.take_graph());
    EXPECT_EQ(call.doubles["a"], (Doubles{1, 4, 7, 2, 5, 8, 3, 6, 9}));
}

TEST(ArrayProgram, ProductsSumsAndDiagonalsAreJoined) {
    Bare p;
    const Value a = p.array("a", {2, 3}), v = p.array("v", {3}), out = p.array("out", {4});
    const Reduction all{.axes = {0}, .keepdims = true, .initial = {}, .where = {}, .dtype = {}};
    const Value square = p.reshape(p.product(v, v, {}), {1}, {});
    p.store(out, p.joined({p.diagonal(a, 1, 0, 1, {}), p.reduce(v, "sum", all, {}), square}, 0, {}));
    Call call{.doubles = {{"a", {1, 5, 2, 9, 3, 9}}, {"v", {1, 10, 100}}, {"out", Doubles(4)}}};
    call.clean(p.take_graph());
    EXPECT_EQ(call.doubles["out"], (Doubles{5, 9, 111, 10101}));
}

TEST(ArrayProgram, SizesThatOnlyTheRunKnowsAreCompared) {
    Bare p;
    const Value a = p.array("a", {symbol("N")}), b = p.array("b", {symbol("M")});
    p.store(a, p.call_ufunc("add", {a, b}, {}));
    const ir::Sdfg graph = p.take_graph();
    Call same{.doubles = {{"a", {1, 2}}, {"b", {10, 20}}}, .symbols = {{"N", 2}, {"M", 2}}};
    same.clean(graph);
    EXPECT_EQ(same.doubles["a"], (Doubles{11, 22}));
    Call other{.doubles = {{"a", {1, 2}}, {"b", {10, 20, 30}}}, .symbols = {{"N", 2}, {"M", 3}}};
    const auto report = other(graph);
    ASSERT_FALSE(report.ok());
    EXPECT_EQ(report.error().code, "I010") << render(report.error());
    EXPECT_EQ(other.doubles["a"], (Doubles{1, 2}));
}

TEST(ArrayProgram, WhatIsKnownToBeWrongIsRefused) {
    Bare p;
    const Value a = p.array("a", {2, 3}), b = p.array("b", {2, 4});
    EXPECT_THROW(p.call_ufunc("add", {a, b}, {}), Failure);
    EXPECT_THROW(p.product(a, b, {}), Failure);
    EXPECT_THROW(p.transpose(a, {0, 0}, {}), Failure);
    EXPECT_THROW(p.store(p.call_ufunc("add", {a, a}, {}), b), Failure);
}

}  // namespace
}  // namespace sluice::frontend
