// Checks that the compiler vectorises sums correctly: exits with 0 if it does. meson.build runs
// this with the flags of the dataplane. The sums are those of a burst that leaves the buffer
// (ingress/ingress.cc), some of them only over frames with a given octet; every length of a burst
// is tried. gcc 14.2 with vectors of 64 octets (AVX-512) leaves part of a sum out in bursts of 64.
#include <cstddef>
#include <cstdint>

namespace {

struct Item {
    uint64_t before[2];
    uint16_t length;
    uint8_t between[5];
    uint8_t kind;
};
static_assert(sizeof(Item) == 24);

struct Sums {
    int64_t all;
    int64_t first;
    int64_t second;

    friend bool operator==(const Sums&, const Sums&) = default;
};

[[gnu::noinline]] Sums by_vectors(const Item* items, std::size_t count, int64_t mask) {
    int64_t all = 0;
    int64_t first = 0;
    int64_t second = 0;
    for (const Item* item = items; item != items + count; ++item) {
        const int64_t charge = (item->length + mask) & ~mask;
        all += charge;
        first += item->kind == 2 ? charge : 0;
        second += item->kind == 1 ? charge : 0;
    }
    return {all, first, second};
}

// The items are volatile, so the compiler has to read them one by one.
[[gnu::noinline]] Sums one_by_one(const volatile Item* items, std::size_t count, int64_t mask) {
    Sums sums{};
    for (std::size_t n = 0; n < count; ++n) {
        const int64_t charge = (items[n].length + mask) & ~mask;
        const unsigned kind = items[n].kind;
        sums.all += charge;
        if (kind == 2) sums.first += charge;
        if (kind == 1) sums.second += charge;
    }
    return sums;
}

}  // namespace

int main() {
    constexpr std::size_t longest = 256;
    static Item items[longest];
    uint32_t drawn = 7;
    for (Item& item : items) {
        drawn = drawn * 1664525 + 1013904223;
        item.length = static_cast<uint16_t>(14 + (drawn >> 9) % 1500);
        drawn = drawn * 1664525 + 1013904223;
        item.kind = static_cast<uint8_t>((drawn >> 20) % 5);
    }
    for (std::size_t count = 1; count <= longest; ++count) {
        if (by_vectors(items, count, 255) != one_by_one(items, count, 255)) return 1;
    }
    return 0;
}
