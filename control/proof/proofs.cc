#include "control/proof/proofs.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "control/state/checksum.h"

namespace sluice::control {

namespace {

using Json = nlohmann::ordered_json;

constexpr int version = 2;
constexpr int without_checksum = 1;        // version of files without a checksum
constexpr std::size_t longest_word = 256;  // `most_proofs` proofs with texts this long fit a file

struct Word {
    const char* key;
    std::string Circumstances::*value;
};
constexpr std::array words = {
    Word{"device", &Circumstances::device}, Word{"address", &Circumstances::address},
    Word{"driver", &Circumstances::driver}, Word{"firmware", &Circumstances::firmware},
    Word{"system", &Circumstances::system}, Word{"settings", &Circumstances::settings},
};
// These keys are in files that are kept over releases, so they must not change.
struct SeenKey {
    const char* key;
    bool Seen::*value;
};
constexpr std::array proven_keys = {
    SeenKey{"hears_pauses", &Seen::receives},
    SeenKey{"sends_pauses", &Seen::sends},
    SeenKey{"hears_lldp", &Seen::lldp},
};

std::optional<Proof> proof_in(const Json& row) {
    if (!row.is_object() || row.size() != words.size() + proven_keys.size()) return {};
    Proof proof;
    for (const auto& [key, value] : words) {
        const auto found = row.find(key);
        const auto* const word =
            found == row.end() ? nullptr : found->get_ptr<const std::string*>();
        if (word == nullptr || word->size() > longest_word) return {};
        proof.of.*value = *word;
    }
    for (const auto& [key, value] : proven_keys) {
        const auto found = row.find(key);
        if (found == row.end() || !found->is_boolean()) return {};
        proof.seen.*value = found->get<bool>();
    }
    if (proof.of.device.empty() || proof.of.driver.empty()) return {};
    return proof;
}

}  // namespace

PortAbilities proved(PortAbilities found, const Seen& seen) {
    const auto prove = [](bool proven, PauseAbility& ability, std::string& why) {
        if (!proven || ability != PauseAbility::unproven) return;
        ability = PauseAbility::software;
        why.clear();
    };
    prove(seen.receives, found.are.pfc_rx, found.pfc_rx_why);
    prove(seen.sends, found.are.pfc_tx, found.pfc_tx_why);
    if (seen.lldp && found.are.lldp_rx == LldpReception::unknown) {
        found.are.lldp_rx = LldpReception::yes;
        found.lldp_rx_why.clear();
    }
    return found;
}

std::optional<Proofs> Proofs::read(std::string_view text) {
    if (text.size() > longest_proofs) return {};
    const Json file = Json::parse(text, nullptr, false);
    const Checksum checksum = checksum_of(text);
    const bool is_checked = checksum == Checksum::right;
    if (!file.is_object() || checksum == Checksum::wrong || file.size() != (is_checked ? 3 : 2) ||
        file.value("version", Json()) != (is_checked ? version : without_checksum)) {
        return {};
    }
    const auto rows = file.find("proofs");
    if (rows == file.end() || !rows->is_array() || rows->size() > most_proofs) return {};
    Proofs read;
    for (const Json& row : *rows) {
        std::optional<Proof> proof = proof_in(row);
        if (!proof) return {};
        const bool twice = std::ranges::any_of(
            read.proofs_, [&](const Proof& other) { return other.of.device == proof->of.device; });
        if (twice) return {};
        read.proofs_.push_back(std::move(*proof));
    }
    return read;
}

std::string Proofs::text() const {
    Json rows = Json::array();
    for (const Proof& proof : proofs_) {
        Json row;
        for (const auto& [key, value] : words) row[key] = proof.of.*value;
        for (const auto& [key, value] : proven_keys) row[key] = proof.seen.*value;
        rows.push_back(std::move(row));
    }
    const Json file = {{"version", version}, {"proofs", std::move(rows)}};
    return with_checksum(file.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
}

Seen Proofs::of(const Circumstances& circumstances) const {
    const auto found = std::ranges::find(proofs_, circumstances, &Proof::of);
    return found == proofs_.end() ? Seen{} : found->seen;
}

Seen Proofs::of_device(std::string_view device) const {
    const auto found = std::ranges::find_if(
        proofs_, [&](const Proof& proof) { return proof.of.device == device; });
    return found == proofs_.end() ? Seen{} : found->seen;
}

bool Proofs::add(const Circumstances& circumstances, const Seen& seen) {
    const bool known_again = !circumstances.device.empty() && !circumstances.driver.empty();
    const bool short_enough = std::ranges::all_of(words, [&](const Word& word) {
        return (circumstances.*word.value).size() <= longest_word;
    });
    const Seen before = of(circumstances);
    const Seen now = before.with(seen);
    if (!known_again || !short_enough || now == before) return false;
    std::erase_if(proofs_,
                  [&](const Proof& proof) { return proof.of.device == circumstances.device; });
    if (proofs_.size() == most_proofs) proofs_.erase(proofs_.begin());
    proofs_.push_back({circumstances, now});
    return true;
}

}  // namespace sluice::control
