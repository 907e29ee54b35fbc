// A kernel interface of any driver, as ethtool would show it.
#pragma once

#include <map>
#include <string>

#include "pmd_glue/nic/nic_settings.h"

namespace sluice::pmd::nic {

struct FakeSettings final : NicSettings {
    explicit FakeSettings(std::string driver) : driver_name(std::move(driver)) {}

    [[nodiscard]] std::string driver() const override { return driver_name; }
    [[nodiscard]] std::string firmware() const override { return firmware_version; }
    [[nodiscard]] std::optional<bool> private_flag(std::string_view flag) const override {
        return found(flags, flag);
    }
    bool set_private_flag(std::string_view flag, bool value) override {
        return set(flags, flag, value);
    }
    [[nodiscard]] std::optional<bool> feature(std::string_view feature) const override {
        return found(features, feature);
    }
    bool set_feature(std::string_view feature, bool value) override {
        return set(features, feature, value);
    }
    [[nodiscard]] std::optional<LinkPauses> link_pauses() const override { return pauses; }
    bool set_link_pauses(LinkPauses wanted) override {
        if (!pauses || refuses || (negotiates_always && !wanted.autoneg)) return false;
        pauses = wanted;
        return true;
    }

    using Switches = std::map<std::string, bool, std::less<>>;
    static std::optional<bool> found(const Switches& in, std::string_view name) {
        const auto at = in.find(name);
        return at == in.end() ? std::nullopt : std::optional(at->second);
    }
    [[nodiscard]] bool set(Switches& in, std::string_view name, bool value) const {
        const auto at = in.find(name);
        if (at == in.end() || refuses) return false;
        at->second = value;
        return true;
    }

    std::string driver_name;
    std::string firmware_version;
    Switches flags;
    Switches features;
    std::optional<LinkPauses> pauses;
    bool refuses = false;
    bool negotiates_always = false;
};

}  // namespace sluice::pmd::nic
