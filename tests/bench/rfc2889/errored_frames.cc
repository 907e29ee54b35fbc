// RFC 2889 5.9: frames that are not to be forwarded, each between two good ones. They must be
// counted by name and reach nobody, nothing of them may be learned, and the good ones must pass.
//
// What a ring can carry: frames that are too long, that end inside their header, tag or IP header,
// and those with a group address as their source. Not here, because a NIC filters them and a ring
// has no such thing: a wrong FCS, dribble bits, alignment errors, and less than 64 octets, which a
// device without a wire may send (ports of kernel interfaces do) and the switch takes.
#include <fmt/format.h>

#include <array>
#include <chrono>

#include "tests/bench/rfc2889/tests.h"

namespace sluice::bench::rfc2889 {
namespace {

using namespace std::chrono_literals;
using Octets = std::vector<uint8_t>;

constexpr PortIndex sender = 0;
constexpr PortIndex receiver = 1;
constexpr std::size_t type_offset = 12;
constexpr uint32_t stranger = 1;  // the host that errored frames come from

struct Errored {
    Drop reason;
    Octets octets;
};

Octets good_frame() {
    const gen::ProbeTemplate probe({sender, receiver, 0}, 0, 0, gen::shortest_frame);
    Octets octets(probe.length());
    probe.write(octets.data(), 0);
    return octets;
}

Octets strangers_frame(uint16_t ether_type, std::size_t length) {
    Octets octets = good_frame();
    write_address(&octets[gen::source_offset], gen::host_address(stranger));
    write_16(&octets[type_offset], ether_type);
    octets.resize(length);
    return octets;
}

std::vector<Errored> all_errors(Bytes longest) {
    constexpr uint16_t customer = ether_type_of(TagType::customer);
    constexpr uint16_t service = ether_type_of(TagType::service);
    std::vector<Errored> all;
    for (std::size_t length = 1; length < 14; ++length) {
        all.push_back({Drop::runt, strangers_frame(customer, length)});
    }
    for (std::size_t length = 14; length < 18; ++length) {
        all.push_back({Drop::truncated_tag, strangers_frame(customer, length)});
        all.push_back({Drop::truncated_tag, strangers_frame(service, length)});
    }
    all.push_back({Drop::truncated_ip, strangers_frame(0x0800, 20)});
    all.push_back({Drop::truncated_ip, strangers_frame(0x86DD, 53)});
    for (const std::size_t more : {1U, 78U, 478U}) {
        const auto length = static_cast<std::size_t>(longest.count()) + more;
        all.push_back({Drop::oversize, strangers_frame(customer, length)});
    }
    Octets from_group = good_frame();
    from_group[gen::source_offset] |= 1;
    all.push_back({Drop::group_source, std::move(from_group)});
    return all;
}

bool send(gen::Link& link, const Octets& octets) {
    Frame frame;
    if (!link.allocate({&frame, 1}, static_cast<uint16_t>(octets.size()))) return false;
    std::ranges::copy(octets, frame.data);
    if (link.transmit({&frame, 1}) == 1) return true;
    link.release({&frame, 1});
    return false;
}

struct Arrivals {
    uint64_t good = 0;     // where they belong
    uint64_t escaped = 0;  // anything else
};

Arrivals collect(std::span<gen::Link* const> links, const Octets& good) {
    Arrivals arrivals;
    std::array<Frame, gen::burst_frames> frames;
    for (PortIndex port = 0; port < links.size(); ++port) {
        while (const std::size_t count = links[port]->receive(frames)) {
            for (const Frame& frame : std::span(frames).first(count)) {
                const bool expected = port == receiver &&
                                      std::ranges::equal(std::span(frame.data, frame.length), good);
                ++(expected ? arrivals.good : arrivals.escaped);
            }
            links[port]->release(std::span(frames).first(count));
        }
    }
    return arrivals;
}

}  // namespace

void errored_frames(TestBench& bench) {
    gen::DemoSwitch& device = bench.device();
    const Switch& fabric = device.fabric();
    const Octets good = good_frame();
    const std::vector<Errored> errors = all_errors(device.settings().ports[sender].max_frame);
    gen::Link& link = *device.links()[sender];
    const gen::Tally before = gen::tally_of(fabric);
    const uint64_t known = fabric.fdb().size();

    Finding finding{"errored_frames", "5.9", {}, {}};
    std::array<uint64_t, drop_reasons> expected{};
    uint64_t offered = 0;
    Arrivals arrivals;
    for (int round = 0; round < bench.scale().errored_rounds; ++round) {
        for (const Errored& errored : errors) {
            const bool sent = send(link, good) && send(link, errored.octets) && send(link, good);
            finding.must(sent, fmt::format("{} octets could not be sent", errored.octets.size()));
            ++expected[static_cast<std::size_t>(errored.reason)];
        }
        offered += 3 * errors.size();
        const bool taken = device.attend_until(
            [&] { return (gen::tally_of(fabric) - before).received == offered && fabric.empty(); },
            10s);
        finding.must(taken, "the switch did not come to rest");
        const Arrivals now = collect(device.links(), good);
        arrivals.good += now.good;
        arrivals.escaped += now.escaped;
        if (!taken) break;
    }

    const gen::Tally passed = gen::tally_of(fabric) - before;
    const uint64_t errored = offered / 3;
    Json by_reason = Json::object();
    for (std::size_t reason = 0; reason < drop_reasons; ++reason) {
        if (passed.drops[reason] > 0)
            by_reason[std::string(drop_names[reason].name)] = passed.drops[reason];
        finding.must(passed.drops[reason] == expected[reason],
                     fmt::format("{}: {} counted, {} sent", drop_names[reason].name,
                                 passed.drops[reason], expected[reason]));
    }
    finding.fields = {
        {"ports", device.links().size()},      {"offered", offered}, {"delivered", arrivals.good},
        {"lost", 2 * errored - arrivals.good}, {"errored", errored}, {"filtered", by_reason},
        {"escaped", arrivals.escaped}};
    finding.must(arrivals.good == 2 * errored, "good frames between them were lost");
    finding.must(arrivals.escaped == 0, "errored frames were forwarded");
    finding.must(fabric.fdb().size() == known, "something was learned of them");
    finding.must(ledger_of(fabric).balanced(), "the switch's ledger does not balance");
    bench.report(finding);
}

}  // namespace sluice::bench::rfc2889
