// Table: rows of JSON objects as aligned text: words to the left, numbers to the right.
//
// A column says which key it shows and how. A key that a row lacks, or that is
// null, is shown as `-`. Control characters are shown as \xNN, so that nobody whose words are in a
// cell writes on the terminal.
// Bound: widths are counted in octets; names and devices are ASCII.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::cli {

using Json = nlohmann::ordered_json;

enum class Format : uint8_t {
    text,
    list,    // of texts
    yes_no,  // of a truth; `no` is shown as `-`, so that a `yes` is seen
    number,  // as it is: an identity, such as a VLAN
    count,
    decimal,  // one place
    size,
    rate,
    per_second,
    nanos,
    seconds,
    share,
};

struct Column {
    std::string_view title;
    std::string_view key;  // of the row; `a/b` is key b inside a
    Format format = Format::text;
};

std::string render_table(const Json& rows, std::span<const Column> columns);

std::string show_cell(const Json& value, Format format);

}  // namespace sluice::cli
