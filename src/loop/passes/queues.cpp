#include "loop/passes/queues.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "loop/names.h"
#include "loop/passes/kernels.h"
#include "loop/walk.h"

namespace sluice::loop {

namespace {

/// A statement of the straight code, which blocks alone interrupt.
struct Step {
    Statement* statement;
    std::size_t top;  ///< The statement of the program's own body in which it lies.
};

std::string name_at(const ValuePtr& address) {
    const auto* found = address ? std::get_if<Address>(&address->node) : nullptr;
    return found ? found->buffer : std::string();
}

class Overlap {
public:
    explicit Overlap(Module& module) : module_(module), names_(module.program) {
        for (const Parameter& p : module.program.parameters)
            if (p.kind == Parameter::Kind::Buffer && p.restricted) spaces_[p.name] = p.space;
        for (std::size_t top = 0; top < module.program.body.size(); ++top) {
            Statement& s = module.program.body[top];
            if (const auto* buffer = std::get_if<Allocate>(&s.node)) spaces_[buffer->name] = buffer->space;
            flatten(s, top);
        }
        for_each_statement(module.program.body, [&](const Statement& s) {
            if (const auto* alias = std::get_if<Alias>(&s.node)) shared_.insert(name_at(alias->address));
        });
    }

    void run() {
        for (std::size_t at = 0; at < steps_.size(); ++at)
            if (auto* copy = std::get_if<CopyContiguous>(&steps_[at].statement->node)) put_on_queue(at, *copy);
        if (events_.empty()) return;
        std::size_t at = 0;
        Body result;
        for (std::size_t top = 0; top < module_.program.body.size(); ++top) {
            for (const std::string& event : events_[top]) result.push_back({Event{event}, {}, module_.program.body[top].origin});
            rewritten(std::move(module_.program.body[top]), at, result);
        }
        for (const std::string& event : awaits_[steps_.size()]) result.push_back({Await{event}, {}, result.back().origin});
        module_.program.body = std::move(result);
    }

private:
    void flatten(Statement& s, std::size_t top) {
        if (auto* block = std::get_if<Block>(&s.node)) {
            for (Statement& inner : block->body) flatten(inner, top);
            return;
        }
        steps_.push_back({&s, top});
    }
    bool is_plain(const std::string& name, Space space) const {
        const auto found = spaces_.find(name);
        return found != spaces_.end() && found->second == space && !shared_.contains(name);
    }
    /// Is what follows it not always what stands behind it, or is it unknown what it touches?
    static bool ends_straight_code(const Statement& s) {
        bool ends = false;
        for_each_statement({s}, [&](const Statement& one) {
            ends = ends || std::holds_alternative<Return>(one.node) || std::holds_alternative<Goto>(one.node) ||
                   std::holds_alternative<Label>(one.node) || std::holds_alternative<Verbatim>(one.node);
        });
        return ends;
    }
    bool needs(const Statement& s, const std::string& to, const std::string& from) {
        const auto [known, added] = uses_.try_emplace(&s);
        if (added) known->second = uses_of(module_, {s});
        return known->second.named.contains(to) || known->second.written.contains(from) || ends_straight_code(s);
    }
    static bool is_of_device(const Statement& s) {
        bool found = false;
        for_each_statement({s}, [&](const Statement& one) {
            found = found || std::holds_alternative<Launch>(one.node) || std::holds_alternative<CopyContiguous>(one.node);
        });
        return found;
    }
    void put_on_queue(std::size_t at, CopyContiguous& copy) {
        const std::string to = name_at(copy.destination), from = name_at(copy.source);
        if (!is_plain(to, Space::Global) || !is_plain(from, Space::Own)) return;
        std::size_t next = at + 1;
        bool beside = false;
        for (; next < steps_.size() && !needs(*steps_[next].statement, to, from); ++next)
            beside = beside || is_of_device(*steps_[next].statement);
        if (!beside) return;
        copy.queue = 1;
        copy.event = names_.fresh(to + "_copied");
        events_[steps_[at].top].push_back(copy.event);
        awaits_[next].push_back(copy.event);
    }
    void rewritten(Statement s, std::size_t& at, Body& into) {
        if (auto* block = std::get_if<Block>(&s.node)) {
            Body inner;
            for (Statement& one : block->body) rewritten(std::move(one), at, inner);
            block->body = std::move(inner);
            into.push_back(std::move(s));
            return;
        }
        if (const auto found = awaits_.find(at); found != awaits_.end())
            for (const std::string& event : found->second) into.push_back({Await{event}, s.where, s.origin});
        ++at;
        into.push_back(std::move(s));
    }

    Module& module_;
    UsedNames names_;
    std::vector<Step> steps_;
    std::map<const Statement*, Uses> uses_;
    std::map<std::string, Space> spaces_;                              ///< Of buffers that the whole program sees.
    std::set<std::string> shared_;                                     ///< What another name reaches.
    std::map<std::size_t, std::vector<std::string>> events_, awaits_;  ///< In front of statements of the program, and of steps.
};

}  // namespace

void overlap_copies(Module& module) {
    Overlap(module).run();
}

}  // namespace sluice::loop
