// The container of a .sdfg file: plain text or gzip, whatever the extension says. Pickles of old releases share the extension.
#include <zlib.h>

#include <algorithm>
#include <memory>

#include "interchange/document.h"
#include "support/check.h"
#include "support/diagnostic.h"

namespace sluice::interchange {

namespace {

constexpr std::size_t kMaxText = std::size_t{2} << 30;

[[noreturn]] void refuse(const std::string& code, const std::string& message, const std::string& file, const std::string& remedy) {
    Diagnostic d{.code = code, .message = message, .remedy = remedy};
    d.where.file = intern_file_name(file);
    fail(std::move(d));
}

[[noreturn]] void refuse_damaged(const std::string& file, bool truncated) {
    refuse("J003", truncated ? "the gzip data end too early" : "the gzip data are damaged", file,
           "Obtain the file again; `gzip -t` shows whether a copy is complete");
}

bool is_gzip(std::string_view bytes) {
    return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

struct InflateEnd {
    void operator()(z_stream* stream) const { inflateEnd(stream); }
};

// Runs the inflater over one chunk of input; several members may follow each other, as `gzip` itself allows.
void inflate_all(z_stream& stream, std::string_view bytes, const std::string& file, std::string& text) {
    std::size_t fed = 0;
    int status = Z_OK;
    text.resize(std::min(kMaxText, std::max<std::size_t>(bytes.size() * 4, 4096)));
    std::size_t filled = 0;
    while (true) {
        if (stream.avail_in == 0 && fed < bytes.size()) {
            const std::size_t chunk = std::min<std::size_t>(bytes.size() - fed, std::size_t{1} << 30);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + fed));
            stream.avail_in = static_cast<uInt>(chunk);
            fed += chunk;
        }
        if (filled == text.size()) {
            if (text.size() >= kMaxText) refuse("J003", "the file unpacks to more than 2 GiB", file, "Split the graph");
            text.resize(std::min(kMaxText, text.size() * 2));
        }
        const std::size_t room = std::min<std::size_t>(text.size() - filled, std::size_t{1} << 30);
        stream.next_out = reinterpret_cast<Bytef*>(text.data() + filled);
        stream.avail_out = static_cast<uInt>(room);
        status = inflate(&stream, Z_NO_FLUSH);
        filled += room - stream.avail_out;
        if (status == Z_STREAM_END) {
            const bool more = stream.avail_in >= 2 && stream.next_in[0] == 0x1f && stream.next_in[1] == 0x8b;
            if (!more) break;
            inflateReset(&stream);
        } else if (status == Z_BUF_ERROR ||
                   (status == Z_OK && stream.avail_in == 0 && fed == bytes.size() && stream.avail_out != 0)) {
            if (stream.avail_out != 0) refuse_damaged(file, true);
        } else if (status != Z_OK) {
            refuse_damaged(file, false);
        }
    }
    text.resize(filled);
}

void gunzip(std::string_view bytes, const std::string& file, std::string& text) {
    z_stream stream{};
    if (inflateInit2(&stream, 15 + 16) != Z_OK) refuse_damaged(file, false);
    const std::unique_ptr<z_stream, InflateEnd> end(&stream);
    inflate_all(stream, bytes, file, text);
}

}  // namespace

std::string_view unpack(std::string_view bytes, const std::string& file, std::string& storage) {
    if (is_gzip(bytes)) {
        gunzip(bytes, file, storage);
        bytes = storage;
    }
    if (bytes.size() > kMaxText) refuse("J003", "the file has more than 2 GiB of text", file, "Split the graph");
    const std::size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) refuse("J002", "the file is empty", file, "Save the graph again");
    if (bytes[0] == '\x80')
        refuse("J002", "the file is a Python pickle, not JSON", file, "Load it with the DaCe that wrote it and save it as JSON");
    const bool marked = bytes.substr(0, 3) == "\xef\xbb\xbf";
    if (!marked && bytes[first] != '{')
        refuse("J002", "the file is no SDFG: it does not begin with `{`", file, "Pass an .sdfg file as DaCe or Sluice save it");
    return bytes;
}

std::string pack(const std::string& text) {
    z_stream stream{};
    check(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "deflateInit2 failed");
    std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    const int status = deflate(&stream, Z_FINISH);
    packed.resize(packed.size() - stream.avail_out);
    deflateEnd(&stream);
    check(status == Z_STREAM_END, "deflate failed");
    return packed;
}

}  // namespace sluice::interchange
