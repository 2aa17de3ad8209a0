// Hand tracking, at the size of the suite's eleventh problem with the big model: a made-up
// skeleton and mesh of the same sizes.  The Jacobian is checked by differences.
#include "ht.h"
#include "ad.h"

enum { BONES = 22, VERTICES = 10000, TRIANGLES = 1084, N = 51200, DIRECTIONS = 28 };

// A rotation by a small angle about one axis, then a shift.
static void make_transform(double t[16], bool inverse)
{
	double a = uniform(-0.5, 0.5), c = cos(a), s = sin(a);
	int i = (int)below(3), j = (i + 1) % 3;
	for (int k = 0; k < 16; k++)
		t[k] = k % 5 == 0;
	t[5 * i] = t[5 * j] = c;
	t[4 * i + j] = -s;
	t[4 * j + i] = s;
	for (int k = 0; k < 3; k++)
		t[4 * k + 3] = uniform(-1, 1) * (inverse ? -1 : 1);
}

// A vertex is bent by a few bones.
static void make_weights(double w[BONES])
{
	double sum = 0;
	for (int b = 0; b < BONES; b++)
		sum += w[b] = below(5) ? 0 : uniform(0, 1);
	for (int b = 0; b < BONES; b++)
		w[b] = sum > 0 ? w[b] / sum : 1.0 / BONES;
}

int main(void)
{
	SETUP;
	MAKE(int32_t, parents, BONES, make_i == 0 ? -1 : make_i % 4 == 1 ? 0 : make_i - 1);
	ROOM(double, relatives, BONES * 16);
	ROOM(double, inverses, BONES * 16);
	for (int b = 0; b < BONES; b++) {
		make_transform(relatives + 16 * b, false);
		make_transform(inverses + 16 * b, true);
	}
	MAKE(double, positions, VERTICES * 4, make_i % 4 == 3 ? 1 : uniform(-1, 1));
	ROOM(double, weights, VERTICES * BONES);
	for (int v = 0; v < VERTICES; v++)
		make_weights(weights + BONES * v);
	MAKE(int32_t, triangles, TRIANGLES * 3, below(VERTICES));
	MAKE(int32_t, correspondences, N, below(TRIANGLES));
	MAKE(double, points, N * 3, uniform(-1, 1));
	MAKE(double, theta, 26, uniform(-1, 1));
	MAKE(double, us, N * 2, uniform(0, 0.5));
	ROOM(double, up, N * 3);
	ROOM(double, down, N * 3);
	ROOM(double, j, (int64_t)DIRECTIONS * N * 3);
	ARRAY(i32_1d, a, parents, BONES);
	ARRAY(f64_3d, b, relatives, BONES, 4, 4);
	ARRAY(f64_3d, c, inverses, BONES, 4, 4);
	ARRAY(f64_2d, d, positions, VERTICES, 4);
	ARRAY(f64_2d, e, weights, VERTICES, BONES);
	ARRAY(i32_2d, f, triangles, TRIANGLES, 3);
	ARRAY(i32_1d, g, correspondences, N);
	ARRAY(f64_2d, h, points, N, 3);
	ARRAY(f64_1d, ft, theta, 26);
	ARRAY(f64_2d, fu, us, N, 2);
	struct futhark_f64_2d *fy = NULL;
	struct futhark_f64_3d *fj = NULL;
	CHECK(futhark_entry_jacobian(ctx, &fj, a, b, c, d, e, false, f, g, h, ft, fu));
	FETCH(f64_3d, fj, j);
	for (int k = 0; k < DIRECTIONS; k++) {
		const double step = 1e-5;
		double *out[2] = {up, down};
		for (int s = 0; s < 2; s++) {
			double by = s ? -step : step;
			if (k >= 2)
				theta[k - 2] += by;
			else
				for (int i = 0; i < N; i++)
					us[2 * i + k] += by;
			ARRAY(f64_1d, t1, theta, 26);
			ARRAY(f64_2d, u1, us, N, 2);
			CHECK(futhark_entry_primal(ctx, &fy, a, b, c, d, e, false, f, g, h, t1, u1));
			FETCH(f64_2d, fy, out[s]);
			DROP(f64_2d, fy);
			DROP(f64_1d, t1);
			DROP(f64_2d, u1);
			if (k >= 2)
				theta[k - 2] -= by;
			else
				for (int i = 0; i < N; i++)
					us[2 * i + k] -= by;
		}
		for (int i = 0; i < 3 * N; i += 97)
			DIFFERENCE("ht", up[i], down[i], step, j[(int64_t)k * N * 3 + i], 1e-7);
	}
	WORKLOAD_ONLY("ht 11", 40.0,
	              { DROP(f64_2d, fy); CHECK(futhark_entry_primal(ctx, &fy, a, b, c, d, e, false, f, g, h, ft, fu)); },
	              { DROP(f64_3d, fj); CHECK(futhark_entry_jacobian(ctx, &fj, a, b, c, d, e, false, f, g, h, ft, fu)); });
	FINISH;
}
