#include "pmd_glue/nic/nic_settings.h"

#include <cstddef>
#include <vector>

#include "pmd_glue/interface_query.h"

namespace sluice::pmd::nic {
namespace {

// A command of ethtool that ends in a table. The kernel's structures end in an array of unspecified
// length, so the command is laid out by hand, in words of 32 bits.
class Command {
  public:
    Command(std::size_t head, std::size_t table) : words_((head + table + 3) / 4) {}
    template <class Head>
    Head& as() {
        return *reinterpret_cast<Head*>(words_.data());
    }
    [[nodiscard]] const char* octets(std::size_t from) const {
        return reinterpret_cast<const char*>(words_.data()) + from;
    }

  private:
    std::vector<uint32_t> words_;
};

constexpr uint32_t most_names = 1024;

class EthtoolSettings final : public NicSettings {
  public:
    explicit EthtoolSettings(std::string interface)
        : interface_(std::move(interface)), index_(::if_nametoindex(interface_.c_str())) {}

    [[nodiscard]] std::string driver() const override {
        const ethtool_drvinfo about = driver_info();
        return {about.driver, ::strnlen(about.driver, sizeof about.driver)};
    }
    [[nodiscard]] std::string firmware() const override {
        const ethtool_drvinfo about = driver_info();
        return {about.fw_version, ::strnlen(about.fw_version, sizeof about.fw_version)};
    }

    [[nodiscard]] std::optional<bool> private_flag(std::string_view name) const override {
        const auto bit = bit_of(ETH_SS_PRIV_FLAGS, name);
        ethtool_value flags{ETHTOOL_GPFLAGS, 0};
        if (!bit || *bit >= 32 || !ask(&flags)) return std::nullopt;
        return (flags.data >> *bit & 1) != 0;
    }
    bool set_private_flag(std::string_view name, bool value) override {
        const auto bit = bit_of(ETH_SS_PRIV_FLAGS, name);
        ethtool_value flags{ETHTOOL_GPFLAGS, 0};
        if (!bit || *bit >= 32 || !ask(&flags)) return false;
        const uint32_t mask = uint32_t{1} << *bit;
        flags = {ETHTOOL_SPFLAGS, value ? flags.data | mask : flags.data & ~mask};
        ask(&flags);
        return private_flag(name) == value;
    }

    [[nodiscard]] std::optional<bool> feature(std::string_view name) const override {
        const auto bit = bit_of(ETH_SS_FEATURES, name);
        if (!bit) return std::nullopt;
        const std::size_t blocks = *bit / 32 + 1;
        Command command(sizeof(ethtool_gfeatures), blocks * sizeof(ethtool_get_features_block));
        auto& features = command.as<ethtool_gfeatures>();
        features.cmd = ETHTOOL_GFEATURES;
        features.size = static_cast<uint32_t>(blocks);
        if (!ask(&features)) return std::nullopt;
        const ethtool_get_features_block& block = features.features[*bit / 32];
        const uint32_t mask = uint32_t{1} << *bit % 32;
        // A feature that is neither on nor available does not exist here.
        if (((block.available | block.active) & mask) == 0) return std::nullopt;
        return (block.active & mask) != 0;
    }
    bool set_feature(std::string_view name, bool value) override {
        const auto bit = bit_of(ETH_SS_FEATURES, name);
        const auto count = names_in(ETH_SS_FEATURES);
        if (!bit) return false;
        const std::size_t blocks = (count + 31) / 32;
        Command command(sizeof(ethtool_sfeatures), blocks * sizeof(ethtool_set_features_block));
        auto& features = command.as<ethtool_sfeatures>();
        features.cmd = ETHTOOL_SFEATURES;
        features.size = static_cast<uint32_t>(blocks);
        const uint32_t mask = uint32_t{1} << *bit % 32;
        features.features[*bit / 32] = {.valid = mask, .requested = value ? mask : 0};
        ask(&features);
        return feature(name) == value;
    }

    [[nodiscard]] std::optional<LinkPauses> link_pauses() const override {
        ethtool_pauseparam pauses{};
        pauses.cmd = ETHTOOL_GPAUSEPARAM;
        if (!ask(&pauses)) return std::nullopt;
        return LinkPauses{pauses.autoneg != 0, pauses.rx_pause != 0, pauses.tx_pause != 0};
    }
    bool set_link_pauses(LinkPauses wanted) override {
        ethtool_pauseparam pauses{ETHTOOL_SPAUSEPARAM, wanted.autoneg, wanted.rx, wanted.tx};
        ask(&pauses);
        return link_pauses() == wanted;
    }

  private:
    // Returns all zeros if the driver does not report itself.
    [[nodiscard]] ethtool_drvinfo driver_info() const {
        ethtool_drvinfo about{};
        about.cmd = ETHTOOL_GDRVINFO;
        return ask(&about) ? about : ethtool_drvinfo{};
    }
    bool ask(void* command) const {
        if (index_ == 0 || ::if_nametoindex(interface_.c_str()) != index_) return false;
        return InterfaceQuery(interface_).ask_ethtool(command);
    }
    // Returns 0 if the interface has no such table.
    [[nodiscard]] uint32_t names_in(ethtool_stringset table) const {
        Command command(sizeof(ethtool_sset_info), sizeof(uint32_t));
        auto& info = command.as<ethtool_sset_info>();
        info.cmd = ETHTOOL_GSSET_INFO;
        info.sset_mask = uint64_t{1} << table;
        const bool known = ask(&info) && info.sset_mask != 0;
        return known ? std::min(info.data[0], most_names) : 0;
    }
    [[nodiscard]] std::optional<uint32_t> bit_of(ethtool_stringset table,
                                                 std::string_view wanted) const {
        const uint32_t count = names_in(table);
        if (count == 0) return std::nullopt;
        Command command(sizeof(ethtool_gstrings), std::size_t{count} * ETH_GSTRING_LEN);
        auto& names = command.as<ethtool_gstrings>();
        names.cmd = ETHTOOL_GSTRINGS;
        names.string_set = table;
        names.len = count;
        if (!ask(&names)) return std::nullopt;
        for (uint32_t bit = 0; bit < std::min(count, names.len); ++bit) {
            const char* const name =
                command.octets(sizeof(ethtool_gstrings) + std::size_t{bit} * ETH_GSTRING_LEN);
            if (std::string_view(name, ::strnlen(name, ETH_GSTRING_LEN)) == wanted) return bit;
        }
        return std::nullopt;
    }

    const std::string interface_;
    const unsigned index_;
};

}  // namespace

std::unique_ptr<NicSettings> ethtool_settings(const std::string& interface) {
    return std::make_unique<EthtoolSettings>(interface);
}

}  // namespace sluice::pmd::nic
