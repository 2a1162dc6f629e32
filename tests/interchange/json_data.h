// Test data of the .sdfg reader and writer.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "interchange/grammar.h"
#include "interchange/json.h"

namespace sluice::interchange {

inline std::string read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(file.good()) << path;
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline std::string data_file(const std::string& name) {
    return read_bytes(SLUICE_SOURCE_DIR "/tests/interchange/data/" + name);
}

inline Sdfg load(const std::string& bytes, const std::string& file = "test.sdfg") {
    Result<Sdfg> sdfg = from_json(bytes, file);
    if (!sdfg) {
        ADD_FAILURE() << render(sdfg.error());
        return {};
    }
    return std::move(sdfg).value();
}

inline void replace(std::string& text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
}

}  // namespace sluice::interchange
