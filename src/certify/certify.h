// Certificates: do two graphs compute the same?
//
// Their dataflow is compared by value (proof.h), apart from everything that transformations believe: no predicate of legality, no
// access model, no dependence of memory. What the proof cannot follow is tried on numbers (run.h): `Different` is said with an
// element that differs, `Equal` with a proof, anything else is `Unknown`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "certify/run.h"
#include "ir/sdfg.h"

namespace sluice::certify {

enum class Verdict { Equal, Different, Unknown };

struct Certificate {
    Verdict verdict = Verdict::Unknown;
    std::string construct = {};           ///< Of Unknown: what stands in the way.
    Span where = {};                      ///< Its place, if it has one.
    std::optional<Witness> witness = {};  ///< Of Different.
    /// Of Equal, what was allowed: that updates of an element come in another order, which rounds otherwise.
    bool reassociated = false;
};

struct CertifyOptions {
    double seconds = 7;                     ///< Then it is unknown.
    unsigned long operations = 60'000'000;  ///< Of isl.
};

/// Both must be verified. Arguments are paired by name, parameters are symbols of one name, positive where they are sizes.
Certificate certify(const ir::Sdfg& before, const ir::Sdfg& after, const CertifyOptions& options = {});

/// `equal`, `different: C[0, 1] for N=3 ...`, `unknown: the loop i, which counts no range`; ends with a newline.
std::string to_string(const Certificate& certificate);

}  // namespace sluice::certify
