// Kernel settings: settings of a kernel interface while a port uses it, restored afterwards.
//
//   802.3x        off: a NIC that obeys pauses does not pass them to the switch
//   rx-all        on, if the driver needs it to pass on pauses and the port is to obey them. Frames
//                 with a wrong FCS are then received too, which a notice reports
//   LLDP agent    of the firmware, stopped by its private flag if the port is to receive LLDP, or
//                 to pause its peer through a driver that drops pauses while the agent runs
//
// Settings that are already right are not changed. Changed settings are restored, the last first,
// but never to another interface of the same name. If the process is killed, the next one restores
// 802.3x and rx-all (borrowed_interface.h); the agent stays stopped. Restoring needs CAP_NET_ADMIN
// (privileges.h).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pmd_glue/nic/driver_table.h"
#include "pmd_glue/nic/nic_settings.h"

namespace sluice::pmd::nic {

struct AskedOfNic {
    bool obeys_pauses = true;
    bool receives_lldp = true;
};

class KernelSettings {
  public:
    KernelSettings() = default;  // no interface
    // `name`: the interface, for the notices.
    KernelSettings(std::unique_ptr<NicSettings> settings, const std::string& name,
                   AskedOfNic asked);
    KernelSettings(KernelSettings&& other) noexcept = default;
    KernelSettings& operator=(KernelSettings&& other) noexcept;
    ~KernelSettings() { give_back(); }

    // Whether there are settings to restore.
    [[nodiscard]] bool changed() const { return !undo_.empty(); }
    [[nodiscard]] const DriverRow& row() const { return *row_; }
    [[nodiscard]] const NicSettings& now() const { return *settings_; }
    // Notices for the operator, one a line.
    [[nodiscard]] const std::vector<std::string>& notices() const { return notices_; }

  private:
    void turn_link_pauses_off(const std::string& name);
    void let_everything_in(const std::string& name);
    void stop_agent();
    void give_back();

    std::unique_ptr<NicSettings> settings_;
    const DriverRow* row_ = nullptr;
    std::vector<std::function<void(NicSettings&)>> undo_;
    std::vector<std::string> notices_;
};

}  // namespace sluice::pmd::nic
