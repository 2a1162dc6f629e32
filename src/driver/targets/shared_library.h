// A loaded shared library, unloaded with the object.
#pragma once

#include <filesystem>
#include <string>

#include "support/result.h"

namespace sluice::driver {

class SharedLibrary {
public:
    /// Throws Failure D006 with the loader's message.
    explicit SharedLibrary(const std::filesystem::path& path);
    SharedLibrary(const SharedLibrary&) = delete;
    ~SharedLibrary();
    /// Throws Failure D006 if there is no such symbol.
    void* symbol(const std::string& name) const;
    /// Null if there is no such symbol.
    void* find(const std::string& name) const;

private:
    void* handle_ = nullptr;
};

}  // namespace sluice::driver
