#include "target/carries.h"

#include "ir/walk.h"

namespace sluice::target {

namespace {

class Check {
public:
    explicit Check(const Target& target) : target_(target) {}
    std::vector<Diagnostic> found;

    void sdfg(const ir::Sdfg& graph, const std::string& path) {
        for (const auto& [name, container] : graph.containers) storage(name, container, path + "/" + name);
        ir::for_each_block(graph.body, [&](const ir::Block& block) {
            const std::string at = path + "/" + block.label;
            if (const auto* loop = std::get_if<ir::LoopRegion>(&block.kind))
                schedule("loop `" + block.label + "`", loop->schedule, target_.loops, block.metadata.where, at);
            if (const ir::State* inner = ir::as_state(block)) {
                schedule("state `" + block.label + "`", inner->schedule, target_.states, block.metadata.where, at);
                state(*inner, at);
            }
        });
    }

private:
    void state(const ir::State& state, const std::string& path) {
        const auto place = [&](ir::NodeId id) { return path + "/n" + std::to_string(id.value); };
        for (auto [id, node] : state.nodes) {
            const Span where = node.metadata.where;
            if (const auto* map = std::get_if<ir::MapEntry>(&node.kind))
                schedule("map `" + map->label + "`", map->schedule, target_.maps, where, place(id), "SetSchedule");
            if (const auto* consume = std::get_if<ir::ConsumeEntry>(&node.kind))
                schedule("consume scope `" + consume->label + "`", consume->schedule, target_.consumes, where, place(id));
            if (const auto* tasklet = std::get_if<ir::Tasklet>(&node.kind)) language(*tasklet, where, place(id));
            if (const auto* nested = std::get_if<ir::NestedSdfg>(&node.kind)) sdfg(*nested->sdfg, place(id));
        }
        for (auto [id, edge] : state.edges)
            if (!edge.memlet.empty())
                schedule("a copy of `" + edge.memlet.data + "`", edge.memlet.schedule, target_.copies, edge.memlet.metadata.where,
                         place(edge.src));
    }

    // `by`: the transformation that changes it, if there is one.
    void schedule(const std::string& what, ir::Schedule schedule, const std::vector<ir::Schedule>& carried, const Span& where,
                  const std::string& path, const std::string& by = {}) {
        if (holds(carried, schedule)) return;
        refuse("L001",
               what + " has schedule " + std::string(ir::to_string(schedule)) + ", which " + target_.phrase + " cannot carry out",
               where, path, "give it the schedule " + listed(carried) + (by.empty() ? "" : ", with " + by));
    }

    void storage(const std::string& name, const ir::Container& container, const std::string& path) {
        if (holds(target_.storages, container.storage)) return;
        refuse("L002",
               "container `" + name + "` lies in " + std::string(ir::to_string(container.storage)) + ", which " + target_.phrase +
                   " does not have",
               container.metadata.where, path, "let it lie in " + listed(target_.storages) + ", with SetStorage");
    }

    void language(const ir::Tasklet& tasklet, const Span& where, const std::string& path) {
        if (holds(target_.languages, tasklet.code.language)) return;
        refuse("L005", "a tasklet in " + std::string(ir::to_string(tasklet.code.language)) + " cannot run on " + target_.phrase,
               where, path, "write it in " + listed(target_.languages));
    }

    void refuse(std::string code, std::string message, const Span& where, const std::string& path, std::string remedy) {
        found.push_back({.code = std::move(code),
                         .message = std::move(message),
                         .where = where,
                         .path = path,
                         .remedy = std::move(remedy),
                         .notes = {}});
    }

    const Target& target_;
};

}  // namespace

std::vector<Diagnostic> violations(const ir::Sdfg& sdfg, const Target& target) {
    Check check(target);
    check.sdfg(sdfg, sdfg.name);
    return std::move(check.found);
}

}  // namespace sluice::target
