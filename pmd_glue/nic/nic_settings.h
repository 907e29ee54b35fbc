// NIC settings: what ethtool(8) shows and sets of one kernel interface. An abstract class, so that
// tests can use NICs that no test machine has; `ethtool_settings` is the kernel's implementation.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sluice::pmd::nic {

// 802.3x settings, as `ethtool -a` shows them.
struct LinkPauses {
    bool autoneg = false;
    bool rx = false;
    bool tx = false;

    friend bool operator==(const LinkPauses&, const LinkPauses&) = default;
};

class NicSettings {
  public:
    NicSettings() = default;
    NicSettings(const NicSettings&) = delete;
    NicSettings& operator=(const NicSettings&) = delete;
    virtual ~NicSettings() = default;

    // Texts as ethtool reports them; empty if not reported.
    [[nodiscard]] virtual std::string driver() const = 0;
    [[nodiscard]] virtual std::string firmware() const = 0;
    // Getters return nothing if the device has no such setting. Setters return whether the setting
    // now has the value.
    [[nodiscard]] virtual std::optional<bool> private_flag(std::string_view name) const = 0;
    virtual bool set_private_flag(std::string_view name, bool value) = 0;
    [[nodiscard]] virtual std::optional<bool> feature(std::string_view name) const = 0;
    virtual bool set_feature(std::string_view name, bool value) = 0;
    [[nodiscard]] virtual std::optional<LinkPauses> link_pauses() const = 0;
    virtual bool set_link_pauses(LinkPauses wanted) = 0;
};

// Returns the settings of the interface that has this name now. A later interface of that name is
// not changed.
std::unique_ptr<NicSettings> ethtool_settings(const std::string& interface);

}  // namespace sluice::pmd::nic
