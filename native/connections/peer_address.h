#pragma once

#include <optional>

#include "options/address_range.h"

namespace hodor::connections {

// The address at the other end of a TCP connection, all of its bits; that of an IPv4 client is one
// wherever the socket is bound to. Nothing of other descriptors, or of one that is not connected.
std::optional<options::AddressRange> peerAddress(int descriptor);

}  // namespace hodor::connections
