#include "library/extern_reference.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <optional>
#include <span>

#include "library/registry.h"
#include "library/shared/distributions.h"
#include "library/shared/lapack.h"
#include "library/shared/random.h"
#include "support/check.h"

namespace sluice::library {

namespace {

using ir::CallValue;
using ir::Number;
using Function = void (*)(const std::vector<CallValue>&);

/// Reads the arguments of a call one after the other.
class Arguments {
public:
    explicit Arguments(const std::vector<CallValue>& values) : values_(values) {}
    ~Arguments() = default;

    Number number() { return std::get<Number>(next()); }
    std::int64_t size() { return number().integer; }
    ir::Memory& memory() { return *std::get<ir::Memory*>(next()); }

private:
    const CallValue& next() {
        check(at_ < values_.size(), "a call of a library has too few arguments");
        return values_[at_++];
    }

    const std::vector<CallValue>& values_;
    std::size_t at_ = 0;
};

struct Vector {
    ir::Memory& memory;
    std::int64_t stride;

    explicit Vector(Arguments& arguments) : memory(arguments.memory()), stride(arguments.size()) {}
    Number at(std::int64_t i) const { return memory.read(i * stride); }
    void set(std::int64_t i, const Number& value) const { memory.write(i * stride, value); }
};

/// Its address, and strides between rows and columns.
struct Strided {
    ir::Memory& memory;
    std::int64_t row, column;

    explicit Strided(Arguments& arguments) : memory(arguments.memory()), row(arguments.size()), column(arguments.size()) {}
    Number at(std::int64_t i, std::int64_t j) const { return memory.read(i * row + j * column); }
    void set(std::int64_t i, std::int64_t j, const Number& value) const { memory.write(i * row + j * column, value); }
};

/// Its address, rows, columns, and strides between rows and columns.
struct Matrix {
    ir::Memory& memory;
    std::int64_t rows, columns, row, column;

    explicit Matrix(Arguments& arguments)
        : memory(arguments.memory()),
          rows(arguments.size()),
          columns(arguments.size()),
          row(arguments.size()),
          column(arguments.size()) {}
    Number at(std::int64_t i, std::int64_t j) const { return memory.read(i * row + j * column); }
    void set(std::int64_t i, std::int64_t j, const Number& value) const { memory.write(i * row + j * column, value); }
};

/// c = alpha * a @ b + beta * c; what c holds is not read where beta is 0.
void multiply(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const Number alpha = arguments.number();
    const Matrix a(arguments), b(arguments);
    const Number beta = arguments.number();
    const Matrix c(arguments);
    for (std::int64_t i = 0; i < c.rows; ++i)
        for (std::int64_t j = 0; j < c.columns; ++j) {
            Number sum = 0.0;
            for (std::int64_t k = 0; k < a.columns; ++k) sum = sum + a.at(i, k) * b.at(k, j);
            sum = alpha * sum;
            c.set(i, j, beta.complex() == 0.0 ? sum : sum + beta * c.at(i, j));
        }
}

/// y = a @ x and w = z @ a; w = y @ a where the call has no z.
void multiply_pair(const std::vector<CallValue>& values) {
    constexpr std::size_t kWithoutZ = 11;
    Arguments arguments(values);
    const Matrix a(arguments);
    const Vector x(arguments);
    const std::optional<Vector> z = values.size() > kWithoutZ ? std::optional<Vector>(arguments) : std::nullopt;
    const Vector y(arguments), w(arguments);
    for (std::int64_t i = 0; i < a.rows; ++i) {
        Number sum = 0.0;
        for (std::int64_t j = 0; j < a.columns; ++j) sum = sum + a.at(i, j) * x.at(j);
        y.set(i, sum);
    }
    for (std::int64_t j = 0; j < a.columns; ++j) {
        Number sum = 0.0;
        for (std::int64_t i = 0; i < a.rows; ++i) sum = sum + (z ? *z : y).at(i) * a.at(i, j);
        w.set(j, sum);
    }
}

void dot(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size();
    const Vector x(arguments), y(arguments);
    Number sum = 0.0;
    for (std::int64_t i = 0; i < n; ++i) sum = sum + x.at(i) * y.at(i);
    arguments.memory().write(0, sum);
}

/// result = a * x + y; the result may lie where x or y lies.
void add_scaled(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size();
    const Number a = arguments.number();
    const Vector x(arguments), y(arguments), result(arguments);
    for (std::int64_t i = 0; i < n; ++i) result.set(i, a * x.at(i) + y.at(i));
}

/// result = a + alpha * outer(x, y); the result may lie where a lies.
void add_outer(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t rows = arguments.size(), columns = arguments.size();
    const Number alpha = arguments.number();
    const Vector x(arguments), y(arguments);
    const Strided a(arguments), result(arguments);
    for (std::int64_t i = 0; i < rows; ++i)
        for (std::int64_t j = 0; j < columns; ++j) result.set(i, j, a.at(i, j) + alpha * x.at(i) * y.at(j));
}

/// b = the lower triangular factor of a, or its transpose; of a only the lower triangle is read.
void cholesky(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size();
    const Strided a(arguments), b(arguments);
    const bool lower = arguments.size() != 0;
    std::vector<std::vector<double>> factor(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j <= i; ++j) {
            std::vector<double>&row = factor[static_cast<std::size_t>(i)], &above = factor[static_cast<std::size_t>(j)];
            double rest = a.at(i, j).complex().real();
            for (std::size_t k = 0; k < static_cast<std::size_t>(j); ++k) rest -= row[k] * above[k];
            row.push_back(i == j ? std::sqrt(rest) : rest / above[static_cast<std::size_t>(j)]);
        }
    for (std::int64_t i = 0; i < n; ++i)
        for (std::int64_t j = 0; j < n; ++j) {
            const double value = j <= i ? factor[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] : 0.0;
            lower ? b.set(i, j, value) : b.set(j, i, value);
        }
}

/// x with a @ x == b, by elimination with partial pivoting; whether a pivot is 0 comes last.
void solve(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size(), m = arguments.size();
    const Strided a(arguments), b(arguments), x(arguments);
    ir::Memory& singular = arguments.memory();
    std::vector<std::vector<Number>> rows(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) rows[static_cast<std::size_t>(i)].push_back(a.at(i, j));
        for (std::int64_t j = 0; j < m; ++j) rows[static_cast<std::size_t>(i)].push_back(b.at(i, j));
    }
    singular.write(0, Number(0.0));
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const auto smaller = [k](const auto& u, const auto& v) { return std::abs(u[k].complex()) < std::abs(v[k].complex()); };
        std::swap(rows[k], *std::max_element(rows.begin() + static_cast<std::ptrdiff_t>(k), rows.end(), smaller));
        if (rows[k][k].complex() == 0.0) return singular.write(0, Number(1.0));
        for (std::size_t i = k + 1; i < rows.size(); ++i) {
            const Number factor = rows[i][k] / rows[k][k];
            for (std::size_t j = k; j < rows[i].size(); ++j) rows[i][j] = rows[i][j] - factor * rows[k][j];
        }
    }
    for (std::size_t k = rows.size(); k-- > 0;)
        for (std::size_t j = 0; j < static_cast<std::size_t>(m); ++j) {
            Number& value = rows[k][rows.size() + j];
            for (std::size_t i = k + 1; i < rows.size(); ++i) value = value - rows[k][i] * rows[i][rows.size() + j];
            value = value / rows[k][k];
            x.set(static_cast<std::int64_t>(k), static_cast<std::int64_t>(j), value);
        }
}

ComplexRows rows_of(const Strided& a, std::int64_t m, std::int64_t n) {
    ComplexRows rows(static_cast<std::size_t>(m));
    for (std::int64_t i = 0; i < m; ++i)
        for (std::int64_t j = 0; j < n; ++j) rows[static_cast<std::size_t>(i)].push_back(a.at(i, j).complex());
    return rows;
}

void set_rows(const Strided& a, const ComplexRows& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < rows[i].size(); ++j)
            a.set(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), Number(rows[i][j]));
}

void set_all(const Vector& a, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) a.set(static_cast<std::int64_t>(i), Number(values[i]));
}

void factor(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size();
    const Strided a(arguments), lu(arguments);
    const TriangularFactors factors = triangular_factors_of(rows_of(a, n, n));
    set_rows(lu, factors.both);
    arguments.memory().write(0, Number(factors.sign));
}

template <bool HasVectors> void eigen(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size();
    const Strided a(arguments);
    const Vector w(arguments);
    const Eigensystem system = eigensystem_of(rows_of(a, n, n));
    set_all(w, system.values);
    if constexpr (HasVectors) set_rows(Strided(arguments), system.vectors);
    arguments.memory().write(0, Number(0.0));
}

template <bool HasVectors> void singular(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t m = arguments.size(), n = arguments.size(), k = arguments.size();
    const Strided a(arguments);
    const SingularSystem system = singular_system_of(rows_of(a, m, n), static_cast<std::size_t>(n), static_cast<std::size_t>(k));
    if constexpr (HasVectors) set_rows(Strided(arguments), system.u);
    set_all(Vector(arguments), system.s);
    if constexpr (HasVectors) set_rows(Strided(arguments), system.v);
    arguments.memory().write(0, Number(0.0));
}

/// The places of a's elements in order: NaN last, equal ones as they stand.
std::vector<std::int64_t> order_of(const Vector& a, std::int64_t n) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, [&](std::int64_t x, std::int64_t y) {
        const Number first = a.at(x), second = a.at(y);
        if (first.integral && second.integral) return first.integer < second.integer;
        const double u = first.complex().real(), v = second.complex().real();
        return u < v || (std::isnan(v) && !std::isnan(u));
    });
    return order;
}

void sort(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size();
    const Vector a(arguments), b(arguments);
    std::vector<Number> sorted;
    for (const std::int64_t at : order_of(a, n)) sorted.push_back(a.at(at));
    for (std::int64_t i = 0; i < n; ++i) b.set(i, sorted[static_cast<std::size_t>(i)]);
}

void arg_sort(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size();
    const Vector a(arguments), b(arguments);
    const std::vector<std::int64_t> order = order_of(a, n);
    for (std::int64_t i = 0; i < n; ++i) b.set(i, order[static_cast<std::size_t>(i)]);
}

void select(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size();
    const Vector a(arguments);
    const std::int64_t count = arguments.size();
    const Vector at(arguments), b(arguments);
    const std::vector<std::int64_t> order = order_of(a, n);
    std::vector<Number> selected;
    for (std::int64_t k = 0; k < count; ++k)
        selected.push_back(n > 0 ? a.at(order[static_cast<std::size_t>(at.at(k).integer)]) : Number(std::int64_t{0}));
    for (std::size_t k = 0; k < selected.size(); ++k) b.set(static_cast<std::int64_t>(k), selected[k]);
}

/// The first place of the smallest or largest of n > 0 elements; of NaN, where there is one.
template <bool Largest> void place_of_extreme(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size();
    const Vector a(arguments);
    const std::vector<std::int64_t> order = order_of(a, n);
    const auto real = [&](std::int64_t at) { return a.at(at).complex().real(); };
    const bool has_nan = n > 0 && std::isnan(real(order.back()));
    const std::int64_t extreme = n == 0 ? 0 : Largest || has_nan ? order.back() : order.front();
    // Equal ones follow one another in the order in which they stand.
    const auto place =
        std::ranges::find_if(order, [&](std::int64_t at) { return has_nan ? std::isnan(real(at)) : real(at) == real(extreme); });
    arguments.memory().write(0, Number(place == order.end() ? 0 : *place));
}

void count_true(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size();
    const Vector mask(arguments);
    std::int64_t count = 0;
    for (std::int64_t i = 0; i < n; ++i) count += mask.at(i).integer != 0 ? 1 : 0;
    arguments.memory().write(0, Number(count));
}

/// The indices of the first elements that hold; n where there are fewer.
void places(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size();
    const Vector mask(arguments);
    const std::int64_t count = arguments.size();
    const Vector out(arguments);
    std::int64_t k = 0;
    for (std::int64_t i = 0; i < n && k < count; ++i)
        if (mask.at(i).integer != 0) out.set(k++, Number(i));
    while (k < count) out.set(k++, Number(n));
}

/// out = factor * the sums over j of x[j] * exp(sign 2 pi i j k / n).
void fourier_transform(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size(), sign = arguments.size();
    const Number factor = arguments.number();
    const Vector x(arguments), out(arguments);
    for (std::int64_t k = 0; k < n; ++k) {
        std::complex<double> sum = 0;
        for (std::int64_t j = 0; j < n; ++j)
            sum += x.at(j).complex() *
                   std::polar(1.0, static_cast<double>(sign * (j * k % n)) * 2 * std::numbers::pi / static_cast<double>(n));
        out.set(k, factor * Number(sum));
    }
}

/// An operand of an operation as an argument of a call: its address and, unless there is one element, a stride.
struct OperandOfCall {
    std::string connector;
    std::int64_t elements;
    bool has_stride = true, is_read = true, is_written = false;
};

/// What a function computes whose arguments are the operands of an operation.
void run_operation(const std::string& name, Arguments& arguments, const std::vector<OperandOfCall>& given,
                   const std::map<std::string, ir::Property>& properties = {}) {
    ir::Operands operands;
    std::vector<std::function<void()>> results;
    for (const OperandOfCall& one : given) {
        ir::Memory& memory = arguments.memory();
        const std::int64_t stride = one.has_stride ? arguments.size() : 0, elements = stride == 0 ? 1 : one.elements;
        operands[one.connector].shape = {elements};
        std::vector<Number>& values = operands[one.connector].values;
        for (std::int64_t i = 0; i < elements; ++i) values.push_back(one.is_read ? memory.read(i * stride) : Number());
        if (!one.is_written) continue;
        results.emplace_back([&memory, &values, stride] {
            for (std::size_t i = 0; i < values.size(); ++i) memory.write(static_cast<std::int64_t>(i) * stride, values[i]);
        });
    }
    const Operation& operation = *operations().find(name);
    ReferenceCall call{operation.forms[0], properties, operands};
    operation.reference(call);
    for (const auto& write : results) write();
}

constexpr std::int64_t kPcg64State = 6, kMt19937State = 627;  // Words.

template <std::int64_t Words> void seed(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    run_operation(Words == kPcg64State ? "RandomSeed" : "RandomSeedLegacy", arguments,
                  {{"_seed", 1, false}, {.connector = "_state", .elements = Words, .is_read = false, .is_written = true}});
}

using Reference = std::function<void(const std::vector<CallValue>&)>;

void add_draws(std::map<std::string, Reference>& all, const std::string& function, const std::string& operation,
               const std::vector<std::string>& parameters, const std::map<std::string, ir::Property>& properties = {}) {
    for (const std::int64_t words : {kPcg64State, kMt19937State})
        all[name_of_draws(function, words == kMt19937State)] = [=](const std::vector<CallValue>& values) {
            Arguments arguments(values);
            const std::int64_t n = arguments.size();
            std::vector<OperandOfCall> given{{.connector = "_state", .elements = words, .is_written = true}};
            for (const std::string& connector : parameters) given.push_back({.connector = connector, .elements = n});
            given.push_back({.connector = "_b", .elements = n, .is_read = false, .is_written = true});
            run_operation(operation, arguments, given, properties);
        };
}

/// RFFT and IRFFT, whose numbers of real and of complex numbers come first.
template <bool Inverse> void real_transform(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t reals = arguments.size(), complexes = arguments.size();
    const Number factor = arguments.number();
    run_operation(Inverse ? "IRFFT" : "RFFT", arguments,
                  {{.connector = "_inp", .elements = Inverse ? complexes : reals},
                   {.connector = "_out", .elements = Inverse ? reals : complexes, .is_read = false, .is_written = true}},
                  {{"factor", factor.complex().real()}});
}

/// As many columns as the number of arguments says: two sizes, an array and a key for each, the index and the place.
void find_key(const std::vector<CallValue>& values) {
    Arguments arguments(values);
    const std::int64_t n = arguments.size(), elements = arguments.size();
    std::vector<OperandOfCall> given;
    const auto columns = static_cast<std::ptrdiff_t>(values.size() - 5) / 3;
    const std::string_view arrays = "abc", keys = "xyz";
    for (const char letter : arrays.substr(0, static_cast<std::size_t>(columns)))
        given.push_back({.connector = std::string("_") + letter, .elements = n});
    for (const char letter : keys.substr(0, static_cast<std::size_t>(columns)))
        given.push_back({.connector = std::string("_") + letter, .elements = 1, .has_stride = false});
    given.push_back({.connector = "_table", .elements = elements, .is_written = true});
    given.push_back({.connector = "_place", .elements = 1, .has_stride = false, .is_read = false, .is_written = true});
    run_operation("FindKey", arguments, given);
}

}  // namespace

std::function<void(const std::vector<CallValue>&)> reference_of_function(const std::string& function) {
    static const std::map<std::string, Function> kAll = {
        {"sluice::blas::multiply", multiply},
        {"sluice::blas::multiply_vector", multiply},
        {"sluice::matrix_vector::multiply", multiply},
        {"sluice::small_product::multiply", multiply},
        {"sluice::matrix_vector::multiply_pair", multiply_pair},
        {"sluice::matrix_vector::multiply_twice", multiply_pair},
        {"sluice::blas::dot", dot},
        {"sluice::blas::add_scaled", add_scaled},
        {"sluice::blas::add_outer", add_outer},
        {"sluice::lapack::cholesky", cholesky},
        {"sluice::lapack::solve", solve},
        {"sluice::elimination::solve", solve},
        {"sluice::lapack::factor", factor},
        {"sluice::elimination::factor", factor},
        {"sluice::lapack::eigen", eigen<true>},
        {"sluice::lapack::eigenvalues", eigen<false>},
        {"sluice::lapack::singular", singular<true>},
        {"sluice::lapack::singular_values", singular<false>},
        {"sluice::jacobi::eigen", eigen<true>},
        {"sluice::jacobi::eigenvalues", eigen<false>},
        {"sluice::jacobi::singular", singular<true>},
        {"sluice::jacobi::singular_values", singular<false>},
        {"sluice::selection::count_true", count_true},
        {"sluice::selection::places", places},
        {"sluice::selection::place_of_smallest", place_of_extreme<false>},
        {"sluice::selection::place_of_largest", place_of_extreme<true>},
        {"sluice::fourier::transform", fourier_transform},
        {"sluice::fourier::of_real", real_transform<false>},
        {"sluice::fourier::to_real", real_transform<true>},
        {"sluice::sorting::sort", sort},
        {"sluice::sorting::arg_sort", arg_sort},
        {"sluice::sorting::select", select},
        {"sluice::lookup::find", find_key},
        {"sluice::random::seed", seed<kPcg64State>},
        {"sluice::random::seed_legacy", seed<kMt19937State>},
    };
    static const std::map<std::string, Reference> kDraws = [] {
        std::map<std::string, Reference> all;
        add_draws(all, "uniform", "RandomUniform", {"_low", "_high"});
        add_draws(all, "normal", "RandomNormal", {"_loc", "_scale"});
        add_draws(all, "exponential", "RandomExponential", {"_scale"});
        add_draws(all, "integers", "RandomIntegers", {"_low", "_last"});
        add_draws(all, "permutation", "RandomPermutation", {});
        add_draws(all, "sample", "RandomSample", {"_count"});
        for (const NamedDistribution& one : named_distributions())
            add_draws(all, one.name, one.operation, one.parameters, {{"distribution", one.name}});
        return all;
    }();
    if (const auto draws = kDraws.find(function); draws != kDraws.end()) return draws->second;
    const auto at = kAll.find(function);
    return at == kAll.end() ? nullptr : Reference(at->second);
}

}  // namespace sluice::library
