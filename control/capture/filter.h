// CaptureFilter: which frames a capture keeps, as a program of the classic BSD packet filter
// (McCanne and Jacobson, 1993), which is what expressions of libpcap's language become.
//
// The client compiles it: names in an expression are looked up with its patience and its rights,
// and no parser of a language is within reach of who can open the socket. Here it is only checked
// and run, beside the workers.
// Bound: `longest` instructions, of which each runs once at the most, since jumps go forward: under
// 1 us a frame, and the frames are those that rings hold.
#pragma once

#include <sys/types.h>
// It takes those types for granted.
#include <pcap/bpf.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sluice::control {

class CaptureFilter {
  public:
    static constexpr std::size_t longest = 512;

    // All frames pass.
    CaptureFilter() = default;
    // None: that is no program, or one that might not end, or is too long.
    static std::optional<CaptureFilter> of(std::vector<bpf_insn> program);

    [[nodiscard]] bool looks() const { return !program_.empty(); }
    // `length`: of the frame, of which `octets` were kept.
    [[nodiscard]] bool passes(std::span<const uint8_t> octets, std::size_t length) const;

  private:
    std::vector<bpf_insn> program_;
};

}  // namespace sluice::control
