// The rules of messages between ranks, M1 to M5 of docs/loop-text.md.
#pragma once

#include <string>
#include <vector>

#include "loop/ir.h"

namespace sluice::loop {

/// Every violation, in the order of the statements.
std::vector<std::string> verify_messages(const Module& module);
/// Do ranks combine elements of this type by this operator? Rule M5.
bool combines_ranks(const DType& type, ReductionType op);
/// Do ranks of this module speak to each other?
bool uses_messages(const Module& module);

}  // namespace sluice::loop
