// The C header of a library: usable from C99 and C++ alike, in need of nothing but <stdint.h>.
#include <cctype>

#include "codegen/c_like/exported.h"
#include "codegen/c_like/printer.h"
#include "codegen/c_like/types.h"
#include "loop/identifier.h"

namespace sluice::codegen {

namespace {

using code::DType;
using code::Scalar;
using loop::Parameter;

std::string declared(const Parameter& p) {
    const std::string spelled = c_type(p.type);
    if (p.kind == Parameter::Kind::Value) return spelled + " " + p.name;
    return (p.written ? "" : "const ") + spelled + "* " + p.name;
}

bool uses(const loop::Module& module, bool (*wanted)(const DType&)) {
    for (const Parameter& p : module.program.parameters)
        if (wanted(p.type)) return true;
    for (const loop::StructType& structure : module.structs)
        for (const auto& [name, field] : structure.fields) {
            const bool pointer = field.compound && field.compound->kind == code::CompoundKind::Pointer;
            if (wanted(pointer ? field.compound->fields.at(0).second : field)) return true;
        }
    return false;
}

}  // namespace

std::string print_header(const loop::Module& module, bool looks) {
    const std::string& name = module.name;
    std::string guard = "SLUICE_";
    for (const char c : name) guard += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    guard += "_H";
    std::string sizes, all;
    for (const std::size_t i : size_parameters(module)) sizes += ", int64_t " + module.program.parameters[i].name;
    for (const Parameter& p : module.program.parameters) all += (all.empty() ? "" : ", ") + declared(p);

    std::string text = "/* " + name +
                       ", compiled by Sluice. Every function returns 0, or a status:\n"
                       "   1 out of memory, 2 bad argument, 3 a stream that waits for ever, 4 an exception in user code,\n"
                       "   16 and more a check of the program that does not hold. */\n"
                       "#ifndef " +
                       guard + "\n#define " + guard + "\n\n#include <stdint.h>\n";
    if (uses(module, [](const DType& t) { return t.scalar == Scalar::Bool; }))
        text += "#ifndef __cplusplus\n#include <stdbool.h>\n#endif\n";
    text += "\n";
    if (uses(module, [](const DType& t) { return code::is_complex(t.scalar); }))
        text +=
            "#ifndef SLUICE_COMPLEX\n#define SLUICE_COMPLEX\n"
            "/* The same memory as `float _Complex` and `double _Complex`. */\n"
            "typedef struct { float real, imag; } sluice_complex64;\n"
            "typedef struct { double real, imag; } sluice_complex128;\n#endif\n\n";
    text += "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
    for (const loop::StructType& structure : module.structs) {
        text += "struct " + loop::identifier(structure.name) + " {\n";
        for (const auto& [field_name, field] : structure.fields)
            text += "    " + c_type(field) + " " + loop::identifier(field_name) + ";\n";
        text += "};\n\n";
    }
    text += "typedef struct " + name + "_handle " + name + "_handle;\n\n";
    text += "/* Allocates what lives between runs. */\n";
    text += "int " + exported_name(name, "_init") + "(" + name + "_handle** handle" + sizes + ");\n";
    text += "/* May run many times, one at a time for each handle, with the sizes given to init. */\n";
    text += "int " + exported_name(name, "_run") + "(" + name + "_handle* handle" + (all.empty() ? "" : ", " + all) + ");\n";
    text += "int " + exported_name(name, "_finalise") + "(" + name + "_handle* handle);\n";
    text += "/* Init, run and finalise in one. */\n";
    text += "int " + exported_name(name, "") + "(" + (all.empty() ? "void" : all) + ");\n";
    text += "/* A sentence about the last failure in this thread, such as which memory was not to be had; or an empty one. */\n";
    text += "const char* " + exported_name(name, "_failure") + "(void);\n";
    if (looks) {
        text +=
            "/* What a signal handler sets to 1 to end what this thread runs, with status 7; it stays set until it is 0 again. "
            "*/\n";
        text += "volatile int* " + exported_name(name, "_interruption") + "(void);\n";
    }
    text += "/* As init and run, with the address of every argument in order: of an array's first element, of a value. */\n";
    text += "int " + exported_name(name, "_init_invoke") + "(" + name + "_handle** handle, void* const* arguments);\n";
    text += "int " + exported_name(name, "_invoke") + "(" + name + "_handle* handle, void* const* arguments);\n";
    text += "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n";
    return text;
}

}  // namespace sluice::codegen
