#include "analysis/legality/redundant_copy.h"

#include <algorithm>

#include "analysis/dependences/order.h"
#include "analysis/legality/conflict.h"

namespace sluice::analysis {

using poly::Map;
using Kind = StatementAccess::Kind;

namespace {

Map without_tuples(const Map& map) {
    return map.with_domain_tuple("").with_range_tuple("");
}

class Question {
public:
    Question(const AccessModel& model, const TwinCopy& copy, std::size_t rank)
        : model_(model),
          edge_(copy.edge),
          twin_(copy.twin),
          array_(copy.array),
          from_array_(copy.from_array),
          rank_(static_cast<unsigned>(rank)) {}

    Verdict run(const ir::State& state, bool inserted) {
        if (!find_copy(state)) return no_copy();
        return compare_all(inserted);
    }

    /// Every element that is copied was written for certain.
    Verdict run_coverage(const ir::State& state) {
        if (!find_copy(state)) return no_copy();
        Map written, copied;
        for (const StatementAccess& access : copy_->accesses)
            if (access.container == twin_) copied = on_array(access.elements);
        for (const Statement& writer : model_.statements) {
            if (writer.iterators.size() < copy_->iterators.size()) continue;
            for (const StatementAccess& access : writer.accesses) {
                if (access.container != twin_ || access.kind != Kind::Write || access.certainty != Certainty::Must) continue;
                const Map one = to_copy(writer).reverse().then(on_array(access.elements));
                written = written.known() ? written.unite(one) : one;
            }
        }
        const Answer covered = written.known() ? copied.intersect_parameters(model_.context).is_subset(written) : Answer::No;
        if (covered == Answer::Yes) return {.answer = Answer::Yes};
        return {.answer = covered, .why = "elements of `" + array_ + "` that would be copied may not be written before"};
    }

private:
    bool find_copy(const ir::State& state) {
        copy_ = copy_along(model_, state, edge_);
        return copy_ != nullptr;
    }
    Verdict no_copy() const {
        return {.answer = Answer::Unknown, .why = "there is no copy between `" + array_ + "` and `" + twin_ + "`"};
    }

    Verdict compare_all(bool inserted) {
        for (const Statement& user : model_.statements) {
            if (&user == copy_ || user.summary) continue;
            const Statement uses = of_twin(user);
            if (uses.accesses.empty()) continue;
            if (auto verdict = outside_the_copy(uses)) return *verdict;
            for (const Statement& other : model_.statements) {
                if (&other == copy_ || other.summary) continue;
                const Statement touching = of_array(other);
                if (!touching.accesses.empty()) compare(uses, touching, user, other);
            }
        }
        if (inserted)
            for (const Statement& other : model_.statements)
                if (&other != copy_ && !other.summary) check_unordered(other);
        return verdict_of(found_, from_array_ ? "who reads the copy and a write before it or in no order"
                                              : "who writes what is copied and a use after it or in no order");
    }

    /// The statement with what it reads (or writes) of the twin alone, as accesses to the array.
    Statement of_twin(const Statement& statement) const {
        Statement result = statement;
        result.accesses.clear();
        for (const StatementAccess& access : statement.accesses) {
            if (access.container != twin_ || access.writes() == from_array_) continue;
            StatementAccess moved = access;
            moved.container = array_;
            moved.elements = on_array(access.elements);
            result.accesses.push_back(std::move(moved));
        }
        return result;
    }
    /// With what it writes (or touches) of the array alone.
    Statement of_array(const Statement& statement) const {
        Statement result = statement;
        std::erase_if(result.accesses, [&](const StatementAccess& access) {
            return access.container != array_ || (from_array_ && !access.writes());
        });
        return result;
    }
    /// What is new for each execution of a scope has that execution in front of its indices; the twin's scope may lie further in.
    Map on_array(const Map& elements) const {
        const unsigned outer = executions_in_front(array_), inner = elements.range_dimensions() - rank_;
        return (inner == outer ? elements : elements.project_out_range(outer, inner - outer)).with_range_tuple(array_);
    }
    unsigned executions_in_front(const std::string& container) const {
        for (const StatementAccess& access : copy_->accesses)
            if (access.container == container) return access.elements.range_dimensions() - rank_;
        return 0;
    }

    /// From a statement's instances to the copy that belongs to them.
    Map to_copy(const Statement& statement) const {
        return Map::prefix(space_of(model_, statement), depth_of(*copy_)).with_range_tuple(copy_->tuple);
    }

    std::optional<Verdict> outside_the_copy(const Statement& uses) const {
        Map copied;
        for (const StatementAccess& access : copy_->accesses)
            if (access.container == twin_) copied = on_array(access.elements);
        if (!copied.known()) return Verdict{.answer = Answer::Unknown, .why = "it is not known what is copied"};
        const Map reached = to_copy(uses).then(copied);
        for (const StatementAccess& access : uses.accesses) {
            const Answer inside = access.elements.intersect_parameters(model_.context).is_subset(reached);
            if (inside != Answer::Yes)
                return Verdict{.answer = inside == Answer::No && access.certainty == Certainty::Must ? Answer::No : Answer::Unknown,
                               .why = "`" + uses.label + "` may touch elements that are not copied",
                               .nodes = {uses.top},
                               .where = uses.where};
        }
        return {};
    }

    /// The copy itself and another statement that no path keeps apart.
    void check_unordered(const Statement& other) {
        const auto on_the_array = [&](const Statement& statement) {
            Statement result = statement;
            std::erase_if(result.accesses, [&](const StatementAccess& access) { return access.container != array_; });
            return result;
        };
        const Statement copy = on_the_array(*copy_), touching = on_the_array(other);
        if (touching.accesses.empty()) return;
        const Map together = Map::universe(executions(depth_of(copy), "a"), executions(depth_of(other), "b"))
                                 .subtract(without_tuples(happens_before(model_, copy, other)))
                                 .subtract(without_tuples(happens_before(model_, other, copy).reverse()));
        for (Conflict& conflict : find_conflicts({.model = model_,
                                  .first = {.statements = {&copy}, .depth = depth_of(copy)},
                                  .second = {.statements = {&touching}, .depth = depth_of(other)},
                                  .together = together})) {
            conflict.first = copy_;
            conflict.second = &other;
            found_.push_back(std::move(conflict));
        }
    }

    /// `user` and `toucher` are the statements of the model that the two are parts of.
    void compare(const Statement& uses, const Statement& other, const Statement& user, const Statement& toucher) {
        const unsigned a = depth_of(uses), b = depth_of(other);
        Map together = Map::universe(executions(a, "a"), executions(b, "b"));
        // Kept apart as before: beyond the copy, or on the other side of the user.
        if (from_array_) {
            together = together.subtract(without_tuples(happens_before(model_, uses, other)));
            together =
                together.subtract(without_tuples(happens_before(model_, other, *copy_).then(to_copy(uses).reverse()).reverse()));
        } else {
            together = together.subtract(without_tuples(happens_before(model_, other, uses).reverse()));
            together = together.subtract(without_tuples(to_copy(uses).then(happens_before(model_, *copy_, other))));
        }
        // One execution reads single elements before it writes.
        const auto single = [](const Statement& statement) {
            return std::ranges::all_of(statement.accesses, [](const StatementAccess& access) {
                return access.writes() || access.elements.is_single_valued() == Answer::Yes;
            });
        };
        const bool tasklet = &user == &toucher && uses.state && uses.node.valid() &&
                             std::holds_alternative<ir::Tasklet>(uses.state->nodes[uses.node].kind);
        if (tasklet && single(uses) && single(other)) {
            Map same = Map::universe(executions(a, "a"), executions(b, "b"));
            for (unsigned d = 0; d < a; ++d) same = same.equate(d, d);
            together = together.subtract(same);
        }
        const ConflictQuestion question{.model = model_,
                                        .first = {.statements = {&uses}, .depth = a},
                                        .second = {.statements = {&other}, .depth = b},
                                        .together = together};
        for (Conflict& conflict : find_conflicts(question)) {
            conflict.first = &user;
            conflict.second = &toucher;
            found_.push_back(std::move(conflict));
        }
    }

    const AccessModel& model_;
    const ir::EdgeId edge_;
    const std::string &twin_, &array_;
    const bool from_array_;
    const unsigned rank_;
    const Statement* copy_ = nullptr;
    std::vector<Conflict> found_;
};

}  // namespace

namespace {

Verdict ask(const ir::Sdfg& sdfg, const ir::State& state, const TwinCopy& copy, const symbolic::Assumptions& known, bool inserted) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, StateRoot{.state = &state}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    return Question(model, copy, sdfg.containers.at(copy.array).shape.size()).run(state, inserted);
}

}  // namespace

Verdict all_written(const ir::Sdfg& sdfg, const ir::State& state, const TwinCopy& copy, const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, StateRoot{.state = &state}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    return Question(model, copy, sdfg.containers.at(copy.array).shape.size()).run_coverage(state);
}

Verdict copy_redundant(const ir::Sdfg& sdfg, const ir::State& state, const TwinCopy& copy, const symbolic::Assumptions& known) {
    return ask(sdfg, state, copy, known, false);
}

Verdict copy_insertable(const ir::Sdfg& sdfg, const ir::State& state, const TwinCopy& copy, const symbolic::Assumptions& known) {
    return ask(sdfg, state, copy, known, true);
}

Verdict unchanged_between(const ir::Sdfg& sdfg, const ir::State& state, ir::EdgeId out_edge, ir::EdgeId back_edge,
                          const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, StateRoot{.state = &state}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    const Statement *out = copy_along(model, state, out_edge), *back = copy_along(model, state, back_edge);
    if (!out || !back) return {.answer = Answer::Unknown, .why = "the copies are not found"};
    const auto written = std::ranges::find_if(back->accesses, &StatementAccess::writes);
    const std::string& array = written->container;
    std::vector<Conflict> found;
    const unsigned depth = depth_of(*back);
    for (const Statement& other : model.statements) {
        Statement writing = other;
        std::erase_if(writing.accesses,
                      [&](const StatementAccess& access) { return access.container != array || !access.writes(); });
        if (&other == back || other.summary || writing.accesses.empty()) continue;
        const Map same = Map::prefix(space_of(model, *back), depth).with_range_tuple(out->tuple);
        const Map together = Map::universe(executions(depth, "a"), executions(depth_of(other), "b"))
                                 .subtract(without_tuples(happens_before(model, *back, other)))
                                 .subtract(without_tuples(happens_before(model, other, *out).then(same.reverse()).reverse()));
        for (Conflict& conflict : find_conflicts({.model = model,
                                  .first = {.statements = {back}, .depth = depth},
                                  .second = {.statements = {&writing}, .depth = depth_of(other)},
                                  .together = together})) {
            if (conflict.container != array) continue;
            conflict.first = back;
            conflict.second = &other;
            found.push_back(std::move(conflict));
        }
    }
    return verdict_of(found, "the copy back and a write");
}

}  // namespace sluice::analysis
