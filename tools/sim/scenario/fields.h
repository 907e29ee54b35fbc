// Fields: reads one map of a scenario: its keys by name, each by its kind. Reports every fault.
//
// Reports a wrong value, and uses the default instead, so that reading can continue.
// Not done here: a switch's own keys, which config's reader knows (switch_settings.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/schema.h"
#include "config/yaml/document.h"
#include "config/yaml/fault.h"

namespace sluice::sim {

class Fields {
  public:
    // `node`: null if the map is not in the file. A key that is not in `keys` is a fault.
    Fields(config::Report& report, const config::Node* node, std::string path, config::Position at,
           std::span<const config::Key> keys);

    [[nodiscard]] bool has(std::string_view key) const { return find(key) != nullptr; }
    [[nodiscard]] const config::Node* find(std::string_view key) const;
    // Returns the value of a scalar, configured or default. A required key that is missing is a
    // fault.
    int64_t number(std::string_view key);
    std::string text(std::string_view key);
    bool yes(std::string_view key) { return number(key) != 0; }
    // Returns the maps of a list; an item that is not a map is a fault.
    std::vector<Fields> maps(std::string_view key, std::span<const config::Key> keys);
    Fields map(std::string_view key, std::span<const config::Key> keys);
    // Returns the words of a list, each with its position. A single word counts as a list.
    std::vector<config::Node> words(std::string_view key);

    void fault(std::string_view key, std::string what, std::string remedy);
    void fault_at(const config::Node& node, std::string_view key, std::string what,
                  std::string remedy);
    // Whether the fields that were read had no fault.
    [[nodiscard]] bool clean() const { return clean_; }
    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] config::Position at() const { return at_; }
    // Whether the map is in the file.
    [[nodiscard]] bool written() const { return node_ != nullptr; }
    [[nodiscard]] const config::Node* node() const { return node_; }

  private:
    struct Scalar {
        int64_t number = 0;
        std::string text;
    };
    Scalar scalar(std::string_view key);
    [[nodiscard]] const config::Key& key_of(std::string_view key) const;
    [[nodiscard]] std::string below(std::string_view key) const;

    config::Report* report_;
    const config::Node* node_;
    std::string path_;
    config::Position at_;
    std::span<const config::Key> keys_;
    bool clean_ = true;
};

}  // namespace sluice::sim
