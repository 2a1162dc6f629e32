#include "driver/certificate.h"

#include "driver/session.h"
#include "ir/walk.h"

namespace sluice::driver {

namespace {

bool has_library_nodes(const ir::Sdfg& sdfg) {
    bool found = false;
    ir::for_each_sdfg(sdfg, [&](const ir::Sdfg& each) {
        ir::for_each_state(each.body, [&](const ir::State& state) {
            for (auto [id, node] : state.nodes) found |= std::holds_alternative<ir::LibraryNode>(node.kind);
        });
    });
    return found;
}

ir::Sdfg expanded(const ir::Sdfg& sdfg) {
    Session session(sdfg);
    ExpandOptions options;
    options.libraries = false;
    session.expand_library_nodes(options).or_fail();
    return session.program();
}

}  // namespace

Certificate certify_programs(const ir::Sdfg& before, const ir::Sdfg& after, const CertifyOptions& options) {
    Certificate certificate = certify::certify(before, after, options);
    if (certificate.verdict != Verdict::Unknown || !(has_library_nodes(before) || has_library_nodes(after))) return certificate;
    return certify::certify(expanded(before), expanded(after), options);
}

}  // namespace sluice::driver
