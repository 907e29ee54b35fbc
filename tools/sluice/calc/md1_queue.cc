#include "tools/sluice/calc/md1_queue.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sluice::cli {

namespace {

// More arrivals than this while one frame is sent are negligible for any load from 0.001 on: even
// relative to a tail that falls by e^-theta a frame, their probability is below 1e-60.
constexpr std::size_t most_arrivals = 128;
using Arrivals = std::array<double, most_arrivals>;

// Returns P(A > i) for each i.
Arrivals more_arrivals_than(double load) {
    Arrivals exactly{};
    exactly[0] = std::exp(-load);
    for (std::size_t i = 1; i < most_arrivals; ++i) {
        exactly[i] = exactly[i - 1] * load / static_cast<double>(i);
    }
    Arrivals more{};
    for (std::size_t i = most_arrivals - 1; i > 0; --i) more[i - 1] = more[i] + exactly[i];
    return more;
}

double next(const std::vector<double>& found, const Arrivals& more, double none) {
    const std::size_t n = found.size() - 1;
    double up = n < most_arrivals ? found[0] * more[n] : 0;
    const std::size_t first = n + 2 > most_arrivals ? n + 2 - most_arrivals : 1;
    for (std::size_t k = first; k <= n; ++k) up += found[k] * more[n + 1 - k];
    return up / none;
}

}  // namespace

Md1Queue::Md1Queue(double load, double rarest) : load_(load) {
    constexpr double negligible = 1e-15;
    const Arrivals more = more_arrivals_than(load);
    const double none = std::exp(-load);
    std::vector<double> found = {1 - load};  // P(n frames) at index n
    double rest = 1;                         // sum of the last term and all later ones
    while (rest > rarest * negligible) {
        found.push_back(next(found, more, none));
        const double ratio = found.back() / found[found.size() - 2];
        if (ratio < 1) rest = found.back() / (1 - ratio);
    }
    beyond_.resize(found.size());
    double sum = 0;
    for (std::size_t n = found.size(); n-- > 0; sum += found[n]) beyond_[n] = sum;
}

double Md1Queue::beyond(std::size_t frames) const {
    return frames < beyond_.size() ? beyond_[frames] : 0;
}

int64_t Md1Queue::quantile(double probability) const {
    return std::partition_point(beyond_.begin(), beyond_.end(),
                                [=](double tail) { return tail > probability; }) -
           beyond_.begin();
}

double Md1Queue::loss(std::size_t room) const {
    const double full = room == 0 ? 1 : beyond(room - 1);
    return (1 - load_) * full / (1 - load_ * full);
}

int64_t Md1Queue::room_for_loss(double share) const {
    std::size_t room = 0;
    while (loss(room) > share) ++room;
    return static_cast<int64_t>(room);
}

double md1_decay(double load) {
    // Newton's method converges from above, since the function is convex and the start is above the
    // root.
    constexpr int enough_steps = 64;
    double theta = -2 * std::log(load);
    for (int step = 0; step < enough_steps; ++step) {
        theta -= (load * std::expm1(theta) - theta) / (load * std::exp(theta) - 1);
    }
    return theta;
}

double md1_quoted_quantile(double load, double probability) {
    const double theta = md1_decay(load);
    const double front = (1 - load) / (load + std::exp(-theta));
    return std::max(0.0, std::log(front / probability) / theta);
}

int64_t mm1_quantile(double load, double probability) {
    const double frames = std::ceil(std::log(probability) / std::log(load)) - 1;
    return static_cast<int64_t>(std::max(0.0, frames));
}

int64_t mm1_room_for_loss(double load, double share) {
    double full = 1;  // load^room
    for (int64_t room = 0;; ++room, full *= load) {
        if ((1 - load) * full / (1 - load * full) <= share) return room;
    }
}

}  // namespace sluice::cli
