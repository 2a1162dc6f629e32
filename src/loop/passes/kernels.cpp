#include "loop/passes/kernels.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <utility>

#include "loop/walk.h"

namespace sluice::loop {

namespace {

using Visible = std::map<std::string, Parameter>;

Parameter value_of(const std::string& name, const DType& type) {
    return {name, type, Parameter::Kind::Value, false, true};
}

/// The buffer that an address leads to, or empty.
std::string root_of(const ValuePtr& address) {
    if (!address) return {};
    if (const auto* n = std::get_if<Address>(&address->node)) return n->buffer;
    if (const auto* n = std::get_if<Cast>(&address->node)) return root_of(n->operand);
    return {};
}

void declare(const Statement& s, Visible& names) {
    std::visit(
        Overloaded{
            [&](const Declare& n) { names[n.name] = value_of(n.name, n.type); },
            [&](const Allocate& n) { names[n.name] = {n.name, n.type, Parameter::Kind::Buffer, true, true, n.space, n.bank}; },
            [&](const Alias& n) {
                const auto root = names.find(root_of(n.address));
                const Space space = root == names.end() ? Space::Own : root->second.space;
                const std::string bank = root == names.end() ? std::string() : root->second.bank;
                names[n.name] = {n.name, n.type, Parameter::Kind::Buffer, true, false, space, bank};
            },
            [&](const AllocateStream& n) {
                names[n.name] = {n.name, n.type, Parameter::Kind::Stream, true, true};
            },
            [](const auto&) {},
        },
        s.node);
}

/// Finds them.
class UsesFinder {
public:
    explicit UsesFinder(const std::map<std::string, const Function*>& functions) : functions_(functions) {}

    void body(const Body& statements) {
        for_each_statement(statements, [&](const Statement& s) {
            for_each_value(s, [&](const ValuePtr& v) { value(v); });
            std::visit([&](const auto& n) { statement(n); }, s.node);
        });
    }
    Uses found;
    std::set<std::string> words;  ///< Of texts in the target's language: each may be a name.

private:
    void expr(const symbolic::Expr& e) {
        for (const std::string& name : symbolic::free_symbols(e)) found.named.insert(name);
        calls(e);
    }
    // `Subscript(A, i)` names A.
    void calls(const symbolic::Expr& e) {
        if (e.kind() == symbolic::Kind::Call && !e.operands().empty() && e.operands()[0].is_symbol())
            found.named.insert(e.operands()[0].name());
        for (const symbolic::Expr& operand : e.operands()) calls(operand);
    }
    void value(const ValuePtr& v) {
        if (!v) return;
        std::visit(Overloaded{
                       [&](const Variable& n) { found.named.insert(n.name); },
                       [&](const Index& n) { expr(n.expr); },
                       [&](const Load& n) { found.named.insert(n.buffer); },
                       [&](const Address& n) { found.named.insert(n.buffer); },
                       [](const auto&) {},
                   },
                   v->node);
        for_each_operand(*v, [&](const ValuePtr& operand) { value(operand); });
    }
    void writes(const std::string& buffer) { found.named.insert(buffer), found.written.insert(buffer); }
    void statement(const Assign& n) { found.named.insert(n.name); }
    void statement(const Store& n) { writes(n.buffer); }
    void statement(const Update& n) {
        writes(n.buffer);
        if (!n.before.empty()) found.named.insert(n.before);
    }
    void statement(const Allocate& n) { expr(n.size); }
    void statement(const Grow& n) { writes(n.buffer), expr(n.size); }
    void statement(const Alias& n) { writes(root_of(n.address)); }
    void statement(const Rebind& n) { writes(root_of(n.address)); }
    void statement(const CopyContiguous& n) { writes(root_of(n.destination)), expr(n.count); }
    void statement(const ZeroFill& n) { writes(root_of(n.destination)), expr(n.count); }
    void statement(const Verbatim& n) {
        std::string word;
        for (const char c : n.text + " ") {
            if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
                word += c;
            else
                words.insert(std::exchange(word, {}));
        }
    }
    void statement(const For& n) { expr(n.begin), expr(n.end), expr(n.step); }
    void statement(const Push& n) { found.named.insert(n.stream); }
    void statement(const Pop& n) { found.named.insert(n.stream), found.named.insert(n.variable); }
    void statement(const Invoke& n) {
        const auto callee = functions_.find(n.function);
        for (std::size_t at = 0; at < n.arguments.size(); ++at)
            if (callee == functions_.end() || callee->second->parameters.at(at).written) writes(root_of(n.arguments[at]));
    }
    template <class Other> void statement(const Other&) {}

    const std::map<std::string, const Function*>& functions_;
};

class Finder {
public:
    explicit Finder(const Module& module) {
        for (const Function& f : module.functions) functions_[f.name] = &f;
        for (const Function& f : module.functions)
            if (!f.on_device) function(f);
        function(module.program);
    }
    std::vector<Kernel> found;

    std::vector<Element> elements(const Kernel& kernel) const {
        Visible names;
        for (const Parameter& p : kernel.parameters) names[p.name] = p;
        std::vector<Element> result;
        for (const Statement& s : kernel.launch->body) {
            declare(s, names);
            if (const auto* all = std::get_if<ParallelSections>(&s.node))
                for (std::size_t at = 0; at < all->sections.size(); ++at)
                    result.push_back({all->names[at], &all->sections[at],
                                      parameters(all->sections[at], names,
                                                 {Parameter::Kind::Buffer, Parameter::Kind::Value, Parameter::Kind::Stream})});
        }
        return result;
    }

private:
    void function(const Function& f) {
        Visible names;
        for (const Parameter& p : f.parameters) names[p.name] = p;
        body(f.body, names);
    }
    void body(const Body& statements, Visible names) {
        for (const Statement& s : statements) {
            declare(s, names);
            if (const auto* launch = std::get_if<Launch>(&s.node))
                found.push_back(kernel(*launch, names));
            else
                for_each_body(s, [&](const Body& inner) { body(inner, inside(s, names)); });
        }
    }
    static Visible inside(const Statement& s, Visible names) {
        if (const auto* n = std::get_if<For>(&s.node)) names[n->variable] = value_of(n->variable, code::Scalar::Int64);
        return names;
    }
    Kernel kernel(const Launch& launch, const Visible& names) const {
        return {&launch, parameters(launch.body, names, {Parameter::Kind::Buffer, Parameter::Kind::Value})};
    }
    std::vector<Parameter> parameters(const Body& statements, const Visible& names,
                                      std::initializer_list<Parameter::Kind> kinds) const {
        UsesFinder finder(functions_);
        finder.body(statements);
        Uses& uses = finder.found;
        for (const std::string& word : finder.words) {
            const auto outer = names.find(word);
            const bool reached =
                outer != names.end() && (outer->second.kind == Parameter::Kind::Value ||
                                         (outer->second.kind == Parameter::Kind::Buffer && outer->second.space != Space::Own));
            if (reached) uses.named.insert(word), uses.written.insert(word);
        }
        std::vector<Parameter> result;
        for (const Parameter::Kind kind : kinds)
            for (const std::string& name : uses.named) {
                const auto outer = names.find(name);
                if (outer == names.end() || outer->second.kind != kind) continue;
                Parameter parameter = outer->second;
                parameter.written =
                    kind != Parameter::Kind::Value && (kind == Parameter::Kind::Stream || uses.written.contains(name));
                result.push_back(parameter);
            }
        return result;
    }

    std::map<std::string, const Function*> functions_;
};

std::optional<std::int64_t> place_of(const ValuePtr& index) {
    if (!index) return 0;
    if (const auto* n = std::get_if<IntegerLiteral>(&index->node)) return n->value;
    const auto* n = std::get_if<Index>(&index->node);
    return n ? n->expr.constant() : std::nullopt;
}

bool is_of_device(const Function& f) {
    bool found = f.on_device || std::ranges::any_of(f.parameters, [](const Parameter& p) { return p.space != Space::Own; });
    for_each_statement(f.body, [&](const Statement& s) {
        const auto* buffer = std::get_if<Allocate>(&s.node);
        found = found || std::holds_alternative<Launch>(s.node) || (buffer && buffer->space != Space::Own);
    });
    return found;
}

}  // namespace

std::vector<Kernel> kernels(const Module& module) {
    return Finder(module).found;
}

Uses uses_of(const Module& module, const Body& body) {
    std::map<std::string, const Function*> functions;
    for (const Function& f : module.functions) functions[f.name] = &f;
    UsesFinder finder(functions);
    finder.body(body);
    return finder.found;
}

std::vector<Element> elements(const Module& module, const Kernel& kernel) {
    return Finder(module).elements(kernel);
}

std::vector<std::string> ends_in_common(const ParallelSections& elements) {
    // Stream -> place in its array, or none where the place is not constant -> elements.
    using Places = std::map<std::optional<std::int64_t>, std::set<std::size_t>>;
    std::map<std::pair<std::string, bool>, Places> ends;
    for (std::size_t at = 0; at < elements.sections.size(); ++at)
        for_each_statement(elements.sections[at], [&](const Statement& s) {
            const auto* push = std::get_if<Push>(&s.node);
            const auto* pop = std::get_if<Pop>(&s.node);
            if (push) ends[{push->stream, true}][place_of(push->index)].insert(at);
            if (pop) ends[{pop->stream, false}][place_of(pop->index)].insert(at);
        });
    std::vector<std::string> sentences;
    for (const auto& [end, places] : ends) {
        const auto anywhere = places.find(std::nullopt);
        for (auto [place, who] : places) {
            if (anywhere != places.end()) who.insert(anywhere->second.begin(), anywhere->second.end());
            if (who.size() < 2) continue;
            sentences.push_back("`" + elements.names[*who.begin()] + "` and `" + elements.names[*std::next(who.begin())] +
                                (end.second ? "` both push into `" : "` both pop from `") + end.first + "`");
            break;
        }
    }
    return sentences;
}

std::set<std::string> called_by(const Module& module, const std::vector<Kernel>& kernels) {
    std::set<std::string> called;
    const auto visit = [&](const auto& self, const Body& body) -> void {
        for_each_statement(body, [&](const Statement& s) {
            const auto* call = std::get_if<Invoke>(&s.node);
            if (!call || !called.insert(call->function).second) return;
            const auto callee = std::ranges::find(module.functions, call->function, &Function::name);
            if (callee != module.functions.end()) self(self, callee->body);
        });
    };
    for (const Kernel& one : kernels) visit(visit, one.launch->body);
    return called;
}

std::vector<const Allocate*> constant_buffers(const Module& module) {
    std::vector<const Allocate*> found;
    const auto function = [&](const Function& f) {
        for_each_statement(f.body, [&](const Statement& s) {
            const auto* buffer = std::get_if<Allocate>(&s.node);
            if (buffer && buffer->space == Space::Constant) found.push_back(buffer);
        });
    };
    for (const Function& f : module.functions) function(f);
    function(module.program);
    return found;
}

bool uses_device(const Module& module) {
    return is_of_device(module.program) || std::ranges::any_of(module.functions, is_of_device);
}

}  // namespace sluice::loop
