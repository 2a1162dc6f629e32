#include "library/shared/random.h"

#include "library/contract.h"
#include "library/extern_call.h"
#include "runtime/mt19937.h"

namespace sluice::library {

namespace {

using StateWords = std::vector<std::uint64_t>;

constexpr std::size_t kPcg64Words = 6, kMt19937Words = 627;

void put_state(ir::Operand& operand, const StateWords& words) {
    for (std::size_t at = 0; at < words.size(); ++at) operand.values[at] = static_cast<std::int64_t>(words[at]);
}

void add_operand(ExternCall& call, const BoundOperand& operand) {
    call.arguments.emplace_back(ExternCall::Address{operand.connector});
    if (operand.sizes.empty())
        call.arguments.emplace_back(ir::Expr(0));
    else
        call.arguments.emplace_back(ExternCall::Stride{operand.connector, 0, 1});
}

}  // namespace

void define_draws(ReferenceCall& call, const std::vector<std::string>& connectors, const DrawDefinition& define) {
    StateWords words;
    for (const ir::Number& word : call.input("_state").values) words.push_back(static_cast<std::uint64_t>(word.integer));
    ir::Operand& drawn = call.output("_b");
    DrawDefinition::Parameters parameters(drawn.values.size());
    for (std::size_t at = 0; at < parameters.size(); ++at)
        for (const std::string& connector : connectors) {
            const auto& given = call.input(connector).values;
            parameters[at].push_back(given[given.size() == 1 ? 0 : at]);
        }
    if (words.size() == kPcg64Words) {
        random::Pcg64 generator(words.data(), 1);
        drawn.values = define.of_pcg64(generator, parameters);
    } else {
        random::Mt19937 generator(words.data(), 1);
        drawn.values = define.of_mt19937(generator, parameters);
    }
    put_state(call.output("_state"), words);
}

std::string name_of_draws(const std::string& function, bool legacy) {
    return std::string("sluice::random::") + (legacy ? "legacy::" : "") + function;
}

void become_draws(NodeDraft& draft, const std::string& function) {
    const Binding binding = bind(draft);
    const bool legacy = binding.input("_state").sizes[0] != std::to_string(kPcg64Words);
    ExternCall call{.environment = "random", .function = name_of_draws(function, legacy), .arguments = {}};
    const auto count = binding.sizes.find("N");
    call.arguments.emplace_back(count == binding.sizes.end() ? ir::Expr(1) : count->second);
    std::vector<Lead> inputs, outputs;
    for (const BoundOperand& one : binding.inputs) {
        add_operand(call, one);
        inputs.push_back({one.edge, one.connector});
    }
    add_operand(call, binding.output("_b"));
    for (const BoundOperand& one : binding.outputs) outputs.push_back({one.edge, one.connector});
    become_call(draft, call, inputs, outputs, true);
}

std::vector<Form> forms_of_draws(const std::vector<std::string>& parameters, bool differ) {
    std::vector<Form> forms;
    for (const std::size_t words : {kPcg64Words, kMt19937Words}) {
        const std::string state = "_state[" + std::to_string(words) + "]";
        const auto add = [&](const std::string& size_of_parameters, const std::string& size) {
            std::string text = state;
            for (const std::string& connector : parameters) text.append(", ").append(connector).append(size_of_parameters);
            forms.push_back(form(text.append(" -> ").append(state).append(", _b").append(size)));
        };
        add("", "[N]");
        add("", "");
        if (differ && !parameters.empty()) add("[N]", "[N]");
    }
    return forms;
}

std::vector<ir::Number> one_by_one(const std::vector<std::vector<ir::Number>>& parameters,
                                   const std::function<ir::Number(const std::vector<ir::Number>&)>& draw) {
    std::vector<ir::Number> drawn;
    for (const auto& one : parameters) drawn.push_back(draw(one));
    return drawn;
}

void define_seed(ReferenceCall& call) {
    StateWords words(kPcg64Words);
    const std::int64_t seed = call.input("_seed").values[0].integer;
    random::seed(&seed, words.data(), 1);
    put_state(call.output("_state"), words);
}

void define_legacy_seed(ReferenceCall& call) {
    StateWords words(kMt19937Words);
    const std::int64_t seed = call.input("_seed").values[0].integer;
    random::seed_legacy(&seed, words.data(), 1);
    put_state(call.output("_state"), words);
}

void become_seed(NodeDraft& draft, const std::string& function) {
    const Binding binding = bind(draft);
    const ExternCall call{
        .environment = "random",
        .function = "sluice::random::" + function,
        .arguments = {ExternCall::Address{"_seed"}, ExternCall::Address{"_state"}, ExternCall::Stride{"_state", 0, 1}}};
    std::vector<Lead> inputs;
    for (const BoundOperand& one : binding.inputs) inputs.push_back({one.edge, one.connector});
    become_call(draft, call, inputs, {{binding.outputs[0].edge, "_state"}}, inputs.size() > 1);
}

Operation random_draws(const RandomDraws& draws) {
    Operation operation{.name = draws.name,
                        .classpath = {},
                        .summary = draws.summary,
                        .forms = forms_of_draws(draws.parameters, draws.parameters_differ),
                        .types = {draws.type},
                        .operand_types = {{"_state", code::Scalar::UInt64}, {"_b", draws.type}},
                        .reference = [draws](ReferenceCall& call) { define_draws(call, draws.parameters, draws.define); },
                        .expansions = {{.name = "native",
                                        .summary = "A loop of the runtime over the stream.",
                                        .aliases = {"pure"},
                                        .requirement = {"random", false},
                                        .expand = [draws](NodeDraft& draft) { become_draws(draft, draws.function); }}}};
    return operation;
}

}  // namespace sluice::library
