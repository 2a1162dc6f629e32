#include "loop/passes/kernels.h"

#include <algorithm>
#include <map>
#include <set>

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
    std::visit(Overloaded{
                   [&](const Declare& n) { names[n.name] = value_of(n.name, n.type); },
                   [&](const Allocate& n) { names[n.name] = {n.name, n.type, Parameter::Kind::Buffer, true, true, n.space}; },
                   [&](const Alias& n) {
                       const auto root = names.find(root_of(n.address));
                       const Space space = root == names.end() ? Space::Own : root->second.space;
                       names[n.name] = {n.name, n.type, Parameter::Kind::Buffer, true, false, space};
                   },
                   [](const auto&) {},
               },
               s.node);
}

/// What a body names, and which buffers it may write.
class Uses {
public:
    explicit Uses(const std::map<std::string, const Function*>& functions) : functions_(functions) {}

    void body(const Body& statements) {
        for_each_statement(statements, [&](const Statement& s) {
            for_each_value(s, [&](const ValuePtr& v) { value(v); });
            std::visit([&](const auto& n) { statement(n); }, s.node);
        });
    }
    std::set<std::string> named, written;

private:
    void expr(const symbolic::Expr& e) {
        for (const std::string& name : symbolic::free_symbols(e)) named.insert(name);
        calls(e);
    }
    // `Subscript(A, i)` names A.
    void calls(const symbolic::Expr& e) {
        if (e.kind() == symbolic::Kind::Call && !e.operands().empty() && e.operands()[0].is_symbol())
            named.insert(e.operands()[0].name());
        for (const symbolic::Expr& operand : e.operands()) calls(operand);
    }
    void value(const ValuePtr& v) {
        if (!v) return;
        std::visit(Overloaded{
                       [&](const Variable& n) { named.insert(n.name); },
                       [&](const Index& n) { expr(n.expr); },
                       [&](const Load& n) { named.insert(n.buffer); },
                       [&](const Address& n) { named.insert(n.buffer); },
                       [](const auto&) {},
                   },
                   v->node);
        for_each_operand(*v, [&](const ValuePtr& operand) { value(operand); });
    }
    void writes(const std::string& buffer) { named.insert(buffer), written.insert(buffer); }
    void statement(const Assign& n) { named.insert(n.name); }
    void statement(const Store& n) { writes(n.buffer); }
    void statement(const Update& n) { writes(n.buffer); }
    void statement(const Allocate& n) { expr(n.size); }
    void statement(const Alias& n) { writes(root_of(n.address)); }
    void statement(const Rebind& n) { writes(root_of(n.address)); }
    void statement(const CopyContiguous& n) { writes(root_of(n.destination)), expr(n.count); }
    void statement(const ZeroFill& n) { writes(root_of(n.destination)), expr(n.count); }
    void statement(const For& n) { expr(n.begin), expr(n.end), expr(n.step); }
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
        Uses uses(functions_);
        uses.body(launch.body);
        Kernel result{&launch, {}};
        for (const Parameter::Kind kind : {Parameter::Kind::Buffer, Parameter::Kind::Value})
            for (const std::string& name : uses.named) {
                const auto outer = names.find(name);
                if (outer == names.end() || outer->second.kind != kind) continue;
                Parameter parameter = outer->second;
                parameter.written = kind == Parameter::Kind::Buffer && uses.written.contains(name);
                result.parameters.push_back(parameter);
            }
        return result;
    }

    std::map<std::string, const Function*> functions_;
};

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

bool uses_device(const Module& module) {
    return is_of_device(module.program) || std::ranges::any_of(module.functions, is_of_device);
}

}  // namespace sluice::loop
