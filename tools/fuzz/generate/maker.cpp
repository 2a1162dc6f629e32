#include "fuzz/generate/maker.h"
#include "support/check.h"

#include <algorithm>

namespace sluice::fuzz {

Maker::Maker(Random& random, const GenerateOptions& options, std::set<Feature> features, std::string name, int depth)
    : random_(random), options_(options), features_(std::move(features)), sdfg_{.name = std::move(name)}, depth_(depth) {}

Scalar Maker::some_type() {
    static const std::vector<Scalar> kTypes = {
        Scalar::Bool,    Scalar::Int8,    Scalar::Int16,   Scalar::Int32,   Scalar::Int64,   Scalar::UInt8,     Scalar::UInt16,
        Scalar::UInt32,  Scalar::UInt64,  Scalar::Float16, Scalar::Float32, Scalar::Float64, Scalar::Complex64, Scalar::Complex128,
        Scalar::Float64, Scalar::Float64, Scalar::Int32,   Scalar::Int64,   Scalar::Float32, Scalar::Int64};
    return pick_type(kTypes);
}

Scalar Maker::pick_type(const std::vector<Scalar>& among) {
    Scalar type;
    do type = random_.pick(among);
    while (!options_.types.empty() && std::ranges::find(options_.types, type) == options_.types.end());
    return type;
}

std::string whole(const Data& data) {
    if (data.shape.empty()) return data.name;
    return data.name + "[" + symbolic::to_string(symbolic::Subset::extents(data.shape)) + "]";
}

std::string Maker::fresh(const std::string& stem) {
    std::string name;
    do name = stem + std::to_string(counter_++);
    while (std::ranges::find(indices_, name, &Index::name) != indices_.end());
    return name;
}

Expr Maker::some_extent() {
    return extents_.empty() || random_.chance(25) ? Expr(random_.between(1, 5)) : random_.pick(extents_);
}

Expr Maker::some_argument_extent() {
    check(outermost_, "what a call is given sizes nothing there");
    Expr extent = some_extent();
    while (!sized_by_arguments({extent})) extent = some_extent();
    return extent;
}

void Maker::declare_arguments() {
    outermost_ = true;
    ir::add_symbol(sdfg_, "N");
    ir::add_symbol(sdfg_, "M");
    const Expr n = symbolic::symbol("N"), m = symbolic::symbol("M");
    extents_ = {n, n, m, n + 1, Expr(3)};
    const int arrays = random_.between(3, 6);
    for (int k = 0; k < arrays; ++k) {
        Data data{fresh("a"), some_type(), {}, Data::Use::Free};
        for (int d = random_.between(1, 3); d > 0; --d) data.shape.push_back(d == 3 ? Expr(2) : some_extent());
        if (random_.chance(20)) data.use = Data::Use::Constant;
        ir::Container& container = ir::add_array(sdfg_, data.name, data.type, data.shape);
        if (has(Feature::Layouts) && random_.chance(30)) {
            // Fortran order, the innermost padded.
            auto& array = std::get<ir::Array>(container.kind);
            Expr stride = 1;
            for (std::size_t d = 0; d < data.shape.size(); ++d) {
                array.strides.push_back(stride);
                stride = stride * (data.shape[d] + (d == 0 ? random_.between(0, 2) : 0));
            }
            array.total_size = stride;
            data.plain = false;
        }
        data_.push_back(data);
    }
    for (int k = random_.between(1, 3); k > 0; --k) {
        Data data{fresh("s"), some_type(), {}, random_.chance(50) ? Data::Use::Constant : Data::Use::Free};
        ir::add_scalar(sdfg_, data.name, data.type);
        data_.push_back(data);
    }
    static const std::vector<Scalar> kRounded = {Scalar::Float16, Scalar::Float32, Scalar::Float64, Scalar::Complex64,
                                                 Scalar::Complex128};
    for (int k = random_.between(0, 2); k > 0; --k) {
        Data data{fresh("acc"), pick_type(kRounded), {some_extent()}, Data::Use::Sums};
        ir::add_array(sdfg_, data.name, data.type, data.shape);
        data_.push_back(data);
    }
}

void Maker::declare(const Data& data) {
    if (data.shape.empty())
        ir::add_scalar(sdfg_, data.name, data.type);
    else
        ir::add_array(sdfg_, data.name, data.type, data.shape);
    data_.push_back(data);
}

ir::StateBuilder Maker::new_state(Flow& flow) {
    append(flow, ir::Block{.label = fresh("state"), .kind = Cow<ir::State>(), .metadata = {}});
    flow.open = true;
    return ir::edit_state(flow.region, flow.last);
}

ir::StateBuilder Maker::state_for(Flow& flow, const std::set<std::string>& reads, const std::set<std::string>& writes) {
    const bool conflicts = std::ranges::any_of(writes, [&](const std::string& name) {
        const auto found = flow.touched.find(name);
        return found != flow.touched.end() && !(reads.contains(name) && found->second.readers == 0);
    });
    if (!flow.open || conflicts || random_.chance(30)) return new_state(flow);
    return ir::edit_state(flow.region, flow.last);
}

ir::NodeId Maker::source(Flow& flow, ir::StateBuilder& state, const std::string& data) {
    const auto [at, added] = flow.touched.try_emplace(data);
    if (added) at->second.node = state.access(data);
    ++at->second.readers;
    return at->second.node;
}

ir::NodeId Maker::sink(Flow& flow, ir::StateBuilder& state, const std::string& data) {
    const ir::NodeId node = state.access(data);
    flow.touched[data] = {node, 0};
    return node;
}

std::vector<const Data*> Maker::readable(const std::string& but) const {
    std::vector<const Data*> found;
    for (const Data& data : data_)
        if (data.name != but && (data.use == Data::Use::Free || data.use == Data::Use::Constant)) found.push_back(&data);
    return found;
}

std::vector<const Data*> Maker::where(bool (*fits)(const Data&)) const {
    std::vector<const Data*> found;
    for (const Data& data : data_)
        if (fits(data)) found.push_back(&data);
    return found;
}

const Data& Maker::add_transient(Flow& flow, Scalar type, std::vector<Expr> shape) {
    Data data{fresh("t"), type, std::move(shape)};
    ir::Container& container =
        data.shape.empty() ? ir::add_scalar(sdfg_, data.name, type, true) : ir::add_transient(sdfg_, data.name, type, data.shape);
    if (random_.chance(10)) container.storage = ir::Storage::CPU_Heap;
    if (sized_by_arguments(data.shape) && !data.shape.empty() && random_.chance(15))
        container.lifetime = random_.chance(50) ? ir::Lifetime::Persistent : ir::Lifetime::SDFG;
    if (data.shape.empty())
        scalar_tasklet(flow, &data);
    else
        elementwise(flow, &data);
    data_.push_back(data);
    return data_.back();
}

bool Maker::sized_by_arguments(const std::vector<Expr>& shape) const {
    return outermost_ && std::ranges::all_of(shape, [](const Expr& extent) {
               return std::ranges::all_of(symbolic::free_symbols(extent),
                                          [](const std::string& name) { return name == "N" || name == "M"; });
           });
}

Data Maker::add_result(Scalar type, std::vector<Expr> shape) {
    Data data{fresh("result"), type, std::move(shape)};
    if (!sized_by_arguments(data.shape)) {
        ir::add_transient(sdfg_, data.name, type, data.shape);
        return data;
    }
    ir::add_array(sdfg_, data.name, type, data.shape);
    data_.push_back(data);
    return data;
}

void Maker::plant_race() {
    const Data data = add_result(Scalar::Int64, {Expr(1)});
    ir::BlockId id;
    ir::StateBuilder state = ir::add_state(sdfg_.body, fresh("race"), &id);
    for (const char* value : {"1", "2"}) {
        const ir::NodeId tasklet = state.tasklet("race", {}, {{"o", ir::DType()}}, std::string("o = ") + value);
        state.edge(tasklet, "o", state.access(data.name), "", ir::memlet(data.name + "[0]"));
    }
    ir::add_transition(sdfg_.body, id, sdfg_.body.start);
    sdfg_.body.start = id;
}

void Maker::fill(int statements) {
    Flow flow;
    if (outermost_ && random_.chance(25))
        name_size(flow, random_.chance(50) ? std::to_string(random_.between(1, 5)) : random_.chance(50) ? "N" : "M + 1");
    if (outermost_ && random_.chance(25)) kept_result(flow);
    sdfg_.body = region(statements, depth_, std::move(flow));
}

}  // namespace sluice::fuzz
