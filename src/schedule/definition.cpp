#include <algorithm>
#include <cctype>

#include "analysis/symbols.h"
#include "ir/builder.h"
#include "ir/messages.h"
#include "poly/bounds.h"
#include "schedule/program.h"

namespace sluice::schedule {

using symbolic::Expr;

void refuse(const std::string& code, const std::string& message, const std::string& remedy) {
    fail({.code = code, .message = message, .where = {}, .path = {}, .remedy = remedy, .notes = {}});
}

void expect_same(const Program& a, const Program& b) {
    if (&a != &b)
        refuse("M001", "a computation of `" + b.name + "` is named in `" + a.name + "`", "Name computations of one function.");
}

Expr parse_affine(const std::string& text, const std::string& what) {
    Result<Expr> parsed = symbolic::parse(text);
    if (!parsed.ok())
        refuse("M002", what + " `" + text + "` is no expression: " + parsed.error().message, "Write an affine expression.");
    return *std::move(parsed);
}

namespace {

poly::Space space_of(const Definition& definition) {
    return {.tuple = definition.name, .dims = definition.iterators};
}

bool is_name(const std::string& text) {
    return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_') &&
           std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

void declare(const Program& program, const std::string& name) {
    if (!is_name(name)) refuse("M001", "`" + name + "` is no name", "Use letters, digits and underscores.");
    if (program.constants.contains(name) || program.storage.contains(name) || program.find(name))
        refuse("M001", "the name `" + name + "` is taken", "Give each constant, input, buffer and computation its own name.");
}

}  // namespace

void expect_known(const Program& program, const Definition& definition, const Expr& e, const std::string& what) {
    for (const std::string& symbol : symbolic::free_symbols(e))
        if (!program.constants.contains(symbol) && std::ranges::find(definition.iterators, symbol) == definition.iterators.end())
            refuse("M001", what + " of `" + definition.name + "` names `" + symbol + "`, which is no constant and no iterator",
                   "Declare it as a constant.");
}

poly::Set affine_set(const Program& program, const Definition& definition, const Expr& condition, const std::string& what) {
    expect_known(program, definition, condition, what);
    const auto set = poly::to_set(condition, space_of(definition));
    if (!set.ok()) refuse("M002", what + " of `" + definition.name + "` is not affine: " + set.why, "Write an affine expression.");
    return *set.value;
}

namespace {

/// The points where data do not let the condition hold.
void leave_out(const Program& program, Definition& made, const std::string& condition) {
    if (program.semantics == Reads::Memory)
        refuse("M002", "the predicate of `" + made.name + "` depends on data, and reads of `" + program.name + "` name memory",
               "Write a value that chooses, `new if condition else old`.");
    made.guard = made.guard.empty() ? condition : "(" + made.guard + ") and (" + condition + ")";
}

void domain_of(const Program& program, const std::vector<Var>& vars, const std::string& predicate, Definition& made) {
    if (reads_data(predicate)) {
        leave_out(program, made, predicate);
        return domain_of(program, vars, {}, made);
    }
    made.is_box = predicate.empty();
    for (const Var& var : vars) {
        declare(program, var.name);
        if (std::ranges::find(made.iterators, var.name) != made.iterators.end())
            refuse("M001", "`" + made.name + "` has two iterators `" + var.name + "`", "Give each its own name.");
        made.iterators.push_back(var.name);
    }
    made.domain = poly::Set::universe(space_of(made));
    symbolic::Substitution first, last;
    for (const Var& var : vars) {
        const Expr lower = parse_affine(var.lower, "the bound"), upper = parse_affine(var.upper, "the bound");
        const Expr at = symbolic::symbol(var.name);
        made.domain = made.domain.intersect(affine_set(
            program, made, symbolic::logical_and(symbolic::less_equal(lower, at), symbolic::less(at, upper)), "a bound"));
        // An affine bound is largest at the first or the last value of each iterator before.
        Expr low = lower, high = upper;
        for (auto before = vars.rbegin(); before != vars.rend(); ++before) {
            if (!first.contains(before->name)) continue;
            const symbolic::Substitution start{{before->name, first.at(before->name)}}, end{{before->name, last.at(before->name)}};
            high = symbolic::maximum(symbolic::substitute(high, start), symbolic::substitute(high, end));
            low = symbolic::minimum(symbolic::substitute(low, start), symbolic::substitute(low, end));
        }
        made.extents.push_back(high);
        first.insert_or_assign(var.name, low);
        last.insert_or_assign(var.name, high - 1);
    }
    if (!predicate.empty())
        made.domain = made.domain.intersect(affine_set(program, made, parse_affine(predicate, "the predicate"), "the predicate"));
}

void start(Definition& made) {
    made.levels = made.iterators;
    made.times = poly::Map::prefix(space_of(made), static_cast<unsigned>(made.iterators.size()));
}

void add_storage(Program& program, const std::string& name, const std::vector<std::string>& shape, const code::DType& type,
                 bool is_input) {
    declare(program, name);
    Storage made{.name = name, .shape = {}, .type = type, .is_input = is_input};
    for (const std::string& extent : shape) {
        made.shape.push_back(parse_affine(extent, "the extent"));
        expect_known(program, {.name = name, .iterators = {}, .domain = {}, .type = type}, made.shape.back(), "an extent");
    }
    program.storage.emplace(name, std::move(made));
}

}  // namespace

unsigned dimension(const Definition& definition, const std::string& level) {
    return 2 * static_cast<unsigned>(std::ranges::find(definition.levels, level) - definition.levels.begin()) + 1;
}

std::vector<Expr> own_point(const Definition& definition) {
    std::vector<Expr> point;
    for (const std::string& iterator : definition.iterators) point.push_back(symbolic::symbol(iterator));
    return point;
}

poly::Map affine_map(const Definition& from, const std::vector<Expr>& indices, const std::string& tuple) {
    symbolic::Subset subset = symbolic::Subset::indices(indices);
    const auto map = poly::to_elements(subset, space_of(from), tuple);
    if (!map.ok() && poly::Budget().exceeded())
        refuse("M007", "what `" + from.name + "` accesses is beyond the budget of isl's operations", "Give simpler indices.");
    if (!map.ok())
        refuse("M002", "an index of `" + from.name + "` is not affine: " + map.why, "Write indices that are affine in iterators.");
    return map.value->intersect_domain(from.domain);
}

std::vector<Expr> indices_in(const Definition& stored, const std::vector<Expr>& point) {
    symbolic::Substitution at;
    for (std::size_t d = 0; d < point.size(); ++d) at.emplace(stored.iterators[d], point[d]);
    std::vector<Expr> indices;
    for (const Expr& index : stored.layout) indices.push_back(symbolic::substitute(index, at));
    return indices;
}

std::vector<Expr> point_of(const Read& read) {
    std::vector<Expr> point;
    for (const std::string& symbol : read.around) point.push_back(symbolic::symbol(symbol));
    point.insert(point.end(), read.indices.begin(), read.indices.end());
    return point;
}

poly::Set elements_of(const Storage& storage) {
    std::vector<std::string> dims;
    Expr condition = symbolic::boolean(true);
    for (std::size_t at = 0; at < storage.shape.size(); ++at) {
        dims.push_back("e" + std::to_string(at));
        const Expr index = symbolic::symbol(dims.back());
        condition = symbolic::logical_and(condition, symbolic::less_equal(0, index));
        condition = symbolic::logical_and(condition, symbolic::less(index, storage.shape[at]));
    }
    const auto room = poly::to_set(condition, {.tuple = storage.name, .dims = dims});
    if (!room.ok()) refuse("M002", "the extents of `" + storage.name + "` are not affine: " + room.why, "Give affine extents.");
    return *room.value;
}

const Definition* Program::find(const std::string& computation) const {
    const auto at = std::ranges::find(definitions, computation, &Definition::name);
    return at == definitions.end() ? nullptr : &*at;
}
const Definition& Program::original(const Definition& definition) const {
    return definition.target ? definitions[*definition.target] : definition;
}
poly::Set Program::context() const {
    ir::Sdfg sdfg{.name = name};
    for (const std::string& constant : constants) ir::add_symbol(sdfg, constant);
    poly::Set known = poly::to_parameters(analysis::assumptions_of(sdfg), {constants.begin(), constants.end()});
    for (const Expr& assumption : assumptions)
        if (const auto condition = poly::to_set(assumption, {}); condition.ok())
            known = known.intersect_parameters(condition.value->parameters());
    return known;
}
poly::Map Program::points(const Definition& reader, const Read& read) const {
    poly::Map map;
    if (read.is_affine()) {
        map = affine_map(reader, read.indices, read.of);
    } else {
        poly::Space to{.tuple = read.of};
        Expr condition = symbolic::boolean(true);
        for (std::size_t at = 0; at < read.texts.size(); ++at) {
            to.dims.push_back(kDataIndex + std::to_string(at));
            condition = symbolic::logical_and(condition, read.ranges[at]);
        }
        const auto related = poly::to_relation(condition, space_of(reader), to);
        if (!related.ok())
            refuse("M002", "an index of `" + reader.name + "` is not affine: " + related.why, "Write affine indices.");
        map = related.value->intersect_domain(reader.domain);
    }
    if (read.where) map = map.intersect_domain(*read.where);
    if (!read.around.empty())
        map = poly::range_product(iterations(reader, static_cast<unsigned>(read.around.size())), map).with_range_tuple(read.of);
    return map;
}
poly::Map Program::iterations(const Definition& definition, unsigned depth) const {
    const poly::Map times = definition.times.intersect_domain(definition.domain);
    return times.project_out_range(depth, times.range_dimensions() - depth);
}
poly::Map Program::element(const Definition& definition) const {
    return affine_map(definition, definition.element_indices, original(definition).name);
}
poly::Map Program::place(const Definition& local) const {
    Definition stored = local;
    if (local.received) stored.domain = local.domain.unite(*local.received);
    const poly::Map in = affine_map(stored, stored.layout, stored.buffer);
    const Storage& at = storage.at(stored.buffer);
    return at.allocated ? poly::range_product(iterations(stored, at.allocated->depth), in).with_range_tuple(stored.buffer) : in;
}
poly::Map Program::accessed(const Definition& reader, const Read& read) const {
    const Definition* producer = find(read.of);
    if (!producer) return points(reader, read);
    if (semantics == Reads::Values || !read.around.empty())
        return points(reader, read).then(affine_map(*producer, producer->layout, producer->buffer));
    const poly::Map map = read.is_affine() ? affine_map(reader, indices_in(*producer, read.indices), producer->buffer)
                                           : poly::Map::product(reader.domain, elements_of(storage.at(producer->buffer)));
    return read.where ? map.intersect_domain(*read.where) : map;
}
poly::Map Program::elements(const Definition& reader, const Read& read) const {
    const Definition* producer = find(read.of);
    if (producer && (semantics == Reads::Values || !read.around.empty())) return points(reader, read).then(place(*producer));
    const std::string& buffer = producer ? producer->buffer : read.of;
    const poly::Map in = accessed(reader, read);
    const auto& allocated = storage.at(buffer).allocated;
    return allocated ? poly::range_product(iterations(reader, allocated->depth), in).with_range_tuple(buffer) : in;
}
poly::Map Program::elements(const Definition& definition) const {
    return element(definition).then(place(original(definition)));
}

Function::Function(const std::string& name, Reads reads) : program_(std::make_unique<Program>()) {
    program_->name = name;
    program_->semantics = reads;
    if (!is_name(name)) refuse("M001", "`" + name + "` is no name", "Use letters, digits and underscores.");
}
Function::~Function() = default;

void Function::constant(const std::string& name) {
    declare(*program_, name);
    if (name == ir::kRankPlace || name == ir::kRanks)
        refuse("M001", "`" + name + "` is the name of a number of ranks", "Give the constant another name.");
    program_->constants.insert(name);
}
void Function::assume(const std::string& condition) {
    const Expr assumption = parse_affine(condition, "the assumption");
    for (const std::string& symbol : symbolic::free_symbols(assumption))
        if (!program_->constants.contains(symbol))
            refuse("M001", "the assumption `" + condition + "` names `" + symbol + "`, which is no constant",
                   "Declare it as a constant.");
    const auto set = poly::to_set(assumption, {});
    if (!set.ok()) refuse("M002", "the assumption `" + condition + "` is not affine: " + set.why, "Write an affine condition.");
    program_->assumptions.push_back(assumption);
}
void Function::input(const std::string& name, const std::vector<std::string>& shape, code::DType type) {
    add_storage(*program_, name, shape, type, true);
}
Buffer Function::argument(const std::string& name, const std::vector<std::string>& shape, code::DType type) {
    if (program_->semantics == Reads::Values)
        refuse("M004", "`" + name + "` would be read and stored in, and reads of `" + program_->name + "` name values",
               "Declare an input, or a function whose reads name memory.");
    add_storage(*program_, name, shape, type, false);
    program_->storage.at(name).is_argument = true;
    return {*program_, name};
}
Buffer Function::memory_of(const std::string& input) {
    return {*program_, input};
}
Buffer Function::buffer(const std::string& name, const std::vector<std::string>& shape, code::DType type) {
    add_storage(*program_, name, shape, type, false);
    return {*program_, name};
}

namespace {

Computation define(Program& program, Definition made, const std::string& value) {
    made.value = value;
    read_value(program, made);
    if (!made.target) {
        made.element_indices = own_point(made);
        made.layout = own_point(made);
    }
    start(made);
    program.definitions.push_back(std::move(made));
    return {program, program.definitions.size() - 1};
}

}  // namespace

Computation Function::computation(const std::string& name, const std::vector<Var>& vars, const std::string& value,
                                  const std::string& predicate, code::DType type) {
    declare(*program_, name);
    Definition made{.name = name, .iterators = {}, .domain = {}, .type = type};
    domain_of(*program_, vars, predicate, made);
    return define(*program_, std::move(made), value);
}

Computation Function::computation_over(const std::string& domain, const std::string& value, code::DType type) {
    const poly::Set set = poly::Set::parse(domain);
    if (!set.known())
        refuse("M002", "`" + domain + "` is no set", "Write a set in isl's notation, `[N] -> { C[i] : 0 <= i < N }`.");
    declare(*program_, set.tuple());
    Definition made{.name = set.tuple(), .iterators = {}, .domain = set, .type = type};
    const std::size_t open = domain.find('[', domain.find('{'));
    const std::size_t first = domain.find_first_not_of(' ', open + 1);
    for (std::size_t at = first; at < domain.size() && domain[first] != ']' && domain[at - 1] != ']';) {
        const std::size_t end = domain.find_first_of(",]", at);
        std::string iterator = domain.substr(at, end - at);
        std::erase(iterator, ' ');
        declare(*program_, iterator);
        made.iterators.push_back(iterator);
        at = end + 1;
    }
    if (made.iterators.size() != set.dimensions()) refuse("M002", "`" + domain + "` has iterators without name", "Name them.");
    for (const std::string& parameter : set.parameter_names())
        expect_known(*program_, made, symbolic::symbol(parameter), "the domain");
    return define(*program_, std::move(made), value);
}

Computation Function::update(const std::string& name, const std::vector<Var>& vars, const Computation& target,
                             const std::vector<std::string>& indices, const std::string& operation, const std::string& value,
                             const std::string& predicate) {
    declare(*program_, name);
    expect_same(*program_, *target.program_);
    const Definition& to = program_->definitions[target.number_];
    if (program_->semantics == Reads::Memory)
        refuse("M004", "`" + name + "` would combine values in any order, and reads of `" + program_->name + "` name memory",
               "Write a computation that reads its own place.");
    if (to.target) refuse("M001", "`" + to.name + "` is an update", "Update its target.");
    if (operation != "+" && operation != "*" && operation != "min" && operation != "max")
        refuse("M002", "no update combines by `" + operation + "`", "Use +, *, min or max.");
    Definition made{.name = name, .iterators = {}, .domain = {}, .type = to.type};
    made.target = target.number_;
    made.operation = operation;
    domain_of(*program_, vars, predicate, made);
    if (indices.size() != to.iterators.size())
        refuse("M001", "`" + name + "` updates `" + to.name + "` with " + std::to_string(indices.size()) + " indices",
               "It has " + std::to_string(to.iterators.size()) + ".");
    for (const std::string& index : indices) {
        made.element_indices.push_back(parse_affine(index, "the index"));
        expect_known(*program_, made, made.element_indices.back(), "an index");
    }
    affine_map(made, made.element_indices, to.name);
    Computation result = define(*program_, std::move(made), value);
    for (const Read& read : program_->definitions.back().reads)
        if (read.of == program_->definitions[target.number_].name) {
            program_->definitions.pop_back();
            refuse("M001", "the update `" + name + "` reads its target", "Updates combine values in any order; use a computation.");
        }
    return result;
}

namespace {

/// A computation that copies what the consumer reads of `name`, which it reads in its place from now on.
Computation copy_of(Program& program, const std::string& name, Definition made, Computation consumer, const std::string& level,
                    ir::Storage memory) {
    Definition& reader = *std::ranges::find(program.definitions, consumer.name(), &Definition::name);
    if (std::ranges::none_of(reader.reads, [&](const Read& read) { return read.of == name; }))
        refuse("M004", "`" + reader.name + "` does not read `" + name + "`", "Name a consumer.");
    const std::string value = reader.value;
    std::string text;
    for (const std::string& iterator : made.iterators) text += (text.empty() ? "" : ", ") + iterator;
    Computation cache = define(program, std::move(made), name + "[" + text + "]");
    Definition& after = *std::ranges::find(program.definitions, consumer.name(), &Definition::name);
    after.value = reading(value, after, name, cache.name());
    if (!after.guard.empty()) after.guard = reading(after.guard, after, name, cache.name());
    read_value(program, after);
    cache.compute_at(consumer, level);
    program.wishes[cache.name()].memory = memory;
    return cache;
}

Definition copying(const Program& program, const std::string& name, std::size_t rank, const code::DType& type) {
    Definition made{.name = name + "_cache", .iterators = {}, .domain = {}, .type = type};
    for (int k = 0; program.find(made.name) || program.storage.contains(made.name) || program.constants.contains(made.name); ++k)
        made.name = name + "_cache_" + std::to_string(k);
    for (std::size_t d = 0; d < rank; ++d) made.iterators.push_back(made.name + "_" + std::to_string(d));
    return made;
}

}  // namespace

Computation Function::cache_at(const std::string& input, const Computation& consumer, const std::string& level,
                               ir::Storage memory) {
    expect_same(*program_, *consumer.program_);
    const auto storage = program_->storage.find(input);
    if (storage == program_->storage.end() || !storage->second.is_input)
        refuse("M001", "`" + input + "` is no input", "Name an input.");
    Definition made = copying(*program_, input, storage->second.shape.size(), storage->second.type);
    made.domain = poly::Set::universe(space_of(made));
    for (std::size_t d = 0; d < made.iterators.size(); ++d) {
        const Expr at = symbolic::symbol(made.iterators[d]);
        const auto& part = storage->second.part;
        const Expr extent = d == 0 && part ? part->all : storage->second.shape[d];
        made.domain = made.domain.intersect(affine_set(
            *program_, made, symbolic::logical_and(symbolic::less_equal(0, at), symbolic::less(at, extent)), "an extent"));
    }
    return copy_of(*program_, input, std::move(made), consumer, level, memory);
}

Computation Computation::cached(const Computation& consumer, const std::string& level, ir::Storage memory) {
    expect_same(*program_, *consumer.program_);
    const Definition of = program_->definitions[number_];
    if (of.target) refuse("M004", "`" + of.name + "` updates the memory of its target", "Cache the target.");
    if (of.computed_at) {
        const Computation same = Computation(*this).compute_at(consumer, level);
        const Definition& now = program_->definitions[number_];
        if (now.computed_at->of != of.computed_at->of || now.computed_at->depth != of.computed_at->depth) {
            program_->definitions[number_].computed_at = of.computed_at;
            refuse("M004", "`" + of.name + "` is computed at another loop", "Cache it where it is computed.");
        }
        program_->wishes[of.name].memory = memory;
        return same;
    }
    Definition made = copying(*program_, of.name, of.iterators.size(), of.type);
    made.domain = of.domain.with_tuple(made.name);
    return copy_of(*program_, of.name, std::move(made), consumer, level, memory);
}
Computation Computation::cache_shared_at(const Computation& consumer, const std::string& level) {
    return cached(consumer, level, ir::Storage::GPU_Shared);
}
Computation Computation::cache_local_at(const Computation& consumer, const std::string& level) {
    return cached(consumer, level, ir::Storage::Register);
}
Computation Computation::copy_at(const Computation& consumer, const std::string& level) {
    return cached(consumer, level, ir::Storage::Default);
}

namespace {

void expect_not_own(const Program& program, const Definition& update) {
    if (update.target &&
        std::ranges::any_of(update.reads, [&](const Read& read) { return read.of == program.definitions[*update.target].name; }))
        refuse("M001", "the update `" + update.name + "` reads its target",
               "Updates combine values in any order; use a computation.");
}

}  // namespace

Computation& Computation::set_expression(const std::string& value) {
    Definition& of = program_->definitions[number_];
    Definition changed = of;
    changed.value = value;
    read_value(*program_, changed);
    expect_not_own(*program_, changed);
    of = std::move(changed);
    return *this;
}
Computation& Computation::add_predicate(const std::string& condition) {
    Definition& of = program_->definitions[number_];
    if (reads_data(condition)) {
        Definition changed = of;
        leave_out(*program_, changed, condition);
        read_value(*program_, changed);
        expect_not_own(*program_, changed);
        of = std::move(changed);
        return *this;
    }
    of.domain = of.domain.intersect(affine_set(*program_, of, parse_affine(condition, "the predicate"), "the predicate"));
    of.is_box = false;
    read_value(*program_, of);
    return *this;
}

Buffer& Buffer::set_size(const std::vector<std::string>& shape) {
    std::vector<Expr> extents;
    for (const std::string& extent : shape) {
        extents.push_back(parse_affine(extent, "the extent"));
        expect_known(*program_, {.name = name_, .iterators = {}, .domain = {}, .type = {}}, extents.back(), "an extent");
    }
    const auto storage = program_->storage.find(name_);
    if (storage == program_->storage.end()) {
        program_->wishes[name_].shape = std::move(extents);
    } else if (storage->second.is_input) {
        refuse("M004", "the input `" + name_ + "` has the size that the caller gives it", "Set the size of a buffer.");
    } else {
        if (extents.size() != storage->second.shape.size())
            refuse("M004", "`" + name_ + "` gets " + std::to_string(extents.size()) + " extents",
                   "It has " + std::to_string(storage->second.shape.size()) + ".");
        storage->second.shape = std::move(extents);
    }
    return *this;
}

}  // namespace sluice::schedule
