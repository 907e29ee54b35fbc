// Key rows: how the tables of the schema (schema.h) write a key: its kind, name, help, default and
// range, choices or content. Its other properties follow after bars:
//
//     key(Kind::whole, "burst", "frames of one receive", "64", 1, max_burst) | Is::restart
//
// Used by the headers of keys and by schema.cc. A key without a help, such as the element of a
// list, is written as a plain Key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "config/schema.h"

namespace sluice::config {

namespace keys {

// A property of a key. The members of Key (schema.h) explain the properties.
struct Trait {
    bool Key::*member;
    bool value = true;
};
struct Is {
    static constexpr Trait required{&Key::required};
    static constexpr Trait restart{&Key::restart};
    static constexpr Trait by_meaning{&Key::by_meaning};
    static constexpr Trait own{&Key::own};
    static constexpr Trait not_simulated{&Key::simulated, false};
    static constexpr Trait or_zero{&Key::or_zero};
    static constexpr Trait power_of_two{&Key::power_of_two};
    static constexpr Trait distinct{&Key::distinct};
    static constexpr Trait or_one{&Key::or_one};
    static constexpr Trait one_piece{&Key::one_piece};
};

// The default of a key: its text or, made by `worked_out`, a description of how it is computed.
struct Default {
    constexpr Default() = default;
    constexpr Default(const char* text) : fallback(text) {}
    constexpr Default(std::string_view text) : fallback(text) {}

    std::string_view fallback = {};
    std::string_view worked_out = {};
};
constexpr Default worked_out(std::string_view how) {
    Default value;
    value.worked_out = how;
    return value;
}

constexpr Key key(Kind kind, std::string_view name, std::string_view help,
                  const Default& value = {}, int64_t lowest = 0, int64_t highest = 0) {
    return {.name = name,
            .kind = kind,
            .help = help,
            .fallback = value.fallback,
            .worked_out = value.worked_out,
            .lowest = lowest,
            .highest = highest};
}
constexpr Key key(Kind kind, std::string_view name, std::string_view help, const Default& value,
                  std::span<const std::string_view> choices) {
    Key row = key(kind, name, help, value);
    row.choices = choices;
    return row;
}
// A key with content. `inside`: the keys of a map, the element of a list, or the number and the
// value of a table. `fewest` and `most` limit the length of a list.
constexpr Key key(Kind kind, std::string_view name, std::string_view help, const Default& value,
                  std::span<const Key> inside, std::size_t fewest = 0, std::size_t most = 0) {
    Key row = key(kind, name, help, value);
    row.inside = inside;
    row.fewest = fewest;
    row.most = most;
    return row;
}

constexpr Key operator|(Key row, Trait trait) {
    row.*trait.member = trait.value;
    return row;
}

}  // namespace keys

constexpr Key operator|(Key row, Needs needs) {
    row.needs = needs;
    return row;
}

}  // namespace sluice::config
