// Commands that need the whole algorithm: once all are recorded, definitions are changed to what they ask for.
#include <fmt/format.h>

#include <algorithm>

#include "poly/bounds.h"
#include "schedule/program.h"

namespace sluice::schedule {

using symbolic::Expr;

namespace {

std::string fresh(const Program& program, const std::string& base) {
    const auto taken = [&](const std::string& name) {
        return program.constants.contains(name) || program.storage.contains(name) || program.find(name) ||
               std::ranges::any_of(program.definitions, [&](const Definition& of) {
                   return std::ranges::find(of.iterators, name) != of.iterators.end();
               });
    };
    std::string name = base;
    for (int k = 0; taken(name); ++k) name = fmt::format("{}_{}", base, k);
    return name;
}

bool reads(const Definition& reader, const std::string& producer) {
    return std::ranges::any_of(reader.reads, [&](const Read& read) { return read.of == producer; });
}

bool has_updates(const Program& program, std::size_t number) {
    return std::ranges::any_of(program.definitions, [&](const Definition& of) { return of.target == number; });
}

// ---- inline -----------------------------------------------------------------------------------------------------------------

void inline_all(Program& program, const std::set<std::string>& outputs) {
    for (std::size_t at = 0; at < program.definitions.size(); ++at) {
        const Definition producer = program.definitions[at];
        if (!producer.is_inlined) continue;
        const auto never = [&](const std::string& why) {
            refuse("M004", fmt::format("`{}` cannot be inlined: {}", producer.name, why), "Take the command away.");
        };
        if (outputs.contains(producer.name)) never("it is an output");
        if (reads(producer, producer.name)) never("it reads itself");
        if (has_updates(program, at)) never("it has updates");
        if (!producer.guard.empty()) never("data leave points out");
        if (!producer.prefetches.empty()) never("it is to prefetch");
        const poly::Map plain = poly::Map::prefix({.tuple = producer.name, .dims = producer.iterators},
                                                  static_cast<unsigned>(producer.iterators.size()));
        if (producer.order || producer.computed_at || producer.levels != producer.iterators || !producer.parallel.empty() ||
            !producer.buffer.empty() || program.wishes.contains(producer.name) || producer.layout != own_point(producer) ||
            producer.times.is_equal(plain) != poly::Answer::Yes)
            never("other commands give it loops or memory of its own");
        if (std::ranges::none_of(program.definitions, [&](const Definition& of) { return reads(of, producer.name); }))
            never("nobody reads it");
        for (Definition& reader : program.definitions) {
            if (!reads(reader, producer.name)) continue;
            if (!producer.bounds_inferred) check_domain(program, reader, producer);
            reader.value = inlined(reader.value, producer);
            if (!reader.guard.empty()) reader.guard = inlined(reader.guard, producer);
            read_value(program, reader);
        }
        for (const Definition& other : program.definitions)
            if (other.order && other.order->other == at) never(fmt::format("`{}` is ordered behind it", other.name));
        program.definitions[at].reads.clear();
        program.definitions[at].pieces.clear();
    }
}

// ---- bounds -----------------------------------------------------------------------------------------------------------------

/// The extents of memory for the layout of a domain that begins at 0.
std::vector<Expr> extents_of(const Program& program, const Definition& of, const poly::Map& layout) {
    const poly::Set touched = layout.intersect_parameters(program.context()).range();
    std::vector<Expr> extents;
    for (unsigned at = 0; at < touched.dimensions(); ++at) {
        if (const auto constant = poly::constant_greatest(touched, at)) {
            extents.emplace_back(*constant + 1);
            continue;
        }
        const poly::Affine last = poly::greatest(touched, at);
        const auto expression = last.known() ? poly::to_expression(last, {}) : std::nullopt;
        if (!expression)
            refuse("M006", fmt::format("`{}` has no memory: the extents of its indices are not known", of.name),
                   "Store it in a buffer.");
        extents.push_back(*expression + 1);
    }
    return extents;
}

}  // namespace

poly::Set with_points_read(const Program& program, const Definition& of) {
    poly::Set all = of.domain;
    for (const Definition& reader : program.definitions)
        for (const Read& read : reader.reads)
            if (read.of == of.name && &reader != &of && !reader.is_inlined) all = all.unite(program.points(reader, read).range());
    return all;
}

namespace {

void infer_all(Program& program) {
    for (std::size_t number = program.definitions.size(); number-- > 0;) {
        Definition& of = program.definitions[number];
        if (!of.bounds_inferred || of.computed_at) continue;
        const poly::Set all = with_points_read(program, of);
        if (!of.distributed.empty()) of.shared = of.domain;
        of.domain = all.coalesce();
        of.extents.clear();
        read_value(program, of);
    }
}

/// Memory of what has blocks holds all of them.
void keep_extents(Program& program) {
    for (Definition& of : program.definitions)
        if (of.blocks && !of.target && of.extents.empty()) of.extents = extents_of(program, of, affine_map(of, of.layout, of.name));
}

// ---- compute_at -------------------------------------------------------------------------------------------------------------

/// Those who run in the loops of a computation down to a depth.
std::set<std::size_t> within(const Program& program, const Loop& loop) {
    std::set<std::size_t> all{loop.of};
    for (bool grown = true; grown;) {
        grown = false;
        for (std::size_t at = 0; at < program.definitions.size(); ++at) {
            const auto& order = program.definitions[at].order;
            if (!order || order->shared < loop.depth || all.contains(at) == all.contains(order->other)) continue;
            all.insert(at);
            all.insert(order->other);
            grown = true;
        }
    }
    return all;
}

class Placement {
public:
    explicit Placement(Program& program) : program_(program) {}

    void run() {
        for (;;) {
            std::optional<std::size_t> next;
            bool pending = false;
            for (std::size_t at = 0; at < program_.definitions.size(); ++at) {
                if (!program_.definitions[at].computed_at || done_.contains(at)) continue;
                pending = true;
                if (is_ready(at)) next = at;
            }
            if (!pending) return;
            if (!next) refuse("M004", "computations are computed at loops of each other in a circle", "Take one compute_at away.");
            place(*next);
            done_.insert(*next);
        }
    }

    /// The symbols of the iterations of a loop.
    std::vector<std::string> symbols(const Loop& loop) {
        std::vector<std::string> names;
        for (unsigned at = 0; at < loop.depth; ++at) {
            auto& name = symbols_[{loop.of, at}];
            if (name.empty()) {
                std::string level = program_.definitions[loop.of].levels[at];
                std::ranges::replace(level, '.', '_');
                name = fresh(program_, fmt::format("{}_{}", program_.definitions[loop.of].name, level));
            }
            names.push_back(name);
        }
        return names;
    }

private:
    bool is_ready(std::size_t at) const {
        const Definition& of = program_.definitions[at];
        const auto waits = [&](std::size_t other) { return program_.definitions[other].computed_at && !done_.contains(other); };
        if (waits(of.computed_at->of)) return false;
        for (std::size_t reader = 0; reader < program_.definitions.size(); ++reader)
            if (reader != at && reads(program_.definitions[reader], of.name) && waits(reader)) return false;
        return true;
    }

    [[noreturn]] static void never(const Definition& of, const std::string& why, const std::string& remedy) {
        refuse("M004", fmt::format("`{}` cannot be computed in a loop of another: {}", of.name, why), remedy);
    }

    void place(std::size_t number) {
        const Loop loop = *program_.definitions[number].computed_at;
        const std::vector<std::string> around = symbols(loop);
        Definition& of = program_.definitions[number];
        const std::string& consumer = program_.definitions[loop.of].name;
        const std::set<std::size_t> here = within(program_, loop);
        if (program_.wishes.contains(of.name) && program_.wishes.at(of.name).allocated)
            of.stored_at = program_.wishes.at(of.name).allocated;
        if (of.stored_at && (of.stored_at->of != loop.of || of.stored_at->depth > loop.depth))
            never(of, "its memory is allocated in another loop", "Allocate it in this loop or in one around it.");
        if (of.stored_at && !of.buffer.empty())
            never(of, fmt::format("it is stored in `{}` and in memory of its own", of.buffer), "Take store_in or store_at away.");
        if (reads(of, of.name)) never(of, "it reads itself", "Compute it before.");
        if (of.order) never(of, "another command says behind whom it runs", "Take after, before or then away.");
        for (std::size_t at = 0; at < program_.definitions.size(); ++at) {
            const Definition& other = program_.definitions[at];
            if (other.order && other.order->other == number && other.target != number)
                never(of, fmt::format("`{}` is ordered behind it", other.name), "Order that behind the consumer.");
        }
        // What an iteration reads.
        poly::Map needed;
        for (std::size_t at = 0; at < program_.definitions.size(); ++at)
            for (Read& read : program_.definitions[at].reads) {
                if (read.of != of.name) continue;
                const Definition& reader = program_.definitions[at];
                if (!here.contains(at))
                    never(of, fmt::format("`{}` reads it and does not run in these loops of `{}`", reader.name, consumer),
                          "Order the reader in them, or name a loop that all readers share.");
                const poly::Map some = program_.iterations(reader, loop.depth).reverse().then(program_.points(reader, read));
                needed = needed.known() ? needed.unite(some) : some;
            }
        if (!needed.known()) never(of, "nobody reads it", "Take the command away.");
        needed = needed.coalesce();
        if (!of.is_box) needed = needed.intersect_range(of.domain);
        for (std::size_t at = 0; at < program_.definitions.size(); ++at)
            for (Read& read : program_.definitions[at].reads)
                if (read.of == of.name) read.around = around;
        // Updates first: they need the target as it was.
        std::size_t last = number;
        for (std::size_t at = 0; at < program_.definitions.size(); ++at) {
            Definition& update = program_.definitions[at];
            if (update.target != number) continue;
            if (update.order && update.order->other != number) never(of, "its updates have an order", "Take that away.");
            const unsigned shared = update.order ? update.order->shared : 0;
            enclose(update, needed.then(program_.element(update).reverse()), around);
            share_with_threads(update, program_.definitions[loop.of], loop);
            std::vector<Expr> element;
            for (const std::string& symbol : around) element.push_back(symbolic::symbol(symbol));
            element.insert(element.end(), update.element_indices.begin(), update.element_indices.end());
            update.element_indices = std::move(element);
            update.order = Order{number, loop.depth + shared};
            last = at;
        }
        enclose(of, needed, around);
        share_with_threads(of, program_.definitions[loop.of], loop);
        of.element_indices = own_point(of);
        of.layout = shifted(of, loop);
        if (of.buffer.empty()) of.extents.clear();
        put_before(number, last, loop);
    }

    /// The instances run in each of these iterations, in loops of their own.
    void enclose(Definition& of, const poly::Map& instances, const std::vector<std::string>& around) {
        std::vector<std::string> all, own, outer;
        for (std::size_t at = 0; at < around.size(); ++at) outer.push_back(fmt::format("p{}", at));
        for (std::size_t at = 0; at < of.iterators.size(); ++at) own.push_back(fmt::format("x{}", at));
        all = outer;
        all.insert(all.end(), own.begin(), own.end());
        const auto map = [&](const std::vector<std::string>& to, const std::string& tuple) {
            return poly::Map::parse(
                fmt::format("{{ {}[{}] -> {}[{}] }}", of.name, fmt::join(all, ", "), tuple, fmt::join(to, ", ")));
        };
        of.times = poly::range_product(map(outer, ""), map(own, of.name).then(of.times));
        of.domain = instances.flatten().with_tuple(of.name).coalesce();
        std::vector<std::string> levels;
        for (const std::string& symbol : around) levels.push_back("at." + symbol);
        of.levels.insert(of.levels.begin(), levels.begin(), levels.end());
        of.iterators.insert(of.iterators.begin(), around.begin(), around.end());
        read_value(program_, of);
    }

    /// What a block of a device computes for its threads, these compute together.
    static void share_with_threads(Definition& of, const Definition& consumer, const Loop& loop) {
        std::size_t threads = 0;
        for (const auto& [level, kind] : consumer.device) {
            const auto at = static_cast<std::size_t>(std::ranges::find(consumer.levels, level) - consumer.levels.begin());
            if (kind == analysis::LoopKind::BlockThreads && at < loop.depth) return;
            if (kind == analysis::LoopKind::BlockThreads) ++threads;
        }
        for (std::size_t at = loop.depth; at < std::min(of.levels.size(), loop.depth + threads); ++at) {
            of.parallel.insert(of.levels[at]);
            of.device[of.levels[at]] = analysis::LoopKind::BlockThreads;
        }
    }

    /// Memory of its own holds what one iteration needs, from the first point on.
    std::vector<Expr> shifted(Definition& of, const Loop& loop) {
        if (!of.buffer.empty()) return of.layout;
        const Loop stored = of.stored_at.value_or(loop);
        const auto count = static_cast<unsigned>(of.iterators.size() - loop.depth);
        poly::Map points =
            poly::Map::prefix({.tuple = of.name, .dims = of.iterators}, stored.depth).intersect_domain(of.domain).reverse();
        symbolic::Substitution from_first;
        const std::vector<std::string> around = symbols(stored);
        for (unsigned at = 0; at < count; ++at) {
            const poly::Affine first = poly::least(points, loop.depth + at);
            const auto expression = first.known() ? poly::to_expression(first, {.tuple = {}, .dims = around}) : std::nullopt;
            if (!expression)
                refuse("M007", fmt::format("where the points of `{}` that an iteration needs begin is not known", of.name),
                       "Store it in a buffer.");
            const std::string& iterator = of.iterators[loop.depth + at];
            from_first.emplace(iterator, symbolic::symbol(iterator) - *expression);
        }
        std::vector<Expr> layout;
        for (const Expr& index : of.layout) layout.push_back(symbolic::substitute(index, from_first));
        of.stored_at = stored;
        return layout;
    }

    /// Before the first in the loop that reads it.
    void put_before(std::size_t number, std::size_t last, const Loop& loop) {
        std::size_t first = loop.of, at = loop.of;
        while (program_.definitions[at].order && program_.definitions[at].order->shared >= loop.depth) {
            const Order order = *program_.definitions[at].order;
            at = order.other;
            if (order.shared > loop.depth || reads(program_.definitions[at], program_.definitions[number].name)) first = at;
        }
        program_.definitions[number].order = program_.definitions[first].order;
        program_.definitions[first].order = Order{last, loop.depth};
        if (auto& order = program_.definitions[number].order) order->shared = std::min(order->shared, loop.depth);
    }

    Program& program_;
    std::set<std::size_t> done_;
    std::map<std::pair<std::size_t, unsigned>, std::string> symbols_;
};

// ---- memory -----------------------------------------------------------------------------------------------------------------

/// Every computation in memory: each that was not stored has elements of its own.
void store(Program& program) {
    for (Definition& of : program.definitions) {
        if (of.target || of.is_inlined) continue;
        if (!of.buffer.empty()) {
            if (program.wishes.contains(of.name))
                refuse(
                    "M004",
                    fmt::format("`{}` has a size or an allocation for memory of its own and is stored in `{}`", of.name, of.buffer),
                    fmt::format("Say it of `{}`.", of.buffer));
            continue;
        }
        of.buffer = of.name;
        const Wish wish = program.wishes.contains(of.name) ? program.wishes.at(of.name) : Wish{};
        Storage made{.name = of.name, .shape = wish.shape, .type = of.type};
        made.allocated = wish.allocated ? wish.allocated : of.stored_at;
        made.memory = wish.memory.value_or(ir::Storage::Default);
        if (made.shape.empty()) made.shape = of.extents;
        if (made.shape.size() != of.layout.size()) made.shape = extents_of(program, of, affine_map(of, of.layout, of.buffer));
        if (!wish.shape.empty() && wish.shape.size() != of.layout.size())
            refuse("M004", fmt::format("`{}` gets {} extents", of.name, wish.shape.size()),
                   fmt::format("It has {}.", of.layout.size()));
        program.storage.emplace(of.name, std::move(made));
    }
}

/// Whoever uses memory that iterations allocate runs in that loop.
void expect_within(const Program& program) {
    for (const auto& [name, storage] : program.storage) {
        if (!storage.allocated) continue;
        const std::set<std::size_t> here = within(program, *storage.allocated);
        bool used = false;
        for (std::size_t at = 0; at < program.definitions.size(); ++at) {
            const Definition& of = program.definitions[at];
            bool uses = !of.is_inlined && program.original(of).buffer == name;
            for (const Read& read : of.reads)
                if (const Definition* producer = program.find(read.of)) uses = uses || (!of.is_inlined && producer->buffer == name);
            used = used || uses;
            if (uses && !here.contains(at))
                refuse("M004",
                       fmt::format("`{}` uses `{}`, which is allocated in a loop of `{}` in which it does not run", of.name, name,
                                   program.definitions[storage.allocated->of].name),
                       "Order it in that loop, or allocate in a loop that all users share.");
        }
        if (!used)
            refuse("M004", fmt::format("nothing is stored in `{}`, which a loop would allocate", name), "Take allocate_at away.");
    }
}

/// What iterations of blocks allocate is memory of the block; of its threads, theirs.
void keep_on_device(const Program& program, const std::string& name, Storage& storage) {
    std::size_t blocks = 0, threads = 0;
    if (storage.allocated) {
        const Definition& of = program.definitions[storage.allocated->of];
        for (unsigned at = 0; at < storage.allocated->depth; ++at)
            if (const auto kind = of.device.find(of.levels[at]); kind != of.device.end())
                (kind->second == analysis::LoopKind::Blocks ? blocks : threads) += 1;
    }
    const ir::Storage own = threads > 0 ? ir::Storage::Register : blocks > 0 ? ir::Storage::GPU_Shared : ir::Storage::GPU_Global;
    if (storage.memory == ir::Storage::Default) {
        if (blocks > 0) storage.memory = threads > 0 ? ir::Storage::Default : own;
        return;
    }
    if (storage.allocated && blocks + threads == 0 && storage.memory == ir::Storage::Register) {
        storage.memory = ir::Storage::Default;  // Of an iteration on a CPU.
        return;
    }
    if (storage.memory != own)
        refuse("M010",
               fmt::format("`{}` is tagged as memory of {}, and is allocated {}", name,
                           storage.memory == ir::Storage::GPU_Shared ? "a block"
                           : storage.memory == ir::Storage::Register ? "a thread"
                                                                     : "the device",
                           threads > 0  ? "by threads"
                           : blocks > 0 ? "by blocks"
                                        : "once"),
               "Allocate or compute it in the loops of blocks, or of threads, that it belongs to.");
}

}  // namespace

void resolve(Program& program, const std::set<std::string>& outputs) {
    inline_all(program, outputs);
    infer_all(program);
    keep_extents(program);
    keep_blocks(program);
    Placement placement(program);
    placement.run();
    for (const std::string& output : outputs)
        if (program.find(output)->computed_at)
            refuse("M004", fmt::format("the output `{}` would be computed in parts at another computation", output),
                   "Take compute_at away, or name another output.");
    store(program);
    expect_within(program);
    for (auto& [name, storage] : program.storage) {
        if (storage.allocated) storage.around = placement.symbols(*storage.allocated);
        keep_on_device(program, name, storage);
    }
    for (const std::string& output : outputs)
        if (program.storage.at(program.find(output)->buffer).allocated)
            refuse("M004", fmt::format("the output `{}` lies in memory that iterations allocate", output),
                   "Take allocate_at away.");
}

}  // namespace sluice::schedule
