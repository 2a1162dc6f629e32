#include <algorithm>
#include <cctype>

#include "analysis/symbols.h"
#include "code/parse.h"
#include "code/print.h"
#include "code/walk.h"
#include "ir/builder.h"
#include "poly/convert.h"
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

/// Every symbol is a constant or an iterator.
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

void domain_of(const Program& program, const std::vector<Var>& vars, const std::string& predicate, Definition& made) {
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

/// Reads become connectors; what is left is code over them and iterators.
class ValueReader {
public:
    ValueReader(const Program& program, Definition& definition, std::string text)
        : program_(program), definition_(definition), text_(std::move(text)) {}

    std::string code() {
        Result<code::ExprPtr> parsed = code::parse_expr(text_);
        if (!parsed.ok())
            refuse("M002", "the value of `" + definition_.name + "` is no expression: " + parsed.error().message,
                   "Write an expression of Python.");
        visit(**parsed);
        std::string code = text_;
        std::ranges::sort(places_, [](const Place& a, const Place& b) { return a.begin > b.begin; });
        for (const Place& place : places_) code.replace(place.begin, place.end - place.begin, place.connector);
        return "out = " + code;
    }

private:
    struct Place {
        std::size_t begin, end;
        std::string connector;
    };

    void visit(const code::Expr& e) {
        if (const auto* name = std::get_if<code::NameExpr>(&e.node)) {
            const bool own = std::ranges::find(definition_.iterators, name->id) != definition_.iterators.end();
            if (own || program_.constants.contains(name->id)) return;
            refuse("M001", "the value of `" + definition_.name + "` names `" + name->id + "`, which is no constant and no iterator",
                   "Read computations and inputs with indices.");
        }
        if (const auto* call = std::get_if<code::CallExpr>(&e.node)) {  // The function's name is no value.
            for (const code::ExprPtr& argument : call->arguments) visit(*argument);
            return;
        }
        if (const auto* read = std::get_if<code::SubscriptExpr>(&e.node)) return subscript(e, *read);
        code::for_each_child(e, [&](const code::ExprPtr& child) { visit(*child); });
    }

    void subscript(const code::Expr& e, const code::SubscriptExpr& read) {
        const std::string name = code::dotted_name(*read.object);
        const Definition* producer = program_.find(name);
        const bool input = program_.storage.contains(name) && program_.storage.at(name).is_input;
        if (name != definition_.name && !input && !producer)
            refuse("M001", "`" + definition_.name + "` reads `" + name + "`, which is no computation and no input",
                   "Define it before; a computation may read itself, and those before it.");
        if (producer && producer->target)
            refuse("M001", "`" + definition_.name + "` reads the update `" + name + "`", "Read its target.");
        Read made{.of = name, .indices = {}};
        std::vector<code::ExprPtr> indices{read.index};
        if (const auto* tuple = std::get_if<code::TupleExpr>(&read.index->node)) indices = tuple->elements;
        for (const code::ExprPtr& index : indices) {
            made.indices.push_back(parse_affine(code::to_string(*index), "the index"));
            expect_known(program_, definition_, made.indices.back(), "an index");
        }
        const std::size_t rank = producer                   ? producer->iterators.size()
                                 : name == definition_.name ? definition_.iterators.size()
                                                            : program_.storage.at(name).shape.size();
        if (made.indices.size() != rank)
            refuse("M001",
                   "`" + definition_.name + "` reads `" + name + "` with " + std::to_string(made.indices.size()) + " indices",
                   "It has " + std::to_string(rank) + ".");
        affine_map(definition_, made.indices, name);
        places_.push_back({e.span.column - 1, e.span.end_column - 1, "in" + std::to_string(definition_.reads.size())});
        definition_.reads.push_back(std::move(made));
    }

    const Program& program_;
    Definition& definition_;
    std::string text_;
    std::vector<Place> places_;
};

std::vector<Expr> own_point(const Definition& definition) {
    std::vector<Expr> point;
    for (const std::string& iterator : definition.iterators) point.push_back(symbolic::symbol(iterator));
    return point;
}

void start(Definition& made) {
    made.levels = made.iterators;
    made.times = affine_map(made, own_point(made), "");
}

void add_storage(Program& program, const std::string& name, const std::vector<std::string>& shape, const code::DType& type,
                 bool is_input) {
    declare(program, name);
    Storage made{.name = name, .shape = {}, .type = type, .is_input = is_input};
    for (const std::string& extent : shape) {
        made.shape.push_back(parse_affine(extent, "the extent"));
        expect_known(program, {.name = name, .iterators = {}, .domain = {}, .reads = {}, .code = {}, .type = type},
                     made.shape.back(), "an extent");
    }
    program.storage.emplace(name, std::move(made));
}

}  // namespace

poly::Map affine_map(const Definition& from, const std::vector<Expr>& indices, const std::string& tuple) {
    symbolic::Subset subset = symbolic::Subset::indices(indices);
    const auto map = poly::to_elements(subset, space_of(from), tuple);
    if (!map.ok() && poly::Budget().exceeded())
        refuse("M007", "what `" + from.name + "` accesses is beyond the budget of isl's operations", "Give simpler indices.");
    if (!map.ok())
        refuse("M002", "an index of `" + from.name + "` is not affine: " + map.why, "Write indices that are affine in iterators.");
    return map.value->intersect_domain(from.domain);
}

const Definition* Program::find(const std::string& computation) const {
    const auto at = std::ranges::find(definitions, computation, &Definition::name);
    return at == definitions.end() ? nullptr : &*at;
}
const Definition& Program::home(const Definition& definition) const {
    return definition.target ? definitions[*definition.target] : definition;
}
poly::Set Program::context() const {
    ir::Sdfg sdfg{.name = name};
    for (const std::string& constant : constants) ir::add_symbol(sdfg, constant);
    return poly::to_parameters(analysis::assumptions_of(sdfg), {constants.begin(), constants.end()});
}
poly::Map Program::points(const Definition& reader, const Read& read) const {
    return affine_map(reader, read.indices, read.of);
}
poly::Map Program::elements(const Definition& reader, const Read& read) const {
    const Definition* producer = find(read.of);
    return producer ? points(reader, read).then(affine_map(*producer, producer->layout, producer->buffer)) : points(reader, read);
}
poly::Map Program::elements(const Definition& definition) const {
    const Definition& stored = home(definition);
    return definition.element.then(affine_map(stored, stored.layout, stored.buffer));
}

Function::Function(const std::string& name) : program_(std::make_unique<Program>()) {
    program_->name = name;
    if (!is_name(name)) refuse("M001", "`" + name + "` is no name", "Use letters, digits and underscores.");
}
Function::~Function() = default;

void Function::constant(const std::string& name) {
    declare(*program_, name);
    program_->constants.insert(name);
}
void Function::input(const std::string& name, const std::vector<std::string>& shape, code::DType type) {
    add_storage(*program_, name, shape, type, true);
}
void Function::buffer(const std::string& name, const std::vector<std::string>& shape, code::DType type) {
    add_storage(*program_, name, shape, type, false);
}

namespace {

Computation define(Program& program, Definition made, const std::string& value) {
    made.code = ValueReader(program, made, value).code();
    if (!made.target) {
        made.element = affine_map(made, own_point(made), made.name);
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
    Definition made{.name = name, .iterators = {}, .domain = {}, .reads = {}, .code = {}, .type = type};
    domain_of(*program_, vars, predicate, made);
    return define(*program_, std::move(made), value);
}

Computation Function::computation_over(const std::string& domain, const std::string& value, code::DType type) {
    const poly::Set set = poly::Set::parse(domain);
    if (!set.known())
        refuse("M002", "`" + domain + "` is no set", "Write a set in isl's notation, `[N] -> { C[i] : 0 <= i < N }`.");
    declare(*program_, set.tuple());
    Definition made{.name = set.tuple(), .iterators = {}, .domain = set, .reads = {}, .code = {}, .type = type};
    const std::size_t open = domain.find('[', domain.find('{'));
    for (std::size_t at = open + 1; at < domain.size() && domain[at - 1] != ']';) {
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
    if (to.target) refuse("M001", "`" + to.name + "` is an update", "Update its target.");
    if (operation != "+" && operation != "*" && operation != "min" && operation != "max")
        refuse("M002", "no update combines by `" + operation + "`", "Use +, *, min or max.");
    Definition made{.name = name, .iterators = {}, .domain = {}, .reads = {}, .code = {}, .type = to.type};
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
    made.element = affine_map(made, made.element_indices, to.name);
    Computation result = define(*program_, std::move(made), value);
    for (const Read& read : program_->definitions.back().reads)
        if (read.of == program_->definitions[target.number_].name) {
            program_->definitions.pop_back();
            refuse("M001", "the update `" + name + "` reads its target", "Updates combine values in any order; use a computation.");
        }
    return result;
}

}  // namespace sluice::schedule
