// Subtypes: the OUIs and subtypes that identify the TLVs of the dialects.
#pragma once

#include <cstdint>

namespace sluice::dcbx {

inline constexpr uint32_t ieee_oui = 0x0080C2;  // of 802.1: the final standard and 0409v3
inline constexpr uint32_t cee_oui = 0x001B21;

inline constexpr uint8_t congestion_subtype = 8;
inline constexpr uint8_t draft_classes_subtype = 8;
inline constexpr uint8_t ets_subtype = 9;
inline constexpr uint8_t recommendation_subtype = 10;
inline constexpr uint8_t pfc_subtype = 11;
inline constexpr uint8_t application_subtype = 12;
inline constexpr uint8_t draft_congestion_subtype = 13;
inline constexpr uint8_t application_vlan_subtype = 16;
inline constexpr uint8_t cee_subtype = 2;

}  // namespace sluice::dcbx
