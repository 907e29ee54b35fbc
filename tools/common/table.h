// Table: prints rows of JSON objects as aligned text: words to the left, numbers to the right.
//
// A column defines which key it shows, and in which format. A key that a row lacks, or that is
// null, is shown as `-`. Control characters are shown as \xNN, so that texts from outside cannot
// control the terminal. sheet.h lays out a table for a given width.
// Bound: widths are counted in octets; names and devices are ASCII.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

namespace sluice::cli {

using Json = nlohmann::ordered_json;

enum class Format : uint8_t {
    text,
    prose,   // a text of several words, which may be wrapped
    list,    // a list of texts, which may be wrapped
    yes_no,  // a truth value; `no` is shown as `-`, so that a `yes` stands out
    number,  // unformatted, for an identity such as a VLAN
    count,
    decimal,  // one decimal place
    size,
    rate,
    per_second,
    nanos,
    seconds,
    moment,  // ISO 8601; without year and zone if there is little room
    share,
    ratio,  // a number without a unit
};

struct Column {
    std::string_view title;
    std::string_view key;  // key of the row; `a/b` is key b inside a
    Format format = Format::text;
    uint8_t rank = 1;  // 0 is always shown; if not all fit, the highest rank is omitted first
};

std::string render_table(const Json& rows, std::span<const Column> columns);

// Returns `-` for null.
std::string show_cell(const Json& value, Format format);
std::string cell_of(const Json& row, const Column& column);
bool to_the_left(Format format);

}  // namespace sluice::cli
