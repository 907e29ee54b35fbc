// Dcqcn: the rate of one sender towards one receiver under DCQCN (Zhu et al., "Congestion Control
// for Large-Scale RDMA Deployments", SIGCOMM 2015), its reaction point.
//
// A notice of congestion (CNP) cuts the rate by alpha / 2, remembers the rate as its target, and
// moves alpha towards 1 by `gain`; each `alpha_timer` without one moves it towards 0. A timer and a
// counter of octets raise the rate again. Until one of them has fired `fast_recovery` times, each
// event moves the rate half the way to the target (fast recovery; of five times it is the first
// four). After that, each event first raises the target by `additive`, and, once both have fired
// more often than that, by an increasing multiple of `hyper`. The rate starts at the speed of the
// wire and stays between `least` and that.
// With `Increase::timer` the rate rises as in the simulator of HPCC's authors (rdma-hw.cc),
// modelled on Mellanox NICs: by the timer alone, `fast_recovery` times half the way to the target,
// once after raising the target by `additive`, then by `hyper`; the target stays if a notice comes
// before the first increase. The receiver's part, a notice for each `cnp_interval`, is the host's
// (host.h).
// The defaults are the paper's values, except two that it does not give: `hyper`, ten times
// `additive` as in QCN, and `least`.
// Exact: whole numbers only, alpha in 1/2^32. A new rate applies from the next frame on; a frame
// that has its time already keeps it. Rates are those of the wire, with preamble and gap.
// Bound: a frame costs one step for each timer that expired since the previous frame; timers end
// when the rate is the wire's.
#pragma once

#include <cstdint>

#include "dataplane/types/limits.h"
#include "tools/sim/network/congestion/rate_control.h"

namespace sluice::sim {

enum class Increase : uint8_t { paper, timer };

struct DcqcnSettings {
    Nanos cnp_interval{50'000};          // N in the paper
    Priority cnp_priority = 6;           // of the notices that this host sends
    Nanos merge{0};                      // of those that it receives (cnp_merge.h); 0: none
    uint32_t gain_65536 = 256;           // g, 1/256
    Nanos alpha_timer{55'000};           // K
    Nanos timer{55'000};                 // T
    Bytes byte_counter{10'000'000};      // B
    uint32_t fast_recovery = 5;          // F
    BitsPerSecond additive{40'000'000};  // R_AI
    BitsPerSecond hyper{400'000'000};    // R_HAI
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

    // Returns the rate to which timers have raised it by now.
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
    bool notified_ = false;  // ever; before, alpha stays 1
    Picos alpha_due_;
    Picos timer_due_;
    uint32_t timer_rounds_ = 0;
    uint32_t byte_rounds_ = 0;
    Bytes counted_{0};
    Picos not_before_;
};

}  // namespace sluice::sim
