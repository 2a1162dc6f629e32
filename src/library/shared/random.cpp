#include "library/shared/random.h"

#include <array>

#include "library/contract.h"
#include "library/extern_call.h"
#include "runtime/pcg64.h"

namespace sluice::library {

namespace {

constexpr std::size_t kStateWords = 6;
using StateWords = std::array<std::uint64_t, kStateWords>;

void put_state(ir::Operand& operand, const StateWords& words) {
    for (std::size_t at = 0; at < kStateWords; ++at) operand.values[at] = static_cast<std::int64_t>(words[at]);
}

void define_draws(ReferenceCall& call, const RandomDraws& draws) {
    StateWords words{};
    for (std::size_t at = 0; at < kStateWords; ++at)
        words[at] = static_cast<std::uint64_t>(call.input("_state").values[at].integer);
    ir::Operand& drawn = call.output("_b");
    std::vector<std::vector<ir::Number>> parameters(drawn.values.size());
    for (std::size_t at = 0; at < parameters.size(); ++at)
        for (const std::string& connector : draws.parameters) {
            const auto& given = call.input(connector).values;
            parameters[at].push_back(given[given.size() == 1 ? 0 : at]);
        }
    {
        random::Pcg64 generator(words.data(), 1);
        drawn.values = draws.define(generator, parameters);
    }
    put_state(call.output("_state"), words);
}

void become_draws(NodeDraft& draft, const RandomDraws& draws) {
    const Binding binding = bind(draft);
    ExternCall call{.environment = "random", .function = "sluice::random::" + draws.function, .arguments = {}};
    const auto add = [&](const BoundOperand& operand) {
        call.arguments.emplace_back(ExternCall::Address{operand.connector});
        if (operand.sizes.empty())
            call.arguments.emplace_back(ir::Expr(0));
        else
            call.arguments.emplace_back(ExternCall::Stride{operand.connector, 0, 1});
    };
    const auto count = binding.sizes.find("N");
    call.arguments.emplace_back(count == binding.sizes.end() ? ir::Expr(1) : count->second);
    std::vector<Lead> inputs, outputs;
    for (const BoundOperand& one : binding.inputs) {
        add(one);
        inputs.push_back({one.edge, one.connector});
    }
    add(binding.output("_b"));
    for (const BoundOperand& one : binding.outputs) outputs.push_back({one.edge, one.connector});
    become_call(draft, call, inputs, outputs, true);
}

std::vector<Form> forms_of_draws(const RandomDraws& draws) {
    std::vector<Form> forms;
    const auto add = [&](const std::string& size_of_parameters, const std::string& size) {
        std::string text = "_state[6]";
        for (const std::string& connector : draws.parameters) text.append(", ").append(connector).append(size_of_parameters);
        forms.push_back(form(text + " -> _state[6], _b" + size));
    };
    add("", "[N]");
    add("", "");
    if (draws.parameters_differ && !draws.parameters.empty()) add("[N]", "[N]");
    return forms;
}

}  // namespace

std::vector<ir::Number> one_by_one(const std::vector<std::vector<ir::Number>>& parameters,
                                   const std::function<ir::Number(const std::vector<ir::Number>&)>& draw) {
    std::vector<ir::Number> drawn;
    for (const auto& one : parameters) drawn.push_back(draw(one));
    return drawn;
}

void define_seed(ReferenceCall& call) {
    StateWords words{};
    const std::int64_t seed = call.input("_seed").values[0].integer;
    random::seed(&seed, words.data(), 1);
    put_state(call.output("_state"), words);
}

Operation random_draws(const RandomDraws& draws) {
    Operation operation{.name = draws.name,
                        .classpath = {},
                        .summary = draws.summary,
                        .forms = forms_of_draws(draws),
                        .types = {draws.type},
                        .operand_types = {{"_state", code::Scalar::UInt64}, {"_b", draws.type}},
                        .reference = [draws](ReferenceCall& call) { define_draws(call, draws); },
                        .expansions = {{.name = "native",
                                        .summary = "A loop of the runtime over the stream.",
                                        .aliases = {"pure"},
                                        .requirement = {"random", false},
                                        .expand = [draws](NodeDraft& draft) { become_draws(draft, draws); }}}};
    return operation;
}

}  // namespace sluice::library
