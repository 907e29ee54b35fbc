// Dcqcn: the rate of one sender towards one receiver under DCQCN (Zhu et al., "Congestion Control
// for Large-Scale RDMA Deployments", SIGCOMM 2015), its reaction point.
//
// A congestion notice (CNP) stores the rate as the target, cuts the rate by alpha / 2, and moves
// alpha towards 1 by `gain`; each `alpha_timer` without a notice moves alpha towards 0. A timer and
// a counter of octets raise the rate again. Each expiry of either is an event. Until one of them
// has expired `fast_recovery` times, each event moves the rate half way to the target (fast
// recovery; with the default of five, in the first four events of each). After that, each event
// first raises the target by `additive`, or, once both have expired more than `fast_recovery`
// times, by an increasing multiple of `hyper`. The rate starts at the speed of the wire and stays
// between `least` and that speed.
// With `Increase::timer` the rate rises as in the simulator of HPCC's authors (rdma-hw.cc),
// modelled on Mellanox NICs. Only the timer raises it: `fast_recovery` times half way to the
// target, once after raising the target by `additive`, then by `hyper`. The target stays if a
// notice arrives before the first increase. The host does the receiver's part, one notice for each
// `cnp_interval` (host.h).
// The defaults are the paper's values, except two that it does not give: `hyper`, ten times
// `additive` as in QCN, and `least`.
// Exact: whole numbers only, alpha in 1/2^32. A new rate applies from the next frame on that is not
// scheduled yet. Rates are those on the wire, with preamble and gap.
// Bound: a frame costs one step for each timer that expired since the previous frame; timers stop
// when the rate is the wire's.
#pragma once

#include <cstdint>

#include "dataplane/types/limits.h"
#include "tools/sim/network/congestion/rate_control.h"

namespace sluice::sim {

enum class Increase : uint8_t { paper, timer };

struct DcqcnSettings {
    Nanos cnp_interval{50'000};  // N in the paper
    Priority cnp_priority = 6;   // priority of the notices that this host sends
    Nanos merge{0};  // interval for notices that the host receives (cnp_merge.h); 0 merges none
    uint32_t gain_65536 = 256;           // g in the paper, 1/256
    Nanos alpha_timer{55'000};           // K in the paper
    Nanos timer{55'000};                 // T in the paper
    Bytes byte_counter{10'000'000};      // B in the paper
    uint32_t fast_recovery = 5;          // F in the paper
    BitsPerSecond additive{40'000'000};  // R_AI in the paper
    BitsPerSecond hyper{400'000'000};    // R_HAI in the paper
    BitsPerSecond least{40'000'000};
    Increase increase = Increase::paper;
};

class Dcqcn : public RateControl {
  public:
    Dcqcn(const DcqcnSettings& settings, BitsPerSecond wire)
        : settings_(settings), wire_(wire), rate_(wire), target_(wire) {}

    [[nodiscard]] Picos ready_at(Bytes frame, Picos now) const override;
    void sent(Bytes frame, Picos now) override;
    void congested(Picos now) override;

    // Returns the rate, raised by the timers that have expired until now.
    BitsPerSecond rate(Picos now) {
        catch_up(now);
        return rate_;
    }
    [[nodiscard]] uint64_t alpha_2_32() const { return alpha_; }

  private:
    static constexpr uint64_t one = uint64_t{1} << 32;

    void catch_up(Picos now);
    void raise();
    void raise_by_timer();
    void rise_to_target();
    [[nodiscard]] bool is_limited() const { return rate_ < wire_; }

    DcqcnSettings settings_;
    BitsPerSecond wire_;
    BitsPerSecond rate_;
    BitsPerSecond target_;
    uint64_t alpha_ = one;
    bool notified_ = false;  // a notice has arrived; alpha stays 1 until the first notice
    Picos alpha_due_;
    Picos timer_due_;
    uint32_t timer_rounds_ = 0;
    uint32_t byte_rounds_ = 0;
    Bytes counted_{0};
    Picos not_before_;
};

}  // namespace sluice::sim
