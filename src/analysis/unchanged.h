// What was computed of the graphs that a thread asked about last, for as long as they do not change: analyses of a whole graph are
// asked for once for each of its loops.
//
// What is remembered keeps the graph that it describes. The graph is a value whose states are shared between copies, so that
// keeping it costs little, and that a state keeps its address as long as nobody edits it: whoever does gets a copy. An edit of
// anything else shows in the comparison of the graphs. So no answer outlives an edit, and nobody has to say that one took place.
#pragma once

#include <algorithm>
#include <list>

#include "ir/sdfg.h"

namespace sluice::analysis {

/// Of equal graphs: are their states the same objects?
bool same_states(const ir::Region& a, const ir::Region& b);

/// Values of one function of graphs. Who edits a state by a reference from before a question edits what is remembered, too: a value
/// may only depend on what such edits (decisions about nodes) leave as it is.
template <class Value> class OfUnchanged {
public:
    template <class Make> Value of(const ir::Sdfg& sdfg, const Make& make) {
        const auto found = std::ranges::find(latest_, &sdfg, &Entry::address);
        if (found != latest_.end() && found->graph == sdfg && same_states(found->graph.body, sdfg.body)) {
            latest_.splice(latest_.begin(), latest_, found);
        } else {
            if (found != latest_.end()) latest_.erase(found);
            Value value = make();
            latest_.push_front({&sdfg, sdfg, std::move(value)});
            if (latest_.size() > kMost) latest_.pop_back();
        }
        return latest_.front().value;
    }

private:
    struct Entry {
        const ir::Sdfg* address;
        ir::Sdfg graph;
        Value value;
    };
    static constexpr std::size_t kMost = 4;
    std::list<Entry> latest_;
};

}  // namespace sluice::analysis
