// D1 a launch stands on the host, in no parallel loop, team or section. D2 an axis loop stands in a launch, in none of its own
// axis. D3 what is for the host alone (heap memory, teams, lanes, streams, libraries, failures, timers) is not on the device.
// D4 in a launch buffers from outside lie in global memory, and variables from outside are only read. D5 the host reads and writes
// elements of its own memory only. D6 shared memory stands directly in a launch, with a constant size, global memory on the host's
// heap. D7 all threads of a block come to a barrier: it is in no branch, no while loop and no loop that threads share. D8 an
// argument lies where its parameter does, and functions of the device are called there. D9 a dataflow launch holds streams and then
// processing elements, which alone are named; each queue has a bound, one element that fills it and one that empties it. D10 a
// pipeline whose iterations begin a cycle apart hands nothing on from one to a later one. D11 a launch or copy on a queue of its
// own stands on the host, in nothing that runs at the same time, touches the device, and has an event of its own. D13 only updates
// of elements in a launch say what stood there, and only buffers of the device that were allocated grow, on the host.
#include "loop/verify_launches.h"

#include <algorithm>
#include <map>
#include <set>

#include "loop/origins.h"
#include "loop/passes/kernels.h"
#include "loop/passes/pipelines.h"
#include "loop/walk.h"

namespace sluice::loop {

namespace {

struct PlacedName {
    bool buffer = false;
    Space space = Space::Own;
    bool on_device = false;  ///< Declared in a launch or a function of the device.
    bool allocated = false;  ///< And no other name for a part of a buffer.
};
using PlacedNames = std::map<std::string, PlacedName>;

struct Around {
    bool launch = false, device = false;  ///< `device`: or a function of the device.
    bool concurrent = false;              ///< On the host.
    bool uniform = true;                  ///< All threads of a block come here together.
    bool directly = false;                ///< In the launch's own body.
    bool dataflow = false;                ///< In a launch of processing elements.
    bool axes[3] = {}, blocks[3] = {};    ///< That threads, or blocks, share.
};

class LaunchVerifier {
public:
    explicit LaunchVerifier(const Module& module) : module_(module) {
        function_ = module.program.name;
        for (const ConstantTable& table : module.constants) {
            globals_[table.name] = {!table.scalar, Space::Own, true};
            if (table.space == Space::Constant) constant_bytes_ += bytes_of(table);
        }
        for (const Function& f : module.functions) {
            function(f);
            functions_[f.name] = &f;
        }
        for (const Allocate& buffer : module.persistent) {
            globals_[buffer.name] = {true, buffer.space, false};
            if (buffer.space != Space::Own) report("D6", "persistent buffer " + buffer.name + " lies on the device");
        }
        function(module.program);
        if (constant_bytes_ > kConstantBytes) report("D12", "the constants take " + std::to_string(constant_bytes_) + " bytes");
    }
    std::vector<std::string> violations;

private:
    void report(const char* rule, const std::string& sentence) {
        violations.push_back(function_ + ": " + sentence + " (" + rule + ")" + from_where(module_, at_));
    }
    void function(const Function& f) {
        function_ = f.name;
        events_.clear();
        PlacedNames names = globals_;
        for (const Parameter& p : f.parameters) names[p.name] = {p.kind == Parameter::Kind::Buffer, p.space, f.on_device};
        Around around;
        around.device = f.on_device;
        around.uniform = false;
        body(f.body, names, around);
    }
    void body(const Body& statements, PlacedNames names, const Around& around) {
        const Statement* const outer = at_;
        for (const Statement& s : statements) {
            at_ = &s;
            for_each_value(s, [&](const ValuePtr& v) { value(v, names, around); });
            std::visit([&](const auto& n) { statement(n, names, around); }, s.node);
        }
        at_ = outer;
    }

    // ---- accesses ----
    void element(const std::string& buffer, const PlacedNames& names, const Around& around) {
        const auto found = names.find(buffer);
        if (found == names.end() || !found->second.buffer) return;
        if (!around.device && found->second.space != Space::Own)
            report("D5", "the host accesses an element of " + buffer + ", which lies on the device");
        reach(buffer, names, around);
    }
    void reach(const std::string& buffer, const PlacedNames& names, const Around& around) {
        const auto found = names.find(buffer);
        if (found == names.end() || !found->second.buffer) return;
        if (around.device && !found->second.on_device && !lies_on_device(found->second.space))
            report("D4", "a launch accesses " + buffer + ", which lies on the host");
    }
    /// Constants are the host's to set.
    void written(const std::string& buffer, const PlacedNames& names, const Around& around) {
        const auto found = names.find(buffer);
        if (found != names.end() && around.device && found->second.space == Space::Constant)
            report("D4", "a launch writes " + buffer + ", which lies in the memory of constants");
    }
    void written(const ValuePtr& address, const PlacedNames& names, const Around& around) {
        if (around.device && space_of(address, names) == Space::Constant) report("D4", "a launch writes the memory of constants");
    }
    void assigned(const std::string& variable, const PlacedNames& names, const Around& around) {
        const auto found = names.find(variable);
        if (found != names.end() && around.device && !found->second.on_device)
            report("D4", "a launch assigns " + variable + ", a variable of the host");
    }
    void expr(const symbolic::Expr& e, const PlacedNames& names, const Around& around) {
        if (e.kind() == symbolic::Kind::Call && !e.operands().empty() && e.operands()[0].is_symbol())
            element(e.operands()[0].name(), names, around);
        for (const symbolic::Expr& operand : e.operands()) expr(operand, names, around);
    }
    void value(const ValuePtr& v, const PlacedNames& names, const Around& around) {
        if (!v) return;
        if (const auto* n = std::get_if<Load>(&v->node)) element(n->buffer, names, around);
        if (const auto* n = std::get_if<Address>(&v->node)) reach(n->buffer, names, around);
        if (const auto* n = std::get_if<Index>(&v->node)) expr(n->expr, names, around);
        if (std::holds_alternative<StreamSize>(v->node)) host_only("the number of elements in a stream", around);
        for_each_operand(*v, [&](const ValuePtr& operand) { value(operand, names, around); });
    }
    static Space space_of(const ValuePtr& address, const PlacedNames& names) {
        if (!address) return Space::Own;
        if (const auto* n = std::get_if<Cast>(&address->node)) return space_of(n->operand, names);
        const auto* n = std::get_if<Address>(&address->node);
        const auto found = n ? names.find(n->buffer) : names.end();
        return found == names.end() ? Space::Own : found->second.space;
    }
    void stream(const Around& around) {
        if (!around.dataflow) host_only("a stream", around);
    }
    void host_only(const std::string& what, const Around& around) {
        if (around.device) report("D3", what + " is on the device");
    }

    // ---- statements ----
    void statement(const Declare& n, PlacedNames& names, const Around& around) {
        names[n.name] = {false, Space::Own, around.device};
    }
    void statement(const Assign& n, PlacedNames& names, const Around& around) { assigned(n.name, names, around); }
    void statement(const Store& n, PlacedNames& names, const Around& around) {
        element(n.buffer, names, around);
        written(n.buffer, names, around);
    }
    void statement(const Update& n, PlacedNames& names, const Around& around) {
        if (n.index) written(n.buffer, names, around);
        n.index ? element(n.buffer, names, around) : assigned(n.buffer, names, around);
        if (n.before.empty()) return;
        assigned(n.before, names, around);
        if (!around.device || !n.index || n.conflict == Conflict::CompareExchange || n.conflict == Conflict::Critical)
            report("D13", "the update of " + n.buffer + " says what stood there, and is none of an element in a launch");
    }
    void statement(const Grow& n, const PlacedNames& names, const Around& around) {
        host_only("a buffer that grows", around);
        const auto found = names.find(n.buffer);
        if (found != names.end() && !(found->second.space == Space::Global && found->second.allocated) && !around.device)
            report("D13", n.buffer + " grows and is no buffer of the device that was allocated here");
    }
    void statement(const Allocate& n, PlacedNames& names, const Around& around) {
        names[n.name] = {true, n.space, around.device, true};
        const bool registers = n.place == Place::Registers && around.dataflow;
        if (around.device && n.place != Place::Stack && !registers)
            report("D3", "memory of the heap for " + n.name + " is on the device");
        if (n.space == Space::Shared && (!around.directly || !n.size.constant()))
            report("D6", "the shared buffer " + n.name + " does not stand directly in a launch with a constant size");
        if (n.space != Space::Own && (n.place == Place::Pinned || n.place == Place::Mapped))
            report("D6", n.name + " is memory of the host that lies on the device");
        if (around.concurrent && n.place == Place::Mapped) report("D6", "several threads map the file of " + n.name);
        if (!n.bank.empty() && n.space != Space::Global) report("D6", n.name + " names a bank and lies in no memory of the device");
        if (lies_on_device(n.space) && (around.device || n.place != Place::Heap))
            report("D6", "global memory for " + n.name + " is not taken by the host from the heap");
        if (n.space == Space::Constant) constant(n, around);
    }
    void constant(const Allocate& n, const Around& around) {
        const auto size = n.size.constant();
        if (!size) report("D6", n.name + " lies in the memory of constants and has no constant size");
        if (around.concurrent) report("D6", "several threads take memory of constants for " + n.name);
        if (!constants_.insert(n.name).second) report("D6", "two buffers in the memory of constants have the name " + n.name);
        constant_bytes_ += size.value_or(0) * static_cast<std::int64_t>(code::size_in_bytes(n.type));
    }
    void statement(const Alias& n, PlacedNames& names, const Around& around) {
        names[n.name] = {true, space_of(n.address, names), around.device};
    }
    void statement(const Prefetch& n, const PlacedNames& names, const Around& around) {
        host_only("a prefetch", around);
        if (!around.device && space_of(n.address, names) != Space::Own) report("D5", "the host prefetches memory of the device");
    }
    void statement(const ZeroFill& n, const PlacedNames& names, const Around& around) { written(n.destination, names, around); }
    void statement(const CopyContiguous& n, const PlacedNames& names, const Around& around) {
        written(n.destination, names, around);
        if (!n.queued) return;
        queued(n.queued, around);
        if (space_of(n.source, names) != Space::Global && space_of(n.destination, names) != Space::Global)
            report("D11", "the copy of event " + n.queued.event + " touches nothing of the device");
    }
    void queued(const Queued& n, const Around& around) {
        host_only("a queue", around);
        if (around.concurrent) report("D11", "what has the event " + n.event + " is not the host's alone");
        if (n.queue < 0 || n.queue >= kQueues) report("D11", "what has the event " + n.event + " is on a queue that there is not");
        if (!events_.insert(n.event).second) report("D11", "two statements have the event " + n.event);
    }
    void statement(const Event&, const PlacedNames&, const Around& around) { host_only("an event", around); }
    void statement(const Await&, const PlacedNames&, const Around& around) { host_only("an event", around); }
    void statement(const Rebind& n, PlacedNames& names, const Around& around) {
        if (space_of(n.address, names) != names[n.name].space) report("D8", n.name + " is bound to memory of another space");
        reach(n.name, names, around);
    }
    void statement(const For& n, const PlacedNames& names, Around around) {
        for (const symbolic::Expr* e : {&n.begin, &n.end, &n.step}) expr(*e, names, around);
        around.directly = false;
        if (n.mode == LoopMode::Parallel || n.mode == LoopMode::Simd) {
            host_only("a loop of threads or lanes", around);
            around.concurrent = around.concurrent || n.mode == LoopMode::Parallel;
        }
        if (n.mode == LoopMode::Axis) axis(n, around);
        if (n.mode == LoopMode::Pipeline && n.interval == 1)
            if (const auto carried = carried_by(n))
                report("D10", "pipeline " + n.variable + " hands " + *carried + " on and has interval 1");
        PlacedNames inner = names;
        inner[n.variable] = {false, Space::Own, around.device};
        body(n.body, std::move(inner), around);
    }
    void axis(const For& n, Around& around) {
        if (!around.launch) return report("D2", "axis loop " + n.variable + " stands outside of a launch");
        if (n.axis > 2) return report("D2", "axis loop " + n.variable + " runs along no axis");
        const bool threads = n.level != AxisLevel::Block, blocks = n.level != AxisLevel::Thread;
        if ((threads && around.axes[n.axis]) || (blocks && around.blocks[n.axis]))
            report("D2", "axis loop " + n.variable + " stands in another of its axis");
        around.axes[n.axis] = around.axes[n.axis] || threads;
        around.blocks[n.axis] = around.blocks[n.axis] || blocks;
        around.uniform = around.uniform && !threads;
    }
    void statement(const Launch& n, const PlacedNames& names, const Around& around) {
        for (const auto* of : {&n.grid, &n.block})
            for (const symbolic::Expr& e : *of) expr(e, names, around);
        if (around.device || around.concurrent) report("D1", "the launch of " + n.kernel + " is not the host's alone");
        if (!kernels_.emplace(n.kernel, true).second) report("D1", "two launches have the name " + n.kernel);
        if (n.queued) queued(n.queued, around);
        if (n.queued && n.dataflow) report("D11", "the dataflow launch of " + n.kernel + " is on a queue");
        Around inner;
        inner.launch = inner.device = inner.directly = true;
        inner.dataflow = n.dataflow;
        body(n.body, names, inner);
        if (n.dataflow) dataflow(n);
    }
    void dataflow(const Launch& n) {
        const auto extent = [](const std::array<Expr, 3>& of) {
            return std::ranges::all_of(of, [](const Expr& e) { return e.is_integer(1); });
        };
        if (!extent(n.grid) || !extent(n.block)) report("D9", "the dataflow launch of " + n.kernel + " has a grid");
        for (std::size_t at = 0; at < n.body.size(); ++at) {
            const auto* stream = std::get_if<AllocateStream>(&n.body[at].node);
            const auto* elements = std::get_if<ParallelSections>(&n.body[at].node);
            if (stream && (!stream->capacity.constant() || *stream->capacity.constant() < 1))
                report("D9", "stream " + stream->name + " has no bound");
            if (!stream && !(elements && !elements->names.empty() && at + 1 == n.body.size()))
                report("D9", "the dataflow launch of " + n.kernel + " holds something else than streams and elements");
            if (!elements) continue;
            for (const std::string& name : elements->names)
                if (!kernels_.emplace(name, true).second) report("D9", "two processing elements have the name " + name);
            for (const std::string& end : ends_in_common(*elements)) report("D9", end);
        }
    }
    void statement(const While& n, const PlacedNames& names, Around around) {
        around.uniform = around.directly = false;
        body(n.body, names, around);
    }
    void statement(const If& n, const PlacedNames& names, Around around) {
        around.uniform = around.directly = false;
        body(n.then_body, names, around);
        body(n.else_body, names, around);
    }
    void statement(const Block& n, const PlacedNames& names, Around around) {
        around.directly = false;
        body(n.body, names, around);
    }
    void statement(const Barrier&, const PlacedNames&, const Around& around) {
        if (around.device && !around.uniform) report("D7", "not every thread of a block comes to a barrier");
    }
    void concurrent(const Body& statements, const std::string& what, const PlacedNames& names, Around around) {
        host_only(what, around);
        around.concurrent = true;
        body(statements, names, around);
    }
    void statement(const ParallelSections& n, const PlacedNames& names, Around around) {
        if (around.dataflow && around.directly) {
            around.directly = false;
            for (const Body& section : n.sections) body(section, names, around);
            return;
        }
        if (!n.names.empty()) report("D9", "processing elements stand outside of a dataflow launch");
        for (const Body& section : n.sections) concurrent(section, "a section", names, around);
    }
    void statement(const ParallelRegion& n, const PlacedNames& names, const Around& around) {
        concurrent(n.body, "a team", names, around);
    }
    void statement(const Consume& n, const PlacedNames& names, const Around& around) {
        concurrent(n.body, "a consume scope", names, around);
    }
    void statement(const Timed& n, const PlacedNames& names, const Around& around) {
        host_only("a timer", around);
        body(n.body, names, around);
    }
    void statement(const Invoke& n, const PlacedNames& names, const Around& around) {
        const auto callee = functions_.find(n.function);
        if (callee == functions_.end()) return;
        const Function& f = *callee->second;
        if (f.on_device != around.device)
            report("D8", std::string(around.device ? "the device" : "the host") + " calls " + f.name + ", a function of the other");
        for (std::size_t at = 0; at < n.arguments.size() && at < f.parameters.size(); ++at)
            if (f.parameters[at].kind == Parameter::Kind::Buffer && space_of(n.arguments[at], names) != f.parameters[at].space)
                report("D8", "parameter " + f.parameters[at].name + " of " + f.name + " gets memory of another space");
    }
    void statement(const AllocateStream&, const PlacedNames&, const Around& around) { stream(around); }
    void statement(const Push&, const PlacedNames&, const Around& around) { stream(around); }
    void statement(const Pop&, const PlacedNames&, const Around& around) { stream(around); }
    void statement(const Drain&, const PlacedNames&, const Around& around) { host_only("a stream", around); }
    void statement(const Extern&, const PlacedNames&, const Around& around) { host_only("a library's function", around); }
    void statement(const Message&, const PlacedNames&, const Around& around) { host_only("a message", around); }
    void statement(const WaitFor&, const PlacedNames&, const Around& around) { host_only("a message", around); }
    void statement(const Collective&, const PlacedNames&, const Around& around) { host_only("a message", around); }
    void statement(const Fail&, const PlacedNames&, const Around& around) { host_only("a failure", around); }
    template <class Other> void statement(const Other&, const PlacedNames&, const Around&) {}

    const Module& module_;
    std::string function_;
    const Statement* at_ = nullptr;  ///< What a sentence is about.
    PlacedNames globals_;
    std::map<std::string, const Function*> functions_;
    std::map<std::string, bool> kernels_;
    std::int64_t constant_bytes_ = 0;
    std::set<std::string> constants_;  ///< Buffers in their memory.
    std::set<std::string> events_;     ///< Of the function's launches and copies.
};

}  // namespace

std::vector<std::string> verify_launches(const Module& module) {
    if (!uses_device(module)) return {};
    return LaunchVerifier(module).violations;
}

}  // namespace sluice::loop
