// Regions: states in a row, loops, branches, machines.
#include "fuzz/generate/maker.h"

namespace sluice::fuzz {

void Maker::append(Flow& flow, ir::Block block, std::vector<std::pair<std::string, std::string>> assignments) {
    const ir::BlockId id = ir::add_block(flow.region, std::move(block));
    if (flow.last.valid()) ir::add_transition(flow.region, flow.last, id, "", std::move(assignments));
    flow.last = id;
    flow.open = false;
    flow.touched.clear();
}

ir::Region Maker::region(int statements, int depth, Flow flow) {
    const std::size_t known = data_.size();
    for (int k = 0; k < statements; ++k) statement(flow, depth);
    if (!flow.last.valid()) new_state(flow);
    data_.resize(known);  // what was made inside stays inside
    return std::move(flow.region);
}

void Maker::statement(Flow& flow, int depth) {
    if (depth > 0 && random_.chance(30) && structured(flow, depth)) return;
    switch (random_.below(24)) {
        case 0:
        case 1:
            if (has(Feature::Conflicts)) return update(flow);
            break;
        case 2:
            if (has(Feature::Conflicts) && has(Feature::Indirection)) return histogram(flow);
            break;
        case 3:
            if (has(Feature::Reductions)) return reduce(flow);
            break;
        case 4:
            if (has(Feature::Products)) return product(flow);
            break;
        case 5:
        case 6:
            if (has(Feature::Copies)) return copy(flow);
            break;
        case 7:
            if (has(Feature::Views)) return view_copy(flow);
            break;
        case 8:
            if (has(Feature::Streams)) return random_.chance(50) ? drain(flow) : consume(flow);
            break;
        case 9:
            if (has(Feature::Nested) && depth_ > 0) return random_.chance(50) ? nested(flow) : nested_in_map(flow);
            break;
        case 10:
            return scalar_tasklet(flow);
        case 11: {
            std::vector<Expr> shape;
            for (int d = random_.between(0, 2); d > 0; --d) shape.push_back(some_extent());
            add_transient(flow, some_type(), shape);
            return;
        }
        case 12:
        case 13:
        case 14:
        case 15:
        case 16:
        case 17:
        case 18:
        case 19:
        case 20:
        case 21:
            return idiom(flow);
        default:
            break;
    }
    elementwise(flow);
}

bool Maker::structured(Flow& flow, int depth) {
    switch (random_.below(4)) {
        case 0:
            if (!has(Feature::Loops)) return false;
            loop(flow, depth);
            return true;
        case 1:
            if (!has(Feature::Loops)) return false;
            counted_while(flow, depth);
            return true;
        case 2:
            if (!has(Feature::Branches)) return false;
            branch(flow, depth);
            return true;
        default:
            if (!has(Feature::Machines)) return false;
            machine(flow, depth);
            return true;
    }
}

std::string Maker::condition() {
    std::vector<std::string> numbers = {"N", "M"};
    if (!outermost_) numbers.clear();
    for (const Index& index : indices_) numbers.push_back(index.name);
    for (const Data& data : data_) {
        if ((data.use != Data::Use::Free && data.use != Data::Use::Constant) || code::is_complex(data.type)) continue;
        if (data.type == Scalar::UInt64) continue;
        if (data.shape.empty()) numbers.push_back(data.name);
        if (data.shape.size() == 1 && random_.chance(30)) numbers.push_back(data.name + "[0]");
    }
    if (numbers.empty()) return random_.chance(50) ? "1 < 2" : "2 < 1";
    static const std::vector<std::string> kCompare = {"<", ">", "==", ">="};
    std::string text = random_.pick(numbers) + " " + random_.pick(kCompare) + " " + std::to_string(random_.between(0, 4));
    if (random_.chance(25)) text += (random_.chance(50) ? " and " : " or ") + random_.pick(numbers) + " != 2";
    return text;
}

/// In a loop: leaves it or goes on with the next round, under a condition.
void Maker::jump(Flow& flow, const ir::Block& target) {
    ir::ConditionalBlock choice;
    choice.branches.push_back({ir::CodeBlock{condition()}, {}});
    ir::add_block(choice.branches[0].body, target);
    append(flow, {.label = fresh("maybe"), .kind = std::move(choice), .metadata = {}});
}

void Maker::loop(Flow& flow, int depth) {
    const std::string variable = fresh("v");
    const Expr extent = some_extent();
    const std::string count = symbolic::to_string(extent);
    static const std::vector<std::string> kSteps = {"1", "1", "2"};
    const bool down = random_.chance(30);
    ir::Block block = down ? ir::for_loop(fresh("loop"), variable, count + " - 1", "-1", "-" + random_.pick(kSteps))
                           : ir::for_loop(fresh("loop"), variable, random_.chance(25) ? "1" : "0", count, random_.pick(kSteps));
    auto& made = std::get<ir::LoopRegion>(block.kind);
    // Tested at the end, the first round always runs: its variable must be in range whatever the extent is.
    made.inverted = made.init->text.ends_with(down ? " - 1" : "= 0") && random_.chance(12);
    indices_.push_back({variable, extent});
    ++loops_;
    const std::size_t known = data_.size(), sizes = extents_.size();
    Flow body;
    if (random_.chance(20)) name_size(body, variable + " + 1");
    const int statements = random_.between(1, 2);
    for (int k = 0; k < statements; ++k) {
        statement(body, depth - 1);
        if (!random_.chance(25)) continue;
        if (random_.chance(50))
            jump(body, {.label = "leave", .kind = ir::BreakBlock{}, .metadata = {}});
        else
            jump(body, {.label = "next", .kind = ir::ContinueBlock{}, .metadata = {}});
    }
    data_.resize(known);
    extents_.resize(sizes);
    --loops_;
    indices_.pop_back();
    made.body = std::move(body.region);
    append(flow, std::move(block));
}

void Maker::counted_while(Flow& flow, int depth) {
    const std::string counter = fresh("k");
    const int rounds = random_.between(0, 3);
    ir::add_symbol(sdfg_, counter);
    new_state(flow);
    ir::Block block = ir::while_loop(fresh("while"), counter + " < " + std::to_string(rounds));
    Flow body;
    new_state(body);
    indices_.push_back({counter, Expr(4)});
    const std::size_t known = data_.size();
    append(body, {.label = fresh("state"), .kind = Cow<ir::State>(), .metadata = {}}, {{counter, counter + " + 1"}});
    body.open = true;
    for (int k = random_.between(1, 2); k > 0; --k) {
        statement(body, depth - 1);
        if (random_.chance(20)) jump(body, {.label = "next", .kind = ir::ContinueBlock{}, .metadata = {}});
        if (random_.chance(20)) jump(body, {.label = "leave", .kind = ir::BreakBlock{}, .metadata = {}});
    }
    data_.resize(known);
    indices_.pop_back();
    std::get<ir::LoopRegion>(block.kind).body = std::move(body.region);
    append(flow, std::move(block), {{counter, "0"}});
}

void Maker::branch(Flow& flow, int depth) {
    ir::ConditionalBlock choice;
    const int branches = random_.between(1, 3);
    for (int k = 0; k < branches; ++k) {
        std::optional<ir::CodeBlock> when;
        if (k == 0 || k + 1 < branches || random_.chance(40)) when = ir::CodeBlock{condition()};
        ir::Branch made{when, {}};
        if (random_.chance(outermost_ ? 3 : 35))
            ir::add_block(made.body, {.label = "out", .kind = ir::ReturnBlock{}, .metadata = {}});
        else
            made.body = region(random_.between(1, 2), depth - 1);
        choice.branches.push_back(std::move(made));
    }
    append(flow, {.label = fresh("choice"), .kind = std::move(choice), .metadata = {}});
}

/// Raw transitions: a diamond, or a loop that may be entered in the middle (which makes it irreducible).
void Maker::machine(Flow& flow, int depth) {
    ir::NamedRegion named;
    ir::Region& inside = named.body;
    const auto part = [&] {
        ir::NamedRegion body;
        body.body = region(1, depth - 1);
        return ir::add_block(inside, {.label = fresh("part"), .kind = std::move(body), .metadata = {}});
    };
    ir::BlockId start;
    ir::add_state(inside, fresh("state"), &start);
    if (random_.chance(50)) {
        const ir::BlockId left = part(), right = part();
        ir::BlockId end;
        ir::add_state(inside, fresh("state"), &end);
        ir::add_transition(inside, start, left, condition());
        ir::add_transition(inside, start, right);
        ir::add_transition(inside, left, end);
        if (random_.chance(70)) ir::add_transition(inside, right, end);
    } else {
        const std::string counter = fresh("k");
        ir::add_symbol(sdfg_, counter);
        indices_.push_back({counter, Expr(4)});
        const ir::BlockId top = part(), bottom = part();
        indices_.pop_back();
        ir::BlockId end;
        ir::add_state(inside, fresh("state"), &end);
        if (random_.chance(60)) ir::add_transition(inside, start, bottom, condition(), {{counter, "0"}});
        ir::add_transition(inside, start, top, "", {{counter, "0"}});
        ir::add_transition(inside, top, bottom, counter + " < " + std::to_string(random_.between(1, 3)),
                           {{counter, counter + " + 1"}});
        ir::add_transition(inside, top, end);
        ir::add_transition(inside, bottom, top);
    }
    append(flow, {.label = fresh("machine"), .kind = std::move(named), .metadata = {}});
}

}  // namespace sluice::fuzz
