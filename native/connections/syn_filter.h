#pragma once

#include <linux/filter.h>

#include <span>
#include <vector>

#include "options/address_range.h"

namespace hodor::connections {

// A program of classic BPF for a listening TCP socket: it drops a random share of the packets that
// ask for a new connection (SYN without ACK), and nothing else. On connections, which inherit it,
// nothing matches.
//
// `passing`: the share that passes, 0..1. `exempt`: sources that always pass, at most 80 of them. A
// client of IPv4 is one wherever the socket is bound to. Pure.
std::vector<sock_filter> synFilter(double passing, std::span<const options::AddressRange> exempt);

}  // namespace hodor::connections
