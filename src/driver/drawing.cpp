#include "driver/drawing.h"

#include <fstream>
#include <sstream>

#include "draw/picture.h"
#include "driver/cache.h"
#include "driver/process.h"

namespace sluice::driver {

namespace {

namespace fs = std::filesystem;

constexpr const char* kGraphviz = "dot";

std::string laid_out(const std::string& dot, const std::string& format) {
    const PrivateFolder folder(temporary_folder() / "sluice-show", "C002");
    const fs::path source = folder.path() / "graph.dot", picture = folder.path() / ("graph." + format);
    write_file(source, dot, "C002");
    std::vector<std::string> command{kGraphviz, "-T" + format, source.string(), "-o", picture.string()};
    if (format == "png") command.insert(command.begin() + 1, "-Gdpi=144");
    const ProcessResult result = run_process(command);
    if (!result.started)
        fail({"C007",
              "Graphviz, which draws the picture, is not installed: there is no command `dot`",
              {},
              {},
              "install the package graphviz, or use --html, which needs none",
              {}});
    if (result.status != 0 || !fs::exists(picture))
        fail({"C008",
              "Graphviz failed with status " + std::to_string(result.status) + ": " + result.output,
              {},
              {},
              "choose one program with --program, or draw with --html, where scopes can be closed",
              {}});
    std::ifstream in(picture, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    return bytes.str();
}

std::string laid_out(const draw::Picture& picture, const std::string& format) {
    if (!draw::has_columns(picture)) return laid_out(draw::to_dot(picture), format);
    return laid_out(draw::to_dot(draw::with_columns_from_left(picture, laid_out(draw::to_dot(picture), "plain"))), format);
}

}  // namespace

Result<std::string> layout_library() {
    return capture([] { return std::string(draw::require_layout_library()); });
}

Result<std::string> drawing(const ir::Sdfg& sdfg, PictureForm form) {
    return capture([&] {
        const draw::Picture picture = draw::picture_of(sdfg);
        switch (form) {
            case PictureForm::html:
                return draw::to_page(picture);
            case PictureForm::html_with_library_file:
                return draw::to_page(picture, kLayoutLibraryFile);
            case PictureForm::dot:
                return draw::to_dot(picture);
            case PictureForm::svg:
                return laid_out(picture, "svg");
            case PictureForm::png:
                return laid_out(picture, "png");
        }
        return std::string();
    });
}

}  // namespace sluice::driver
