// Dctcp: the window of one sender towards one receiver under DCTCP (RFC 8257; Alizadeh et al.,
// "Data Center TCP", SIGCOMM 2010).
//
// Each acknowledgement reports whether its frame was marked. After each window of data, alpha moves
// by `gain` towards the share of marked octets in that window. A mark cuts the window by alpha / 2,
// and a loss halves it. Until all octets in flight at the time of a cut are acknowledged, the
// window is neither cut again nor grows, as in Linux. Otherwise the window grows as in TCP (RFC
// 5681): by the acknowledged octets until the first cut (slow start), then by a frame each window;
// it grows only while it limits the sender (RFC 7661). The window starts with `initial`, and no cut
// makes it less than two frames. If all octets in flight are lost, the window restarts with one
// frame, with slow start up to half of the lost octets (RFC 8257, 3.5; RFC 5681, 3.1); alpha stays.
// Exact: whole numbers only, alpha in 1/2^32. Octets are those on the wire.
// Not done here: retransmission; acknowledgements are not delayed.
#pragma once

#include <cstdint>

#include "tools/sim/network/congestion/in_flight.h"
#include "tools/sim/network/congestion/rate_control.h"

namespace sluice::sim {

struct DctcpSettings {
    uint32_t gain_65536 = 4096;  // g in RFC 8257, 1/16
    Bytes initial{15'420};       // ten frames of 1522 (RFC 6928)
    bool slow_start = true;
};

class Dctcp : public RateControl {
  public:
    explicit Dctcp(const DctcpSettings& settings)
        : settings_(settings),
          window_(settings.initial),
          threshold_(settings.slow_start ? Bytes(INT64_MAX) : Bytes(0)) {}

    [[nodiscard]] Asks asks() const override { return Asks::acknowledgement; }
    [[nodiscard]] Picos ready_at(Bytes frame, Picos now) const override;
    void sent(Bytes frame, Picos now) override;
    void acknowledged(const FrameReport& report, Picos now) override;
    void on_timeout() override;

    [[nodiscard]] Bytes window() const { return window_; }
    [[nodiscard]] uint64_t alpha_2_32() const { return alpha_; }

  private:
    static constexpr uint64_t one = uint64_t{1} << 32;

    void observe(const FrameReport& report, Bytes arrived);
    void cut(uint64_t share);
    void begin_again(Bytes lost);
    void grow(Bytes arrived);

    DctcpSettings settings_;
    InFlight in_flight_;
    Bytes window_;
    Bytes threshold_;  // window below which slow start applies
    uint64_t alpha_ = one;
    Bytes arrived_{0};  // octets acknowledged in the observed window of data
    Bytes marked_{0};
    Bytes observed_until_{0};
    Bytes cut_until_{0};
    Bytes longest_{0};   // longest frame
    int64_t grown_ = 0;  // fraction of the next octet by which the window grows
};

}  // namespace sluice::sim
