#include "control/background.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <system_error>
#include <utility>

namespace sluice::control {

Background::Background(Loop& loop) : over_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (over_ < 0) throw std::system_error(errno, std::generic_category(), "event loop");
    source_ = loop.watch(over_, EPOLLIN, [this] { finish(); });
}

Background::~Background() {
    if (thread_.joinable()) thread_.join();
    source_.reset();
    close(over_);
}

void Background::run(std::function<void()> work, std::function<void()> done) {
    jobs_.push_back({std::move(work), std::move(done)});
    if (jobs_.size() == 1) start_next();
}

void Background::start_next() {
    assert(!jobs_.empty() && !thread_.joinable() && "one job at a time");
    const auto work = [this, &job = jobs_.front()] {
        job.work();
        eventfd_write(over_, 1);
    };
    try {
        thread_ = std::thread(work);
    } catch (const std::system_error&) {
        work();
    }
}

void Background::finish() {
    eventfd_t count = 0;
    eventfd_read(over_, &count);
    if (thread_.joinable()) thread_.join();
    assert(!jobs_.empty());
    const Job over = std::move(jobs_.front());
    jobs_.pop_front();
    if (!jobs_.empty()) start_next();
    over.done();
}

}  // namespace sluice::control
