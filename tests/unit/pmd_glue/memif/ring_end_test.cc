#include "pmd_glue/memif/ring_end.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <algorithm>
#include <cstring>

#include "tests/unit/pmd_glue/memif/ends.h"

namespace sluice::pmd::memif {
namespace {

using Frames = std::vector<std::vector<uint8_t>>;

constexpr std::size_t longest = 1518;
constexpr Shape small{.to_server = 1, .to_client = 1, .log2_ring_size = 4, .buffer_octets = 128};

// A frame of that length, marked by `number`.
std::vector<uint8_t> frame_of(std::size_t octets, std::size_t number) {
    std::vector<uint8_t> frame(octets);
    std::iota(frame.begin(), frame.end(), static_cast<uint8_t>(number));
    return frame;
}

// A pair of ends in one direction, and the memory that the other side may spoil.
class MemifRing : public testing::TestWithParam<Role> {  // the role of who sends
  protected:
    MemifRing() {
        const bool to_server = GetParam() == Role::client;
        const Role receiver = to_server ? Role::server : Role::client;
        const uint64_t offset = offset_of_buffer(small, to_server ? 0 : 1, 0);
        for (SharedMemory* memory : {&agreed_.of_server, &agreed_.of_client}) {
            const bool is_server = memory == &agreed_.of_server;
            const Ring& ring = to_server ? memory->to_server[0] : memory->to_client[0];
            if ((receiver == Role::server) == is_server) {
                receive_.emplace(*memory, ring, receiver, offset);
            } else {
                transmit_.emplace(*memory, ring, GetParam(), offset);
                ring_ = &ring;
                header_ = reinterpret_cast<RingHeader*>(memory->start_of(ring));
            }
        }
    }

    std::size_t send(const Frames& frames) {
        const std::vector<Octets> octets(frames.begin(), frames.end());
        return transmit_->send(octets);
    }
    // All that waits.
    Frames take(std::size_t most = 64) {
        Frames taken;
        for (;;) {
            auto seen = receive_->look(most, longest);
            for (std::size_t n = 0; n < seen.frames; ++n) {
                const Octets frame = receive_->frame(n);
                taken.emplace_back(frame.begin(), frame.end());
            }
            if (seen.places == 0) {
                if (!seen.has_parts) return taken;
                std::vector<uint8_t> room(longest);
                std::size_t length = 0;
                seen = receive_->linearize(room, length);
                room.resize(length);
                if (seen.frames == 1) taken.push_back(room);
                if (seen.places == 0) return taken;
            }
            receive_->give_back(seen);
        }
    }
    Descriptor& place(std::size_t number) {
        return reinterpret_cast<Descriptor*>(header_ + 1)[number % 16];
    }

    Agreed agreed_ = agree(small);
    std::optional<ReceiveRing> receive_;
    std::optional<TransmitRing> transmit_;
    const Ring* ring_ = nullptr;
    RingHeader* header_ = nullptr;
};

INSTANTIATE_TEST_SUITE_P(ByWhoSends, MemifRing, testing::Values(Role::server, Role::client),
                         [](const auto& sender) {
                             return sender.param == Role::server ? "server" : "client";
                         });

TEST_P(MemifRing, FramesOfAnyLengthArriveAsTheyWere) {
    for (std::size_t octets = 1; octets <= longest; ++octets) {
        const auto frame = frame_of(octets, octets);
        ASSERT_EQ(send({frame}), 1U) << octets;
        ASSERT_EQ(take(), Frames{frame}) << octets;
    }
    EXPECT_EQ(receive_->bad(), 0U);
}

TEST_P(MemifRing, GoesRoundInOrder) {
    std::size_t sent = 0;
    std::size_t taken = 0;
    // Its indices of 16 bits begin again at least twice.
    for (std::size_t round = 0; sent < 100'000; ++round) {
        Frames frames;
        for (std::size_t n = 0; n <= round % 11; ++n) {
            frames.push_back(frame_of(60 + (sent + n) % 200, sent + n));
        }
        sent += send(frames);
        if (round % 3 == 0) continue;
        for (const auto& frame : take(1 + round % 7)) {
            ASSERT_EQ(frame, frame_of(60 + taken % 200, taken));
            ++taken;
        }
    }
    EXPECT_GT(taken, 99'000U);
}

TEST_P(MemifRing, AFullOneRefusesAndLosesNothing) {
    const Frames many(20, frame_of(60, 0));
    EXPECT_EQ(send(many), 16U);
    EXPECT_EQ(send(many), 0U);
    EXPECT_EQ(take().size(), 16U);
    EXPECT_EQ(send(many), 16U);
    // A frame of twelve buffers, with eleven free: no part of it is sent.
    EXPECT_EQ(take().size(), 16U);
    EXPECT_EQ(send(Frames(5, frame_of(60, 0))), 5U);
    EXPECT_EQ(send({frame_of(12 * 128, 3)}), 0U);
    EXPECT_EQ(take().size(), 5U);
    EXPECT_EQ(send({frame_of(12 * 128 - 50, 3)}), 1U);
    EXPECT_EQ(take(), Frames{frame_of(12 * 128 - 50, 3)});
}

TEST_P(MemifRing, WhatIsNoFrameIsCountedAndTheRestGoesOn) {
    const Frames five(5, frame_of(60, 9));
    const std::vector<std::function<void(Descriptor&)>> spoils = {
        [](Descriptor& descriptor) { descriptor.region = 1; },
        [](Descriptor& descriptor) { descriptor.region = 0xFFFF; },
        [](Descriptor& descriptor) { descriptor.offset = 0xFFFFFFFF; },
        [](Descriptor& descriptor) { descriptor.length = 0xFFFFFFFF; },
        [](Descriptor& descriptor) { descriptor.length = 0; },
    };
    std::size_t number = 0;
    for (const auto& spoil : spoils) {
        ASSERT_EQ(send(five), 5U);
        spoil(place(number + 2));
        EXPECT_EQ(take().size(), 4U);
        number += 5;
    }
    EXPECT_EQ(receive_->bad(), spoils.size());
    EXPECT_FALSE(receive_->broken());
}

TEST_P(MemifRing, AFrameWithABadPartIsNone) {
    ASSERT_EQ(send({frame_of(300, 0), frame_of(60, 1)}), 2U);
    place(1).region = 5;
    EXPECT_EQ(take(), Frames{frame_of(60, 1)});
    EXPECT_EQ(receive_->bad(), 1U);
}

TEST_P(MemifRing, OfOneThatIsTooLongWhatFitsIsLeft) {
    ASSERT_EQ(send({frame_of(60, 2)}), 1U);
    place(0).length = longest + 1;
    EXPECT_EQ(take().at(0).size(), longest);
    ASSERT_EQ(send({frame_of(13 * 128, 0), frame_of(60, 1)}), 2U);
    const auto by_parts = take();
    ASSERT_EQ(by_parts.size(), 2U);
    EXPECT_EQ(by_parts[0].size(), longest);
    EXPECT_EQ(by_parts[1], frame_of(60, 1));
    EXPECT_EQ(receive_->bad(), 0U);
}

TEST_P(MemifRing, AClaimOfMoreThanARingHoldsIsIgnored) {
    (GetParam() == Role::client ? header_->head : header_->tail) = 17;
    EXPECT_EQ(take().size(), 0U);
    EXPECT_TRUE(receive_->broken());
}

TEST_P(MemifRing, WhoGivesBackMoreThanThereIsGetsNothing) {
    ASSERT_EQ(send(Frames(16, frame_of(60, 0))), 16U);
    (GetParam() == Role::client ? header_->tail : header_->head) += 40;
    EXPECT_EQ(send({frame_of(60, 1)}), 0U);
    EXPECT_TRUE(transmit_->broken());
}

TEST_P(MemifRing, AFrameWithoutAnEndBreaksIt) {
    ASSERT_EQ(send(Frames(16, frame_of(60, 0))), 16U);
    for (std::size_t number = 0; number < 16; ++number) place(number).flags = continues;
    EXPECT_EQ(take().size(), 0U);
    EXPECT_TRUE(receive_->broken());
}

TEST_P(MemifRing, AFrameThatHasNotWhollyComeIsLeftUntilThen) {
    ASSERT_EQ(send({frame_of(128, 0)}), 1U);
    place(0).flags = continues;
    EXPECT_EQ(take().size(), 0U);
    ASSERT_EQ(send({frame_of(60, 128)}), 1U);
    EXPECT_EQ(take(), Frames{frame_of(188, 0)});
    EXPECT_FALSE(receive_->broken());
}

TEST_P(MemifRing, AFrameThatNeverHasRoomBreaksIt) {
    EXPECT_EQ(send({frame_of(17 * 128, 0)}), 0U);
    EXPECT_TRUE(transmit_->broken());
}

TEST_P(MemifRing, AConsumerThatSleepsIsWoken) {
    uint64_t count = 0;
    ASSERT_EQ(send({frame_of(60, 0)}), 1U);
    EXPECT_NE(::eventfd_read(ring_->interrupt.number(), &count), 0) << "it polls";
    header_->flags = 0;
    ASSERT_EQ(send({frame_of(60, 1)}), 1U);
    ASSERT_EQ(::eventfd_read(ring_->interrupt.number(), &count), 0);
    EXPECT_EQ(count, 1U);
    // A blocking interrupt whose counter is full does not make the sender wait.
    const int flags = ::fcntl(ring_->interrupt.number(), F_GETFL);
    ASSERT_EQ(::fcntl(ring_->interrupt.number(), F_SETFL, flags & ~O_NONBLOCK), 0);
    ASSERT_EQ(::eventfd_write(ring_->interrupt.number(), UINT64_MAX - 1), 0);
    EXPECT_EQ(send({frame_of(60, 2)}), 1U);
}

// A server that sends into buffers whose descriptors the client writes.
class MemifRingOfAServer : public testing::Test {
  protected:
    Descriptor& place(std::size_t number) {
        auto* const header = reinterpret_cast<RingHeader*>(memory_.start_of(memory_.to_client[0]));
        return reinterpret_cast<Descriptor*>(header + 1)[number];
    }
    std::size_t send(const std::vector<Octets>& frames) { return server_.send(frames); }

    Agreed agreed_ = agree(small);
    SharedMemory& memory_ = agreed_.of_server;
    ReceiveRing client_{agreed_.of_client, agreed_.of_client.to_client[0], Role::client,
                        offset_of_buffer(small, 1, 0)};
    TransmitRing server_{memory_, memory_.to_client[0], Role::server, 0};
    const std::vector<uint8_t> frame_ = frame_of(60, 0);
};

TEST_F(MemifRingOfAServer, ABufferOutsideOfTheRegionsIsNotWrittenTo) {
    place(0).offset = 0xFFFFFF00;
    EXPECT_EQ(send({frame_}), 0U);
    EXPECT_TRUE(server_.broken());
}

TEST_F(MemifRingOfAServer, WhatWasPutBeforeABufferOutsideOfTheRegionsGoes) {
    place(1).region = 0xFFFF;
    const Descriptor spoiled = place(1);
    EXPECT_EQ(send({frame_, frame_, frame_}), 1U);
    EXPECT_TRUE(server_.broken());
    EXPECT_EQ(client_.look(8, 2048).frames, 1U);
    EXPECT_TRUE(std::ranges::equal(client_.frame(0), frame_));
    EXPECT_EQ(std::memcmp(&place(1), &spoiled, sizeof(spoiled)), 0);
}

TEST_F(MemifRingOfAServer, ABufferOutsideOfTheRegionsTakesNoEmptyFrameEither) {
    place(0).region = 0xFFFF;
    EXPECT_EQ(send({Octets{}}), 0U);
    EXPECT_TRUE(server_.broken());
}

}  // namespace
}  // namespace sluice::pmd::memif
