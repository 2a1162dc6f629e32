// Random graphs moved to a device against the interpreter.
#include <gtest/gtest.h>

#include "checks.h"
#include "driver/targets/opencl.h"
#include "fuzz/campaign.h"

namespace sluice::fuzz {
namespace {

TEST(OpenCl, RandomGraphsAgree) {
    if (const auto device = driver::opencl_device(); !device) GTEST_SKIP() << render(device.error());
    const driver::PrivateFolder folder = test_folder();
    CampaignOptions options;
    options.seed = 11;
    options.graphs = 24;
    options.batch = 16;
    options.seconds = 300;
    options.reduce_seconds = 0;
    options.sanitizers = {};
    options.folder = folder.path();
    aim_at(options, "opencl");
    const CampaignReport report = run_campaign(options);
    for (const CampaignFinding& finding : report.findings) ADD_FAILURE() << "graph " << finding.graph << ": " << finding.text;
    std::uint64_t ran = 0;
    for (const auto& [name, count] : report.runs)
        if (name.starts_with("opencl")) ran += count;
    EXPECT_GE(ran, 18u) << "too much is refused";
}

}  // namespace
}  // namespace sluice::fuzz
