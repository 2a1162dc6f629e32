// Result types as NumPy 2 reports them, for every pair of its scalar types: facts, not expectations of ours.
// One letter per type, in the order of kNumpyTypes; '-' where NumPy refuses.
#pragma once

#include <array>
#include <string_view>
#include <utility>

namespace sluice::code {

inline constexpr std::string_view kNumpyTypes = "?bhilBHILefdFD";
using BinaryTable = std::array<std::string_view, 14>;

inline constexpr BinaryTable kPromoteTypes = {
    {"?bhilBHILefdFD", "bbhilhildefdFD", "hhhilhildffdFD", "iiiiliilddddDD", "llllllllddddDD", "BhhilBHILefdFD", "HiiilHHILffdFD",
     "IllllIIILdddDD", "LddddLLLLdddDD", "eefddefddefdFD", "fffddffddffdFD", "ddddddddddddDD", "FFFDDFFDDFFDFD", "DDDDDDDDDDDDDD"}};
/// By function, rows: left operand.
inline constexpr auto kBinaryResults = std::to_array<std::pair<std::string_view, BinaryTable>>({
    {"np.add", BinaryTable{{"?bhilBHILefdFD", "bbhilhildefdFD", "hhhilhildffdFD", "iiiiliilddddDD", "llllllllddddDD",
                            "BhhilBHILefdFD", "HiiilHHILffdFD", "IllllIIILdddDD", "LddddLLLLdddDD", "eefddefddefdFD",
                            "fffddffddffdFD", "ddddddddddddDD", "FFFDDFFDDFFDFD", "DDDDDDDDDDDDDD"}}},
    {"np.subtract", BinaryTable{{"-bhilBHILefdFD", "bbhilhildefdFD", "hhhilhildffdFD", "iiiiliilddddDD", "llllllllddddDD",
                                 "BhhilBHILefdFD", "HiiilHHILffdFD", "IllllIIILdddDD", "LddddLLLLdddDD", "eefddefddefdFD",
                                 "fffddffddffdFD", "ddddddddddddDD", "FFFDDFFDDFFDFD", "DDDDDDDDDDDDDD"}}},
    {"np.multiply", BinaryTable{{"?bhilBHILefdFD", "bbhilhildefdFD", "hhhilhildffdFD", "iiiiliilddddDD", "llllllllddddDD",
                                 "BhhilBHILefdFD", "HiiilHHILffdFD", "IllllIIILdddDD", "LddddLLLLdddDD", "eefddefddefdFD",
                                 "fffddffddffdFD", "ddddddddddddDD", "FFFDDFFDDFFDFD", "DDDDDDDDDDDDDD"}}},
    {"np.true_divide", BinaryTable{{"dddddddddefdFD", "dddddddddefdFD", "dddddddddffdFD", "ddddddddddddDD", "ddddddddddddDD",
                                    "dddddddddefdFD", "dddddddddffdFD", "ddddddddddddDD", "ddddddddddddDD", "eefddefddefdFD",
                                    "fffddffddffdFD", "ddddddddddddDD", "FFFDDFFDDFFDFD", "DDDDDDDDDDDDDD"}}},
    {"np.floor_divide", BinaryTable{{"bbhilBHILefd--", "bbhilhildefd--", "hhhilhildffd--", "iiiiliildddd--", "lllllllldddd--",
                                     "BhhilBHILefd--", "HiiilHHILffd--", "IllllIIILddd--", "LddddLLLLddd--", "eefddefddefd--",
                                     "fffddffddffd--", "dddddddddddd--", "--------------", "--------------"}}},
    {"np.mod", BinaryTable{{"bbhilBHILefd--", "bbhilhildefd--", "hhhilhildffd--", "iiiiliildddd--", "lllllllldddd--",
                            "BhhilBHILefd--", "HiiilHHILffd--", "IllllIIILddd--", "LddddLLLLddd--", "eefddefddefd--",
                            "fffddffddffd--", "dddddddddddd--", "--------------", "--------------"}}},
    {"np.fmod", BinaryTable{{"bbhilBHILefd--", "bbhilhildefd--", "hhhilhildffd--", "iiiiliildddd--", "lllllllldddd--",
                             "BhhilBHILefd--", "HiiilHHILffd--", "IllllIIILddd--", "LddddLLLLddd--", "eefddefddefd--",
                             "fffddffddffd--", "dddddddddddd--", "--------------", "--------------"}}},
    {"np.power", BinaryTable{{"bbhilBHILefdFD", "bbhilhildefdFD", "hhhilhildffdFD", "iiiiliilddddDD", "llllllllddddDD",
                              "BhhilBHILefdFD", "HiiilHHILffdFD", "IllllIIILdddDD", "LddddLLLLdddDD", "eefddefddefdFD",
                              "fffddffddffdFD", "ddddddddddddDD", "FFFDDFFDDFFDFD", "DDDDDDDDDDDDDD"}}},
    {"np.arctan2", BinaryTable{{"eefddefddefd--", "eefddefddefd--", "fffddffddffd--", "dddddddddddd--", "dddddddddddd--",
                                "eefddefddefd--", "fffddffddffd--", "dddddddddddd--", "dddddddddddd--", "eefddefddefd--",
                                "fffddffddffd--", "dddddddddddd--", "--------------", "--------------"}}},
    {"np.hypot", BinaryTable{{"eefddefddefd--", "eefddefddefd--", "fffddffddffd--", "dddddddddddd--", "dddddddddddd--",
                              "eefddefddefd--", "fffddffddffd--", "dddddddddddd--", "dddddddddddd--", "eefddefddefd--",
                              "fffddffddffd--", "dddddddddddd--", "--------------", "--------------"}}},
    {"np.copysign", BinaryTable{{"eefddefddefd--", "eefddefddefd--", "fffddffddffd--", "dddddddddddd--", "dddddddddddd--",
                                 "eefddefddefd--", "fffddffddffd--", "dddddddddddd--", "dddddddddddd--", "eefddefddefd--",
                                 "fffddffddffd--", "dddddddddddd--", "--------------", "--------------"}}},
    {"np.heaviside", BinaryTable{{"eefddefddefd--", "eefddefddefd--", "fffddffddffd--", "dddddddddddd--", "dddddddddddd--",
                                  "eefddefddefd--", "fffddffddffd--", "dddddddddddd--", "dddddddddddd--", "eefddefddefd--",
                                  "fffddffddffd--", "dddddddddddd--", "--------------", "--------------"}}},
    {"np.minimum", BinaryTable{{"?bhilBHILefdFD", "bbhilhildefdFD", "hhhilhildffdFD", "iiiiliilddddDD", "llllllllddddDD",
                                "BhhilBHILefdFD", "HiiilHHILffdFD", "IllllIIILdddDD", "LddddLLLLdddDD", "eefddefddefdFD",
                                "fffddffddffdFD", "ddddddddddddDD", "FFFDDFFDDFFDFD", "DDDDDDDDDDDDDD"}}},
    {"np.fmax", BinaryTable{{"?bhilBHILefdFD", "bbhilhildefdFD", "hhhilhildffdFD", "iiiiliilddddDD", "llllllllddddDD",
                             "BhhilBHILefdFD", "HiiilHHILffdFD", "IllllIIILdddDD", "LddddLLLLdddDD", "eefddefddefdFD",
                             "fffddffddffdFD", "ddddddddddddDD", "FFFDDFFDDFFDFD", "DDDDDDDDDDDDDD"}}},
    {"np.bitwise_and", BinaryTable{{"?bhilBHIL-----", "bbhilhil------", "hhhilhil------", "iiiiliil------", "llllllll------",
                                    "BhhilBHIL-----", "HiiilHHIL-----", "IllllIIIL-----", "L----LLLL-----", "--------------",
                                    "--------------", "--------------", "--------------", "--------------"}}},
    {"np.left_shift", BinaryTable{{"bbhilBHIL-----", "bbhilhil------", "hhhilhil------", "iiiiliil------", "llllllll------",
                                   "BhhilBHIL-----", "HiiilHHIL-----", "IllllIIIL-----", "L----LLLL-----", "--------------",
                                   "--------------", "--------------", "--------------", "--------------"}}},
    {"np.less", BinaryTable{{"??????????????", "??????????????", "??????????????", "??????????????", "??????????????",
                             "??????????????", "??????????????", "??????????????", "??????????????", "??????????????",
                             "??????????????", "??????????????", "??????????????", "??????????????"}}},
    {"np.logical_and", BinaryTable{{"??????????????", "??????????????", "??????????????", "??????????????", "??????????????",
                                    "??????????????", "??????????????", "??????????????", "??????????????", "??????????????",
                                    "??????????????", "??????????????", "??????????????", "??????????????"}}},
});
/// By function.
inline constexpr auto kUnaryResults = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"np.sqrt", "eefddefddefdFD"},     {"np.cbrt", "eefddefddefd--"},       {"np.exp", "eefddefddefdFD"},
    {"np.exp2", "eefddefddefdFD"},     {"np.expm1", "eefddefddefdFD"},      {"np.log", "eefddefddefdFD"},
    {"np.log2", "eefddefddefdFD"},     {"np.log10", "eefddefddefdFD"},      {"np.log1p", "eefddefddefdFD"},
    {"np.sin", "eefddefddefdFD"},      {"np.cos", "eefddefddefdFD"},        {"np.tan", "eefddefddefdFD"},
    {"np.arcsin", "eefddefddefdFD"},   {"np.arccos", "eefddefddefdFD"},     {"np.arctan", "eefddefddefdFD"},
    {"np.sinh", "eefddefddefdFD"},     {"np.cosh", "eefddefddefdFD"},       {"np.tanh", "eefddefddefdFD"},
    {"np.arcsinh", "eefddefddefdFD"},  {"np.arccosh", "eefddefddefdFD"},    {"np.arctanh", "eefddefddefdFD"},
    {"np.absolute", "?bhilBHILefdfd"}, {"np.floor", "?bhilBHILefd--"},      {"np.ceil", "?bhilBHILefd--"},
    {"np.rint", "eefddefddefdFD"},     {"np.trunc", "?bhilBHILefd--"},      {"np.sign", "-bhilBHILefdFD"},
    {"np.square", "bbhilBHILefdFD"},   {"np.reciprocal", "bbhilBHILefdFD"}, {"np.negative", "-bhilBHILefdFD"},
    {"np.positive", "-bhilBHILefdFD"}, {"np.conjugate", "bbhilBHILefdFD"},  {"np.isnan", "??????????????"},
    {"np.isinf", "??????????????"},    {"np.isfinite", "??????????????"},   {"np.logical_not", "??????????????"},
    {"np.deg2rad", "eefddefddefd--"},  {"np.rad2deg", "eefddefddefd--"},    {"np.invert", "?bhilBHIL-----"},
    {"np.real", "?bhilBHILefdfd"},     {"np.imag", "?bhilBHILefdfd"},       {"np.angle", "*efddefddefdfd"},
});
/// A typed left operand with a Python number on the right: 1, 1.0, 1j.
inline constexpr auto kWeakResults = std::to_array<std::pair<std::string_view, std::array<std::string_view, 3>>>({
    {"np.add", {{"lbhilBHILefdFD", "dddddddddefdFD", "DDDDDDDDDFFDFD"}}},
    {"np.true_divide", {{"dddddddddefdFD", "dddddddddefdFD", "DDDDDDDDDFFDFD"}}},
    {"np.floor_divide", {{"lbhilBHILefd--", "dddddddddefd--", "--------------"}}},
    {"np.power", {{"lbhilBHILefdFD", "dddddddddefdFD", "DDDDDDDDDFFDFD"}}},
    {"np.minimum", {{"lbhilBHILefdFD", "dddddddddefdFD", "DDDDDDDDDFFDFD"}}},
    {"np.arctan2", {{"defddefddefd--", "dddddddddefd--", "--------------"}}},
    {"np.less", {{"??????????????", "??????????????", "??????????????"}}},
});

}  // namespace sluice::code
