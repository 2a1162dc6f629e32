// Values: the text of an expression becomes reads, and code of tasklets over their connectors.
#include <algorithm>

#include "code/parse.h"
#include "code/print.h"
#include "code/walk.h"
#include "poly/convert.h"
#include "schedule/program.h"
#include "schedule/ranges.h"

namespace sluice::schedule {

using symbolic::Expr;

namespace {

/// A value with conditions on iterators is one piece for each way that they may hold.
constexpr std::size_t kMostPieces = 64;

struct Replacement {
    std::size_t begin, end;
    std::string by;
};
std::string replaced(std::string text, std::vector<Replacement> places) {
    std::ranges::sort(places, [](const Replacement& a, const Replacement& b) { return a.begin > b.begin; });
    for (const Replacement& place : places) text.replace(place.begin, place.end - place.begin, place.by);
    return text;
}

std::string text_of(const std::string& all, const code::Expr& e) {
    return all.substr(e.span.column - 1, e.span.end_column - e.span.column);
}

code::ExprPtr parsed(const Definition& of, const std::string& text) {
    Result<code::ExprPtr> tree = code::parse_expr(text);
    if (!tree.ok())
        refuse("M002", "the value of `" + of.name + "` is no expression: " + tree.error().message,
               "Write an expression of Python.");
    return *std::move(tree);
}

bool reads_something(const code::Expr& e) {
    if (std::holds_alternative<code::SubscriptExpr>(e.node)) return true;
    bool found = false;
    code::for_each_child(e, [&](const code::ExprPtr& child) { found = found || reads_something(*child); });
    return found;
}

std::vector<code::ExprPtr> indices_of(const code::SubscriptExpr& read) {
    if (const auto* tuple = std::get_if<code::TupleExpr>(&read.index->node)) return tuple->elements;
    return {read.index};
}

class ValueReader {
public:
    ValueReader(const Program& program, Definition& definition) : program_(program), definition_(definition) {}

    /// The conditions that tell points apart are taken out of the text, then each text is a piece.
    void pieces(const std::string& text, const std::optional<poly::Set>& where) {
        const code::ExprPtr tree = parsed(definition_, text);
        if (const code::Expr* choice = affine_choice(*tree)) {
            const auto& cases = std::get<code::ConditionalExpr>(choice->node);
            const poly::Set holds = condition(*cases.condition)->intersect(definition_.domain);
            const poly::Set within = where ? *where : definition_.domain;
            for (const bool first : {true, false}) {
                const code::Expr& kept = first ? *cases.if_true : *cases.if_false;
                const std::string one =
                    replaced(text, {{choice->span.column - 1, choice->span.end_column - 1, "(" + text_of(text, kept) + ")"}});
                pieces(one, first ? within.intersect(holds) : within.subtract(holds));
            }
            return;
        }
        if (definition_.pieces.size() == kMostPieces)
            refuse("M002", "the conditions of `" + definition_.name + "` tell too many cases apart", "Write fewer conditions.");
        where_ = where;
        Piece piece{.where = where, .code = {}};
        const std::size_t first = definition_.reads.size();
        code::ExprPtr guard;
        if (!definition_.guard.empty()) {
            text_ = definition_.guard;
            guard = parsed(definition_, text_);
            piece.code = "if " + code(*guard) + ":\n    ";
            guards_.push_back(guard.get());
        }
        text_ = text;
        piece.code += "out = " + code(*tree);
        if (guard) guards_.pop_back();
        for (std::size_t at = first; at < definition_.reads.size(); ++at) piece.reads.push_back(at);
        definition_.pieces.push_back(std::move(piece));
    }

private:
    /// Of iterators and constants alone, and affine.
    std::optional<poly::Set> condition(const code::Expr& e) const {
        if (reads_something(e)) return std::nullopt;
        const Result<Expr> value = symbolic::parse(code::to_string(e));
        if (!value.ok()) return std::nullopt;
        for (const std::string& symbol : symbolic::free_symbols(*value))
            if (!is_known(symbol)) return std::nullopt;
        const auto set = poly::to_set(*value, {.tuple = definition_.name, .dims = definition_.iterators});
        return set.ok() ? std::optional(*set.value) : std::nullopt;
    }
    const code::Expr* affine_choice(const code::Expr& e) const {
        if (const auto* cases = std::get_if<code::ConditionalExpr>(&e.node))
            if ((reads_something(*cases->if_true) || reads_something(*cases->if_false)) && condition(*cases->condition)) return &e;
        const code::Expr* found = nullptr;
        code::for_each_child(e, [&](const code::ExprPtr& child) {
            if (!found) found = affine_choice(*child);
        });
        return found;
    }

    bool is_known(const std::string& name) const {
        return program_.constants.contains(name) || std::ranges::find(definition_.iterators, name) != definition_.iterators.end();
    }

    /// The text of a part with connectors in the place of its reads.
    std::string code(const code::Expr& e) {
        std::vector<Replacement> places;
        visit(e, places);
        const std::size_t start = e.span.column - 1;
        for (Replacement& place : places) place.begin -= start, place.end -= start;
        return replaced(text_of(text_, e), std::move(places));
    }

    void visit(const code::Expr& e, std::vector<Replacement>& places) {
        if (const auto* name = std::get_if<code::NameExpr>(&e.node)) {
            if (is_known(name->id)) return;
            refuse("M001", "the value of `" + definition_.name + "` names `" + name->id + "`, which is no constant and no iterator",
                   "Read computations and inputs with indices.");
        }
        if (const auto* call = std::get_if<code::CallExpr>(&e.node)) {  // The function's name is no value.
            for (const code::ExprPtr& argument : call->arguments) visit(*argument, places);
            return;
        }
        if (const auto* read = std::get_if<code::SubscriptExpr>(&e.node)) {
            places.push_back({e.span.column - 1, e.span.end_column - 1, subscript(*read)});
            return;
        }
        if (const auto* choice = std::get_if<code::ConditionalExpr>(&e.node)) {
            visit(*choice->condition, places);
            guards_.push_back(choice->condition.get());
            visit(*choice->if_true, places);
            guards_.pop_back();
            visit(*choice->if_false, places);
            return;
        }
        code::for_each_child(e, [&](const code::ExprPtr& child) { visit(*child, places); });
    }

    std::string subscript(const code::SubscriptExpr& read) {
        const std::string name = code::dotted_name(*read.object);
        const Definition* producer = name == definition_.name ? &definition_ : program_.find(name);
        const bool input =
            program_.storage.contains(name) && (program_.storage.at(name).is_input || program_.semantics == Reads::Memory);
        if (!input && !producer)
            refuse("M001", "`" + definition_.name + "` reads `" + name + "`, which is no computation and no input",
                   "Define it before; a computation may read itself, and those before it.");
        if (producer && producer->target)
            refuse("M001", "`" + definition_.name + "` reads the update `" + name + "`", "Read its target.");
        Read made{.of = name, .indices = {}, .texts = {}, .where = where_};
        const std::vector<code::ExprPtr> indices = indices_of(read);
        bool data_decide = false;
        for (const code::ExprPtr& index : indices) {
            const std::optional<Expr> affine = affine_index(*index);
            made.indices.push_back(affine ? *affine : 0);
            made.texts.push_back(code(*index));
            const Expr index_symbol = symbolic::symbol(kDataIndex + std::to_string(made.ranges.size()));
            made.ranges.push_back(affine ? symbolic::equal(index_symbol, *affine) : range(*index, index_symbol));
            data_decide = data_decide || !affine;
        }
        if (!data_decide) made.ranges.clear();
        const std::size_t rank = producer ? producer->iterators.size() : program_.storage.at(name).shape.size();
        if (indices.size() != rank)
            refuse("M001", "`" + definition_.name + "` reads `" + name + "` with " + std::to_string(indices.size()) + " indices",
                   "It has " + std::to_string(rank) + ".");
        definition_.reads.push_back(std::move(made));
        return "in" + std::to_string(definition_.reads.size() - 1);
    }

    std::optional<Expr> affine_index(const code::Expr& e) const {
        if (reads_something(e)) return std::nullopt;
        const std::string text = code::to_string(e);
        const Result<Expr> index = symbolic::parse(text);
        if (!index.ok()) return std::nullopt;
        expect_known(program_, definition_, *index, "an index");
        const auto affine = poly::to_affine(*index, {.tuple = definition_.name, .dims = definition_.iterators});
        return affine.ok() ? std::optional(*index) : std::nullopt;
    }

    Expr range(const code::Expr& e, const Expr& index) const {
        const TypeOf type = [this](const std::string& name) -> std::optional<code::DType> {
            const auto input = program_.storage.find(name);
            if (input != program_.storage.end()) return input->second.type;
            const Definition* of = name == definition_.name ? &definition_ : program_.find(name);
            return of ? std::optional(of->type) : std::nullopt;
        };
        return range_of(
            e, index, guards_, [this](const code::Expr& part) { return affine_part(part); }, type);
    }
    /// Like an index, where it is one.
    std::optional<Expr> affine_part(const code::Expr& e) const {
        if (reads_something(e)) return std::nullopt;
        const Result<Expr> value = symbolic::parse(code::to_string(e));
        if (!value.ok() ||
            !std::ranges::all_of(symbolic::free_symbols(*value), [this](const auto& name) { return is_known(name); }))
            return std::nullopt;
        const auto affine = poly::to_affine(*value, {.tuple = definition_.name, .dims = definition_.iterators});
        return affine.ok() ? std::optional(*value) : std::nullopt;
    }

    const Program& program_;
    Definition& definition_;
    Guards guards_;
    std::string text_;
    std::optional<poly::Set> where_;
};

/// Iterators of the producer become these texts; names of functions and of what is read stay.
void rename(const code::Expr& e, const std::map<std::string, std::string>& names, std::vector<Replacement>& places) {
    if (const auto* name = std::get_if<code::NameExpr>(&e.node)) {
        const auto at = names.find(name->id);
        if (at != names.end()) places.push_back({e.span.column - 1, e.span.end_column - 1, "(" + at->second + ")"});
    } else if (const auto* call = std::get_if<code::CallExpr>(&e.node)) {
        for (const code::ExprPtr& argument : call->arguments) rename(*argument, names, places);
    } else if (const auto* read = std::get_if<code::SubscriptExpr>(&e.node)) {
        rename(*read->index, names, places);
    } else {
        code::for_each_child(e, [&](const code::ExprPtr& child) { rename(*child, names, places); });
    }
}

void reads_of(const code::Expr& e, const std::string& name, std::vector<const code::Expr*>& found) {
    code::for_each_child(e, [&](const code::ExprPtr& child) { reads_of(*child, name, found); });
    const auto* read = std::get_if<code::SubscriptExpr>(&e.node);
    if (read && code::dotted_name(*read->object) == name) found.push_back(&e);
}

}  // namespace

bool reads_data(const std::string& condition) {
    const Result<code::ExprPtr> tree = code::parse_expr(condition);
    return tree.ok() && reads_something(**tree);
}

void read_value(const Program& program, Definition& definition) {
    definition.reads.clear();
    definition.pieces.clear();
    std::ranges::replace(definition.value, '\n', ' ');
    std::ranges::replace(definition.guard, '\n', ' ');
    ValueReader(program, definition).pieces(definition.value, std::nullopt);
}

std::string reading(const std::string& value, const Definition& reader, const std::string& from, const std::string& to) {
    std::vector<const code::Expr*> found;
    const code::ExprPtr tree = parsed(reader, value);
    reads_of(*tree, from, found);
    std::vector<Replacement> places;
    for (const code::Expr* read : found) {
        const code::Expr& name = *std::get<code::SubscriptExpr>(read->node).object;
        places.push_back({name.span.column - 1, name.span.end_column - 1, to});
    }
    return replaced(value, std::move(places));
}

std::string inlined(const std::string& value, const Definition& producer) {
    std::string text = value;
    for (;;) {  // Innermost first: an index may read the producer too.
        const code::ExprPtr tree = parsed(producer, text);
        std::vector<const code::Expr*> found;
        reads_of(*tree, producer.name, found);
        if (found.empty()) return text;
        std::map<std::string, std::string> names;
        const std::vector<code::ExprPtr> indices = indices_of(std::get<code::SubscriptExpr>(found.front()->node));
        for (std::size_t at = 0; at < indices.size(); ++at) names.emplace(producer.iterators[at], text_of(text, *indices[at]));
        const code::ExprPtr body = parsed(producer, producer.value);
        std::vector<Replacement> places;
        rename(*body, names, places);
        const std::string made = code::to_string(producer.type) + "(" + replaced(producer.value, std::move(places)) + ")";
        text = replaced(text, {{found.front()->span.column - 1, found.front()->span.end_column - 1, made}});
    }
}

}  // namespace sluice::schedule
