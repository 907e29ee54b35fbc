#include "tools/sluice/table.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/yaml/fault.h"
#include "tools/sluice/quantities.h"

namespace sluice::cli {

namespace {

constexpr std::string_view gap = "  ";

bool to_the_left(Format format) {
    return format == Format::text || format == Format::list || format == Format::yes_no;
}

std::string join(const Json& list) {
    std::string text;
    for (const Json& item : list) {
        if (!text.empty()) text += ' ';
        text += config::escaped(item.get<std::string>());
    }
    return text.empty() ? "-" : text;
}

std::string cell_of(const Json& row, const Column& column) {
    const Json::json_pointer place(fmt::format("/{}", column.key));
    return row.contains(place) && !row[place].is_null() ? show_cell(row[place], column.format)
                                                        : "-";
}

}  // namespace

std::string show_cell(const Json& value, Format format) {
    switch (format) {
        case Format::text:
            return value == "" ? "-" : config::escaped(value.get<std::string>());
        case Format::list:
            return join(value);
        case Format::yes_no:
            return value.get<bool>() ? "yes" : "-";
        case Format::number:
            return config::escaped(value.dump());
        case Format::count:
            return show_count(value.get<uint64_t>());
        case Format::decimal:
            return fmt::format("{:.1f}", value.get<double>());
        case Format::size:
            return show_size(value.get<double>());
        case Format::rate:
            return show_rate(value.get<double>());
        case Format::per_second:
            return show_per_second(value.get<double>());
        case Format::nanos:
            return show_nanos(value.get<double>());
        case Format::seconds:
            return fmt::format("{} s", show_count(value.get<uint64_t>()));
        case Format::share:
            return show_share(value.get<double>());
    }
    return {};
}

std::string render_table(const Json& rows, std::span<const Column> columns) {
    std::vector<std::vector<std::string>> lines(1);
    for (const Column& column : columns) lines[0].emplace_back(column.title);
    for (const Json& row : rows) {
        std::vector<std::string>& line = lines.emplace_back();
        for (const Column& column : columns) line.push_back(cell_of(row, column));
    }

    std::vector<std::size_t> widths(columns.size());
    for (const auto& line : lines) {
        for (std::size_t n = 0; n < line.size(); ++n) {
            widths[n] = std::max(widths[n], line[n].size());
        }
    }
    std::string text;
    for (const auto& line : lines) {
        std::string row;
        for (std::size_t n = 0; n < line.size(); ++n) {
            if (n > 0) row += gap;
            row += to_the_left(columns[n].format) ? fmt::format("{:<{}}", line[n], widths[n])
                                                  : fmt::format("{:>{}}", line[n], widths[n]);
        }
        row.erase(row.find_last_not_of(' ') + 1);
        text += row + '\n';
    }
    return text;
}

}  // namespace sluice::cli
