#include "cli/branches.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/arguments.h"
#include "cli/command.h"
#include "ir/walk.h"

namespace sluice::cli {

namespace {

struct Branch {
    std::string name;
    driver::Session session;
    double seconds = 0;
    std::vector<Value> values = {};
};

Branch branch_of(const driver::Session& session, const std::string& text) {
    Branch branch{text, session};
    if (std::filesystem::is_regular_file(text)) {
        branch.session.replay(read_text_file(text), text).or_fail();
    } else {
        const bool is_line = text.find_first_of("@ =") != std::string::npos || text.find_first_of("./") == std::string::npos;
        if (!is_line)
            fail_usage("C001", "there is no recipe " + text, "name a file with one application per line, or give one line");
        branch.session.replay(text).or_fail();
    }
    return branch;
}

struct Size {
    std::size_t states = 0, maps = 0, tasklets = 0, transients = 0;
};

Size size_of(const ir::Sdfg& program) {
    Size size;
    ir::for_each_sdfg(program, [&](const ir::Sdfg& sdfg) {
        size.transients += std::ranges::count_if(sdfg.containers, [](const auto& one) { return one.second.transient; });
        ir::for_each_state(sdfg.body, [&](const ir::State& state) {
            ++size.states;
            for (const auto& [id, node] : state.nodes) {
                size.maps += std::holds_alternative<ir::MapEntry>(node.kind);
                size.tasklets += std::holds_alternative<ir::Tasklet>(node.kind);
            }
        });
    });
    return size;
}

void print_sizes(const std::vector<Branch>& all, std::size_t applied, std::size_t width) {
    fmt::print("{:{}}  applied  states  maps  tasklets  transients\n", "branch", width);
    for (const Branch& one : all) {
        const Size size = size_of(one.session.program());
        fmt::print("{:{}}  {:7}  {:6}  {:4}  {:8}  {:10}\n", one.name, width, one.session.applied() - applied, size.states,
                   size.maps, size.tasklets, size.transients);
    }
    fmt::print("Give sizes (N=1000) to run them on the same arguments.\n");
}

}  // namespace

driver::Session compare_branches(const driver::Session& session, const Comparison& comparison) {
    std::vector<Branch> all{{"(no branch)", session}};
    for (const std::string& text : comparison.branches) all.push_back(branch_of(session, text));
    std::size_t width = 0;
    for (const Branch& one : all) width = std::max(width, one.name.size());
    if (comparison.arguments.empty()) {
        print_sizes(all, session.applied(), width);
        return session;
    }
    const auto given = by_name(comparison.arguments);
    std::vector<driver::CompiledProgram> compiled;
    for (Branch& one : all) {
        compiled.push_back(one.session.compile(comparison.options).or_fail());
        one.values = make_values(compiled.back().signature(), compiled.back().shape_solver(), given, 1);
    }
    // In turn, so that what else the machine does meets all of them; the first round warms up.
    std::vector<std::vector<double>> seconds(all.size());
    for (int round = 0; round <= comparison.repeat; ++round)
        for (std::size_t i = 0; i < all.size(); ++i) {
            const double one = run_repeatedly(compiled[i], all[i].values, 1).front();
            if (round > 0) seconds[i].push_back(one);
        }
    fmt::print("{:{}}  applied  median of {}  results\n", "branch", width, comparison.repeat);
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::ranges::sort(seconds[i]);
        all[i].seconds = seconds[i][seconds[i].size() / 2];
        const char* results = i == 0 ? "" : same_results(all[i].values, all[0].values) ? "the same" : "not the same bits";
        fmt::print("{:{}}  {:7}  {:8.3f} ms  {}\n", all[i].name, width, all[i].session.applied() - session.applied(),
                   all[i].seconds * 1e3, results);
    }
    const auto fastest = std::ranges::min_element(all, {}, &Branch::seconds);
    fmt::print("fastest: {}\n", fastest->name);
    return fastest->session;
}

}  // namespace sluice::cli
