#include "poly/handle.h"

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/schedule.h>
#include <isl/set.h>
#include <isl/union_map.h>
#include <isl/union_set.h>

namespace sluice::poly {

namespace {

struct Context {
    Context() : raw(isl_ctx_alloc()) { isl_options_set_on_error(raw, ISL_ON_ERROR_CONTINUE); }
    ~Context() { isl_ctx_free(raw); }
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;
    isl_ctx* raw;
};

Context& local() {
    thread_local Context context;
    return context;
}

isl_set* copied(isl_set* raw) {
    return isl_set_copy(raw);
}
isl_map* copied(isl_map* raw) {
    return isl_map_copy(raw);
}
isl_union_set* copied(isl_union_set* raw) {
    return isl_union_set_copy(raw);
}
isl_union_map* copied(isl_union_map* raw) {
    return isl_union_map_copy(raw);
}
isl_pw_aff* copied(isl_pw_aff* raw) {
    return isl_pw_aff_copy(raw);
}
isl_schedule* copied(isl_schedule* raw) {
    return isl_schedule_copy(raw);
}
void freed(isl_set* raw) {
    isl_set_free(raw);
}
void freed(isl_map* raw) {
    isl_map_free(raw);
}
void freed(isl_union_set* raw) {
    isl_union_set_free(raw);
}
void freed(isl_union_map* raw) {
    isl_union_map_free(raw);
}
void freed(isl_pw_aff* raw) {
    isl_pw_aff_free(raw);
}
void freed(isl_schedule* raw) {
    isl_schedule_free(raw);
}

}  // namespace

isl_ctx* context() {
    return local().raw;
}

template <class Raw> Handle<Raw>::~Handle() {
    if (raw_) freed(raw_);
}
template <class Raw> Raw* Handle<Raw>::copy() const {
    return raw_ ? copied(raw_) : nullptr;
}
template class Handle<isl_set>;
template class Handle<isl_map>;
template class Handle<isl_union_set>;
template class Handle<isl_union_map>;
template class Handle<isl_pw_aff>;
template class Handle<isl_schedule>;

}  // namespace sluice::poly
