#include "config/ipfix.h"

#include <fmt/format.h>

#include "config/port/port_names.h"
#include "config/recorder.h"
#include "dataplane/ipfix/queue_sampler.h"

namespace sluice::config {

namespace {

std::size_t count_of(const Value& list, std::size_t all) {
    return list.written ? list.items.size() : all;
}

// Checks the rate of the export. Assumes that all priorities are lossless, and that each statistic
// has a record with a time and a set of its own. With hundreds of queues a record is split into
// several, which adds at most one percent.
void is_no_more_than_can_be_sent(const Value& file, Report& report) {
    const Value& ipfix = file["ipfix"];
    const Value& period = ipfix["period"];
    if (!period.valid || !ipfix["ports"].valid || !ipfix["priorities"].valid) return;
    const auto queues = static_cast<int64_t>(count_of(ipfix["ports"], file["ports"].items.size()) *
                                             count_of(ipfix["priorities"], max_priorities));
    constexpr auto statistics =
        static_cast<int64_t>(QueueSampler::words_of_queue + QueueSampler::words_of_group);
    constexpr int64_t set_and_time = 12;
    const int64_t octets = statistics * (set_and_time + queues * int64_t{sizeof(uint64_t)});
    constexpr int64_t second = 1'000'000'000;
    constexpr int64_t microsecond = 1'000;
    if (octets * (second / microsecond) <=
        most_ipfix_octets_a_second * (period.number / microsecond))
        return;
    const int64_t least = (octets * (second / microsecond) + most_ipfix_octets_a_second - 1) /
                          most_ipfix_octets_a_second;
    report.add(
        period.at, period.path,
        fmt::format("{} queues in a sample of {} octets, every {}us, exceed the {}MiB a second "
                    "that can be sent",
                    queues, octets, period.number / microsecond, most_ipfix_octets_a_second >> 20),
        fmt::format("write {}us or more, or fewer ipfix.ports or ipfix.priorities", least));
}

}  // namespace

void check_ipfix(const Value& file, Report& report) {
    const Value& ipfix = file["ipfix"];
    const PortNames names(file, report);
    for (const Value& port : ipfix["ports"].items) static_cast<void>(names.find(port));
    if (!ipfix["collectors"].items.empty()) is_no_more_than_can_be_sent(file, report);
}

IpfixConfig ipfix_config(const Value& ipfix,
                         const std::map<std::string, PortIndex, std::less<>>& ports) {
    IpfixConfig config{.period = Nanos(ipfix["period"].number),
                       .domain = static_cast<uint32_t>(ipfix["domain"].number),
                       .mtu = Bytes(ipfix["mtu"].number),
                       .templates = Nanos(ipfix["templates"].number)};
    for (const Value& collector : ipfix["collectors"].items)
        config.collectors.push_back(collector.text);
    config.ports = written_ports(ipfix["ports"], ports);
    config.priorities = written_priorities(ipfix["priorities"]);
    return config;
}

}  // namespace sluice::config
