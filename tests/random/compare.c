// What outcomes of random programs must have in common: those of all ways with each other, and the
// derivatives among themselves.
#include "run.h"

#include <math.h>

static double scale_of(const double *a, int n)
{
	double most = 1;
	for (int i = 0; i < n; i++)
		most = fmax(most, fabs(a[i]));
	return most;
}

bool all_moderate(const Outcome *o)
{
	for (int i = 0; i < o->n; i++)
		if (!(fabs(o->numbers[i]) < 1e7))
			return false;
	return true;
}

static const char *differ(const double *a, const double *b, int n, double tolerance)
{
	double scale = scale_of(a, n);
	for (int i = 0; i < n; i++)
		if (!(fabs(a[i] - b[i]) <= tolerance * scale))
			return text("component %d: %.12g and %.12g", i, a[i], b[i]);
	return NULL;
}

static double some(int i)
{
	return sin(1.7 * i + 0.3) + 0.1;
}

// Forward mode, reverse mode and differences of one outcome.
static const char *first_order(const Random *r, const Outcome *o, int64_t *smooth)
{
	int n = (int)r->n, m = (int)r->m;
	const double *y = o->numbers, *y2 = y + n, *g = y2 + n, *t = g + n + m, *at = t + n;
	const char *d = differ(y, y2, n, 1e-11);
	if (d)
		return text("values of vjp2 and jvp2, %s", d);
	for (int k = 0; k < 2; k++) {
		double scaled[NUMBERS] = {0};
		for (int i = 0; i < n; i++)
			scaled[i] = (k + 1) * t[i];
		d = differ(scaled, at + 4 + k * n, n, 1e-9);
		if (d)
			return text("jvp and direction %d of jmp, %s", k, d);
	}
	double forward = 0, backward = 0, scale = fmax(scale_of(g, n + m), scale_of(t, n));
	for (int i = 0; i < n; i++)
		forward += t[i] * some(i);
	for (int i = 0; i < n; i++)
		backward += g[i] * some(i);
	for (int i = 0; i < m; i++)
		backward += g[n + i] * some(i);
	if (!(fabs(forward - backward) <= 1e-8 * scale))
		return text("forward %.12g, reverse %.12g", forward, backward);
	double h = 1e-4, d1 = (at[0] - at[1]) / (2 * h), d2 = (at[2] - at[3]) / (4 * h);
	double value = 0;
	for (int i = 0; i < n; i++)
		value += y[i] * some(i);
	// Where second differences at two steps do not have the ratio of a smooth function, there
	// is a kink nearby.
	double s1 = at[0] + at[1] - 2 * value, s2 = at[2] + at[3] - 2 * value;
	if (fabs(s2 - 4 * s1) > 1e-6 * scale * h || fabs(d1 - d2) > 1e-3 * scale)
		return NULL;
	++*smooth;
	double best = d1 + (d1 - d2) / 3;
	if (fabs(best - forward) > 1e-4 * scale + 10 * fabs(d1 - d2))
		return text("derivative %.10g, differences %.10g", forward, best);
	return NULL;
}

static const char *second_order(const Random *r, const Outcome *o)
{
	int k = (int)(r->n + r->m);
	const double *a = o->numbers;
	const char *d = differ(a, a + k, k, 1e-7);
	if (d)
		return text("Hessian: jvp of vjp, vjp of vjp, %s", d);
	d = differ(a, a + 2 * k, k, 1e-7);
	return d ? text("Hessian: jvp of vjp, vjp of jvp, %s", d) : NULL;
}

const char *compare_outcomes(const Random *r, const Outcome *a, const Outcome *b)
{
	if (b->state != GAVE)
		return b->state == FAILED ? b->why : "was not run";
	if (a->n != b->n)
		return text("%d numbers, not %d", b->n, a->n);
	return differ(a->numbers, b->numbers, a->n, r->exact ? 0 : 1e-8);
}

// Of a program whose numbers are not to be compared only that it failed matters.
static const char *compare_ways(const Random *r, const Outcome *plain, const Outcome *second,
                                Outcomes *other, int i)
{
	const Outcome *o = &other->first[i];
	const char *why = plain ? compare_outcomes(r, plain, o)
	                : o->state == FAILED ? o->why : NULL;
	return why || !second ? why : compare_outcomes(r, second, &other->second[i]);
}

const char *verdict(const Random *r, Outcomes *all[N_WAYS], int i, Counts *counts)
{
	const Outcome *plain = &all[PLAIN]->first[i], *second = NULL;
	counts->programs++;
	if (plain->state != GAVE)
		return text("interpreter: %s", plain->state == FAILED ? plain->why : "was not run");
	if (!all_moderate(plain)) {
		counts->vacuous++;
		plain = NULL;
	} else if (!r->sizes) {
		const char *why = first_order(r, plain, &counts->smooth);
		if (why)
			return text("interpreter: %s", why);
	}
	if (r->second && plain && all_moderate(&all[PLAIN]->second[i])) {
		second = &all[PLAIN]->second[i];
		const char *why = second->state == FAILED ? second->why : second_order(r, second);
		if (why)
			return text("interpreter: %s", why);
		counts->second++;
	}
	for (int w = PLAIN + 1; w < N_WAYS; w++) {
		const char *why = all[w] ? compare_ways(r, plain, second, all[w], i) : NULL;
		if (why)
			return text("%s: %s", way_name[w], why);
	}
	return NULL;
}
