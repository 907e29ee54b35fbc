#include "tools/sluice/sim/suite.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include "tools/sim/reference/reference.h"
#include "tools/sluice/sim/progress.h"

namespace sluice::cli {

namespace {

constexpr std::array figure_columns = {
    Column{"holds", "verdict", Format::text},
    Column{"is", "relation", Format::text},
    Column{"expected", "expected", Format::number},
    Column{"measured", "measured", Format::number},
    Column{"tolerance", "tolerance", Format::number},
    Column{"name", "name", Format::text},
};

// Rounds for people: to four significant digits, above 1000 to a whole number.
Json rounded(double number) {
    const double shown =
        std::abs(number) >= 1000 ? std::round(number) : std::stod(fmt::format("{:.4g}", number));
    const auto whole = static_cast<int64_t>(shown);
    return static_cast<double>(whole) == shown ? Json(whole) : Json(shown);
}

bool has(std::string_view text, const std::string& part) {
    return CLI::detail::to_lower(std::string(text)).find(part) != std::string::npos;
}

sim::Figures figures_of(const std::string& source) {
    sim::Figures figures = sim::reference_figures();
    std::string first_words;
    for (const sim::Figure& figure : figures) {
        const std::string_view words = figure.source.substr(0, figure.source.find(','));
        if (has(first_words, CLI::detail::to_lower(std::string(words)))) continue;
        first_words += fmt::format("{}{}", first_words.empty() ? "" : ", ", words);
    }
    const std::string wanted = CLI::detail::to_lower(source);
    std::erase_if(figures, [&](const auto& figure) { return !has(figure.source, wanted); });
    if (!figures.empty()) return figures;
    throw CLI::ValidationError(
        "--source", fmt::format("no source has {} in its name; part of {}", source, first_words));
}

std::string_view name_of(sim::Relation relation) {
    switch (relation) {
        case sim::Relation::about:
            return "about";
        case sim::Relation::at_least:
            return "at_least";
        case sim::Relation::at_most:
            return "at_most";
    }
    return {};
}

Json row_of(const sim::Compared& figure) {
    return {{"name", figure.name},
            {"source", figure.source},
            {"expected", figure.expected},
            {"measured", figure.measured},
            {"tolerance", figure.tolerance},
            {"relation", name_of(figure.relation)},
            {"ok", figure.ok}};
}

// Returns the rows as one table, so that the columns of all sources are aligned. The name of each
// source is above the rows of that source.
std::string by_source(Json rows) {
    for (Json& row : rows) {
        row["verdict"] = row["ok"] == true ? "yes" : "no";
        if (auto words = row["relation"].get<std::string>(); words != "about") {
            row["relation"] = words.replace(words.find('_'), 1, " ");
        }
        for (const char* key : {"expected", "measured", "tolerance"}) {
            row[key] = rounded(row[key].get<double>());
        }
    }
    std::stringstream lines(render_table(rows, figure_columns));
    std::string line;
    std::getline(lines, line);
    std::string text = line + '\n';
    std::string last;
    for (const Json& row : rows) {
        const auto source = row["source"].get<std::string>();
        if (source != last) text += fmt::format("\n{}\n", source);
        last = source;
        std::getline(lines, line);
        text += line + '\n';
    }
    return text;
}

}  // namespace

void run_reference_suite(const std::string& source, Output output) {
    const sim::Figures figures = figures_of(source);
    const auto compared = [&] {
        ProgressBar bar(figures.size());
        return sim::compare(figures, [&](std::size_t finished) { bar.finish_one(finished); });
    }();
    Json rows = Json::array();
    for (const sim::Compared& figure : compared) rows.push_back(row_of(figure));
    if (output == Output::json) return print_json(rows);
    if (output == Output::csv) return print_csv(rows);
    const auto holding = std::ranges::count_if(compared, &sim::Compared::ok);
    fmt::print(
        "{}\n{} of {} figures hold; tools/sim/reference/README.md explains why the others do "
        "not.\n",
        by_source(std::move(rows)), holding, compared.size());
}

}  // namespace sluice::cli
