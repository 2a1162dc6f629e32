#include "schedule/layers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "code/dtype.h"
#include "poly/schedule.h"
#include "schedule/program.h"
#include "symbolic/expr.h"

namespace sluice::schedule {

namespace {

enum class Holds : std::uint8_t { Nothing, Instances, Relation };

/// What a line of the kind says.
struct LineKind {
    const char* kind;
    int layer;
    bool has_name;
    Holds holds;
    bool has_text;
};
constexpr std::array kLineKinds{
    LineKind{"constant", 1, true, Holds::Nothing, false},       LineKind{"input", 1, true, Holds::Nothing, true},
    LineKind{"computation", 1, true, Holds::Instances, true},   LineKind{"update", 1, true, Holds::Relation, true},
    LineKind{"output", 1, true, Holds::Nothing, false},         LineKind{"values", 1, false, Holds::Relation, false},
    LineKind{"times", 2, true, Holds::Relation, false},         LineKind{"levels", 2, true, Holds::Nothing, true},
    LineKind{"threads", 2, true, Holds::Nothing, true},         LineKind{"vector", 2, true, Holds::Nothing, true},
    LineKind{"unrolled", 2, true, Holds::Nothing, true},        LineKind{"blocks", 2, true, Holds::Nothing, true},
    LineKind{"block_threads", 2, true, Holds::Nothing, true},   LineKind{"tree", 2, false, Holds::Nothing, true},
    LineKind{"prefetch", 2, true, Holds::Nothing, true},        LineKind{"memory", 3, true, Holds::Nothing, true},
    LineKind{"place", 3, true, Holds::Relation, false},         LineKind{"allocated", 3, true, Holds::Nothing, true},
    LineKind{"order", 3, false, Holds::Relation, false},        LineKind{"host_to_device", 4, true, Holds::Nothing, false},
    LineKind{"device_to_host", 4, true, Holds::Nothing, false},
};

const LineKind* line_kind(std::string_view kind) {
    const auto at = std::ranges::find_if(kLineKinds, [&](const LineKind& one) { return one.kind == kind; });
    return at == kLineKinds.end() ? nullptr : at;
}

class LayerMaker {
public:
    LayerMaker(const Program& program, int number)
        : program_(program), layer_{.number = number, .function = program.name, .lines = {}} {}

    Layer algorithm(const std::vector<std::string>& outputs) {
        for (const std::string& constant : program_.constants) add({.kind = "constant", .name = constant});
        for (const auto& [name, storage] : program_.storage)
            if (storage.is_input) add({.kind = "input", .name = name, .text = shaped(storage)});
        for (const Definition& of : program_.definitions) {
            if (of.target)
                add({.kind = "update",
                     .name = of.name,
                     .relation = limited(program_.element(of)),
                     .text = of.operation + " " + of.value + guarded(of)});
            else
                add({.kind = "computation",
                     .name = of.name,
                     .instances = domain(of),
                     .text = code::to_string(of.type) + " " + of.value + guarded(of)});
        }
        add({.kind = "values", .relation = value_dependences()});
        for (const std::string& output : outputs) add({.kind = "output", .name = output});
        return std::move(layer_);
    }

    static std::string guarded(const Definition& of) { return of.guard.empty() ? std::string() : " where " + of.guard; }

    Layer computation() {
        const poly::UnionMap all = full_times(program_);
        for (const Definition& of : program_.definitions) {
            if (of.is_inlined) continue;
            add({.kind = "times", .name = of.name, .relation = limited(of.times.intersect_domain(of.domain))});
            add({.kind = "levels", .name = of.name, .text = fmt::format("{}", fmt::join(of.levels, ", "))});
            for (const std::string& level : of.parallel) {
                const auto device = of.device.find(level);
                const bool blocks = device != of.device.end() && device->second == analysis::LoopKind::Blocks;
                if (!of.lanes.contains(level))
                    add({.kind = device == of.device.end() ? "threads"
                                 : blocks                  ? "blocks"
                                                           : "block_threads",
                         .name = of.name,
                         .text = level});
            }
            for (const Definition::Prefetch& one : of.prefetches)
                add({.kind = "prefetch", .name = of.name, .text = fmt::format("{} {} {}", one.of, one.level, one.distance)});
            for (const auto& [level, lanes] : of.lanes)
                add({.kind = lanes.first == Lanes::Vector ? "vector" : "unrolled",
                     .name = of.name,
                     .text = fmt::format("{} {}", level, lanes.second)});
        }
        add({.kind = "tree", .text = poly::Schedule::of(all.domain()).within(all, {}).to_string()});
        return std::move(layer_);
    }

    Layer data(const std::set<std::string>& results) {
        for (const auto& [name, storage] : program_.storage) {
            const char* role = storage.is_input ? "input" : results.contains(name) ? "result" : "transient";
            add({.kind = "memory",
                 .name = name,
                 .text = fmt::format("{} {} {}{}", shaped(storage), role, ir::to_string(storage.memory),
                                     storage.is_gpu_constant ? " constant" : "")});
            if (storage.allocated) {
                const Definition& of = program_.definitions[storage.allocated->of];
                add({.kind = "allocated",
                     .name = name,
                     .text = fmt::format("{} {}", of.name, of.levels[storage.allocated->depth - 1])});
            }
        }
        for (const Definition& of : program_.definitions)
            if (!of.is_inlined && !of.target)
                add({.kind = "place",
                     .name = of.name,
                     .relation = limited(affine_map(of, of.layout, of.buffer).intersect_domain(of.domain))});
        add({.kind = "order", .relation = memory_dependences()});
        return std::move(layer_);
    }

    Layer communication() {
        for (const std::string& input : program_.copies.in) add({.kind = "host_to_device", .name = input});
        for (const std::string& output : program_.copies.out) add({.kind = "device_to_host", .name = output});
        return std::move(layer_);
    }

private:
    void add(LayerLine line) { layer_.lines.push_back(std::move(line)); }
    poly::UnionMap limited(const poly::UnionMap& pairs) const { return pairs.intersect_parameters(program_.context()).coalesce(); }
    poly::UnionSet domain(const Definition& of) const { return poly::UnionSet(of.domain).intersect_parameters(program_.context()); }
    static std::string shaped(const Storage& storage) {
        std::vector<std::string> extents;
        for (const symbolic::Expr& extent : storage.shape) extents.push_back(symbolic::to_string(extent));
        return fmt::format("{}[{}]", code::to_string(storage.type), fmt::join(extents, ", "));
    }

    /// Who computes (a part of) a value -> who reads it.
    poly::UnionMap value_dependences() const {
        poly::UnionMap pairs = poly::UnionMap::empty();
        for (const Definition& reader : program_.definitions)
            for (const Read& read : reader.reads) {
                const Definition* producer = program_.find(read.of);
                if (!producer || reader.is_inlined) continue;
                for (const Definition& writer : program_.definitions)
                    if (!writer.is_inlined && &program_.original(writer) == producer)
                        pairs = pairs.unite(
                            poly::UnionMap(program_.element(writer)).then(poly::UnionMap(program_.points(reader, read)).reverse()));
            }
        for (const Definition& update : program_.definitions)
            if (update.target)
                pairs = pairs.unite(poly::UnionMap(program_.element(program_.original(update)))
                                        .then(poly::UnionMap(program_.element(update)).reverse()));
        return limited(pairs);
    }

    /// Instances that touch one element of which one writes, in the order of the schedule, beyond those of values.
    poly::UnionMap memory_dependences() const {
        poly::UnionMap writes = poly::UnionMap::empty(), all = writes;
        for (const Definition& of : program_.definitions) {
            if (of.is_inlined) continue;
            writes = writes.unite(program_.elements(of));
            for (const Read& read : of.reads) all = all.unite(program_.elements(of, read));
        }
        all = all.unite(writes);
        poly::UnionMap meet = writes.then(all.reverse());
        meet = limited(meet.unite(meet.reverse()));
        return limited(poly::before(meet, full_times(program_)).subtract(value_dependences()));
    }

    const Program& program_;
    Layer layer_;
};

/// A text that isl reads and prints as itself: the first one may hold conditions that the second leaves out.
template <class Relation> std::string settled(const Relation& relation) {
    constexpr int kMostRounds = 4;
    std::string text = relation.to_string();
    for (int round = 0; round < kMostRounds; ++round) {
        const std::string next = Relation::parse(text).to_string();
        if (next == text) break;
        text = next;
    }
    return text;
}

std::string relation_text(const LayerLine& line, Holds holds) {
    return holds == Holds::Instances ? settled(line.instances) : settled(line.relation);
}

[[noreturn]] void unreadable(const std::string& line, const std::string& why) {
    refuse("M021", fmt::format("`{}` is no line of a layer: {}", line, why), "Write it as print_layer does.");
}

LayerLine read_line(const std::string& line, int layer) {
    LayerLine read;
    std::istringstream words(line);
    words >> read.kind;
    const LineKind* kind = line_kind(read.kind);
    if (!kind || kind->layer != layer) unreadable(line, fmt::format("layer {} says nothing of the kind `{}`", layer, read.kind));
    std::string rest;
    std::getline(words >> std::ws, rest);
    if (!kind->has_name && kind->has_text) rest = " " + rest;
    if (kind->has_name) {
        const std::size_t end = std::min(rest.find_first_of(": ="), rest.size());
        read.name = rest.substr(0, end);
        rest = rest.substr(end);
        if (read.name.empty()) unreadable(line, "a name is missing");
    }
    if (kind->holds != Holds::Nothing) {
        const std::size_t close = rest.find('}');
        if (!rest.starts_with(": ") && kind->has_name) unreadable(line, "a relation is missing");
        const std::size_t begin = kind->has_name ? 2 : 0;
        if (close == std::string::npos) unreadable(line, "a relation is missing");
        const std::string text = rest.substr(begin, close + 1 - begin);
        if (kind->holds == Holds::Instances)
            read.instances = poly::UnionSet::parse(text);
        else
            read.relation = poly::UnionMap::parse(text);
        if (kind->holds == Holds::Instances ? !read.instances.known() : !read.relation.known())
            unreadable(line, "isl does not read the relation");
        rest = rest.substr(close + 1);
    }
    if (kind->has_text) {
        if (!rest.starts_with(" = ")) unreadable(line, "` = ` is missing");
        read.text = rest.substr(3);
        rest.clear();
    }
    if (read.kind == "tree" && !poly::Schedule::parse(read.text).known()) unreadable(line, "isl does not read the schedule tree");
    if (!rest.empty()) unreadable(line, fmt::format("`{}` is too much", rest));
    return read;
}

bool same(const LayerLine& a, const LayerLine& b) {
    if (a.kind != b.kind || a.name != b.name || a.text != b.text) return false;
    const LineKind* kind = line_kind(a.kind);
    if (!kind || kind->holds == Holds::Nothing) return true;
    return (kind->holds == Holds::Instances ? a.instances.is_equal(b.instances) : a.relation.is_equal(b.relation)) ==
           poly::Answer::Yes;
}

}  // namespace

bool operator==(const Layer& a, const Layer& b) {
    return a.number == b.number && a.function == b.function &&
           std::ranges::equal(a.lines, b.lines, [](const LayerLine& one, const LayerLine& other) { return same(one, other); });
}

std::string to_text(const Layer& layer) {
    std::string text = fmt::format("layer {} of {}\n", layer.number, layer.function);
    for (const LayerLine& line : layer.lines) {
        const LineKind* kind = line_kind(line.kind);
        text += line.kind;
        if (kind->has_name) text += " " + line.name;
        if (kind->holds != Holds::Nothing) text += (kind->has_name ? ": " : " ") + relation_text(line, kind->holds);
        if (kind->has_text) text += " = " + line.text;
        text += "\n";
    }
    return text;
}

Result<Layer> parse_layer(std::string_view text) {
    return capture([&] {
        std::istringstream lines{std::string(text)};
        std::string line;
        std::getline(lines, line);
        Layer layer;
        std::istringstream head(line);
        std::string word, of;
        if (!(head >> word >> layer.number >> of >> layer.function) || word != "layer" || of != "of" || layer.number < 1 ||
            layer.number > 4)
            unreadable(line, "the first one is `layer 2 of gemm`");
        while (std::getline(lines, line))
            if (!line.empty()) layer.lines.push_back(read_line(line, layer.number));
        return layer;
    });
}

Result<Layer> Function::layer(int number, const std::vector<Computation>& outputs) const {
    return capture([&] {
        if (number < 1 || number > 4) refuse("M004", fmt::format("there is no layer {}", number), "Ask for one from 1 to 4.");
        if (program_->is_on_ranks())
            refuse("M008", "layers of programs on ranks are missing", "Look at the graph that build() makes.");
        const poly::Budget budget;
        std::set<std::string> originals;
        std::vector<std::string> names;
        for (const std::size_t at : numbers(outputs)) {
            names.push_back(program_->definitions[at].name);
            originals.insert(program_->original(program_->definitions[at]).name);
        }
        if (number == 1) return LayerMaker(*program_, number).algorithm(names);
        Program resolved = *program_;
        resolve(resolved, originals);
        std::set<std::string> results;
        for (const std::string& original : originals) results.insert(resolved.find(original)->buffer);
        LayerMaker maker(resolved, number);
        return number == 2 ? maker.computation() : number == 3 ? maker.data(results) : maker.communication();
    });
}

}  // namespace sluice::schedule
