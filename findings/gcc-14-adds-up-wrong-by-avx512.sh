#!/usr/bin/env bash
# gcc 14.2 miscompiles a plain loop: a sum of the elements of a struct that an octet of each selects loses
# a part where it is vectorised for AVX-512, at -O3 -march=x86-64-v4 (or native on such a machine), and
# where the elements are a multiple of 64. Beside it, in the same loop, the sum of all and a second selected
# sum are right. No warning, and no undefined behaviour: gcc 12.2 adds up right by the same flags, and so does
# gcc 14.2 with -O2, with -march=x86-64-v3 or with -mprefer-vector-width=256.
#
# Guess: a compiler of a stable Debian may be slow or large, but 64 numbers add up.
# Seen with gcc 14.2.0 (Debian 13): of 64 elements of 24 octets, of which each has a length and a kind, the sum
# where kind is 1 is less than it is; with gcc 12.2.0 (Debian 12) it is right.
#
# Root, mmdebstrap; a processor with AVX-512; a package source that has the pinned releases. Two minutes.
set -euo pipefail

grep -qw avx512vl /proc/cpuinfo || { echo "this processor has no AVX-512"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/sums.cc" <<'CODE'
#include <cstdint>
#include <cstdio>
#include <initializer_list>
struct Item { uint64_t before[2]; uint16_t length; uint8_t between[5]; uint8_t kind; };
struct Sums { int64_t all = 0, second = 0, first = 0; };
[[gnu::noinline]] Sums add(const Item* items, int count, int64_t mask) {
    int64_t all = 0, second = 0, first = 0;
    for (const Item* item = items; item != items + count; ++item) {
        const int64_t charge = (item->length + mask) & ~mask;
        all += charge;
        second += item->kind == 2 ? charge : 0;
        first += item->kind == 1 ? charge : 0;
    }
    return {all, second, first};
}
int main() {
    static Item items[64];
    uint32_t drawn = 7;
    for (Item& item : items) {
        drawn = drawn * 1664525 + 1013904223;
        item.length = static_cast<uint16_t>(14 + (drawn >> 9) % 1500);
        drawn = drawn * 1664525 + 1013904223;
        item.kind = static_cast<uint8_t>((drawn >> 20) % 5);
    }
    for (const int count : {63, 64}) {
        Sums right;
        for (int n = 0; n < count; ++n) {
            const Sums one = add(items + n, 1, 255);
            right.all += one.all, right.second += one.second, right.first += one.first;
        }
        const Sums sums = add(items, count, 255);
        std::printf("%d: %s %s %s\n", count, sums.all == right.all ? "right" : "wrong",
                    sums.second == right.second ? "right" : "wrong",
                    sums.first == right.first ? "right" : "wrong");
    }
}
CODE
# of SUITE PACKAGE VERSION FLAGS...: what it adds up to
of() {
  if [ ! -d "$folder/$1" ]; then
    mmdebstrap --quiet --variant=apt --include="$2=$3,libc6-dev" "$1" "$folder/$1"
    cp "$folder/sums.cc" "$folder/$1/"
  fi
  chroot "$folder/$1" sh -c "$2 -std=c++20 ${*:4} -o sums sums.cc && ./sums" | tr '\n' ' '
}
seen=$(
  echo "14, -O3 v4: $(of trixie g++-14 14.2.0-19 -O3 -march=x86-64-v4)"
  echo "14, -O3 v4, 256 bits: $(of trixie g++-14 14.2.0-19 -O3 -march=x86-64-v4 -mprefer-vector-width=256)"
  echo "14, -O3 v3: $(of trixie g++-14 14.2.0-19 -O3 -march=x86-64-v3)"
  echo "14, -O2 v4: $(of trixie g++-14 14.2.0-19 -O2 -march=x86-64-v4)"
  echo "12, -O3 v4: $(of bookworm g++-12 12.2.0-14+deb12u1 -O3 -march=x86-64-v4)"
)
printf 'all, where kind is 2, where kind is 1\n%s\n' "$seen"
[ "$seen" = "14, -O3 v4: 63: right right right 64: right right wrong 
14, -O3 v4, 256 bits: 63: right right right 64: right right right 
14, -O3 v3: 63: right right right 64: right right right 
14, -O2 v4: 63: right right right 64: right right right 
12, -O3 v4: 63: right right right 64: right right right " ]
