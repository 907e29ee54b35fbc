// Test NIC: devices of DPDK's that do to pause frames and LLDP what NICs do, a class a driver of
// the same name: `vdev:net_ixgbe_a,wire=x` and `vdev:net_i40e_b,wire=x,end=b` are a cable's ends.
// `obeys=always`, `forwards=never`, `agent=on` and `firmware=5.05` make a worse one of it; with
// `settles=late` it obeys until its link has been looked at, which is there but with `link=down`.
// Where its class has PFC by queue (`pfc`) and that is configured, a frame comes in by the queue of
// its PCP, the far end holds what its peer does not empty, and lets nothing more be sent of that;
// of a class without PFC it drops. `nopfc=yes`: the driver takes every order and does no PFC. It
// has several queues to send by: one with `senders=1`, only as many as to receive by with
// `paired=yes`; with `full=first` the first of them takes nothing.
//
// What a class does is from the drivers' sources (test_nic.cc), apart from the table that is
// tested by it. Where no source decides it, it is the worst: pauses stay inside both ways.
// Settings that a driver loses at each start are lost here, whatever was set before. Linked into a
// program, or loaded by EAL with `-d`.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::test_nic {

enum class Forwards : uint8_t {
    as_ordered,  // MAC control frames reach the switch with flow control off and forwarding on
    refuses,     // -EINVAL
    ignores,     // takes the order and does nothing
    no_call,     // -ENOTSUP
};

// How a driver configures PFC by the NIC itself, a queue a priority.
enum class Pfc : uint8_t {
    none,
    after_start,   // DCB at configure, then each priority, which a start or flow control wipes
    in_octets,     // the same, with marks in octets, and no flow control beside it
    at_configure,  // all that DCB has classes for
    each_queue,    // each pair of queues with flow control off, and rules lead to them by PCP
};

enum class Autoneg : uint8_t { any, as_given, zero };

struct Class {
    std::string_view driver;
    Forwards forwards = Forwards::no_call;
    Autoneg autoneg = Autoneg::any;
    bool starts_obeying = false;  // flow control is FULL after each start
    bool loses_at_start = false;
    bool reads_back = false;        // what it forwards
    bool passes_pauses_on = false;  // without being asked
    bool drops_sent_pauses = false;
    bool sends_pauses_unseen = false;  // nobody knows whether they leave: here they do not
    std::string_view firmware;
    bool has_agent = false;  // takes LLDP
    bool has_allmulticast = true;
    Pfc pfc = Pfc::none;
};

std::span<const Class> classes();

}  // namespace sluice::test_nic
