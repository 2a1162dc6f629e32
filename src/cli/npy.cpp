#include "cli/npy.h"

#include <cstring>

#include "cli/command.h"

namespace sluice::cli {

using code::Scalar;

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

[[noreturn]] void fail_npy(const std::filesystem::path& path, const std::string& why) {
    fail_usage("C004", path.string() + " " + why, "write the file with numpy.save from a C-contiguous array of numbers");
}

struct TypeCode {
    Scalar scalar;
    const char* code;
};
constexpr TypeCode kTypes[] = {{Scalar::Bool, "b1"},      {Scalar::Int8, "i1"},       {Scalar::Int16, "i2"},
                               {Scalar::Int32, "i4"},     {Scalar::Int64, "i8"},      {Scalar::UInt8, "u1"},
                               {Scalar::UInt16, "u2"},    {Scalar::UInt32, "u4"},     {Scalar::UInt64, "u8"},
                               {Scalar::Float16, "f2"},   {Scalar::Float32, "f4"},    {Scalar::Float64, "f8"},
                               {Scalar::Complex64, "c8"}, {Scalar::Complex128, "c16"}};

/// The text after `'key': ` up to the end of its value.
std::string value_of(const std::string& header, const std::string& key) {
    const std::size_t at = header.find("'" + key + "'");
    const std::size_t colon = at == std::string::npos ? at : header.find(':', at);
    if (colon == std::string::npos) return {};
    const std::size_t begin = header.find_first_not_of(' ', colon + 1);
    if (begin == std::string::npos) return {};
    const char close = header[begin] == '(' ? ')' : ',';
    const std::size_t end = header.find(close, begin);
    return header.substr(begin, end == std::string::npos ? end : end - begin + (close == ')'));
}

std::vector<std::int64_t> parse_shape(const std::filesystem::path& path, const std::string& text) {
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') fail_npy(path, "has no shape in its header");
    std::vector<std::int64_t> shape;
    for (std::size_t at = 1; at + 1 < text.size();) {
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit == std::string::npos) break;
        std::size_t used = 0;
        shape.push_back(std::stoll(text.substr(digit), &used));
        at = digit + used;
    }
    return shape;
}

code::DType parse_type(const std::filesystem::path& path, const std::string& text) {
    if (text.size() >= 4 && text.front() == '\'') {
        const std::string code = text.substr(2, text.size() - 3);
        if (text[1] == '<' || text[1] == '|' || text[1] == '=')
            for (const TypeCode& type : kTypes)
                if (code == type.code) return type.scalar;
    }
    fail_npy(path, "has elements of type " + text + ", which has no counterpart");
}

}  // namespace

NpyArray read_npy(const std::filesystem::path& path) {
    if (!std::filesystem::is_regular_file(path)) fail_npy(path, "does not exist");
    const std::string file = read_text_file(path);
    const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(file[at])); };
    if (file.size() < 12 || !file.starts_with(kMagic)) fail_npy(path, "is no .npy file");
    const bool wide = byte(6) >= 2;
    const std::size_t start = wide ? 12 : 10;
    const std::size_t length = byte(8) | byte(9) << 8 | (wide ? byte(10) << 16 | byte(11) << 24 : 0);
    if (file.size() < start + length) fail_npy(path, "is truncated");
    const std::string header = file.substr(start, length);
    if (value_of(header, "fortran_order") != "False") fail_npy(path, "is in Fortran order");
    NpyArray array;
    array.dtype = parse_type(path, value_of(header, "descr"));
    array.shape = parse_shape(path, value_of(header, "shape"));
    std::size_t size = code::size_in_bytes(array.dtype);
    for (const std::int64_t extent : array.shape)
        if (__builtin_mul_overflow(size, static_cast<std::size_t>(extent), &size)) fail_npy(path, "has an impossible shape");
    if (file.size() - start - length != size) fail_npy(path, "is truncated");
    array.bytes = Buffer(size);
    std::memcpy(array.bytes.data(), file.data() + start + length, size);
    return array;
}

std::string npy_bytes(const code::DType& dtype, const std::vector<std::int64_t>& shape, const std::byte* data) {
    const char* code = nullptr;
    for (const TypeCode& type : kTypes)
        if (dtype == code::DType(type.scalar)) code = type.code;
    if (!code) fail_usage("C004", code::to_string(dtype) + " has no counterpart in .npy files", "write another array");
    const bool one_byte = code::size_in_bytes(dtype) == 1;
    std::string header = std::string("{'descr': '") + (one_byte ? "|" : "<") + code + "', 'fortran_order': False, 'shape': (";
    std::size_t size = code::size_in_bytes(dtype);
    for (const std::int64_t extent : shape) {
        header += std::to_string(extent) + ",";
        size *= static_cast<std::size_t>(extent);
    }
    header += "), }";
    while ((10 + header.size() + 1) % 64 != 0) header += ' ';
    header += '\n';
    std::string file(kMagic);
    file += {'\x01', '\x00', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    file += header;
    file.append(reinterpret_cast<const char*>(data), size);
    return file;
}

}  // namespace sluice::cli
