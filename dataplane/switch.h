// Switch: the whole dataplane. A frame is pushed to its VOQ by `receive`, moved across the crossbar
// by `match` and `transfer`, and pulled to the wire by `transmit`. switch.cc reads in that order.
//
// Bypass: as long as any VOQ of a worker holds a frame for an output, every frame that this worker
// receives for it takes a VOQ. Where none does, the output is of the same worker and its egress
// queue has room, `receive` puts the frame there, where it would come anyway within the poll. So no
// frame overtakes another of its (input, output, priority), and strict priority, shares and pauses
// are as ever. In an egress queue nobody is charged for it, so a burst takes VOQs that would be
// refused a frame, or would pause its peer, if all of it waited, a copy for one output counted; and
// so does what goes where two quanta are enough for a congestion mark. At most what an egress queue
// holds may favour an input within one poll; across workers what waits is looked at once a poll.
//
// An input of the crossbar is a port, or a further lane of a port that is too fast for one core:
// frames of each of its receive queues are given to a lane, by the worker of that lane. Lanes have
// VOQs and counters of their own; to everything else they are their port. A frame keeps its order
// within its lane, so each flow has to stay in one. As inputs they come after the ports. Pauses are
// sent and obeyed, and LLDP is heard, by the port's worker, which a lane has to tell: so a further
// lane is given nothing while `Ingress::waits_for_port` says so.
//
// Who calls what: a worker owns ports in both directions and calls `receive`, `transmit`,
// `confirm`, `pause_frame` and `control_frame` for them, and `receive` for further lanes that it
// has; `transfer`, as often as it likes, and `tend`, once a poll, for itself; worker 0 calls
// `match`. With one worker everything is one thread and nothing waits for anybody. Across workers
// VOQs stay private to the input's worker, so only matchings, moved frames and a few counters cross
// (fabric/crossbar.h says how).
//
// Bound: no call loops over more than the burst it was given, the ports of its worker, or one
// matching; but `adopt`, and a `tend` that has a flush to do or a link to forget, may walk the
// tables of static entries and groups. No allocation after the constructor, no clock, no system
// call, no exception.
// Not done here: receiving, transmitting and freeing buffers; the caller does, as Released tells.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "dataplane/control_mail.h"
#include "dataplane/drops.h"
#include "dataplane/egress/egress.h"
#include "dataplane/egress/marker.h"
#include "dataplane/fabric/crossbar.h"
#include "dataplane/forward/fdb.h"
#include "dataplane/forward/forwarding.h"
#include "dataplane/frame.h"
#include "dataplane/ingress/ingress.h"
#include "dataplane/pfc/pause_frame.h"
#include "dataplane/port_counters.h"
#include "dataplane/released.h"
#include "dataplane/settings.h"

namespace sluice {

class Switch {
  public:
    // Does something for a worker before it returns: here, or on that worker's own thread.
    using OnWorker = std::function<void(WorkerIndex, const std::function<void()>&)>;
    // Takes all memory there will ever be. `settings` must be valid (config does that). What comes
    // with an input or a port (VOQs, egress queues, counters) is made `on_worker` of its worker, so
    // that it may lie where that one is quick to reach it.
    explicit Switch(const Settings& settings, const OnWorker& on_worker = here);

    // --- input side -----------------------------------------------------------------------------
    // Takes over the burst (at most max_burst frames with handle, data and length set): each frame
    // is queued, or counted in one Drop and released. `input` is a port, or a further lane.
    void receive(PortIndex input, std::span<Frame> burst, Nanos now, Released& released);

    // --- fabric ---------------------------------------------------------------------------------
    // One slot: matches idle inputs with idle outputs. Returns the number of pairs.
    std::size_t match() { return crossbar_.match(); }
    // First `collect`, then up to a quantum for every pair whose input belongs to `worker`.
    void transfer(WorkerIndex worker);
    // Takes what other workers have moved to outputs of `worker`.
    void collect(WorkerIndex worker);

    // --- output side ----------------------------------------------------------------------------
    // Picks what may leave `output` now, in order. Call `confirm` before the next `transmit`.
    std::size_t transmit(PortIndex output, std::span<Frame> burst, Nanos now);
    // The device took the first `sent` of the burst; the rest goes back to the head of its queues.
    void confirm(PortIndex output, std::span<const Frame> burst, std::size_t sent);
    // Of these `transmit` chooses nothing until the next call; by whoever has flow control of its
    // own on the link, such as credits.
    void hold(PortIndex output, PrioritySet priorities) { egress_[output]->hold(priorities); }
    // Writes the PFC frame that `port` owes its peer now. False: none is due.
    // To be sent ahead of any data; call `pause_frame_sent` once the device took it.
    bool pause_frame(PortIndex port, std::span<uint8_t, pause_frame_octets> octets, Nanos now);
    void pause_frame_sent(PortIndex port, Nanos now);

    // Ports of the worker's that may have something to send: the others have neither a frame for
    // `transmit` nor one for `pause_frame`.
    [[nodiscard]] PortSet active(WorkerIndex worker) const;

    // --- frames of control, such as LLDP ---------------------------------------------------------
    // By control, from one thread: what `port` heard, oldest first.
    [[nodiscard]] Mailbox& heard(PortIndex port) { return mail_[port]->heard; }
    // Likewise: has the port's worker send the frame ahead of data. False: it has too many already,
    // or there is no link.
    bool send_for_control(PortIndex port, std::span<const uint8_t> octets);
    // By the worker, once a poll: the ports of its own that may have such a frame to send. Each is
    // told once: then it is to be asked for frames until it has none, or is put off.
    PortSet take_control_due(WorkerIndex worker);
    // The next one. Empty: none. Call `control_frame_sent` once the device took it.
    [[nodiscard]] std::span<const uint8_t> control_frame(PortIndex port);
    void control_frame_sent(PortIndex port);
    // The device refused it: it is told again at the next poll.
    void put_off_control(PortIndex port);

    // Whether a frame that `transmit` chose may have an edit due (tag.h): to be looked for, and
    // done, before the device gets it.
    [[nodiscard]] bool edits_tags() const { return edits_tags_.load(std::memory_order_relaxed); }
    // Of tags that `output` puts in front, by priority; by its worker.
    [[nodiscard]] const std::array<uint8_t, max_priorities>& pcp_of_own_tags(
        PortIndex output) const {
        return egress_[output]->pcp_of_own_tags();
    }
    // In place of `confirm`: the first of the burst is let go of, the rest goes back.
    void discard_first(PortIndex output, std::span<const Frame> burst, Drop why);

    // --- housekeeping ---------------------------------------------------------------------------
    // Learns what other workers saw, ages the FDB, flushes queues of ports that are down. Cheap
    // when there is nothing to do. Once a poll for each worker.
    void tend(WorkerIndex worker, Nanos now, Released& released);
    // After the last `receive`: owes every paused peer an XON.
    void release_peers(WorkerIndex worker);
    // Whether a peer with link is still to be told.
    [[nodiscard]] bool owes_peers(WorkerIndex worker) const;
    // After the drain: lets go of what is still queued at the worker's ports, counted as
    // `shutdown`, as far as `released` has room. Returns true while there is more.
    bool flush(WorkerIndex worker, Released& released);
    // Takes over what may change while running (settings.h). Between bursts, by each worker.
    void adopt(WorkerIndex worker, const Settings& settings);
    // By control: a port without link is no output, and what waits for it is flushed.
    void set_link(PortIndex port, bool up);
    // By control, from any thread: forgets learned entries, all or those in a VLAN or at a port.
    // Done by the next `tend` of worker 0.
    void flush_fdb() { forwarding_.flush_orders().all(); }
    void flush_fdb_vlan(VlanId vlan) { forwarding_.flush_orders().vlan(vlan); }
    void flush_fdb_port(PortIndex port) { forwarding_.flush_orders().port(port); }

    // --- what can be seen (any thread; each value is one that was true) --------------------------
    [[nodiscard]] std::size_t port_count() const { return egress_.size(); }
    [[nodiscard]] std::size_t input_count() const { return ingress_.size(); }
    // The inputs that are lanes of `port`: itself, and those further ones that it has.
    [[nodiscard]] PortSet lanes_of(PortIndex port) const { return lanes_of_[port]; }
    // The sum of what `of` says of each of them: whatever an input has of its own.
    template <class Of>
    [[nodiscard]] auto sum_of_lanes(PortIndex port, Of of) const {
        auto sum = of(port);
        for_each_port(lanes_of(port) & ~only(port), [&](PortIndex lane) { sum += of(lane); });
        return sum;
    }
    [[nodiscard]] PortIndex port_of(PortIndex input) const { return ingress_[input]->port(); }
    [[nodiscard]] WorkerIndex worker_of(PortIndex input) const { return worker_of_[input]; }
    [[nodiscard]] bool link(PortIndex port) const { return (links() & only(port)) != 0; }
    [[nodiscard]] const PortCounters& counters(PortIndex input) const { return *counters_[input]; }
    [[nodiscard]] const Ingress& ingress(PortIndex input) const { return *ingress_[input]; }
    [[nodiscard]] const Egress& egress(PortIndex port) const { return *egress_[port]; }
    [[nodiscard]] const Crossbar& crossbar() const { return crossbar_; }
    [[nodiscard]] const Fdb& fdb() const { return forwarding_.fdb(); }
    [[nodiscard]] const Multicast& multicast() const { return forwarding_.multicast(); }
    [[nodiscard]] const SharedPool& pool() const { return pool_; }
    // What waits for `output` in the VOQs of all inputs.
    [[nodiscard]] Bytes depth(Grant column) const;
    // True when no frame waits anywhere. Exact only while nobody receives.
    [[nodiscard]] bool empty() const;

  private:
    class Intake;

    static void here(WorkerIndex, const std::function<void()>& make) { make(); }
    // Makes what belongs to the worker.
    void furnish(WorkerIndex worker, const Settings& settings);

    // What a worker alone touches.
    struct alignas(64) Desk {
        Desk(PortSet own_inputs, PortSet own_ports, uint64_t seed)
            : inputs(own_inputs), ports(own_ports), marker(seed) {}

        PortSet inputs;  // ports, and further lanes of any
        PortSet ports;
        PortSet laned = 0;   // of its ports those with further lanes, whoever has these
        PortSet active = 0;  // that received or were given frames, until `tend` finds them at rest
        PortSet triggers = 0;  // outputs, of all workers, that pause who feeds them
        PortSet waited_for = 0;  // outputs, by inputs of other workers, as `tend` saw them
        bool bypass = false;
        Nanos next_look;       // of the earliest watchdog among its ports
        Nanos tended;          // when it last was
        Marker marker;
    };
    // Frames to be let go of, and under which name.
    struct Flush {
        PortSet outputs;
        PrioritySet priorities;
        Drop reason;
    };

    std::size_t move(WorkerIndex worker, PortIndex input, Grant grant,
                     std::span<Frame, max_transfer> out);
    void deliver(WorkerIndex worker, PortIndex output, std::span<const Frame> frames);
    // Lets outputs decide whom to pause, where they do.
    void weigh(WorkerIndex worker, PortIndex port);
    // Lets its congested outputs pause who feeds them, and ends what is over.
    void press(WorkerIndex worker, PortIndex input);
    // What control frames came by further lanes.
    void hear_lanes(PortIndex port, Nanos now);
    void join_lanes(const Settings& settings);
    // Forgets ports that became quiet, and looks at the pool where peers are paused.
    void settle(WorkerIndex worker);
    void watch(WorkerIndex worker, Nanos now);
    void note_storms(PortIndex port);
    void discard_storms(WorkerIndex worker, Released& released);
    bool flush(WorkerIndex worker, const Flush& what, Released& released);
    [[nodiscard]] PortSet ports_of(WorkerIndex worker) const { return desks_[worker].ports; }
    [[nodiscard]] PortSet inputs_of(WorkerIndex worker) const { return desks_[worker].inputs; }
    [[nodiscard]] Nanos tended(WorkerIndex worker) const { return desks_[worker].tended; }
    [[nodiscard]] PortSet storms() const { return storms_.load(std::memory_order_relaxed); }
    [[nodiscard]] PortSet control_due() const {
        return control_due_.load(std::memory_order_relaxed);
    }
    [[nodiscard]] PortSet links() const { return links_up_.load(std::memory_order_relaxed); }

    std::vector<WorkerIndex> worker_of_;  // of each input
    std::vector<PortSet> lanes_of_;       // of each port
    std::vector<Desk> desks_;             // one a worker
    SharedPool pool_;
    Forwarding forwarding_;
    Crossbar crossbar_;
    std::vector<std::unique_ptr<PortCounters>> counters_;  // one an input
    std::vector<std::unique_ptr<ControlMail>> mail_;       // one a port
    std::vector<std::unique_ptr<LaneMail>> from_lanes_;    // to their port's worker; none of ports
    std::vector<std::unique_ptr<FramePool>> frame_pools_;  // one a worker
    std::vector<std::unique_ptr<Ingress>> ingress_;
    std::vector<std::unique_ptr<Egress>> egress_;
    std::atomic<PortSet> links_up_{0};     // written by control
    std::atomic<PortSet> storms_{0};       // outputs that discard; each bit by its worker
    std::atomic<PortSet> control_due_{0};  // set by control, cleared by each port's worker
    // Once set it stays: frames that wait may have an edit due.
    std::atomic<bool> edits_tags_{false};
};

}  // namespace sluice
