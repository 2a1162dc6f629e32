#include "loop/passes/layouts.h"

#include <algorithm>
#include <map>
#include <set>

#include "loop/walk.h"

namespace sluice::loop {

namespace {

using symbolic::Expr;
using Names = std::set<std::string>;

void add_names(const ValuePtr& value, Names& names) {
    if (!value) return;
    if (const auto* n = std::get_if<Variable>(&value->node)) names.insert(n->name);
    if (const auto* n = std::get_if<Index>(&value->node)) names.merge(symbolic::free_symbols(n->expr));
    for_each_operand(*value, [&](const ValuePtr& operand) { add_names(operand, names); });
}

/// False: the sizes say that the elements lie one behind the other.
bool has_gaps(const Part& part) {
    Expr behind = 1;
    for (std::size_t dim = part.extents.size(); dim-- > 0;) {
        if (!(part.strides[dim] == behind)) return true;
        behind = part.extents[dim] * part.strides[dim];
    }
    return false;
}

class Layouts {
public:
    explicit Layouts(const Module& module) : module_(module) {
        function(module.program);
        for (auto f = module.functions.rbegin(); f != module.functions.rend(); ++f) function(*f);  // Callers first.
    }
    std::vector<Diagnostic> found;

private:
    void function(const Function& f) {
        changing_ = arguments_[f.name];
        bool jumps = false;
        for_each_statement(f.body, [&](const Statement& s) { jumps = jumps || std::holds_alternative<Goto>(s.node); });
        // What depends on a changing variable changes with it.
        std::size_t before = 0;
        do {
            before = changing_.size();
            assigned_.clear();
            assignments(f.body, jumps);
        } while (before != changing_.size());
        for_each_statement(f.body, [&](const Statement& s) {
            if (const auto* message = std::get_if<Message>(&s.node)) look_at(*message, s.where);
            if (const auto* call = std::get_if<Invoke>(&s.node)) hand_on(*call);
        });
    }
    /// `again`: the body may run more than once.
    void assignments(const Body& body, bool again) {
        for (const Statement& s : body) {
            const auto* loop = std::get_if<For>(&s.node);
            if (loop) changing_.insert(loop->variable);
            if (const auto* n = std::get_if<Declare>(&s.node); n && n->value) assign(n->name, n->value, false);
            if (const auto* n = std::get_if<Assign>(&s.node)) assign(n->name, n->value, again);
            const bool repeats = again || loop || std::holds_alternative<While>(s.node);
            for_each_body(s, [&](const Body& inner) { assignments(inner, repeats); });
        }
    }
    void assign(const std::string& name, const ValuePtr& value, bool again) {
        if (again || changes(value) || !assigned_.insert(name).second) changing_.insert(name);
    }
    bool changes(const ValuePtr& value) const {
        Names used;
        add_names(value, used);
        return std::ranges::any_of(used, [&](const std::string& one) { return changing_.contains(one); });
    }
    void hand_on(const Invoke& call) {
        const auto callee = std::ranges::find(module_.functions, call.function, &Function::name);
        for (std::size_t at = 0; callee != module_.functions.end() && at < call.arguments.size(); ++at)
            if (const Parameter& p = callee->parameters.at(at); p.kind == Parameter::Kind::Value && changes(call.arguments[at]))
                arguments_[call.function].insert(p.name);
    }
    void look_at(const Message& message, const Span& where) {
        if (!has_gaps(message.part)) return;
        Names used;
        for (const auto* sizes : {&message.part.extents, &message.part.strides})
            for (const Expr& one : *sizes) used.merge(symbolic::free_symbols(one));
        const auto name = std::ranges::find_if(used, [&](const std::string& one) { return changing_.contains(one); });
        if (name == used.end()) return;
        found.push_back({"L039",
                         "the layout of what this message moves changes with `" + *name +
                             "` while the program runs: its derived type is made again",
                         where,
                         {},
                         "let the sizes of the part stay the same, or move an array without gaps",
                         {}});
    }

    const Module& module_;
    std::map<std::string, Names> arguments_;  ///< By function: parameters whose values change from call to call.
    Names changing_, assigned_;               ///< Of the function.
};

}  // namespace

std::vector<Diagnostic> changing_layouts(const Module& module) {
    return Layouts(module).found;
}

}  // namespace sluice::loop
