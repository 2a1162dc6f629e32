// Room for results whose sizes only the run knows.
#pragma once

#include <memory>
#include <vector>

#include "bindings/call.h"
#include "bindings/convert.h"
#include "driver/signature.h"

namespace sluice::bindings {

class Rooms {
public:
    Rooms() = default;
    Rooms(const Rooms&) = delete;
    ~Rooms();
    /// An array of ir::kReservedExtent elements. Only the pages that the program writes take memory, until this object ends.
    nb::object reserve(const driver::Argument& result, const nb::object& dtype);
    /// Of an array of either kind: its first elements, as an array of that shape which holds no more than them.
    void shrink(nb::object& room, const nb::object& shape) const;

private:
    struct Room {
        explicit Room(std::size_t bytes);
        ~Room();
        Room(const Room&) = delete;
        /// Gives the pages from there on back; whether they are. Programs fill rooms from the front: where the first of these pages
        /// is not in place none is, and to look through all of them would take longer than a small program.
        bool empty_from(std::size_t byte) const;
        void* memory;
        std::size_t bytes;
        nb::object dtype, array;
    };
    /// Rooms that wait for a call, with the first pages in place: to map one anew costs as much as a small program. The holder of
    /// the GIL has them.
    static std::vector<std::unique_ptr<Room>>& idle();

    std::vector<std::unique_ptr<Room>> reserved_;
};

}  // namespace sluice::bindings
