// Loop: sd-event with C++ ownership instead of reference counts: a registration ends with its
// owner.
// Bound: one thread. Callbacks run from `run_once` and must not wait.
#pragma once

#include <systemd/sd-event.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>

namespace sluice::control {

struct SourceRelease {
    void operator()(sd_event_source* source) const { sd_event_source_disable_unref(source); }
};
using SourceHandle = std::unique_ptr<sd_event_source, SourceRelease>;

class Loop {
  public:
    // A registration. Its callback is called until the registration is destroyed.
    class Source {
      public:
        // Sets the events of epoll(7) to wait for. Only sources made by `watch` have such events.
        void wait_for(uint32_t events);

      private:
        friend class Loop;
        std::function<void()> callback_;
        SourceHandle handle_;
    };
    using SourcePointer = std::unique_ptr<Source>;

    Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;
    ~Loop();

    // Serves ready sources; if none is ready, waits up to `timeout`.
    void run_once(std::chrono::microseconds timeout);

    SourcePointer watch(int descriptor, uint32_t events, std::function<void()> callback);
    SourcePointer every(std::chrono::microseconds period, std::function<void()> callback);
    // Blocks the signal in this thread and in threads started later, and calls `callback` instead.
    SourcePointer on_signal(int signal, std::function<void()> callback);

  private:
    sd_event* event_ = nullptr;
};

}  // namespace sluice::control
