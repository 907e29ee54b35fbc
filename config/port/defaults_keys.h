// Defaults keys: the part of the schema (schema.h) under `defaults`: the keys of `ports[]` except
// those that only a port can have, and a help that names these. Used only by schema.cc.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "config/port/port_keys.h"
#include "config/schema.h"

namespace sluice::config::keys {

static_assert(std::ranges::is_partitioned(port_keys, &Key::own),
              "keys of a port's own stand first: the rest are those of `defaults`");
inline constexpr auto own_port_keys =
    static_cast<std::size_t>(std::ranges::count_if(port_keys, &Key::own));
inline constexpr auto defaults_keys = std::span(port_keys).subspan(own_port_keys);

inline constexpr struct DefaultsHelp {
    constexpr DefaultsHelp() {
        append("settings of every port that does not set its own: every key of a port but ");
        for (std::size_t key = 0; key < own_port_keys; ++key) {
            append(key == 0 ? "`" : key + 1 < own_port_keys ? "`, `" : "` and `");
            append(port_keys[key].name);
        }
        append("`");
    }
    constexpr void append(std::string_view words) {
        for (const char letter : words) letters[length++] = letter;
    }
    [[nodiscard]] constexpr std::string_view text() const { return {letters.data(), length}; }

    std::array<char, 512> letters{};
    std::size_t length = 0;
} defaults_help;

}  // namespace sluice::config::keys
