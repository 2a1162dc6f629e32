// V1 a computation is read where it is defined.  V2 each value is computed before it is read.  V3 between the two nothing else is
// stored in its place; results are there at the end.  V4 what is read and stored lies within the memory.
#include <fmt/format.h>

#include <algorithm>

#include "poly/bounds.h"
#include "poly/schedule.h"
#include "schedule/program.h"
#include "schedule/witness.h"

namespace sluice::schedule {

using poly::Answer;
using poly::UnionMap;

namespace {

constexpr const char* kKeepWithin =
    "Keep the index that data decide within: `min(max(index, 0), N - 1)`, or `x[index] if 0 <= index < N else 0.0`.";

void inside(const Program& program, const Definition& reader, const poly::Map& points, const Definition& producer, const char* what,
            const char* remedy = "Make the domain of the producer larger or that of the consumer smaller.") {
    const poly::Set here = producer.received ? producer.domain.unite(*producer.received) : producer.domain;
    const poly::Map outside = points.intersect_parameters(program.context()).subtract(poly::Map::product(reader.domain, here));
    expect_answer(outside.is_empty(), "what lies outside of a domain");
    if (outside.is_empty() == Answer::Yes) return;
    const auto pair = outside.sample();
    if (!pair) expect_answer(Answer::Unknown, "what lies outside of a domain");
    refuse("M003",
           fmt::format("{} {} {}, which lies outside of the domain of `{}`{}", instance(reader.name, pair->from), what,
                       instance(producer.name, pair->to), producer.name, with(pair->parameters)),
           remedy);
}

/// Of what data leave out nobody knows before whether there is a value.
void expect_value(const std::string& who, const Definition& producer) {
    if (!producer.guard.empty())
        refuse("M003", fmt::format("{} `{}`, and data decide which of its points have values", who, producer.name),
               "Write a value that chooses, `new if condition else old`.");
}

void read_inside(const Program& program, const Definition& reader, const Read& read, const Definition& producer) {
    expect_value(fmt::format("`{}` reads", reader.name), producer);
    if (read.is_affine())
        inside(program, reader, program.points(reader, read), producer, "reads");
    else
        inside(program, reader, program.points(reader, read), producer, "may read", kKeepWithin);
}

/// Reads and values of one computation with its updates, or of an input.
struct Value {
    const Definition* definition;            ///< Null: an input.
    std::vector<const Definition*> writers;  ///< It, then its updates.
    UnionMap written = UnionMap::empty();    ///< Instance of a writer -> point.
    UnionMap read = UnionMap::empty();       ///< Instance of a reader -> point.
    UnionMap place = UnionMap::empty();      ///< Point -> element.
    std::string buffer;
};

class Check {
public:
    Check(const Program& program, const UnionMap& times) : program_(program), times_(times) {
        context_ = program.context();
        for (const Definition& of : program.definitions) {
            if (of.target || of.is_inlined) continue;
            Value value{.definition = &of, .writers = {&of}, .place = program.place(of), .buffer = of.buffer};
            for (const Definition& update : program.definitions)
                if (update.target && &program.original(update) == &of) value.writers.push_back(&update);
            for (const Definition* writer : value.writers) value.written = value.written.unite(program.element(*writer));
            values_.push_back(std::move(value));
        }
        for (const auto& [name, storage] : program.storage)
            if (storage.is_input) values_.push_back({.definition = nullptr, .writers = {}, .buffer = name});
        for (Value& value : values_)
            for (const Definition& reader : program.definitions)
                for (const Read& read : reader.reads)
                    if (read.of == (value.definition ? value.definition->name : value.buffer))
                        value.read = value.read.unite(program.points(reader, read));
        for (Value& value : values_)
            if (!value.definition)
                for (const poly::Map& map : value.read.maps()) {
                    const poly::Set points = map.range();
                    value.place = value.place.unite(identity(points));
                }
    }

    void domains() const {
        for (const Definition& reader : program_.definitions) {
            for (const Read& read : reader.reads)
                if (const Definition* producer = program_.find(read.of)) read_inside(program_, reader, read, *producer);
            if (reader.target) expect_value(fmt::format("`{}` updates", reader.name), program_.original(reader));
            if (reader.target) inside(program_, reader, program_.element(reader), program_.original(reader), "updates");
        }
    }

    void messages() const {
        for (const RankOperation& operation : program_.operations)
            if (const Definition* sent = program_.find(operation.of))
                expect_value(fmt::format("`{}` moves", operation.name), *sent);
    }

    void memory() const {
        for (const Definition& of : program_.definitions) {
            if (of.is_inlined) continue;
            if (!of.target) fits(of, affine_map(of, of.layout, of.buffer), program_.storage.at(of.buffer), "is stored");
            for (const Read& read : of.reads)
                if (const Definition* producer = program_.find(read.of); !producer || program_.semantics == Reads::Memory)
                    fits(of, program_.accessed(of, read), program_.storage.at(producer ? producer->buffer : read.of),
                         read.is_affine() ? "reads" : "may read",
                         read.is_affine() ? "Change the indices or the extents." : kKeepWithin);
        }
    }

    void order() const {
        for (const Value& value : values_)
            if (const auto bad = example_of(limited(poly::violated(limited(flow(value)), times_))))
                refuse("M005",
                       fmt::format("the schedule does not run {} before {}, which needs its value{}", bad->first, bad->second,
                                   bad->where),
                       "Change the order of the computations or their levels.");
    }

    /// Memory that is new in each iteration holds what the same iteration needs.
    void allocation() const {
        for (const Value& value : values_) {
            if (!value.definition) continue;
            const Storage& storage = program_.storage.at(value.buffer);
            if (!storage.allocated) continue;
            const UnionMap in = affine_map(*value.definition, value.definition->layout, value.buffer);
            for (const poly::Map& touch : value.written.unite(value.read).maps()) {
                const Definition& toucher = *program_.find(touch.domain_tuple());
                UnionMap own = UnionMap::empty();
                for (const poly::Map& touched : UnionMap(touch).then(in).maps())
                    own = own.unite(poly::range_product(program_.iterations(toucher, storage.allocated->depth), touched)
                                        .with_range_tuple(value.buffer));
                const UnionMap far = limited(UnionMap(touch).then(value.place).subtract(own));
                const Answer none = far.is_empty();
                expect_answer(none, "what an iteration needs of its memory");
                if (none == Answer::Yes) continue;
                const auto pair = far.maps().front().sample();
                if (!pair) expect_answer(Answer::Unknown, "what an iteration needs of its memory");
                refuse("M006",
                       fmt::format("{} needs a value in `{}` that another iteration has stored, whose memory is gone{}",
                                   instance(toucher.name, pair->from), value.buffer, with(pair->parameters)),
                       "Allocate the buffer in a loop further out.");
            }
        }
    }

    void storage(const std::set<std::string>& outputs) const {
        for (const Value& value : values_)
            for (const Value& other : values_)
                if (other.definition && other.buffer == value.buffer) overwritten(value, other, outputs);
    }

private:
    UnionMap limited(const UnionMap& pairs) const { return pairs.intersect_parameters(context_); }
    static poly::Map identity(const poly::Set& points) {
        poly::Map same = poly::Map::product(points, points);
        for (unsigned at = 0; at < points.dimensions(); ++at) same = same.equate(at, at);
        return same;
    }

    void fits(const Definition& of, const poly::Map& elements, const Storage& storage, const char* what,
              const char* remedy = "Change the indices or the extents.") const {
        const poly::Map outside =
            elements.intersect_parameters(context_).subtract(poly::Map::product(of.domain, elements_of(storage)));
        expect_answer(outside.is_empty(), "what lies outside of memory");
        if (outside.is_empty() == Answer::Yes) return;
        const auto pair = outside.sample();
        if (!pair) expect_answer(Answer::Unknown, "what lies outside of memory");
        refuse("M006",
               fmt::format("{} {} at {}[{}], outside of its extents{}", instance(of.name, pair->from), what, storage.name,
                           fmt::join(pair->to, ", "), with(pair->parameters)),
               remedy);
    }

    /// Who makes (a part of) a value -> who needs it: readers; updates their target; updates of another kind those before them.
    UnionMap flow(const Value& value) const {
        UnionMap pairs = value.written.then(value.read.reverse());
        for (std::size_t a = 0; a < value.writers.size(); ++a)
            for (std::size_t b = a + 1; b < value.writers.size(); ++b)
                if (value.writers[a]->operation != value.writers[b]->operation)
                    pairs = pairs.unite(UnionMap(program_.element(*value.writers[a]))
                                            .then(UnionMap(program_.element(*value.writers[b])).reverse()));
        return pairs;
    }

    UnionMap not_before(const UnionMap& pairs) const { return limited(poly::violated(limited(pairs), times_)); }

    /// Writers of other points whose element is that of a point.
    void overwritten(const Value& value, const Value& other, const std::set<std::string>& outputs) const {
        UnionMap same = value.place.then(other.place.reverse());
        if (value.definition == other.definition) same = same.subtract(UnionMap(identity(value.definition->domain)));
        const UnionMap writes = same.then(other.written.reverse());  // Point -> who stores another value there.
        UnionMap late;                                               // Who stores it, not before the value -> who still needs this.
        if (value.definition) {
            const UnionMap after = not_before(value.written.then(writes).reverse()).reverse();
            // Between an update and the next as well: those need the value.
            late = after.reverse().then(flow(value));
        } else {
            late = writes.reverse().then(value.read.reverse());
        }
        const UnionMap bad = not_before(late.reverse());  // Reader, then who stores: not in this order.
        const UnionMap self = selves(bad);
        if (const auto example = example_of(bad.subtract(self)))
            refuse("M006",
                   fmt::format("{} stores in `{}` over a value that {} still reads{}", example->second, value.buffer,
                               example->first, example->where),
                   "Store them in different elements, or change the order.");
        if (!value.definition || !outputs.contains(value.buffer)) return;
        // At the end an element holds what is last in the order of the definitions.
        const UnionMap later = value.written.then(same).then(other.written.reverse());
        const UnionMap ordered = later.intersect(poly::before(later, declared()));
        if (const auto example = example_of(not_before(ordered)))
            refuse("M006",
                   fmt::format("the result `{}` would keep {} and not {}, which is later{}", value.buffer, example->first,
                               example->second, example->where),
                   "Keep the order of instances that share an element of a result.");
    }

    UnionMap selves(const UnionMap& pairs) const {
        UnionMap same = UnionMap::empty();
        for (const poly::Map& map : pairs.maps())
            if (map.domain_tuple() == map.range_tuple()) same = same.unite(identity(program_.find(map.domain_tuple())->domain));
        return same;
    }

    /// The definitions one after the other, each in the order of its iterators.
    UnionMap declared() const {
        std::size_t depth = 0;
        for (const Definition& of : program_.definitions) depth = std::max(depth, of.iterators.size());
        UnionMap times = UnionMap::empty();
        for (std::size_t at = 0; at < program_.definitions.size(); ++at) {
            const Definition& of = program_.definitions[at];
            if (of.is_inlined) continue;
            std::vector<symbolic::Expr> time{static_cast<std::int64_t>(at)};
            for (const std::string& iterator : of.iterators) time.push_back(symbolic::symbol(iterator));
            time.resize(depth + 1, 0);
            times = times.unite(affine_map(of, time, ""));
        }
        return times;
    }

    const Program& program_;
    const UnionMap& times_;
    poly::Set context_;
    std::vector<Value> values_;
};

}  // namespace

void check_domain(const Program& program, const Definition& reader, const Definition& producer) {
    for (const Read& read : reader.reads)
        if (read.of == producer.name) read_inside(program, reader, read, producer);
}

void check_values(const Program& program, const std::set<std::string>& outputs, const UnionMap& times) {
    const Check check(program, times);
    if (program.semantics == Reads::Memory) {
        check.memory();
        return check_memory(program, times);
    }
    check.domains();
    check.messages();
    check.memory();
    check.allocation();
    check.order();
    check.storage(outputs);
}

void check_parallel(const Program& program, const UnionMap& times, const UnionMap& dependences) {
    for (const Definition& of : program.definitions)
        for (const std::string& level : of.parallel) {
            const unsigned at = dimension(of, level);
            // Pairs in the same iterations of what is around, and in different ones of the level.
            UnionMap carried = UnionMap::empty();
            const UnionMap moved = times.reverse().then(dependences).then(times);  // Time -> time.
            for (poly::Map map : moved.maps()) {
                for (unsigned outer = 0; outer < at; ++outer) map = map.equate(outer, outer);
                carried = carried.unite(map.order_less(at, at)).unite(map.order_greater(at, at));
            }
            const UnionMap pairs = dependences.intersect(times.then(carried).then(times.reverse()));
            // Only those in the loop of this computation.
            UnionMap here = UnionMap::empty();
            for (const poly::Map& pair : pairs.maps()) {
                UnionMap around = UnionMap::empty();
                for (poly::Map time : times.maps())
                    if (time.domain_tuple() == of.name)
                        around = around.unite(time.project_out_range(at, time.range_dimensions() - at));
                UnionMap prefixes = UnionMap::empty();
                for (poly::Map time : times.maps())
                    if (time.domain_tuple() == pair.domain_tuple())
                        prefixes = prefixes.unite(time.project_out_range(at, time.range_dimensions() - at));
                here = here.unite(UnionMap(pair).intersect_domain(prefixes.then(around.reverse()).domain()));
            }
            if (const auto example = example_of(here))
                refuse("M005",
                       fmt::format("the level `{}` of `{}` is not parallel: {} comes before {}, in another iteration{}", level,
                                   of.name, example->first, example->second, example->where),
                       "Parallelize another level, or skew or interchange levels first.");
        }
}

}  // namespace sluice::schedule
