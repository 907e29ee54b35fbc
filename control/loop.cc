#include "control/loop.h"

#include <signal.h>

#include <cassert>
#include <system_error>

namespace sluice::control {

namespace {

// The calls fail only if memory or descriptors are missing; the program cannot continue then.
void must(int result, const char* what) {
    if (result < 0) throw std::system_error(-result, std::generic_category(), what);
}

// Calls a copy, because the callback may destroy the source that holds it.
int call(void* callback) {
    const std::function<void()> own = *static_cast<std::function<void()>*>(callback);
    own();
    return 0;
}

}  // namespace

Loop::Loop() { must(sd_event_new(&event_), "event loop"); }
Loop::~Loop() { sd_event_unref(event_); }

void Loop::run_once(std::chrono::microseconds timeout) {
    must(sd_event_run(event_, static_cast<uint64_t>(timeout.count())), "event loop");
}

void Loop::Source::wait_for(uint32_t events) {
    assert(handle_ != nullptr);
    must(sd_event_source_set_io_events(handle_.get(), events), "event loop");
}

Loop::SourcePointer Loop::watch(int descriptor, uint32_t events, std::function<void()> callback) {
    assert(descriptor >= 0 && callback);
    auto source = std::make_unique<Source>();
    source->callback_ = std::move(callback);
    sd_event_source* handle = nullptr;
    must(sd_event_add_io(
             event_, &handle, descriptor, events,
             [](sd_event_source*, int, uint32_t, void* own) { return call(own); },
             &source->callback_),
         "event loop");
    source->handle_.reset(handle);
    return source;
}

Loop::SourcePointer Loop::every(std::chrono::microseconds period, std::function<void()> callback) {
    assert(period.count() > 0 && callback);
    auto source = std::make_unique<Source>();
    const auto microseconds = static_cast<uint64_t>(period.count());
    source->callback_ = [own = source.get(), microseconds, work = std::move(callback)] {
        sd_event_source_set_time_relative(own->handle_.get(), microseconds);
        sd_event_source_set_enabled(own->handle_.get(), SD_EVENT_ONESHOT);
        work();
    };
    sd_event_source* handle = nullptr;
    must(sd_event_add_time_relative(
             event_, &handle, CLOCK_MONOTONIC, microseconds, microseconds / 20,
             [](sd_event_source*, uint64_t, void* own) { return call(own); }, &source->callback_),
         "event loop");
    source->handle_.reset(handle);
    return source;
}

Loop::SourcePointer Loop::on_signal(int signal, std::function<void()> callback) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, signal);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    auto source = std::make_unique<Source>();
    source->callback_ = std::move(callback);
    sd_event_source* handle = nullptr;
    must(sd_event_add_signal(
             event_, &handle, signal,
             [](sd_event_source*, const signalfd_siginfo*, void* own) { return call(own); },
             &source->callback_),
         "event loop");
    source->handle_.reset(handle);
    return source;
}

}  // namespace sluice::control
