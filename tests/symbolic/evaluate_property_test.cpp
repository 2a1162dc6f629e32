// Random expressions: canonical form, printing and substitution keep the value. The reference evaluates the tree as written.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "symbolic/expr.h"

namespace sluice::symbolic {
namespace {

using Values = std::map<std::string, std::int64_t>;

std::int64_t floor_of(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

// An expression as written, with its canonical form and its value by plain arithmetic (nullopt: division by zero).
struct Tree {
    enum Operation { Constant, Variable, Add, Subtract, Multiply, FloorDivide, Modulo, Min, Max, Select, Abs } operation;
    std::int64_t value = 0;
    std::string name;
    std::vector<std::shared_ptr<Tree>> children;

    std::optional<std::int64_t> evaluate(const Values& values) const {
        std::vector<std::int64_t> v;
        for (const auto& child : children) {
            const auto each = child->evaluate(values);
            if (!each) return std::nullopt;
            v.push_back(*each);
        }
        switch (operation) {
            case Constant:
                return value;
            case Variable:
                return values.at(name);
            case Add:
                return v[0] + v[1];
            case Subtract:
                return v[0] - v[1];
            case Multiply:
                return v[0] * v[1];
            case FloorDivide:
                return v[1] == 0 ? std::nullopt : std::optional(floor_of(v[0], v[1]));
            case Modulo:
                return v[1] == 0 ? std::nullopt : std::optional(v[0] - v[1] * floor_of(v[0], v[1]));
            case Min:
                return std::min(v[0], v[1]);
            case Max:
                return std::max(v[0], v[1]);
            case Select:
                return v[0] < v[1] ? v[2] : v[3];
            case Abs:
                return std::abs(v[0]);
        }
        return std::nullopt;
    }
    Expr build() const {
        std::vector<Expr> e;
        for (const auto& child : children) e.push_back(child->build());
        switch (operation) {
            case Constant:
                return value;
            case Variable:
                return symbol(name);
            case Add:
                return e[0] + e[1];
            case Subtract:
                return e[0] - e[1];
            case Multiply:
                return e[0] * e[1];
            case FloorDivide:
                return floor_divide(e[0], e[1]);
            case Modulo:
                return modulo(e[0], e[1]);
            case Min:
                return minimum(e[0], e[1]);
            case Max:
                return maximum(e[0], e[1]);
            case Select:
                return select(less(e[0], e[1]), e[2], e[3]);
            case Abs:
                return call("abs", {e[0]});
        }
        return 0;
    }
};

std::shared_ptr<Tree> random_tree(std::mt19937& random, int depth) {
    auto tree = std::make_shared<Tree>();
    if (depth == 0 || random() % 8 == 0) {
        if (random() % 2) {
            tree->operation = Tree::Constant;
            tree->value = static_cast<std::int64_t>(random() % 11) - 4;
        } else {
            tree->operation = Tree::Variable;
            tree->name = std::string(1, static_cast<char>('a' + random() % 3));
        }
        return tree;
    }
    tree->operation = static_cast<Tree::Operation>(Tree::Add + random() % 9);
    const int children = tree->operation == Tree::Select ? 4 : tree->operation == Tree::Abs ? 1 : 2;
    for (int i = 0; i < children; ++i) tree->children.push_back(random_tree(random, depth - 1));
    return tree;
}

TEST(RandomExpressions, KeepTheirValue) {
    std::mt19937 random(20240601);
    int compared = 0;
    for (int round = 0; round < 1500; ++round) {
        const auto tree = random_tree(random, 2 + static_cast<int>(random() % 3));
        const Expr e = tree->build();
        const std::string text = to_string(e);
        const auto again = parse(text);
        ASSERT_TRUE(again.ok()) << text;
        ASSERT_EQ(*again, e) << text << " reads back as " << to_string(*again);
        Substitution shift = {{"a", symbol("b") + 1}, {"b", symbol("a") * 2}};
        const Expr shifted = substitute(e, shift);
        for (int point = 0; point < 12; ++point) {
            Values values;
            for (const char* name : {"a", "b", "c"}) values[name] = static_cast<std::int64_t>(random() % 15) - 6;
            const auto expected = tree->evaluate(values);
            if (!expected) continue;
            const auto actual = evaluate(e, values);
            ASSERT_TRUE(actual.ok()) << text << ": " << render(actual.error());
            ASSERT_EQ(*actual, *expected) << text << " at " << values["a"] << ", " << values["b"] << ", " << values["c"];
            const Values moved = {{"a", values["b"] + 1}, {"b", values["a"] * 2}, {"c", values["c"]}};
            const auto expected_moved = tree->evaluate(moved);
            if (expected_moved) {
                const auto actual_moved = evaluate(shifted, values);
                ASSERT_TRUE(actual_moved.ok() && *actual_moved == *expected_moved)
                    << text << " substituted: " << to_string(shifted);
            }
            ++compared;
        }
    }
    EXPECT_GT(compared, 7000);
}

TEST(Evaluate, ReportsEachError) {
    const auto code = [](const char* text) {
        const auto result = evaluate(*parse(text), Values{{"N", std::int64_t{1} << 40}, {"z", 0}});
        return result.ok() ? std::string("ok") : result.error().code + " " + result.error().message;
    };
    EXPECT_EQ(code("N*N"), "S001 the value of 'N**2' does not fit 64 bits");
    EXPECT_EQ(code("N//z"), "S002 division by zero in 'N//z'");
    EXPECT_EQ(code("N % z"), "S002 division by zero in 'N%z'");
    EXPECT_EQ(code("N/z"), "S002 division by zero in '1/z'");
    EXPECT_EQ(code("M + 1"), "S003 the symbol 'M' has no value");
    EXPECT_EQ(code("N/3"), "S004 the value of 'N/3' is not an integer");
    EXPECT_EQ(code("g(N)"), "S005 the function 'g' in 'g(N)' cannot be evaluated");
    EXPECT_EQ(code("N//2 if N > 5 else N//z"), "ok");
}

TEST(Evaluate, ExpandedFormsDoNotOverflowEarlier) {
    const Values values = {{"a", 5000000001}, {"b", 5000000000}};
    EXPECT_EQ(*evaluate(*parse("(a + b)*(a - b)"), values), 10000000001);
}

TEST(Evaluate, ElementReadsAskTheEnvironment) {
    Environment environment;
    environment.symbol = [](const std::string& name) { return name == "i" ? std::optional<std::int64_t>(3) : std::nullopt; };
    environment.call = [](const std::string& name, std::span<const std::int64_t> at) -> std::optional<std::int64_t> {
        if (name == "A" && at.size() == 1) return at[0] * 10;
        if (name == "s.n" && at.empty()) return 7;
        if (name == "f" && at.size() == 2) return at[0] - at[1];
        return std::nullopt;
    };
    EXPECT_EQ(*evaluate(*parse("A[i + 1] + s.n + f(i, 1)"), environment), 49);
}

TEST(Evaluate, RealsRoundBack) {
    EXPECT_EQ(*evaluate(*parse("floor(2.5*N)"), Values{{"N", 3}}), 7);
    EXPECT_EQ(*evaluate(*parse("1 if N > 2.5 else 0"), Values{{"N", 3}}), 1);
}

}  // namespace
}  // namespace sluice::symbolic
