// A charge that makes a particle land below the origin.  By hand: the force is a formula, its
// derivative by w goes along with the simulation (one direction, so that this is the fast way).
#include "particle.h"
#include "ad.h"
#include "descent.h"

// The force at x, from charges at (10, 10 - w) and (10, 0).
static void force(double a[2], const double x[2], double w)
{
	double dx = x[0] - 10, y1 = x[1] - (10 - w), y2 = x[1];
	double r1 = dx * dx + y1 * y1, r2 = dx * dx + y2 * y2;
	double i1 = 1 / (r1 * sqrt(r1)), i2 = 1 / (r2 * sqrt(r2));
	a[0] = dx * i1 + dx * i2;
	a[1] = y1 * i1 + y2 * i2;
}

// The force and its derivative in the direction (xt, 1) of (x, w).
static void force_t(double a[2], double at[2], const double x[2], const double xt[2], double w)
{
	double dx = x[0] - 10, y1 = x[1] - (10 - w), y2 = x[1];
	double dxt = xt[0], y1t = xt[1] + 1, y2t = xt[1];
	double r1 = dx * dx + y1 * y1, r2 = dx * dx + y2 * y2;
	double i1 = 1 / (r1 * sqrt(r1)), i2 = 1 / (r2 * sqrt(r2));
	double i1t = -3 * i1 / r1 * (dx * dxt + y1 * y1t), i2t = -3 * i2 / r2 * (dx * dxt + y2 * y2t);
	a[0] = dx * i1 + dx * i2;
	a[1] = y1 * i1 + y2 * i2;
	at[0] = dxt * (i1 + i2) + dx * (i1t + i2t);
	at[1] = y1t * i1 + y1 * i1t + y2t * i2 + y2 * i2t;
}

static double landing(const double *w, const void *env)
{
	const double dt = 0.1;
	double x[2] = {0, 8}, v[2] = {0.75, 0};
	(void)env;
	while (x[1] + dt * v[1] > 0) {
		double a[2];
		force(a, x, *w);
		for (int i = 0; i < 2; i++) {
			x[i] += dt * v[i];
			v[i] += dt * a[i];
		}
	}
	double end = x[0] - x[1] / v[1] * v[0];
	return end * end;
}

static void landing_t(double *g, const double *w, const void *env)
{
	const double dt = 0.1;
	double x[2] = {0, 8}, v[2] = {0.75, 0}, xt[2] = {0}, vt[2] = {0};
	(void)env;
	while (x[1] + dt * v[1] > 0) {
		double a[2], at[2];
		force_t(a, at, x, xt, *w);
		for (int i = 0; i < 2; i++) {
			x[i] += dt * v[i];
			xt[i] += dt * vt[i];
			v[i] += dt * a[i];
			vt[i] += dt * at[i];
		}
	}
	double t = -x[1] / v[1], tt = -(xt[1] + t * vt[1]) / v[1];
	double end = x[0] + t * v[0], endt = xt[0] + t * vt[0] + tt * v[0];
	*g = 2 * end * endt;
}

REFERENCE double solve(double w)
{
	argmin(&w, 1, landing, landing_t, NULL);
	return w;
}

typedef int Entry(struct futhark_context *, double *, double);

static int one(struct futhark_context *ctx, const char *modes, Entry *entry)
{
	ROW(1, "particle %s", modes);
	volatile double c, zero = 0;
	double y, expected = 0.2071918746486116;
	c = solve(zero);
	SAME(&expected, &c, 1, 1e-8);
	CHECK(entry(ctx, &y, 0.0));
	SAME(&expected, &y, 1, 1e-8);
	DUMP("modes", "|u1", modes, 2);
	DUMP("w", "<f8", (const double *)&zero, 1);
	DUMP("gradient", "<f8", (const double *)&c, 1);
	DERIVATIVE(CHECK(entry(ctx, &y, 0.0)), c = solve(zero));
	return 0;
}

int main(void)
{
	SETUP;
	if (one(ctx, "ff", futhark_entry_ff) || one(ctx, "fr", futhark_entry_fr) ||
	    one(ctx, "rf", futhark_entry_rf) || one(ctx, "rr", futhark_entry_rr))
		return 1;
	FINISH;
}
