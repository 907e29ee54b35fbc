#include "tools/gen/stream_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <set>

#include "config/yaml/document.h"
#include "config/yaml/values.h"
#include "dataplane/frame_format.h"
#include "tools/gen/words.h"

namespace sluice::gen {
namespace {

using config::Node;
using config::Report;

constexpr auto keys =
    std::to_array<std::string_view>({"name", "from", "to", "rate", "frame_bytes", "vlan", "pcp",
                                     "dscp", "addresses", "burst", "frames", "format", "octets"});
constexpr auto keys_of_probes = std::to_array<std::string_view>(
    {"to", "frame_bytes", "vlan", "pcp", "dscp", "addresses", "format"});
constexpr std::size_t longest_name = 32;
constexpr std::size_t shortest_raw = 14;  // addresses and a type
constexpr int64_t most_frames = 1'000'000'000'000;

tl::expected<Family, std::string> parse_family(std::string_view text) {
    for (std::size_t n = 0; n < presets.size(); ++n) {
        if (preset_names[n] == text) return presets[n].family;
    }
    return tl::unexpected(
        fmt::format("{} is no format; use one of {}", text, config::joined(preset_names, ", ")));
}

tl::expected<std::vector<uint8_t>, std::string> parse_octets(std::string_view text) {
    std::vector<uint8_t> octets;
    std::string digits(text);
    std::erase(digits, ' ');
    for (std::size_t n = 0; n + 1 < digits.size(); n += 2) {
        uint8_t octet = 0;
        const char* const end = &digits[n] + 2;
        if (std::from_chars(&digits[n], end, octet, 16).ptr != end) break;
        octets.push_back(octet);
    }
    if (2 * octets.size() == digits.size() && octets.size() >= shortest_raw &&
        octets.size() <= longest_frame - fcs_octets) {
        return octets;
    }
    return tl::unexpected(fmt::format("these are no octets; write {} to {} of them in hexadecimal",
                                      shortest_raw, longest_frame - fcs_octets));
}

// One stream of the file.
class StreamReader {
  public:
    StreamReader(const Node& node, std::string path, std::size_t ports, Report& report)
        : node_(node), path_(std::move(path)), ports_(ports), report_(report) {}

    Stream read(std::size_t number) {
        Stream stream;
        stream.name = fmt::format("stream{}", number);
        look_for_strangers();
        read_name(stream.name);
        const int64_t last = static_cast<int64_t>(ports_) - 1;
        stream.from = static_cast<PortIndex>(required("from", last));
        SenderSettings& sender = stream.sender;
        sender.pattern.ports = static_cast<PortIndex>(ports_);
        sender.burst = static_cast<uint16_t>(number_of("burst", 1, 65535, 1));
        sender.frames = static_cast<uint64_t>(number_of("frames", 0, most_frames, 0));
        parse("rate", parse_packet_rate, sender.rate);
        if (find("octets") != nullptr) {
            read_octets(stream);
        } else {
            read_probe(stream, last);
        }
        return stream;
    }

  private:
    void read_probe(Stream& stream, int64_t last) {
        const auto to = static_cast<PortIndex>(required("to", last));
        if (!is_faulty_ && stream.from == to) {
            fault(find("to")->at, "to", "is the port that it is from", "name another");
        }
        SenderSettings& sender = stream.sender;
        const auto priority = static_cast<Priority>(number_of("pcp", 0, 7, 0));
        sender.pattern.only_to = to;
        sender.pattern.priorities = only_priority(priority);
        sender.vlan = static_cast<VlanId>(number_of("vlan", 0, 4094, 0));
        sender.addresses = static_cast<uint32_t>(number_of("addresses", 1, most_addresses, 1));
        if (find("dscp") != nullptr) {
            sender.style.dscp = static_cast<uint8_t>(number_of("dscp", 0, 63, 0));
        }
        parse("frame_bytes", parse_frame_mix, sender.pattern.frames);
        parse("format", parse_family, sender.style.family);
    }
    void read_octets(Stream& stream) {
        for (const std::string_view key : keys_of_probes) {
            if (const Node* node = find(key); node != nullptr) {
                fault(node->at, key, "is not of a stream of `octets`", "leave one of them out");
            }
        }
        SenderSettings& sender = stream.sender;
        parse("octets", parse_octets, sender.octets);
        sender.pattern.only_to = static_cast<PortIndex>((stream.from + 1U) % ports_);
        sender.pattern.frames =
            FrameMix::fixed(static_cast<uint16_t>(sender.octets.size() + fcs_octets));
    }
    const Node* find(std::string_view key) const {
        for (std::size_t n = 0; n < node_.keys.size(); ++n) {
            if (node_.keys[n].text == key) return &node_.items[n];
        }
        return nullptr;
    }
    void fault(config::Position at, std::string_view key, std::string what, std::string remedy) {
        is_faulty_ = true;
        report_.add(at, key.empty() ? path_ : fmt::format("{}.{}", path_, key), std::move(what),
                    std::move(remedy));
    }
    // Its text; nothing: it is not written, or no scalar, which has been told.
    const Node* scalar(std::string_view key) {
        const Node* node = find(key);
        if (node == nullptr) return nullptr;
        if (node->kind == Node::Kind::unusable) {
            is_faulty_ = true;  // which has been told
            return nullptr;
        }
        if (node->kind == Node::Kind::scalar) return node;
        fault(node->at, key, "is no single value", "write one word or number");
        return nullptr;
    }
    void look_for_strangers() {
        for (const Node& key : node_.keys) {
            if (key.kind == Node::Kind::unusable || std::ranges::count(keys, key.text) > 0) {
                continue;
            }
            fault(key.at, config::in_path(key.text), "is no key of a stream",
                  "use one of " + config::joined(keys, ", "));
        }
    }
    void read_name(std::string& name) {
        const Node* node = scalar("name");
        if (node == nullptr) return;
        const bool fine = !node->text.empty() && node->text.size() <= longest_name &&
                          std::ranges::all_of(node->text, [](unsigned char letter) {
                              return letter > ' ' && letter < 127 && letter != ',';
                          });
        if (fine) {
            name = node->text;
        } else {
            fault(node->at, "name", "is no name",
                  fmt::format("use 1 to {} letters without blanks and commas", longest_name));
        }
    }
    int64_t required(std::string_view key, int64_t last) {
        if (find(key) == nullptr) {
            fault(node_.at, "", fmt::format("has no `{}`", key),
                  fmt::format("write which port, 0 to {}", last));
            return 0;
        }
        return number_of(key, 0, last, 0);
    }
    int64_t number_of(std::string_view key, int64_t least, int64_t most, int64_t unwritten) {
        const Node* node = scalar(key);
        if (node == nullptr) return unwritten;
        const auto number = config::parse_whole(node->text);
        if (number && *number >= least && *number <= most) return *number;
        fault(node->at, key,
              fmt::format("{} is not a number from {} to {}", config::in_quotes(node->text), least,
                          most),
              fmt::format("write one, such as {}", std::max(least, unwritten)));
        return unwritten;
    }
    template <class Parse, class Value>
    void parse(std::string_view key, Parse parse_word, Value& value) {
        const Node* node = scalar(key);
        if (node == nullptr) return;
        const auto parsed = parse_word(node->text);
        if (parsed) {
            value = *parsed;
            return;
        }
        const std::string_view why = parsed.error();  // `what is wrong; what would be right`
        const std::size_t end = std::min(why.find("; "), why.size());
        fault(node->at, key, config::escaped(why.substr(0, end)),
              config::escaped(why.substr(std::min(end + 2, why.size()))));
    }

    const Node& node_;
    std::string path_;
    std::size_t ports_;
    Report& report_;
    bool is_faulty_ = false;
};

// The list of them; nothing: there is none, which has been told.
const Node* list_of(const Node& document, Report& report) {
    const Node* list = nullptr;
    for (std::size_t n = 0; n < document.keys.size(); ++n) {
        const Node& key = document.keys[n];
        if (key.text == "streams") {
            list = &document.items[n];
        } else if (key.kind != Node::Kind::unusable) {
            report.add(key.at, config::in_path(key.text), "is unknown", "write `streams` alone");
        }
    }
    const bool is_list = list != nullptr && list->kind == Node::Kind::list && !list->items.empty();
    if (is_list && list->items.size() <= most_streams) return list;
    report.add(list == nullptr ? document.at : list->at, "streams",
               is_list ? fmt::format("are {}", list->items.size()) : "is no list of streams",
               is_list ? fmt::format("{} are the most", most_streams)
                       : "write `streams:` and below it `- {from: 0, to: 1}`");
    return nullptr;
}

}  // namespace

Streams read_streams(std::string_view text, const std::string& file, std::size_t ports) {
    Report report(file);
    std::vector<Stream> streams;
    std::set<std::string> names;
    const auto document = config::read_document(text, report);
    const Node* list = document ? list_of(*document, report) : nullptr;
    for (std::size_t n = 0; list != nullptr && n < list->items.size() && !report.full(); ++n) {
        const Node& node = list->items[n];
        const std::string path = fmt::format("streams[{}]", n);
        if (node.kind == Node::Kind::unusable) continue;
        if (node.kind != Node::Kind::map) {
            report.add(node.at, path, "is no stream", "write it as {from: 0, to: 1}");
            continue;
        }
        streams.push_back(StreamReader(node, path, ports, report).read(n));
        if (!names.insert(streams.back().name).second) {
            report.add(
                node.at, path + ".name",
                fmt::format("{} is another stream's, too", config::in_quotes(streams.back().name)),
                "give each its own");
        }
    }
    if (report.clean()) return streams;
    return tl::unexpected(report.take());
}

}  // namespace sluice::gen
