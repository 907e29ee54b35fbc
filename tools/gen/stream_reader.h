// StreamReader: reads one map of a list of streams in a YAML file: sender, receiver and frames.
// Files of streams (stream_file.h) and of services (service_file.h) are such lists, each with
// further keys.
//
// A wrong key is reported at its line and column, and its default is used; all faults of a file are
// reported at once.
// Bound: lists of 256; a file of 1 MiB (config/yaml/document.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/yaml/document.h"
#include "config/yaml/fault.h"
#include "tools/gen/generator.h"

namespace sluice::gen {

inline constexpr std::size_t most_streams = 256;

// The names of a list and its members in faults, and the keys of a member.
struct ListWords {
    std::string_view list;     // key of the list, such as `streams`
    std::string_view one;      // word for a member, such as `stream`
    std::string_view example;  // example of a member
    std::span<const std::string_view> keys;
};

class StreamReader {
  public:
    // `node` is a map, and must outlive this object; `ports`: the number of ports.
    StreamReader(const config::Node& node, std::string path, std::size_t ports,
                 const ListWords& words, config::Report& report);

    // Returns `name`, or the word for a member and its number.
    std::string name(std::size_t number);
    // Reads `from`, and sets the pattern's ports.
    void read_from(Stream& stream);
    // Reads `to` and the keys of probes: frame_bytes, vlan, pcp, dscp, addresses, format.
    void read_probe(Stream& stream);

    // Returns the value of a key; null if the key is absent.
    [[nodiscard]] const config::Node* find(std::string_view key) const;
    int64_t number(std::string_view key, int64_t least, int64_t most, int64_t unwritten);
    // Reads a value by `parse_word`, which returns the value or `what is wrong; what would be
    // right`. Returns whether the key was present and valid.
    template <class Parse, class Value>
    bool parse(std::string_view key, Parse parse_word, Value& value) {
        const config::Node* node = scalar(key);
        if (node == nullptr) return false;
        const auto parsed = parse_word(node->text);
        if (parsed) {
            value = *parsed;
            return true;
        }
        complain(*node, key, parsed.error());
        return false;
    }
    // Reports a fault of a key, or of the whole map if `key` is empty.
    void fault(config::Position at, std::string_view key, std::string what, std::string remedy);
    [[nodiscard]] config::Position at() const { return node_.at; }

  private:
    // Returns null if the key is absent, or after reporting that it is not a scalar.
    const config::Node* scalar(std::string_view key);
    void complain(const config::Node& node, std::string_view key, std::string_view why);
    void look_for_strangers();
    int64_t port(std::string_view key);

    const config::Node& node_;
    std::string path_;
    std::size_t ports_;
    const ListWords& words_;
    config::Report& report_;
    bool is_faulty_ = false;
};

// Reads one member; returns its name, which must be unique.
using ReadOne = std::function<std::string(StreamReader& reader, std::size_t number)>;

// Reads each member of the file's list. `file`: its name in faults. Returns the faults; empty if
// the file is valid.
std::vector<config::Fault> read_list(std::string_view text, const std::string& file,
                                     std::size_t ports, const ListWords& words,
                                     const ReadOne& read_one);

}  // namespace sluice::gen
