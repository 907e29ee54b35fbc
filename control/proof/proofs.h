// Proofs: records which capabilities devices were seen to have, and under what circumstances:
// device, driver, firmware and settings. Only the capabilities that lossless priorities and LLDP
// need are recorded. A proof is valid only under the same circumstances.
//
// The text is JSON, `{"checksum": C, "version": 2, "proofs": [...]}`, read as a whole or not at
// all: the file counts as damaged if a key is missing or unknown, a text too long, or a device
// listed twice. Version 1, of older sluiced's, has no checksum (state/checksum.h) and is read as
// well.
// Bound: `most_proofs`, of which the oldest is removed first; `longest_proofs` octets of text.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/port_abilities.h"

namespace sluice::control {

inline constexpr std::size_t most_proofs = 128;
inline constexpr std::size_t longest_proofs = 2 * 1024 * 1024;

// The state of a device when it was opened. Values that the device does not report are empty.
struct Circumstances {
    std::string device;    // as written in the configuration
    std::string address;   // the device's own address
    std::string driver;    // empty: the device cannot be recognised
    std::string firmware;  // firmware version
    std::string system;    // the system that has the driver, such as Linux 6.1.0
    std::string settings;  // settings of pauses and LLDP

    friend bool operator==(const Circumstances&, const Circumstances&) = default;
};

// Capabilities that were seen.
struct Seen {
    bool receives = false;  // pause frames are received
    bool sends = false;     // sent pause frames arrive at the other end
    bool lldp = false;      // LLDP is received

    [[nodiscard]] Seen with(const Seen& more) const {
        return {receives || more.receives, sends || more.sends, lldp || more.lldp};
    }
    friend bool operator==(const Seen&, const Seen&) = default;
};

// Returns the capabilities `found` when the port was opened, combined with those `seen` since.
// `seen` decides a capability that was found `unproven` or `unknown`. A capability that is known to
// be missing is not proven by one frame.
PortAbilities proved(PortAbilities found, const Seen& seen);

struct Proof {
    Circumstances of;
    Seen seen;

    friend bool operator==(const Proof&, const Proof&) = default;
};

class Proofs {
  public:
    // Returns empty if the text is damaged.
    static std::optional<Proofs> read(std::string_view text);
    [[nodiscard]] std::string text() const;

    // Returns the capabilities seen under exactly these circumstances.
    [[nodiscard]] Seen of(const Circumstances& circumstances) const;
    // Returns the capabilities of the device seen under any circumstances: these may apply once the
    // device is open.
    [[nodiscard]] Seen of_device(std::string_view device) const;
    // Adds `seen` to the capabilities seen under the same circumstances, and replaces those seen
    // under other circumstances. Returns whether the proof is new.
    bool add(const Circumstances& circumstances, const Seen& seen);

    [[nodiscard]] std::span<const Proof> all() const { return proofs_; }

  private:
    std::vector<Proof> proofs_;  // each device once, the newest last
};

}  // namespace sluice::control
