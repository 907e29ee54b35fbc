#include "control/runtime/runtime.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "config/memory.h"
#include "config/places.h"
#include "control/publish.h"
#include "control/runtime/deadline.h"
#include "control/runtime/machine_identity.h"
#include "control/runtime/requests.h"
#include "pmd_glue/borrowed_interface.h"
#include "pmd_glue/device.h"
#include "pmd_glue/large_pages.h"

namespace sluice::control {
namespace {

// Returns the CPUs of workers, which are assigned in turn. The first CPU is left to control and to
// the kernel if there are others.
std::vector<unsigned> worker_cpus(const config::Configuration& configuration) {
    const std::vector<uint16_t>& chosen = configuration.workers.cores;
    if (!chosen.empty()) return {chosen.begin(), chosen.end()};
    const std::vector<unsigned> usable = pmd::usable_cpus();
    std::vector<unsigned> cpus;
    for (std::size_t worker = 0; worker < configuration.settings.workers; ++worker) {
        cpus.push_back(usable[(worker + 1) % usable.size()]);
    }
    return cpus;
}

pmd::PoolRequest pool_request(const config::Configuration& configuration,
                              const std::vector<pmd::PortRequest>& ports,
                              const RuntimeOptions& options) {
    std::vector<pmd::Device> devices;
    pmd::PoolRequest request{.buffers = frame_buffers(configuration, ports, options)};
    for (const pmd::PortRequest& port : ports) {
        devices.push_back(port.device);
        request.max_frame = std::max(request.max_frame, pmd::frame_for_mtu(port.mtu));
    }
    request.layout = pmd::layout_for(devices);
    return request;
}

pmd::EalOptions eal_options(const std::vector<unsigned>& cpus, const Placement& placement,
                            const pmd::PoolRequest& pool,
                            const std::vector<pmd::PortRequest>& ports,
                            const RuntimeOptions& options) {
    pmd::EalOptions eal;
    for (const std::optional<unsigned> node : placement.pools) {
        if (node) eal.nodes.push_back(*node);
    }
    eal.worker_cpus = cpus;
    eal.worker_cpus.insert(eal.worker_cpus.end(), options.companion_cpus.begin(),
                           options.companion_cpus.end());
    eal.memory = pmd::Pool::memory_for(pool);
    eal.extra = options.eal_arguments;
    for (const pmd::PortRequest& port : ports) eal.devices.push_back(port.device);
    return eal;
}

pmd::WorkerOptions worker_options(const config::WorkersConfig& workers) {
    pmd::WorkerOptions options;
    options.burst = workers.burst;
    options.idle = workers.idle == config::Idle::poll ? pmd::Idle::poll : pmd::Idle::yield;
    return options;
}

PortAbilities abilities_of(const pmd::nic::FoundAbilities& found) {
    return {.are = found.are,
            .pfc_rx_why = found.pfc_rx_why,
            .pfc_tx_why = found.pfc_tx_why,
            .lldp_rx_why = found.lldp_rx_why};
}

Circumstances circumstances_of(const pmd::Port& port) {
    const pmd::nic::Circumstances& are = port.circumstances();
    return {.device = port.device().text,
            .address = are.address,
            .driver = are.driver,
            .firmware = are.firmware,
            .system = are.system,
            .settings = are.settings};
}

// Returns why a running switch cannot open a port of this kind; empty: it can.
std::optional<pmd::Error> check_hotplug(const config::Configuration& configuration,
                                        const pmd::Device& device, bool privileged) {
    const DeviceTraits& traits = device.traits();
    if (!traits.hot_plug) {
        return pmd::Error{device.text, "can only be opened when the switch starts",
                          "restart sluiced"};
    }
    const auto& kept = configuration.hotplug.devices;
    const bool needs = traits.to_open != Capabilities::none;
    if (privileged || !needs || std::ranges::find(kept, traits.scheme) != kept.end()) {
        return std::nullopt;
    }
    return pmd::Error{
        device.text, "the capabilities to open it were dropped at start",
        fmt::format("write hotplug: {{devices: [{}]}} and restart sluiced", traits.scheme)};
}

std::string most_of_dpdk() { return fmt::format("DPDK opens {} in a process", pmd::most_ports()); }

pmd::Error beyond_dpdk(std::string which) {
    return {std::move(which), most_of_dpdk(),
            fmt::format("keep {} ports that are neither memif nor tunnels, or run on a DPDK built "
                        "with a larger RTE_MAX_ETHPORTS",
                        pmd::most_ports())};
}

// Returns lines if there are more ports than DPDK can open. DPDK does not open tunnels and memif
// ports. A vacant slot counts, because DPDK may have to open the port that is added there.
std::vector<std::string> too_many_for_dpdk(const config::Configuration& configuration,
                                           const std::vector<pmd::PortRequest>& requests) {
    std::vector<std::size_t> of_dpdk;
    for (std::size_t port = 0; port < requests.size(); ++port) {
        if (requests[port].device.traits().is_of_dpdk()) of_dpdk.push_back(port);
    }
    const std::size_t most = pmd::most_ports();
    const std::size_t most_places = most + requests.size() - of_dpdk.size();
    std::vector<std::string> lines;
    if (configuration.hotplug.ports > most_places) {
        lines.push_back(line_for(configuration, "hotplug.ports",
                                 {fmt::format("{} ports", configuration.hotplug.ports),
                                  most_of_dpdk(), fmt::format("write {} or less", most_places)}));
    }
    if (of_dpdk.size() > most) {
        lines.push_back(
            line_for(configuration, device_key(of_dpdk[most]),
                     beyond_dpdk(fmt::format("port {} of {}", most + 1, of_dpdk.size()))));
    }
    return lines;
}

// Returns positions in `requests` in the order in which they have to be opened.
std::vector<std::size_t> underlays_first(const std::vector<pmd::PortRequest>& requests) {
    std::vector<std::size_t> order(requests.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_partition(order, [&](std::size_t port) { return !requests[port].tunnel; });
    return order;
}

StartFailure failed(std::string line) { return {Status::failed, {std::move(line)}}; }

}  // namespace

StartFailure check_captures(const config::Configuration& configuration,
                            std::span<const std::string> but) {
    StartFailure failure;
    for (const config::PortConfig& port : configuration.ports) {
        const auto device = pmd::parse_device(port.device);
        if (!device || std::ranges::find(but, port.device) != but.end()) continue;
        if (const auto error = pmd::check_capture(*device)) {
            failure.lines.push_back(line_for(configuration, device_key(port.listed), *error));
        }
    }
    return failure;
}

StartFailure check_machine(const config::Configuration& configuration, const Proofs& proofs) {
    const auto requests = port_requests(configuration, ports_of(configuration));
    if (!requests) return requests.error();
    StartFailure failure = check_captures(configuration, {});
    std::ranges::copy(too_many_for_dpdk(configuration, *requests),
                      std::back_inserter(failure.lines));
    std::vector<PortAbilities> at_best(requests->size());
    for (std::size_t port = 0; port < requests->size(); ++port) {
        const pmd::Device& device = (*requests)[port].device;
        if (const auto error = pmd::check_device(device)) {
            failure.lines.push_back(line_for(configuration, device_key(port), *error));
        } else if (device.on_interface()) {
            at_best[port] = proved(abilities_of(pmd::nic::best_of_interface(device.target)),
                                   proofs.of_device(device.text));
        }
    }
    std::ranges::copy(refusals(configuration, at_best), std::back_inserter(failure.lines));
    const std::vector<unsigned> usable = pmd::usable_cpus();
    for (std::size_t worker = 0; worker < configuration.workers.cores.size(); ++worker) {
        const unsigned core = configuration.workers.cores[worker];
        if (std::ranges::find(usable, core) != usable.end()) continue;
        failure.lines.push_back(line_for(
            configuration, fmt::format("workers.cores[{}]", worker),
            {fmt::format("core {}", core), "this process may not run there",
             fmt::format("use one of {}, or leave the key out", fmt::join(usable, ", "))}));
    }
    return failure;
}

void check_memory(const config::Configuration& configuration, StartFailure& failure) {
    if (const auto fault = config::memory_fault(configuration, "")) {
        failure.lines.push_back(config::to_string(*fault));
    }
}

std::optional<StartFailure> Runtime::open(config::Configuration& configuration,
                                          const RuntimeOptions& options) {
    Settings& settings = configuration.settings;
    std::random_device entropy;
    settings.fdb.hash_seed = uint64_t{entropy()} << 32 | entropy();
    settings.seed = uint64_t{entropy()} << 32 | entropy();
    const auto requests = port_requests(configuration, ports_of(configuration));
    if (!requests) return requests.error();
    std::vector<std::string> own;
    for (const pmd::PortRequest& request : *requests) own.push_back(request.device.target);
    pmd::give_back_what_was_left(own);
    // All checks are made before any port is opened, so that all faults are reported at once.
    proofs_ = ProofFile::open(configuration.control);
    StartFailure amiss = check_machine(configuration, proofs_.proofs());
    if (!pmd::choose_memory(options.eal_arguments)) check_memory(configuration, amiss);
    if (!amiss.lines.empty()) return amiss;
    cpus_ = worker_cpus(configuration);
    placement_ = place(configuration, *requests, cpus_, pmd::NumaNodes());
    pmd::PoolRequest buffers = pool_request(configuration, *requests, options);
    auto eal = pmd::Eal::start(eal_options(cpus_, placement_, buffers, *requests, options));
    if (!eal) return failed(eal.error().text());
    eal_ = std::make_unique<pmd::Eal>(std::move(*eal));
    if (!eal_->memory_by_node()) placement_.gather();
    for (const std::optional<unsigned> node : placement_.pools) {
        buffers.node = node;
        auto pool = pmd::Pool::create(buffers);
        if (!pool) return failed(pool.error().text());
        pools_.push_back(&pmd::Pool::keep(std::move(*pool)));
    }

    StartFailure failure;
    config::add_vacant_places(configuration);
    const std::size_t places = configuration.ports.size();
    device_buffers_ = buffers_in_devices(*requests, places);
    ports_.resize(places);
    abilities_.resize(places);
    identity_ = machine_identity(configuration.control.socket);
    for (const std::size_t port : underlays_first(*requests)) {
        pmd::PortRequest request = (*requests)[port];
        request.identity = identity_for(request);
        auto opened = pmd::Port::open(request, *pools_[placement_.pool_of_port[port]]);
        if (!opened) {
            failure.lines.push_back(line_for(configuration, device_key(port), opened.error()));
            continue;
        }
        buffers_of_port_[port] = pmd::buffers_for(request);
        if (request.underlay) below_tunnels_ |= only(static_cast<PortIndex>(port));
        configuration.settings.ports[port].address = (*opened)->address();
        abilities_[port] = abilities_of_port(**opened);
        ports_[port] = std::move(*opened);
    }
    if (!failure.lines.empty()) return failure;
    std::vector<pmd::Port*> ports;
    for (std::size_t port = 0; port < requests->size(); ++port) ports.push_back(ports_[port].get());
    failure.lines = refusals(configuration, abilities());
    if (!failure.lines.empty()) return failure;

    const Settings at_start = in_effect(settings);
    pmd::use_large_pages();
    dataplane_ = std::make_unique<Switch>(at_start, pmd::on_worker(*eal_));
    std::vector<pmd::Pool*> pools;
    for (const std::size_t pool : placement_.pool_of_worker) {
        pools.push_back(pools_[pool]);
    }
    workers_ =
        std::make_unique<pmd::Workers>(*dataplane_, at_start, std::move(ports), std::move(pools),
                                       clock_, worker_options(configuration.workers));
    return std::nullopt;
}

Runtime::~Runtime() = default;

// Returns the identity for a port's address. Tunnels on two machines may be configured alike, but
// the ports below them differ. So a tunnel uses the address of the port below it, or the machine's
// identity if that port did not open.
uint64_t Runtime::identity_for(const pmd::PortRequest& request) const {
    if (!request.tunnel) return identity_;
    const auto& underlay = ports_[request.tunnel->underlay];
    return underlay ? underlay->address().bits : identity_;
}

std::vector<std::string> Runtime::would_not_open_again(const config::Configuration& running,
                                                       PortSet removed, bool privileged) const {
    std::vector<std::string> lines;
    for_each_port(removed, [&](PortIndex place) {
        if (!ports_[place]) return;
        const auto error = check_hotplug(running, ports_[place]->device(), privileged);
        if (!error) return;
        lines.push_back(
            fmt::format("confirm: port {} would be removed and could not be opened again on a "
                        "rollback: {} {}; leave it in the file, or apply without --confirm",
                        ports_[place]->name(), error->key, error->what));
    });
    return lines;
}

bool Runtime::reopens(const config::Configuration& running, PortIndex place,
                      bool privileged) const {
    const pmd::Device& device = ports_[place]->device();
    const bool comes_back = device.on_interface() || device.traits().makes_interface();
    return comes_back && !check_hotplug(running, device, privileged);
}

tl::expected<Runtime::Opened, StartFailure> Runtime::open_ports(const config::Configuration& next,
                                                                PortSet added, bool privileged) {
    auto requests = port_requests(next, added);
    if (!requests) return tl::unexpected(requests.error());
    StartFailure failure;
    Opened opened;
    auto buffers = buffers_of_port_;
    auto of_dpdk = static_cast<std::size_t>(std::ranges::count_if(ports_, [](const auto& port) {
        return port != nullptr && port->device().traits().is_of_dpdk();
    }));
    std::size_t number = 0;
    for_each_port(added, [&](PortIndex place) {
        pmd::PortRequest& request = (*requests)[number++];
        request.identity = identity_for(request);
        const std::string key = device_key(next.ports[place].listed);
        const auto refuse = [&](const pmd::Error& error) {
            failure.lines.push_back(line_for(next, key, error));
        };
        buffers[place] = pmd::buffers_for(request);
        const std::size_t needed = std::reduce(buffers.begin(), buffers.end());
        if (const auto error = check_hotplug(next, request.device, privileged)) {
            return refuse(*error);
        }
        if (request.device.traits().is_of_dpdk() && ++of_dpdk > pmd::most_ports()) {
            return refuse(beyond_dpdk(fmt::format("port {} of DPDK", of_dpdk)));
        }
        if (request.underlay && (below_tunnels_ & only(place)) == 0) {
            return refuse({request.device.text, "has an address, and can only be opened at start",
                           "leave underlay out, or restart sluiced"});
        }
        if (needed > device_buffers_) {
            return refuse(
                {request.device.text,
                 fmt::format("with it all ports may hold {} frame buffers, but there are {}",
                             needed, device_buffers_),
                 "give it fewer descriptors or queues, or restart sluiced"});
        }
        const std::size_t pool = placement_.pool_of_worker[next.settings.ports[place].worker];
        auto port = pmd::Port::open(request, *pools_[pool]);
        if (!port) return refuse(port.error());
        opened.emplace_back(place, std::move(*port));
    });
    if (!failure.lines.empty()) return tl::unexpected(std::move(failure));
    for (const auto& [place, port] : opened) buffers_of_port_[place] = buffers[place];
    return opened;
}

void Runtime::add(PortIndex place, std::unique_ptr<pmd::Port> port) {
    pauses_before_[place] = pauses_received(std::as_const(*this).dataplane(), place);
    workers_->set_port(place, port.get());
    abilities_[place] = abilities_of_port(*port);
    ports_[place] = std::move(port);
}

void Runtime::close(PortIndex place) {
    ports_[place].reset();
    abilities_[place] = {};
    buffers_of_port_[place] = 0;
}

void Runtime::put_away(Deadline& deadline) {
    deadline.at("the switch");
    workers_.reset();
    dataplane_.reset();
    while (!ports_.empty()) {
        if (!ports_.back()) {
            ports_.pop_back();
            continue;
        }
        pmd::Port& port = *ports_.back();
        deadline.at(fmt::format("port {} ({})", port.name(), port.device().text));
        port.close();
        const auto in_time = deadline.hold();
        ports_.pop_back();
    }
    deadline.at("DPDK");
    if (eal_) eal_->close();
    // The destructor of EAL gives huge pages back, and may wait for other processes before. That
    // wait has a limit of its own (huge_pages.h).
    deadline.end();
    eal_.reset();
}

void Runtime::abandon() {
    for (const auto& port : ports_) {
        if (port) port->abandon();
    }
    if (eal_) eal_->abandon();
}

ProofFile::Keeping Runtime::prove(PortIndex port, const Seen& seen) {
    abilities_[port] = proved(std::move(abilities_[port]), seen);
    return proofs_.add(circumstances_of(*ports_[port]), seen);
}

PortAbilities Runtime::abilities_of_port(const pmd::Port& port) const {
    return proved(abilities_of(port.abilities()), proofs_.proofs().of(circumstances_of(port)));
}

}  // namespace sluice::control
