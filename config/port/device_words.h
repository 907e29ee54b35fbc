// Words of a device string, SCHEME:TARGET[,OPTION...], where the configuration alone is looked at.
// Not done here: what devices there are, and what their options mean (pmd_glue/device.h).
#pragma once

#include <algorithm>
#include <string_view>

namespace sluice::config {

inline std::string_view scheme_of(std::string_view device) {
    return device.substr(0, device.find(':'));
}
// Empty: it has no scheme.
inline std::string_view target_of(std::string_view device) {
    const std::size_t colon = std::min(device.find(':'), device.size());
    device.remove_prefix(std::min(colon + 1, device.size()));
    return device.substr(0, device.find(','));
}

// Whether it is an interface of the kernel, with queues of the kernel's before and behind it.
inline bool is_kernel_interface(std::string_view scheme) {
    return scheme == "af_packet" || scheme == "af_xdp" || scheme == "tap";
}

}  // namespace sluice::config
