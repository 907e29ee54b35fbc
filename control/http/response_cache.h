// ResponseCache: answers that are given again while they are fresh, so that many clients cost what
// one does.
//
// An answer is fresh for `freshness`, or for `ease` times as long as it took to make, if that is
// longer: so all that clients ask for takes control no more than 1/ease of its time for each answer
// that there is, however many they are and however often they ask.
// Bound: one of each name; what is not fresh any more is forgotten at the next look.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "control/http/response.h"

namespace sluice::control::http {

class ResponseCache {
  public:
    static constexpr std::chrono::milliseconds freshness{100};
    static constexpr int ease = 20;

    // `make` returns the text; `now` says what time it is.
    template <class Make, class Now>
    Body get(const std::string& name, Make make, Now now) {
        const Clock::time_point start = now();
        std::erase_if(answers_, [&](const auto& item) { return start >= item.second.stale_at; });
        if (const auto found = answers_.find(name); found != answers_.end()) {
            return found->second.body;
        }
        Body body = body_of(make());
        const Clock::time_point end = now();
        const auto fresh = std::max<Clock::duration>(freshness, (end - start) * ease);
        answers_.emplace(name, Answer{body, end + fresh});
        return body;
    }

  private:
    struct Answer {
        Body body;
        Clock::time_point stale_at;
    };
    std::map<std::string, Answer> answers_;
};

}  // namespace sluice::control::http
