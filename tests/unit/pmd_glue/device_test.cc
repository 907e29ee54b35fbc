#include "pmd_glue/device.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace sluice::pmd {
namespace {

// Returns kind, target and the driver's arguments on one line; or the fault.
std::string read(const std::string& text) {
    const auto device = parse_device(text);
    if (!device) return device.error().what;
    const auto words = driver_arguments(*device);
    return device->target + " " + words.driver + " " + words.arguments;
}

TEST(Device, EveryFormIsRead) {
    EXPECT_EQ(read("ring:one"), "one  ");
    EXPECT_EQ(read("ring:one/a"), "one/a  ");
    EXPECT_EQ(read("af_packet:eth0"), "eth0  ");
    EXPECT_EQ(read("af_xdp:eth0"), "eth0 net_af_xdp iface=eth0,queue_count=1");
    EXPECT_EQ(read("af_xdp:eth0,queues=4,copy"),
              "eth0 net_af_xdp iface=eth0,queue_count=4,force_copy=1");
    EXPECT_EQ(read("memif:/run/x.sock,client,id=3"), "/run/x.sock  client,id=3");
    EXPECT_EQ(parse_device("memif:/run/x.sock,client,id=3")->id(), 3U);
    EXPECT_EQ(parse_device("memif:/run/x.sock")->id(), 0U);
    EXPECT_EQ(parse_device("memif:/run/x.sock,queues=2")->queues(), 2);
    EXPECT_FALSE(parse_device("memif:/run/x.sock,queues=2")->spreads());
    EXPECT_TRUE(parse_device("memif:/run/x.sock,queues=2,spread")->spreads());
    EXPECT_FALSE(parse_device("ring:one/a,spread")->spreads());
    EXPECT_EQ(parse_device("pci:3b:00.0,queues=4")->queues(), 4);
    EXPECT_EQ(read("vhost:/run/vm.sock"),
              "/run/vm.sock net_vhost iface=/run/vm.sock,queues=1,client=0,tso=1");
    EXPECT_EQ(read("vhost:/run/vm.sock,client,queues=2"),
              "/run/vm.sock net_vhost iface=/run/vm.sock,queues=2,client=1,tso=1");
    EXPECT_EQ(read("tap:tap0"), "tap0  ");
    EXPECT_EQ(read("pcap:in.pcap,out.pcap"), "in.pcap net_pcap rx_pcap=in.pcap,tx_pcap=out.pcap");
    EXPECT_EQ(read("pcap:,out.pcap"), " net_pcap tx_pcap=out.pcap");
    EXPECT_EQ(read("pcap:eth0"), "eth0 net_pcap rx_iface_in=eth0,tx_iface=eth0");
    EXPECT_EQ(read("null:"), " net_null no-rx=1");
    EXPECT_EQ(read("pci:3b:00.0"), "0000:3b:00.0  ");
    EXPECT_EQ(read("pci:0000:3b:00.0"), "0000:3b:00.0  ");
    EXPECT_EQ(read("vdev:net_null7,size=64,copy=1"), "net_null7  size=64,copy=1");
}

TEST(Device, WrongWordsAreNamed) {
    EXPECT_EQ(read("eth0"), "it is no device");
    EXPECT_EQ(read("xdp:eth0"), "it is no device");
    EXPECT_EQ(read("af_xdp:"), "nothing follows the colon");
    EXPECT_EQ(read("af_xdp:eth0,queue=4"), "it has no option `queue=4`");
    EXPECT_EQ(read("af_xdp:eth0,queues=many"), "`many` is no number");
    EXPECT_EQ(read("af_xdp:eth0,queues=0"), "queues are 1 to 16");
    EXPECT_EQ(read("memif:/run/x.sock,queues=17"), "queues are 1 to 16");
    EXPECT_EQ(read("af_xdp:eth0,copy=1"), "it has no option `copy=1`");
    EXPECT_EQ(read("af_packet:eth0,"), "eth0  ");
    EXPECT_EQ(read("af_packet:an_interface_name_too_long"),
              "an interface's name has 15 characters");
    EXPECT_EQ(read("ring:/a"), "it has no name");
    EXPECT_EQ(read("ring:one/c"), "an end of a ring is a or b");
    EXPECT_EQ(read("null:x"), "it takes no name");
    EXPECT_EQ(read("pcap:"), "it names no file");
    EXPECT_EQ(read("memif:" + std::string(108, 's')),
              "the path of its socket is longer than 107 characters");
    EXPECT_EQ(read("memif:/run/s,server,client"), "it is server or client, not both");
    EXPECT_EQ(read("vhost:" + std::string(108, 's')),
              "the path of its socket is longer than 107 characters");
    EXPECT_EQ(read("vhost:/run/s,server"), "it has no option `server`");
    EXPECT_EQ(read("af_packet:eth0\niface=eth1"), "it has a control character");
    EXPECT_EQ(parse_device("ring:\x1B[2J").error().key, "ring:?[2J");
}

TEST(Device, WhatWouldBeRightIsSaid) {
    EXPECT_EQ(parse_device("ring:one/c").error().remedy,
              "write ring:NAME[/a|/b][,queues=N][,spread]");
    EXPECT_NE(parse_device("eth0").error().remedy.find("af_packet:INTERFACE"), std::string::npos);
}

TEST(Device, OneKindDecidesTheBuffersOfAll) {
    const auto layout = [](std::initializer_list<const char*> texts) {
        std::vector<Device> devices;
        for (const char* text : texts) devices.push_back(*parse_device(text));
        return layout_for(devices);
    };
    EXPECT_EQ(layout({"ring:a", "tap:t"}), BufferLayout::packed);
    EXPECT_EQ(layout({"ring:a", "pci:3b:00.0"}), BufferLayout::hardware);
    EXPECT_EQ(layout({"af_xdp:e", "pci:3b:00.0"}), BufferLayout::page);
}

// A capture of raw IP: libpcap would deliver its packets as if they were Ethernet frames.
TEST(Device, ACaptureOfAnotherLinkTypeIsRefused) {
    const auto file = std::filesystem::temp_directory_path() /
                      ("sluice-device-test-" + std::to_string(::getpid()) + ".pcap");
    const auto refusal = [&](char link_type) {
        std::string octets = "\xD4\xC3\xB2\xA1\x02" + std::string(1, '\0') + "\x04";
        octets += std::string(13, '\0') + link_type + std::string(3, '\0');
        std::ofstream(file, std::ios::binary) << octets;
        const auto error = check_capture(*parse_device("pcap:" + file.string()));
        return error ? error->text() : "none";
    };
    EXPECT_EQ(refusal(1), "none");
    EXPECT_NE(refusal(101).find("has frames of link type RAW, not ETHERNET; name a capture of"),
              std::string::npos)
        << refusal(101);
    std::filesystem::remove(file);
}

TEST(Device, WhatIsNotThereIsNamedWithTheCommand) {
    const auto remedy = [](const char* text) {
        const auto error = check_device(*parse_device(text));
        return error ? error->remedy : "nothing is wrong";
    };
    EXPECT_NE(remedy("af_packet:nosuch0").find("`ip link show`"), std::string::npos);
    EXPECT_NE(remedy("af_xdp:nosuch0").find("`ip link add nosuch0 type veth"), std::string::npos);
    EXPECT_NE(remedy("pci:ff:1f.7").find("dpdk-devbind.py"), std::string::npos);
    EXPECT_NE(remedy("pcap:/no/such.pcap").find("capture"), std::string::npos);
    EXPECT_NE(remedy("pcap:/dev/zero").find("capture"), std::string::npos) << "it has no end";
    EXPECT_NE(remedy("memif:/no/such/socket").find("`mkdir -p /no/such`"), std::string::npos);
    EXPECT_NE(remedy("vhost:/no/such/socket").find("`mkdir -p /no/such`"), std::string::npos);
    EXPECT_NE(remedy("tap:lo").find("`ip link del lo`"), std::string::npos);
    EXPECT_EQ(remedy("ring:any"), "nothing is wrong");
}

}  // namespace
}  // namespace sluice::pmd
