// V6xx: blocks, transitions, loops and branches; V702: the names that their code reads.
#include "ir/code_block.h"
#include "ir/query.h"
#include "ir/verify/verification.h"

namespace sluice::ir::verification {

namespace {

class ControlFlow {
public:
    ControlFlow(Report& report, Names& names) : report_(report), names_(names) {}

    void run(const Region& region, bool in_loop, const Span& where) {
        if (report_.levels >= kMostLevels) return report_.add("V546", "the region is nested too deeply", where);
        ++report_.levels;
        if (!region.blocks.empty() && !region.blocks.contains(region.start))
            report_.add("V601", region.start.valid() ? "the start of the region does not exist" : "the region has no start", where);
        std::unordered_set<std::string_view> labels;
        for (auto [id, block] : region.blocks) {
            if (!is_identifier(block.label))
                report_.add("V602", "the label `" + block.label + "` is not an identifier", block.metadata.where, block.label);
            else if (!labels.insert(block.label).second)
                report_.add("V602", "two blocks are labelled " + block.label, block.metadata.where, block.label);
            const Report::Enter enter(report_, block.label);
            run(block, in_loop);
        }
        for (auto [id, transition] : region.transitions) run(region, id, transition);
        report_.elements += region.blocks.size() + region.transitions.size();
        --report_.levels;
    }

    void run(const Touched::InRegion& touched) {
        const Region& region = *touched.region;
        if (!region.blocks.empty() && !region.blocks.contains(region.start))
            report_.add("V601", "the start of the region does not exist", {});
        for (const BlockId id : touched.blocks) {
            if (!region.blocks.contains(id)) continue;
            const Block& block = region.blocks[id];
            if (!is_identifier(block.label))
                report_.add("V602", "the label `" + block.label + "` is not an identifier", block.metadata.where, block.label);
            for (auto [other, sibling] : region.blocks)
                if (other != id && sibling.label == block.label)
                    report_.add("V602", "two blocks are labelled " + block.label, block.metadata.where, block.label);
            if (as_state(block)) continue;  // what was touched in it is asked by itself
            const Report::Enter enter(report_, block.label);
            run(block, touched.in_loop);
        }
        for (const TransitionId id : touched.transitions)
            if (region.transitions.contains(id)) run(region, id, region.transitions[id]);
        report_.elements += touched.blocks.size() + touched.transitions.size();
    }

private:
    void run(const Block& block, bool in_loop) {
        const Span& where = block.metadata.where;
        if (const auto* state = as_state(block)) {
            check_state(report_, names_, *state, where);
        } else if (const auto* loop = std::get_if<LoopRegion>(&block.kind)) {
            run(*loop, where);
        } else if (const auto* conditional = std::get_if<ConditionalBlock>(&block.kind)) {
            run(*conditional, in_loop, where);
        } else if (const auto* region = std::get_if<NamedRegion>(&block.kind)) {
            run(region->body, in_loop, where);
        } else if (!in_loop && !std::holds_alternative<ReturnBlock>(block.kind)) {
            const bool is_break = std::holds_alternative<BreakBlock>(block.kind);
            report_.add("V607", std::string(is_break ? "break" : "continue") + " stands outside every loop", where);
        }
    }

    void run(const LoopRegion& loop, const Span& where) {
        if (!loop.condition || loop.condition->text.empty())
            report_.add("V608", "the loop has no condition", where);
        else
            condition(*loop.condition, "the loop condition", where, {});
        if (!loop.variable.empty() && !is_identifier(loop.variable))
            report_.add("V609", "the loop variable `" + loop.variable + "` is not an identifier", where);
        if (names_.sdfg.containers.contains(loop.variable))
            report_.add("V606", "the loop variable " + loop.variable + " is a container", where);
        statement(loop, loop.init, "the initial statement", where);
        statement(loop, loop.update, "the update statement", where);
        run(loop.body, true, where);
    }

    void statement(const LoopRegion& loop, const std::optional<CodeBlock>& code, const std::string& what, const Span& where) {
        if (!code || code->text.empty()) return;
        const Result<code::Body> body = parsed_body(*code);
        if (!body.ok()) return report_.add("V609", what + " does not parse: " + body.error().message, where);
        names_read(free_names(*body), what, where, {});
        const auto assigns = [&](const code::Stmt& stmt) {
            const code::ExprPtr* target = nullptr;
            if (const auto* assign = std::get_if<code::AssignStmt>(&stmt.node); assign && assign->targets.size() == 1)
                target = &assign->targets[0];
            if (const auto* augmented = std::get_if<code::AugAssignStmt>(&stmt.node)) target = &augmented->target;
            const auto* name = target ? std::get_if<code::NameExpr>(&(*target)->node) : nullptr;
            return name && (name->id == loop.variable);
        };
        if (body->size() != 1 || !assigns(*body->front()))
            report_.add("V609",
                        what + " `" + code->text + "` does not assign the loop variable" +
                            (loop.variable.empty() ? "" : " " + loop.variable),
                        where);
    }

    void run(const ConditionalBlock& conditional, bool in_loop, const Span& where) {
        if (conditional.branches.empty()) report_.add("V610", "the conditional block has no branches", where);
        for (std::size_t at = 0; at < conditional.branches.size(); ++at) {
            const Branch& branch = conditional.branches[at];
            if (branch.condition)
                condition(*branch.condition, "the condition of branch " + std::to_string(at), where, {});
            else if (at + 1 != conditional.branches.size())
                report_.add("V610",
                            "the else is branch " + std::to_string(at) + " of " + std::to_string(conditional.branches.size()),
                            where);
            run(branch.body, in_loop, where);
        }
    }

    void run(const Region& region, TransitionId id, const Transition& transition) {
        const Span& where = transition.metadata.where;
        const auto label = [&](BlockId block) {
            return region.blocks.contains(block) ? region.blocks[block].label : "@" + std::to_string(block.value);
        };
        const std::string leaf =
            "t" + std::to_string(id.value) + " (" + label(transition.src) + " -> " + label(transition.dst) + ")";
        if (!region.blocks.contains(transition.src) || !region.blocks.contains(transition.dst))
            report_.add("V603", "the transition joins a block that does not exist", where, leaf);
        if (!transition.condition.text.empty()) condition(transition.condition, "the condition", where, leaf);
        std::set<std::string_view> targets;
        for (const auto& [symbol, value] : transition.assignments) {
            if (!is_identifier(symbol))
                report_.add("V605", "`" + symbol + "` is assigned but is not an identifier", where, leaf);
            else if (!targets.insert(symbol).second)
                report_.add("V605", "the symbol " + symbol + " is assigned twice", where, leaf);
            if (names_.sdfg.containers.contains(symbol))
                report_.add("V606", "the container " + symbol + " is assigned", where, leaf);
            const Result<code::ExprPtr> tree = parsed_expr(value);
            if (!tree.ok())
                report_.add("V605", "the value `" + value + "` of " + symbol + " does not parse: " + tree.error().message, where,
                            leaf);
            else
                names_read(free_names(**tree), "the value of " + symbol, where, leaf);
        }
    }

    void condition(const CodeBlock& code, const std::string& what, const Span& where, const std::string& leaf) {
        if (code.language != Language::Python)
            return report_.add("V604", what + " is written in " + std::string(to_string(code.language)), where, leaf);
        const Result<code::ExprPtr> tree = parsed_expr(code.text);
        if (!tree.ok())
            report_.add("V604", what + " `" + code.text + "` does not parse: " + tree.error().message, where, leaf);
        else
            names_read(free_names(**tree), what, where, leaf);
    }

    void names_read(const std::set<std::string>& read, const std::string& what, const Span& where, const std::string& leaf) {
        for (const std::string& name : read)
            if (!names_.sdfg.containers.contains(name) && !is_defined(names_, nullptr, NodeId(), name))
                report_.add("V702", what + " reads " + name + ", which is not defined", where, leaf);
    }

    Report& report_;
    Names& names_;
};

}  // namespace

void check_control_flow(Report& report, Names& names) {
    ControlFlow(report, names).run(names.sdfg.body, false, names.sdfg.metadata.where);
}

void check_touched(Report& report, Names& names, const Touched::InRegion& touched) {
    ControlFlow(report, names).run(touched);
}

}  // namespace sluice::ir::verification
