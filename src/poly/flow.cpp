#include "poly/flow.h"

#include <isl/flow.h>
#include <isl/union_map.h>

namespace sluice::poly {

FlowAnswer flow(const FlowQuestion& question) {
    isl_union_access_info* access = isl_union_access_info_from_sink(question.sinks.copy());
    access = isl_union_access_info_set_must_source(access, question.must_sources.copy());
    access = isl_union_access_info_set_may_source(access, question.may_sources.copy());
    access = isl_union_access_info_set_schedule_map(access, question.schedule.copy());
    isl_union_flow* result = isl_union_access_info_compute_flow(access);
    FlowAnswer answer{.must = UnionMap(isl_union_flow_get_must_dependence(result)),
                      .may = UnionMap(isl_union_flow_get_may_dependence(result)),
                      .without_write = UnionMap(isl_union_flow_get_may_no_source(result))};
    isl_union_flow_free(result);
    return answer;
}

}  // namespace sluice::poly
