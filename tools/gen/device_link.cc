#include "tools/gen/device_link.h"

#include <array>

namespace sluice::gen {

void DeviceLink::release(std::span<const Frame> frames) {
    std::array<void*, max_burst> handles;
    while (!frames.empty()) {
        const std::size_t count = std::min(frames.size(), handles.size());
        for (std::size_t n = 0; n < count; ++n) handles[n] = frames[n].handle;
        pool_.free(std::span(handles).first(count));
        frames = frames.subspan(count);
    }
}

}  // namespace sluice::gen
