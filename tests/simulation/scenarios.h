#pragma once

#include <vector>

#include "scenario.h"

namespace hodor::simulation {

// Those of the control-law study, section 2.1, by its names: the load rises from half of the
// capacity to a multiple of it, or the capacity falls.
std::vector<Scenario> overloads();

// Section 2.3: less arrives than can be served, in the mean. Nothing may be rejected.
std::vector<Scenario> healthy();

// A step to `multiple` times the capacity of one CPU, from clients that close the connection when
// they give up, so that the server also spends itself on accepting and reading for those who have
// left. `cold`: the first rejections are ten times as dear.
Scenario storm(double multiple, bool cold);

}  // namespace hodor::simulation
