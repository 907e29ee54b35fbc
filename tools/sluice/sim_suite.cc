#include "tools/sluice/sim_suite.h"

#include <fmt/format.h>

#include <array>
#include <string>

#include "tools/sim/reference/reference.h"

namespace sluice::cli {

namespace {

constexpr std::array columns = {
    Column{"holds", "verdict", Format::text},
    Column{"expected", "expected", Format::number},
    Column{"measured", "measured", Format::number},
    Column{"tolerance", "tolerance", Format::number},
    Column{"name", "name", Format::text},
};

// As people read it: four significant digits.
double rounded(double number) { return std::stod(fmt::format("{:.4g}", number)); }

Json row_of(const sim::Compared& figure) {
    return {{"name", figure.name},           {"source", figure.source},
            {"expected", figure.expected},   {"measured", figure.measured},
            {"tolerance", figure.tolerance}, {"ok", figure.ok}};
}

}  // namespace

void run_reference_suite(Output output) {
    const sim::Figures figures = sim::reference_figures();
    Json rows = Json::array();
    std::size_t holding = 0;
    for (const sim::Compared& figure : sim::compare(
             figures, [&](std::size_t finished) { show_done(finished, figures.size()); })) {
        rows.push_back(row_of(figure));
        holding += figure.ok ? 1 : 0;
    }
    if (output == Output::json) return print_json(rows);
    if (output == Output::csv) return print_csv(rows);
    for (Json& row : rows) {
        row["verdict"] = row["ok"] == true ? "yes" : "no";
        for (const char* key : {"expected", "measured", "tolerance"}) {
            row[key] = rounded(row[key].get<double>());
        }
    }
    fmt::print("{}\n{} of {} figures hold.\n", render_table(rows, columns), holding, rows.size());
}

}  // namespace sluice::cli
