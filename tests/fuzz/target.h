// FuzzTarget: one of the targets in a program that plays their corpora, found by its name. Each is
// there before main begins: join.py writes one behind every source.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sluice::test {

class FuzzTarget {
  public:
    using Play = int (*)(const uint8_t* octets, std::size_t size);

    FuzzTarget(std::string_view name, Play function)
        : name_(name), play_(function), next_(first()) {
        first() = this;
    }
    FuzzTarget(const FuzzTarget&) = delete;
    FuzzTarget& operator=(const FuzzTarget&) = delete;

    // Null: there is none of that name.
    static const FuzzTarget* find(std::string_view name) {
        const FuzzTarget* target = first();
        while (target != nullptr && target->name_ != name) target = target->next_;
        return target;
    }
    void play(const uint8_t* octets, std::size_t size) const { play_(octets, size); }

  private:
    static const FuzzTarget*& first() {
        static const FuzzTarget* first = nullptr;
        return first;
    }

    const std::string_view name_;
    const Play play_;
    const FuzzTarget* const next_;
};

}  // namespace sluice::test
