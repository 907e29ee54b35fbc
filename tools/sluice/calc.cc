#include "tools/sluice/calc.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>

#include "config/scalar.h"

namespace sluice::cli {

namespace {

struct Calculation {
    std::string_view name;
    std::string_view help;
    Compute (*add)(CLI::App& command);
};
constexpr std::array calculations = {
    Calculation{"headroom", "What a lossless priority needs room for after it paused its peer",
                headroom},
};

std::string_view type_name(config::Kind kind) {
    switch (kind) {
        case config::Kind::rate:
            return "RATE";
        case config::Kind::size:
            return "SIZE";
        case config::Kind::time:
            return "TIME";
        case config::Kind::length:
            return "LENGTH";
        default:
            return "N";
    }
}

void print(const Answer& answer) {
    fmt::print("{}\n\n", answer.formula);
    for (const Input& input : answer.inputs) fmt::print("  {:<13}  {}\n", input.name, input.shown);
    fmt::print("\n{} = {} {}\nSource: {}\n", answer.name, answer.result.dump(), answer.unit,
               answer.source);
}

Json as_json(const Answer& answer) {
    Json inputs = Json::object();
    for (const Input& input : answer.inputs) inputs[std::string(input.key)] = input.value;
    return {{"formula", answer.formula},
            {"inputs", std::move(inputs)},
            {"result", answer.result},
            {"unit", answer.unit},
            {"source", answer.source}};
}

}  // namespace

CLI::Option* add_quantity(CLI::App& command, const config::Key& key, int64_t& into) {
    const std::string name = fmt::format("--{}", key.name);
    const auto read = [name, key, &into](const std::string& text) {
        const auto scalar = config::read_scalar(text, key);
        if (!scalar) {
            throw CLI::ValidationError(
                name, fmt::format("{}; {}", scalar.error().what, scalar.error().remedy));
        }
        into = scalar->number;
    };
    CLI::Option* option =
        command.add_option_function<std::string>(name, read, std::string(key.help))
            ->type_name(std::string(type_name(key.kind)))
            ->required(key.required);
    if (!key.fallback.empty()) read(std::string(key.fallback));
    return option->default_str(std::string(key.fallback.empty() ? key.worked_out : key.fallback));
}

Calc::Calc(CLI::App& app)
    : command_(app.add_subcommand("calc", "Work out a figure, and say by which formula")) {
    command_->footer("`sluice calc NAME --help` says what each needs.");
    for (const Calculation& calculation : calculations) {
        CLI::App* command =
            command_->add_subcommand(std::string(calculation.name), std::string(calculation.help));
        command->footer("");
        entries_.push_back({command, calculation.add(*command)});
        command->add_flag("--json", json_, "For programs");
    }
}

bool Calc::parsed() const { return command_->parsed(); }

void Calc::run() const {
    for (const Entry& entry : entries_) {
        if (!entry.command->parsed()) continue;
        const Answer answer = entry.compute();
        if (!json_) return print(answer);
        fmt::print("{}\n", as_json(answer).dump(2));
        return;
    }
    fmt::print("{}", command_->help("sluice"));
}

}  // namespace sluice::cli
