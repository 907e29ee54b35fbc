#include "config/csig.h"

#include <gtest/gtest.h>

#include "config/loader.h"
#include "tests/unit/config/faults_of.h"

namespace sluice::config {
namespace {

Settings settings_of(const std::string& text) {
    const auto loaded = load_text(text, "x.yaml");
    EXPECT_TRUE(loaded.has_value());
    return loaded ? loaded->settings : Settings{};
}

TEST(Csig, IsOffUnlessATpidIsWritten) {
    const Settings settings = settings_of(one_port);
    EXPECT_FALSE(settings.csig.is_on());
    EXPECT_EQ(settings.ports[0].csig.mode, CsigMode::off);
}

TEST(Csig, HasBandsOfItsOwnForEachForm) {
    const Settings settings = settings_of(
        "csig: {compact: {tpid: 0x9900, d_bit: false, depth_step: 1us}, interval: 64us,\n"
        "       wide: {tpid: 0x9901, bandwidth_base: 1G, delay_base: 5us}}\n"
        "ports: [{device: ring:a, csig: {mode: update, locator: 127}},\n"
        "        {device: ring:b, csig: {mode: strip}}]\n");
    const CsigSettings& csig = settings.csig;
    EXPECT_EQ(csig.compact.tpid, 0x9900);
    EXPECT_FALSE(csig.compact.d_bit);
    EXPECT_EQ(csig.compact.bands[0].step, 1'000'000'000);
    EXPECT_EQ(csig.compact.bands[1].step, 2048);
    EXPECT_EQ(csig.compact.bands[2].step, 10'000);
    EXPECT_EQ(csig.compact.bands[3].step, 1'000);
    EXPECT_EQ(csig.wide.tpid, 0x9901);
    EXPECT_EQ(csig.wide.bands[0].base, 1'000'000'000);
    EXPECT_EQ(csig.wide.bands[0].step, 1'000'000);
    EXPECT_EQ(csig.wide.bands[1].step, 1);
    EXPECT_EQ(csig.wide.bands[2].base, 5'000);
    EXPECT_EQ(csig.interval, Nanos(64'000));
    EXPECT_EQ(settings.ports[0].csig.mode, CsigMode::update);
    EXPECT_EQ(settings.ports[0].csig.locator, 127);
    EXPECT_EQ(settings.ports[1].csig.mode, CsigMode::strip);
}

TEST(Csig, OfDefaultsAPortTakesBack) {
    const Settings settings = settings_of(
        "csig: {wide: {tpid: 0x9901}}\n"
        "defaults: {csig: {mode: update, locator: 32767}}\n"
        "ports: [{device: ring:a}, {device: ring:b, csig: {mode: strip}}]\n");
    EXPECT_EQ(settings.ports[0].csig.locator, 32767);
    EXPECT_EQ(settings.ports[1].csig.mode, CsigMode::strip);
}

TEST(Csig, APortNeedsATpid) {
    EXPECT_EQ(faults_of("ports: [{device: ring:a, csig: {mode: strip}}]\n"),
              Lines{"x.yaml:1:39: ports[0].csig.mode: has no meaning without csig.compact.tpid or "
                    "csig.wide.tpid; leave it out, or write csig: {compact: {tpid: 0x9900}} or the "
                    "like"});
}

TEST(Csig, ATpidIsNoOtherProtocols) {
    EXPECT_EQ(
        faults_of("csig: {compact: {tpid: 0x8100}, wide: {tpid: 0x88E5}}\n" + one_port),
        (Lines{"x.yaml:1:24: csig.compact.tpid: 0x8100 is the EtherType of VLAN tags; write "
               "another one, such as 0x9900",
               "x.yaml:1:46: csig.wide.tpid: 0x88e5 is the EtherType of MACsec; write another "
               "one, such as 0x9900"}));
    EXPECT_EQ(
        faults_of("csig: {compact: {tpid: 0x9900}, wide: {tpid: 39168}}\n" + one_port),
        Lines{"x.yaml:1:46: csig.wide.tpid: is also that of compact tags; write another one"});
    EXPECT_EQ(faults_of("csig: {compact: {tpid: 0x5DC}}\n" + one_port).size(), 1U);
}

TEST(Csig, WhatHasNoEffectIsNotTaken) {
    EXPECT_EQ(
        faults_of("csig: {compact: {d_bit: false}, wide: {tpid: 0x9901, delay_step: 1us}, "
                  "interval: 1ms}\n"
                  "ports: [{device: ring:a, csig: {locator: 3}}]\n"),
        (Lines{
            "x.yaml:1:25: csig.compact.d_bit: has no meaning without csig.compact.tpid; leave it "
            "out, or write a tpid beside it",
            "x.yaml:1:66: csig.wide.delay_step: has no meaning where no port updates signals; "
            "leave it out, or write csig: {mode: update} for a port",
            "x.yaml:1:82: csig.interval: has no meaning where no port updates signals; leave it "
            "out, or write csig: {mode: update} for a port",
            "x.yaml:2:42: ports[0].csig.locator: has no meaning without mode: update; leave it "
            "out, or write mode: update beside it"}));
}

TEST(Csig, ALocatorFitsItsTag) {
    const auto faults = [](const std::string& csig) {
        return faults_of("csig: {" + csig +
                         "}\nports: [{device: ring:a, csig: {mode: update, locator: 200}}]\n");
    };
    EXPECT_EQ(faults("compact: {tpid: 0x9900}"),
              Lines{"x.yaml:2:56: ports[0].csig.locator: compact tags have no room for 200; write "
                    "63 or less, or leave csig.compact out"});
    EXPECT_EQ(faults("compact: {tpid: 0x9900, d_bit: false}"),
              Lines{"x.yaml:2:56: ports[0].csig.locator: compact tags have no room for 200; write "
                    "127 or less, or leave csig.compact out"});
    EXPECT_EQ(faults("wide: {tpid: 0x9900}"), Lines{});
}

TEST(Csig, IsOfEthernetAlone) {
    EXPECT_EQ(faults_of("csig: {wide: {tpid: 0x9901}}\n"
                        "ports: [{device: ring:a, format: afh_gen1, csig: {mode: update}}]\n"),
              Lines{"x.yaml:2:57: ports[0].csig.mode: frames of format afh_gen1 have no tag of "
                    "CSIG, which is Ethernet's; leave it out, or write a format that has it"});
}

}  // namespace
}  // namespace sluice::config
