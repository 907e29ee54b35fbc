// Interrupt callbacks: a driver that frees an interrupt handle leaves EAL no callback of it.
//
// DPDK's memif driver (drivers/net/memif/memif_socket.c) has EAL watch a descriptor, and frees the
// handle without taking the callback back, in two places: memif_listener_handler, when a client has
// gone before it is greeted, and memif_socket_remove_device, when the last port of a listening
// socket closes. EAL's thread then reads what was freed whenever it puts its epoll set together
// anew: it panics ("Error adding fd 9 epoll_ctl, Bad file descriptor"), or, once the memory is
// unmapped, dies. The first is so in 20.11 to 25.11 and in what is to be 26.11; no version is known
// that mends either.
//
// It is mended in between, where drivers call EAL: these stand in for EAL's functions of the same
// names in a program of ours (meson.build has the linker export them), note which callbacks there
// are, and have EAL forget what is left of a handle before it is freed.
// Bound: a note for each callback that there is.
#include <dlfcn.h>
#include <rte_interrupts.h>
#include <algorithm>
#include <cerrno>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace {

struct Callback {
    const rte_intr_handle* handle;
    rte_intr_callback_fn function;
    void* argument;

    friend bool operator==(const Callback&, const Callback&) = default;
};

// Its lock is never held while EAL is called, which itself calls drivers under a lock.
class Callbacks {
  public:
    void note(const Callback& callback) {
        const std::scoped_lock alone(mutex_);
        noted_.push_back(callback);
    }
    void forget(const Callback& callback) {
        const std::scoped_lock alone(mutex_);
        std::erase(noted_, callback);
    }
    std::vector<Callback> take(const rte_intr_handle* handle) {
        const std::scoped_lock alone(mutex_);
        const auto others = std::ranges::stable_partition(
            noted_, [&](const Callback& callback) { return callback.handle != handle; });
        std::vector<Callback> taken(others.begin(), others.end());
        noted_.erase(others.begin(), others.end());
        return taken;
    }

  private:
    std::mutex mutex_;
    std::vector<Callback> noted_;
};

// Never destroyed: EAL's thread lives as long as the process.
Callbacks& callbacks() {
    static auto& callbacks = *new Callbacks;
    return callbacks;
}

// EAL's own function of that name.
template <typename Function>
Function* eals(const char* name) {
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {
#pragma GCC visibility push(default)

int rte_intr_callback_register(const rte_intr_handle* handle, rte_intr_callback_fn function,
                               void* argument) {
    static auto* const real =
        eals<decltype(rte_intr_callback_register)>("rte_intr_callback_register");
    const int result = real(handle, function, argument);
    if (result == 0) callbacks().note({handle, function, argument});
    return result;
}

int rte_intr_callback_unregister(const rte_intr_handle* handle, rte_intr_callback_fn function,
                                 void* argument) {
    static auto* const real =
        eals<decltype(rte_intr_callback_unregister)>("rte_intr_callback_unregister");
    const int result = real(handle, function, argument);
    if (result > 0) callbacks().forget({handle, function, argument});
    return result;
}

// From then on it is EAL that forgets it, and it is under EAL's lock when the handle is freed.
int rte_intr_callback_unregister_pending(const rte_intr_handle* handle,
                                         rte_intr_callback_fn function, void* argument,
                                         rte_intr_unregister_callback_fn unregistered) {
    static auto* const real = eals<decltype(rte_intr_callback_unregister_pending)>(
        "rte_intr_callback_unregister_pending");
    callbacks().forget({handle, function, argument});
    return real(handle, function, argument, unregistered);
}

void rte_intr_instance_free(rte_intr_handle* handle) {
    static auto* const real = eals<void(rte_intr_handle*)>("rte_intr_instance_free");
    for (const Callback& left : callbacks().take(handle)) {
        // Elsewhere than in EAL's thread, one that is being called is waited for.
        while (rte_intr_callback_unregister(left.handle, left.function, left.argument) == -EAGAIN &&
               rte_thread_is_intr() == 0) {
            std::this_thread::yield();
        }
    }
    real(handle);
}

#pragma GCC visibility pop
}
