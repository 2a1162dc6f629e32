// Containers in memory: layouts, allocation, and the caller's arguments.
#include <algorithm>
#include <limits>

#include "interpret/machine.h"
#include "ir/query.h"
#include "support/memory.h"

namespace sluice::interpret {

void Machine::fail_here(const char* code, std::string message, std::string remedy) {
    fail({code, std::move(message), {}, at_ ? at_->path : std::string(), std::move(remedy), {}});
}

namespace {
constexpr std::int64_t kReserved = 1 << 16;  // Rows of an array of reserved memory: what lies behind them is out of bounds here.

bool is_reserved(const ContainerPlan& plan) {
    return plan.transient && !plan.container->shape.empty() && plan.container->shape[0].is_integer(ir::kReservedExtent);
}
}  // namespace

void Machine::lay_out(Frame& frame, Instance& instance) {
    const ContainerPlan& plan = *instance.plan;
    const std::size_t rank = plan.shape.size();
    instance.dimensions.resize(rank);
    std::int64_t run = 1;
    for (std::size_t d = rank; d-- > 0;) {
        Instance::Dimension& dimension = instance.dimensions[d];
        dimension.extent = plan.shape[d].value(*this, frame);
        if (d == 0 && is_reserved(plan)) dimension.extent = kReserved;
        if (dimension.extent < 0)
            fail_here(
                "I001",
                "dimension " + std::to_string(d) + " of `" + plan.name + "` has the extent " + std::to_string(dimension.extent),
                "pass sizes that are not negative");
        dimension.stride = plan.strides.empty() ? run : plan.strides[d].value(*this, frame);
        dimension.offset = plan.offset.empty() ? 0 : plan.offset[d].value(*this, frame);
        if (__builtin_mul_overflow(run, dimension.extent, &run))
            fail_here("I006", "the size of `" + plan.name + "` leaves 64 bits", "use smaller sizes");
    }
    instance.start = plan.start.value(*this, frame);
    instance.laid_out = true;
}

namespace {

// Elements from the first byte to the end of the last element; the most that 64 bits hold where there are more.
std::int64_t span_of(const Instance& instance) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = instance.start, steps = 0, reach = 0;
    bool fits = true;
    for (const Instance::Dimension& dimension : instance.dimensions) {
        if (dimension.extent == 0) return 0;
        fits = fits && !__builtin_add_overflow(dimension.extent - 1, std::max<std::int64_t>(dimension.offset, 0), &steps) &&
               !__builtin_mul_overflow(std::max<std::int64_t>(dimension.stride, 0), steps, &reach) &&
               !__builtin_add_overflow(last, reach, &last);
    }
    return fits && last < kMost ? last + 1 : kMost;
}

}  // namespace

std::size_t Machine::require_memory(const ContainerPlan& plan, std::int64_t elements, std::size_t element) {
    const auto bytes = bytes_in_memory(elements, element);
    if (!bytes)
        fail_here("I009", "`" + plan.name + "` of " + std::to_string(elements) + " elements does not fit into memory",
                  "use smaller sizes");
    return *bytes;
}

void Machine::allocate(Frame& frame, Instance& instance) {
    const ContainerPlan& plan = *instance.plan;
    lay_out(frame, instance);
    if (plan.kind == ContainerPlan::Kind::Stream) {
        std::size_t count = 1;
        for (const Instance::Dimension& dimension : instance.dimensions) count *= static_cast<std::size_t>(dimension.extent);
        require_memory(plan, static_cast<std::int64_t>(count), sizeof(Queue));
        instance.queues = std::make_shared<QueueArray>();
        instance.queues->queues.resize(count);
        instance.queues->capacity = plan.capacity.value(*this, frame);
        return;
    }
    const std::int64_t span = span_of(instance);
    const std::int64_t total = is_reserved(plan) ? span : std::max(span, plan.total.value(*this, frame));
    const std::size_t bytes = require_memory(plan, total, plan.element_size);
    if (!instance.allocation || instance.allocation->bytes != bytes) {
        instance.allocation = std::make_shared<Allocation>();
        instance.allocation->owned = std::make_unique<std::byte[]>(bytes + 1);
        instance.allocation->data = instance.allocation->owned.get();
        instance.allocation->bytes = bytes;
        watch(instance, !plan.constant);
    } else {
        renew(instance);
    }
    instance.base = instance.allocation->data;
    if (!plan.constant) return;
    const ir::Constant& constant = *plan.constant;
    const auto lanes = static_cast<std::size_t>(total) * plan.lanes;
    for (std::size_t at = 0; at < lanes; ++at) {
        Cell value;
        if (at < constant.integers.size())
            value = convert(cell(constant.integers[at]), Scalar::Int64, plan.scalar);
        else if (at < constant.values.size())
            value =
                convert(cell(Complex128(constant.values[at].first, constant.values[at].second)), Scalar::Complex128, plan.scalar);
        std::memcpy(instance.base + at * plan.lane_size, value.bytes.data(), plan.lane_size);
    }
}

Instance& Machine::bind_late(Frame& frame, std::uint32_t container) {
    Instance* found = frame.instances[container];
    const ContainerPlan& plan = frame.plan->containers[container];
    if (plan.kind == ContainerPlan::Kind::Unsupported)
        fail_here("I007", "container `" + plan.name + "` is of a kind that the interpreter does not have",
                  "use arrays, streams and structures");
    const bool bound = plan.container->binding == ir::Binding::Own || (found && (found->base || found->queues));
    if (!found || !bound)
        fail_here("I002", "container `" + plan.name + "` has no memory here",
                  plan.container->binding == ir::Binding::Own ? "pass it as an argument" : "bind it before it is used");
    if (plan.transient && plan.container->binding == ir::Binding::Own && !found->base && !found->queues)
        allocate(frame, *found);
    else
        lay_out(frame, *found);
    if (!found->allocation && !found->queues) {
        // The caller's memory, seen for the first time.
        found->allocation = std::make_shared<Allocation>();
        found->allocation->data = found->base;
        found->allocation->bytes =
            static_cast<std::size_t>(std::max(span_of(*found), plan.total.value(*this, frame))) * plan.element_size;
        watch(*found, false);
    }
    return *found;
}

std::int64_t Machine::flat(const Instance& instance, const std::int64_t* indices, bool checked) {
    std::int64_t result = instance.start;
    for (std::size_t d = 0; d < instance.dimensions.size(); ++d) {
        const Instance::Dimension& dimension = instance.dimensions[d];
        const std::int64_t at = indices[d] + dimension.offset;
        if (checked && (at < 0 || at >= dimension.extent)) [[unlikely]]
            fail_here("I001",
                      "index " + std::to_string(indices[d]) + " of dimension " + std::to_string(d) + " lies outside `" +
                          instance.plan->name + "`, whose extent is " + std::to_string(dimension.extent),
                      "correct the subset of the memlet, or enlarge the container");
        result += at * dimension.stride;
    }
    return result;
}

std::byte* Machine::address(const Instance& instance, std::int64_t flat_index) {
    const auto size = static_cast<std::int64_t>(instance.plan->element_size);
    std::byte* at = instance.base + flat_index * size;
    const std::int64_t within = at - instance.allocation->data;
    if (within < 0 || within + size > static_cast<std::int64_t>(instance.allocation->bytes)) [[unlikely]]
        fail_here("I001", "element " + std::to_string(flat_index) + " lies outside the memory of `" + instance.plan->name + "`",
                  "correct the subset of the memlet, or enlarge the container");
    return at;
}

void Machine::bind_structure(Frame& frame, const std::string& root, const Arguments& arguments) {
    const ir::Container* container = frame.plan->sdfg->containers.find(root);
    const auto* structure = container ? std::get_if<ir::Structure>(&container->kind) : nullptr;
    const auto whole = arguments.memory.find(root);
    if (!structure || whole == arguments.memory.end() || !whole->second) return;
    const DType type = ir::structure_type(*structure);
    std::size_t at = 0;
    const DType layout = type.compound->kind == code::CompoundKind::Pointer ? type.compound->fields[0].second : type;
    for (const auto& [name, field] : layout.compound->fields) {
        const std::size_t size = std::max<std::size_t>(code::size_in_bytes(field), 1);
        const std::size_t alignment = field.compound ? 8 : std::min<std::size_t>(size / field.lanes, 8);
        at = (at + alignment - 1) / alignment * alignment;
        auto* place = static_cast<std::byte*>(whole->second) + at;
        const auto slot = frame.plan->container_slots.find(root + "." + name);
        if (slot != frame.plan->container_slots.end() && frame.instances[slot->second]) {
            const bool pointer = field.compound && field.compound->kind == code::CompoundKind::Pointer;
            void* target = place;
            if (pointer) std::memcpy(&target, place, sizeof target);
            frame.instances[slot->second]->base = static_cast<std::byte*>(target);
        }
        at += size;
    }
}

void Machine::bind_argument(Frame& frame, std::uint32_t container, const Arguments& arguments) {
    const ContainerPlan& plan = frame.plan->containers[container];
    if (plan.kind == ContainerPlan::Kind::Structure) return bind_structure(frame, plan.name, arguments);
    if (plan.kind == ContainerPlan::Kind::Unsupported || plan.transient || plan.constant) return;
    Instance& instance = *frame.instances[container];
    if (plan.kind == ContainerPlan::Kind::Stream) return allocate(frame, instance);
    const auto given = arguments.memory.find(plan.name);
    if (given != arguments.memory.end()) instance.base = static_cast<std::byte*>(given->second);
    if (!instance.base && plan.name.find('.') == std::string::npos) frame.instances[container] = nullptr;
}

}  // namespace sluice::interpret
