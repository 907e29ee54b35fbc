# Network cards in a guest.

every_card() {
  for card in $(grep -lx 0x020000 /sys/bus/pci/devices/*/class); do
    card=${card%/class}
    echo "${card##*/}"
  done
}

# hand_over CARD...: DPDK gets them.
hand_over() {
  for module in uio uio_pci_generic; do
    [ -e /sys/module/$module ] || insmod "$(find /lib/modules/ -name $module.ko)"
  done
  for address in "$@"; do
    place=/sys/bus/pci/devices/$address
    echo uio_pci_generic >"$place/driver_override"
    [ ! -e "$place/driver" ] || echo "$address" >"$place/driver/unbind"
    echo "$address" >/sys/bus/pci/drivers_probe
  done
}
