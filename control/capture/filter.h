// CaptureFilter: decides which frames a capture keeps, by a program of the classic BSD packet
// filter (cBPF; McCanne and Jacobson, 1993), to which libpcap compiles its expressions.
//
// The client compiles an expression into a program, so that names in the expression are resolved
// with the client's rights and without control's time. The socket gives no access to a parser of
// expressions. This class only checks and runs a program, in the control thread.
// Bound: `longest` instructions. Jumps only go forward, so each instruction runs at most once for a
// frame: a frame takes less than 1 us. Only frames that workers copied into the rings are filtered.
#pragma once

#include <sys/types.h>
// bpf.h needs the types of sys/types.h and does not include it.
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

    // Makes a filter that all frames pass.
    CaptureFilter() = default;
    // Returns empty if the program is invalid, may not terminate, or is too long.
    static std::optional<CaptureFilter> of(std::vector<bpf_insn> program);

    [[nodiscard]] bool is_set() const { return !program_.empty(); }
    // Whether a frame of `length` octets passes. `octets`: the octets of the frame that were
    // copied.
    [[nodiscard]] bool passes(std::span<const uint8_t> octets, std::size_t length) const;

  private:
    std::vector<bpf_insn> program_;
};

}  // namespace sluice::control
