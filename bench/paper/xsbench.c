// Cross sections from tables.  The adjoint by hand adds to twelve cells for each nuclide.
#include "xsbench.h"
#include "ad.h"
#include "materials.h"

enum { GRID = 11303, UNION = NUCLIDES * GRID };

typedef struct { double energy, xs[5]; } Point;
typedef Point Grid[NUCLIDES][GRID];
typedef int32_t Index[UNION][NUCLIDES];

static int by_energy(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void make_tables(Point (*grid)[GRID], double *energies, int32_t (*index)[NUCLIDES])
{
	uint64_t s = 42;
	for (int n = 0; n < NUCLIDES; n++) {
		for (int g = 0; g < GRID; g++) {
			grid[n][g].energy = draw(&s);
			for (int k = 0; k < 5; k++)
				grid[n][g].xs[k] = draw(&s);
		}
		qsort(grid[n], GRID, sizeof(Point), by_energy);
		for (int g = 0; g < GRID; g++)
			energies[n * GRID + g] = grid[n][g].energy;
	}
	qsort(energies, UNION, sizeof *energies, by_energy);
	int32_t at[NUCLIDES] = {0};
	for (int64_t u = 0; u < UNION; u++)
		for (int n = 0; n < NUCLIDES; n++) {
			while (at[n] < GRID - 2 && grid[n][at[n] + 1].energy <= energies[u])
				at[n]++;
			index[u][n] = at[n];
		}
}

static int64_t search(const double *energies, double e)
{
	int64_t lo = 0, hi = UNION - 1;
	while (hi - lo > 1) {
		int64_t mid = lo + (hi - lo) / 2;
		if (energies[mid] > e)
			hi = mid;
		else
			lo = mid;
	}
	return lo;
}

REFERENCE void primal(double (*restrict out)[5], int64_t lookups, const double *restrict energies,
                      const int32_t (*restrict index)[NUCLIDES],
                      const double (*restrict densities)[MOST_NUCLIDES],
                      const Point (*restrict grid)[GRID])
{
	for (int64_t i = 0; i < lookups; i++) {
		double e, sums[5] = {0};
		int32_t m = sample(&e, i);
		const int32_t *row = index[search(energies, e)];
		for (int32_t j = 0; j < num_nuclides[m]; j++) {
			int32_t n = nuclides[m][j], k = row[n];
			const Point *low = &grid[n][k], *high = low + 1;
			double f = (high->energy - e) / (high->energy - low->energy);
			for (int c = 0; c < 5; c++)
				sums[c] += densities[m][j] *
					(high->xs[c] - f * (high->xs[c] - low->xs[c]));
		}
		memcpy(out[i], sums, sizeof sums);
	}
}

REFERENCE void gradient(Point (*restrict back)[GRID], int64_t lookups, const double *restrict energies,
                        const int32_t (*restrict index)[NUCLIDES],
                        const double (*restrict densities)[MOST_NUCLIDES],
                        const Point (*restrict grid)[GRID], const double *restrict seed)
{
	memset(back, 0, sizeof(Grid));
	for (int64_t i = 0; i < lookups; i++) {
		double e;
		int32_t m = sample(&e, i);
		const int32_t *row = index[search(energies, e)];
		for (int32_t j = 0; j < num_nuclides[m]; j++) {
			int32_t n = nuclides[m][j], k = row[n];
			const Point *low = &grid[n][k], *high = low + 1;
			Point *lb = &back[n][k], *hb = lb + 1;
			double r = 1 / (high->energy - low->energy), f = (high->energy - e) * r, fb = 0;
			for (int c = 0; c < 5; c++) {
				double g = densities[m][j] * seed[c];
				fb -= g * (high->xs[c] - low->xs[c]);
				hb->xs[c] += g * (1 - f);
				lb->xs[c] += g * f;
			}
			hb->energy += fb * (1 - f) * r;
			lb->energy += fb * f * r;
		}
	}
}

typedef struct {
	Point (*grid)[GRID];
	int32_t (*index)[NUCLIDES];
	double *energies, densities[MATERIALS][MOST_NUCLIDES];
} Tables;

static int one(struct futhark_context *ctx, const Tables *t, int64_t lookups)
{
	ROW(lookups, "xsbench %lld", (long long)lookups);
	double seed[5] = {1, 0.7, -0.4, 0.2, 2};
	Point (*back)[GRID] = malloc(sizeof(Grid));
	double (*out)[5] = malloc(sizeof(double[5]) * (size_t)lookups);
	ROOM(double, r, 6 * UNION > 5 * lookups ? 6 * UNION : 5 * lookups);
	ARRAY(f64_1d, fe, t->energies, UNION);
	ARRAY(i32_2d, fi, (int32_t *)t->index, UNION, NUCLIDES);
	ARRAY(i32_1d, fn, num_nuclides, MATERIALS);
	ARRAY(i32_2d, fm, (const int32_t *)nuclides, MATERIALS, MOST_NUCLIDES);
	ARRAY(f64_2d, fd, (const double *)t->densities, MATERIALS, MOST_NUCLIDES);
	ARRAY(f64_3d, fg, (double *)t->grid, NUCLIDES, GRID, 6);
	ARRAY(f64_1d, fs, seed, 5);
	struct futhark_f64_2d *fy = NULL;
	struct futhark_f64_3d *fb = NULL;
	CHECK(futhark_entry_primal(ctx, &fy, lookups, fe, fi, fn, fm, fd, fg));
	FETCH(f64_2d, fy, r);
	primal(out, lookups, t->energies, t->index, t->densities, t->grid);
	SAME((double *)out, r, 5 * lookups, 1e-12);
	CHECK(futhark_entry_gradient(ctx, &fb, lookups, fe, fi, fn, fm, fd, fg, fs));
	FETCH(f64_3d, fb, r);
	gradient(back, lookups, t->energies, t->index, t->densities, t->grid, seed);
	SAME((double *)back, r, 6 * UNION, 1e-12);
	if (lookups == 1000) {
		// What the original program and an independent one give.
		double sums[2] = {0}, expected[2] = {-872062.098443258, 7304.15994050103};
		for (int64_t u = 0; u < 6 * UNION; u++)
			if (u % 6 < 2)
				sums[u % 6] += r[u];
		SAME(expected, sums, 2, 1e-9);
	}
	DUMP("lookups", "<i8", &lookups, 1);
	DUMP("nuclides", "<i4", nuclides, MATERIALS, MOST_NUCLIDES);
	DUMP("densities", "<f8", t->densities, MATERIALS, MOST_NUCLIDES);
	DUMP("grid", "<f8", t->grid, NUCLIDES, GRID, 6);
	DUMP("seed", "<f8", seed, 5);
	DUMP("primal", "<f8", out, lookups, 5);
	DUMP("gradient", "<f8", back, NUCLIDES, GRID, 6);
	WORKLOAD(2.2,
	         { DROP(f64_2d, fy); CHECK(futhark_entry_primal(ctx, &fy, lookups, fe, fi, fn, fm, fd, fg)); },
	         {
		         DROP(f64_3d, fb);
		         CHECK(futhark_entry_gradient(ctx, &fb, lookups, fe, fi, fn, fm, fd, fg, fs));
	         },
	         primal(out, lookups, t->energies, t->index, t->densities, t->grid),
	         gradient(back, lookups, t->energies, t->index, t->densities, t->grid, seed));
	DROP(f64_2d, fy);
	DROP(f64_3d, fb);
	free(back);
	free(out);
	free(r);
	return 0;
}

int main(void)
{
	SETUP;
	static Tables t;
	t.grid = malloc(sizeof(Grid));
	t.index = malloc(sizeof(Index));
	t.energies = malloc(sizeof(double) * UNION);
	uint64_t s = 1144900;
	make_densities(t.densities, &s);
	make_tables(t.grid, t.energies, t.index);
	if (one(ctx, &t, 1000) || (sizes_some() && one(ctx, &t, 10000)) || one(ctx, &t, 100000))
		return 1;
	if (sizes_all() && one(ctx, &t, 17000000))
		return 1;
	FINISH;
}
