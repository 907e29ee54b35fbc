// Interface query: ioctls about one network interface of the kernel, by its name.
#pragma once

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <algorithm>
#include <cstring>
#include <string>

#include "pmd_glue/file_descriptor.h"

namespace sluice::pmd {

class InterfaceQuery {
  public:
    explicit InterfaceQuery(const std::string& name) : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
        const std::size_t length = std::min(name.size(), sizeof request_.ifr_name - 1);
        std::memcpy(request_.ifr_name, name.data(), length);
    }

    bool ask(unsigned long what) { return ::ioctl(socket_.number(), what, &request_) == 0; }
    bool ask_ethtool(void* command) {
        request_.ifr_data = static_cast<char*>(command);
        return ask(SIOCETHTOOL);
    }
    ifreq& request() { return request_; }

  private:
    FileDescriptor socket_;
    ifreq request_{};
};

}  // namespace sluice::pmd
