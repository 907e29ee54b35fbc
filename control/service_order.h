// The services of a switch, and in which order each call reaches them.
//
// The order is written out for each call, because no single order fits all calls: LLDP is
// configured after DCBX, because LLDP sends the TLVs of DCBX; DCBX ticks after LLDP, because LLDP
// receives those of the peer. `constraints` has the reasons; the compiler and service_list_test.cc
// check the orders against them.
//
// To add one:
//   1. add its row to ServiceId;
//   2. add it to the order of each call that it needs;
//   3. add a constraint for each other service that has to be called before or after it;
//   4. call ServiceList::add where the service is made.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace sluice::control {

enum class ServiceId : uint8_t {
    workers,       // the threads that forward frames: they get settings, and drain
    admin_status,  // ports go administratively down and up
    removals,      // removed ports are closed
    links,         // links go up and down
    returns,       // ports whose device has returned are opened again
    outputs,       // pause storms and stalls are reported
    relays,        // problems of relayed pauses are reported
    headroom,      // a shortage of headroom is reported
    credits,       // whether ports use credit is reported
    retries,       // whether ports use link-level retry is reported
    lacp,
    loop_guard,
    next_hops,   // passes packets between the resolver and devices
    neighbours,  // the resolver
    querier,
    lldp,
    stations,     // stations whose pauses a port with pfc.strict obeys: LLDP's neighbours
    cable_trial,  // the cable test
    dcbx,
    captures,
    abilities,       // unproven capabilities are reported
    losses,          // losses are reported
    rates,           // rates of ports are measured
    moves,           // refused moves of addresses are reported
    parallel_links,  // bridges that are neighbours at two ports are reported
    log,             // lost lines of the log are reported
    state,           // state that survives a restart is written
    rstp,
    sflow,
    recorder,
    ipfix,
    evpn,  // must stay the last (service_list.h)
};

enum class Call : uint8_t { prepare, configure, set_link, tick, slow_tick, stop };

namespace service_order {

using enum ServiceId;

// Called with new settings, before workers have them; the workers get them last.
inline constexpr auto prepare = std::to_array({lacp, rstp, workers});
// Called with new settings, once workers have them.
inline constexpr auto configure = std::to_array(
    {abilities, dcbx, lacp, loop_guard, rstp, neighbours, querier, sflow, ipfix, recorder, lldp});
inline constexpr auto set_link = std::to_array({lldp, lacp, rstp});
// Called ten times a second.
inline constexpr auto tick = std::to_array({admin_status, removals, links, returns, outputs, relays,
                                            headroom, credits, retries, lacp, loop_guard, next_hops,
                                            querier, lldp, stations, cable_trial, dcbx, captures});
// Called once a second.
inline constexpr auto slow_tick =
    std::to_array({losses, rates, moves, parallel_links, abilities, log, state});
// Each of these services is called at its own period, so the order has no meaning.
inline constexpr auto own_period = std::to_array({rstp, sflow, ipfix, recorder, evpn});
inline constexpr auto stop = std::to_array({lldp, lacp, workers, retries, sflow, ipfix, evpn});

struct Constraint {
    Call call;
    ServiceId first;
    ServiceId then;
    std::string_view why;
};
inline constexpr auto constraints = std::to_array<Constraint>({
    {Call::prepare, lacp, workers,
     "LACP stops a new member's data before workers use it as a member"},
    {Call::prepare, rstp, workers,
     "a port that joins the tree discards before workers forward by the new settings"},
    {Call::configure, abilities, dcbx,
     "DCBX advertises a capability that a received pause has just proved"},
    {Call::configure, dcbx, lldp, "LLDP at once sends the TLVs of DCBX for the new settings"},
    {Call::configure, lacp, rstp, "the spanning tree considers only members that carry data"},
    {Call::tick, admin_status, removals,
     "the peer of a port sees its link go down before the port is closed"},
    {Call::tick, removals, links, "the link of a closed port is not read"},
    {Call::tick, links, returns, "the loss of a device is reported before it is opened again"},
    {Call::tick, links, lacp, "members whose link went down are detached in the same tick"},
    {Call::tick, lldp, stations, "a station counts in the tick in which its LLDP is received"},
    {Call::tick, lldp, cable_trial,
     "frames of the trial that were received are counted before it ends"},
    {Call::tick, lldp, dcbx, "received LLDP takes effect in the same tick"},
    {Call::stop, lldp, workers, "workers send the shutdown LLDPDUs while they drain"},
    {Call::stop, lacp, workers, "workers send the last LACPDUs while they drain"},
    {Call::stop, workers, retries,
     "frames that were not acknowledged while workers drained are reported"},
    {Call::stop, workers, sflow, "the last samples are read once workers add no more"},
    {Call::stop, workers, ipfix, "the last samples are sent once workers add no more"},
    {Call::stop, workers, evpn, "addresses learned while workers drained are withdrawn too"},
});

// Whether `order` has both services of the constraint, in the order that the constraint requires.
template <class Order>
constexpr bool keeps(const Order& order, const Constraint& constraint) {
    const auto first = std::ranges::find(order, constraint.first);
    const auto then = std::ranges::find(order, constraint.then);
    return first < then && then != order.end();
}

// Calls `visit` with the order of a call.
template <class Visit>
constexpr auto with_order(Call call, Visit visit) {
    switch (call) {
        case Call::prepare:
            return visit(prepare);
        case Call::configure:
            return visit(configure);
        case Call::set_link:
            return visit(set_link);
        case Call::tick:
            return visit(tick);
        case Call::slow_tick:
            return visit(slow_tick);
        default:
            return visit(stop);
    }
}

static_assert(std::ranges::all_of(constraints,
                                  [](const Constraint& constraint) {
                                      return with_order(constraint.call, [&](const auto& order) {
                                          return keeps(order, constraint);
                                      });
                                  }),
              "an order breaks a constraint");

}  // namespace service_order

}  // namespace sluice::control
