// sluice-gen: sends traffic on any ports, and measures the frames that it receives. One lcore sends
// and receives on all ports; this thread prints the progress, ends the run, and selects the next
// trial.
#include <fmt/format.h>

#include <CLI/Error.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <memory>
#include <optional>
#include <variant>

#include "config/yaml/document.h"
#include "config/yaml/text_file.h"
#include "pmd_glue/eal.h"
#include "pmd_glue/privileges.h"
#include "tools/common/report/report.h"
#include "tools/gen/benchmarks/rfc2544_report.h"
#include "tools/gen/benchmarks/rfc8239_report.h"
#include "tools/gen/benchmarks/throughput.h"
#include "tools/gen/benchmarks/trials.h"
#include "tools/gen/benchmarks/y1564_report.h"
#include "tools/gen/device_link.h"
#include "tools/gen/options.h"
#include "tools/gen/report.h"
#include "tools/gen/service_file.h"
#include "tools/gen/stream_file.h"
#include "tools/gen/streams.h"

namespace {

using namespace sluice;
using namespace sluice::gen;

constexpr int it_failed = 1;
constexpr int words_were_wrong = 2;

std::atomic<bool> interrupted{false};

int complain(const pmd::Error& error, int status) {
    say(fmt::format("sluice-gen: {}\n", error.text()));
    return status;
}

struct Devices {
    pmd::Pool* pool = nullptr;  // owned by the process
    std::vector<std::unique_ptr<DeviceLink>> links;
    std::vector<Link*> views;
    bool give_back = false;  // whether to restore kernel interfaces' settings at the end
};

tl::expected<Devices, pmd::Error> open_devices(const std::vector<pmd::PortRequest>& requests,
                                               const pmd::PoolRequest& buffers) {
    Devices devices;
    auto pool = pmd::Pool::create(buffers);
    if (!pool) return tl::unexpected(pool.error());
    devices.pool = &pmd::Pool::keep(std::move(*pool));
    for (const pmd::PortRequest& request : requests) {
        auto port = pmd::Port::open(request, *devices.pool);
        if (!port) return tl::unexpected(port.error());
        for (const std::string& notice : (*port)->notices()) {
            say(fmt::format("sluice-gen: {}\n", notice));
        }
        devices.give_back = devices.give_back || (*port)->gives_back();
        devices.links.push_back(std::make_unique<DeviceLink>(std::move(*port), *devices.pool));
        devices.views.push_back(devices.links.back().get());
    }
    return devices;
}

// Returns the length of the longest frame that is sent, with FCS.
uint16_t longest_of(const Options& options) {
    uint16_t longest = 0;
    const auto look = [&](const FrameMix& mix) {
        for (std::size_t n = 0; n < mix.count; ++n) {
            longest = std::max(longest, mix.parts[n].octets);
        }
    };
    look(options.traffic.senders.pattern.frames);
    for (const NamedMix& mix : options.mixes) look(mix.frames);
    for (const Stream& stream : options.traffic.streams) look(stream.sender.pattern.frames);
    if (options.y1564) {
        for (const Service& service : options.y1564->services) {
            look(service.stream.sender.pattern.frames);
        }
    }
    return longest;
}

// Returns the MTU of a port for frames of at most `longest` octets; at least 1500: header, tag and
// FCS do not count.
uint16_t mtu_for(uint16_t longest) {
    constexpr uint16_t around = 14 + 4 + fcs_octets;
    return std::max<uint16_t>(1500, static_cast<uint16_t>(longest - around));
}

pmd::PoolRequest buffers_for(const std::vector<pmd::PortRequest>& requests,
                             std::span<const pmd::Device> devices, const Options& options) {
    pmd::PoolRequest buffers;
    buffers.layout = pmd::layout_for(devices);
    buffers.max_frame = pmd::frame_for_mtu(requests.front().mtu);
    buffers.buffers = 4096 + pmd::Pool::cached_by(2);
    for (const pmd::PortRequest& request : requests) {
        // A sender holds frames: a burst for each priority and a burst for each length.
        buffers.buffers +=
            pmd::buffers_for(request) + burst_frames * (max_priorities + FrameMix::most_parts);
    }
    // The sender of a stream has one priority: it holds one burst for it, and a burst for each
    // length.
    const auto add = [&](const Stream& stream) {
        buffers.buffers += burst_frames * (1 + stream.sender.pattern.frames.count);
    };
    for (const Stream& stream : options.traffic.streams) add(stream);
    if (options.y1564) {
        for (const Service& service : options.y1564->services) add(service.stream);
    }
    return buffers;
}

// Copies the settings that all streams share: whether they obey pauses, and the random seed.
void share(const SenderSettings& common, std::size_t number, Stream& stream) {
    if (common.obeys != 0) stream.sender.obeys = stream.sender.pattern.priorities;
    stream.sender.response = common.response;
    stream.sender.speed = common.speed;
    stream.sender.pattern.seed = common.pattern.seed + number;
}

// Returns what `read` makes of a file; none after reporting the faults of an invalid file.
template <class One>
using ReadFile = tl::expected<std::vector<One>, std::vector<config::Fault>>(std::string_view,
                                                                            const std::string&,
                                                                            std::size_t);
template <class One>
std::optional<std::vector<One>> read_file(const std::string& file, std::size_t ports,
                                          ReadFile<One>* read) {
    const auto text = config::read_text_file(file, config::largest_file, config::FileKind::any);
    if (!text) {
        say(fmt::format("{}:1:1: file: {}; name a file that can be read\n", file, text.error()));
        return {};
    }
    auto list = read(*text, file, ports);
    if (list) return std::move(*list);
    for (const std::string& line : config::lines_of(list.error())) say(line + '\n');
    return {};
}

// Adds the contents of the files, if there are any, to the options. Returns false after reporting
// the faults of an invalid file.
bool read_files(Options& options) {
    const SenderSettings& common = options.traffic.senders;
    const std::size_t ports = options.devices.size();
    if (!options.streams.empty()) {
        auto streams = read_file(options.streams, ports, read_streams);
        if (!streams) return false;
        options.traffic.streams = std::move(*streams);
        for (std::size_t n = 0; n < options.traffic.streams.size(); ++n) {
            share(common, n, options.traffic.streams[n]);
        }
    }
    if (!options.services.empty()) {
        auto services = read_file(options.services, ports, read_services);
        if (!services) return false;
        options.y1564->services = std::move(*services);
        for (std::size_t n = 0; n < options.y1564->services.size(); ++n) {
            share(common, n, options.y1564->services[n].stream);
        }
    }
    return true;
}

void print(const Options& options, const Json& json, const std::string& text) {
    fmt::print("{}", options.form == Form::json ? json.dump() + '\n' : text);
}

// Returns a function that prints the progress of trials, unless the output is quiet.
Say progress(const Options& options) {
    return [quiet = options.quiet](const std::string& line) {
        if (!quiet) say(line + '\n');
    };
}

// Returns counters of each port since it was opened, for comparison with those of the tested
// device.
Json counted(const Devices& devices) {
    Json rows = Json::array();
    for (const auto& link : devices.links) {
        rows.push_back({{"sent", link->sent()}, {"received", link->received()}});
    }
    return rows;
}

int run_and_report(const Options& options, Trials& trials, const Devices& devices) {
    const TrialPlan plan{.frames = options.traffic.senders.pattern.frames,
                         .rate = options.traffic.senders.rate,
                         .duration = options.duration,
                         .frames_each = options.traffic.senders.frames,
                         .change = {}};
    const Summary summary = trials.run(options.traffic, plan, options.quiet).summary;
    const Results& results = summary.results;
    Json json = to_json(summary);
    json["devices"] = counted(devices);
    print(options, json, to_text(summary));
    const bool lossless = options.traffic.senders.obeys != 0;
    const bool silent = results.delivered == 0 && (results.offered > 0 || results.raw == 0);
    return silent || (lossless && results.lost > 0) ? it_failed : 0;
}

int search_and_report(const Options& options, Trials& trials) {
    const auto report_progress = [&](const Throughput& so_far) {
        if (!options.quiet) say(progress_text(so_far) + '\n');
    };
    const PatternSettings& pattern = options.traffic.senders.pattern;
    const std::size_t frames_at_once = sender_count(pattern) * copies(pattern);
    std::vector<Throughput> found;
    for (const NamedMix& mix : options.mixes) {
        const auto trial = [&](const Rate& rate) {
            return trials.try_plan(
                options.traffic,
                {.frames = mix.frames, .rate = rate, .duration = options.duration, .change = {}});
        };
        found.push_back(find_throughput(mix, options.traffic.senders.rate, frames_at_once,
                                        *options.search, trial, report_progress));
        if (interrupted) break;
    }
    print(options,
          to_json(trials.ports(), options.traffic.senders.addresses, *options.search, found),
          to_text(*options.search, found));
    const bool all = std::ranges::all_of(
        found, [](const Throughput& one) { return one.complete && one.best.has_value(); });
    return all ? 0 : it_failed;
}

int search_bounds_and_report(const Options& options, Trials& trials) {
    const auto run = [&](const TrialPlan& plan) { return trials.try_plan(options.traffic, plan); };
    const Say report_progress = progress(options);
    const PatternSettings& pattern = options.traffic.senders.pattern;
    std::vector<MlrThroughput> found;
    for (const NamedMix& mix : options.mixes) {
        found.push_back(find_bounds(mix, options.traffic.senders.rate,
                                    sender_count(pattern) * copies(pattern), *options.mlr, run,
                                    report_progress));
        if (interrupted) break;
    }
    print(options, to_json(trials.ports(), options.traffic.senders.addresses, *options.mlr, found),
          to_text(*options.mlr, found));
    const bool all = std::ranges::all_of(
        found, [](const MlrThroughput& one) { return one.complete && one.lower.has_value(); });
    return all ? 0 : it_failed;
}

// Prints the report of a test of many trials in the requested form, and as a page if requested.
template <class Report>
int hand_in(const Options& options, const Report& report, std::string_view kind,
            cli::ReportFile* page) {
    const Json json = report.json();
    print(options, json, options.form == Form::csv ? report.csv() : report.text());
    const bool written =
        page == nullptr ||
        page->write({{"kind", kind}, {"devices", options.devices}, {"result", json}});
    return report.whole() && written ? 0 : it_failed;
}

int test_and_report(const Options& options, Trials& trials, cli::ReportFile* page) {
    Rfc2544Report report{trials.ports(), options.traffic.senders.addresses, *options.rfc2544, {}};
    const auto run = [&](const TrialPlan& plan) { return trials.try_plan(options.traffic, plan); };
    const Say report_progress = progress(options);
    for (const NamedMix& mix : options.mixes) {
        report.rows.push_back(run_rfc2544(mix, *options.rfc2544, run, report_progress));
        if (interrupted) break;
    }
    return hand_in(options, report, "rfc2544", page);
}

// Returns a function that runs the streams of a test.
RunStreams streams_by(const Options& options, Trials& trials) {
    return [&](const std::vector<Stream>& streams, Nanos duration) {
        Traffic traffic = options.traffic;
        traffic.streams = streams;
        return trials.try_plan(traffic, {.frames = streams.front().sender.pattern.frames,
                                         .rate = streams.front().sender.rate,
                                         .duration = duration,
                                         .change = {}});
    };
}

int test_data_centre_and_report(const Options& options, Trials& trials, cli::ReportFile* page) {
    Rfc8239Report report{*options.rfc8239, {}};
    const Say report_progress = progress(options);
    for (const NamedMix& mix : options.mixes) {
        report.rows.push_back(
            run_rfc8239(mix, report.settings, streams_by(options, trials), report_progress));
        if (interrupted) break;
    }
    return hand_in(options, report, "rfc8239", page);
}

int test_services_and_report(const Options& options, Trials& trials, cli::ReportFile* page) {
    Y1564Report report{trials.ports(), *options.y1564, {}};
    report.found = run_y1564(report.settings, streams_by(options, trials), progress(options));
    return hand_in(options, report, "y1564", page);
}

int generate(Options options) {
    if (!read_files(options)) return words_were_wrong;
    std::unique_ptr<cli::ReportFile> page;
    try {
        if (!options.html.empty()) {
            page = std::make_unique<cli::ReportFile>(options.html, options.services);
        }
    } catch (const CLI::ValidationError& error) {
        say(fmt::format("sluice-gen: {}\n", error.what()));
        return words_were_wrong;
    }
    std::vector<pmd::Device> devices;
    std::vector<pmd::PortRequest> requests;
    pmd::EalOptions eal_options;
    for (const std::string& text : options.devices) {
        auto device = pmd::parse_device(text);
        if (!device) return complain(device.error(), words_were_wrong);
        devices.push_back(*device);
        requests.push_back({.name = text,
                            .device = *device,
                            .mtu = mtu_for(longest_of(options)),
                            .asked = {.receives_lldp = false},
                            .queues = {.by_nic = options.traffic.senders.queue_a_priority,
                                       .lossless = options.traffic.senders.obeys}});
    }
    const pmd::PoolRequest buffers = buffers_for(requests, devices, options);
    // The last CPU is used: interrupts and a switch on the same machine mostly use the first ones.
    const std::vector<unsigned> cpus = pmd::usable_cpus();
    eal_options.worker_cpus = {cpus.back()};
    eal_options.memory = pmd::Pool::memory_for(buffers);
    eal_options.devices = devices;
    eal_options.extra = options.eal;

    auto eal = pmd::Eal::start(eal_options);
    if (!eal) return complain(eal.error(), it_failed);
    auto opened = open_devices(requests, buffers);
    if (!opened) return complain(opened.error(), it_failed);

    for (const std::string& line :
         pmd::give_up_privileges(*eal, {.devices = devices, .gives_back = opened->give_back})) {
        say("sluice-gen: " + line + '\n');
    }
    Trials trials(*eal, opened->views, interrupted);
    if (options.rfc2544) return test_and_report(options, trials, page.get());
    if (options.rfc8239) return test_data_centre_and_report(options, trials, page.get());
    if (options.y1564) return test_services_and_report(options, trials, page.get());
    if (options.mlr) return search_bounds_and_report(options, trials);
    return options.search ? search_and_report(options, trials)
                          : run_and_report(options, trials, *opened);
}

}  // namespace

int main(int argc, char** argv) {
    const auto words = read_options(argc, argv);
    if (const int* status = std::get_if<int>(&words)) return *status;
    struct sigaction action {};
    action.sa_handler = [](int) { interrupted = true; };
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    return run_program("sluice-gen", [&] { return generate(std::get<Options>(words)); });
}
