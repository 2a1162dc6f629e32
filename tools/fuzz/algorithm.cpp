#include "fuzz/algorithm.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace sluice::fuzz {

namespace {

std::string text_of(const AlgorithmIndex& index, const AlgorithmComputation& reader) {
    if (index.by_data)
        return fmt::format("min(max(at[{}], 0), N - 1)", reader.iterators[static_cast<std::size_t>(index.iterator)].name);
    std::string text = index.size != 0 ? "N" : "";
    if (index.iterator >= 0) {
        const std::string& name = reader.iterators[static_cast<std::size_t>(index.iterator)].name;
        text += index.sign < 0 ? " - " + name : (text.empty() ? "" : " + ") + name;
    }
    if (text.empty()) return std::to_string(index.offset);
    return index.offset == 0 ? text : fmt::format("{} {} {}", text, index.offset < 0 ? '-' : '+', std::abs(index.offset));
}

}  // namespace

Algorithm::Algorithm(Random& random) {
    const int count = random.between(2, 4);
    for (int k = 0; k < count; ++k) {
        computations_.push_back(plain(random, computations_.size()));
        const AlgorithmComputation& last = computations_.back();
        const bool whole = last.modulus == 1 && !last.extended && last.recurrence < 0;
        if (whole && random.chance(35)) computations_.push_back(update(random, computations_.size()));
    }
    computations_.back().extended = false;
}

AlgorithmComputation Algorithm::plain(Random& random, std::size_t number) const {
    AlgorithmComputation made{.name = fmt::format("c{}", number), .iterators = {}, .reads = {}};
    const int rank = random.chance(70) ? 2 : random.between(1, 3);
    for (int d = 0; d < rank; ++d)
        made.iterators.push_back(
            {.name = fmt::format("i{}{}", number, "abc"[d]), .lower = random.between(0, 1), .upper = random.between(1, 2)});
    made.extended = random.chance(25);
    if (!made.extended && rank == 2 && random.chance(20)) made.iterators[1].triangle = true;
    if (!made.extended && random.chance(10)) made.modulus = 2;
    made.constant = random.between(-2, 2);
    for (int k = random.between(1, 3); k > 0; --k) read_something(random, made);
    if (!made.extended && made.modulus == 1 && !made.iterators.back().triangle && random.chance(25)) {
        made.recurrence = random.between(0, rank - 1);
        made.distance = random.between(1, 2);
    }
    return made;
}

AlgorithmComputation Algorithm::update(Random& random, std::size_t number) const {
    const AlgorithmComputation& target = computations_.back();
    AlgorithmComputation made{.name = fmt::format("u{}", number), .iterators = {}, .reads = {}};
    made.target = static_cast<int>(number) - 1;
    made.operation = random.pick(std::vector<std::string>{"+", "min", "max"});
    for (std::size_t d = 0; d < target.iterators.size(); ++d) {
        AlgorithmIterator iterator = target.iterators[d];
        iterator.name = fmt::format("i{}{}", number, "abc"[d]);
        made.iterators.push_back(iterator);
        made.element.push_back(static_cast<int>(d));
    }
    made.iterators.push_back({.name = fmt::format("i{}k", number), .lower = random.between(0, 1), .upper = random.between(1, 2)});
    for (int k = random.between(1, 2); k > 0; --k) read_something(random, made);
    std::erase_if(made.reads, [&](const AlgorithmRead& read) { return read.of == target.name; });
    return made;
}

void Algorithm::read_something(Random& random, AlgorithmComputation& made) const {
    AlgorithmRead read{.of = "x", .factor = random.pick(std::vector<int>{-1, 1, 1, 2}), .indices = {}};
    const std::vector<AlgorithmIterator> plane(2, {.name = "", .lower = 0, .upper = kMargin});
    std::vector<AlgorithmIterator> domain = plane;
    bool extended = false;
    if (random.chance(20)) {
        read.of = "y";
        domain.pop_back();
    } else if (!computations_.empty() && !made.extended && random.chance(70)) {
        const AlgorithmComputation& from = random.pick(computations_);
        if (from.target >= 0 || from.modulus != 1) return;
        if (from.iterators.back().triangle) {
            // The same points.
            if (made.target >= 0 || made.iterators.size() != 2 || made.recurrence >= 0) return;
            for (std::size_t d = 0; d < 2; ++d) {
                const std::string name = made.iterators[d].name;
                made.iterators[d] = from.iterators[d];
                made.iterators[d].name = name;
            }
            // What was read before suits the iterators as they were.
            made.reads.clear();
            made.modulus = 1;
            made.reads.push_back({.of = from.name, .factor = read.factor, .indices = {{.iterator = 0}, {.iterator = 1}}});
            return;
        }
        read.of = from.name;
        domain = from.iterators;
        extended = from.extended;
    }
    for (const AlgorithmIterator& dimension : domain) {
        AlgorithmIndex index{.iterator = random.between(0, static_cast<int>(made.iterators.size()) - 1)};
        const AlgorithmIterator& by = made.iterators[static_cast<std::size_t>(index.iterator)];
        const int upper = by.triangle ? made.iterators[static_cast<std::size_t>(index.iterator) - 1].upper : by.upper;
        const int more = extended ? 2 : 0;
        const int least = dimension.lower - by.lower, most = std::min(dimension.upper + more - upper, 2);
        if (dimension.lower == 0 && dimension.upper >= 0 && !made.extended && random.chance(6)) {
            index.by_data = true;
        } else if (least > most) {
            index = {.iterator = -1, .offset = dimension.lower};
        } else if (!made.extended && random.chance(10) && dimension.upper - upper >= least) {
            // From the other end.
            index.sign = -1, index.size = 1, index.offset = dimension.upper - 1 + by.lower;
            if (dimension.upper == kMargin) index.offset = upper;
        } else {
            index.offset = made.extended ? random.between(std::max(least, 0), most) : random.between(least, most);
        }
        read.indices.push_back(index);
    }
    made.reads.push_back(std::move(read));
}

std::string Algorithm::value_text(const AlgorithmComputation& of) const {
    std::string text = std::to_string(of.constant) + ".0";
    for (const AlgorithmRead& read : of.reads) {
        std::vector<std::string> indices;
        for (const AlgorithmIndex& index : read.indices) indices.push_back(text_of(index, of));
        text += fmt::format(" + {} * {}[{}]", read.factor, read.of, fmt::join(indices, ", "));
    }
    if (of.recurrence < 0) return text;
    std::vector<std::string> earlier;
    for (const AlgorithmIterator& iterator : of.iterators) earlier.push_back(iterator.name);
    const AlgorithmIterator& along = of.iterators[static_cast<std::size_t>(of.recurrence)];
    earlier[static_cast<std::size_t>(of.recurrence)] += fmt::format(" - {}", of.distance);
    return fmt::format("({0}) if {1} < {2} else ({0}) + {3}[{4}]", text, along.name, along.lower + of.distance, of.name,
                       fmt::join(earlier, ", "));
}

std::vector<schedule::Var> Algorithm::vars(const AlgorithmComputation& of) const {
    std::vector<schedule::Var> vars;
    for (const AlgorithmIterator& iterator : of.iterators) {
        std::string upper =
            iterator.upper == 0 ? "N" : fmt::format("N {} {}", iterator.upper < 0 ? '-' : '+', std::abs(iterator.upper));
        if (iterator.triangle) upper = vars.back().name + " + 1";
        vars.push_back({iterator.name, std::to_string(iterator.lower), upper});
    }
    return vars;
}

std::vector<std::string> Algorithm::text() const {
    std::vector<std::string> lines{"init(\"random\")", "N = Constant(\"N\")",
                                   fmt::format("x, y = Input(\"x\", [N + {0}, N + {0}]), Input(\"y\", [N + {0}])", kMargin),
                                   fmt::format("at = Input(\"at\", [N + {}], \"int64\")", kMargin)};
    for (const AlgorithmComputation& of : computations_) {
        std::vector<std::string> made;
        for (const schedule::Var& var : vars(of))
            made.push_back(fmt::format("Var(\"{}\", \"{}\", \"{}\")", var.name, var.lower, var.upper));
        const std::string predicate =
            of.modulus == 1 ? "" : fmt::format(", predicate=\"{} % {} == 0\"", of.iterators.back().name, of.modulus);
        if (of.target >= 0)
            lines.push_back(fmt::format(
                "{0} = Update(\"{0}\", [{1}], {2}, \"{3}\", \"{4}\"{5})", of.name, fmt::join(made, ", "),
                [&] {
                    const AlgorithmComputation& target = computations_[static_cast<std::size_t>(of.target)];
                    std::vector<std::string> indices;
                    for (const int at : of.element)
                        indices.push_back("\"" + of.iterators[static_cast<std::size_t>(at)].name + "\"");
                    return fmt::format("{}[{}]", target.name, fmt::join(indices, ", "));
                }(),
                of.operation, value_text(of), predicate));
        else
            lines.push_back(fmt::format("{0} = Computation(\"{0}\", [{1}], 0.0{2}).set_expression(\"{3}\")", of.name,
                                        fmt::join(made, ", "), predicate, value_text(of)));
    }
    return lines;
}

std::vector<schedule::Computation> Algorithm::declare(schedule::Function& function) const {
    const std::string extent = fmt::format("N + {}", kMargin);
    function.constant("N");
    function.input("x", {extent, extent});
    function.input("y", {extent});
    function.input("at", {extent}, code::Scalar::Int64);
    std::vector<schedule::Computation> all;
    for (const AlgorithmComputation& of : computations_) {
        const std::string predicate = of.modulus == 1 ? "" : fmt::format("{} % {} == 0", of.iterators.back().name, of.modulus);
        if (of.target >= 0) {
            std::vector<std::string> indices;
            for (const int at : of.element) indices.push_back(of.iterators[static_cast<std::size_t>(at)].name);
            all.push_back(function.update(of.name, vars(of), all[static_cast<std::size_t>(of.target)], indices, of.operation,
                                          value_text(of), predicate));
        } else {
            all.push_back(function.computation(of.name, vars(of), "0.0", predicate));
            all.back().set_expression(value_text(of));
        }
    }
    return all;
}

std::map<Coordinates, double> Algorithm::values(std::size_t wanted, std::int64_t n) const {
    std::map<std::string, std::map<Coordinates, double>> known;
    std::function<double(const AlgorithmComputation&, const Coordinates&)> value;
    const auto read_at = [&](const std::string& of, const Coordinates& at) -> double {
        if (of == "x") return x(at[0], at[1]);
        if (of == "y") return y(at[0]);
        const auto values = known.find(of);
        if (values != known.end())
            if (const auto found = values->second.find(at); found != values->second.end()) return found->second;
        return value(*std::ranges::find(computations_, of, &AlgorithmComputation::name), at);
    };
    value = [&](const AlgorithmComputation& of, const Coordinates& point) {
        double sum = of.constant;
        for (const AlgorithmRead& read : of.reads) {
            Coordinates at;
            for (const AlgorithmIndex& index : read.indices) {
                const std::int64_t iterator = index.iterator < 0 ? 0 : point[static_cast<std::size_t>(index.iterator)];
                at.push_back(index.by_data ? std::clamp<std::int64_t>(Algorithm::at(iterator, n), 0, n - 1)
                                           : index.size * n + index.sign * iterator + index.offset);
            }
            sum += read.factor * read_at(read.of, at);
        }
        if (of.recurrence >= 0) {
            Coordinates earlier = point;
            earlier[static_cast<std::size_t>(of.recurrence)] -= of.distance;
            if (earlier[static_cast<std::size_t>(of.recurrence)] >= of.iterators[static_cast<std::size_t>(of.recurrence)].lower)
                sum += read_at(of.name, earlier);
        }
        return sum;
    };
    for (const AlgorithmComputation& of : computations_) {
        Coordinates point(of.iterators.size());
        std::function<void(std::size_t)> each = [&](std::size_t d) {
            if (d < of.iterators.size()) {
                const AlgorithmIterator& iterator = of.iterators[d];
                const std::int64_t end = iterator.triangle ? point[d - 1] + 1 : n + iterator.upper;
                for (point[d] = iterator.lower; point[d] < end; ++point[d]) each(d + 1);
                return;
            }
            if (point.back() % of.modulus != 0) return;
            if (of.target < 0) {
                known[of.name][point] = value(of, point);
                return;
            }
            Coordinates element;
            for (const int at : of.element) element.push_back(point[static_cast<std::size_t>(at)]);
            double& old = known[computations_[static_cast<std::size_t>(of.target)].name].at(element);
            const double made = value(of, point);
            old = of.operation == "+" ? old + made : of.operation == "min" ? std::min(old, made) : std::max(old, made);
        };
        each(0);
    }
    const AlgorithmComputation& of = computations_[wanted];
    return known[of.target < 0 ? of.name : computations_[static_cast<std::size_t>(of.target)].name];
}

}  // namespace sluice::fuzz
