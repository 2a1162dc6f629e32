// A printed module, compiled without optimisation (a third of the time) and loaded, so that tests can call it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "codegen/cpu/print.h"
#include "driver/cache.h"
#include "driver/targets/shared_library.h"
#include "loop/ir.h"
#include "loop/verify.h"

namespace sluice::codegen {

inline loop::Parameter buffer(std::string name, code::DType type, bool written = true) {
    return {std::move(name), std::move(type), loop::Parameter::Kind::Buffer, written, true};
}
inline loop::Parameter number(std::string name, code::DType type = code::Scalar::Int64) {
    return {std::move(name), std::move(type), loop::Parameter::Kind::Value, false, true};
}
inline loop::Parameter stream(std::string name, code::DType type) {
    return {std::move(name), std::move(type), loop::Parameter::Kind::Stream, true, true};
}
inline symbolic::Expr sym(std::string_view name) {
    return symbolic::symbol(name);
}
inline loop::ValuePtr at(const symbolic::Expr& e) {
    return loop::index_value(e);
}
template <class Node> void put(loop::Body& body, Node node) {
    body.push_back({std::move(node), {}});
}
inline loop::For count(std::string variable, symbolic::Expr end, loop::Body body = {},
                       loop::LoopMode mode = loop::LoopMode::Sequential) {
    loop::For result;
    result.variable = std::move(variable);
    result.begin = 0;
    result.end = end;
    result.mode = mode;
    result.body = std::move(body);
    return result;
}

class Compiled {
public:
    explicit Compiled(const loop::Module& module)
        : source(print_cpu(module)), folder_(std::filesystem::temp_directory_path() / "sluice-test") {
        for (const std::string& violation : loop::verify(module)) ADD_FAILURE() << violation;
        driver::Toolchain toolchain = driver::find_toolchain().or_fail();
        for (std::string& flag : toolchain.flags)
            if (flag == "-O3") flag = "-O0";
        driver::write_runtime(folder_.path(), "D005");
        try {
            const auto path = driver::compile_in(folder_.path(), folder_.path(), source, module.name, toolchain, "D005");
            library_ = std::make_unique<driver::SharedLibrary>(path);
        } catch (const Failure& failure) {
            ADD_FAILURE() << failure.diagnostic.message << "\n"
                          << (failure.diagnostic.notes.empty() ? "" : failure.diagnostic.notes[0].message) << source.host();
            throw;
        }
        init_ = reinterpret_cast<int (*)(void**, void* const*)>(library_->symbol(module.name + "_init_invoke"));
        invoke_ = reinterpret_cast<int (*)(void*, void* const*)>(library_->symbol(module.name + "_invoke"));
        finalise_ = reinterpret_cast<int (*)(void*)>(library_->symbol(module.name + "_finalise"));
    }
    ~Compiled() {
        if (handle_) finalise_(handle_);
    }
    /// Status of a run; initialises before the first.
    int run(std::vector<void*> arguments) {
        if (!handle_)
            if (const int status = init_(&handle_, arguments.data())) return status;
        return invoke_(handle_, arguments.data());
    }
    void* symbol(const std::string& name) const { return library_->symbol(name); }

    Artifact source;

private:
    driver::PrivateFolder folder_;
    std::unique_ptr<driver::SharedLibrary> library_;
    int (*init_)(void**, void* const*) = nullptr;
    int (*invoke_)(void*, void* const*) = nullptr;
    int (*finalise_)(void*) = nullptr;
    void* handle_ = nullptr;
};

}  // namespace sluice::codegen
