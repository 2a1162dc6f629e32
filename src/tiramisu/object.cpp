// The object of a function: the program, and behind it the function that callers of Tiramisu expect, which takes halide_buffer_t.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "driver/compile.h"
#include "driver/scheduled.h"
#include "driver/targets/target.h"
#include "tiramisu/record.h"

namespace tiramisu {

namespace {

/// halide_buffer_t as HalideRuntime.h lays it out.
constexpr const char* kBuffer = R"(
namespace {
struct Dimension { int32_t min, extent, stride; uint32_t flags; };
struct Type { uint8_t code, bits; uint16_t lanes; };
struct Buffer {
    uint64_t device;
    const void* device_interface;
    uint8_t* host;
    uint64_t flags;
    Type type;
    int32_t dimensions;
    Dimension* dim;
    void* padding;
};
/// As many elements of so many bits as the program uses, one behind the other.
bool holds(const Buffer* buffer, int bits, int64_t elements) {
    if (!buffer || !buffer->host || buffer->type.bits != bits) return false;
    int64_t extent = 1;
    for (int d = 0; d < buffer->dimensions; ++d) extent *= buffer->dim[d].extent;
    return extent >= elements;
}
}  // namespace
)";

/// Tiramisu calls arguments by their places.
std::string argument(const Recording& of, const BufferRecord& memory) {
    const auto at = std::ranges::find(of.arguments, &memory);
    if (at == of.arguments.end())
        refuse("M018", fmt::format("a constant is read from `{}`, which the caller does not pass", memory.name),
               "Make it an argument.");
    return fmt::format("b{}", at - of.arguments.begin());
}

std::string c_type(primitive_t type) {
    switch (type) {
        case p_boolean:
            return "bool";
        case p_float32:
            return "float";
        case p_float64:
            return "double";
        default:
            return type_name(type) + "_t";
    }
}

/// An index in C, of one dimension after the other.
std::string in_c(const Recording& of, const Notation& texts, const expr& e) {
    if (const auto value = texts.number(e)) return std::to_string(*value);
    if (e.get_expr_type() == e_var && texts.read_constants().contains(e.get_name())) return e.get_name();
    std::vector<std::string> operands;
    for (int at = 0; at < e.get_n_arg(); ++at) operands.push_back(in_c(of, texts, e.get_operand(at)));
    switch (e.get_op_type()) {
        case o_access: {
            const ComputationRecord& read = *of.find_computation(e.get_name());
            const BufferRecord& memory = texts.memory(read);
            const std::vector<std::string> shape = texts.shape(memory);
            if (operands.size() != shape.size())
                refuse("M018", fmt::format("a constant is read from `{}` by other indices than its own", memory.name),
                       "Store it as it is.");
            std::string index = "0";
            for (std::size_t at = 0; at < operands.size(); ++at)
                index = fmt::format("({} * ({}) + ({}))", index, shape[at], operands[at]);
            return fmt::format("static_cast<int64_t>(reinterpret_cast<const {}*>({}->host)[{}])", c_type(texts.type(memory)),
                               argument(of, memory), index);
        }
        case o_cast:
            return operands[0];
        case o_add:
            return fmt::format("({} + {})", operands[0], operands[1]);
        case o_sub:
            return fmt::format("({} - {})", operands[0], operands[1]);
        case o_mul:
            return fmt::format("({} * {})", operands[0], operands[1]);
        case o_div:
            return fmt::format("({} / {})", operands[0], operands[1]);
        default:
            refuse("M018", fmt::format("the constant `{}` is not read and computed by + - * /", e.to_str()),
                   "Write it with these.");
    }
}

int bits_of(primitive_t type) {
    switch (type) {
        case p_boolean:
            return 1;
        case p_uint8:
        case p_int8:
            return 8;
        case p_uint16:
        case p_int16:
            return 16;
        case p_uint32:
        case p_int32:
        case p_float32:
            return 32;
        default:
            return 64;
    }
}

std::string caller_of(const Recording& of, const Notation& texts, const sluice::driver::Signature& signature) {
    std::vector<std::string> parameters, lines;
    const std::string refused = fmt::format("return fprintf(stderr, \"{}: %s\\n\", ", of.name);
    for (std::size_t at = 0; at < of.arguments.size(); ++at) parameters.push_back(fmt::format("const Buffer* b{}", at));
    // What constants are read from, first; then the others, whose extents name constants.
    const auto expect = [&](const BufferRecord& memory) {
        std::string elements = "1";
        for (const std::string& extent : texts.shape(memory)) elements += fmt::format(" * ({})", extent);
        lines.push_back(fmt::format("if (!holds({}, {}, {})) {}\"`{}` is too small or of another type\"), 1;", argument(of, memory),
                                    bits_of(texts.type(memory)), elements, refused, memory.name));
    };
    std::set<const BufferRecord*> checked;
    for (const auto& [name, value] : texts.read_constants()) {
        const std::function<void(const expr&)> look = [&](const expr& e) {
            if (e.get_op_type() == o_access)
                if (const BufferRecord& memory = texts.memory(*of.find_computation(e.get_name())); checked.insert(&memory).second)
                    expect(memory);
            for (int at = 0; at < e.get_n_arg(); ++at) look(e.get_operand(at));
        };
        look(value);
        lines.push_back(fmt::format("const int64_t {} = {};", name, in_c(of, texts, value)));
        lines.push_back(fmt::format("if ({} < 1) {}\"`{}` is not positive\"), 1;", name, refused, name));
    }
    for (const BufferRecord* memory : of.arguments)
        if (checked.insert(memory).second) expect(*memory);
    std::vector<std::string> addresses;
    for (const sluice::driver::Argument& one : signature.arguments) {
        const auto memory =
            std::ranges::find_if(of.arguments, [&](const BufferRecord* each) { return texts.name(*each) == one.name; });
        addresses.push_back(memory != of.arguments.end() ? argument(of, **memory) + "->host"
                                                         : fmt::format("const_cast<int64_t*>(&{})", one.name));
    }
    std::string made = kBuffer;
    const std::string program = signature.program;
    made +=
        fmt::format("extern \"C\" __attribute__((visibility(\"default\"))) int {}({}) {{\n", of.name, fmt::join(parameters, ", "));
    for (const std::string& line : lines) made += "    " + line + "\n";
    made += fmt::format("    void* arguments[] = {{{}{}nullptr}};\n", fmt::join(addresses, ", "), addresses.empty() ? "" : ", ");
    made += fmt::format(R"(    {0}_handle* handle = nullptr;
    int status = {0}_init_invoke(&handle, arguments);
    if (status == 0) status = {0}_invoke(handle, arguments);
    if (handle) {0}_finalise(handle);
    if (status != 0) fprintf(stderr, "{1}: %s\n", {0}_failure());
    return status;
}}
)",
                        program, of.name);
    made += fmt::format("extern \"C\" __attribute__((visibility(\"default\"))) int {}_argv(void** arguments) {{\n    return {}(",
                        of.name, of.name);
    for (std::size_t at = 0; at < of.arguments.size(); ++at)
        made += fmt::format("{}static_cast<const Buffer*>(arguments[{}])", at == 0 ? "" : ", ", at);
    return made + ");\n}\n";
}

}  // namespace

void write_object(const Recording& of, const std::string& object_file) {
    Translation to(of);
    const sluice::ir::Sdfg graph = sluice::driver::scheduled(to.function(), {}).or_fail();
    sluice::driver::CompileOptions options;
    if (to.function().on_device()) {
        if (!of.has_kernels)
            refuse("M018", "loops are mapped to a device, and `codegen` is not asked for kernels",
                   "Give it true behind the file's name, or take the commands away.");
        options.target = sluice::driver::chosen_target("gpu").name;
    }
    const std::filesystem::path file(object_file);
    if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
    sluice::driver::emit_object(graph, caller_of(of, to.texts(), sluice::driver::signature_of(graph)), file, options).or_fail();
}

void function::gen_c_code() const {
    dump();
}
void function::dump(bool) const {
    for (const ComputationRecord& one : recording_->computations)
        if (!one.is_place) std::cout << recording_->name << ": " << one.unique << " = " << one.value.to_str() << "\n";
}

}  // namespace tiramisu
