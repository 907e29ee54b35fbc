#include "control/http/openapi.h"

#include <string>

#include "config/version.h"
#include "control/http/event_feed.h"
#include "control/show/filter.h"
#include "control/show/nouns.h"

namespace sluice::control::http {

namespace {

Json answered(std::string_view what, std::string_view type, Json schema) {
    return {{"description", what},
            {"content", {{std::string(type), {{"schema", std::move(schema)}}}}}};
}

Json refused_by(std::initializer_list<std::pair<const char*, const char*>> statuses) {
    Json responses = Json::object();
    for (const auto& [status, why] : statuses) {
        responses[status] = answered(why, "text/plain; charset=utf-8", {{"type", "string"}});
    }
    return responses;
}

Json get(std::string_view id, std::string_view summary, Json parameters, Json responses) {
    return {{"get",
             {{"operationId", id},
              {"summary", summary},
              {"parameters", std::move(parameters)},
              {"responses", std::move(responses)}}}};
}

Json in_query(std::string_view name, std::string_view what, Json schema) {
    return {{"name", name}, {"in", "query"}, {"description", what}, {"schema", std::move(schema)}};
}

// Returns the parameters that select rows of a noun.
Json choices_of(const Noun& noun) {
    Json parameters = Json::array();
    const auto add = [&](const ShowFilter& by, Json parameter, Json example) {
        if (!refusal_of(by, noun.name).empty()) return;
        parameter["example"] = std::move(example);
        parameters.push_back(std::move(parameter));
    };
    add({.ports = {"p0"}},
        in_query("port", "rows of this port, at either end; may be repeated",
                 {{"type", "array"}, {"items", {{"type", "string"}}}, {"maxItems", max_ports}}),
        "p0");
    add({.ports = {}, .vlan = VlanId{1}},
        in_query("vlan", "rows of this VLAN",
                 {{"type", "integer"}, {"minimum", 1}, {"maximum", 4094}}),
        1);
    add({.ports = {}, .address = MacAddress{}},
        in_query("address", "rows of this address", {{"type", "string"}}), "02:00:00:00:00:01");
    add({.ports = {}, .priority = Priority{0}},
        in_query("priority", "rows of this priority",
                 {{"type", "integer"}, {"minimum", 0}, {"maximum", 7}}),
        3);
    return parameters;
}

Json show_path(const Noun& noun) {
    Json responses = refused_by(
        {{"400", "a parameter without effect"}, {"503", "too large for HTTP; use the command"}});
    responses["200"] = answered("as `sluice show NOUN --json`, at most a tenth of a second old",
                                "application/json", {{"type", Json::array({"array", "object"})}});
    const Json all =
        in_query("all", "include rows whose counters are all 0", {{"type", "boolean"}});
    Json parameters = choices_of(noun);
    parameters.insert(parameters.begin(), all);
    return get("show_" + std::string(noun.name), noun.help, std::move(parameters),
               std::move(responses));
}

Json events_path() {
    Json responses = refused_by({{"400", "a parameter without effect"}});
    responses["200"] = answered("server-sent events: one for each event, `id` is its number",
                                "text/event-stream", {{"type", "string"}});
    return get(
        "events", "the event log as it grows, and nouns once a period",
        Json::array({in_query("since", "from the event after this number; 0: from the first kept",
                              {{"type", "integer"}, {"minimum", 0}}),
                     in_query("show", "nouns, with commas between them", {{"type", "string"}}),
                     in_query("every", "milliseconds between two looks at them",
                              {{"type", "integer"},
                               {"minimum", FeedOptions::least_every},
                               {"maximum", FeedOptions::most_every}})}),
        std::move(responses));
}

}  // namespace

Json openapi() {
    Json paths = Json::object();
    for (const Noun& noun : nouns) paths["/api/show/" + std::string(noun.name)] = show_path(noun);
    paths["/api/events"] = events_path();
    paths["/api/topology"] = get(
        "topology", "the switches that `metrics.topology` names", Json::array(),
        {{"200",
          answered("their names and where they answer", "application/json", {{"type", "array"}})}});
    Json recording_responses =
        refused_by({{"400", "a parameter without effect"},
                    {"404", "there is no recording of that number"},
                    {"503", "too many pages at once; the same again in a second"}});
    recording_responses["200"] = answered("as a page of `sluice record dump N --json`, with `next`",
                                          "application/json", {{"type", "object"}});
    Json number{{"name", "number"},
                {"in", "path"},
                {"required", true},
                {"description", "as `recorder` lists them"},
                {"schema", {{"type", "integer"}, {"minimum", 1}}}};
    paths["/api/recording/{number}"] =
        get("recording", "what workers recorded of their queues around a trigger",
            Json::array({std::move(number), in_query("from", "from this entry on",
                                                     {{"type", "integer"}, {"minimum", 0}})}),
            std::move(recording_responses));
    Json exposition = answered("a line a value", "text/plain; version=0.0.4", {{"type", "string"}});
    Json& types = exposition["content"];
    types["application/openmetrics-text; version=1.0.0"] = {{"schema", {{"type", "string"}}}};
    paths["/metrics"] = get("metrics", "all metrics; in OpenMetrics for who accepts that",
                            Json::array(), {{"200", std::move(exposition)}});
    return {{"openapi", "3.1.0"},
            {"info",
             {{"title", "Sluice"},
              {"description",
               "State and counters of a lossless Ethernet switch. The API is read-only."},
              {"version", version()}}},
            // An empty object makes the token optional: it is only required with
            // metrics.token_file.
            {"security", Json::array({Json::object(), {{"token", Json::array()}}})},
            {"components",
             {{"securitySchemes", {{"token", {{"type", "http"}, {"scheme", "bearer"}}}}}}},
            {"paths", std::move(paths)}};
}

}  // namespace sluice::control::http
