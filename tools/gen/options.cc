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
        return tl::unexpected(fmt::format("{} is no time; write it as 500ns or 10us", text));
    }
    return Nanos(*nanos);
}

tl::expected<BitsPerSecond, std::string> parse_speed(std::string_view text) {
    const auto speed = config::parse_rate(text);
    if (!speed || *speed < 1'000'000 || *speed > 400'000'000'000) {
        return tl::unexpected(fmt::format("{} is no speed; write it as 10G, 1M to 400G", text));
    }
    return BitsPerSecond(*speed);
}

void describe_searches(CLI::App& app, Words& words) {
    CLI::Option* const count = app.get_option("--count");
    CLI::Option* const throughput = app.add_flag(
        "--throughput", words.throughput, "Search the fastest rate without loss, as RFC 2544 does");
    CLI::Option* const rfc2544 =
        app.add_flag("--rfc2544", words.rfc2544, "All tests of RFC 2544 but the reset");
    app.add_flag("--rfc8239", words.rfc8239,
                 "Buffering, microburst and head of line blocking of RFC 8239, with the last port "
                 "overloaded; --rate is what a port of the device sends")
        ->excludes(throughput)
        ->excludes(rfc2544)
        ->excludes(count)
        ->excludes(app.get_option("--pattern"));
    throughput->excludes(count)->excludes(rfc2544);
    rfc2544->excludes(count);
    app.add_option("--search", words.search,
                   "Of --throughput: binary, as RFC 2544 has it, or mlr, which stands noise")
        ->check(CLI::IsMember({"binary", "mlr"}))
        ->needs(throughput)
        ->capture_default_str();
    app.add_option("--exceed", words.exceed,
                   "Of mlr: per cent of the time at a load that may lose too much")
        ->check(config::real_range(0.0, 99.0))
        ->capture_default_str();
    app.add_option("--width", words.width, "Of mlr: between both bounds, in per cent of the upper")
        ->check(config::real_range(0.01, 50.0))
        ->capture_default_str();
    app.add_option("--duration-sum", words.duration_sum,
                   "Of mlr: seconds of trials that decide about a load")
        ->check(config::real_range(0.01, 1e6))
        ->capture_default_str();
    app.add_option("--accept-loss", words.accept_loss, "Per cent that may be lost in a trial")
        ->check(config::real_range(0.0, 99.0))
        ->capture_default_str();
    app.add_option("--resolution", words.resolution, "Of the search, in per cent of the first rate")
        ->check(config::real_range(0.01, 50.0))
        ->capture_default_str();
    app.add_option("--tests", words.tests,
                   "Of --rfc2544, beside the throughput: latency, loss, back-to-back, recovery")
        ->delimiter(',')
        ->check(CLI::IsMember(std::vector<std::string>(test_names.begin(), test_names.end())))
        ->needs(rfc2544);
    app.add_option(
           "--repeats", words.repeats,
           "Of each test that is repeated [20 of latency, 50 of back-to-back, 5 of recovery and "
           "microburst]")
        ->check(CLI::Range(1, 10'000));
    app.add_option("--loss-step", words.loss_step, "From one load to the next, in per cent")
        ->check(CLI::Range(1, 10))
        ->needs(rfc2544)
        ->capture_default_str();
    app.add_flag("--csv", words.csv,
                 "Of --rfc2544, --rfc8239 and --y1564: a line a figure, instead of tables");
    app.add_option("--html", words.html,
                   "Of --rfc2544, --rfc8239 and --y1564: writes a report with plots there, too")
        ->type_name("FILE");
}

void describe(CLI::App& app, Words& words) {
    app.add_option("--port", words.ports, "A device to send and receive by; at least two")
        ->type_name("DEVICE")
        ->required()
        ->expected(2, static_cast<int>(max_ports));
    app.add_option(
           "--pattern", words.pattern,
           "Who sends to whom: uniform, incast, pairs, halves, across, congestion, broadcast")
        ->check(CLI::IsMember(std::vector<std::string>(shape_names.begin(), shape_names.end())))
        ->capture_default_str();
    app.add_option("--frame-bytes", words.frame_bytes,
                   "Octets of a frame, FCS counted, imix, or a mix as 64:7+594:4+1518:1; for "
                   "--throughput, --rfc2544 and --rfc8239 also "
                   "several, as 64,512,imix, or rfc2544 [64; of --rfc2544 rfc2544,imix; of "
                   "--rfc8239 rfc2544]")
        ->check(parses(parse_frame_mixes));
    app.add_option("--rate", words.rate,
                   "Of each sender: frames a second (1M), bits a second on the wire (10Gbps), max")
        ->check(parses(parse_packet_rate))
        ->capture_default_str();
    app.add_option("--priority", words.priorities, "802.1Q priority; several are drawn from evenly")
        ->delimiter(',')
        ->check(CLI::Range(0, 7))
        ->capture_default_str();
    app.add_option("--seconds", words.seconds,
                   "How long to send: 5, or 60 a trial of a search, or 1 of mlr, or 10 a step of "
                   "--y1564")
        ->check(config::real_range(0.01, 1e6));
    CLI::Option* const streams =
        app.add_option("--streams", words.streams,
                       "Streams out of a YAML file, each with ports, rate, lengths, VLAN, PCP, "
                       "DSCP, addresses and bursts of its own")
            ->type_name("FILE");
    CLI::Option* const y1564 =
        app.add_option("--y1564", words.y1564,
                       "Service activation test of the services in a YAML file, each with ports, "
                       "CIR, EIR, what it accepts, lengths, VLAN and PCP of its own")
            ->type_name("FILE")
            ->excludes(streams);
    app.add_option("--performance", words.performance,
                   "Of --y1564: seconds that all services are tried at once")
        ->check(config::real_range(0.01, 1e6))
        ->needs(y1564)
        ->capture_default_str();
    app.add_option("--count", words.count, "Frames of each sender; 0: no end but the time");
    describe_searches(app, words);
    app.add_option("--vlan", words.vlan, "VLAN in the tag; 0: priority-tagged")
        ->check(CLI::Range(0, 4094))
        ->capture_default_str();
    app.add_option("--addresses", words.addresses, "That each station has, of MAC and of IP")
        ->check(CLI::Range(1U, most_addresses))
        ->capture_default_str();
    for (CLI::Option* const file : {streams, y1564}) {
        for (const char* option :
             {"--pattern", "--frame-bytes", "--rate", "--priority", "--count", "--vlan",
              "--addresses", "--throughput", "--rfc2544", "--rfc8239"}) {
            file->excludes(app.get_option(option));
        }
    }
    app.add_option("--seed", words.seed, "Of everything that is random")->capture_default_str();
    app.add_flag("--pfc", words.pfc, "Obey PFC, and take a lost frame for a failure");
    app.add_flag("--queue-a-priority", words.queue_a_priority,
                 "Send each priority by a queue of its own, and stop it at a full one, as a switch "
                 "with `pfc: {by: nic}` wants it; ring and memif with queues=8");
    app.add_option("--speed", words.speed, "Of the links, which says how long a pause lasts")
        ->check(parses(parse_speed))
        ->capture_default_str();
    app.add_option("--pfc-response", words.response,
                   "Time from receiving a pause until it is obeyed")
        ->check(parses(parse_span))
        ->capture_default_str();
    app.add_flag("--json", words.json, "One JSON object at the end");
    app.add_flag("--quiet", words.quiet, "No line of progress");
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
                                   "takes three ports or more, and four for head of "
                                   "line blocking");
    }
    if (words.rate == "max") {
        throw CLI::ValidationError("--rfc8239",
                                   "wants the --rate of a port of the device, such as "
                                   "10Gbps: what it sends is not known otherwise");
    }
    if (words.priorities.size() > 1) {
        throw CLI::ValidationError("--priority", "of --rfc8239 is one");
    }
    if (words.addresses > 1) throw CLI::ValidationError("--addresses", "are not of --rfc8239");
}

// Checks the rules that concern several options.
void check_together(const CLI::App& app, const Words& words) {
    for (const char* option : {"--accept-loss", "--resolution"}) {
        if (app.count(option) > 0 && !words.searches()) {
            throw CLI::ValidationError(option, "is for --throughput and --rfc2544");
        }
    }
    if (app.count("--repeats") > 0 && !words.rfc2544 && !words.rfc8239) {
        throw CLI::ValidationError("--repeats", "is for --rfc2544 and --rfc8239");
    }
    for (const char* option : {"--csv", "--html"}) {
        if (app.count(option) > 0 && !words.reports()) {
            throw CLI::ValidationError(option, "is for --rfc2544, --rfc8239 and --y1564");
        }
    }
    if (words.rfc8239) check_rfc8239(words);
    for (const char* option : {"--exceed", "--width", "--duration-sum"}) {
        if (app.count(option) > 0 && !words.by_mlr()) {
            throw CLI::ValidationError(option, "is for --search mlr");
        }
    }
    if (app.count("--resolution") > 0 && words.by_mlr()) {
        throw CLI::ValidationError("--resolution", "is for another search; mlr has --width");
    }
    if (!words.tries() && parse_frame_mixes(words.lengths())->size() > 1) {
        throw CLI::ValidationError("--frame-bytes",
                                   "several lengths are for --throughput, --rfc2544 and --rfc8239");
    }
    if (words.json && words.csv) {
        throw CLI::ValidationError("--csv", "is another form than --json; write one of them");
    }
    for (const auto& [option, file] : {std::pair("--streams", &words.streams),
                                       {"--y1564", &words.y1564},
                                       {"--html", &words.html}}) {
        if (app.count(option) > 0 && file->empty()) {
            throw CLI::ValidationError(option, "names no file; write its name");
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
    CLI::App app("Generates traffic by any ports and measures what comes back.", "sluice-gen");
    config::keep_layout(app);
    Words words;
    app.set_version_flag("--version", version_of("sluice-gen"), "Print the version and exit");
    describe(app, words);
    try {
        app.parse(static_cast<int>(separator - argv), argv);
        check_together(app, words);
        if (sender_count(meaning_of(words).traffic.senders.pattern) == 0) {
            throw CLI::ValidationError("--pattern", words.pattern + " takes four ports or more");
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
