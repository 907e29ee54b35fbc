#include "tools/sluice/calc/calc.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>

#include "config/yaml/fault.h"
#include "config/yaml/suggestion.h"
#include "tools/common/report/report.h"

namespace sluice::cli {

namespace {

struct Calculation {
    std::string_view name;
    std::string_view help;
    std::string_view example;
    Compute (*add)(CLI::App& command);
};
constexpr std::array calculations = {
    Calculation{"headroom", "What a lossless priority needs room for after it paused its peer",
                "--speed 100G --cable 40m --port-mtu 9100", headroom},
    Calculation{"wan-headroom", "What a gateway needs room for whose pause crosses a WAN",
                "--arrival 100G --departure 40G --distance 1000km", wan_headroom},
    Calculation{"credit-quantum", "What a credit must release, and the buffer that credits need",
                "--speed 400G --ports 18", credit_quantum},
    Calculation{"retry", "What a sender keeps that sends again, and what it costs",
                "--speed 10G --delay 1ms --loss 1e-3", retry},
    Calculation{"md1", "How long a queue grows, how rarely, and how long frames wait",
                "--load 0.9 --tail 1e-6", md1},
    Calculation{"pipelines", "How many pipelines take the frames of all ports",
                "--rate 25.6T --frame 64 --clock 1.2G", pipelines},
    Calculation{"incast", "What gathers when many ports send to one",
                "--ports 8 --speed 200G --burst 10us", incast},
    Calculation{"serialisation", "How long a frame takes the wire", "--frame 1406 --speed 100G",
                serialisation},
    Calculation{"latency", "What a frame takes through a chain of switches",
                "--hops 2 --fixed 500ns --load 0.8", latency},
};

void print(const std::vector<Figure>& figures) {
    std::size_t width = 0;
    for (const Figure& figure : figures) width = std::max(width, figure.name.size());
    for (const Figure& figure : figures) {
        const std::string gap(width - figure.name.size() + 2, ' ');
        fmt::print("  {}{}{}\n", figure.name, gap, figure.shown);
    }
}

// Prints the formulas, a line each.
void print_formulas(std::string_view formulas) {
    constexpr std::string_view between = "; ";
    for (;;) {
        const std::size_t end = formulas.find(between);
        fmt::print("{}\n", formulas.substr(0, end));
        if (end == std::string_view::npos) return;
        formulas.remove_prefix(end + between.size());
    }
}

void print(const Answer& answer) {
    print_formulas(answer.formula);
    fmt::print("\n");
    print(answer.inputs);
    const std::string result = answer.result.is_number_float()
                                   ? fmt::format("{:.10g}", answer.result.get<double>())
                                   : answer.result.dump();
    fmt::print("\n{} = {} {}\n", answer.name, result, answer.unit);
    print(answer.also);
    fmt::print("Source: {}\n", answer.source);
}

Json as_json(const std::vector<Figure>& figures) {
    Json object = Json::object();
    for (const Figure& figure : figures) object[std::string(figure.key)] = figure.value;
    return object;
}

Json as_json(const Answer& answer) {
    Json object = {{"formula", answer.formula},
                   {"inputs", as_json(answer.inputs)},
                   {"result", answer.result},
                   {"unit", answer.unit}};
    if (!answer.also.empty()) object["also"] = as_json(answer.also);
    object["source"] = answer.source;
    return object;
}

void draw(const Answer& answer) {
    if (answer.page.is_null()) return;
    if (!ReportFile(answer.page_file, {}, "--plot").write(answer.page)) throw CLI::RuntimeError(1);
}

// Reports an unknown argument with the most similar known ones.
void check_all_known(const CLI::App& command, const std::vector<std::string>& known) {
    const std::vector<std::string> unknown = command.remaining();
    if (unknown.empty()) return;
    const std::vector<std::string_view> candidates(known.begin(), known.end());
    const auto meant = config::nearest(unknown.front(), candidates);
    throw CLI::ValidationError(
        command.get_name(),
        fmt::format("{} is not one of its words; {}", config::in_quotes(unknown.front()),
                    meant ? fmt::format("did you mean {}", *meant)
                          : fmt::format("write one of {}", config::joined(candidates, ", "))));
}

std::vector<std::string> options_of(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        names.push_back("--" + option->get_lnames().front());
    }
    return names;
}

}  // namespace

Calc::Calc(CLI::App& app)
    : command_(app.add_subcommand("calc", "Compute a figure, and show the formula")) {
    command_->footer("`sluice calc NAME --help` lists the inputs.");
    for (const Calculation& calculation : calculations) {
        CLI::App* command =
            command_->add_subcommand(std::string(calculation.name), std::string(calculation.help));
        command->footer(
            fmt::format("Example: sluice calc {} {}", calculation.name, calculation.example));
        entries_.push_back({command, calculation.add(*command)});
        command->add_flag("--json", json_, "For programs");
        command->allow_extras();
    }
    command_->allow_extras();
}

bool Calc::parsed() const { return command_->parsed(); }

void Calc::run() const {
    for (const Entry& entry : entries_) {
        if (!entry.command->parsed()) continue;
        check_all_known(*entry.command, options_of(*entry.command));
        const Answer answer = entry.compute();
        draw(answer);
        if (!json_) return print(answer);
        fmt::print("{}\n", as_json(answer).dump(2));
        return;
    }
    std::vector<std::string> names;
    for (const Entry& entry : entries_) names.push_back(entry.command->get_name());
    check_all_known(*command_, names);
    fmt::print("{}", command_->help("sluice"));
}

}  // namespace sluice::cli
