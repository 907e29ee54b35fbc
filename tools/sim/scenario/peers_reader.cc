#include "tools/sim/scenario/peers_reader.h"

#include <fmt/format.h>

#include <string_view>

#include "dataplane/buffer/headroom.h"
#include "tools/sim/scenario/receive_buffers.h"
#include "tools/sim/scenario/scenario_keys.h"

namespace sluice::sim {

namespace {

DcqcnSettings dcqcn_of(Fields& fields) {
    const auto increase = static_cast<Increase>(fields.number("increase"));
    if (increase == Increase::timer && fields.has("byte_counter")) {
        fields.fault("byte_counter", "is only valid with increase: paper", "remove it");
    }
    return {.cnp_interval = Nanos(fields.number("cnp_interval")),
            .cnp_priority = static_cast<Priority>(fields.number("cnp_priority")),
            .merge = Nanos(fields.number("merge")),
            .gain_65536 = static_cast<uint32_t>(fields.number("gain")),
            .alpha_timer = Nanos(fields.number("alpha_timer")),
            .timer = Nanos(fields.number("timer")),
            .byte_counter = Bytes(fields.number("byte_counter")),
            .fast_recovery = static_cast<uint32_t>(fields.number("fast_recovery")),
            .additive = BitsPerSecond(fields.number("additive")),
            .hyper = BitsPerSecond(fields.number("hyper")),
            .least = BitsPerSecond(fields.number("least")),
            .increase = increase};
}

ReceiveSettings receive_of(Fields& fields) {
    const auto size = [&](std::string_view key) {
        return fields.has(key) ? Bytes(fields.number(key)) : not_written;
    };
    const auto memory = static_cast<std::size_t>(fields.number("memory"));
    const bool is_multicast = keys::receive_memories[memory] == "multicast";
    return {.rate = BitsPerSecond(fields.number("rate")),
            .size = size("buffer"),
            .high = size("high"),
            .low = size("low"),
            .frames_above_low = is_multicast ? 8 : 32};
}

DctcpSettings dctcp_of(Fields& fields) {
    return {.gain_65536 = static_cast<uint32_t>(fields.number("gain")),
            .initial = Bytes(fields.number("initial")),
            .slow_start = fields.yes("slow_start")};
}

TimelySettings timely_of(Fields& fields) {
    const TimelySettings settings{
        .segment = Bytes(fields.number("segment")),
        .gain_65536 = static_cast<uint32_t>(fields.number("gain")),
        .decrease_65536 = static_cast<uint32_t>(fields.number("decrease")),
        .low = Nanos(fields.number("low")),
        .high = Nanos(fields.number("high")),
        .rtt = Nanos(fields.number("rtt")),
        .additive = BitsPerSecond(fields.number("additive")),
        .least = BitsPerSecond(fields.number("least"))};
    if (settings.low > settings.high) {
        fields.fault(fields.has("low") ? "low" : "high", "low is above high",
                     "write a low that is no more than high");
    }
    return settings;
}

HpccSettings hpcc_of(Fields& fields) {
    return {.base_rtt = Nanos(fields.number("base_rtt")),
            .utilization_65536 = static_cast<uint32_t>(fields.number("utilization")),
            .stages = static_cast<uint32_t>(fields.number("stages")),
            .additive = Bytes(fields.number("additive"))};
}

CsigWindowSettings csig_of(Fields& fields) {
    return {.form = fields.number("form") == 0 ? CsigForm::compact : CsigForm::wide,
            .signal = fields.number("signal") == 0 ? CsigType::delay : CsigType::depth,
            .target = Nanos(fields.number("target")),
            .additive = Bytes(fields.number("additive")),
            .decrease_65536 = static_cast<uint32_t>(fields.number("decrease")),
            .most_decrease_65536 = static_cast<uint32_t>(fields.number("most_decrease")),
            .initial = Bytes(fields.number("initial")),
            .least = Bytes(fields.number("least"))};
}

ExplicitRateSettings explicit_rate_of(Fields& fields) {
    return {.share_65536 = static_cast<uint32_t>(fields.number("share")),
            .memory = Nanos(fields.number("memory")),
            .least = BitsPerSecond(fields.number("least")),
            .initial = BitsPerSecond(fields.has("initial") ? fields.number("initial") : 0)};
}

void check_rate_control(Fields& fields, RateLimit limit) {
    for (std::size_t n = 1; n < keys::rate_limits.size(); ++n) {
        const std::string_view name = keys::rate_limits[n];
        if (!fields.has(name) || limit == static_cast<RateLimit>(n)) continue;
        fields.fault(name, "is only valid with that rate_control",
                     fmt::format("write rate_control: {}", name));
    }
    if (!fields.has("window") && limit == RateLimit::window) {
        fields.fault("window", "is missing", "write {bytes: ..., span: ...}");
    }
    if (!fields.has("end_to_end_credit") && limit == RateLimit::end_to_end_credit) {
        fields.fault("end_to_end_credit", "is missing", "write {bytes: ...}");
    }
}

}  // namespace

void read_peers(Fields& file, const HostNames& names, std::vector<HostSpec>& hosts) {
    for (HostSpec& host : hosts) host.response = hardware_response(host.cable.speed);
    for (Fields& fields : file.maps("peers", keys::peers)) {
        Fields pauses = fields.map("pauses", keys::pauses);
        const bool obeys = fields.yes("obeys");
        const Nanos response(fields.number("response"));
        const Hold hold{static_cast<Priority>(pauses.number("priority")),
                        Nanos(pauses.number("at")), Nanos(pauses.number("for"))};
        Fields dcqcn = fields.map("dcqcn", keys::dcqcn);
        Fields window = fields.map("window", keys::window);
        Fields dctcp = fields.map("dctcp", keys::dctcp);
        Fields timely = fields.map("timely", keys::timely);
        Fields hpcc = fields.map("hpcc", keys::hpcc);
        Fields credit = fields.map("end_to_end_credit", keys::end_to_end_credit);
        Fields pulls = fields.map("pulls", keys::pulls);
        Fields csig = fields.map("csig", keys::csig);
        Fields rate = fields.map("explicit_rate", keys::explicit_rate);
        Fields receive = fields.map("receive", keys::receive);
        const ReceiveSettings buffer = receive_of(receive);
        const auto limit = static_cast<RateLimit>(fields.number("rate_control"));
        const DcqcnSettings by_dcqcn = dcqcn_of(dcqcn);
        const WindowSettings by_window{Bytes(window.number("bytes")), Nanos(window.number("span"))};
        const DctcpSettings by_dctcp = dctcp_of(dctcp);
        const TimelySettings by_timely = timely_of(timely);
        const HpccSettings by_hpcc = hpcc_of(hpcc);
        const EndToEndCreditSettings by_credit{Bytes(credit.number("bytes"))};
        const PullsSettings by_pulls{Bytes(pulls.number("initial")),
                                     Nanos(pulls.number("timeout"))};
        const CsigWindowSettings by_csig = csig_of(csig);
        const ExplicitRateSettings by_rate = explicit_rate_of(rate);
        const Nanos tx_latency(fields.number("tx_latency"));
        const Nanos rx_latency(fields.number("rx_latency"));
        const auto ack_priority = static_cast<Priority>(fields.number("ack_priority"));
        check_rate_control(fields, limit);
        for (const std::size_t n : names.named(fields, "hosts")) {
            HostSpec& host = hosts[n];
            if (fields.has("obeys")) host.obeys = obeys;
            if (fields.has("response")) host.response = response;
            if (fields.has("tx_latency")) host.tx_latency = tx_latency;
            if (fields.has("rx_latency")) host.rx_latency = rx_latency;
            if (pauses.written()) host.holds.push_back(hold);
            if (receive.written()) host.receive = buffer;
            if (fields.has("ack_priority")) host.ack_priority = ack_priority;
            if (!fields.has("rate_control") || !fields.clean()) continue;
            host.rate_control = limit;
            host.dcqcn = by_dcqcn;
            host.window = by_window;
            host.dctcp = by_dctcp;
            host.timely = by_timely;
            host.hpcc = by_hpcc;
            host.end_to_end_credit = by_credit;
            host.pulls = by_pulls;
            host.csig = by_csig;
            host.explicit_rate = by_rate;
        }
    }
}

}  // namespace sluice::sim
