#include "tools/common/table.h"

#include <fmt/format.h>

#include "config/yaml/fault.h"
#include "tools/common/quantities.h"
#include "tools/common/sheet.h"

namespace sluice::cli {

namespace {

std::string join(const Json& list) {
    std::string text;
    for (const Json& item : list) {
        if (!text.empty()) text += ' ';
        text += show_cell(item, Format::text);
    }
    return text.empty() ? "-" : text;
}

}  // namespace

bool to_the_left(Format format) {
    return format == Format::text || format == Format::prose || format == Format::list ||
           format == Format::moment || format == Format::yes_no;
}

std::string cell_of(const Json& row, const Column& column) {
    const Json::json_pointer place(fmt::format("/{}", column.key));
    return row.contains(place) ? show_cell(row[place], column.format) : "-";
}

std::string show_cell(const Json& value, Format format) {
    if (value.is_null()) return "-";
    switch (format) {
        case Format::text:
        case Format::moment:
        case Format::prose:
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
        case Format::ratio:
            return fmt::format("{:.3g}", value.get<double>());
    }
    return {};
}

std::string render_table(const Json& rows, std::span<const Column> columns) {
    return Sheet().table(rows, columns, Sheet::Empty::titles);
}

}  // namespace sluice::cli
