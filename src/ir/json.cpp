// The boundary of the .sdfg reader and writer; the parts are in json/.
#include "ir/json.h"

#include "ir/json/document.h"
#include "ir/json/elements.h"

namespace sluice::ir {

Result<Sdfg> from_json(std::string_view bytes, const std::string& file) {
    return capture([&] {
        std::string storage;
        const std::string_view text = json::unpack(bytes, file, storage);
        json::Value document = json::parse_document(text, file);
        json::Reader reader(file);
        Sdfg sdfg;
        json::read_sdfg(reader, document, sdfg, true);
        return sdfg;
    });
}

std::string to_json(const Sdfg& sdfg, const JsonOptions& options) {
    json::Emitter to(options);
    json::write_sdfg(to, sdfg, true);
    std::string text = to.out.take();
    return options.compressed ? json::pack(text) : text;
}

}  // namespace sluice::ir
