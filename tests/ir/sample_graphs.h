// Small graphs that several tests of the room use.
#pragma once

#include <gtest/gtest.h>

#include "ir/builder.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace sluice::ir {

/// y = a * x + y over N elements.
inline Sdfg axpy() {
    Sdfg g{.name = "axpy"};
    g.arg_names = {"a", "x", "y"};
    add_symbol(g, "N");
    add_scalar(g, "a", code::Scalar::Float64);
    add_array(g, "x", code::Scalar::Float64, {symbolic::symbol("N")});
    add_array(g, "y", code::Scalar::Float64, {symbolic::symbol("N")});
    StateBuilder state = add_state(g, "main");
    state.mapped_tasklet("axpy", {{"i", "0:N"}}, {{"ain", "a"}, {"xin", "x[i]"}, {"yin", "y[i]"}}, "yo = ain * xin + yin",
                         {{"yo", "y[i]"}});
    return g;
}

/// The graph of a text that must parse.
inline Sdfg graph(const std::string& text) {
    Result<Sdfg> sdfg = parse_text(text, "test.sdfgt");
    EXPECT_TRUE(sdfg.ok()) << (sdfg.ok() ? "" : render(sdfg.error(), text));
    return sdfg.ok() ? *std::move(sdfg) : Sdfg();
}

inline std::string codes(const Sdfg& sdfg) {
    std::string text;
    for (const Diagnostic& violation : verify(sdfg)) text += (text.empty() ? "" : " ") + violation.code;
    return text;
}

inline std::string rendered(const Sdfg& sdfg) {
    std::string text;
    for (const Diagnostic& violation : verify(sdfg)) text += render(violation);
    return text;
}

}  // namespace sluice::ir
