#include "pmd_glue/borrowed_interface.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <fstream>
#include <optional>
#include <utility>

#include "pmd_glue/interface_query.h"

namespace sluice::pmd {
namespace {

using SettingValue = std::optional<std::string>;

// --- flags and MTU -------------------------------------------------------------------------------

// SIOCGIFFLAGS reports these flags only if SIOCSIFFLAGS set them, not if a socket requested them.
constexpr int kept_flags = IFF_PROMISC | IFF_ALLMULTI;

SettingValue flags_of(const std::string& interface) {
    InterfaceQuery query(interface);
    if (!query.ask(SIOCGIFFLAGS)) return std::nullopt;
    return std::to_string(query.request().ifr_flags & kept_flags);
}

void set_flags(const std::string& interface, const std::string& value) {
    InterfaceQuery query(interface);
    int wanted = 0;
    std::from_chars(value.data(), value.data() + value.size(), wanted);
    if (!query.ask(SIOCGIFFLAGS)) return;
    short& flags = query.request().ifr_flags;
    flags = static_cast<short>((flags & ~kept_flags) | (wanted & kept_flags));
    query.ask(SIOCSIFFLAGS);
}

SettingValue mtu_of(const std::string& interface) {
    InterfaceQuery query(interface);
    if (!query.ask(SIOCGIFMTU)) return std::nullopt;
    return std::to_string(query.request().ifr_mtu);
}

void set_mtu(const std::string& interface, const std::string& value) {
    InterfaceQuery query(interface);
    std::from_chars(value.data(), value.data() + value.size(), query.request().ifr_mtu);
    query.ask(SIOCSIFMTU);
}

// --- features ------------------------------------------------------------------------------------

constexpr std::size_t feature_words = 4;  // words of 32 bits; the kernel has some 60 features

// The structures of linux/ethtool.h declare an array without a length.
struct FeaturesNow {
    uint32_t command;
    uint32_t size;  // in words; the kernel returns its own number
    std::array<ethtool_get_features_block, feature_words> words;
};
struct FeaturesWanted {
    uint32_t command;
    uint32_t size;  // in words; the kernel requires exactly its own number
    std::array<ethtool_set_features_block, feature_words> words;
};

std::optional<FeaturesNow> ask_features(const std::string& interface) {
    FeaturesNow now{};
    now.command = ETHTOOL_GFEATURES;
    now.size = feature_words;
    if (!InterfaceQuery(interface).ask_ethtool(&now)) return std::nullopt;
    return now;
}

// Returns the features that are on, as hexadecimal words, the lowest first.
SettingValue features_of(const std::string& interface) {
    const auto now = ask_features(interface);
    if (!now) return std::nullopt;
    std::string text;
    for (const ethtool_get_features_block& word : now->words) {
        std::array<char, 9> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + 8, word.active, 16).ptr;
        text.append(text.empty() ? "" : ",").append(digits.data(), end);
    }
    return text;
}

void set_features(const std::string& interface, const std::string& value) {
    const auto now = ask_features(interface);
    if (!now) return;
    FeaturesWanted wanted{};
    wanted.command = ETHTOOL_SFEATURES;
    wanted.size = now->size;
    const char* at = value.data();
    const char* const end = at + value.size();
    for (std::size_t word = 0; word < feature_words; ++word) {
        uint32_t on = 0;
        at = std::from_chars(at, end, on, 16).ptr;
        if (at < end) ++at;  // skips the comma
        const ethtool_get_features_block& can = now->words[word];
        wanted.words[word] = {.valid = can.available & ~can.never_changed & (can.active ^ on),
                              .requested = on};
    }
    InterfaceQuery(interface).ask_ethtool(&wanted);
}

// --- 802.3x --------------------------------------------------------------------------------------

SettingValue pauses_of(const std::string& interface) {
    ethtool_pauseparam pauses{};
    pauses.cmd = ETHTOOL_GPAUSEPARAM;
    if (!InterfaceQuery(interface).ask_ethtool(&pauses)) return std::nullopt;
    return std::to_string((pauses.autoneg != 0 ? 4 : 0) | (pauses.rx_pause != 0 ? 2 : 0) |
                          (pauses.tx_pause != 0 ? 1 : 0));
}

void set_pauses(const std::string& interface, const std::string& value) {
    unsigned bits = 0;
    std::from_chars(value.data(), value.data() + value.size(), bits);
    ethtool_pauseparam pauses{};
    pauses.cmd = ETHTOOL_SPAUSEPARAM;
    pauses.autoneg = bits >> 2 & 1;
    pauses.rx_pause = bits >> 1 & 1;
    pauses.tx_pause = bits & 1;
    InterfaceQuery(interface).ask_ethtool(&pauses);
}

// --- sysctl --------------------------------------------------------------------------------------

std::string arp_path(const std::string& interface) {
    return "/proc/sys/net/ipv4/conf/" + interface + "/arp_ignore";
}
std::string ipv6_path(const std::string& interface) {
    return "/proc/sys/net/ipv6/conf/" + interface + "/disable_ipv6";
}

SettingValue word_in(const std::string& path) {
    std::string word;
    if (!(std::ifstream(path) >> word)) return std::nullopt;
    return word;
}

SettingValue arp_of(const std::string& interface) { return word_in(arp_path(interface)); }
void set_arp(const std::string& interface, const std::string& value) {
    std::ofstream(arp_path(interface)) << value << std::flush;
}
SettingValue ipv6_of(const std::string& interface) { return word_in(ipv6_path(interface)); }
void set_ipv6(const std::string& interface, const std::string& value) {
    std::ofstream(ipv6_path(interface)) << value << std::flush;
}

// --- all of them ---------------------------------------------------------------------------------

constexpr std::string_view index_name = "index";
constexpr std::string_view ipv6_name = "disable_ipv6";

struct KeptSetting {
    std::string_view name;
    SettingValue (*get)(const std::string& interface);
    void (*set)(const std::string& interface, const std::string& value);
};
// Settings in the order in which they are restored: IPv6 after the MTU and arp_ignore, since the
// kernel adds addresses as soon as IPv6 is enabled.
constexpr std::array kept_settings = {
    KeptSetting{"features", features_of, set_features},
    KeptSetting{"pauses", pauses_of, set_pauses},
    KeptSetting{"mtu", mtu_of, set_mtu},
    KeptSetting{"arp_ignore", arp_of, set_arp},
    KeptSetting{ipv6_name, ipv6_of, set_ipv6},
    KeptSetting{"flags", flags_of, set_flags},
};

std::string index_of(const std::string& interface) {
    return std::to_string(::if_nametoindex(interface.c_str()));
}

bool is_of(const InterfaceSettings& settings, const std::string& interface) {
    const auto index = settings.find(index_name);
    return index != settings.end() && index->second == index_of(interface);
}

// Restores all settings except the one named `but`; an empty `but` restores all.
void set_back(const std::string& interface, const InterfaceSettings& before, std::string_view but) {
    if (!is_of(before, interface)) return;
    for (const KeptSetting& kept : kept_settings) {
        const auto was = before.find(kept.name);
        if (kept.name == but || was == before.end() || kept.get(interface) == was->second) continue;
        kept.set(interface, was->second);
    }
}

}  // namespace

InterfaceSettings settings_of(const std::string& interface) {
    InterfaceSettings settings;
    settings.emplace(index_name, index_of(interface));
    for (const KeptSetting& kept : kept_settings) {
        if (auto value = kept.get(interface)) settings.emplace(kept.name, std::move(*value));
    }
    return settings;
}

void give_back(const std::string& interface, const InterfaceSettings& before) {
    set_back(interface, before, "");
}

std::string text_of(const InterfaceSettings& settings) {
    std::string text;
    for (const auto& [name, value] : settings) text += name + ' ' + value + '\n';
    return text;
}

InterfaceSettings settings_in(std::string_view text) {
    InterfaceSettings settings;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        const std::size_t space = line.find(' ');
        if (space == line.npos) continue;
        settings.emplace(line.substr(0, space), line.substr(space + 1));
    }
    return settings;
}

BorrowedInterface::BorrowedInterface(InterfaceClaim claim, std::string interface, bool is_shared)
    : claim_(std::move(claim)), interface_(std::move(interface)) {
    const InterfaceSettings left = settings_in(claim_.note());
    set_back(interface_, left, is_shared ? "" : ipv6_name);
    before_ = settings_of(interface_);
    const auto ipv6 = left.find(ipv6_name);
    if (!is_shared && ipv6 != left.end() && is_of(left, interface_)) {
        before_[ipv6->first] = ipv6->second;
    }
    claim_.write_note(text_of(before_));
}

BorrowedInterface& BorrowedInterface::operator=(BorrowedInterface&& other) noexcept {
    give_back();
    claim_ = std::move(other.claim_);
    interface_ = std::exchange(other.interface_, {});
    before_ = std::move(other.before_);
    return *this;
}

void BorrowedInterface::give_back() {
    if (interface_.empty()) return;
    pmd::give_back(std::exchange(interface_, {}), before_);
    claim_.write_note("");
    claim_ = {};
}

void BorrowedInterface::leave() {
    interface_.clear();
    claim_ = {};
}

void give_back_what_was_left(std::span<const std::string> but) {
    for (const std::string& interface : InterfaceClaim::left()) {
        if (std::ranges::find(but, interface) != but.end()) continue;
        auto claim = InterfaceClaim::take(interface, interface);
        if (!claim) continue;
        give_back(interface, settings_in(claim->note()));
        claim->write_note("");
    }
}

}  // namespace sluice::pmd
