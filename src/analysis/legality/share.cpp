#include "analysis/legality/share.h"

#include "analysis/dependences/order.h"
#include "analysis/legality/conflict.h"

namespace sluice::analysis {

using poly::Map;
using Kind = StatementAccess::Kind;

namespace {

class SharedMemory {
public:
    SharedMemory(const AccessModel& model, const std::string& first, const std::string& second)
        : model_(model), first_(first), second_(second) {}

    Verdict run() {
        for (const Statement& user : model_.statements)
            for (const StatementAccess& early : user.accesses) {
                if (user.summary || early.container != first_) continue;
                for (const Statement& other : model_.statements)
                    for (const StatementAccess& late : other.accesses)
                        if (!other.summary && late.container == second_) compare(user, early, other, late);
            }
        return verdict_of(found_, "a use of `" + first_ + "` and one of `" + second_ + "` that nothing keeps in order");
    }

private:
    void compare(const Statement& user, const StatementAccess& early, const Statement& other, const StatementAccess& late) {
        const Statement a = alone(user, early), b = alone(other, late);
        const unsigned from = depth_of(a), to = depth_of(b);
        Map together = Map::universe(executions(from, "a"), executions(to, "b"))
                           .subtract(happens_before(model_, user, other).with_domain_tuple("").with_range_tuple(""));
        if (&user == &other && reads_first(user, early, late)) {
            Map same = Map::universe(executions(from, "a"), executions(to, "b"));
            for (unsigned d = 0; d < from; ++d) same = same.equate(d, d);
            together = together.subtract(same);
        }
        for (Conflict& conflict : find_conflicts({.model = model_,
                                  .first = {.statements = {&a}, .depth = from},
                                  .second = {.statements = {&b}, .depth = to},
                                  .together = together})) {
            conflict.first = &user;
            conflict.second = &other;
            found_.push_back(std::move(conflict));
        }
    }
    /// The statement with one access, as if to the second container. An update is a write: operators of two containers do not mix.
    Statement alone(const Statement& statement, const StatementAccess& access) const {
        Statement result = statement;
        result.accesses = {access};
        StatementAccess& only = result.accesses.front();
        only.container = second_;
        only.elements = only.elements.with_range_tuple(second_);
        if (only.kind == Kind::Reduce) only.kind = Kind::Write;
        return result;
    }
    /// One execution of a tasklet reads single elements before it writes.
    static bool reads_first(const Statement& statement, const StatementAccess& early, const StatementAccess& late) {
        return statement.state && statement.node.valid() &&
               std::holds_alternative<ir::Tasklet>(statement.state->nodes[statement.node].kind) && early.kind == Kind::Read &&
               late.writes() && early.elements.is_single_valued() == Answer::Yes && late.elements.is_single_valued() == Answer::Yes;
    }

    const AccessModel& model_;
    const std::string &first_, &second_;
    std::vector<Conflict> found_;
};

}  // namespace

Verdict used_before(const ir::Sdfg& sdfg, const ir::State& state, const std::string& first, const std::string& second,
                    const symbolic::Assumptions& known) {
    const poly::Budget budget;
    const AccessModel model = access_model(sdfg, StateRoot{.state = &state}, known);
    if (auto unknown = obstacle(model)) return *unknown;
    return SharedMemory(model, first, second).run();
}

}  // namespace sluice::analysis
