#include "loop/passes/queues.h"

#include <algorithm>
#include <array>
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
        find_work();
        for (std::size_t at = 0; at < steps_.size(); ++at) place(at);
        await_all(steps_.size());
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
    /// A launch or copy that may be put on a queue.
    struct Work {
        Uses uses;  ///< Buffers alone.
        Queued* queued;
        std::string event;  ///< What to name it after.
    };
    void find_work() {
        std::map<const Launch*, const Kernel*> by_launch;
        const std::vector<Kernel> all = kernels(module_);
        for (const Kernel& one : all) by_launch[one.launch] = &one;
        for (std::size_t at = 0; at < steps_.size(); ++at) {
            if (ends_straight_code(*steps_[at].statement)) continue;
            if (auto* copy = std::get_if<CopyContiguous>(&steps_[at].statement->node)) {
                const std::string to = name_at(copy->destination), from = name_at(copy->source);
                const bool in = is_plain(to, Space::Global), out = is_plain(from, Space::Global);
                if ((in && (out || is_plain(from, Space::Own))) || (out && is_plain(to, Space::Own)))
                    work_[at] = {{{to, from}, {to}}, &copy->queued, to + "_copied"};
            }
            auto* launch = std::get_if<Launch>(&steps_[at].statement->node);
            if (!launch || launch->dataflow) continue;
            Work found{{}, &launch->queued, launch->kernel + "_done"};
            bool plain = true;
            for (const Parameter& p : by_launch.at(launch)->parameters) {
                if (p.kind != Parameter::Kind::Buffer) continue;
                plain = plain && is_plain(p.name, Space::Global);
                found.uses.named.insert(p.name);
                if (p.written) found.uses.written.insert(p.name);
            }
            if (plain && !found.uses.named.empty()) work_[at] = std::move(found);
        }
    }
    /// Is what follows it not always what stands behind it, or is it unknown what it touches? What is timed stays alone.
    static bool ends_straight_code(const Statement& s) {
        bool ends = false;
        for_each_statement({s}, [&](const Statement& one) {
            ends = ends || std::holds_alternative<Return>(one.node) || std::holds_alternative<Goto>(one.node) ||
                   std::holds_alternative<Label>(one.node) || std::holds_alternative<Verbatim>(one.node) ||
                   std::holds_alternative<Timed>(one.node);
        });
        return ends;
    }
    /// May it write whatever it names?
    static bool writes_unseen(const Statement& s) {
        bool writes = false;
        for_each_statement({s}, [&](const Statement& one) {
            writes = writes || std::holds_alternative<Extern>(one.node) || std::holds_alternative<Drain>(one.node) ||
                     std::holds_alternative<Consume>(one.node) || std::holds_alternative<Message>(one.node) ||
                     std::holds_alternative<WaitFor>(one.node) || std::holds_alternative<Collective>(one.node);
        });
        return writes;
    }
    struct Known {
        Uses uses;
        bool ends = false, of_device = false;
    };
    const Known& known(std::size_t at) {
        const auto [found, added] = known_.try_emplace(at);
        if (!added) return found->second;
        const Statement& s = *steps_[at].statement;
        found->second = {uses_of(module_, {s}), ends_straight_code(s), is_of_device(s)};
        if (writes_unseen(s)) found->second.uses.written = found->second.uses.named;
        return found->second;
    }
    bool needs(std::size_t at, const Work& work) {
        const auto meet = [](const std::set<std::string>& one, const std::set<std::string>& other) {
            return std::ranges::any_of(one, [&](const std::string& name) { return other.contains(name); });
        };
        const Known& step = known(at);
        return step.ends || meet(work.uses.written, step.uses.named) || meet(work.uses.named, step.uses.written);
    }
    static bool is_of_device(const Statement& s) {
        bool found = false;
        for_each_statement({s}, [&](const Statement& one) {
            found = found || std::holds_alternative<Launch>(one.node) || std::holds_alternative<CopyContiguous>(one.node);
        });
        return found;
    }
    bool runs_with_others(std::size_t at, const Work& work) {
        bool found = false;
        for (std::size_t next = at + 1; next < steps_.size() && !needs(next, work); ++next) found = found || known(next).of_device;
        return found;
    }

    struct UnderWay {
        const Work* work;
        std::string event;
    };
    /// In front of a step: its end, and with it that of all before it on its queue.
    void await(std::int64_t queue, std::size_t count, std::size_t at) {
        std::vector<UnderWay>& line = lines_[static_cast<std::size_t>(queue)];
        awaits_[at].push_back(line[count - 1].event);
        line.erase(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(count));
    }
    void await_all(std::size_t at) {
        for (std::int64_t queue = 1; queue < kQueues; ++queue)
            if (const std::size_t count = lines_[static_cast<std::size_t>(queue)].size()) await(queue, count, at);
    }
    void place(std::size_t at) {
        const auto found = work_.find(at);
        std::map<std::int64_t, std::size_t> needed;  // By queue, up to the last one.
        std::int64_t empty = 0;
        for (std::int64_t queue = kQueues; --queue > 0;) {
            const std::vector<UnderWay>& line = lines_[static_cast<std::size_t>(queue)];
            for (std::size_t one = 0; one < line.size(); ++one)
                if (needs(at, *line[one].work)) needed[queue] = one + 1;
            if (line.empty()) empty = queue;
        }
        std::int64_t queue = 0;
        if (found != work_.end() && runs_with_others(at, found->second))
            queue = needed.size() == 1 ? needed.begin()->first : needed.empty() ? empty : 0;
        for (const auto& [other, count] : needed)
            if (other != queue) await(other, count, at);
        if (queue == 0) return;
        Work& work = found->second;
        *work.queued = {queue, names_.fresh(work.event)};
        events_[steps_[at].top].push_back(work.queued->event);
        lines_[static_cast<std::size_t>(queue)].push_back({&work, work.queued->event});
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
    std::map<std::size_t, Work> work_;  ///< By step, as are the next.
    std::map<std::size_t, Known> known_;
    std::array<std::vector<UnderWay>, kQueues> lines_;                 ///< By queue: what is on it and nobody has waited for.
    std::map<std::string, Space> spaces_;                              ///< Of buffers that the whole program sees.
    std::set<std::string> shared_;                                     ///< What another name reaches.
    std::map<std::size_t, std::vector<std::string>> events_, awaits_;  ///< In front of statements of the program, and of steps.
};

}  // namespace

void overlap_on_device(Module& module) {
    Overlap(module).run();
}

}  // namespace sluice::loop
