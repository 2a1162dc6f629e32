// R1 what is copied in is what the block may read, and what it may leave as it was of what is copied out. R2 what is copied out is
// all that it may write. R3 a region is one run in memory, within the array, whether the block's accesses happen or not.
#include "transform/device/host_regions.h"

#include <algorithm>

#include "analysis/access_sets.h"
#include "analysis/symbols.h"
#include "ir/builder.h"
#include "ir/query.h"
#include "ir/walk.h"

namespace sluice::transform {

namespace {

using symbolic::Expr;
using symbolic::Range;
using symbolic::Subset;

/// The block as a program of its own.
ir::Sdfg alone(const ir::Sdfg& sdfg, const ir::Block& block) {
    ir::Sdfg made = sdfg;
    made.body = {};
    made.body.start = ir::add_block(made.body, ir::Block(block));
    return made;
}

bool uses_views(const ir::Sdfg& sdfg) {
    bool found = false;
    ir::for_each_state(sdfg.body, [&](const ir::State& state) {
        for (const auto& [id, node] : state.nodes)
            if (const auto* access = std::get_if<ir::Access>(&node.kind))
                if (const ir::Container* container = ir::find_container(sdfg, access->data))
                    found = found || container->binding != ir::Binding::Own;
    });
    return found;
}

bool is_in_c_order(const ir::Container& container) {
    const auto* array = std::get_if<ir::Array>(&container.kind);
    if (!array || !std::ranges::all_of(array->offset, [](const Expr& e) { return e.is_integer(0); })) return false;
    Expr stride = 1;
    for (std::size_t d = array->strides.size(); d-- > 0; stride = stride * container.shape[d])
        if (!(array->strides[d] == stride)) return false;
    return true;
}

class Regions {
public:
    Regions(const ir::Sdfg& sdfg, const ir::Sdfg& part) : sdfg_(sdfg), known_(analysis::assumptions_of(sdfg)) {
        accesses_ = analysis::accesses_of(part, known_);
        for (const std::string& name : ir::assigned_symbols(part)) changing_.insert(name);
    }

    HostRegion of(const std::string& name, bool written) const {
        const ir::Container& container = sdfg_.containers.at(name);
        const Subset whole = Subset::extents(container.shape);
        HostRegion all{.in = whole, .out = written ? std::optional(whole) : std::nullopt};
        const auto read = accesses_.reads.find(name), write = accesses_.writes.find(name);
        const bool has_read = read != accesses_.reads.end(), has_write = write != accesses_.writes.end();
        if ((!has_read && !has_write) || has_write != written) return all;
        HostRegion region;
        if (has_write) {
            region.out = run(write->second, container);
            if (!region.out) return all;
            const bool overwritten = write->second.exact && write->second.must && *region.out == write->second.subset;
            if (!overwritten) region.in = region.out;
        }
        if (has_read) {
            const auto reads = run(read->second, container);
            if (!reads) return all;
            region.in =
                !region.in || *region.in == *reads
                    ? reads
                    : run({.subset = symbolic::hull_union(*region.in, *reads, known_), .exact = false, .must = true}, container);
            if (!region.in) return all;
        }
        return region;
    }

private:
    /// The run of memory around it, which lies within the array whatever it is; nullopt: not known.
    std::optional<Subset> run(const analysis::AccessSet& set, const ir::Container& container) const {
        if (!set.must || set.subset.rank() != container.shape.size() || !is_in_c_order(container)) return std::nullopt;
        for (const std::string& name : symbolic::free_symbols(set.subset))
            if (changing_.contains(name) || sdfg_.containers.contains(name)) return std::nullopt;
        Subset made;
        bool widens = false;
        for (std::size_t d = 0; d < set.subset.rank(); ++d) {
            const Expr& extent = container.shape[d];
            const Range& range = set.subset.dims[d];
            if (widens) {
                made.dims.push_back(Range::extent(extent));
            } else if (range.is_index()) {
                // Of no access at all the index may lie anywhere.
                if (!set.exact && !symbolic::is_yes(symbolic::decide(symbolic::less(0, extent), known_))) return std::nullopt;
                made.dims.push_back(set.exact ? range : Range::index(within(range.begin, extent - 1)));
            } else {
                if (!range.tile.is_integer(1) || !range.step.is_integer(1)) return std::nullopt;
                made.dims.push_back(set.exact ? range : Range{within(range.begin, extent), within(range.end, extent)});
                widens = true;
            }
        }
        return made;
    }
    Expr within(const Expr& e, const Expr& most) const {
        const auto holds = [&](const Expr& condition) { return symbolic::is_yes(symbolic::decide(condition, known_)); };
        const Expr low = holds(symbolic::less_equal(0, e)) ? e : symbolic::maximum(e, 0);
        return holds(symbolic::less_equal(low, most)) ? low : symbolic::minimum(low, most);
    }

    const ir::Sdfg& sdfg_;
    symbolic::Assumptions known_;
    analysis::Accesses accesses_;
    std::set<std::string> changing_;
};

}  // namespace

std::map<std::string, HostRegion> host_regions(const ir::Sdfg& sdfg, const ir::Block& block,
                                               const std::map<std::string, bool>& used) {
    const ir::Sdfg part = alone(sdfg, block);
    const bool views = uses_views(part);
    std::map<std::string, HostRegion> regions;
    std::optional<Regions> known;
    if (!views) known.emplace(sdfg, part);
    for (const auto& [name, written] : used) {
        const ir::Container& container = sdfg.containers.at(name);
        if (known && std::holds_alternative<ir::Array>(container.kind))
            regions[name] = known->of(name, written);
        else
            regions[name] = {.in = Subset::extents(container.shape), .out = Subset::extents(container.shape)};
        if (!written) regions[name].out.reset();
    }
    return regions;
}

}  // namespace sluice::transform
