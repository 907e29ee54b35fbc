// All groups: has a kernel interface take frames for every group, as long as this lives, also where
// it is not promiscuous: LLDP, DCBX and multicast are for groups.
//
// By a packet socket that receives nothing: the kernel counts who asks, so others that do are in no
// way disturbed, and it ends with the process however that ends. To be had with CAP_NET_RAW.
// Source: packet(7), PACKET_MR_ALLMULTI.
#pragma once

namespace sluice::pmd::nic {

class AllGroups {
  public:
    AllGroups() = default;  // of no interface
    explicit AllGroups(unsigned interface_index);
    AllGroups(AllGroups&& other) noexcept;
    AllGroups& operator=(AllGroups&& other) noexcept;
    ~AllGroups();

    [[nodiscard]] bool joined() const { return socket_ >= 0; }

  private:
    int socket_ = -1;
};

}  // namespace sluice::pmd::nic
