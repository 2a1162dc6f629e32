#include "fuzz/foreign_tasklet.h"

#include <map>
#include <memory>

#include "codegen/cpu/types.h"
#include "driver/cache.h"
#include "driver/targets/shared_library.h"
#include "driver/targets/toolchain.h"

namespace sluice::fuzz {

namespace {

std::string source_of(const interpret::ForeignTasklet& tasklet) {
    std::string text = "#include \"sluice/math.h\"\n#include <cmath>\n" + tasklet.global_text +
                       "\nusing namespace sluice;\n"
                       "extern \"C\" __attribute__((visibility(\"default\"))) void run(void* const* places) {\n";
    for (std::size_t at = 0; at < tasklet.names.size(); ++at) {
        const auto& name = tasklet.names[at];
        const std::string type = (name.constant && !name.pointer ? "const " : "") + codegen::cpp_type(name.type);
        const std::string place = "static_cast<" + type + "*>(places[" + std::to_string(at) + "])";
        text += "    [[maybe_unused]] " + type + (name.pointer ? "* " : "& ") + name.name + " = " + (name.pointer ? "" : "*") +
                place + ";\n";
    }
    return text + "    {\n" + tasklet.text + "\n    }\n}\n";
}

struct Compiled {
    std::unique_ptr<driver::PrivateFolder> folder;
    std::unique_ptr<driver::SharedLibrary> library;
};

}  // namespace

Result<interpret::TaskletFunction> compile_tasklet(const interpret::ForeignTasklet& tasklet) {
    static std::map<std::string, Compiled> known;
    return capture([&]() -> interpret::TaskletFunction {
        const std::string text = source_of(tasklet);
        Compiled& compiled = known[text];
        if (!compiled.library) {
            compiled.folder = std::make_unique<driver::PrivateFolder>(driver::temporary_folder() / "sluice");
            const std::filesystem::path& folder = compiled.folder->path();
            driver::write_runtime(folder, "D005");
            driver::write_file(folder / "tasklet.cpp", text, "D005");
            driver::Toolchain toolchain = driver::find_toolchain().or_fail();
            toolchain.flags.push_back("-I" + folder.string());
            toolchain.flags.push_back("-O1");
            toolchain.flags.push_back("-ffp-contract=off");
            driver::compile_library(toolchain, folder / "tasklet.cpp", folder / "tasklet.so", {}).or_fail();
            compiled.library = std::make_unique<driver::SharedLibrary>(folder / "tasklet.so");
        }
        const auto run = reinterpret_cast<void (*)(void* const*)>(compiled.library->symbol("run"));
        return [run](void* const* places) { run(places); };
    });
}

}  // namespace sluice::fuzz
