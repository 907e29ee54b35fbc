#include "pmd_glue/memif/session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/pmd_glue/memif/ends.h"

namespace sluice::pmd::memif {
namespace {

constexpr Shape two_and_three{
    .to_server = 2, .to_client = 3, .log2_ring_size = 4, .buffer_octets = 2112};

TEST(MemifSession, BothEndsHaveTheSameMemoryInTheEnd) {
    const Agreed agreed = agree(two_and_three);
    ASSERT_EQ(agreed.ended, "");
    for (const SharedMemory* memory : {&agreed.of_server, &agreed.of_client}) {
        EXPECT_EQ(memory->to_server.size(), 2U);
        EXPECT_EQ(memory->to_client.size(), 3U);
        EXPECT_FALSE(fault_of(*memory));
        for (const Ring& ring : memory->to_client) {
            EXPECT_EQ(ring.log2_size, 4);
            EXPECT_TRUE(ring.interrupt.is_open());
        }
    }
    agreed.of_client.regions[0].octets().back() = 77;
    EXPECT_EQ(agreed.of_server.regions[0].octets().back(), 77);
}

TEST(MemifSession, AClientMakesNoMoreThanTheServerTakes) {
    auto hello = body_of<Hello>(ServerSession::hello());
    hello.max_to_server_ring = 0;
    hello.max_to_client_ring = 1;
    hello.max_log2_ring_size = 3;
    ClientSession client(0, "test", two_and_three);
    ASSERT_TRUE(client.receive(message(MessageType::hello, hello)).say);
    EXPECT_EQ(client.shape().to_server, 1);
    EXPECT_EQ(client.shape().to_client, 2);
    EXPECT_EQ(client.shape().log2_ring_size, 3);
}

TEST(MemifSession, ItsMessagesAreThoseOfDpdk) {
    const Message hello = ServerSession::hello();
    EXPECT_EQ(hello[0], 2);  // DPDK's drivers/net/memif/memif.h: HELLO, name, versions, limits
    EXPECT_EQ(std::string(hello.begin() + 2, hello.begin() + 8), "Sluice");
    EXPECT_EQ(std::vector(hello.begin() + 34, hello.begin() + 45),
              (std::vector<uint8_t>{0, 2, 0, 2, 15, 0, 15, 0, 15, 0, 14}));
    ClientSession client(0x0A0B0C0D, "test", two_and_three);
    const Message init = client.receive(hello).say->message;
    EXPECT_EQ(std::vector(init.begin(), init.begin() + 9),
              (std::vector<uint8_t>{3, 0, 0, 2, 0x0D, 0x0C, 0x0B, 0x0A, 0}));
}

struct Spoiled {
    MessageType type;
    std::size_t octet;
    uint8_t value;
    const char* ended;
};

class MemifSessionSpoiled : public testing::TestWithParam<Spoiled> {};

TEST_P(MemifSessionSpoiled, IsRefusedInWords) {
    const auto& [type, octet, value, ended] = GetParam();
    const Agreed agreed = agree(two_and_three, [&](Message& said) {
        if (type_of(said) == type) said[octet] = value;
    });
    EXPECT_EQ(agreed.ended, std::string("server: ") + ended);
}

using enum MessageType;
INSTANTIATE_TEST_SUITE_P(
    Each, MemifSessionSpoiled,
    testing::Values(Spoiled{init, 0, 4, "a message before INIT"},
                    Spoiled{init, 0, 9, "a message before INIT"},
                    Spoiled{init, 3, 1, "this end supports only version 2.0"},
                    Spoiled{init, 8, 1, "this end supports only Ethernet mode"},
                    Spoiled{add_region, 0, 3, "INIT received twice"},
                    Spoiled{add_region, 0, 77, "unexpected message type from a client"},
                    Spoiled{add_region, 2, 1, "regions are numbered from 0 to 15, in order"},
                    Spoiled{add_region, 11, 1, "a region is 1 octet to 4 GiB"},
                    Spoiled{add_region, 7, 1, "a region is longer than its file"},
                    Spoiled{add_ring, 4, 9, "rings are numbered from 0 to 15, in order"},
                    Spoiled{add_ring, 6, 1, "a ring lies in no region"},
                    Spoiled{add_ring, 8, 1, "a ring is not aligned to 16 octets"},
                    Spoiled{add_ring, 8, 16, "a ring lacks the memif cookie"},
                    Spoiled{add_ring, 11, 0xFF, "a ring ends outside its region"},
                    Spoiled{add_ring, 12, 0, "a ring has 2 to 16384 descriptors"},
                    Spoiled{add_ring, 12, 200, "a ring has 2 to 16384 descriptors"},
                    Spoiled{add_ring, 13, 4,
                            "a ring has a private header, which this end does not support"},
                    Spoiled{connect, 0, 8, "the other end reports: "}));

TEST(MemifSession, WhoHasTheInterfaceSaysSo) {
    const Agreed agreed = agree(two_and_three, {}, [](uint32_t id, bool&) {
        EXPECT_EQ(id, 7U);
        return std::optional<std::string>("it is connected already");
    });
    EXPECT_EQ(agreed.ended, "server: it is connected already");
}

TEST(MemifSession, AClientThatReceivesNonsenseEnds) {
    const auto reply_to = [](std::initializer_list<Message> messages) {
        ClientSession client(0, "test", two_and_three);
        std::string end;
        for (const Message& each : messages) end = client.receive(each).end.value_or("");
        return end;
    };
    auto old = body_of<Hello>(ServerSession::hello());
    old.max_version = 1 << 8;
    EXPECT_EQ(reply_to({message(hello, old)}), "this end supports only version 2.0");
    EXPECT_EQ(reply_to({ServerSession::hello(), ServerSession::hello()}), "HELLO received twice");
    EXPECT_EQ(reply_to({message(ack)}), "ACK received, but no message waits for one");
    EXPECT_EQ(reply_to({message(connected)}), "CONNECTED received before CONNECT was sent");
    EXPECT_EQ(reply_to({ServerSession::hello(), message(connected)}),
              "CONNECTED received before CONNECT was sent");
    EXPECT_EQ(reply_to({message(init)}), "unexpected message type from a server");
    EXPECT_EQ(reply_to({message(disconnect, Disconnect{0, as_text<96>("go\naway")})}),
              "the other end reports: go?away");
}

// --- memory ---

FileDescriptor file_of(std::size_t octets, bool sealed) {
    FileDescriptor file(::memfd_create("test", MFD_ALLOW_SEALING));
    EXPECT_EQ(::ftruncate(file.number(), static_cast<off_t>(octets)), 0);
    if (sealed) {
        EXPECT_EQ(::fcntl(file.number(), F_ADD_SEALS, F_SEAL_SHRINK), 0);
    }
    return file;
}

TEST(MemifRegion, IsTakenWhereItCannotBeTakenBack) {
    const auto fault = [](FileDescriptor file, uint64_t octets) {
        return Region::map(std::move(file), octets, false).error();
    };
    const std::string may_be_taken_back =
        "its memory could shrink: turn zero-copy off there, or write `trusted` here";
    EXPECT_TRUE(Region::map(file_of(4096, true), 4096, false));
    EXPECT_EQ(fault(file_of(4096, false), 4096), may_be_taken_back);
    EXPECT_TRUE(Region::map(file_of(4096, false), 4096, true));
    EXPECT_EQ(fault(file_of(4096, true), 4097), "a region is longer than its file");
    EXPECT_EQ(fault(file_of(4096, true), 0), "a region is 1 octet to 4 GiB");
    EXPECT_EQ(fault(FileDescriptor(), 4096), "a region was received without its file");
    // With huge pages a hole may be punched that cannot be filled again.
    FileDescriptor huge(::memfd_create("test", MFD_ALLOW_SEALING | MFD_HUGETLB));
    if (!huge.is_open() || ::fcntl(huge.number(), F_ADD_SEALS, F_SEAL_SHRINK) != 0) return;
    EXPECT_EQ(fault(std::move(huge), 4096), may_be_taken_back);
}

TEST(MemifSession, OnceConnectedNothingIsReadButTheEnd) {
    ServerSession server;
    ClientSession client(7, "test", two_and_three);
    Answer from_client = client.receive(ServerSession::hello());
    while (!from_client.connected) {
        FileDescriptor beside(from_client.say->file < 0 ? -1 : ::dup(from_client.say->file));
        from_client = client.receive(
            server.receive(from_client.say->message, std::move(beside), any_claim).say->message);
    }
    for (const MessageType type : {init, add_region, add_ring, connect, hello, ack}) {
        EXPECT_EQ(server.receive(message(type), FileDescriptor(), any_claim).end,
                  "it is connected already");
        EXPECT_EQ(client.receive(message(type)).end, "it is connected already");
    }
    EXPECT_EQ(client.receive(message(connected)).end, "it is connected already");
}

TEST(MemifRegion, OneOfOursStaysAsLongAsItIs) {
    const auto region = Region::make(8192);
    ASSERT_TRUE(region);
    EXPECT_EQ(region->octets().size(), 8192U);
    EXPECT_NE(::ftruncate(region->file(), 4096), 0);
}

}  // namespace
}  // namespace sluice::pmd::memif
