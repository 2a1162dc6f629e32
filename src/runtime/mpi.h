// Messages between the ranks of a program: what send, receive, wait and the collectives of the loop IR become.
#pragma once

#include "mpi_collectives.h"
#include "mpi_world.h"

namespace sluice::mpi {

/// The type of a part for MPI, made once for each place of the program and again only where its sizes are others.
template <class T> class Layout {
public:
    Layout() = default;
    Layout(const Layout&) = delete;
    ~Layout() {
        int ended = 0;
        MPI_Finalized(&ended);
        if (made_ != MPI_DATATYPE_NULL && !ended) MPI_Type_free(&made_);
    }
    /// How many of `type` the part is.
    int describe(const Part<T>& part, MPI_Datatype& type) {
        type = type_of<T>();
        if (part.packed()) return count_of(part.elements());
        if (!is_made_for(part)) make(part);
        type = made_;
        return part.elements() == 0 ? 0 : 1;
    }

private:
    bool is_made_for(const Part<T>& part) const {
        if (made_ == MPI_DATATYPE_NULL || dims_ != part.dims) return false;
        for (int dim = 0; dim < dims_; ++dim)
            if (extents_[dim] != part.extents[dim] || strides_[dim] != part.strides[dim]) return false;
        return true;
    }
    void make(const Part<T>& part) {
        if (made_ != MPI_DATATYPE_NULL) MPI_Type_free(&made_);
        MPI_Datatype type = type_of<T>();
        for (int dim = part.dims; dim-- > 0;) {
            MPI_Datatype outer;
            expect(MPI_Type_create_hvector(count_of(part.extents[dim]), 1, MPI_Aint(part.strides[dim]) * MPI_Aint(sizeof(T)), type,
                                           &outer),
                   "a derived type");
            if (dim + 1 < part.dims) MPI_Type_free(&type);
            type = outer;
        }
        expect(MPI_Type_commit(&type), "a derived type");
        made_ = type;
        dims_ = part.dims;
        for (int dim = 0; dim < dims_; ++dim) extents_[dim] = part.extents[dim], strides_[dim] = part.strides[dim];
    }
    MPI_Datatype made_ = MPI_DATATYPE_NULL;
    int dims_ = 0;
    int64_t extents_[kMostDimensions] = {}, strides_[kMostDimensions] = {};
};

// ---- messages -------------------------------------------------------------------------------------------------------------
/// Requests by number, because the program keeps them as numbers whatever an MPI makes of them. 0 is none.
struct Pending {
    MPI_Request request;
    MPI_Datatype element;
    int64_t elements;  ///< Of a receive what must come; -1: a send.
    bool used;
};
class Requests {
public:
    int64_t add(const Pending& pending) {
        for (int64_t at = 0; at < room_; ++at)
            if (!all_[at].used) return all_[at] = pending, at + kFirst;
        const int64_t room = room_ ? 2 * room_ : 64;
        auto* more = static_cast<Pending*>(__builtin_realloc(all_, size_t(room) * sizeof(Pending)));
        if (!more) throw Failure{kOutOfMemory};
        for (int64_t at = room_; at < room; ++at) more[at].used = false;
        all_ = more;
        const int64_t at = room_;
        room_ = room;
        return all_[at] = pending, at + kFirst;
    }
    Pending& at(int64_t number) {
        const int64_t place = number - kFirst;
        if (place < 0 || place >= room_ || !all_[place].used) fail("a request is waited for that stands for no message");
        return all_[place];
    }

private:
    static constexpr int64_t kFirst = 0x53ff0001;  ///< Unlike what memory holds by chance.
    Pending* all_ = nullptr;
    int64_t room_ = 0;
};
inline Requests requests;

inline void check_count(MPI_Status& status, MPI_Datatype element, int64_t elements) {
    int came = 0;
    MPI_Get_elements(&status, element, &came);
    if (came != elements)
        fail("a message has another size than its receive (from rank %d, tag %d)", status.MPI_SOURCE, status.MPI_TAG);
}
inline int checked_tag(int64_t tag) {
    if (tag < 0 || tag > 0x7fff) fail("the tag %lld is not among 0 to 32767", static_cast<long long>(tag));
    return int(tag);
}
template <class T>
void send_by(decltype(MPI_Send) how, const Ranks& among, const Part<T>& part, int64_t to, int64_t tag, Layout<T>& layout) {
    if (to == kNoRank) return;
    MPI_Datatype type;
    const int count = layout.describe(part, type);
    expect(how(part.first, count, type, among.checked(to, "the receiver of a message"), checked_tag(tag), among.all), "a send");
}
template <class T> void send(const Ranks& among, const Part<T>& part, int64_t to, int64_t tag, Layout<T>& layout) {
    send_by(MPI_Send, among, part, to, tag, layout);
}
/// Returns when the receiver has begun to receive.
template <class T> void send_synchronously(const Ranks& among, const Part<T>& part, int64_t to, int64_t tag, Layout<T>& layout) {
    send_by(MPI_Ssend, among, part, to, tag, layout);
}
template <class T> void receive(const Ranks& among, const Part<T>& part, int64_t from, int64_t tag, Layout<T>& layout) {
    if (from == kNoRank) return;
    MPI_Datatype type;
    const int count = layout.describe(part, type);
    MPI_Status status;
    expect(MPI_Recv(part.first, count, type, among.checked(from, "the sender of a message"), checked_tag(tag), among.all, &status),
           "a receive");
    check_count(status, type_of<T>(), part.elements());
}
template <class T>
void send(const Ranks& among, const Part<T>& part, int64_t to, int64_t tag, Layout<T>& layout, int64_t* request) {
    *request = 0;
    if (to == kNoRank) return;
    Pending pending{MPI_REQUEST_NULL, type_of<T>(), -1, true};
    MPI_Datatype type;
    const int count = layout.describe(part, type);
    expect(MPI_Isend(part.first, count, type, among.checked(to, "the receiver of a message"), checked_tag(tag), among.all,
                     &pending.request),
           "a send");
    *request = requests.add(pending);
}
template <class T>
void receive(const Ranks& among, const Part<T>& part, int64_t from, int64_t tag, Layout<T>& layout, int64_t* request) {
    *request = 0;
    if (from == kNoRank) return;
    Pending pending{MPI_REQUEST_NULL, type_of<T>(), part.elements(), true};
    MPI_Datatype type;
    const int count = layout.describe(part, type);
    expect(MPI_Irecv(part.first, count, type, among.checked(from, "the sender of a message"), checked_tag(tag), among.all,
                     &pending.request),
           "a receive");
    *request = requests.add(pending);
}
/// MPI goes on with all messages while it waits for one.
inline void wait(const Part<int64_t>& numbers) {
    numbers.visit([](int64_t& number, int64_t) {
        if (number == 0) return;
        Pending& pending = requests.at(number);
        MPI_Status status;
        pending.used = false;
        number = 0;
        expect(MPI_Wait(&pending.request, &status), "a message");
        if (pending.elements >= 0) check_count(status, pending.element, pending.elements);
    });
}

}  // namespace sluice::mpi
