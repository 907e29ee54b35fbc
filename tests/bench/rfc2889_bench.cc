// RFC 2889 (August 2000), benchmarking of LAN switches: the whole switch on ring ports, as sluiced
// runs it, with one worker, against the generator on another lcore. In the figures are both ends of
// the rings: what a rate is depends on the generator as well; what must hold does not.
// A trial is run once, as the RFC has it, so a figure is of one run and no median; many to one is
// repeated where a core was taken away: `trials`.
// rfc2889/test_bench.h says what of the RFC a ring cannot show.
// Exit status: 0 everything that must hold held, 1 it did not or the switch did not start, 2 the
// words were wrong.
#include <fmt/format.h>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>

#include "tests/bench/rfc2889/tests.h"

namespace {

using namespace sluice;
using namespace sluice::bench::rfc2889;

constexpr int it_failed = 1;
constexpr int words_were_wrong = 2;

int fail(std::string_view why) {
    fmt::print(stderr, "rfc2889_bench: {}\n", why);
    return it_failed;
}

// On the device that has so many switches.
int run_on(gen::DemoSwitches switches, const Scale& scale, bench::Report& report,
           const std::function<void(TestBench&)>& tests) {
    auto device = gen::DemoSwitch::start(scale.ports, std::ranges::max(scale.frame_octets), {},
                                         scale.table, switches);
    if (!device) {
        for (const std::string& line : device.error()) fail(line);
        return it_failed;
    }
    if (!gen::introduce(**device)) return fail("the switch did not learn where the stations are");
    TestBench bench(**device, scale, report);
    tests(bench);
    return bench.all_held() ? 0 : fail("something that must hold did not: see what is broken");
}

// In a process of its own, since one has but one set of devices in its life.
int run_apart(const std::function<int()>& tests) {
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child < 0) return fail(std::strerror(errno));
    if (child == 0) {
        const int status = tests();
        std::fflush(stdout);
        std::_Exit(status);
    }
    int status = 0;
    if (::waitpid(child, &status, 0) != child) return fail(std::strerror(errno));
    return WIFEXITED(status) ? WEXITSTATUS(status) : fail("5.3 ended by a signal");
}

int run_tests(const Scale& scale, bench::Report& report) {
    const int of_two = run_apart([&] {
        return run_on(gen::DemoSwitches::two, scale, report, partially_meshed_multiple_devices);
    });
    const int of_one = run_on(gen::DemoSwitches::one, scale, report, [](TestBench& bench) {
        fully_meshed(bench);
        one_to_many(bench);
        many_to_one(bench);
        partially_meshed_unidirectional(bench);
        congestion_control(bench);
        maximum_forwarding_rate(bench);
        address_caching_capacity(bench);
        address_learning_rate(bench);
        errored_frames(bench);
        broadcast(bench);
    });
    return std::max(of_one, of_two);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Measures the switch on ring ports as RFC 2889 says, and checks what must hold.",
                 "rfc2889_bench");
    bool quick = false;
    uint32_t table = 0;
    uint32_t addresses = 0;
    app.add_flag("--quick", quick, "At small scale: few ports, short trials, a small table");
    app.add_option("--table", table, "Addresses that the switch is told to hold")
        ->check(CLI::Range(64, 1024 * 1024));
    app.add_option("--addresses", addresses,
                   "Addresses to learn at the learning rate, if not as many as the table holds")
        ->check(CLI::Range(1U, gen::most_hosts));
    app.add_flag("--json")->description("One JSON object a line");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // it was --help
        fmt::print(stderr, "rfc2889_bench: {}; see `rfc2889_bench --help`\n", error.what());
        return words_were_wrong;
    }
    Scale scale = quick ? Scale::quick() : Scale();
    if (table != 0) scale.table = table;
    scale.addresses = addresses != 0 ? addresses : scale.table - static_cast<uint32_t>(scale.ports);
    auto log = spdlog::stderr_color_mt("rfc2889_bench");
    log->set_level(spdlog::level::err);
    spdlog::set_default_logger(std::move(log));
    bench::Report report(argc, argv);
    return run_tests(scale, report);
}
