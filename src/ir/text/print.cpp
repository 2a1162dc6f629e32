// Printer of declarations and of control flow.
#include "ir/text/print.h"

#include <algorithm>
#include <array>
#include <map>

#include "ir/query.h"
#include "ir/text.h"

namespace sluice::ir {

namespace text {

namespace {

void write_region(Writer& out, const Region& region);

/// ` {`, the lines, `}`.
template <class Lines> void write_braces(Writer& out, Lines&& lines) {
    out << " {\n";
    ++out.depth;
    lines();
    --out.depth;
    out.begin_line();
    out << "}";
}

void write_names(Writer& out, const std::vector<std::string>& names) {
    out << "(";
    for (std::size_t at = 0; at < names.size(); ++at) {
        if (at) out << ", ";
        write_name(out, names[at]);
    }
    out << ")";
}

// ---- declarations -------------------------------------------------------------------------------------------------------
void write_container(Writer& out, const std::string& name, const Container& container) {
    static constexpr std::array<std::string_view, std::variant_size_v<decltype(Container::kind)>> kKinds{
        "array", "scalar", "stream", "struct", "container_array", "foreign"};
    if (container.transient) out << "transient ";
    if (container.binding != Binding::Own) out << (container.binding == Binding::View ? "view " : "reference ");
    out << kKinds[container.kind.index()] << " ";
    write_connector(out, name);
    const auto* structure = std::get_if<Structure>(&container.kind);
    if (!structure || !(container.dtype == structure_type(*structure))) {
        out << ": ";
        write_type(out, container.dtype);
    }
    if (!container.shape.empty()) write(out, container.shape);
    write_fields(out, container, {"dtype", "shape", "transient"});
    if (structure) {
        write_fields(out, *structure);
        write_braces(out, [&] {
            for (const auto& [member_name, member] : structure->members) {
                out.begin_line();
                write_container(out, member_name, *member);
                out << "\n";
            }
        });
    } else if (const auto* array = std::get_if<ContainerArray>(&container.kind)) {
        write_fields(out, array->layout);
        if (!array->element) return;
        write_braces(out, [&] {
            out.begin_line();
            write_container(out, "element", **array->element);
            out << "\n";
        });
    } else if (const auto* plain = std::get_if<Array>(&container.kind)) {
        write_fields(out, *plain);
    } else if (const auto* scalar = std::get_if<Scalar>(&container.kind)) {
        write_fields(out, *scalar);
    } else if (const auto* stream = std::get_if<Stream>(&container.kind)) {
        write_fields(out, *stream);
    } else if (const auto* foreign = std::get_if<ForeignContainer>(&container.kind)) {
        write_fields(out, *foreign);
    }
}

void write_constant(Writer& out, const std::string& name, const Constant& constant) {
    out << "constant ";
    write_container(out, name, constant.container);
    if (!constant.integers.empty()) {
        out << " = int ";
        write(out, constant.integers);
    }
    if (constant.values.empty()) return;
    out << " = [";
    for (std::size_t at = 0; at < constant.values.size(); ++at) {
        const auto [real, imaginary] = constant.values[at];
        if (at) out << ", ";
        if (imaginary == 0) {
            write_real(out, real);
            continue;
        }
        out << "(";
        write_real(out, real);
        out << ", ";
        write_real(out, imaginary);
        out << ")";
    }
    out << "]";
}

void write_located_code(Writer& out, std::string_view keyword, const std::map<std::string, CodeBlock>& codes) {
    for (const auto& [location, code] : codes) {
        out.begin_line();
        out << keyword << " ";
        write_name(out, location);
        out << " ";
        write_code(out, code, Language::CPP);
        out << "\n";
    }
}

// ---- control flow -------------------------------------------------------------------------------------------------------
struct WriteBlock {
    Writer& out;
    const std::string& label;

    void keyword(std::string_view word) const {
        out << word << " ";
        write_connector(out, label);
    }
    void operator()(const Cow<State>& state) const {
        keyword("state");
        write_fields(out, *state);
        write_braces(out, [&] { write_state(out, *state); });
    }
    void operator()(const LoopRegion& loop) const {
        keyword("loop");
        out << " [";
        if (!loop.variable.empty()) {
            write_name(out, loop.variable);
            out << ": ";
        }
        const bool only_condition = loop.condition && !loop.init && !loop.update;
        if (only_condition) {
            write_code(out, *loop.condition, Language::Python);
        } else {
            if (loop.init) write_code(out, *loop.init, Language::Python);
            out << "; ";
            if (loop.condition) write_code(out, *loop.condition, Language::Python);
            out << "; ";
            if (loop.update) write_code(out, *loop.update, Language::Python);
        }
        out << "]";
        write_fields(out, loop, {"loop_variable", "init_statement", "loop_condition", "update_statement"});
        write_braces(out, [&] { write_region(out, loop.body); });
    }
    void operator()(const ConditionalBlock& conditional) const {
        keyword("conditional");
        write_braces(out, [&] {
            for (const Branch& branch : conditional.branches) {
                out.begin_line();
                out << (branch.condition ? "when " : "else");
                if (branch.condition) write_code(out, *branch.condition, Language::Python);
                write_braces(out, [&] { write_region(out, branch.body); });
                out << "\n";
            }
        });
    }
    void operator()(const BreakBlock&) const { keyword("break"); }
    void operator()(const ContinueBlock&) const { keyword("continue"); }
    void operator()(const ReturnBlock&) const { keyword("return"); }
    void operator()(const NamedRegion& region) const {
        keyword("region");
        write_fields(out, region);
        write_braces(out, [&] { write_region(out, region.body); });
    }
};

/// How transitions of the region name its blocks: by label where that is an identifier that no sibling shares, else by id.
class BlockNames {
public:
    explicit BlockNames(const Region& region) : region_(region) {
        for (auto [id, block] : region.blocks) ++uses_[block.label];
    }
    std::string of(BlockId id) const {
        if (!id.valid()) return "none";
        if (region_.blocks.contains(id)) {
            const std::string& label = region_.blocks[id].label;
            if (is_identifier(label) && label != "none" && uses_.at(label) == 1) return label;
        }
        return "@" + std::to_string(id.value);
    }

private:
    const Region& region_;
    std::map<std::string_view, int> uses_;
};

void write_transition(Writer& out, const Transition& transition, const BlockNames& names) {
    out << names.of(transition.src) << " -> " << names.of(transition.dst);
    if (!(transition.condition == CodeBlock())) {
        out << " if ";
        write_code(out, transition.condition, Language::Python);
    }
    bool first = true;
    for (const auto& [symbol, value] : transition.assignments) {
        out << (std::exchange(first, false) ? " set " : ", ");
        write_name(out, symbol);
        out << "=";
        if (is_identifier(value) || (!value.empty() && value.find_first_not_of("0123456789") == std::string::npos))
            out << value;
        else
            write_code(out, {value, Language::Python}, Language::Python);
    }
}

void write_region(Writer& out, const Region& region) {
    const BlockNames names(region);
    BlockId first, expected(0);
    for (auto [id, block] : region.blocks) {
        if (!first.valid()) first = id;
        out.begin_line();
        if (id != expected) out << "@" << std::to_string(id.value) << " ";
        expected = BlockId(id.value + 1);
        std::visit(WriteBlock{out, block.label}, block.kind);
        out << "\n";
    }
    if (region.blocks.id_bound() > (region.blocks.empty() ? 0 : expected.value)) {
        out.begin_line();
        out << "@" << std::to_string(region.blocks.id_bound() - 1) << " erased\n";
    }
    if (region.start != first) {
        out.begin_line();
        out << "start " << names.of(region.start) << "\n";
    }
    std::uint32_t expected_transition = 0;
    for (auto [id, transition] : region.transitions) {
        out.begin_line();
        if (id.value != expected_transition) out << "t" << std::to_string(id.value) << ": ";
        expected_transition = id.value + 1;
        write_transition(out, transition, names);
        out << "\n";
    }
    if (region.transitions.id_bound() > expected_transition) {
        out.begin_line();
        out << "t" << std::to_string(region.transitions.id_bound() - 1) << " erased\n";
    }
}

}  // namespace

void write_sdfg(Writer& out, const Sdfg& sdfg) {
    out << "sdfg ";
    write_name(out, sdfg.name);
    write_names(out, sdfg.arg_names);
    write_fields(out, sdfg);
    write_braces(out, [&] {
        for (const auto& [name, type] : sdfg.symbols) {
            out.begin_line();
            out << "symbol ";
            write_connector(out, name);
            out << ": ";
            write_type(out, type);
            out << "\n";
        }
        for (const auto& [name, constant] : sdfg.constants) {
            out.begin_line();
            write_constant(out, name, constant);
            out << "\n";
        }
        for (const auto& [name, container] : sdfg.containers) {
            out.begin_line();
            write_container(out, name, container);
            out << "\n";
        }
        write_located_code(out, "global_code", sdfg.global_code);
        write_located_code(out, "init_code", sdfg.init_code);
        write_located_code(out, "exit_code", sdfg.exit_code);
        write_region(out, sdfg.body);
    });
}

}  // namespace text

std::string container_text(const std::string& name, const Container& container) {
    text::Writer out;
    text::write_container(out, name, container);
    return std::move(out.text);
}

std::string to_text(const Sdfg& sdfg) {
    text::Writer out;
    text::write_sdfg(out, sdfg);
    return std::move(out.text) + "\n";
}

}  // namespace sluice::ir
