// The boundary of the .sdfg reader and writer; the parts are in json/.
#include "interchange/json.h"

#include "interchange/document.h"
#include "interchange/elements.h"

namespace sluice::interchange {

Result<ir::Sdfg> from_json(std::string_view bytes, const std::string& file) {
    return capture([&] {
        std::string storage;
        const std::string_view text = unpack(bytes, file, storage);
        Value document = parse_document(text, file);
        Reader reader(file);
        ir::Sdfg sdfg;
        read_sdfg(reader, document, sdfg, true);
        return sdfg;
    });
}

std::string to_json(const ir::Sdfg& sdfg, const JsonOptions& options) {
    Emitter to(options);
    write_sdfg(to, sdfg, true);
    std::string text = to.out.take();
    return options.compressed ? pack(text) : text;
}

}  // namespace sluice::interchange
