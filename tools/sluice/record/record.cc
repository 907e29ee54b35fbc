#include "tools/sluice/record/record.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "config/yaml/fault.h"
#include "tools/sluice/client.h"
#include "tools/sluice/json_text.h"

namespace sluice::cli {

namespace {

// Returns a cell of RFC 4180. Names of ports have no comma and no quote, but a switch is not
// trusted.
std::string csv_cell(const Json& value) {
    if (value.is_null()) return {};
    if (!value.is_string()) return json_text(value, -1);
    const std::string text = config::escaped(value.get<std::string>());
    if (text.find_first_of(",\"") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
    return quoted + '"';
}

void print_csv_line(const Json& cells) {
    std::string line;
    for (const Json& cell : cells) {
        if (&cell != &cells.front()) line += ',';
        line += csv_cell(cell);
    }
    fmt::print("{}\n", line);
}

}  // namespace

Record::Record(CLI::App& app)
    : command_(
          app.add_subcommand("record", "Record queue depths to the microsecond, around triggers")),
      socket_(default_socket) {
    CLI::App& command = *command_;
    command.add_option("ORDER", order_, "start, stop, trigger or dump, see below")
        ->required()
        ->check(CLI::IsMember(std::vector<std::string>{"start", "stop", "trigger", "dump"}));
    command
        .add_option("RECORDING", number_, "With dump: number of the recording; default: the last")
        ->type_name("N")
        ->check(CLI::PositiveNumber);
    CLI::Option* csv = command.add_flag("--csv", csv_, "Of dump: a line an entry, as without it");
    command.add_flag("--json", json_, "For programs")->excludes(csv);
    command.add_option("--socket", socket_, "Where sluiced answers")
        ->type_name("PATH")
        ->envname("SLUICE_SOCKET")
        ->capture_default_str();
    command.footer(
        "start    starts recording, as `recorder` in the configuration is set\n"
        "stop     stops recording; recordings stay\n"
        "trigger  makes a recording of this moment, with the time before it\n"
        "dump     prints the samples of workers, each with the changes since the sample before.\n"
        "         Times are from the trigger\n"
        "\n"
        "`sluice show recorder` lists the recordings, `sluice show bursts` their bursts.\n"
        "\n"
        "Examples:\n"
        "  sluice record start\n"
        "  sluice show bursts --priority 3\n"
        "  sluice record dump 4 --csv >burst.csv");
}

int Record::run() const {
    const bool is_of_dump = csv_ || number_ != 0;
    if (order_ != "dump" && is_of_dump) {
        return print_failure({2, {"record: RECORDING and --csv are of dump; leave them out"}});
    }
    return order_ == "dump" ? dump() : order();
}

int Record::order() const {
    auto client = Client::connect(socket_);
    if (!client) return print_failure(client.error());
    const auto result = client->ask({{"record", order_}});
    if (!result) return print_failure(result.error());
    if (json_) {
        fmt::print("{}\n", json_text(*result, 2));
    } else if (order_ == "start") {
        fmt::print("Recording started; `sluice show bursts` lists the bursts found.\n");
    } else if (order_ == "stop") {
        fmt::print("Recording stopped; recordings are kept.\n");
    } else {
        fmt::print("A recording is being made; `sluice show recorder` lists it once it is over.\n");
    }
    return 0;
}

// Prints a recording, which is requested page by page. With `--json` it is one object: the first
// page, with the rows of all pages.
int Record::dump() const {
    auto client = Client::connect(socket_);
    if (!client) return print_failure(client.error());
    Json whole;
    uint64_t number = number_;
    for (Json from = 0; from.is_number();) {
        const auto page = client->ask({{"record", "dump"}, {"recording", number}, {"from", from}});
        if (!page) return print_failure(page.error());
        number = page->at("recording").get<uint64_t>();  // later pages are of the same recording
        if (json_ && whole.is_null()) {
            whole = *page;
        } else if (json_) {
            for (const Json& row : page->at("rows")) whole["rows"].push_back(row);
        } else {
            if (from == 0) print_csv_line(page->at("columns"));
            for (const Json& row : page->at("rows")) print_csv_line(row);
        }
        from = page->at("next");
    }
    if (!json_) return 0;
    whole.erase("next");
    fmt::print("{}\n", json_text(whole, 2));
    return 0;
}

}  // namespace sluice::cli
