# What the guest runs: `carry NAME CPUS OTHERS PORT PORT` starts the switch of /NAME.json on CPUS (a
# mask), sends 10,000 frames each way through it from those two ports, by a generator on OTHERS, and
# ends it. What was seen is left in the folder NAME, also when one of the two fails.

# DPDK gets every network card.
hand_over_cards() {
  for card in $(every_card); do
    hand_over "$card"
    echo "$card $(cat "/sys/bus/pci/devices/$card/numa_node")" >>cards
  done
}

carry() {
  mkdir "$1"
  taskset "$2" sluiced -c "/$1.json" 2>"$1/sluiced.log" &
  switch=$!
  until sluice show ports >/dev/null 2>"$1/show.log"; do
    kill -0 $switch || return 0
    sleep 0.1
  done
  taskset "$3" sluice-gen --port "$4" --port "$5" --pattern pairs --priority 3 --pfc --rate 5K \
    --count 10000 --json --quiet >"$1/generator.json" 2>"$1/generator.log" || true
  for noun in ports workers ledger; do
    sluice show $noun --json >"$1/$noun.json"
  done
  cp "/proc/$switch/numa_maps" "$1"
  kill $switch
  wait $switch
  cat /sys/devices/system/node/node*/hugepages/hugepages-2048kB/nr_hugepages >"$1/pages_kept"
}
