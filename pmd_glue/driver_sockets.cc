#include "pmd_glue/driver_sockets.h"

#include <dirent.h>
#include <sys/socket.h>
#include <cstdlib>

namespace sluice::pmd {

std::vector<int> driver_sockets() {
    std::vector<int> found;
    DIR* const folder = ::opendir("/proc/self/fd");
    if (folder == nullptr) return found;
    while (const dirent* const entry = ::readdir(folder)) {
        const int file = std::atoi(entry->d_name);
        int domain = 0;
        socklen_t size = sizeof domain;
        if (::getsockopt(file, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 && domain == AF_PACKET) {
            found.push_back(file);
        }
    }
    ::closedir(folder);
    return found;
}

}  // namespace sluice::pmd
