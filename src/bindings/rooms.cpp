#include "bindings/rooms.h"

#include <sys/mman.h>

#include <algorithm>

#include "ir/container.h"
#include "support/result.h"

namespace sluice::bindings {

Rooms::Room::Room(std::size_t size)
    : memory(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)), bytes(size) {}

Rooms::Room::~Room() {
    array.reset();
    if (memory != MAP_FAILED) munmap(memory, bytes);
}

std::vector<std::unique_ptr<Rooms::Room>>& Rooms::idle() {
    static auto* const rooms = new std::vector<std::unique_ptr<Room>>;  // Python ends before what is static does.
    return *rooms;
}

bool Rooms::Room::empty_from(std::size_t byte) const {
    unsigned char in_place = 1;
    if (mincore(static_cast<char*>(memory) + byte, 1, &in_place) == 0 && (in_place & 1) == 0) return true;
    return madvise(static_cast<char*>(memory) + byte, bytes - byte, MADV_DONTNEED) == 0;
}

Rooms::~Rooms() {
    constexpr std::size_t kMost = 4, kKept = std::size_t{64} << 10;
    for (std::unique_ptr<Room>& room : reserved_) {
        if (idle().size() >= kMost || !room->array.is_valid() || room->bytes <= kKept) continue;
        if (room->empty_from(kKept)) idle().push_back(std::move(room));
    }
}

nb::object Rooms::reserve(const driver::Argument& result, const nb::object& dtype) {
    const auto waiting = std::ranges::find_if(idle(), [&](const auto& one) { return one->dtype.is(dtype); });
    if (waiting != idle().end()) {
        reserved_.push_back(std::move(*waiting));
        idle().erase(waiting);
        return reserved_.back()->array;
    }
    const std::size_t bytes = static_cast<std::size_t>(ir::kReservedExtent) * code::size_in_bytes(result.dtype);
    Room& room = *reserved_.emplace_back(std::make_unique<Room>(bytes));
    if (room.memory == MAP_FAILED)
        fail({"D015", "there are no addresses left for a result of any size", {}, result.name, "give the process more memory", {}});
    const nb::object memory =
        nb::steal(PyMemoryView_FromMemory(static_cast<char*>(room.memory), static_cast<Py_ssize_t>(room.bytes), PyBUF_WRITE));
    room.dtype = dtype;
    room.array = nb::module_::import_("numpy").attr("frombuffer")(memory, dtype);
    return room.array;
}

void Rooms::shrink(nb::object& room, const nb::object& shape) const {
    const nb::object sizes = shape.attr("tolist")();
    if (std::ranges::none_of(reserved_, [&](const auto& one) { return one->array.is(room); })) {
        room.attr("resize")(sizes, nb::arg("refcheck") = false);
        return;
    }
    std::int64_t elements = 1;
    for (const nb::handle size : sizes) elements *= nb::cast<std::int64_t>(size);
    room = room[nb::slice(elements)].attr("copy")();
    if (nb::len(sizes) != 1) room = room.attr("reshape")(sizes);
}

}  // namespace sluice::bindings
