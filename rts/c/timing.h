// The clock that run times are measured with.
#ifndef RD_TIMING_H
#define RD_TIMING_H
#include "object.h"

// @chunk timing: prims
#include <time.h>
// Microseconds since some moment; never goes back.
RD_HOT int64_t rd_wall_time(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
}
// @end
#endif
