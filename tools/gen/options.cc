#include "tools/gen/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "config/help_layout.h"
#include "config/real_range.h"
#include "config/version.h"
#include "config/yaml/values.h"
#include "tools/gen/options_help.h"
#include "tools/gen/words.h"

namespace sluice::gen {
namespace {

constexpr int words_were_wrong = 2;

// The tests of --rfc2544 other than the throughput.
constexpr auto test_names =
    std::to_array<std::string_view>({"latency", "loss", "back-to-back", "recovery"});

struct Words {
    std::vector<std::string> ports;
    std::string pattern = "uniform";
    std::optional<std::string> frame_bytes;
    std::string rate = "max";
    std::vector<unsigned> priorities = {0};
    std::optional<double> seconds;
    bool throughput = false;
    bool rfc2544 = false;
    bool rfc8239 = false;
    std::string y1564;
    double performance = 900;
    std::vector<std::string> tests = {test_names.begin(), test_names.end()};
    std::optional<unsigned> repeats;
    unsigned loss_step = 10;
    std::string search = "binary";
    double exceed = 50;
    double width = 0.5;
    double duration_sum = 21;
    double accept_loss = 0;
    double resolution = 1;
    std::string speed = "10G";
    uint64_t count = 0;
    unsigned vlan = 0;
    uint32_t addresses = 1;
    uint64_t seed = 1;
    bool pfc = false;
    bool queue_a_priority = false;
    std::string response = "0";
    bool json = false;
    bool csv = false;
    std::string streams;
    std::string html;
    bool quiet = false;

    [[nodiscard]] bool by_mlr() const { return search == "mlr"; }
    [[nodiscard]] bool searches() const { return throughput || rfc2544; }
    // Whether several trials run for each frame length.
    [[nodiscard]] bool tries() const { return searches() || rfc8239; }
    // True if the results can be written as a page or as CSV.
    [[nodiscard]] bool reports() const { return rfc2544 || rfc8239 || !y1564.empty(); }
    [[nodiscard]] std::string lengths() const {
        return frame_bytes.value_or(rfc2544 ? "rfc2544,imix" : rfc8239 ? "rfc2544" : "64");
    }
};

// Returns a validator for CLI11, which takes an empty text to mean that the word is valid.
template <class Parse>
CLI::Validator parses(Parse parse) {
    return CLI::Validator(
        [parse](const std::string& word) {
            const auto parsed = parse(word);
            return parsed ? std::string() : parsed.error();
        },
        "");
}

tl::expected<Nanos, std::string> parse_span(std::string_view text) {
    const auto nanos = config::parse_time(text);
    if (!nanos) {
        return tl::unexpected(fmt::format("{} is not a time; use for example 500ns or 10us", text));
    }
    return Nanos(*nanos);
}

tl::expected<BitsPerSecond, std::string> parse_speed(std::string_view text) {
    const auto speed = config::parse_rate(text);
    if (!speed || *speed < 1'000'000 || *speed > 400'000'000'000) {
        return tl::unexpected(
            fmt::format("{} is not a link speed; use 1M to 400G, for example 10G", text));
    }
    return BitsPerSecond(*speed);
}

void describe_searches(CLI::App& app, Words& words) {
    CLI::Option* const count = app.get_option("--count");
    CLI::Option* const throughput = app.add_flag(
        "--throughput", words.throughput, "Search for the highest rate without loss (RFC 2544)");
    CLI::Option* const rfc2544 =
        app.add_flag("--rfc2544", words.rfc2544, "Run all tests of RFC 2544 except the reset test");
    app.add_flag("--rfc8239", words.rfc8239,
                 "Run the buffering, microburst and head-of-line blocking tests of RFC 8239, with "
                 "the last port overloaded; --rate is the sending rate of a port of the device")
        ->excludes(throughput)
        ->excludes(rfc2544)
        ->excludes(count)
        ->excludes(app.get_option("--pattern"));
    throughput->excludes(count)->excludes(rfc2544);
    rfc2544->excludes(count);
    app.add_option("--search", words.search,
                   "Search of --throughput: binary (RFC 2544), or mlr, which tolerates noise")
        ->check(CLI::IsMember({"binary", "mlr"}))
        ->needs(throughput)
        ->capture_default_str();
    app.add_option("--exceed", words.exceed,
                   "With mlr: percentage of the trial time at a load that may exceed --accept-loss")
        ->check(config::real_range(0.0, 99.0))
        ->capture_default_str();
    app.add_option("--width", words.width,
                   "With mlr: distance of the two bounds, in percent of the upper bound")
        ->check(config::real_range(0.01, 50.0))
        ->capture_default_str();
    app.add_option("--duration-sum", words.duration_sum,
                   "With mlr: total time of the trials that decide about a load, in seconds")
        ->check(config::real_range(0.01, 1e6))
        ->capture_default_str();
    app.add_option("--accept-loss", words.accept_loss, "Percentage of frames that a trial may lose")
        ->check(config::real_range(0.0, 99.0))
        ->capture_default_str();
    app.add_option("--resolution", words.resolution,
                   "Resolution of the search, in percent of the first rate")
        ->check(config::real_range(0.01, 50.0))
        ->capture_default_str();
    app.add_option(
           "--tests", words.tests,
           "Tests of --rfc2544 in addition to throughput: latency, loss, back-to-back, recovery")
        ->delimiter(',')
        ->check(CLI::IsMember(std::vector<std::string>(test_names.begin(), test_names.end())))
        ->needs(rfc2544);
    app.add_option("--repeats", words.repeats,
                   "Repetitions of each repeated test [latency 20, back-to-back 50, recovery and "
                   "microburst 5]")
        ->check(CLI::Range(1, 10'000));
    app.add_option("--loss-step", words.loss_step,
                   "Step between the loads of the frame loss test, in percent of the first rate")
        ->check(CLI::Range(1, 10))
        ->needs(rfc2544)
        ->capture_default_str();
    app.add_flag(
        "--csv", words.csv,
        "With --rfc2544, --rfc8239 or --y1564: print one line per figure instead of tables");
    app.add_option("--html", words.html,
                   "With --rfc2544, --rfc8239 or --y1564: also write a report with plots to FILE")
        ->type_name("FILE");
}

void describe(CLI::App& app, Words& words) {
    app.add_option("--port", words.ports, "Device that sends and receives; at least two")
        ->type_name("DEVICE")
        ->required()
        ->expected(2, static_cast<int>(max_ports));
    app.add_option("--pattern", words.pattern,
                   "Traffic pattern: uniform, incast, pairs, halves, across, congestion, broadcast")
        ->check(CLI::IsMember(std::vector<std::string>(shape_names.begin(), shape_names.end())))
        ->capture_default_str();
    app.add_option("--frame-bytes", words.frame_bytes,
                   "Frame length in octets with FCS, imix, or a mix like 64:7+594:4+1518:1; "
                   "--throughput, --rfc2544 and --rfc8239 also accept several, like "
                   "64,512,imix, or rfc2544 [64; with --rfc2544 rfc2544,imix; with --rfc8239 "
                   "rfc2544]")
        ->check(parses(parse_frame_mixes));
    app.add_option("--rate", words.rate,
                   "Rate of each sender: frames per second (1M), bits per second on the wire "
                   "(10Gbps), or max")
        ->check(parses(parse_packet_rate))
        ->capture_default_str();
    app.add_option("--priority", words.priorities,
                   "802.1Q priority; each frame draws one of several")
        ->delimiter(',')
        ->check(CLI::Range(0, 7))
        ->capture_default_str();
    app.add_option("--seconds", words.seconds,
                   "Time to send [5; 60 for each trial of --throughput, --rfc2544 and --rfc8239; 1 "
                   "with mlr; 10 for each step of --y1564]")
        ->check(config::real_range(0.01, 1e6));
    CLI::Option* const streams =
        app.add_option(
               "--streams", words.streams,
               "YAML file of streams, each with its own ports, rate, lengths, VLAN, PCP, DSCP, "
               "addresses and bursts")
            ->type_name("FILE");
    CLI::Option* const y1564 =
        app.add_option("--y1564", words.y1564,
                       "YAML file of services for the service activation test, each with its own "
                       "ports, CIR, EIR, limits, lengths, VLAN and PCP")
            ->type_name("FILE")
            ->excludes(streams);
    app.add_option("--performance", words.performance,
                   "With --y1564: time of the test that runs all services at once, in seconds")
        ->check(config::real_range(0.01, 1e6))
        ->needs(y1564)
        ->capture_default_str();
    app.add_option("--count", words.count,
                   "Frames that each sender sends; 0: no limit but the time");
    describe_searches(app, words);
    app.add_option("--vlan", words.vlan, "VLAN ID of the tag; 0: priority-tagged")
        ->check(CLI::Range(0, 4094))
        ->capture_default_str();
    app.add_option("--addresses", words.addresses,
                   "MAC addresses of each station, each with an IP address")
        ->check(CLI::Range(1U, most_addresses))
        ->capture_default_str();
    for (CLI::Option* const file : {streams, y1564}) {
        for (const char* option :
             {"--pattern", "--frame-bytes", "--rate", "--priority", "--count", "--vlan",
              "--addresses", "--throughput", "--rfc2544", "--rfc8239"}) {
            file->excludes(app.get_option(option));
        }
    }
    app.add_option("--seed", words.seed, "Seed of all random numbers")->capture_default_str();
    app.add_flag("--pfc", words.pfc, "Obey PFC, and treat a lost frame as a failure");
    app.add_flag(
        "--queue-a-priority", words.queue_a_priority,
        "Send each priority through its own queue, and stop it while that queue is full, as "
        "a switch with `pfc: {by: nic}` requires; ring and memif with queues=8");
    app.add_option("--speed", words.speed, "Link speed, which determines how long a pause lasts")
        ->check(parses(parse_speed))
        ->capture_default_str();
    app.add_option("--pfc-response", words.response,
                   "Time from receiving a pause until it is obeyed")
        ->check(parses(parse_span))
        ->capture_default_str();
    app.add_flag("--json", words.json, "Print one JSON object at the end");
    app.add_flag("--quiet", words.quiet, "Print no progress");
    app.footer(examples);
}

Rfc2544Settings tests_of(const Words& words, const Options& options, const SearchSettings& search) {
    const PatternSettings& pattern = options.traffic.senders.pattern;
    Rfc2544Settings settings;
    settings.rate = options.traffic.senders.rate;
    settings.frames_at_once = sender_count(pattern) * copies(pattern);
    settings.search = search;
    settings.trial = options.duration;
    settings.loss_step = words.loss_step;
    const auto times = [&](std::string_view test, unsigned& trials) {
        trials = std::ranges::count(words.tests, test) > 0 ? words.repeats.value_or(trials) : 0;
    };
    times("latency", settings.latency_trials);
    times("back-to-back", settings.bursts);
    times("recovery", settings.recoveries);
    if (std::ranges::count(words.tests, "loss") == 0) settings.loss_step = 0;
    return settings;
}

void check_rfc8239(const Words& words) {
    if (words.ports.size() < 3) {
        throw CLI::ValidationError("--rfc8239",
                                   "needs at least three ports, and four for the head-of-line "
                                   "blocking test");
    }
    if (words.rate == "max") {
        throw CLI::ValidationError("--rfc8239",
                                   "needs --rate, the sending rate of a port of the device, for "
                                   "example 10Gbps");
    }
    if (words.priorities.size() > 1) {
        throw CLI::ValidationError("--priority", "--rfc8239 accepts only one priority");
    }
    if (words.addresses > 1)
        throw CLI::ValidationError("--addresses", "cannot be combined with --rfc8239");
}

// Checks the rules that concern several options.
void check_together(const CLI::App& app, const Words& words) {
    for (const char* option : {"--accept-loss", "--resolution"}) {
        if (app.count(option) > 0 && !words.searches()) {
            throw CLI::ValidationError(option, "is only valid with --throughput or --rfc2544");
        }
    }
    if (app.count("--repeats") > 0 && !words.rfc2544 && !words.rfc8239) {
        throw CLI::ValidationError("--repeats", "is only valid with --rfc2544 or --rfc8239");
    }
    for (const char* option : {"--csv", "--html"}) {
        if (app.count(option) > 0 && !words.reports()) {
            throw CLI::ValidationError(option,
                                       "is only valid with --rfc2544, --rfc8239 or --y1564");
        }
    }
    if (words.rfc8239) check_rfc8239(words);
    for (const char* option : {"--exceed", "--width", "--duration-sum"}) {
        if (app.count(option) > 0 && !words.by_mlr()) {
            throw CLI::ValidationError(option, "is only valid with --search mlr");
        }
    }
    if (app.count("--resolution") > 0 && words.by_mlr()) {
        throw CLI::ValidationError("--resolution", "is not valid with --search mlr; use --width");
    }
    if (!words.tries() && parse_frame_mixes(words.lengths())->size() > 1) {
        throw CLI::ValidationError(
            "--frame-bytes",
            "several lengths are only valid with --throughput, --rfc2544 or --rfc8239");
    }
    if (words.json && words.csv) {
        throw CLI::ValidationError("--csv", "cannot be combined with --json; use one of them");
    }
    for (const auto& [option, file] : {std::pair("--streams", &words.streams),
                                       {"--y1564", &words.y1564},
                                       {"--html", &words.html}}) {
        if (app.count(option) > 0 && file->empty()) {
            throw CLI::ValidationError(option, "has an empty file name; write a file name");
        }
    }
}

Options meaning_of(const Words& words) {
    Options options;
    options.devices = words.ports;
    const double unwritten = words.by_mlr() ? 1 : words.tries() ? 60 : words.y1564.empty() ? 5 : 10;
    const double seconds = words.seconds.value_or(unwritten);
    options.duration = Nanos(static_cast<int64_t>(seconds * 1e9));
    const SearchSettings search{words.accept_loss / 100, words.resolution / 100};
    if (words.by_mlr()) {
        options.mlr = {.loss_ratio = search.accepted_loss,
                       .exceed_ratio = words.exceed / 100,
                       .width = words.width / 100,
                       .final_trial = options.duration,
                       .duration_sum = Nanos(
                           static_cast<int64_t>(std::max(words.duration_sum, seconds) * 1e9))};
    } else if (words.throughput) {
        options.search = search;
    }
    options.mixes = *parse_frame_mixes(words.lengths());
    options.form = words.json ? Form::json : words.csv ? Form::csv : Form::text;
    options.streams = words.streams;
    options.services = words.y1564;
    options.html = words.html;
    options.quiet = words.quiet;
    SenderSettings& senders = options.traffic.senders;
    senders.pattern.shape = *shape_named(words.pattern);
    senders.pattern.ports = static_cast<PortIndex>(words.ports.size());
    senders.pattern.priorities = 0;
    for (const unsigned priority : words.priorities) {
        senders.pattern.priorities |= only_priority(static_cast<Priority>(priority));
    }
    senders.pattern.frames = options.mixes.front().frames;
    senders.pattern.seed = words.seed;
    senders.rate = *parse_packet_rate(words.rate);
    senders.frames = words.count;
    senders.vlan = static_cast<VlanId>(words.vlan);
    senders.addresses = words.addresses;
    senders.obeys = words.pfc ? senders.pattern.priorities : PrioritySet{0};
    senders.queue_a_priority = words.queue_a_priority;
    senders.response = *parse_span(words.response);
    senders.speed = *parse_speed(words.speed);
    if (words.rfc2544) options.rfc2544 = tests_of(words, options, search);
    if (words.rfc8239) {
        Rfc8239Settings& settings = options.rfc8239.emplace();
        settings.sender = senders;
        settings.rate = senders.rate;
        settings.trial = options.duration;
        settings.bursts = words.repeats.value_or(settings.bursts);
    }
    if (!words.y1564.empty()) {
        options.y1564 = {.services = {},
                         .step = options.duration,
                         .performance = Nanos(static_cast<int64_t>(words.performance * 1e9))};
    }
    return options;
}

}  // namespace

std::variant<Options, int> read_options(int argc, char** argv) {
    // Arguments after `--` are passed to EAL.
    char** const end = argv + argc;
    char** const separator = std::find(argv, end, std::string_view("--"));
    CLI::App app("Sends traffic through network devices and measures the frames that arrive.",
                 "sluice-gen");
    config::keep_layout(app);
    Words words;
    app.set_version_flag("--version", version_of("sluice-gen"), "Print the version and exit");
    describe(app, words);
    try {
        app.parse(static_cast<int>(separator - argv), argv);
        check_together(app, words);
        if (sender_count(meaning_of(words).traffic.senders.pattern) == 0) {
            throw CLI::ValidationError("--pattern", words.pattern + " needs at least four ports");
        }
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
        fmt::print(stderr, "sluice-gen: {}; `sluice-gen --help` has examples\n", error.what());
        return words_were_wrong;
    }
    Options options = meaning_of(words);
    if (separator != end) options.eal.assign(separator + 1, end);
    return options;
}

}  // namespace sluice::gen
