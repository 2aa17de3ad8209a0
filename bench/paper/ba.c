// Bundle adjustment.  By hand, the rows of an observation come from the derivatives of the rotation by
// its axis and angle.
#include "ba.h"
#include "ad.h"
#include "adbench.h"

static void cross(double r[3], const double a[3], const double b[3])
{
	for (int i = 0; i < 3; i++) {
		int j = (i + 1) % 3, k = (i + 2) % 3;
		r[i] = a[j] * b[k] - a[k] * b[j];
	}
}

static double dot(const double a[3], const double b[3])
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void error(double e[2], const double *cam, const double *p, double w, const double *feat)
{
	double v[3] = {p[0] - cam[3], p[1] - cam[4], p[2] - cam[5]}, u[3], q[3];
	double angle = sqrt(dot(cam, cam)), c = cos(angle), s = sin(angle);
	double a[3] = {cam[0] / angle, cam[1] / angle, cam[2] / angle};
	double d = dot(a, v) * (1 - c);
	cross(u, a, v);
	for (int i = 0; i < 3; i++)
		q[i] = v[i] * c + s * u[i] + a[i] * d;
	double x = q[0] / q[2], y = q[1] / q[2], r2 = x * x + y * y;
	double l = 1 + cam[9] * r2 + cam[10] * r2 * r2;
	e[0] = w * (cam[6] * x * l + cam[7] - feat[0]);
	e[1] = w * (cam[6] * y * l + cam[8] - feat[1]);
}

// The derivatives of both errors by the camera, the point and the weight.
static void error_rows(double *restrict row0, double *restrict row1, const double *restrict cam,
                       const double *restrict p, double w, const double *restrict feat)
{
	double v[3] = {p[0] - cam[3], p[1] - cam[4], p[2] - cam[5]}, u[3], q[3];
	double angle = sqrt(dot(cam, cam)), c = cos(angle), s = sin(angle), inverse = 1 / angle;
	double a[3] = {cam[0] * inverse, cam[1] * inverse, cam[2] * inverse}, av = dot(a, v);
	cross(u, a, v);
	double by_rot[3][3], by_angle[3], by_v[3][3];   // of q, by rotation, angle, v
	for (int i = 0; i < 3; i++) {
		q[i] = v[i] * c + s * u[i] + a[i] * av * (1 - c);
		by_angle[i] = -s * v[i] + c * u[i] + s * a[i] * av;
	}
	for (int k = 0; k < 3; k++) {
		double b[3], bu[3], e[3] = {k == 0, k == 1, k == 2}, eu[3];
		for (int i = 0; i < 3; i++)
			b[i] = (e[i] - a[k] * a[i]) * inverse;
		cross(bu, b, v);
		cross(eu, a, e);
		double bv = dot(b, v);
		for (int i = 0; i < 3; i++) {
			by_rot[k][i] = a[k] * by_angle[i] + s * bu[i] + (1 - c) * (b[i] * av + a[i] * bv);
			by_v[k][i] = c * e[i] + s * eu[i] + (1 - c) * a[i] * a[k];
		}
	}
	double z = 1 / q[2], x = q[0] * z, y = q[1] * z, r2 = x * x + y * y;
	double l = 1 + cam[9] * r2 + cam[10] * r2 * r2, lr = cam[9] + 2 * cam[10] * r2;
	double f = cam[6] * w;
	// By x and y, then by q.
	double exx = f * (l + 2 * x * x * lr), exy = f * 2 * x * y * lr, eyy = f * (l + 2 * y * y * lr);
	double e0[3] = {exx * z, exy * z, -(exx * x + exy * y) * z};
	double e1[3] = {exy * z, eyy * z, -(exy * x + eyy * y) * z};
	for (int k = 0; k < 3; k++) {
		row0[k] = dot(e0, by_rot[k]);
		row1[k] = dot(e1, by_rot[k]);
		row0[11 + k] = dot(e0, by_v[k]);
		row1[11 + k] = dot(e1, by_v[k]);
		row0[3 + k] = -row0[11 + k];
		row1[3 + k] = -row1[11 + k];
	}
	row0[6] = w * x * l;
	row1[6] = w * y * l;
	row0[7] = row1[8] = w;
	row0[8] = row1[7] = 0;
	row0[9] = f * x * r2;
	row1[9] = f * y * r2;
	row0[10] = f * x * r2 * r2;
	row1[10] = f * y * r2 * r2;
	row0[14] = cam[6] * x * l + cam[7] - feat[0];
	row1[14] = cam[6] * y * l + cam[8] - feat[1];
}

typedef struct { int64_t n, m, p; double *cams, *points, *w, *feats; int32_t *obs; } Problem;

REFERENCE void primal(double *restrict e, double *restrict we, const Problem *b)
{
	for (int64_t i = 0; i < b->p; i++) {
		error(e + 2 * i, b->cams + 11 * b->obs[2 * i], b->points + 3 * b->obs[2 * i + 1], b->w[i],
		      b->feats + 2 * i);
		we[i] = 1 - b->w[i] * b->w[i];
	}
}

REFERENCE void jacobian(int32_t *restrict rows, int32_t *restrict cols, double *restrict vals,
                        const Problem *b)
{
	int32_t points = (int32_t)(11 * b->n), weights = points + (int32_t)(3 * b->m);
	for (int64_t i = 0; i < b->p; i++) {
		int32_t cam = b->obs[2 * i], point = b->obs[2 * i + 1];
		error_rows(vals + 30 * i, vals + 30 * i + 15, b->cams + 11 * cam, b->points + 3 * point,
		           b->w[i], b->feats + 2 * i);
		for (int r = 0; r < 2; r++) {
			int32_t *c = cols + 30 * i + 15 * r;
			rows[2 * i + r] = (int32_t)(30 * i + 15 * r);
			for (int k = 0; k < 11; k++)
				c[k] = 11 * cam + k;
			for (int k = 0; k < 3; k++)
				c[11 + k] = points + 3 * point + k;
			c[14] = weights + (int32_t)i;
		}
	}
	for (int64_t i = 0; i < b->p; i++) {
		rows[2 * b->p + i] = (int32_t)(30 * b->p + i);
		cols[30 * b->p + i] = weights + (int32_t)i;
		vals[30 * b->p + i] = -2 * b->w[i];
	}
	rows[3 * b->p] = (int32_t)(31 * b->p);
}

static int run(struct futhark_context *ctx, const Problem *b)
{
	int64_t p = b->p;
	ROOM(double, e, 2 * p);
	ROOM(double, we, p);
	ROOM(double, vals, 31 * p);
	ROOM(double, r, 31 * p);
	ROOM(int32_t, cols, 31 * p);
	ROOM(int32_t, rows, 3 * p + 1);
	ROOM(int32_t, k, 31 * p);
	ARRAY(f64_2d, fc, b->cams, b->n, 11);
	ARRAY(f64_2d, fx, b->points, b->m, 3);
	ARRAY(f64_1d, fw, b->w, p);
	ARRAY(i32_2d, fo, b->obs, p, 2);
	ARRAY(f64_2d, ff, b->feats, p, 2);
	struct futhark_opaque_tup2_arr2d_f64_arr1d_f64 *fy = NULL;
	struct futhark_opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64 *fj = NULL;
	CHECK(futhark_entry_primal(ctx, &fy, fc, fx, fw, fo, ff));
	primal(e, we, b);
	FETCH_PART(opaque_tup2_arr2d_f64_arr1d_f64, 0, f64_2d, fy, r);
	SAME(e, r, 2 * p, 1e-10);
	FETCH_PART(opaque_tup2_arr2d_f64_arr1d_f64, 1, f64_1d, fy, r);
	SAME(we, r, p, 1e-14);
	CHECK(futhark_entry_jacobian(ctx, &fj, fc, fx, fw, fo, ff));
	jacobian(rows, cols, vals, b);
	FETCH_PART(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, 0, i32_1d, fj, k);
	SAME(rows, k, 3 * p + 1, 0);
	FETCH_PART(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, 1, i32_1d, fj, k);
	SAME(cols, k, 31 * p, 0);
	FETCH_PART(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, 2, f64_1d, fj, r);
	SAME(vals, r, 31 * p, 1e-10);
	DUMP("cams", "<f8", b->cams, b->n, 11);
	DUMP("points", "<f8", b->points, b->m, 3);
	DUMP("weights", "<f8", b->w, p);
	DUMP("obs", "<i4", b->obs, p, 2);
	DUMP("feats", "<f8", b->feats, p, 2);
	DUMP("primal", "<f8", e, p, 2);
	DUMP("gradient", "<f8", vals, p, 30);
	WORKLOAD(9.8,
	         {
		         DROP(opaque_tup2_arr2d_f64_arr1d_f64, fy);
		         CHECK(futhark_entry_primal(ctx, &fy, fc, fx, fw, fo, ff));
	         },
	         {
		         DROP(opaque_tup3_arr1d_i32_arr1d_i32_arr1d_f64, fj);
		         CHECK(futhark_entry_jacobian(ctx, &fj, fc, fx, fw, fo, ff));
	         },
	         primal(e, we, b), jacobian(rows, cols, vals, b));
	return 0;
}

static double camera(int64_t k)
{
	static const double typical[11] = {-0.7, -1.1, -0.8, 3, 4, 50, 419, 5, -8, 0.08, 0.002};
	return typical[k] * uniform(0.9, 1.1);
}

static int one(struct futhark_context *ctx, int number, int64_t n, int64_t m, int64_t p)
{
	ROW(p, "ba %d", number);
	MAKE(double, cams, n * 11, camera(make_i % 11));
	MAKE(double, points, m * 3, uniform(-8, 8));
	MAKE(double, w, p, uniform(0, 1));
	MAKE(int32_t, obs, 2 * p, make_i % 2 ? make_i / 2 % m : make_i / 2 % n);
	MAKE(double, feats, 2 * p, uniform(-500, 500));
	return run(ctx, &(Problem){n, m, p, cams, points, w, feats, obs});
}

// A problem in a file of ADBench: all cameras, points and so on are alike.
static int file(struct futhark_context *ctx, const char *path)
{
	Ba f;
	if (!load_ba(path, &f))
		return 1;
	ROW(f.p, "ba %s", base_name(path));
	MAKE(double, cams, f.n * 11, f.cam[make_i % 11]);
	MAKE(double, points, f.m * 3, f.point[make_i % 3]);
	MAKE(double, w, f.p, *f.weight);
	MAKE(int32_t, obs, 2 * f.p, make_i % 2 ? make_i / 2 % f.m : make_i / 2 % f.n);
	MAKE(double, feats, 2 * f.p, f.feat[make_i % 2]);
	return run(ctx, &(Problem){f.n, f.m, f.p, cams, points, w, feats, obs});
}

int main(int argc, char **argv)
{
	SETUP;
	for (int i = 1; i < argc; i++)
		if (file(ctx, argv[i]))
			return 1;
	if (argc > 1)
		FINISH;
	// The sizes of ADBench's problems.
	if (sizes_some() && (one(ctx, 1, 49, 7776, 31843) || one(ctx, 5, 257, 65132, 225911)))
		return 1;
	if (one(ctx, 14, 356, 226730, 1255268) || (sizes_all() && one(ctx, 20, 13682, 4456117, 2987644)))
		return 1;
	FINISH;
}
