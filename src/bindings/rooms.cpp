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

nb::object Rooms::reserve(const driver::Argument& result, const nb::object& dtype) {
    Room& room = reserved_.emplace_back(static_cast<std::size_t>(ir::kReservedExtent) * code::size_in_bytes(result.dtype));
    if (room.memory == MAP_FAILED)
        fail({"D015", "there are no addresses left for a result of any size", {}, result.name, "give the process more memory", {}});
    const nb::object memory =
        nb::steal(PyMemoryView_FromMemory(static_cast<char*>(room.memory), static_cast<Py_ssize_t>(room.bytes), PyBUF_WRITE));
    room.array = nb::module_::import_("numpy").attr("frombuffer")(memory, dtype);
    return room.array;
}

void Rooms::shrink(nb::object& room, const nb::object& shape) const {
    const nb::object sizes = shape.attr("tolist")();
    if (std::ranges::none_of(reserved_, [&](const Room& one) { return one.array.is(room); })) {
        room.attr("resize")(sizes, nb::arg("refcheck") = false);
        return;
    }
    std::int64_t elements = 1;
    for (const nb::handle size : sizes) elements *= nb::cast<std::int64_t>(size);
    room = room[nb::slice(elements)].attr("copy")().attr("reshape")(sizes);
}

}  // namespace sluice::bindings
