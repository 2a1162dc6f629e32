#include "loop/passes/pipelines.h"

#include <algorithm>
#include <map>
#include <set>

#include "loop/walk.h"

namespace sluice::loop {

namespace {

/// At most once.
bool runs_once(const For& loop) {
    const auto trips = symbolic::ceil_divide(loop.end - loop.begin, loop.step).constant();
    return trips && *trips <= 1;
}

/// What the body of a loop touches that is not its own.
class Touched {
public:
    struct Places {
        std::vector<ValuePtr> read, written;
    };
    explicit Touched(const For& loop) {
        changing.insert(loop.variable);
        for_each_statement(loop.body, [&](const Statement& s) { declare(s); });
        body(loop.body, false);
    }
    std::map<std::string, Places> buffers;
    std::map<std::pair<std::string, std::string>, int> ends;  ///< Uses of a queue's end; of one in a loop inside two.
    std::set<std::string> assigned;                           ///< Variables from outside.
    std::set<std::string> changing;                           ///< Whose value an iteration sets.
    bool followed = true;                                     ///< No statement hides what it touches.

private:
    void declare(const Statement& s) {
        std::visit(Overloaded{
                       [&](const Declare& n) { changing.insert(n.name), own_.insert(n.name); },
                       [&](const Allocate& n) { own_.insert(n.name); },
                       [&](const For& n) { changing.insert(n.variable), own_.insert(n.variable); },
                       [&](const Assign& n) { changing.insert(n.name); },
                       [&](const Pop& n) { changing.insert(n.variable); },
                       [&](const Update& n) {
                           if (!n.index) changing.insert(n.buffer);
                       },
                       [](const auto&) {},
                   },
                   s.node);
    }
    void assigns(const std::string& name) {
        if (!own_.contains(name)) assigned.insert(name);
    }
    void touches(const std::string& buffer, const ValuePtr& index, bool write) {
        if (own_.contains(buffer)) return;
        Places& places = buffers[buffer];
        (write ? places.written : places.read).push_back(index);
    }
    void end(const std::string& stream, const char* which, const ValuePtr& index, bool repeated) {
        const auto* constant = index ? std::get_if<Index>(&index->node) : nullptr;
        const std::string place = !index ? "0" : constant ? symbolic::to_string(constant->expr) : "?";
        ends[{stream, which + (" " + place)}] += repeated ? 2 : 1;
    }
    void reads(const symbolic::Expr& e) {
        if (e.kind() == symbolic::Kind::Call && !e.operands().empty() && e.operands()[0].is_symbol())
            touches(e.operands()[0].name(), nullptr, false);
        for (const symbolic::Expr& operand : e.operands()) reads(operand);
    }
    void value(const ValuePtr& v) {
        if (!v) return;
        if (const auto* n = std::get_if<Load>(&v->node)) touches(n->buffer, n->index, false);
        if (const auto* n = std::get_if<Index>(&v->node)) reads(n->expr);
        if (std::holds_alternative<Address>(v->node)) followed = false;
        for_each_operand(*v, [&](const ValuePtr& operand) { value(operand); });
    }
    void body(const Body& statements, bool repeated) {
        for (const Statement& s : statements) {
            for_each_value(s, [&](const ValuePtr& v) { value(v); });
            std::visit(Overloaded{
                           [&](const Assign& n) { assigns(n.name); },
                           [&](const Store& n) { touches(n.buffer, n.index, true); },
                           [&](const Update& n) {
                               if (!n.index) return assigns(n.buffer);
                               touches(n.buffer, n.index, false), touches(n.buffer, n.index, true);
                           },
                           [&](const Push& n) { end(n.stream, "push", n.index, repeated); },
                           [&](const Pop& n) { assigns(n.variable), end(n.stream, "pop", n.index, repeated); },
                           [&](const For& n) { reads(n.begin), reads(n.end), reads(n.step); },
                           [](const Declare&) {},
                           [](const Allocate&) {},
                           [](const If&) {},
                           [](const Block&) {},
                           [](const Break&) { /* the next iteration would have begun */ },
                           [](const Continue&) {},
                           [&](const auto&) { followed = false; },
                       },
                       s.node);
            if (std::holds_alternative<Break>(s.node)) followed = false;
            const auto* loop = std::get_if<For>(&s.node);
            const bool again = repeated || (loop && !runs_once(*loop));
            for_each_body(s, [&](const Body& inner) { body(inner, again); });
        }
    }

    std::set<std::string> own_;
};

/// The index as arithmetic of the loop's variable and of what no iteration changes.
std::optional<Expr> place_in(const ValuePtr& index, const For& loop, const Touched& touched) {
    const auto* n = index ? std::get_if<Index>(&index->node) : nullptr;
    const auto* literal = index ? std::get_if<IntegerLiteral>(&index->node) : nullptr;
    if (literal) return Expr(literal->value);
    if (!n) return std::nullopt;
    for (const std::string& name : symbolic::free_symbols(n->expr))
        if (name != loop.variable && touched.changing.contains(name)) return std::nullopt;
    const auto reads = [](const auto& self, const Expr& e) -> bool {
        return e.kind() == symbolic::Kind::Call || std::ranges::any_of(e.operands(), [&](const Expr& o) { return self(self, o); });
    };
    return reads(reads, n->expr) ? std::nullopt : std::optional(n->expr);
}

/// Is what one iteration writes there never what another reads?
bool apart(const Expr& written, const Expr& read, const For& loop) {
    const auto distance = (written - read).constant();
    const auto next = symbolic::substitute(written, {{loop.variable, symbolic::symbol(loop.variable) + loop.step}});
    const auto stride = (next - written).constant();
    if (!distance || !stride || *stride == 0) return false;
    return *distance == 0 || *distance % *stride != 0;
}

bool overlaps(const Touched::Places& places, const For& loop, const Touched& touched) {
    for (const ValuePtr& write : places.written)
        for (const ValuePtr& read : places.read) {
            const auto written = place_in(write, loop, touched), other = place_in(read, loop, touched);
            if (!written || !other || !apart(*written, *other, loop)) return true;
        }
    return false;
}

bool is_innermost(const For& loop) {
    bool innermost = true;
    for_each_statement(loop.body, [&](const Statement& s) {
        const auto* inner = std::get_if<For>(&s.node);
        const bool loops = (inner && inner->mode != LoopMode::Unroll) || std::holds_alternative<While>(s.node) ||
                           std::holds_alternative<Invoke>(s.node) || std::holds_alternative<CopyContiguous>(s.node) ||
                           std::holds_alternative<ZeroFill>(s.node);
        innermost = innermost && !loops;
    });
    return innermost;
}

void pipeline(Body& body, bool one_name) {
    for (Statement& s : body) {
        for_each_body(s, [&](const Body& inner) { pipeline(const_cast<Body&>(inner), one_name); });
        auto* loop = std::get_if<For>(&s.node);
        if (!loop || loop->mode != LoopMode::Sequential || !is_innermost(*loop)) continue;
        loop->mode = runs_once(*loop) ? LoopMode::Unroll : LoopMode::Pipeline;
        if (loop->mode == LoopMode::Unroll) continue;
        const bool writes =
            std::ranges::any_of(Touched(*loop).buffers, [](const auto& one) { return !one.second.written.empty(); });
        loop->interval = (one_name || !writes) && !carried_by(*loop) ? 1 : 0;
    }
}

}  // namespace

std::optional<std::string> carried_by(const For& loop) {
    const Touched touched(loop);
    if (!touched.assigned.empty()) return "`" + *touched.assigned.begin() + "`";
    if (!touched.followed) return "what its statements touch";
    for (const auto& [buffer, places] : touched.buffers)
        if (overlaps(places, loop, touched)) return "elements of `" + buffer + "`";
    for (const auto& [end, uses] : touched.ends)
        if (uses > 1) return "its turn at stream `" + end.first + "`";
    return std::nullopt;
}

void pipeline_loops(Body& body) {
    bool one_name = true;  // Each memory has.
    for_each_statement(body, [&](const Statement& s) {
        one_name = one_name && !std::holds_alternative<Alias>(s.node) && !std::holds_alternative<Rebind>(s.node);
    });
    pipeline(body, one_name);
}

std::vector<std::string> reread(const For& loop) {
    std::vector<std::string> names;
    for (const auto& [buffer, places] : Touched(loop).buffers)
        if (!places.read.empty() && !places.written.empty()) names.push_back(buffer);
    return names;
}

}  // namespace sluice::loop
