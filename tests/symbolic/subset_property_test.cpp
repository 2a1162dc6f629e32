// Random ranges with constant and with symbolic bounds against enumerated element sets.
#include <gtest/gtest.h>

#include <random>

#include "symbolic/subset.h"

namespace sluice::symbolic {
namespace {

using Point = std::vector<std::int64_t>;
using Elements = std::set<Point>;
using Values = std::map<std::string, std::int64_t>;

std::int64_t value_of(const Expr& e, const Values& values) {
    return *evaluate(e, values);
}

// Every element once per index that reaches it, in order: the definition in subset.h, word by word.
std::vector<std::int64_t> indices(const Range& range, const Values& values) {
    std::vector<std::int64_t> result;
    const std::int64_t begin = value_of(range.begin, values), end = value_of(range.end, values),
                       step = value_of(range.step, values);
    for (std::int64_t at = begin; step > 0 ? at < end : at > end; at += step) result.push_back(at);
    return result;
}

Elements elements_of(const Subset& subset, const Values& values) {
    Elements result = {{}};
    for (const Range& range : subset.dims) {
        Elements extended;
        for (const Point& point : result)
            for (const std::int64_t at : indices(range, values))
                for (std::int64_t offset = 0; offset < value_of(range.tile, values); ++offset) {
                    Point longer = point;
                    longer.push_back(at + offset);
                    extended.insert(longer);
                }
        result = std::move(extended);
    }
    return result;
}

class RandomSubsets : public testing::Test {
protected:
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(random() % static_cast<std::uint32_t>(high - low + 1));
    }
    Expr bound(bool symbolic) {
        if (!symbolic || random() % 2) return between(-3, 8);
        const Expr base = symbol(std::string(1, static_cast<char>('N' + random() % 2)));
        return random() % 3 ? base + between(-2, 2) : base * 2;
    }
    Range range(bool symbolic) {
        if (random() % 4 == 0) return Range::index(bound(symbolic));
        Range result{bound(symbolic), bound(symbolic), 1, 1};
        if (random() % 2) result.step = between(1, 4);
        if (random() % 4 == 0) result.step = -between(1, 3);
        if (random() % 5 == 0) result.tile = between(2, 3);
        return result;
    }
    Subset subset(bool symbolic) {
        Subset result;
        for (std::size_t d = 0; d < rank; ++d) result.dims.push_back(range(symbolic));
        return result;
    }
    std::vector<Values> points() const {
        std::vector<Values> result;
        for (std::int64_t n = 1; n <= 5; ++n)
            for (std::int64_t o = 1; o <= 5; ++o) result.push_back({{"N", n}, {"O", o}});
        return result;
    }
    static std::string both(const Subset& a, const Subset& b) { return "[" + to_string(a) + "] and [" + to_string(b) + "]"; }

    std::mt19937 random{99};
    std::size_t rank = 1;
};

TEST_F(RandomSubsets, CountAndExtremes) {
    for (int round = 0; round < 500; ++round) {
        const Range r = range(true);
        const Expr indices_of = count(r), total = num_elements(r), low = min_index(r), high = max_index(r);
        for (const Values& values : points()) {
            const auto expected = indices(r, values);
            ASSERT_EQ(value_of(indices_of, values), static_cast<std::int64_t>(expected.size()))
                << to_string(r) << to_string(indices_of);
            ASSERT_EQ(value_of(total, values), static_cast<std::int64_t>(expected.size()) * value_of(r.tile, values));
            if (expected.empty()) continue;
            const Elements all = elements_of({{r}}, values);
            ASSERT_EQ(value_of(low, values), (*all.begin())[0]) << to_string(r);
            ASSERT_EQ(value_of(high, values), (*all.rbegin())[0]) << to_string(r);
        }
    }
}

TEST_F(RandomSubsets, RelationsAgreeWithSets) {
    int covered = 0, apart = 0, undecided = 0;
    for (int round = 0; round < 300; ++round) {
        rank = 1 + random() % 2;
        const bool symbolic = random() % 3 != 0;
        const Subset a = subset(symbolic), b = subset(symbolic);
        const Truth cover = covers(a, b), disjointness = disjoint(a, b);
        const bool empty = is_empty(a);
        covered += cover != Truth::Unknown;
        apart += disjointness != Truth::Unknown;
        if (!symbolic) undecided += cover == Truth::Unknown || disjointness == Truth::Unknown;
        for (const Values& values : points()) {
            const Elements left = elements_of(a, values), right = elements_of(b, values);
            bool contains = true, shared = false;
            for (const Point& point : right) {
                contains = contains && left.count(point) != 0;
                shared = shared || left.count(point) != 0;
            }
            if (cover != Truth::Unknown) {
                ASSERT_EQ(contains, is_yes(cover)) << both(a, b);
            }
            if (disjointness != Truth::Unknown) {
                ASSERT_EQ(!shared, is_yes(disjointness)) << both(a, b);
            }
            ASSERT_TRUE(!empty || left.empty()) << to_string(a);
            if (!symbolic) break;
        }
    }
    EXPECT_GT(covered, 120);
    EXPECT_GT(apart, 120);
    EXPECT_EQ(undecided, 0);
}

TEST_F(RandomSubsets, HullHoldsBothAndIntersectionIsExact) {
    int known = 0;
    for (int round = 0; round < 300; ++round) {
        rank = 1 + random() % 2;
        const bool symbolic = random() % 2;
        const Subset a = subset(symbolic), b = subset(symbolic);
        const Subset hull = hull_union(a, b);
        const auto common = intersection(a, b);
        known += common.has_value();
        for (const Values& values : points()) {
            const Elements left = elements_of(a, values), right = elements_of(b, values), both_of = elements_of(hull, values);
            for (const Point& point : left) ASSERT_TRUE(both_of.count(point)) << both(a, b) << " hull " << to_string(hull);
            for (const Point& point : right) ASSERT_TRUE(both_of.count(point)) << both(a, b) << " hull " << to_string(hull);
            if (common) {
                Elements expected;
                for (const Point& point : left)
                    if (right.count(point)) expected.insert(point);
                ASSERT_EQ(elements_of(*common, values), expected) << both(a, b) << " common " << to_string(*common);
            }
            if (!symbolic) break;
        }
    }
    EXPECT_GT(known, 150);
}

TEST_F(RandomSubsets, ComposePicksPositions) {
    for (int round = 0; round < 500; ++round) {
        Range outer = range(true), inner = range(true);
        if (round % 2) inner.tile = 1;
        const Subset picked = compose({{outer}}, {{inner}});
        const bool exact = inner.tile.is_integer(1) || (outer.step.is_integer(1) && outer.tile.is_integer(1));
        for (const Values& values : points()) {
            Elements expected;
            for (const std::int64_t position : indices(inner, values))
                for (std::int64_t p = position; p < position + value_of(inner.tile, values); ++p)
                    for (std::int64_t offset = 0; offset < value_of(outer.tile, values); ++offset)
                        expected.insert({value_of(outer.begin, values) + p * value_of(outer.step, values) + offset});
            const Elements actual = elements_of(picked, values);
            if (exact) {
                ASSERT_EQ(actual, expected) << both({{outer}}, {{inner}}) << " -> " << to_string(picked);
            } else {
                for (const Point& point : expected)
                    ASSERT_TRUE(actual.count(point)) << both({{outer}}, {{inner}}) << " -> " << to_string(picked);
            }
        }
    }
}

TEST_F(RandomSubsets, ImageHoldsEveryValueOfTheParameter) {
    const Expr p = symbol("p");
    int exact = 0;
    const auto moving = [&](const Expr& e) -> Expr {
        switch (random() % 9) {
            case 0:
                return e + p * between(-3, 3);
            case 1:
                return p;
            case 2:
                return floor_divide(p, 2) + e;
            case 3:
                return minimum(p + 2, e);
            case 4:
                return modulo(p, 3);
            case 5:
                return p * symbol("N") + e;
            case 6:
                return p * p - p;
            default:
                return p + e;
        }
    };
    for (int round = 0; round < 300; ++round) {
        rank = 1 + random() % 2;
        Subset s = subset(true);
        for (Range& r : s.dims) {
            const bool index = r.is_index();
            r.begin = moving(r.begin);
            r.end = index ? r.begin + 1 : random() % 2 ? r.begin + between(-1, 4) : moving(r.end);
        }
        Range values_of = range(true);
        values_of.tile = 1;
        const Image image = image_over(s, "p", values_of);
        ASSERT_FALSE(free_symbols(image.subset).count("p")) << to_string(s) << " -> " << to_string(image.subset);
        exact += image.exact;
        for (Values values : points()) {
            const auto all = indices(values_of, values);
            if (all.empty()) continue;
            Elements expected;
            const Elements actual = elements_of(image.subset, values);
            for (const std::int64_t at : all) {
                values["p"] = at;
                expected.merge(elements_of(s, values));
            }
            for (const Point& point : expected)
                ASSERT_TRUE(actual.count(point))
                    << to_string(s) << " over " << to_string(values_of) << " -> " << to_string(image.subset);
            if (image.exact) {
                ASSERT_EQ(actual, expected) << to_string(s) << " over " << to_string(values_of) << " -> "
                                            << to_string(image.subset);
            }
        }
    }
    EXPECT_GT(exact, 25);
}

TEST_F(RandomSubsets, TextReadsBack) {
    for (int round = 0; round < 500; ++round) {
        rank = random() % 4;
        const Subset s = subset(true);
        ASSERT_EQ(*parse_subset(to_string(s)), s) << to_string(s);
    }
}

}  // namespace
}  // namespace sluice::symbolic
