// EventLog: keeps the latest events for the operator: link up or down, settings adopted, headroom
// overruns.
//
// Bound: `capacity` events; the oldest goes first, and its number shows how many went before it.
// Nothing per frame belongs here. One thread, the control loop's.
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
    std::string kind;  // `link_up`, `port_vanished`, ...: one word, for programs
    std::string port;  // empty: no port's
    std::string text;  // for people
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
    // The number of the last one; 0: there was none.
    [[nodiscard]] uint64_t count() const { return count_; }

  private:
    std::deque<LoggedEvent> events_;
    uint64_t count_ = 0;
};

}  // namespace sluice::control
