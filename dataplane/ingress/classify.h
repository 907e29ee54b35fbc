// Classifier: the priority of a frame, from tables (802.1Q 6.9.3 for PCP, RFC 2474 for DSCP). The
// port's order lists the sources; the first that the frame has decides: PCP of a tagged frame, DSCP
// of IP, the traffic class if the port's format has one, the DSCP of RoCEv2, or the table of
// applications if an entry matches (802.1Q D.2.11). In that table a match by port precedes one by
// DSCP, and a match by DSCP one by EtherType; among equals the first entry wins. If no source
// decides, the port's default priority applies. The constructor drops sources that frames of the
// port cannot have.
// Bound: one table read a frame if the tag and the EtherType decide; else one comparison for each
// source and each application.
#pragma once

#include <array>
#include <span>

#include "dataplane/ingress/parse.h"
#include "dataplane/types/frame_format.h"
#include "dataplane/types/settings.h"

namespace sluice {

class Classifier {
  public:
    Classifier() : Classifier(ClassifySettings{}, FrameFormat{}) {}
    Classifier(const ClassifySettings& settings, const FrameFormat& format) : settings_(settings) {
        settings_.order.fill(PrioritySource::none);
        std::size_t place = 0;
        for (const PrioritySource source : settings.order) {
            const bool empty =
                source == PrioritySource::application && settings.application_count == 0;
            if (exists(source, format) && !empty) settings_.order[place++] = source;
        }
        for (std::size_t kind = 0; kind < kinds; ++kind) first_[kind] = first_of(kind);
    }

    [[nodiscard]] Priority operator()(const Headers& headers,
                                      std::span<const uint8_t> octets) const {
        const PrioritySource first = first_[kind_of(headers)];
        const bool octets_decide =
            first == PrioritySource::roce || first == PrioritySource::application;
        if (octets_decide) [[unlikely]]
            return decide(headers, octets).priority;
        return priority_by(first, headers);
    }
    // The priority, and the source that decided; `none`: the port's default applies.
    struct Decision {
        Priority priority;
        PrioritySource source;
    };
    [[nodiscard]] Decision decide(const Headers& headers, std::span<const uint8_t> octets) const {
        for (const PrioritySource source : settings_.order) {
            if (source == PrioritySource::none) break;
            if (source == PrioritySource::application) [[unlikely]] {
                const ApplicationPriority* const found = application_of(
                    {headers.ether_type, headers.network_offset, headers.dscp}, octets);
                if (found != nullptr) return {found->priority, source};
            } else if (has(source, headers, octets)) {
                return {priority_by(source, headers), source};
            }
        }
        return {settings_.default_priority, PrioritySource::none};
    }

  private:
    // Returns the priority by a source that the frame has; for `none`, the port's default.
    [[nodiscard]] Priority priority_by(PrioritySource source, const Headers& headers) const {
        if (source == PrioritySource::pcp) return settings_.pcp_to_priority[headers.pcp];
        if (source == PrioritySource::traffic_class) {
            return settings_.tc_to_priority[headers.traffic_class];
        }
        if (source == PrioritySource::none) return settings_.default_priority;
        return settings_.dscp_to_priority[headers.dscp];
    }
    static bool has(PrioritySource source, const Headers& headers,
                    std::span<const uint8_t> octets) {
        if (source == PrioritySource::pcp) return headers.tagged;
        if (source == PrioritySource::dscp) return headers.network_offset != 0;
        return source == PrioritySource::traffic_class || is_roce(octets, headers);
    }
    // Kinds of frame: tagged or not, IP or not.
    static constexpr std::size_t kinds = 4;
    static std::size_t kind_of(const Headers& headers) {
        return std::size_t{headers.tagged} + (headers.network_offset != 0 ? 2 : 0);
    }
    // Returns the first source in the port's order that frames of a kind have or may have. Whether
    // a frame is RoCEv2 or matches an application depends on its octets.
    [[nodiscard]] PrioritySource first_of(std::size_t kind) const {
        const bool tagged = (kind & 1) != 0;
        const bool ip = (kind & 2) != 0;
        for (const PrioritySource source : settings_.order) {
            const bool needs_ip = source == PrioritySource::dscp || source == PrioritySource::roce;
            if ((source != PrioritySource::pcp || tagged) && (!needs_ip || ip)) return source;
        }
        return PrioritySource::none;
    }
    // The fields that identify an application, other than its ports. They are copied from the
    // headers: headers whose address is passed to a function could not stay in registers.
    struct Protocols {
        uint16_t ether_type;
        uint8_t network_offset;
        uint8_t dscp;
    };
    // Returns the entry that matches best, or null if none matches.
    [[nodiscard, gnu::noinline]] const ApplicationPriority* application_of(
        Protocols headers, std::span<const uint8_t> octets) const {
        const Transport transport = transport_of(octets, headers.network_offset);
        const ApplicationPriority* best = nullptr;
        int best_closeness = 0;
        for (uint8_t n = 0; n < settings_.application_count; ++n) {
            const ApplicationPriority& application = settings_.applications[n];
            const int closeness = closeness_of(application, headers, transport);
            if (closeness <= best_closeness) continue;
            best = &application;
            best_closeness = closeness;
        }
        return best;
    }
    // Returns the rank of an entry's match, in the order of the header comment; 0: no match.
    static int closeness_of(const ApplicationPriority& application, const Protocols& headers,
                            const Transport& transport) {
        const uint16_t protocol = application.protocol;
        const bool is_its_port =
            transport.source_port == protocol || transport.destination_port == protocol;
        switch (application.selector) {
            case ApplicationSelector::ethertype:
                if (protocol == 0) return 1;
                return headers.ether_type == protocol ? 2 : 0;
            case ApplicationSelector::dscp:
                return headers.network_offset != 0 && headers.dscp == protocol ? 3 : 0;
            case ApplicationSelector::tcp:
                return transport.protocol == tcp_protocol && is_its_port ? 4 : 0;
            case ApplicationSelector::udp:
                return transport.protocol == udp_protocol && is_its_port ? 4 : 0;
            case ApplicationSelector::port:
                return transport.protocol != 0 && is_its_port ? 4 : 0;
        }
        return 0;
    }
    static bool exists(PrioritySource source, const FrameFormat& format) {
        switch (source) {
            case PrioritySource::pcp:
            case PrioritySource::application:
                return format.ether_type;
            case PrioritySource::dscp:
            case PrioritySource::roce:
                return format.ip;
            case PrioritySource::traffic_class:
                return format.traffic_class.exists();
            case PrioritySource::none:
                break;
        }
        return false;
    }

    std::array<PrioritySource, kinds> first_{};  // indexed by kind of frame
    ClassifySettings settings_;
};

}  // namespace sluice
