// Counts calls of cbrt: one for each element that an iteration makes.
#include <math.h>
extern long long n_cbrt;
static inline double counted_cbrt(double x)
{
	n_cbrt++;
	return (cbrt)(x);
}
#define cbrt(x) counted_cbrt(x)
