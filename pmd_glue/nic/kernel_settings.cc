#include "pmd_glue/nic/kernel_settings.h"

#include <utility>

namespace sluice::pmd::nic {

KernelSettings::KernelSettings(std::unique_ptr<NicSettings> settings, const std::string& name,
                               AskedOfNic asked)
    : settings_(std::move(settings)), row_(&row_of(kernel_drivers(), settings_->driver())) {
    turn_link_pauses_off(name);
    if (asked.obeys_pauses && row_->pause_reception == PauseReception::rx_all)
        let_everything_in(name);
    const bool agent_is_in_the_way =
        asked.receives_lldp ||
        (asked.obeys_pauses && row_->pause_transmission == PauseTransmission::by_priority);
    if (agent_is_in_the_way && row_->agent == LldpAgent::private_flag) stop_agent();
}

KernelSettings& KernelSettings::operator=(KernelSettings&& other) noexcept {
    give_back();
    settings_ = std::move(other.settings_);
    row_ = other.row_;
    undo_ = std::exchange(other.undo_, {});
    notices_ = std::move(other.notices_);
    return *this;
}

// Some drivers refuse to turn negotiation off; then negotiation stays on, and offers neither rx nor
// tx.
void KernelSettings::turn_link_pauses_off(const std::string& name) {
    const auto before = settings_->link_pauses();
    if (!before || (!before->rx && !before->tx)) return;
    if (settings_->set_link_pauses({}) ||
        settings_->set_link_pauses({.autoneg = before->autoneg})) {
        undo_.emplace_back([was = *before](NicSettings& of) { of.set_link_pauses(was); });
        return;
    }
    notices_.push_back(
        name +
        ": 802.3x stays on, so the NIC sends and obeys pause frames by itself; try `ethtool -A " +
        name + " autoneg off rx off tx off`");
}

void KernelSettings::let_everything_in(const std::string& name) {
    if (settings_->feature("rx-all") != false || !settings_->set_feature("rx-all", true)) return;
    undo_.emplace_back([](NicSettings& of) { of.set_feature("rx-all", false); });
    notices_.push_back(name +
                       ": `rx-all` was turned on so that pause frames are received; frames with a "
                       "wrong checksum are received too");
}

void KernelSettings::stop_agent() {
    const PrivateFlag flag = row_->flag;
    if (settings_->private_flag(flag.name) != !flag.stops) return;
    if (!settings_->set_private_flag(flag.name, flag.stops)) return;
    undo_.emplace_back([flag](NicSettings& of) { of.set_private_flag(flag.name, !flag.stops); });
}

void KernelSettings::give_back() {
    for (; !undo_.empty(); undo_.pop_back()) undo_.back()(*settings_);
}

}  // namespace sluice::pmd::nic
