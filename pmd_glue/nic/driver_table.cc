#include "pmd_glue/nic/driver_table.h"

#include <algorithm>
#include <array>

namespace sluice::pmd::nic {
namespace {

constexpr std::string_view nobody_says = "not documented in source or manual";
constexpr std::string_view host_decides = "the host of this guest decides";
constexpr std::string_view pf_drops =
    "the driver of its physical function drops pause frames that software sends";
constexpr std::string_view pf_has_lldp = "its physical function has the port's LLDP";
constexpr std::string_view refuses = "its driver refuses to forward pause frames";
constexpr std::string_view i40e_drops = "its driver drops pause frames that software sends, always";

constexpr std::string_view cnxk_queues =
    "cnxk_ethdev_ops.c: cnxk_nix_priority_flow_ctrl_queue_config, nix_priority_flow_ctrl_rq_conf; "
    "common/cnxk/roc_npc_parse.c: npc_parse_vlan_count";

// Names of extended statistics in ixgbe_ethdev.c (rte_ixgbe_rxq_strings, rte_ixgbe_txq_strings);
// i40e_ethdev.c uses the same names.
constexpr std::string_view intel_pauses_received = "rx_priority#_xoff_packets";
constexpr std::string_view intel_pauses_sent = "tx_priority#_xoff_packets";

constexpr DriverRow virtual_device(std::string_view name, std::string_view source,
                                   Queues queues = Queues::none) {
    return {.name = name,
            .pause_reception = PauseReception::always,
            .pause_transmission = PauseTransmission::always,
            .agent = LldpAgent::none,
            .queues = queues,
            .source = source};
}

constexpr DriverRow guest_device(std::string_view name, std::string_view source) {
    return {.name = name,
            .pause_reception_why = host_decides,
            .pause_transmission_why = host_decides,
            .agent_why =
                "a Linux bridge at the host drops LLDP unless its group_fwd_mask says "
                "otherwise",
            .source = source};
}

constexpr std::array ethdev_rows = {
    virtual_device("net_ring", "lib/ring; drivers/net/ring/rte_eth_ring.c", Queues::plain),
    virtual_device("memif", "pmd_glue/memif", Queues::plain),
    virtual_device("tap", "pmd_glue/packet/tap"),
    virtual_device("net_tap", "drivers/net/tap/rte_eth_tap.c"),
    virtual_device("net_virtio_user", "drivers/net/virtio/virtio_rxtx.c"),
    virtual_device("net_vhost", "drivers/net/vhost/rte_eth_vhost.c"),
    virtual_device("net_null", "drivers/net/null/rte_eth_null.c"),
    virtual_device("net_pcap", "drivers/net/pcap/pcap_ethdev.c"),
    DriverRow{.name = "net_ixgbe",
              .pause_reception = PauseReception::forwarded,
              .pause_transmission = PauseTransmission::unfiltered,
              .agent = LldpAgent::none,
              .reads_back = true,
              .has_pause_queue = true,
              .queues = Queues::dcb_anew,
              .queues_source = "ixgbe_ethdev.c: ixgbe_dev_start, ixgbe_priority_flow_ctrl_set, "
                               "ixgbe_dev_get_dcb_info; ixgbe_rxtx.c: ixgbe_dcb_rx_hw_config",
              .pauses_received = intel_pauses_received,
              .pauses_sent = intel_pauses_sent,
              .source = "drivers/net/ixgbe/ixgbe_ethdev.c: ixgbe_flow_ctrl_enable"},
    DriverRow{.name = "net_ixgbe_vf",
              .pause_reception_why = nobody_says,
              .pause_transmission_why =
                  "a physical function of an X550 drops pause frames of its VFs; at the "
                  "host: `ip link set PF vf N spoofchk off`",
              .agent_why = pf_has_lldp,
              .source = "drivers/net/ixgbe/ixgbe_pf.c: ixgbe_add_tx_flow_control_drop_filter"},
    DriverRow{
        .name = "net_i40e",
        .pause_reception = PauseReception::forwarded,
        .pause_transmission = PauseTransmission::never,
        .pause_transmission_why = i40e_drops,
        .agent = LldpAgent::of_old_firmware,
        .agent_why = "NVM before 6.01 (X722: 3.33) keeps its LLDP agent; update it (nvmupdate64e)",
        .queues = Queues::dcb,
        .queues_source = "i40e_ethdev.c: i40e_parse_dcb_configure, i40e_dcb_hw_configure, "
                         "i40e_dev_get_dcb_info",
        .pauses_received = intel_pauses_received,
        .pauses_sent = intel_pauses_sent,
        .source = "i40e_ethdev.c: i40e_add_tx_flow_control_drop_filter, i40e_flow_ctrl_set"},
    DriverRow{.name = "net_ice",
              .pause_reception_why = nobody_says,
              .pause_transmission = PauseTransmission::unfiltered,
              .agent = LldpAgent::none,
              .has_pause_queue = true,
              .queues = Queues::dcb_octets,
              .queues_source = "ice_ethdev.c: ice_dev_configure, ice_priority_flow_ctrl_set, "
                               "ice_get_dcb_info",
              .queues_since = {25, 11},
              .pauses_received = "priority_xoff_rx_tc#",
              .pauses_sent = "priority_xoff_tx_tc#",
              .source = "drivers/net/ice/ice_ethdev.c: ice_dev_init, ice_vsi_config_sw_lldp"},
    DriverRow{.name = "net_iavf",
              .pause_reception_why = nobody_says,
              .pause_transmission = PauseTransmission::never,
              .pause_transmission_why = pf_drops,
              .agent_why = pf_has_lldp,
              .source = "Linux ethernet/intel/ice/ice_lib.c: ice_vsi_setup; "
                        "ethernet/intel/i40e/i40e_main.c: i40e_probe"},
    DriverRow{.name = "net_e1000_em",
              .pause_reception = PauseReception::forwarded,
              .pause_transmission = PauseTransmission::unfiltered,
              .agent = LldpAgent::none,
              .source = "drivers/net/e1000/em_ethdev.c: eth_em_flow_ctrl_set, em_hardware_init"},
    DriverRow{.name = "net_e1000_igb",
              .pause_reception = PauseReception::forwarded,
              .pause_transmission = PauseTransmission::unfiltered,
              .agent = LldpAgent::none,
              .has_pause_queue = true,
              .source = "drivers/net/e1000/igb_ethdev.c: eth_igb_flow_ctrl_set"},
    DriverRow{.name = "net_igc",
              .pause_reception = PauseReception::forwarded,
              .pause_transmission = PauseTransmission::unfiltered,
              .agent = LldpAgent::none,
              .has_pause_queue = true,
              .source = "drivers/net/igc/igc_ethdev.c: eth_igc_flow_ctrl_set; igc_txrx.c: "
                        "igc_rx_init"},
    DriverRow{.name = "mlx5_pci",
              .pause_reception_why = "its driver ignores the setting to forward pause frames",
              .pause_transmission_why = nobody_says,
              .agent_why = "its firmware may have an LLDP agent: LLDP_NB_RX_MODE_P1 of `mlxconfig "
                           "-d ADDRESS query` has to be 0",
              .has_pause_queue = true,
              .source = "drivers/net/mlx5/linux/mlx5_ethdev_os.c: mlx5_dev_set_flow_ctrl"},
    DriverRow{.name = "net_bnxt",
              .pause_reception_why = "its driver ignores the setting to forward pause frames",
              .pause_transmission_why = nobody_says,
              .agent_why = "its firmware may have an LLDP agent, which its own settings stop",
              .source = "drivers/net/bnxt/bnxt_ethdev.c: bnxt_flow_ctrl_set_op"},
    DriverRow{.name = "net_ena",
              .pause_reception_why = nobody_says,
              .pause_transmission_why = nobody_says,
              .agent_why = "the cloud's network has the port's LLDP",
              .source = "drivers/net/ena/ena_ethdev.c: ena_dev_ops"},
    guest_device("net_virtio", "Linux net/bridge/br_input.c: br_handle_frame"),
    guest_device("net_vmxnet3", "drivers/net/vmxnet3/vmxnet3_ethdev.c: vmxnet3_eth_dev_ops"),
    DriverRow{.name = "net_hns3",
              .pause_reception = PauseReception::never,
              .pause_reception_why = refuses,
              .pause_transmission_why = nobody_says,
              .agent = LldpAgent::none,
              .source = "drivers/net/hns3/hns3_ethdev.c: hns3_flow_ctrl_set, hns3_prepare_mgr_tbl"},
    DriverRow{.name = "net_qede",
              .pause_reception_why = "its driver ignores the setting to forward pause frames",
              .pause_transmission_why = nobody_says,
              .agent_why = "its management firmware seems to take LLDP, and the driver has no "
                           "switch for that",
              .source = "drivers/net/qede/base/ecore_dcbx.c; qede_ethdev.c: qede_flow_ctrl_set"},
    DriverRow{.name = "net_cn9k",
              .pause_reception = PauseReception::never,
              .pause_reception_why = refuses,
              .pause_transmission_why = nobody_says,
              .agent_why = nobody_says,
              .queues = Queues::each_queue,
              .queues_source = cnxk_queues,
              .source = "drivers/net/cnxk/cnxk_ethdev_ops.c: cnxk_nix_flow_ctrl_set"},
    DriverRow{.name = "net_cn10k",
              .pause_reception = PauseReception::never,
              .pause_reception_why = refuses,
              .pause_transmission_why = nobody_says,
              .agent_why = nobody_says,
              .queues = Queues::each_queue,
              .queues_source = cnxk_queues,
              .pauses_received = "rpm_rx_CBFC_pause_frames_class_#",
              .pauses_sent = "rpm_tx_CBFC_pause_frames_class_#",
              .source = "drivers/net/cnxk/cnxk_ethdev_ops.c: cnxk_nix_flow_ctrl_set"},
    DriverRow{.name = "net_sfc_efx",
              .pause_reception = PauseReception::never,
              .pause_reception_why = refuses,
              .pause_transmission_why = nobody_says,
              .agent_why = nobody_says,
              .source = "drivers/net/sfc/sfc_ethdev.c: sfc_flow_ctrl_set"},
};

constexpr std::array kernel_rows = {
    virtual_device("veth", "Linux drivers/net/veth.c: veth_xmit"),
    virtual_device("tun", "Linux drivers/net/tun.c: tun_get_user"),
    DriverRow{.name = "ixgbe",
              .pause_reception = PauseReception::never,
              .pause_reception_why =
                  "its driver never sets the bit (MFLCN.PMCF) by which the NIC hands over "
                  "pause frames; give the NIC to DPDK (`pci:`)",
              .pause_transmission = PauseTransmission::unfiltered,
              .agent = LldpAgent::none,
              .has_pause_queue = true,
              .source = "ethernet/intel/ixgbe/ixgbe_main.c: ixgbe_set_rx_mode"},
    DriverRow{.name = "ixgbevf",
              .pause_reception_why = nobody_says,
              .pause_transmission_why =
                  "a physical function of an X550 drops pause frames of its VFs; at the "
                  "host: `ip link set PF vf N spoofchk off`",
              .agent_why = pf_has_lldp,
              .source = "ethernet/intel/ixgbe/ixgbe_sriov.c: ixgbe_ndo_set_vf_spoofchk"},
    DriverRow{.name = "i40e",
              .pause_reception_why = nobody_says,
              .pause_transmission = PauseTransmission::never,
              .pause_transmission_why = i40e_drops,
              .agent = LldpAgent::private_flag,
              .agent_why = "its firmware has an LLDP agent",
              .flag = {.name = "disable-fw-lldp", .stops = true},
              .source = "ethernet/intel/i40e/i40e_main.c: i40e_probe, i40e_rebuild; "
                        "i40e_ethtool.c: i40e_set_priv_flags"},
    DriverRow{.name = "ice",
              .pause_reception_why = nobody_says,
              .pause_transmission = PauseTransmission::by_priority,
              .agent = LldpAgent::private_flag,
              .agent_why = "its firmware has an LLDP agent",
              .flag = {.name = "fw-lldp-agent", .stops = false},
              .source = "ethernet/intel/ice/ice_lib.c: ice_vsi_setup; ice_txrx.c: "
                        "ice_xmit_frame_ring; ice_ethtool.c: ice_set_priv_flags"},
    DriverRow{.name = "iavf",
              .pause_reception_why = nobody_says,
              .pause_transmission = PauseTransmission::never,
              .pause_transmission_why = pf_drops,
              .agent_why = pf_has_lldp,
              .source = "ethernet/intel/ice/ice_lib.c: ice_vsi_setup; i40e/i40e_main.c: "
                        "i40e_probe"},
    DriverRow{.name = "igb",
              .pause_reception = PauseReception::rx_all,
              .pause_transmission = PauseTransmission::unfiltered,
              .agent = LldpAgent::none,
              .has_pause_queue = true,
              .source = "ethernet/intel/igb/igb_main.c: igb_setup_rctl"},
    DriverRow{.name = "e1000e",
              .pause_reception = PauseReception::rx_all,
              .pause_transmission = PauseTransmission::unfiltered,
              .agent = LldpAgent::none,
              .source = "ethernet/intel/e1000e/netdev.c: e1000_setup_rctl"},
    DriverRow{.name = "igc",
              .pause_reception_why = "with 802.3x off a pause seems to be an ordinary frame to it",
              .pause_transmission = PauseTransmission::unfiltered,
              .agent = LldpAgent::none,
              .has_pause_queue = true,
              .source = "ethernet/intel/igc/igc_main.c: igc_setup_rctl"},
    DriverRow{.name = "mlx5_core",
              .pause_reception_why = nobody_says,
              .pause_transmission_why = nobody_says,
              .agent_why = "its firmware may have an LLDP agent: LLDP_NB_RX_MODE_P1 of `mlxconfig "
                           "-d ADDRESS query` has to be 0",
              .has_pause_queue = true,
              .source = "ethernet/mellanox/mlx5/core/en_main.c: set_feature_rx_all; en_dcbnl.c"},
    DriverRow{.name = "bnxt_en",
              .pause_reception_why = nobody_says,
              .pause_transmission_why = nobody_says,
              .agent_why = "its firmware may have an LLDP agent: none if `dcb dcbx show dev "
                           "INTERFACE` says host; the NIC's own settings stop it",
              .source = "ethernet/broadcom/bnxt/bnxt_dcb.c: bnxt_dcb_init"},
    DriverRow{.name = "ena",
              .pause_reception_why = nobody_says,
              .pause_transmission_why = nobody_says,
              .agent_why = "the cloud's network has the port's LLDP",
              .source = "ethernet/amazon/ena/ena_netdev.c"},
    guest_device("virtio_net", "Linux net/bridge/br_input.c: br_handle_frame"),
    guest_device("vmxnet3", "Linux drivers/net/vmxnet3/vmxnet3_drv.c"),
};

constexpr DriverRow unknown = {.pause_reception_why = nobody_says,
                               .pause_transmission_why = nobody_says,
                               .agent_why = nobody_says,
                               .source = "none"};

}  // namespace

std::span<const DriverRow> ethdev_drivers() { return ethdev_rows; }
std::span<const DriverRow> kernel_drivers() { return kernel_rows; }

const DriverRow& row_of(std::span<const DriverRow> table, std::string_view name) {
    const auto found = std::ranges::find(table, name, &DriverRow::name);
    return found == table.end() ? unknown : *found;
}

}  // namespace sluice::pmd::nic
