#include "control/show/retry.h"

#include "config/port/retry.h"
#include "dataplane/retry/retries.h"

namespace sluice::control {

namespace {

std::string_view word_for(RetrySender::State state) {
    switch (state) {
        case RetrySender::State::init:
            return "init";
        case RetrySender::State::advance:
            return "advance";
        case RetrySender::State::replay:
            return "replay";
        case RetrySender::State::flush:
            return "flush";
        default:
            return "off";
    }
}

std::string_view word_for(RetryReceiver::State state) {
    switch (state) {
        case RetryReceiver::State::send_acks:
            return "send_acks";
        case RetryReceiver::State::send_nack:
            return "send_nack";
        case RetryReceiver::State::nack_sent:
            return "nack_sent";
        default:
            return "off";
    }
}

}  // namespace

RetryAction action_without_session(const RetryWatch& watch) {
    return watch.without_number.load(std::memory_order_relaxed);
}

std::string_view why_no_retry(const Switch& dataplane, PortIndex port) {
    switch (dataplane.retries().peer(port)) {
        case LinkPeer::able:
            if (dataplane.retries().watch(port).given_up.value() > 0) {
                return "its peer has not answered since frames were given up";
            }
            return "its peer advertises retry, but does not answer, or has no LLDP neighbour yet";
        case LinkPeer::unable:
            return "its LLDP neighbour does not advertise retry";
        case LinkPeer::several:
            return "it has several LLDP neighbours";
        case LinkPeer::no_lldp:
            return "LLDP is disabled";
        default:
            return "it has no LLDP neighbour";
    }
}

Json retry_snapshot(const View& view, bool) {
    Json rows = Json::array();
    const Retries& retries = view.dataplane.retries();
    for_each_port(retries.ports(), [&](PortIndex port) {
        if (view.ports[port].vacant) return;
        const RetryWatch& watch = retries.watch(port);
        const RetrySender::State state = watch.send_state.load(std::memory_order_relaxed);
        const RetryReceiver::State receiver = watch.receive_state.load(std::memory_order_relaxed);
        const bool has_link = view.dataplane.link(port);
        rows.push_back(
            {{"port", view.ports[port].name},
             {"state", word_for(state)},
             {"receiver", word_for(receiver)},
             {"why",
              RetrySender::is_open(state) || !has_link ? "" : why_no_retry(view.dataplane, port)},
             {"action",
              RetrySender::is_open(state) ? "" : config::word_for(action_without_session(watch))},
             {"buffer_bytes", view.settings.ports[port].retry.buffer.count()},
             {"used_bytes", watch.used.value()},
             {"most_used_bytes", watch.most_used.value()},
             {"resequence_bytes", view.settings.ports[port].retry.resequence.count()},
             {"kept_bytes", watch.kept_bytes.value()},
             {"most_kept_bytes", watch.most_kept_bytes.value()},
             {"sent", watch.sent.value()},
             {"replayed", watch.replayed.value()},
             {"replays", watch.replays.value()},
             {"timeouts", watch.timeouts.value()},
             {"acknowledged", watch.acknowledged.value()},
             {"flushes", watch.flushes.value()},
             {"given_up", watch.given_up.value()},
             {"abandoned", watch.abandoned.value()},
             {"unnumbered", watch.unnumbered.value()},
             {"taken", watch.taken.value()},
             {"kept", watch.kept.value()},
             {"duplicates", watch.duplicates.value()},
             {"missing", watch.missing.value()},
             {"acks", watch.acks.value()},
             {"nacks", watch.nacks.value()},
             {"unexpected", watch.unexpected.value()},
             {"strays", watch.strays.value()},
             {"malformed", watch.malformed.value()}});
    });
    return rows;
}

}  // namespace sluice::control
