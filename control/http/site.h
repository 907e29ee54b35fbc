// Site: the paths of the HTTP server and what each of them returns (README.md lists them).
//
// Bound: bodies are made at a limited rate (response_cache.h), and the FDB is only shown up to
// `most_addresses` entries. An unknown path, and a parameter without effect, are answered with an
// error that names the right ones. On a loopback address only requests whose Host names this
// machine are answered, so that a page of another site whose own name resolves to this address (DNS
// rebinding) reads nothing. Pages of the origins that `metrics.allow` names may read everything
// (CORS). The page /topology may read the switches of `metrics.topology`, and no page of this
// server may read anything else (CSP).
// If a token is configured, only requests with the token are answered (access_token.h).
// Not done here: sockets (server.h), the snapshots (show/snapshot.h).
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "config/configuration.h"
#include "control/events/event_log.h"
#include "control/http/access_token.h"
#include "control/http/exposition.h"
#include "control/http/page.h"
#include "control/http/request.h"
#include "control/http/response_cache.h"
#include "control/http/server.h"
#include "control/show/snapshot.h"
#include "control/socket/request.h"

namespace sluice::control::http {

// Functions and objects from which a site reads the state of a running switch.
struct SiteSources {
    // Returns a noun. `all`: also the rows that hold only 0. Counters start at the last `clear
    // counters`.
    std::function<Json(std::string_view noun, bool all)> show;
    // Returns a noun with counters that ignore `clear counters`, so that rates can be computed.
    std::function<Json(std::string_view noun, bool all)> show_growing;
    // Returns some rows of a noun, or why there are none.
    std::function<tl::expected<Json, std::string>(const ShowRequest& request)> select;
    std::function<Json()> totals;  // the totals of show/snapshot.h
    // Returns a page of recording `recording`, which begins with entry `from`; null: there is no
    // such recording.
    std::function<Json(uint64_t recording, std::size_t from)> recording = {};
    const EventLog& events;
    std::function<const config::MetricsConfig&()> metrics;  // the current settings
};

class Site {
  public:
    // A larger FDB is only shown by address, because the whole would keep the control thread busy
    // too long.
    static constexpr uint64_t most_addresses = 65536;
    // Limits of the cache of filtered rows and of pages of recordings (response_cache.h): how many
    // bodies it keeps, and which share of the control thread's time making them may take. At a
    // limit, a request that is not cached is refused.
    static constexpr std::size_t most_choices = 64;
    static constexpr double most_share = 0.25;

    Site(SiteSources sources, bool loopback, std::optional<AccessToken> token = {})
        : sources_(std::move(sources)), loopback_(loopback), token_(std::move(token)) {}

    Response answer(const Request& request);

  private:
    Response route(const Request& request);
    Response metrics(const Request& request);
    Response page(const PageFile& file) const;
    [[nodiscard]] Response topology() const;
    Response show(const Request& request, const std::string& noun);
    Response recording(const Request& request);
    Response select(const ShowRequest& wanted, const std::string& name);
    // Returns the cached body of `name`, or the result of `make`. Returns null if the cache is at a
    // limit and does not have the body.
    Body cached_choice(const std::string& name, const std::function<std::string()>& make);
    Response events(const Request& request);
    Body cached_show(const std::string& noun, bool all);

    SiteSources sources_;
    bool loopback_;
    std::optional<AccessToken> token_;
    ResponseCache cache_;
    ResponseCache choices_;  // filtered rows, and pages of recordings
};

// Whether only this machine can reach the endpoint.
bool is_loopback(std::string_view listen);

// Makes the server of a site as configured: its endpoint, TLS, and token.
tl::expected<std::unique_ptr<Server>, std::string> serve(Loop& loop,
                                                         const config::MetricsConfig& metrics,
                                                         SiteSources sources);

}  // namespace sluice::control::http
