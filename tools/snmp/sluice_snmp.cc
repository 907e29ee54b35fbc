// sluice-snmp: serves a running switch by SNMP, as a subagent of snmpd. This file has its command
// line; agentx.h has the subagent.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "config/help_layout.h"
#include "config/version.h"
#include "config/yaml/fault.h"
#include "tools/sluice/client.h"
#include "tools/snmp/agentx.h"
#include "tools/snmp/switch_source.h"

namespace {

using namespace sluice;

constexpr int words_were_wrong = 2;

constexpr const char* notes =
    "snmpd has to have `master agentx` in /etc/snmp/snmpd.conf, and this user has to be one of "
    "those\n"
    "who may look at the switch (control.readers). Both may come and go: it connects again.\n"
    "Objects and set-up: tools/snmp/README.md.\n"
    "Exit status: 0 ended by SIGTERM or SIGINT, 2 the arguments were wrong.";

volatile std::sig_atomic_t stop = 0;

struct Words {
    std::string socket{cli::default_socket};
    std::string master;
};

void run(const Words& words) {
    struct sigaction action {};
    action.sa_handler = [](int) { stop = 1; };
    for (const int signal : {SIGTERM, SIGINT}) sigaction(signal, &action, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
    snmp::SwitchSource source(words.socket, [](std::string_view line) {
        fmt::print(stderr, "sluice-snmp: {}\n", config::escaped(std::string(line)));
    });
    const snmp::Tables::Ask ask = [&](const cli::Json& request) { return source.ask(request); };
    snmp::Tables tables(ask);
    snmp::FdbTable addresses(ask, tables);
    snmp::serve(tables, addresses, words.master, stop);
}

}  // namespace

int main(int argc, char** argv) {
    Words words;
    CLI::App app("a running switch by SNMP, as a subagent of snmpd (AgentX)", "sluice-snmp");
    config::keep_layout(app);
    app.footer(notes);
    app.set_version_flag("--version", version_of("sluice-snmp"), "print the version and exit");
    app.add_option("--socket", words.socket, "where sluiced answers")
        ->type_name("PATH")
        ->envname("SLUICE_SOCKET")
        ->capture_default_str();
    app.add_option("--agentx", words.master,
                   "where snmpd listens for subagents, its agentXSocket: a path or tcp:HOST:PORT; "
                   "else net-snmp's default, /var/agentx/master")
        ->type_name("ADDRESS");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : words_were_wrong;
    }
    run(words);
    return 0;
}
