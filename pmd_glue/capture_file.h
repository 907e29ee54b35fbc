// CaptureFile: finds the link type of a capture (pcap or pcapng). A port plays only Ethernet;
// libpcap would hand over raw IP, or 802.11, as if it were Ethernet.
//
// The link type is in the header of a pcap file. In a pcapng file each interface description has
// one; there may be several, anywhere in the file.
// Bound: reads the header of a pcap file; reads a pcapng file once, to its end.
// Not done here: other or damaged files: libpcap refuses them, with the reason.
// Follows draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng and pcaplinktype.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

namespace sluice::pmd {

// Returns the name of a link type, such as RAW; LINKTYPE_N if the name is not known here.
std::string link_type_name(uint32_t link_type);

// Returns the first link type that is not Ethernet, such as `link type RAW` or `link type RAW at
// interface 1`; nothing if all are Ethernet.
std::optional<std::string> other_than_ethernet(std::istream& capture);

}  // namespace sluice::pmd
