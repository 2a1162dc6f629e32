// Graphs of one small program each, written as text, and the answer about two of them.
#pragma once

#include <gtest/gtest.h>

#include "certify/certify.h"
#include "ir/text.h"
#include "ir/verify.h"

namespace sluice::test {

using certify::Certificate;
using certify::Verdict;

inline ir::Sdfg graph(const std::string& text) {
    Result<ir::Sdfg> sdfg = ir::parse_text(text);
    EXPECT_TRUE(sdfg.ok()) << (sdfg.ok() ? "" : render(sdfg.error()));
    if (!sdfg.ok()) return {};
    for (const Diagnostic& problem : ir::verify(*sdfg)) ADD_FAILURE() << render(problem) << "\n" << text;
    return *sdfg;
}

inline void expect_answer(const std::string& before, const std::string& after, Verdict verdict, const std::string& text = {}) {
    const Certificate certificate = certify::certify(graph(before), graph(after));
    EXPECT_EQ(certificate.verdict, verdict) << to_string(certificate);
    EXPECT_NE(to_string(certificate).find(text), std::string::npos) << to_string(certificate);
}

/// A program over A, B: float64[N] with these blocks and further declarations.
inline std::string program(const std::string& blocks, const std::string& declarations = {}) {
    return "sdfg p(A, B) {\n  symbol N: int64\n" + declarations + "  array A: float64[N]\n  array B: float64[N]\n" + blocks + "}\n";
}

/// A state in which B[target] becomes the value of the code, whose connectors are x, ..., read at these elements.
inline std::string statement(const std::string& label, const std::vector<std::string>& reads, const std::string& code,
                             const std::string& target) {
    std::string nodes, edges, names;
    int id = 2;
    const char* connectors[] = {"x", "y", "z"};
    for (std::size_t at = 0; at < reads.size(); ++at, ++id) {
        nodes += "    n" + std::to_string(id) + " = access " + reads[at].substr(0, reads[at].find('[')) + "\n";
        edges += "    n" + std::to_string(id) + " -> n0." + connectors[at] + " : " + reads[at] + "\n";
        names += std::string(at > 0 ? ", " : "") + connectors[at];
    }
    return "  state " + label + " {\n    n0 = tasklet t (" + names + ") -> (out) { out = " + code + " }\n    n1 = access " +
           target.substr(0, target.find('[')) + "\n" + nodes + edges + "    n0.out -> n1 : " + target + "\n  }\n";
}

/// `for i = begin; i < end; i = i + step` around blocks.
inline std::string loop(const std::string& variable, const std::string& begin, const std::string& end, const std::string& body,
                        const std::string& step = "1") {
    return "  loop for_" + variable + " [" + variable + ": `" + variable + " = " + begin + "`; `" + variable + " < " + end +
           "`; `" + variable + " = " + variable + " + " + step + "`] {\n" + body + "  }\n";
}

/// B[to] = code of A over the map i=range.
inline std::string map(const std::string& range, const std::vector<std::string>& reads, const std::string& code,
                       const std::string& target, const std::string& resolution = {}, const std::string& label = "s") {
    std::string text = "  state " + label + " {\n    n0 = map_entry m [i=" + range + "] passing (";
    std::set<std::string> containers;
    for (const std::string& read : reads) containers.insert(read.substr(0, read.find('[')));
    const auto list = [](const auto& names) {
        std::string all;
        for (const auto& name : names) all += (all.empty() ? "" : ", ") + std::string(name);
        return all;
    };
    const std::string result = target.substr(0, target.find('['));
    text += list(containers) + ")\n    n1 = map_exit n0 passing (" + result + ")\n";
    const char* connectors[] = {"x", "y", "z"};
    text += "    n2 = tasklet t (" + list(std::vector<std::string>(connectors, connectors + reads.size())) +
            ") -> (out) { out = " + code + " }\n    n3 = access " + result + "\n";
    int id = 4;
    std::string edges;
    for (const std::string& container : containers) {
        text += "    n" + std::to_string(id) + " = access " + container + "\n";
        edges += "    n" + std::to_string(id++) + " -> n0.IN_" + container + " : " + container + "[0:N]\n";
    }
    for (std::size_t at = 0; at < reads.size(); ++at)
        edges += "    n0.OUT_" + reads[at].substr(0, reads[at].find('[')) + " -> n2." + connectors[at] + " : " + reads[at] + "\n";
    if (reads.empty()) edges += "    n0 -> n2\n";
    const std::string wcr = resolution.empty() ? "" : " wcr=\"lambda a, b: " + resolution + "\"";
    edges += "    n2.out -> n1.IN_" + result + " : " + target + wcr + "\n    n1.OUT_" + result + " -> n3 : " + result + "[0:N]" +
             wcr + "\n";
    return text + edges + "  }\n";
}

}  // namespace sluice::test
