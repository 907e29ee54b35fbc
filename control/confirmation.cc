#include "control/confirmation.h"

#include <cassert>
#include <utility>

namespace sluice::control {

Confirmation::Confirmation(Loop& loop, std::function<void(const Text&)> go_back)
    : loop_(loop), go_back_(std::move(go_back)) {}

void Confirmation::adopted(Text before, std::optional<std::chrono::seconds> within) {
    if (!within) {
        confirm();
        return;
    }
    if (!before_) before_ = std::move(before);
    timer_ = loop_.every(*within, [this] {
        assert(before_);
        const Text back = *std::exchange(before_, std::nullopt);
        const auto over = std::move(timer_);  // destroyed when this function returns
        go_back_(back);
    });
}

bool Confirmation::confirm() {
    timer_.reset();
    return std::exchange(before_, std::nullopt).has_value();
}

}  // namespace sluice::control
