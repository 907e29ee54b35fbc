// Device words: splits a device string, SCHEME:TARGET[,OPTION...]. Not done here: the kinds of
// device (config/device_kind.h), and the meaning of options (pmd_glue/device.h).
#pragma once

#include <algorithm>
#include <string_view>

#include "config/device_kind.h"

namespace sluice::config {

inline std::string_view scheme_of(std::string_view device) {
    return device.substr(0, device.find(':'));
}
// Returns the part between the scheme and the options; empty without a scheme.
inline std::string_view target_of(std::string_view device) {
    const std::size_t colon = std::min(device.find(':'), device.size());
    device.remove_prefix(std::min(colon + 1, device.size()));
    return device.substr(0, device.find(','));
}

// Returns null if the scheme is unknown.
inline const DeviceTraits* traits_of_device(std::string_view device) {
    return traits_of(scheme_of(device));
}

}  // namespace sluice::config
