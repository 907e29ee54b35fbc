#include "control/ipfix/manager.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace sluice::control {

namespace {

constexpr Nanos second{1'000'000'000};
// Octets of the headers of IPv4 or IPv6, and of UDP.
constexpr std::size_t headers_of_ipv4 = 28;
constexpr std::size_t headers_of_ipv6 = 48;

std::size_t longest_message(const config::IpfixConfig& config) {
    const bool has_ipv6 = std::ranges::any_of(
        config.collectors, [](const std::string& endpoint) { return endpoint.starts_with('['); });
    return static_cast<std::size_t>(config.mtu.count()) -
           (has_ipv6 ? headers_of_ipv6 : headers_of_ipv4);
}

IpfixManager::Counts counts_of(const QueueSampler& sampler) {
    return {.samples = sampler.samples() - sampler.lost(), .lost = sampler.lost()};
}

}  // namespace

IpfixManager::IpfixManager(Switch& dataplane, const config::Configuration& configuration,
                           const Settings& settings, Clock clock, EventSink& events)
    : dataplane_(dataplane),
      settings_(settings),
      clock_(std::move(clock)),
      events_(events),
      lent_(dataplane, &Switch::sampler_slot),
      before_(dataplane.worker_count()) {
    configure(configuration, clock_());
}

void IpfixManager::configure(const config::Configuration& configuration, Nanos now) {
    std::vector<std::string> ports;
    for (const config::PortConfig& port : configuration.ports)
        ports.push_back(port.vacant ? std::string() : port.name);
    const bool is_same = configuration.ipfix == config_ && ports == ports_;
    is_always_polled_ = configuration.workers.idle == config::Idle::poll;
    if (is_same) return;
    now_ = now;
    send_what_is_there();
    ports_ = std::move(ports);
    config_ = configuration.ipfix;
    collectors_.set(config_.collectors);
    if (!is_on()) {
        lend(nullptr);
        exporter_.reset();
        layout_.clear();
        return;
    }
    const ipfix::Exporter::Settings settings{.domain = config_.domain,
                                             .longest = longest_message(config_),
                                             .refresh = config_.templates};
    if (exporter_) {
        exporter_->configure(settings);
    } else {
        exporter_ = std::make_unique<ipfix::Exporter>(
            [this](std::span<const uint8_t> message) { collectors_.send(message, now_); },
            settings);
    }
    begin();
}

std::vector<QueueSampler::Wanted> IpfixManager::wanted() const {
    std::vector<QueueSampler::Wanted> of_workers(dataplane_.worker_count());
    for (PortIndex port = 0; port < ports_.size(); ++port) {
        if (ports_[port].empty() || (config_.ports & only(port)) == 0) continue;
        const PortSettings& settings = settings_.ports[port];
        QueueSampler::Wanted& own = of_workers[settings.worker];
        for_each_priority(config_.priorities, [&](Priority priority) {
            own.queues.push_back({port, priority});
            if ((settings.pfc.lossless & only_priority(priority)) != 0)
                own.groups.push_back({port, priority});
        });
    }
    return of_workers;
}

ipfix::Layout IpfixManager::layout_of(const std::vector<QueueSampler::Wanted>& wanted) const {
    ipfix::Layout layout;
    const auto object = [&](ipfix::ObjectType type, PortIndex port, Priority priority) {
        return ipfix::Object{.type = type,
                             .id = ipfix::object_id(port, priority),
                             .name = fmt::format("{}|{}", ports_[port], priority)};
    };
    for (const QueueSampler::Wanted& worker : wanted) {
        std::vector<ipfix::Object>& objects = layout.emplace_back();
        for (const QueueKey queue : worker.queues)
            objects.push_back(object(ipfix::ObjectType::queue, queue.output, queue.priority));
        for (const QueueSampler::Group group : worker.groups)
            objects.push_back(
                object(ipfix::ObjectType::ingress_priority_group, group.port, group.priority));
    }
    return layout;
}

void IpfixManager::begin() {
    std::vector<QueueSampler::Wanted> of_workers = wanted();
    layout_ = layout_of(of_workers);
    exporter_->set_layout(layout_);
    auto samplers = std::make_unique<Samplers>();
    for (QueueSampler::Wanted& worker : of_workers)
        samplers->by_worker.push_back(sampler_of(std::move(worker)));
    lend(std::move(samplers));
    clocks_ = read_clock_offsets(clock_);
    second_began_.reset();
    last_second_.assign(of_workers.size(), {});
}

void IpfixManager::lend(std::unique_ptr<Samplers> samplers) {
    if (Samplers* const old = lent_.lent()) {
        for (const auto& sampler : old->by_worker) old->ended.push_back(counts_of(*sampler));
        for (WorkerIndex worker = 0; worker < before_.size(); ++worker)
            before_[worker] += old->ended[worker];
    }
    lent_.lend(std::move(samplers));
}

// Samples left in a returned sampler are lost, because their layout is no longer valid.
void IpfixManager::free_returned() {
    lent_.free_returned([this](const Samplers& old) {
        for (WorkerIndex worker = 0; worker < before_.size(); ++worker) {
            Counts counts = counts_of(*old.by_worker[worker]);
            old.by_worker[worker]->take([&](std::span<const uint64_t>) {
                --counts.samples;
                ++counts.lost;
            });
            before_[worker] += counts - old.ended[worker];
        }
    });
}

// Returns a sampler whose values continue from the present counters of the dataplane.
std::unique_ptr<QueueSampler> IpfixManager::sampler_of(QueueSampler::Wanted wanted) const {
    const Switch& seen = dataplane_;
    const std::size_t words = 1 + wanted.queues.size() * QueueSampler::words_of_queue +
                              wanted.groups.size() * QueueSampler::words_of_group;
    const auto samples = static_cast<uint32_t>(memory_of_worker / (words * sizeof(uint64_t)));
    const std::vector<QueueKey> queues = wanted.queues;
    auto sampler = std::make_unique<QueueSampler>(config_.period, std::move(wanted),
                                                  seen.input_count(), samples);
    for (std::size_t queue = 0; queue < queues.size(); ++queue) {
        const QueueKey key = queues[queue];
        uint64_t left = 0;
        for (std::size_t number = 0; number < seen.input_count(); ++number) {
            const InputIndex input(static_cast<uint8_t>(number));
            const Ingress& from = seen.ingress(input);
            sampler->see(input, queue, from.dropped(key), from.marked(key));
            left += from.dequeued(key);
        }
        sampler->set_left(queue, left);
    }
    return sampler;
}

void IpfixManager::tick(Nanos now) {
    free_returned();
    if (!is_on()) return;
    now_ = now;
    send_what_is_there();
    each_second(now);
    collectors_.report(events_);
}

void IpfixManager::send_what_is_there() {
    if (!is_on()) return;
    take_samples();
    exporter_->flush(utc_of(now_));
}

void IpfixManager::take_samples() {
    const ipfix::Utc utc = utc_of(now_);
    exporter_->refresh(now_, utc);
    const auto& samplers = lent_.lent()->by_worker;
    for (WorkerIndex worker = 0; worker < samplers.size(); ++worker) {
        samplers[worker]->take([&](std::span<const uint64_t> words) {
            const Nanos at(static_cast<int64_t>(words.front()));
            exporter_->add(worker, utc_of(at), words.subspan(1), utc);
        });
    }
}

// Restarts sampling if ports were added or removed, or priorities have become lossless. Reads the
// clocks again, because the system's clock may be set, or drift.
void IpfixManager::each_second(Nanos now) {
    if (second_began_ && now - *second_began_ < second) return;
    if (layout_ != layout_of(wanted())) return begin();
    const Nanos span = second_began_ ? now - *second_began_ : Nanos(0);
    second_began_ = now;
    clocks_ = read_clock_offsets(clock_);
    Nanos slowest;
    for (WorkerIndex worker = 0; worker < last_second_.size(); ++worker) {
        const uint64_t made = lent_.lent()->by_worker[worker]->samples();
        LastSecond& last = last_second_[worker];
        const uint64_t samples = made - last.made;
        last = {.made = made, .mean = span / static_cast<int64_t>(std::max<uint64_t>(samples, 1))};
        if (!layout_[worker].empty()) slowest = std::max(slowest, last.mean);
    }
    const auto steady = std::chrono::steady_clock::now();
    if (const auto more = events_.growth("ipfix_overrun", {}, lost(), steady)) {
        events_.warn(
            "ipfix_overrun", {},
            fmt::format("IPFIX: {} samples lost: they are taken faster than they can be sent; "
                        "raise ipfix.period, or export fewer ipfix.ports or ipfix.priorities",
                        *more));
    }
    if (!is_always_polled_ || slowest <= config_.period * 2) return;
    if (!events_.growth("ipfix_late", {}, ++late_, steady)) return;
    events_.warn(
        "ipfix_late", {},
        fmt::format("IPFIX: samples are {} us apart on average, not the {} us of ipfix.period: a "
                    "worker polls no faster; give it a core of its own, or raise the period",
                    slowest.count() / 1000, config_.period.count() / 1000));
}

IpfixManager::Sampled IpfixManager::sampled(WorkerIndex worker) const {
    if (lent_.lent() == nullptr) return {};
    const QueueSampler& sampler = *lent_.lent()->by_worker[worker];
    Counts counts = before_[worker];
    counts += counts_of(sampler);
    return {.counts = counts,
            .longest = Nanos(static_cast<int64_t>(sampler.longest_distance())),
            .mean = last_second_[worker].mean};
}

uint64_t IpfixManager::lost() const {
    uint64_t sum = 0;
    for (WorkerIndex worker = 0; worker < before_.size(); ++worker)
        sum += sampled(worker).counts.lost;
    return sum;
}

ipfix::Utc IpfixManager::utc_of(Nanos at) const { return {clocks_.utc.count() + at.count()}; }

}  // namespace sluice::control
