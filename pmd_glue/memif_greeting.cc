// Memif greeting: a client of a memif that has gone before it is greeted does not end the process.
//
// DPDK's driver (drivers/net/memif/memif_socket.c, memif_listener_handler) has EAL call it when a
// new connection is ready, and then greets it. If that fails, since the client has gone, it closes
// and frees the connection but leaves the callback; EAL adds its descriptor to an epoll set, and
// panics: "Error adding fd 9 epoll_ctl, Bad file descriptor". So it is in 20.11 to 25.11 and in
// what is to be 26.11; no version is known that mends it.
//
// It is mended at the one place in between that is not DPDK's: sendmsg(2). This one stands in for
// the C library's in a program of ours (meson.build has the linker export it). What cannot be sent
// because the other end of a local SOCK_SEQPACKET socket has gone counts as sent; the callback then
// reads that it has gone, and the driver frees both. No other library here has such sockets, and
// for all else it does what the C library's does, but never raises SIGPIPE.
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>

namespace {

int option(int file, int name) {
    int value = -1;
    socklen_t size = sizeof value;
    return ::getsockopt(file, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

bool is_memifs(int file) {
    return option(file, SO_DOMAIN) == AF_UNIX && option(file, SO_TYPE) == SOCK_SEQPACKET;
}

ssize_t length_of(const msghdr& message) {
    std::size_t octets = 0;
    for (std::size_t i = 0; i < message.msg_iovlen; ++i) octets += message.msg_iov[i].iov_len;
    return static_cast<ssize_t>(octets);
}

}  // namespace

extern "C" [[gnu::visibility("default")]] ssize_t sendmsg(int file, const msghdr* message,
                                                          int flags) {
    const long sent = ::syscall(SYS_sendmsg, file, message, flags | MSG_NOSIGNAL);
    const bool gone = sent < 0 && (errno == EPIPE || errno == ECONNRESET);
    return gone && is_memifs(file) ? length_of(*message) : sent;
}
