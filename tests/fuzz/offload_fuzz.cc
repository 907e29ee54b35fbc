// Whatever a host hands over as unfinished, told so or not, or as frames that may be joined:
// nothing is read or written outside of it; what was cut are frames whose checksums are right; and
// what was joined is cut into the same frames again.
// An input: what is left to do, 8 octets; then frames, each behind its length in two octets.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dataplane/offload/cut.h"
#include "dataplane/offload/finish.h"
#include "dataplane/offload/join.h"
#include "dataplane/types/address.h"
#include "tests/fuzz/promises.h"
#include "tests/support/octets.h"

namespace {

using namespace sluice::offload;
using sluice::read_16;
using sluice::test::Fenced;
using sluice::test::must;
using Octets = std::vector<uint8_t>;

constexpr Join::Kinds every_kind{.tcp4 = true, .tcp6 = true, .udp = true};

void check_sum(const Octets& frame, const TransportFrame& at) {
    OnesSum sum = pseudo_header_sum(frame, at, frame.size() - at.transport);
    sum.add(std::span(frame).subspan(at.transport));
    must(sum.is_right(), "its checksum is right");
}

// In a tunnel both: the inner one, and that of UDP around it if there is one.
void check_frame(std::span<const uint8_t> segment, const Octets& frame, const Unfinished& left) {
    const auto plain = read_transport_frame(frame, frame.size(), Lengths::checked);
    if (!left.checksum || (plain && plain->transport == left.checksum_start)) {
        must(plain.has_value(), "a frame states its own lengths");
        return check_sum(frame, *plain);
    }
    const auto headers = segment.first(std::min(segment.size(), most_tunnel_headers));
    const auto tunnel = read_host_tunnel(headers, segment.size(), left.checksum_start);
    must(tunnel.has_value(), "a frame that is not plain is in a tunnel");
    const auto inner = read_transport_packet(frame, frame.size(), Lengths::checked,
                                             tunnel->inner.network, tunnel->inner.is_ipv6);
    must(inner == tunnel->inner, "an inner frame states its own lengths");
    check_sum(frame, *inner);
    if (plain && read_16(&frame[plain->checksum_place()]) != 0) check_sum(frame, *plain);
}

std::vector<Octets> cut_into_frames(std::span<const uint8_t> segment, const Unfinished& left) {
    std::vector<Octets> frames;
    const auto cut = Cut::of(segment, segment.size(), left);
    if (!cut) return frames;
    constexpr std::size_t enough = 200;
    for (std::size_t number = 0; number < std::min(cut->frames(), enough); ++number) {
        const std::size_t payload = cut->payload_octets(number);
        must(payload > 0 && cut->payload_at(number) + payload <= segment.size(),
             "the payload of a frame lies in the segment");
        Octets frame(cut->header_octets() + payload);
        std::copy_n(&segment[cut->payload_at(number)], payload, &frame[cut->header_octets()]);
        cut->write_headers(number, frame);
        check_frame(segment, frame, left);
        frames.push_back(std::move(frame));
    }
    return frames;
}

void join_frames(const std::vector<Octets>& frames) {
    Join join;
    if (frames.empty() || !join.start(frames[0], Checksum::unknown, every_kind)) return;
    for (std::size_t next = 1; next < frames.size(); ++next) {
        if (!join.add(frames[next], Checksum::unknown)) break;
    }
    const std::size_t joined = join.frames();
    if (joined == 1) return;
    Unfinished left;
    const auto headers = join.finish(left);
    Octets segment(headers.begin(), headers.end());
    for (std::size_t part = 0; part < joined; ++part) {
        segment.insert(segment.end(), frames[part].begin() + long(headers.size()),
                       frames[part].end());
    }
    const auto again = cut_into_frames(segment, left);
    must(std::equal(again.begin(), again.end(), frames.begin(), frames.begin() + long(joined)),
         "what was joined is cut into the same frames");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, std::size_t size) {
    constexpr std::size_t about = 8;
    if (size < about) return 0;
    const Unfinished left{.checksum = (data[0] & 1) != 0,
                          .checksum_start = read_16(data + 2),
                          .checksum_offset = data[1],
                          .segments = static_cast<Segments>(data[4] % 4),
                          .segment_octets = read_16(data + 6)};
    std::span<const uint8_t> rest(data + about, size - about);
    std::vector<Octets> frames;
    while (rest.size() > 2) {
        const std::size_t length = std::min<std::size_t>(read_16(rest.data()), rest.size() - 2);
        const Fenced frame(rest.subspan(2, length));
        frames.emplace_back(frame.octets().begin(), frame.octets().end());
        cut_into_frames(frame.octets(), left);
        Fenced to_finish(frame.octets());
        finish_checksum(to_finish.to_write(), left);
        Fenced to_find(frame.octets());
        finish_if_left(to_find.to_write());
        const auto carried = read_carried(frame.octets());
        must(!carried || carried->payload <= frame.octets().size(), "it lies in its frame");
        const auto sctp = find_sctp(frame.octets());
        must(!sctp || sctp->at + sctp->octets <= frame.octets().size(), "SCTP lies in its frame");
        rest = rest.subspan(2 + length);
    }
    join_frames(frames);
    return 0;
}
