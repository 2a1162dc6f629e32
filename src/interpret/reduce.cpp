// Rule `reduce` (A.2.2): a map over the elements that come in, each written to its place among the elements that go out by the
// write-conflict resolution. With an identity the result starts from it, without one from what is there.
#include <algorithm>

#include "interpret/machine.h"

namespace sluice::interpret {

namespace {

// Number of indices in each dimension of a section.
std::vector<std::int64_t> extents(Machine& machine, Frame& frame, const SectionPlan& section, const Instance& of) {
    std::vector<std::int64_t> result;
    for (std::size_t d = 0; d < of.dimensions.size(); ++d) {
        if (section.whole) {
            result.push_back(of.dimensions[d].extent);
            continue;
        }
        const RangePlan& range = section.ranges[d];
        std::int64_t count = 0;
        const std::int64_t end = range.end.value(machine, frame), step = range.step.value(machine, frame);
        for (std::int64_t at = range.begin.value(machine, frame); step > 0 ? at < end : at > end; at += step) ++count;
        result.push_back(count * range.tile.value(machine, frame));
    }
    return result;
}

ir::Number number_of(const Cell& value, Scalar scalar) {
    if (code::is_complex(scalar)) return convert(value, scalar, Scalar::Complex128).as<Complex128>();
    if (code::is_floating(scalar)) return convert(value, scalar, Scalar::Float64).as<double>();
    return convert(value, scalar, Scalar::Int64).as<std::int64_t>();
}

}  // namespace

void Machine::definition(Frame& frame, const DefinitionPlan& definition) {
    ir::Operands operands;
    const auto read = [&](const DefinitionPlan::Port& port, bool values) {
        Instance& from = instance(frame, port.section.container);
        const auto elements = memlet_elements(frame, port.section, from);
        ir::Operand operand{extents(*this, frame, port.section, from), std::vector<ir::Number>(elements.size())};
        for (std::size_t at = 0; values && at < elements.size(); ++at) {
            const std::byte* element = address(from, elements[at]);
            note_read(frame, from, element, from.plan->element_size);
            operand.values[at] = number_of(load(element, from.plan->scalar, from.plan->lane_size), from.plan->scalar);
        }
        operands.emplace(port.operand, std::move(operand));
    };
    for (const DefinitionPlan::Port& port : definition.inputs) read(port, true);
    for (const DefinitionPlan::Port& port : definition.outputs) read(port, definition.reads_outputs);
    definition.run(operands);
    for (const DefinitionPlan::Port& port : definition.outputs) {
        Instance& to = instance(frame, port.section.container);
        const auto elements = memlet_elements(frame, port.section, to);
        const std::vector<ir::Number>& values = operands.at(port.operand).values;
        for (std::size_t at = 0; at < elements.size(); ++at) {
            const ir::Number& value = values.at(at);
            const bool complex = code::is_complex(to.plan->scalar);
            const Cell written = value.integral ? cell(value.integer) : complex ? cell(value.real) : cell(value.real.real());
            const Scalar type = value.integral ? Scalar::Int64 : complex ? Scalar::Complex128 : Scalar::Float64;
            write(frame, to, address(to, elements[at]), &written, type, port.resolution.get());
        }
    }
}

void Machine::reduce(Frame& frame, const ReducePlan& reduce) {
    Instance& from = instance(frame, reduce.source.container);
    Instance& to = instance(frame, reduce.destination.container);
    const ContainerPlan& source = *from.plan;
    const auto sources = memlet_elements(frame, reduce.source, from);
    const auto destinations = memlet_elements(frame, reduce.destination, to);
    if (reduce.identity)
        for (const std::int64_t at : destinations) {
            std::vector<Cell> value(to.plan->lanes, convert(cell(*reduce.identity), Scalar::Float64, to.plan->scalar));
            write(frame, to, address(to, at), value.data(), to.plan->scalar, nullptr);
        }
    const auto counts = extents(*this, frame, reduce.source, from);
    std::int64_t kept = 1;
    for (std::size_t d = 0; d < counts.size(); ++d)
        if (!reduce.reduced[d]) kept *= counts[d];
    if (!sources.empty() && kept != static_cast<std::int64_t>(destinations.size()))
        fail_here("I001",
                  "a reduction to " + std::to_string(kept) + " elements does not fit the " + std::to_string(destinations.size()) +
                      " elements of `" + to.plan->name + "`",
                  "give the outgoing memlet one element for each index of the axes that stay");
    std::vector<Cell> value(source.lanes);
    for (std::size_t at = 0; at < sources.size(); ++at) {
        std::int64_t place = 0, rest = static_cast<std::int64_t>(at), weight = 1;
        for (std::size_t d = counts.size(); d-- > 0;) {
            const std::int64_t index = rest % counts[d];
            rest /= counts[d];
            if (reduce.reduced[d]) continue;
            place += index * weight;
            weight *= counts[d];
        }
        const std::byte* element = address(from, sources[at]);
        note_read(frame, from, element, source.element_size);
        for (std::uint32_t lane = 0; lane < source.lanes; ++lane)
            value[lane] = load(element + lane * source.lane_size, source.scalar, source.lane_size);
        write(frame, to, address(to, destinations[static_cast<std::size_t>(place)]), value.data(), source.scalar,
              reduce.resolution.get());
    }
}

// c = alpha * a @ b + beta * c over the last two dimensions; leading dimensions are batches, one batch goes with all.
void Machine::product(Frame& frame, const ProductPlan& product) {
    Instance& a = instance(frame, product.a.container);
    Instance& b = instance(frame, product.b.container);
    Instance& c = instance(frame, product.c.container);
    const auto elements_a = memlet_elements(frame, product.a, a), elements_b = memlet_elements(frame, product.b, b),
               elements_c = memlet_elements(frame, product.c, c);
    auto counts_a = extents(*this, frame, product.a, a), counts_b = extents(*this, frame, product.b, b);
    if (counts_a.size() == 1) counts_a.insert(counts_a.begin(), 1);
    if (counts_b.size() == 1) counts_b.push_back(1);
    const std::int64_t n = counts_a[counts_a.size() - 2], k = counts_a.back(), m = counts_b.back();
    if (counts_b[counts_b.size() - 2] != k)
        fail_here(
            "I001",
            "a matrix product of " + std::to_string(k) + " columns and " + std::to_string(counts_b[counts_b.size() - 2]) + " rows",
            "make the inner extents agree");
    const Scalar type = c.plan->scalar;
    const auto read = [&](Instance& of, const std::vector<std::int64_t>& elements, std::size_t at) {
        const std::byte* element = address(of, elements[at % elements.size()]);
        note_read(frame, of, element, of.plan->element_size);
        return convert(load(element, of.plan->scalar, of.plan->lane_size), of.plan->scalar, type);
    };
    const Operation multiply = arithmetic(code::BinaryOp::Mul, type), add = arithmetic(code::BinaryOp::Add, type);
    const auto apply = [&](Operation operation, const Cell& x, const Cell& y) {
        Cell registers[3] = {x, y, {}};
        const Instruction instruction{operation, 2, 0, 1, 0};
        Execution now{registers, nullptr, nullptr, nullptr};
        operation(&instruction, now);
        return registers[2];
    };
    const Cell alpha = convert(cell(product.alpha), Scalar::Float64, type),
               beta = convert(cell(product.beta), Scalar::Float64, type);
    for (std::size_t at = 0; at < elements_c.size(); ++at) {
        const auto column = static_cast<std::int64_t>(at) % m, row = static_cast<std::int64_t>(at) / m % n,
                   batch = static_cast<std::int64_t>(at) / (m * n);
        Cell sum{};
        for (std::int64_t inner = 0; inner < k; ++inner) {
            const Cell x = read(a, elements_a, static_cast<std::size_t>((batch * n + row) * k + inner));
            const Cell y = read(b, elements_b, static_cast<std::size_t>((batch * k + inner) * m + column));
            sum = apply(add, sum, apply(multiply, x, y));
        }
        if (product.alpha != 1) sum = apply(multiply, alpha, sum);
        if (product.beta != 0) {
            const bool other = product.c_in.has_value();
            Instance& given = other ? instance(frame, product.c_in->container) : c;
            const auto places = other ? memlet_elements(frame, *product.c_in, given) : elements_c;
            sum = apply(add, sum, apply(multiply, beta, read(given, places, at)));
        }
        write(frame, c, address(c, elements_c[at]), &sum, type, nullptr);
    }
}

}  // namespace sluice::interpret
