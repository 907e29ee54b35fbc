// EventLog: keeps the latest events for the operator: link up or down, settings adopted, headroom
// overruns.
//
// Bound: `capacity` events; the oldest is removed first, and its number shows how many were removed
// before. Events per frame do not belong here. Used by the control loop's thread only.
#pragma once

#include <cassert>
#include <chrono>
#include <cstdint>
#include <deque>
#include <string>

namespace sluice::control {

struct LoggedEvent {
    uint64_t number = 0;  // counted from 1 since the start
    std::chrono::system_clock::time_point at;
    std::string kind;  // one word for programs, such as `link_up` or `port_vanished`
    std::string port;  // empty: not about a port
    std::string text;  // text for people
};

class EventLog {
  public:
    static constexpr std::size_t capacity = 1000;

    void add(std::chrono::system_clock::time_point at, std::string kind, std::string port,
             std::string text) {
        if (events_.size() == capacity) events_.pop_front();
        assert(events_.size() < capacity);
        events_.push_back({++count_, at, std::move(kind), std::move(port), std::move(text)});
    }
    [[nodiscard]] const std::deque<LoggedEvent>& events() const { return events_; }
    // Returns the number of the last event; 0: there was none.
    [[nodiscard]] uint64_t count() const { return count_; }

  private:
    std::deque<LoggedEvent> events_;
    uint64_t count_ = 0;
};

}  // namespace sluice::control
