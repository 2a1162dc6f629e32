// Processes that work beside each other and send their reports to the one that started them.
#pragma once

#include <functional>

#include "fuzz/campaign.h"

namespace sluice::fuzz {

using Send = std::function<void(const CampaignReport&)>;

/// Runs `work(number, send)` in `count` processes; `receive` sees every report that one sends, in this process. Returns when all
/// have ended; an InternalError if one did not end well.
void run_workers(std::size_t count, const std::function<void(std::size_t, const Send&)>& work, const Send& receive);

}  // namespace sluice::fuzz
