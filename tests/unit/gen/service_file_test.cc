#include "tools/gen/service_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace sluice::gen {
namespace {

using namespace literals;

std::vector<std::string> faults_of(std::string_view text) {
    const auto services = read_services(text, "s.yaml", 2);
    return services ? std::vector<std::string>() : config::lines_of(services.error());
}

TEST(ServiceFile, SaysAllThatAServiceIs) {
    const auto services = read_services(
        "services:\n"
        "  - {name: voice, from: 0, to: 1, cir: 8Mbps, eir: 500, max_loss: 0.1%,\n"
        "     max_latency: 5ms, max_variation: 200us, policing: 5%, frame_bytes: 1000, vlan: 10,\n"
        "     pcp: 5, dscp: 46, addresses: 7}\n"
        "  - {from: 1, to: 0, cir: 10K}\n",
        "s.yaml", 2);
    ASSERT_TRUE(services) << config::lines_of(services.error()).front();
    ASSERT_EQ(services->size(), 2U);
    const Service& voice = services->front();
    EXPECT_EQ(voice.stream.name, "voice");
    EXPECT_EQ(voice.stream.from, 0);
    EXPECT_DOUBLE_EQ(voice.cir_fps, 1'000) << "without preamble and gap";
    EXPECT_DOUBLE_EQ(voice.eir_fps, 500);
    EXPECT_DOUBLE_EQ(voice.max_loss, 0.001);
    EXPECT_EQ(voice.max_latency, 5_ms);
    EXPECT_EQ(voice.max_variation, 200_us);
    EXPECT_DOUBLE_EQ(voice.policing.value(), 0.05);
    const SenderSettings& sender = voice.stream.sender;
    EXPECT_EQ(sender.pattern.only_to, PortIndex{1});
    EXPECT_EQ(sender.pattern.priorities, only_priority(5));
    EXPECT_EQ(sender.vlan, 10);
    EXPECT_EQ(sender.style.dscp, 46);
    EXPECT_EQ(sender.addresses, 7U);

    const Service& plain = services->back();
    EXPECT_EQ(plain.stream.name, "service1");
    EXPECT_DOUBLE_EQ(plain.cir_fps, 10'000);
    EXPECT_EQ(plain.eir_fps, 0);
    EXPECT_EQ(plain.max_loss, 0);
    EXPECT_FALSE(plain.max_latency || plain.max_variation || plain.policing);
}

TEST(ServiceFile, ReportsAllFaultsByLineAndColumn) {
    EXPECT_EQ(
        faults_of("services:\n"
                  "  - {from: 0, to: 1}\n"
                  "  - {from: 0, to: 1, cir: max}\n"
                  "  - {from: 0, to: 1, cir: 1K, rate: 1K}\n"),
        (std::vector<std::string>{
            "s.yaml:2:5: services[0]: has no `cir`; write the committed information rate, "
            "for example 10Mbps",
            "s.yaml:3:27: services[1].cir: \"max\" is not an information rate; use bits per "
            "second of frames without preamble and gap (10Mbps), or frames per second (10K)",
            "s.yaml:4:31: services[2].rate: is not a key of a service; use one of name, from, "
            "to, cir, eir, max_loss, max_latency, max_variation, policing, frame_bytes, "
            "vlan, pcp, dscp, addresses, format"}));
}

TEST(ServiceFile, TakesNoLimitThatIsNone) {
    for (const char* limit :
         {"max_loss: 0.1", "max_loss: -1%", "max_loss: 101%", "max_loss: nan%", "max_loss: 1e1%",
          "max_loss: \"\"", "max_latency: 5", "max_latency: 0", "max_variation: soon",
          "policing: yes", "eir: 0", "eir: max", "cir: 2K", "pcp: 8", "name: a b", "octets: 00"}) {
        EXPECT_EQ(
            faults_of(fmt::format("services: [{{from: 0, to: 1, cir: 1K, {}}}]", limit)).size(), 1U)
            << limit;
    }
    EXPECT_EQ(faults_of("streams: [{from: 0, to: 1, cir: 1K}]").size(), 2U) << "another list";
}

}  // namespace
}  // namespace sluice::gen
