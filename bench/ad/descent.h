// What particle and saddle share: gradient descent in n dimensions, as in descent.fut.
#include <math.h>
#include <string.h>

enum { MOST = 2 };

// A function and its gradient, each with what it depends on besides x.
typedef double Function(const double *x, const void *env);
typedef void Gradient(double *g, const double *x, const void *env);

static double distance(const double *x, const double *y, int n)
{
	double s = 0;
	for (int i = 0; i < n; i++)
		s += (x[i] - y[i]) * (x[i] - y[i]);
	return sqrt(s);
}

// Replaces x by where f is least near it.
static inline void argmin(double *x, int n, Function *f, Gradient *gradient, const void *env)
{
	const double tiny = 1e-5, zero[MOST] = {0};
	double g[MOST], eta = 1e-5, fx = f(x, env);
	int successes = 0;
	gradient(g, x, env);
	while (!(distance(g, zero, n) <= tiny)) {
		if (successes == 10) {
			eta *= 2;
			successes = 0;
			continue;
		}
		double next[MOST];
		for (int i = 0; i < n; i++)
			next[i] = x[i] - eta * g[i];
		if (distance(x, next, n) <= tiny)
			return;
		double fn = f(next, env);
		if (fn < fx) {
			memcpy(x, next, (size_t)n * sizeof *x);
			fx = fn;
			gradient(g, x, env);
			successes++;
		} else {
			eta /= 2;
			successes = 0;
		}
	}
}
