#include "config/advice.h"

#include <gtest/gtest.h>

#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

std::string first_advice(const std::string& ports) {
    const auto read = load_text("ports:\n" + ports, "x.yaml");
    EXPECT_TRUE(read) << to_string(read.error().front());
    if (!read) return "";
    const auto lines = advice_on(*read);
    return lines.empty() ? "" : lines.front();
}

TEST(Advice, IsGivenOfLosslessPrioritiesThatTheKernelLoses) {
    const std::string one = first_advice("  - {name: a, device: 'af_packet:a', lossless: [3]}\n");
    EXPECT_EQ(one.substr(0, 26), "a has lossless priorities ") << one;
    const std::string two = first_advice(
        "  - {name: a, device: 'tap:a', lossless: [3]}\n"
        "  - {name: b, device: 'af_packet:b', lossless: [3]}\n");
    EXPECT_EQ(two.substr(0, 10), "a, b have ") << two;
}

TEST(Advice, IsGivenOfATunnelOverSuchAPort) {
    EXPECT_EQ(first_advice("  - {name: wan, device: 'af_packet:wan', lossless: [],\n"
                           "     underlay: {address: 192.0.2.1/24}}\n"
                           "  - {name: t, device: 'vxlan:wan/192.0.2.2/7', lossless: [3]}\n")
                  .substr(0, 6),
              "t has ");
}

TEST(Advice, IsNotGivenWhereNothingIsLost) {
    EXPECT_EQ(first_advice("  - {name: a, device: 'af_packet:a', lossless: []}\n"), "");
    EXPECT_EQ(first_advice("  - {name: a, device: 'af_packet:a', lossless: [3],\n"
                           "     retry: {enabled: true}}\n"),
              "")
        << "it is sent again";
    EXPECT_EQ(first_advice("  - {name: a, device: 'af_xdp:a', lossless: [3]}\n"
                           "  - {name: b, device: 'memif:/tmp/b.sock', lossless: [3]}\n"
                           "  - {name: c, device: 'ring:c', lossless: [3]}\n"),
              "");
}

}  // namespace
}  // namespace sluice::config
