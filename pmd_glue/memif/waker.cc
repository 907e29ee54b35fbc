#include "pmd_glue/memif/waker.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace sluice::pmd::memif {

Waker::~Waker() {
    if (context_ != 0) ::syscall(SYS_io_destroy, context_);
}

bool Waker::can_wake(int file) {
    std::array<char, 32> kind{};
    const std::string link = "/proc/self/fd/" + std::to_string(file);
    return ::readlink(link.c_str(), kind.data(), kind.size() - 1) > 0 &&
           std::string_view(kind.data()) == "anon_inode:[eventfd]";
}

void Waker::wake(int eventfd) {
    if (!nothing_.is_open()) {
        nothing_ = FileDescriptor(::memfd_create("nothing", MFD_CLOEXEC));
        if (::syscall(SYS_io_setup, 1, &context_) != 0) context_ = 0;
    }
    if (context_ == 0) return;
    iocb read_nothing{};
    read_nothing.aio_lio_opcode = IOCB_CMD_PREAD;
    read_nothing.aio_fildes = static_cast<uint32_t>(nothing_.number());
    read_nothing.aio_flags = IOCB_FLAG_RESFD;
    read_nothing.aio_resfd = static_cast<uint32_t>(eventfd);
    std::array<iocb*, 1> all{&read_nothing};
    if (::syscall(SYS_io_submit, context_, all.size(), all.data()) != 1) return;
    io_event done{};
    ::syscall(SYS_io_getevents, context_, 0, 1, &done, nullptr);
}

}  // namespace sluice::pmd::memif
