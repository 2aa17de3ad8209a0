// The lattice-Boltzmann method.  By hand, the states of all steps are kept, and going back each cell
// gives what came from its neighbours back to them.
#include "lbm.h"
#include "ad.h"

enum { Q = 19 };

static const int velocity[Q][3] = {
	{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}, {1, 1, 0}, {-1, -1, 0},
	{1, -1, 0}, {-1, 1, 0}, {1, 0, 1}, {-1, 0, -1}, {1, 0, -1}, {-1, 0, 1}, {0, 1, 1}, {0, -1, -1},
	{0, 1, -1}, {0, -1, 1},
};
static const int opposite[Q] = {0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15, 18, 17};
static const double weight[Q] = {
	1.0 / 3, 1.0 / 18, 1.0 / 18, 1.0 / 18, 1.0 / 18, 1.0 / 18, 1.0 / 18, 1.0 / 36, 1.0 / 36, 1.0 / 36,
	1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36, 1.0 / 36,
};

typedef struct { int64_t n, m, l; double omega; const bool *walls; } Box;

// Where the particles of each velocity come from, as offsets of densities.
static void neighbours(int64_t from[Q], const Box *b, int64_t i, int64_t j, int64_t k)
{
	for (int q = 0; q < Q; q++) {
		int64_t x = (i - velocity[q][0] + b->n) % b->n, y = (j - velocity[q][1] + b->m) % b->m;
		int64_t z = (k - velocity[q][2] + b->l) % b->l;
		from[q] = ((x * b->m + y) * b->l + z) * Q + q;
	}
}

static void mix(double *restrict r, const double *restrict f, double omega)
{
	double density = 0, u[3] = {0};
	for (int q = 0; q < Q; q++) {
		density += f[q];
		for (int k = 0; k < 3; k++)
			u[k] += f[q] * velocity[q][k];
	}
	for (int k = 0; k < 3; k++)
		u[k] /= density;
	double square = 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
	for (int q = 0; q < Q; q++) {
		double v = u[0] * velocity[q][0] + u[1] * velocity[q][1] + u[2] * velocity[q][2];
		double rest = weight[q] * density * (1 + 3 * v + 4.5 * v * v - square);
		r[q] = f[q] + omega * (rest - f[q]);
	}
}

// fb = transpose of the derivative of mix at f, times rb.
static void mix_back(double *restrict fb, const double *restrict f, const double *restrict rb, double omega)
{
	double density = 0, u[3] = {0}, density_b = 0, ub[3] = {0}, square_b = 0;
	for (int q = 0; q < Q; q++) {
		density += f[q];
		for (int k = 0; k < 3; k++)
			u[k] += f[q] * velocity[q][k];
	}
	for (int k = 0; k < 3; k++)
		u[k] /= density;
	double square = 1.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
	for (int q = 0; q < Q; q++) {
		double v = u[0] * velocity[q][0] + u[1] * velocity[q][1] + u[2] * velocity[q][2];
		double a = omega * weight[q] * rb[q];
		density_b += a * (1 + 3 * v + 4.5 * v * v - square);
		double vb = a * density * (3 + 9 * v);
		square_b -= a * density;
		for (int k = 0; k < 3; k++)
			ub[k] += vb * velocity[q][k];
	}
	for (int k = 0; k < 3; k++) {
		ub[k] = (ub[k] + 3 * u[k] * square_b) / density;
		density_b -= ub[k] * u[k];
	}
	for (int q = 0; q < Q; q++)
		fb[q] = (1 - omega) * rb[q] + density_b + ub[0] * velocity[q][0] + ub[1] * velocity[q][1] +
		        ub[2] * velocity[q][2];
}

static void step(double *restrict r, const double *restrict f, const Box *b)
{
	int64_t at = 0;
	for (int64_t i = 0; i < b->n; i++)
		for (int64_t j = 0; j < b->m; j++)
			for (int64_t k = 0; k < b->l; k++, at++) {
				int64_t from[Q];
				double in[Q];
				neighbours(from, b, i, j, k);
				for (int q = 0; q < Q; q++)
					in[q] = f[from[q]];
				if (b->walls[at])
					for (int q = 0; q < Q; q++)
						r[at * Q + q] = in[opposite[q]];
				else
					mix(r + at * Q, in, b->omega);
			}
}

static void step_back(double *restrict fb, const double *restrict f, const double *restrict rb, const Box *b)
{
	int64_t at = 0;
	for (int64_t i = 0; i < b->n; i++)
		for (int64_t j = 0; j < b->m; j++)
			for (int64_t k = 0; k < b->l; k++, at++) {
				int64_t from[Q];
				double in[Q], back[Q];
				neighbours(from, b, i, j, k);
				for (int q = 0; q < Q; q++)
					in[q] = f[from[q]];
				if (b->walls[at])
					for (int q = 0; q < Q; q++)
						back[opposite[q]] = rb[at * Q + q];
				else
					mix_back(back, in, rb + at * Q, b->omega);
				for (int q = 0; q < Q; q++)
					fb[from[q]] = back[q];
			}
}

static int64_t size_of(const Box *b) { return b->n * b->m * b->l * Q; }

// The log has room for all states.
REFERENCE void primal(double *r, const double *f, int64_t steps, const Box *b, double *spare)
{
	size_t bytes = (size_t)size_of(b) * sizeof *r;
	memcpy(steps % 2 ? spare : r, f, bytes);
	for (int64_t t = steps; t > 0; t--)
		step(t % 2 ? r : spare, t % 2 ? spare : r, b);
}

REFERENCE void gradient(double *r, const double *f, const double *seed, int64_t steps, const Box *b,
                        double *log, double *spare)
{
	int64_t size = size_of(b);
	size_t bytes = (size_t)size * sizeof *r;
	memcpy(log, f, bytes);
	for (int64_t t = 0; t + 1 < steps; t++)
		step(log + (t + 1) * size, log + t * size, b);
	memcpy(steps % 2 ? spare : r, seed, bytes);
	for (int64_t t = steps; t > 0; t--)
		step_back(t % 2 ? r : spare, log + (t - 1) * size, t % 2 ? spare : r, b);
}

static int one(struct futhark_context *ctx, int64_t n, int64_t m, int64_t l, int64_t steps)
{
	ROW(n * m * l * steps, "lbm %lld %lld %lld %lld", (long long)n, (long long)m, (long long)l,
	    (long long)steps);
	double omega = 1.2;
	MAKE(bool, walls, n * m * l, below(10) == 0);
	Box b = {n, m, l, omega, walls};
	int64_t size = size_of(&b);
	MAKE(double, f, size, weight[make_i % Q] * uniform(0.9, 1.1));
	MAKE(double, seed, size, uniform(-1, 1));
	ROOM(double, y, size);
	ROOM(double, g, size);
	ROOM(double, r, size);
	ROOM(double, spare, size);
	ROOM(double, log, size * steps);
	ARRAY(bool_3d, fw, walls, n, m, l);
	ARRAY(f64_4d, ff, f, n, m, l, Q);
	ARRAY(f64_4d, fs, seed, n, m, l, Q);
	struct futhark_f64_4d *fy = NULL, *fg = NULL;
	CHECK(futhark_entry_primal(ctx, &fy, omega, steps, fw, ff));
	FETCH(f64_4d, fy, r);
	primal(y, f, steps, &b, spare);
	SAME(y, r, size, 1e-12);
	CHECK(futhark_entry_gradient(ctx, &fg, omega, steps, fw, ff, fs));
	FETCH(f64_4d, fg, r);
	gradient(g, f, seed, steps, &b, log, spare);
	SAME(g, r, size, 1e-11);
	DUMP("omega", "<f8", &omega, 1);
	DUMP("steps", "<i8", &steps, 1);
	DUMP("walls", "<i1", walls, n, m, l);
	DUMP("f", "<f8", f, n, m, l, Q);
	DUMP("seed", "<f8", seed, n, m, l, Q);
	DUMP("primal", "<f8", y, n, m, l, Q);
	DUMP("gradient", "<f8", g, n, m, l, Q);
	WORKLOAD(6.3, { DROP(f64_4d, fy); CHECK(futhark_entry_primal(ctx, &fy, omega, steps, fw, ff)); },
	         { DROP(f64_4d, fg); CHECK(futhark_entry_gradient(ctx, &fg, omega, steps, fw, ff, fs)); },
	         primal(y, f, steps, &b, spare), gradient(g, f, seed, steps, &b, log, spare));
	free(log);
	return 0;
}

int main(void)
{
	SETUP;
	if (sizes_some() && (one(ctx, 8, 8, 8, 4) || one(ctx, 16, 16, 16, 10)))
		return 1;
	if (one(ctx, 30, 30, 30, 10))
		return 1;
	// As large as the original, with the steps that fit in memory.
	if (sizes_all() && one(ctx, 120, 120, 150, 20))
		return 1;
	FINISH;
}
