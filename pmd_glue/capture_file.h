// CaptureFile: finds the link type of a capture (pcap or pcapng). A port plays only Ethernet;
// libpcap would hand over raw IP, or 802.11, as if it were Ethernet.
//
// The link type stands in the header of a pcap file, and in the description of each interface of a
// pcapng file, of which there may be several, anywhere in it.
// Bound: reads the header of a pcap file; reads a pcapng file once, to its end.
// Not done here: other or damaged files: libpcap refuses them, with the reason.
// Follows draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng and pcaplinktype.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace sluice::pmd {

// The name of a link type, such as RAW; LINKTYPE_N for one that is not known here.
std::string link_type_name(uint32_t link_type);

// Returns what is not Ethernet in a capture, such as `link type RAW` or `link type RAW at interface
// 1`; empty: all is Ethernet.
std::optional<std::string> other_than_ethernet(std::istream& capture);

}  // namespace sluice::pmd
