#include "poly/budget.h"

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <optional>

#include <gmp.h>
#include <isl/ctx.h>

#include "poly/allowance.h"
#include "poly/handle.h"

namespace sluice::poly {

namespace {

// isl keeps each coefficient in a number of GMP's, and most of what it takes are these. They are counted where GMP allocates: a
// thread's isl context is its own, so what one thread takes and gives back is what its questions hold. The allocations themselves
// are counted too: isl's own count stands still while it copies, coalesces and simplifies.
struct Ledger {
    isl_ctx* budgeted = nullptr;
    long held = 0;
    long allowed = 0;
    unsigned long allocations = 0;
    unsigned long most_allocations = 0;
    std::optional<unsigned long> left;  // Of the allowance.
};
thread_local Ledger ledger;

// What stood before, perhaps another library's, goes on allocating.
struct Allocation {
    void* (*allocate)(std::size_t);
    void* (*reallocate)(void*, std::size_t, std::size_t);
    void (*release)(void*, std::size_t);
};
Allocation beneath;

// A block of the C library: a word beside it, rounded to its alignment.
long footprint(std::size_t size) {
    return std::max<long>(32, (static_cast<long>(size) + 8 + 15) & ~15L);
}

void take(long bytes) {
    ledger.held += bytes;
    if (!ledger.budgeted) return;
    if (++ledger.allocations > ledger.most_allocations || ledger.held > ledger.allowed) isl_ctx_abort(ledger.budgeted);
}

void* counted_allocate(std::size_t size) {
    take(footprint(size));
    return beneath.allocate(size);
}
void* counted_reallocate(void* block, std::size_t old_size, std::size_t size) {
    take(footprint(size) - footprint(old_size));
    return beneath.reallocate(block, old_size, size);
}
void counted_release(void* block, std::size_t size) {
    take(-footprint(size));
    beneath.release(block, size);
}

void count_allocations() {
    static std::once_flag once;
    std::call_once(once, [] {
        mp_get_memory_functions(&beneath.allocate, &beneath.reallocate, &beneath.release);
        mp_set_memory_functions(counted_allocate, counted_reallocate, counted_release);
    });
}

}  // namespace

Budget::Budget(unsigned long operations, long memory) : outermost_(!ledger.budgeted) {
    if (!outermost_) return;
    count_allocations();
    ledger.budgeted = context();
    ledger.allowed = ledger.held + memory;
    ledger.allocations = 0;
    ledger.most_allocations = operations + operations / 2;
    if (ledger.left) {
        ledger.most_allocations = std::min(ledger.most_allocations, *ledger.left);
        operations = std::max(1UL, std::min(operations, ledger.most_allocations));
    }
    isl_ctx_reset_operations(context());
    isl_ctx_set_max_operations(context(), operations);
}

Budget::~Budget() {
    if (!outermost_) return;
    // Steps without allocations are known only where they were all of the budget.
    if (ledger.left) *ledger.left -= exceeded() ? ledger.most_allocations : std::min(ledger.allocations, ledger.most_allocations);
    ledger.budgeted = nullptr;
    isl_ctx_resume(context());
    isl_ctx_set_max_operations(context(), 0);
    isl_ctx_reset_operations(context());
    isl_ctx_reset_error(context());
}

bool Budget::exceeded() const {
    const isl_error error = isl_ctx_last_error(context());
    return error == isl_error_quota || error == isl_error_abort;
}

Allowance::Allowance(unsigned long allocations) : outermost_(!ledger.left) {
    if (outermost_) ledger.left = allocations;
}

Allowance::~Allowance() {
    if (outermost_) ledger.left.reset();
}

bool Allowance::used_up() const {
    return ledger.left == 0UL;
}

}  // namespace sluice::poly
