// ResponseCache: keeps bodies for a short time, so that many clients cost no more time than one
// client.
//
// A body is fresh for `freshness`, or for `freshness_per_cost` times as long as it took to make, if
// that is longer. So making one body repeatedly takes at most 1/freshness_per_cost of the control
// thread's time, however many clients request it and however often.
// Bound: one body for each name; those that are no longer fresh are removed at the next call.
// `share` is the part of the control thread's time that all names together take.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "control/http/response.h"

namespace sluice::control::http {

class ResponseCache {
  public:
    static constexpr std::chrono::milliseconds freshness{100};
    static constexpr int freshness_per_cost = 20;

    // Returns the fresh body of that name if there is one, otherwise the result of `make`. `now`
    // reads the clock: it is called before and after `make`.
    template <class Make, class Now>
    Body get(const std::string& name, Make make, Now now) {
        const Clock::time_point start = now();
        clean(start);
        if (const auto found = answers_.find(name); found != answers_.end()) {
            return found->second.body;
        }
        Body body = body_of(make());
        const Clock::time_point end = now();
        const auto fresh = std::max<Clock::duration>(freshness, (end - start) * freshness_per_cost);
        const std::chrono::duration<double> cost = end - start;
        answers_.emplace(name, Answer{body, end + fresh, cost / fresh});
        return body;
    }

    [[nodiscard]] std::size_t count() const { return answers_.size(); }
    [[nodiscard]] bool has(const std::string& name) const { return answers_.contains(name); }
    // Returns the share of the control thread's time that is spent if every cached response is made
    // again as soon as it is no longer fresh.
    [[nodiscard]] double share() const {
        double sum = 0;
        for (const auto& [name, answer] : answers_) sum += answer.share;
        return sum;
    }
    // Removes bodies that are no longer fresh.
    void clean(Clock::time_point now) {
        std::erase_if(answers_, [&](const auto& item) { return now >= item.second.stale_at; });
    }

  private:
    struct Answer {
        Body body;
        Clock::time_point stale_at;
        double share;
    };
    std::map<std::string, Answer> answers_;
};

}  // namespace sluice::control::http
