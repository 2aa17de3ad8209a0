// Bundle adjustment, at the size of the suite's fourteenth problem.  The values of each row are
// checked by differences, the structure by what it must be.
#include "ba.h"
#include "ad.h"

enum { N = 356, M = 226730, P = 1255268 };

static void error(double e[2], const double *cam, const double *p, double w, const double *feat)
{
	double v[3] = {p[0] - cam[3], p[1] - cam[4], p[2] - cam[5]}, q[3];
	double angle = sqrt(cam[0] * cam[0] + cam[1] * cam[1] + cam[2] * cam[2]);
	double c = cos(angle), s = sin(angle);
	double a[3] = {cam[0] / angle, cam[1] / angle, cam[2] / angle};
	double d = (a[0] * v[0] + a[1] * v[1] + a[2] * v[2]) * (1 - c);
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		q[i] = v[i] * c + s * (a[j] * v[k] - a[k] * v[j]) + a[i] * d;
	}
	double x = q[0] / q[2], y = q[1] / q[2], r2 = x * x + y * y;
	double l = 1 + cam[9] * r2 + cam[10] * r2 * r2;
	e[0] = w * (cam[6] * x * l + cam[7] - feat[0]);
	e[1] = w * (cam[6] * y * l + cam[8] - feat[1]);
}

REFERENCE void primal(double *restrict e, double *restrict we, const double *restrict cams,
                      const double *restrict points, const double *restrict w,
                      const int32_t *restrict obs, const double *restrict feats)
{
	for (int64_t i = 0; i < P; i++) {
		error(e + 2 * i, cams + 11 * obs[2 * i], points + 3 * obs[2 * i + 1], w[i], feats + 2 * i);
		we[i] = 1 - w[i] * w[i];
	}
}

// The rows of observation i against differences.
static void check_rows(int64_t i, const double *values, double *cams, double *points, double *w,
                       const int32_t *obs, const double *feats)
{
	for (int k = 0; k < 15; k++) {
		double *at = k < 11 ? &cams[11 * obs[2 * i] + k]
			: k < 14 ? &points[3 * obs[2 * i + 1] + k - 11] : &w[i];
		double old = *at, h = 1e-6 * (1 + fabs(old)), up[2], down[2];
		*at = old + h;
		error(up, cams + 11 * obs[2 * i], points + 3 * obs[2 * i + 1], w[i], feats + 2 * i);
		*at = old - h;
		error(down, cams + 11 * obs[2 * i], points + 3 * obs[2 * i + 1], w[i], feats + 2 * i);
		*at = old;
		for (int r = 0; r < 2; r++)
			DIFFERENCE("ba", up[r], down[r], h, values[15 * r + k], 1e-5);
	}
}

static double camera(int64_t k)
{
	static const double typical[11] = {-0.7, -1.1, -0.8, 3, 4, 50, 419, 5, -8, 0.08, 0.002};
	return typical[k] * uniform(0.9, 1.1);
}

int main(void)
{
	SETUP;
	MAKE(double, cams, N * 11, camera(make_i % 11));
	MAKE(double, points, M * 3, uniform(-8, 8));
	MAKE(double, w, P, uniform(0, 1));
	MAKE(int32_t, obs, 2 * P, make_i % 2 ? make_i / 2 % M : make_i / 2 % N);
	MAKE(double, feats, 2 * P, uniform(-500, 500));
	ROOM(double, e, 2 * P);
	ROOM(double, we, P);
	ROOM(double, r, 31 * P);
	ROOM(int32_t, cols, 31 * P);
	ROOM(int32_t, rows, 3 * P + 1);
	ARRAY(f64_2d, fc, cams, N, 11);
	ARRAY(f64_2d, fx, points, M, 3);
	ARRAY(f64_1d, fw, w, P);
	ARRAY(i32_2d, fo, obs, P, 2);
	ARRAY(f64_2d, ff, feats, P, 2);
	struct futhark_opaque_tup2_arr2d_f64_arr1d_f64 *fy = NULL;
	struct futhark_opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64 *fj = NULL;
	CHECK(futhark_entry_primal(ctx, &fy, fc, fx, fw, fo, ff));
	FETCH_PART(opaque_tup2_arr2d_f64_arr1d_f64, 0, f64_2d, fy, r);
	primal(e, we, cams, points, w, obs, feats);
	SAME(e, r, 2 * P, 1e-10);
	FETCH_PART(opaque_tup2_arr2d_f64_arr1d_f64, 1, f64_1d, fy, r);
	SAME(we, r, P, 1e-14);
	CHECK(futhark_entry_jacobian(ctx, &fj, fc, fx, fw, fo, ff));
	FETCH_PART(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, 0, i32_1d, fj, rows);
	FETCH_PART(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, 1, i32_1d, fj, cols);
	FETCH_PART(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, 2, f64_1d, fj, r);
	for (int64_t i = 0; i < P; i += 9973)
		check_rows(i, r + 30 * i, cams, points, w, obs, feats);
	for (int64_t i = 0; i < P; i++)
		wrong |= fabs(r[30 * P + i] + 2 * w[i]) > 1e-12 || rows[i] != 15 * i ||
		         cols[30 * i + 29] != 11 * N + 3 * M + i || cols[30 * i] != 11 * obs[2 * i] ||
		         cols[30 * i + 11] != 11 * N + 3 * obs[2 * i + 1];
	WORKLOAD_IF("ba 14", 9.8, 1,
	            {
		            DROP(opaque_tup2_arr2d_f64_arr1d_f64, fy);
		            CHECK(futhark_entry_primal(ctx, &fy, fc, fx, fw, fo, ff));
	            },
	            {
		            DROP(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, fj);
		            CHECK(futhark_entry_jacobian(ctx, &fj, fc, fx, fw, fo, ff));
	            },
	            1, primal(e, we, cams, points, w, obs, feats), 0, (void)0);
	FINISH;
}
