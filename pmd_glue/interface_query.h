// Interface query: ioctls about one network interface of the kernel, by its name.
#pragma once

#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <cstring>
#include <string>

namespace sluice::pmd {

class InterfaceQuery {
  public:
    explicit InterfaceQuery(const std::string& name) : socket_(::socket(AF_INET, SOCK_DGRAM, 0)) {
        const std::size_t length = std::min(name.size(), sizeof request_.ifr_name - 1);
        std::memcpy(request_.ifr_name, name.data(), length);
    }
    ~InterfaceQuery() {
        if (socket_ >= 0) ::close(socket_);
    }
    InterfaceQuery(const InterfaceQuery&) = delete;
    InterfaceQuery& operator=(const InterfaceQuery&) = delete;

    bool ask(unsigned long what) { return ::ioctl(socket_, what, &request_) == 0; }
    bool ask_ethtool(void* command) {
        request_.ifr_data = static_cast<char*>(command);
        return ask(SIOCETHTOOL);
    }
    ifreq& request() { return request_; }

  private:
    int socket_;
    ifreq request_{};
};

}  // namespace sluice::pmd
