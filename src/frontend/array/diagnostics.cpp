#include "frontend/array/diagnostics.h"

namespace sluice::frontend {

void refuse(const std::string& code, const std::string& message, const Span& where, const std::string& remedy) {
    fail(Diagnostic{.code = code, .message = message, .where = where, .path = {}, .remedy = remedy, .notes = {}});
}

void unsupported(const std::string& construct, const Span& where, const std::string& remedy) {
    refuse("F001", "unsupported construct: " + construct, where, remedy);
}

}  // namespace sluice::frontend
