#include "control/http/site.h"
#include "control/http/negotiation.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "config/yaml/endpoint.h"
#include "control/http/event_feed.h"
#include "control/http/openapi.h"
#include "control/show/nouns.h"
#include "control/socket/reply.h"

namespace sluice::control::http {

namespace {

constexpr std::string_view recording_path = "/api/recording/";

Response refused(int status, std::string why) {
    return {.status = status, .body = body_of(std::move(why) + "\n")};
}

// Returns the host name or address in a Host field such as `127.0.0.1:9475`, `[::1]` or
// `localhost`.
std::string host_of(std::string_view field) {
    if (field.starts_with('[')) return std::string(field.substr(1, field.find(']') - 1));
    return std::string(field.substr(0, field.find(':')));
}

bool is_this_machine(std::string_view field) {
    const std::string host = host_of(field);
    return host.empty() || host == "localhost" || !config::ip_address(host).empty();
}

std::optional<uint64_t> whole(std::string_view text) {
    uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size()) return {};
    return number;
}

// Parses `ports,pfc`. `fdb` is not allowed, because the FDB is too long to be sent once a period.
std::optional<std::vector<std::string>> nouns_in(std::string_view list) {
    std::vector<std::string> found;
    while (!list.empty()) {
        const std::string noun(list.substr(0, list.find(',')));
        list.remove_prefix(std::min(noun.size() + 1, list.size()));
        if (!is_noun(noun) || noun == "fdb" || std::ranges::count(found, noun) != 0) return {};
        found.push_back(noun);
    }
    return found;
}

// Parses the query. Without `since` only events after the request are sent. If a browser reconnects
// and sends `Last-Event-ID`, that number replaces `since`.
tl::expected<FeedOptions, std::string> feed_options(const Request& request, uint64_t last) {
    FeedOptions options{.since = last};
    for (const auto& [name, value] : request.query) {
        if (name == "since") {
            const auto number = whole(value);
            if (!number) return tl::unexpected<std::string>("since: the number of an event, or 0");
            options.since = *number;
        } else if (name == "show") {
            auto nouns = nouns_in(value);
            if (!nouns) {
                return tl::unexpected("show: each once, and not fdb, of " + list_of_nouns());
            }
            options.nouns = std::move(*nouns);
        } else if (name == "every") {
            const auto time = whole(value);
            if (!time || *time < FeedOptions::least_every || *time > FeedOptions::most_every) {
                return tl::unexpected(fmt::format("every: milliseconds, {} to {}",
                                                  FeedOptions::least_every,
                                                  FeedOptions::most_every));
            }
            options.every = std::chrono::milliseconds(*time);
        } else {
            return tl::unexpected<std::string>("query: since, show and every");
        }
    }
    if (const auto seen = whole(request.last_event_id)) options.since = *seen;
    return options;
}

// Returns the request that a client of the socket would send (control/README.md); `port` may be
// repeated.
tl::expected<Json, std::string> question_of(const Request& request, const std::string& noun) {
    Json question = {{"show", noun}};
    for (const auto& [name, value] : request.query) {
        if (name == "port") {
            question["ports"].push_back(value);
        } else if (question.contains(name)) {
            return tl::unexpected(name + ": given twice; write it once");
        } else if (name == "all" && (value == "true" || value == "false")) {
            question[name] = value == "true";
        } else if (name == "vlan" || name == "priority") {
            const auto number = whole(value);
            question[name] = number ? Json(*number) : Json(value);
        } else if (name == "address") {
            question[name] = value;
        } else {
            return tl::unexpected<std::string>(
                "query: has no effect; all=true or all=false, port, vlan, address, priority");
        }
    }
    return question;
}

// Adds `refused` to the noun `tunnels`: one row for each underlay port and reason.
Json with_refusals(Json tunnels) {
    Json refused = Json::array();
    for (const Json& below : tunnels.at("underlays")) {
        for (const auto& [reason, frames] : below.at("refused").items()) {
            refused.push_back({{"port", below.at("port")}, {"reason", reason}, {"frames", frames}});
        }
    }
    tunnels["refused"] = std::move(refused);
    return tunnels;
}

bool allows(const config::MetricsConfig& metrics, const std::string& origin) {
    return std::ranges::count(metrics.allow, origin) != 0;
}

// The feed of a page of another origin. It ends when `metrics.allow` no longer names the origin.
class AllowedFeed : public Feed {
  public:
    AllowedFeed(std::unique_ptr<Feed> feed, std::function<bool()> is_allowed)
        : feed_(std::move(feed)), is_allowed_(std::move(is_allowed)) {}

    std::string next(Clock::time_point now) override {
        is_over_ = is_over_ || !is_allowed_();
        return is_over_ ? std::string() : feed_->next(now);
    }
    [[nodiscard]] bool is_over() const override { return is_over_; }

  private:
    std::unique_ptr<Feed> feed_;
    std::function<bool()> is_allowed_;
    bool is_over_ = false;
};

}  // namespace

Response Site::answer(const Request& request) {
    Response response = route(request);
    if (!allows(sources_.metrics(), request.origin)) return response;
    response.allowed_origin = request.origin;
    if (response.feed) {
        response.feed = std::make_unique<AllowedFeed>(
            std::move(response.feed),
            [this, origin = request.origin] { return allows(sources_.metrics(), origin); });
    }
    return response;
}

Response Site::route(const Request& request) {
    if (token_ && !token_->opens(request.authorization)) {
        return refused(401,
                       "token: missing or wrong; send Authorization: Bearer TOKEN, or the token as "
                       "password, of metrics.token_file");
    }
    if (loopback_ && !is_this_machine(request.host)) {
        return refused(421, "host: not this machine; use 127.0.0.1 or localhost");
    }
    if (request.path == "/metrics") return metrics(request);
    if (request.path == "/api/events") return events(request);
    if (request.path == "/api/topology") return topology();
    if (request.path.starts_with(recording_path)) return recording(request);
    if (request.path == openapi_path) {
        return {.type = "application/json", .body = body_of(on_one_line(openapi()))};
    }
    constexpr std::string_view shown = "/api/show/";
    if (request.path.starts_with(shown)) return show(request, request.path.substr(shown.size()));
    for (const PageFile& file : page_files()) {
        if (file.path == request.path) return page(file);
    }
    return refused(404,
                   "nothing is here; /, /topology, /metrics, /api/show/NOUN, /api/recording/N, "
                   "/api/events, /api/topology or /api/openapi.json");
}

Response Site::page(const PageFile& file) const {
    Response response{.type = file.type, .body = body_of(std::string(file.text))};
    if (file.path != "/topology") return response;
    for (const config::OtherSwitch& other : sources_.metrics().others) {
        response.connect_sources += " " + other.url;
    }
    return response;
}

// Returns the other switches that the page shows. The browser sends a request to each of them
// itself.
Response Site::topology() const {
    Json list = Json::array();
    for (const config::OtherSwitch& other : sources_.metrics().others) {
        list.push_back({{"name", other.name}, {"url", other.url}});
    }
    return {.type = "application/json", .body = body_of(on_one_line(list))};
}

bool is_loopback(std::string_view listen) {
    const auto endpoint = config::parse_endpoint(listen);
    return endpoint && endpoint->is_loopback();
}

tl::expected<std::unique_ptr<Server>, std::string> serve(Loop& loop,
                                                         const config::MetricsConfig& metrics,
                                                         SiteSources sources) {
    const auto endpoint = config::parse_endpoint(metrics.listen);
    if (!endpoint) return tl::unexpected(std::string("metrics.listen: no address with a port"));
    std::optional<AccessToken> token;
    if (!metrics.token_file.empty()) {
        auto read = AccessToken::read(metrics.token_file);
        if (!read) return tl::unexpected(std::move(read.error()));
        token = std::move(*read);
    }
    std::shared_ptr<const Tls> tls;
    if (!metrics.certificate.empty()) {
        auto loaded = Tls::load(metrics.certificate, metrics.key);
        if (!loaded) return tl::unexpected(std::move(loaded.error()));
        tls = std::move(*loaded);
    }
    const auto site =
        std::make_shared<Site>(std::move(sources), endpoint->is_loopback(), std::move(token));
    return Server::listen(
        loop, *endpoint, [site](const Request& request) { return site->answer(request); },
        Server::default_idle_timeout, std::move(tls));
}

Body Site::cached_show(const std::string& noun, bool all) {
    return cache_.get(
        noun + (all ? "?all" : ""), [&] { return on_one_line(sources_.show(noun, all)); },
        Clock::now);
}

Response Site::show(const Request& request, const std::string& noun) {
    if (!is_noun(noun)) return refused(404, "show: no such noun; one of " + list_of_nouns());
    const auto question = question_of(request, noun);
    if (!question) return refused(400, question.error());
    const auto wanted = parse_request(on_one_line(*question));
    if (!wanted) return refused(400, wanted.error());
    const auto& rows = std::get<ShowRequest>(*wanted);
    if (noun == "fdb" && !rows.filter.address &&
        sources_.totals().at("fdb_entries") > most_addresses) {
        return refused(503, fmt::format("fdb: more than {} addresses; `sluice show fdb` has them, "
                                        "address=MAC one of them",
                                        most_addresses));
    }
    if (!rows.filter.wants_all()) return select(rows, on_one_line(*question));
    return {.type = "application/json", .body = cached_show(noun, rows.all)};
}

Body Site::cached_choice(const std::string& name, const std::function<std::string()>& make) {
    choices_.clean(Clock::now());
    const bool is_full = choices_.count() >= most_choices || choices_.share() >= most_share;
    if (is_full && !choices_.has(name)) return nullptr;
    return choices_.get(name, make, Clock::now);
}

Response Site::select(const ShowRequest& wanted, const std::string& name) {
    // Caches the rows, or the reason why there are none. The reason begins with a word, rows with a
    // bracket or a brace.
    const Body body = cached_choice(name, [&] {
        const auto rows = sources_.select(wanted);
        return rows ? on_one_line(*rows) : rows.error() + "\n";
    });
    if (!body) return refused(503, "show: too many different rows at once; retry in a second");
    if (body->front() != '[' && body->front() != '{') return {.status = 400, .body = body};
    return {.type = "application/json", .body = body};
}

Response Site::recording(const Request& request) {
    const auto number = whole(request.path.substr(recording_path.size()));
    std::optional<uint64_t> from = 0;
    for (const auto& [name, value] : request.query) {
        from = name == "from" ? whole(value) : std::nullopt;
        if (!from) return refused(400, "query: only `from`, the number of an entry");
    }
    Body page;
    if (number && sources_.recording) {
        page = cached_choice(fmt::format("{} from {}", *number, *from), [&] {
            const Json found = sources_.recording(*number, *from);
            return found.is_null() ? std::string() : on_one_line(found);
        });
        if (!page) return refused(503, "recording: too many pages at once; retry in a second");
    }
    if (!page || page->empty()) {
        return refused(404, "recording: no such number; /api/show/recorder lists all");
    }
    return {.type = "application/json", .body = page};
}

Response Site::events(const Request& request) {
    auto options = feed_options(request, sources_.events.count());
    if (!options) return refused(400, options.error());
    return {.type = "text/event-stream",
            .feed = std::make_unique<EventFeed>(
                sources_.events, std::move(*options),
                [this](const std::string& noun) { return cached_show(noun, false); })};
}

// Includes drop reasons that never occurred, so that a rate sees the first drop as a step from 0,
// and groups without frames, so that their XOFF and XON levels are known beforehand.
Response Site::metrics(const Request& request) {
    if (!request.query.empty())
        return refused(400, "query: has no effect; use /metrics without it");
    const TextFormat format = format_for(request.accept);
    const auto show_of = [this](std::string_view noun) {
        if (noun == "totals") return sources_.totals();
        if (noun == "tunnels") return with_refusals(sources_.show_growing(noun, false));
        return sources_.show_growing(noun, noun == "drops" || noun == "buffer");
    };
    return {.type = content_type(format),
            .body = cache_.get(
                format == TextFormat::openmetrics ? "openmetrics" : "text",
                [&] { return exposition(format, show_of); }, Clock::now)};
}

}  // namespace sluice::control::http
