#include "tools/gen/stream_reader.h"

#include <fmt/format.h>

#include <set>

#include "config/yaml/values.h"
#include "dataplane/types/frame_format.h"
#include "tools/gen/words.h"

namespace sluice::gen {
namespace {

using config::Node;
using config::Report;

constexpr std::size_t longest_name = 32;

tl::expected<FormatFamily, std::string> parse_family(std::string_view text) {
    for (std::size_t n = 0; n < presets.size(); ++n) {
        if (preset_names[n] == text) return presets[n].family;
    }
    return tl::unexpected(
        fmt::format("{} is no format; use one of {}", text, config::joined(preset_names, ", ")));
}

// Returns the list; null after reporting that there is none.
const Node* list_of(const Node& document, const ListWords& words, Report& report) {
    const Node* list = nullptr;
    for (std::size_t n = 0; n < document.keys.size(); ++n) {
        const Node& key = document.keys[n];
        if (key.text == words.list) {
            list = &document.items[n];
        } else if (key.kind != Node::Kind::unusable) {
            report.add(key.at, config::in_path(key.text), "is unknown",
                       fmt::format("write only `{}`", words.list));
        }
    }
    const bool is_list = list != nullptr && list->kind == Node::Kind::list && !list->items.empty();
    if (is_list && list->items.size() <= most_streams) return list;
    report.add(list == nullptr ? document.at : list->at, std::string(words.list),
               is_list ? fmt::format("are {}", list->items.size())
                       : fmt::format("is no list of {}", words.list),
               is_list ? fmt::format("{} are the most", most_streams)
                       : fmt::format("write `{}:` and below it `- {}`", words.list, words.example));
    return nullptr;
}

}  // namespace

StreamReader::StreamReader(const Node& node, std::string path, std::size_t ports,
                           const ListWords& words, Report& report)
    : node_(node), path_(std::move(path)), ports_(ports), words_(words), report_(report) {
    look_for_strangers();
}

std::string StreamReader::name(std::size_t number) {
    std::string unwritten = fmt::format("{}{}", words_.one, number);
    const Node* node = scalar("name");
    if (node == nullptr) return unwritten;
    const bool fine = !node->text.empty() && node->text.size() <= longest_name &&
                      std::ranges::all_of(node->text, [](unsigned char letter) {
                          return letter > ' ' && letter < 127 && letter != ',';
                      });
    if (fine) return node->text;
    fault(node->at, "name", "is no name",
          fmt::format("use 1 to {} letters without blanks and commas", longest_name));
    return unwritten;
}

void StreamReader::read_from(Stream& stream) {
    stream.from = static_cast<PortIndex>(port("from"));
    stream.sender.pattern.ports = static_cast<PortIndex>(ports_);
}

void StreamReader::read_probe(Stream& stream) {
    const auto to = static_cast<PortIndex>(port("to"));
    if (!is_faulty_ && stream.from == to) {
        fault(find("to")->at, "to", "is the port that it is from", "name another");
    }
    SenderSettings& sender = stream.sender;
    const auto priority = static_cast<Priority>(number("pcp", 0, 7, 0));
    sender.pattern.only_to = to;
    sender.pattern.priorities = only_priority(priority);
    sender.vlan = static_cast<VlanId>(number("vlan", 0, 4094, 0));
    sender.addresses = static_cast<uint32_t>(number("addresses", 1, most_addresses, 1));
    if (find("dscp") != nullptr) {
        sender.style.dscp = static_cast<uint8_t>(number("dscp", 0, 63, 0));
    }
    parse("frame_bytes", parse_frame_mix, sender.pattern.frames);
    parse("format", parse_family, sender.style.family);
}

const Node* StreamReader::find(std::string_view key) const {
    for (std::size_t n = 0; n < node_.keys.size(); ++n) {
        if (node_.keys[n].text == key) return &node_.items[n];
    }
    return nullptr;
}

int64_t StreamReader::number(std::string_view key, int64_t least, int64_t most, int64_t unwritten) {
    const Node* node = scalar(key);
    if (node == nullptr) return unwritten;
    const auto number = config::parse_whole(node->text);
    if (number && *number >= least && *number <= most) return *number;
    fault(
        node->at, key,
        fmt::format("{} is not a number from {} to {}", config::in_quotes(node->text), least, most),
        fmt::format("write one, such as {}", std::max(least, unwritten)));
    return unwritten;
}

void StreamReader::fault(config::Position at, std::string_view key, std::string what,
                         std::string remedy) {
    is_faulty_ = true;
    report_.add(at, key.empty() ? path_ : fmt::format("{}.{}", path_, key), std::move(what),
                std::move(remedy));
}

const Node* StreamReader::scalar(std::string_view key) {
    const Node* node = find(key);
    if (node == nullptr) return nullptr;
    if (node->kind == Node::Kind::unusable) {
        is_faulty_ = true;  // the fault was reported before
        return nullptr;
    }
    if (node->kind == Node::Kind::scalar) return node;
    fault(node->at, key, "is no single value", "write one word or number");
    return nullptr;
}

void StreamReader::complain(const Node& node, std::string_view key, std::string_view why) {
    // The last `; ` is the separator: the user's text, which precedes it, may have others.
    const std::size_t end = std::min(why.rfind("; "), why.size());
    fault(node.at, key, config::escaped(why.substr(0, end)),
          config::escaped(why.substr(std::min(end + 2, why.size()))));
}

void StreamReader::look_for_strangers() {
    std::set<std::string_view> seen;
    for (const Node& key : node_.keys) {
        if (key.kind == Node::Kind::unusable) continue;
        if (std::ranges::count(words_.keys, key.text) == 0) {
            fault(key.at, config::in_path(key.text), fmt::format("is no key of a {}", words_.one),
                  "use one of " + config::joined(words_.keys, ", "));
        } else if (!seen.insert(key.text).second) {
            fault(key.at, key.text, "is written twice", "leave one of them out");
        }
    }
}

int64_t StreamReader::port(std::string_view key) {
    const int64_t last = static_cast<int64_t>(ports_) - 1;
    if (find(key) == nullptr) {
        fault(node_.at, "", fmt::format("has no `{}`", key),
              fmt::format("write which port, 0 to {}", last));
        return 0;
    }
    return number(key, 0, last, 0);
}

std::vector<config::Fault> read_list(std::string_view text, const std::string& file,
                                     std::size_t ports, const ListWords& words,
                                     const ReadOne& read_one) {
    Report report(file);
    std::set<std::string> names;
    const auto document = config::read_document(text, report);
    const Node* list = document ? list_of(*document, words, report) : nullptr;
    for (std::size_t n = 0; list != nullptr && n < list->items.size() && !report.full(); ++n) {
        const Node& node = list->items[n];
        const std::string path = fmt::format("{}[{}]", words.list, n);
        if (node.kind == Node::Kind::unusable) continue;
        if (node.kind != Node::Kind::map) {
            report.add(node.at, path, fmt::format("is no {}", words.one),
                       fmt::format("write it as {}", words.example));
            continue;
        }
        StreamReader reader(node, path, ports, words, report);
        const std::string name = read_one(reader, n);
        if (names.insert(name).second) continue;
        report.add(node.at, path + ".name",
                   fmt::format("{} is another {}'s, too", config::in_quotes(name), words.one),
                   "give each its own");
    }
    return report.take();
}

}  // namespace sluice::gen
