#include "control/capture/filter.h"

#include <pcap/pcap.h>

#include <utility>

namespace sluice::control {

std::optional<CaptureFilter> CaptureFilter::of(std::vector<bpf_insn> program) {
    if (program.empty() || program.size() > longest ||
        bpf_validate(program.data(), static_cast<int>(program.size())) == 0) {
        return std::nullopt;
    }
    CaptureFilter filter;
    filter.program_ = std::move(program);
    return filter;
}

bool CaptureFilter::passes(std::span<const uint8_t> octets, std::size_t length) const {
    return program_.empty() ||
           bpf_filter(program_.data(), octets.data(), static_cast<u_int>(length),
                      static_cast<u_int>(octets.size())) != 0;
}

}  // namespace sluice::control
