#include "driver/operation_samples.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <random>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "driver/element_bytes.h"
#include "ir/builder.h"

namespace sluice::driver {

namespace {

using library::Form;
using library::FormOperand;

/// An operand in its container: element (i, j, ...) lies at the sum of (begin + i * step) * stride.
struct Placed {
    std::string container;
    std::vector<std::int64_t> begin, step, stride, size;
    std::vector<bool> named = {};  ///< The form gives the size a name: what it gives a number stands as one in the subset.

    std::size_t at(std::vector<std::int64_t> index) const {
        std::int64_t flat = 0;
        for (std::size_t dim = 0; dim < index.size(); ++dim) flat += (begin[dim] + index[dim] * step[dim]) * stride[dim];
        return static_cast<std::size_t>(flat);
    }
};

class Generator {
public:
    Generator(const library::Operation& operation, const OperationSample& sample, std::size_t number, SampleProgram& program)
        : operation_(operation),
          sample_(sample),
          form_(operation.forms[sample.form]),
          prefix_(fmt::format("s{}", number)),
          program_(program),
          random_(sample.seed) {}

    void run() {
        choose_sizes();
        choose_properties();
        for (const FormOperand& output : form_.outputs) place(output, nullptr);
        const Placed first = placed_.at(form_.outputs[0].connector);
        const std::size_t shared = sample_.in_place ? below(form_.inputs.size()) : form_.inputs.size();
        for (std::size_t k = 0; k < form_.inputs.size(); ++k)
            if (!placed_.contains(form_.inputs[k].connector))
                place(form_.inputs[k], k == shared && form_.inputs[k].sizes.size() == first.size.size() ? &first : nullptr);
        make_valid();
        add_node();
    }

private:
    std::size_t below(std::size_t count) { return count ? static_cast<std::size_t>(random_() % count) : 0; }
    bool chance(std::size_t percent) { return below(100) < percent; }

    void choose_sizes() {
        std::set<std::string> names;
        for (const auto* operands : {&form_.inputs, &form_.outputs})
            for (const FormOperand& operand : *operands) names.insert(operand.sizes.begin(), operand.sizes.end());
        // The definition's time is the product of all sizes.
        const std::int64_t all = 1 + static_cast<std::int64_t>(below(6)), large = names.size() <= 3 && chance(40) ? 17 : 0;
        const auto note = [&](const FormOperand& operand) {
            for (const std::string& size : operand.sizes)
                if (std::isdigit(static_cast<unsigned char>(size[0])))
                    sizes_[size] = std::stoll(size);
                else
                    sizes_.emplace(size, size == sample_.empty ? 0
                                         : sample_.in_place    ? all + large
                                                               : 1 + large + static_cast<std::int64_t>(below(6)));
        };
        std::ranges::for_each(form_.inputs, note);
        std::ranges::for_each(form_.outputs, note);
        symbolic_ = chance(40) || !sample_.empty.empty();
    }

    void choose_properties() {
        properties_ = form_.properties;
        for (const library::PropertyRule& rule : operation_.properties) {
            const bool number = std::holds_alternative<std::int64_t>(rule.default_value) ||
                                std::holds_alternative<double>(rule.default_value) ||
                                std::holds_alternative<ir::Expr>(rule.default_value);
            const bool symbol = std::holds_alternative<ir::Expr>(rule.default_value);
            if (!number || !(symbol || chance(60))) continue;
            const auto whole = static_cast<std::int64_t>(rule.name == operation_.update_factor ? below(3) : 1 + below(3));
            if (sample_.mixed && chance(50))
                properties_.emplace(rule.name, static_cast<double>(whole) + 0.5);
            else
                properties_.emplace(rule.name, whole);
        }
    }

    /// Room around the operand, steps and the order of dimensions are chosen at random; with `aliased` it lies in that operand's
    /// container.
    void place(const FormOperand& operand, const Placed* aliased) {
        const std::size_t rank = std::max<std::size_t>(operand.sizes.size(), 1);
        Placed placed{.container = prefix_ + operand.connector, .begin = {}, .step = {}, .stride = {}, .size = {}};
        for (std::size_t dim = 0; dim < rank; ++dim) {
            placed.named.push_back(!operand.sizes.empty() && !std::isdigit(static_cast<unsigned char>(operand.sizes[dim][0])));
            placed.size.push_back(operand.sizes.empty() ? 1 : sizes_.at(operand.sizes[dim]));
            const bool whole = !sample_.empty.empty() || sample_.streams;
            placed.begin.push_back(whole || chance(50) ? 0 : static_cast<std::int64_t>(below(3)));
            placed.step.push_back(whole || chance(90) ? 1 : 2);
        }
        const bool fits = aliased && aliased->size == placed.size && type_at(*aliased) == type_of(operand.connector);
        if (fits) {
            placed.container = aliased->container;
            placed.stride = aliased->stride;
            if (chance(50)) placed.begin = aliased->begin, placed.step = aliased->step;
        } else {
            std::vector<std::int64_t> shape;
            // Room for another operand, wherever it begins and however it steps.
            for (std::size_t dim = 0; dim < rank; ++dim)
                shape.push_back(sample_.in_place ? placed.size[dim] * 2 + 2
                                                 : placed.begin[dim] + placed.size[dim] * placed.step[dim]);
            add_container(placed, shape, type_of(operand.connector));
        }
        // An expansion may take streams at some operands alone.
        const bool stream = sample_.streams && operand.sizes.size() == 1 && chance(75);
        texts_.push_back(
            fmt::format("{}[{}]{}", operand.connector, subset_text(placed, operand.sizes.empty()), stream ? " stream" : ""));
        subsets_[operand.connector] = fmt::format("{}[{}]", placed.container, subset_text(placed, operand.sizes.empty()));
        if (stream) streams_.insert(operand.connector);
        placed_.emplace(operand.connector, std::move(placed));
    }

    code::Scalar type_of(const std::string& connector) const {
        const auto own = operation_.operand_types.find(connector);
        return own == operation_.operand_types.end() ? sample_.type : own->second;
    }

    void add_container(Placed& placed, const std::vector<std::int64_t>& shape, code::Scalar wanted) {
        const std::size_t rank = shape.size();
        const bool plain = !sample_.empty.empty(), by_columns = !plain && rank > 1 && chance(30);
        const std::int64_t padding = !plain && chance(30) ? 3 : 0;
        placed.stride.assign(rank, 1);
        std::int64_t total = 1;
        for (std::size_t k = 0; k < rank; ++k) {
            const std::size_t dim = by_columns ? k : rank - 1 - k;
            placed.stride[dim] = total;
            total *= shape[dim] + (k == 0 && rank > 1 ? padding : 0);
        }
        std::vector<ir::Expr> sizes(shape.begin(), shape.end());
        if (symbolic_ && !by_columns && padding == 0)
            for (std::size_t dim = 0; dim < rank; ++dim) {
                const std::string name = fmt::format("{}_{}", placed.container, dim);
                ir::add_symbol(program_.sdfg, name);
                program_.symbols.emplace(name, shape[dim]);
                sizes[dim] = symbolic::symbol(name);
            }
        const code::Scalar type = sample_.mixed ? mixed_type() : wanted;
        types_[placed.container] = type;
        auto& array = std::get<ir::Array>(ir::add_array(program_.sdfg, placed.container, type, sizes).kind);
        if (by_columns || padding > 0) {
            array.strides.assign(placed.stride.begin(), placed.stride.end());
            array.total_size = total;
        }
        std::vector<std::byte>& bytes = program_.memory[placed.container];
        const std::size_t element = code::size_in_bytes(type);
        bytes.resize(static_cast<std::size_t>(std::max<std::int64_t>(total, 1)) * element);
        for (std::int64_t at = 0; at < total; ++at)
            store_number(random_number(type), type, bytes.data() + static_cast<std::size_t>(at) * element);
        containers_.push_back(placed.container);
    }

    /// Between these conversions lose what they lose in NumPy, whatever the order of a sum.
    code::Scalar mixed_type() {
        using code::Scalar;
        constexpr Scalar kTypes[] = {Scalar::Int32, Scalar::Int64, Scalar::Float32, Scalar::Float64};
        return kTypes[below(std::size(kTypes))];
    }
    /// In mixed types eighths, whose sums and products are exact: what is rounded to an integer is the same everywhere.
    ir::Number random_number(code::Scalar type) {
        if (code::is_integer(type)) return static_cast<std::int64_t>(below(19)) - (code::is_signed(type) ? 9 : 0);
        const auto real = [&] {
            return sample_.mixed ? static_cast<double>(below(65)) / 8.0 - 4.0 : static_cast<double>(below(2001)) / 1000.0 - 1.0;
        };
        if (code::is_complex(type)) return std::complex<double>(real(), real());
        return real();
    }

    std::string subset_text(const Placed& placed, bool element) const {
        std::string text;
        for (std::size_t dim = 0; dim < placed.size.size(); ++dim) {
            const std::int64_t begin = placed.begin[dim], step = placed.step[dim];
            text += dim ? ", " : "";
            const auto size = program_.symbols.find(fmt::format("{}_{}", placed.container, dim));
            if (element)
                text += std::to_string(begin);
            else if (placed.named[dim] && begin == 0 && step == 1 && size != program_.symbols.end() &&
                     size->second == placed.size[dim])
                text += "0:" + size->first;
            else
                text += fmt::format("{}:{}", begin, begin + (placed.size[dim] - 1) * step + 1);
            if (step != 1 && !element) text += fmt::format(":{}", step);
        }
        return text;
    }

    /// Calls `visit` with the flat position of each element, in row-major order.
    template <class Visit> static void for_each_element(const Placed& placed, const Visit& visit) {
        if (std::ranges::find(placed.size, 0) != placed.size.end()) return;
        std::vector<std::int64_t> index(placed.size.size(), 0);
        for (std::size_t count = 0;; ++count) {
            visit(placed.at(index));
            std::size_t dim = index.size();
            while (dim > 0 && ++index[dim - 1] == placed.size[dim - 1]) index[--dim] = 0;
            if (dim == 0) return;
        }
    }

    code::Scalar type_at(const Placed& placed) const { return types_.at(placed.container); }
    std::byte* byte_at(const Placed& placed, std::size_t at) {
        return program_.memory.at(placed.container).data() + at * code::size_in_bytes(type_at(placed));
    }

    void make_valid() {
        if (!operation_.make_valid) return;
        ir::Operands operands;
        for (const auto& [connector, placed] : placed_) {
            ir::Operand operand{placed.size, {}};
            for_each_element(placed,
                             [&](std::size_t at) { operand.values.push_back(load_number(type_at(placed), byte_at(placed, at))); });
            operands.emplace(connector, std::move(operand));
        }
        operation_.make_valid(operands);
        for (const FormOperand& input : form_.inputs) {
            const Placed& placed = placed_.at(input.connector);
            auto value = operands.at(input.connector).values.begin();
            for_each_element(placed, [&](std::size_t at) { store_number(*value++, type_at(placed), byte_at(placed, at)); });
        }
    }

    std::string stream_name(const std::string& connector) const { return prefix_ + "stream" + connector; }
    std::string add_stream(const std::string& connector) {
        const std::string name = stream_name(connector);
        if (!program_.sdfg.containers.contains(name))
            ir::add_stream(program_.sdfg, name, types_.at(placed_.at(connector).container));
        return name;
    }
    /// All elements of the stream.
    ir::Memlet streamed(const std::string& connector) const {
        ir::Memlet memlet = ir::memlet(stream_name(connector) + "[0]");
        memlet.volume = ir::memlet(subsets_.at(connector)).volume;
        return memlet;
    }

    void add_node() {
        SampleProgram::Node node{.state = {}, .node = {}, .text = {}, .containers = containers_};
        ir::Region& body = program_.sdfg.body;
        ir::StateBuilder state = program_.nodes.empty()
                                     ? ir::add_state(body, prefix_, &node.state)
                                     : ir::add_state_after(body, program_.nodes.back().state, prefix_, &node.state);
        std::vector<std::string> in, out;
        for (const FormOperand& one : form_.inputs) in.push_back(one.connector);
        for (const FormOperand& one : form_.outputs) out.push_back(one.connector);
        const auto factor = properties_.find(operation_.update_factor);
        const bool updates = factor != properties_.end() && !(factor->second == ir::Property(std::int64_t{0}));
        if (updates && chance(70)) in.push_back(out[0]);
        node.node = state.library(operation_.name, prefix_, in, out, properties_);
        std::get<ir::LibraryNode>(state.state().nodes[node.node].kind).classpath = operation_.classpath;
        for (const std::string& one : in) {
            const ir::NodeId from = state.access(placed_.at(one).container);
            if (!streams_.contains(one)) {
                state.edge(from, "", node.node, one, ir::memlet(subsets_.at(one)));
                continue;
            }
            const ir::NodeId stream = state.access(add_stream(one));
            state.edge(from, "", stream, "", ir::memlet(subsets_.at(one)));
            state.edge(stream, "", node.node, one, streamed(one));
        }
        for (const std::string& one : out) {
            const ir::NodeId to = state.access(placed_.at(one).container);
            if (!streams_.contains(one)) {
                state.edge(node.node, one, to, "", ir::memlet(subsets_.at(one)));
                continue;
            }
            const ir::NodeId stream = state.access(add_stream(one));
            state.edge(node.node, one, stream, "", streamed(one));
            state.edge(stream, "", to, "", ir::memlet(subsets_.at(one)));
        }
        std::string given;
        for (const auto& [name, value] : properties_)
            if (const auto* integer = std::get_if<std::int64_t>(&value))
                given += fmt::format(", {}={}", name, *integer);
            else if (const auto* real = std::get_if<double>(&value))
                given += fmt::format(", {}={}", name, *real);
        std::vector<std::string> types;
        for (const auto& [container, type] : types_) types.emplace_back(code::scalar_name(type));
        node.text =
            fmt::format("{} {} ({}{}{})", operation_.name, fmt::join(texts_, " "),
                        sample_.mixed ? fmt::format("{}", fmt::join(types, " ")) : std::string(code::scalar_name(sample_.type)),
                        given, sample_.in_place ? ", in place" : "");
        program_.nodes.push_back(std::move(node));
    }

    const library::Operation& operation_;
    const OperationSample& sample_;
    const Form& form_;
    const std::string prefix_;
    SampleProgram& program_;
    std::mt19937_64 random_;
    bool symbolic_ = false;
    std::map<std::string, std::int64_t> sizes_;
    std::map<std::string, ir::Property> properties_;
    std::map<std::string, Placed> placed_;
    std::map<std::string, std::string> subsets_;
    std::map<std::string, code::Scalar> types_;  ///< By container.
    std::set<std::string> streams_;              ///< Connectors.
    std::vector<std::string> texts_, containers_;
};

}  // namespace

std::vector<OperationSample> samples_of(const library::Operation& operation, std::uint64_t seed) {
    using code::Scalar;
    const std::vector<Scalar> types = operation.types.empty()
                                          ? std::vector{Scalar::Float64, Scalar::Float32, Scalar::Complex128, Scalar::Int32}
                                          : operation.types;
    std::vector<OperationSample> samples;
    for (const bool in_place : {false, true})
        for (std::size_t form = 0; form < operation.forms.size(); ++form)
            for (const Scalar type : types)
                if (!in_place || type == types[0]) samples.push_back({seed * 1000003 + samples.size(), form, type, in_place});
    const auto add = [&](OperationSample sample) {
        sample.seed = seed * 1000003 + samples.size();
        samples.push_back(std::move(sample));
    };
    const bool converts = operation.types.empty() && !operation.one_type;
    const bool takes_streams = std::ranges::any_of(operation.expansions, &library::Expansion::takes_streams);
    for (std::size_t form = 0; form < operation.forms.size(); ++form) {
        for (int again = 0; converts && again < 3; ++again) add({.form = form, .mixed = true});
        if (takes_streams) add({.form = form, .type = types[0], .streams = true});
        std::set<std::string> sizes;
        for (const auto* operands : {&operation.forms[form].inputs, &operation.forms[form].outputs})
            for (const FormOperand& operand : *operands) sizes.insert(operand.sizes.begin(), operand.sizes.end());
        for (const std::string& size : sizes)
            if (!std::isdigit(static_cast<unsigned char>(size[0]))) add({.form = form, .type = types[0], .empty = size});
    }
    return samples;
}

SampleProgram sample_program(const library::Operation& operation, const std::vector<OperationSample>& samples) {
    SampleProgram program;
    program.sdfg.name = "verify_" + operation.name;
    for (std::size_t number = 0; number < samples.size(); ++number) Generator(operation, samples[number], number, program).run();
    return program;
}

}  // namespace sluice::driver
