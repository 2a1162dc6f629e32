#include "fuzz/random_options.h"

#include <algorithm>

#include "ir/walk.h"

namespace sluice::fuzz {

namespace {

using rewrite::OptionValue;
using symbolic::Expr;

class Values {
public:
    Values(Random& random, const ir::Sdfg& root, const rewrite::Match& match)
        : random_(random), symbols_(sdfg_at(root, match.place).symbols) {
        for (const auto& [name, container] : sdfg_at(root, match.place).containers) containers_.push_back(name);
        look_at_loops(sdfg_at(root, match.place));
        if (!match.place.state.valid()) return;
        const ir::State& state = state_at(root, match.place);
        for (const ir::NodeId id : match.nodes)
            if (const auto* map = std::get_if<ir::MapEntry>(&state.nodes[id].kind))
                parameters_.insert(parameters_.end(), map->params.begin(), map->params.end());
    }

    OptionValue like(const OptionValue& usual) {
        return std::visit([&](const auto& value) -> OptionValue { return some(value); }, usual);
    }

private:
    /// Options of transformations of order.
    void look_at_loops(const ir::Sdfg& sdfg) {
        ir::for_each_block(sdfg.body, [&](const ir::Block& block) {
            if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind); loop && !loop->variable.empty())
                loops_.push_back(loop->variable);
        });
        ir::for_each_state(sdfg.body, [&](const ir::State& state) {
            for (const auto& [id, node] : state.nodes)
                if (const auto* map = std::get_if<ir::MapEntry>(&node.kind))
                    loops_.insert(loops_.end(), map->params.begin(), map->params.end());
        });
        loops_.insert(loops_.end(), {"S0", "S1"});
    }

    bool some(bool) { return random_.chance(50); }
    std::int64_t some(std::int64_t usual) { return random_.chance(20) ? usual : random_.between(-1, 4); }
    Expr some(const Expr&) {
        return symbols_.contains("N") && random_.chance(10) ? symbolic::symbol("N") : Expr(random_.between(1, 4));
    }
    std::string some(const std::string& usual) {
        static const std::vector<std::string> kWords = {"Sequential", "CPU_Multicore", "Register",        "CPU_Heap", "Default",
                                                        "normal",     "ceilrange",     "number_of_tiles", "own",      "minimal"};
        if (random_.chance(25)) return usual;
        if (random_.chance(35)) return random_.pick(loops_);
        return random_.chance(40) && !containers_.empty() ? random_.pick(containers_) : random_.pick(kWords);
    }
    std::vector<Expr> some(const std::vector<Expr>& usual) {
        std::vector<Expr> list(static_cast<std::size_t>(random_.between(1, 3)));
        for (Expr& each : list) each = some(Expr());
        return random_.chance(10) ? usual : list;
    }
    /// The names of the map's parameters in another order, or some of them, or containers.
    std::vector<std::string> some(const std::vector<std::string>&) {
        std::vector<std::string> list = random_.chance(80) && !parameters_.empty() ? parameters_ : containers_;
        for (std::size_t at = list.size(); at > 1; --at) std::swap(list[at - 1], list[random_.below(at)]);
        if (random_.chance(30) && !list.empty()) list.resize(1 + random_.below(list.size()));
        return list;
    }

    Random& random_;
    const std::map<std::string, ir::DType>& symbols_;
    std::vector<std::string> containers_, parameters_, loops_;
};

}  // namespace

rewrite::Options random_options(Random& random, const ir::Sdfg& root, const rewrite::Descriptor& descriptor,
                                const rewrite::Match& match) {
    rewrite::Options options;
    if (random.chance(40)) return options;
    Values values(random, root, match);
    for (const rewrite::Parameter& parameter : descriptor.parameters)
        if (random.chance(60)) options[parameter.name] = values.like(parameter.default_value);
    return options;
}

}  // namespace sluice::fuzz
