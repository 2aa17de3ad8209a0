// Hand tracking, simple and complicated.  By hand, the derivative by an angle touches the bones below
// the joint alone, and vertices by the weights of those.
#include "ht.h"
#include "ad.h"
#include "adbench.h"

enum { BONES = HAND_BONES, PARAMS = HAND_PARAMS };

typedef double Mat[3][4];                       // the last row is 0, 0, 0, 1

static void multiply(Mat r, const Mat a, const Mat b, bool linear)
{
	for (int i = 0; i < 3; i++)
		for (int j = 0; j < 4; j++)
			r[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j] +
			          (j == 3 && !linear ? a[i][3] : 0);
}

// The rotation by angles about x and z, and its derivative by one of them.
static void joint(Mat r, double x, double z, int by)
{
	double cx = cos(x), sx = sin(x), cz = cos(z), sz = sin(z);
	if (by == 0) {
		Mat m = {{0, sz * sx, sz * cx, 0}, {0, -cz * sx, -cz * cx, 0}, {0, cx, -sx, 0}};
		memcpy(r, m, sizeof m);
	} else if (by == 1) {
		Mat m = {{-sz, -cz * cx, cz * sx, 0}, {cz, -sz * cx, sz * sx, 0}, {0, 0, 0, 0}};
		memcpy(r, m, sizeof m);
	} else {
		Mat m = {{cz, -sz * cx, sz * sx, 0}, {sz, cz * cx, -cz * sx, 0}, {0, sx, cx, 0}};
		memcpy(r, m, sizeof m);
	}
}

static void turn(double r[3][3], const double *v)
{
	double norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
	double x = v[0] / norm, y = v[1] / norm, z = v[2] / norm, s = sin(norm), c = cos(norm), k = 1 - c;
	double m[3][3] = {{x * x * k + c, x * y * k - z * s, x * z * k + y * s},
	                  {x * y * k + z * s, y * y * k + c, y * z * k - x * s},
	                  {x * z * k - y * s, z * y * k + x * s, z * z * k + c}};
	memcpy(r, m, sizeof m);
}

// Its derivative by component i: by the angle along the axis, and by the axis.
static void turn_by(double r[3][3], const double *v, int i)
{
	double norm = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), s = sin(norm), c = cos(norm), k = 1 - c;
	double a[3] = {v[0] / norm, v[1] / norm, v[2] / norm}, b[3];
	for (int j = 0; j < 3; j++)
		b[j] = ((i == j) - a[i] * a[j]) / norm;
	for (int j = 0; j < 3; j++)
		for (int l = 0; l < 3; l++) {
			int o = 3 - j - l;      // the third index, where they differ
			double sign = j == l ? 0 : (l - j + 3) % 3 == 1 ? -1 : 1;
			double axis = (b[j] * a[l] + a[j] * b[l]) * k + (j == l ? 0 : sign * b[o] * s);
			double angle = a[j] * a[l] * s - (j == l ? s : 0) + (j == l ? 0 : sign * a[o] * c);
			r[j][l] = axis + angle * a[i];
		}
}

// The bone, the angle and the first and last bone it moves, of a parameter after the sixth.
static int bent_bone(int param, int *by)
{
	int finger = (param - 6) / 4, k = (param - 6) % 4;
	*by = k == 1 ? 1 : 0;
	return 4 * finger + 2 + (k ? k - 1 : 0);
}

typedef struct { Mat relative[BONES], bend[BONES], absolute[BONES], transform[BONES]; } Pose;

static void pose(Pose *p, const Hand *h)
{
	for (int b = 0; b < BONES; b++) {
		int finger = (b - 1) / 4, k = (b - 1) % 4;
		const double *t = h->theta + 6 + 4 * finger;
		bool bends = b > 0 && b <= 20 && k > 0;
		joint(p->bend[b], bends ? t[k == 1 ? 0 : k] : 0, bends && k == 1 ? t[1] : 0, -1);
		multiply(p->relative[b], (const double (*)[4])h->relatives[b], p->bend[b], false);
		if (h->parents[b] < 0)
			memcpy(p->absolute[b], p->relative[b], sizeof(Mat));
		else
			multiply(p->absolute[b], p->absolute[h->parents[b]], p->relative[b], false);
		multiply(p->transform[b], p->absolute[b], (const double (*)[4])h->inverses[b], false);
	}
}

// The mesh before the last turn.
static void bend_mesh(double (*restrict mesh)[3], const Pose *p, const Hand *h)
{
	for (int64_t v = 0; v < h->vertices; v++) {
		const double *x = h->positions + 4 * v, *w = h->weights + BONES * v;
		double t[3][4] = {0};
		for (int b = 0; b < BONES; b++)
			if (w[b] != 0)
				for (int i = 0; i < 3; i++)
					for (int j = 0; j < 4; j++)
						t[i][j] += w[b] * p->transform[b][i][j];
		for (int i = 0; i < 3; i++)
			mesh[v][i] = t[i][0] * x[0] + t[i][1] * x[1] + t[i][2] * x[2] + t[i][3];
	}
}

static void turned(double r[3], const double m[3][3], const double x[3], const double *shift)
{
	for (int i = 0; i < 3; i++)
		r[i] = m[i][0] * x[0] + m[i][1] * x[1] + m[i][2] * x[2] + (shift ? shift[i] : 0);
}

// What the points see of a mesh, or of its derivative: minus the point, or nothing.
static void errors(double *restrict out, const double (*restrict mesh)[3], const Hand *h, bool points)
{
	for (int64_t i = 0; i < h->points; i++) {
		const double *at = h->at + 3 * i;
		int32_t c = h->correspondences[i];
		if (h->us) {
			const int32_t *k = h->corners + 3 * c;
			double u = h->us[2 * i], v = h->us[2 * i + 1], w = 1 - u - v;
			for (int j = 0; j < 3; j++)
				out[3 * i + j] = (points ? at[j] : 0) -
					(u * mesh[k[0]][j] + v * mesh[k[1]][j] + w * mesh[k[2]][j]);
		} else {
			for (int j = 0; j < 3; j++)
				out[3 * i + j] = (points ? at[j] : 0) - mesh[c][j];
		}
	}
}

typedef struct { double (*bent)[3], (*mesh)[3], (*moved)[3]; } Room;

static void make_mesh(Pose *p, const Room *room, const Hand *h)
{
	double r[3][3];
	pose(p, h);
	bend_mesh(room->bent, p, h);
	turn(r, h->theta);
	for (int64_t v = 0; v < h->vertices; v++)
		turned(room->mesh[v], (const double (*)[3])r, room->bent[v], h->theta + 3);
}

REFERENCE void primal(double *restrict out, const Hand *h, const Room *room)
{
	Pose p;
	make_mesh(&p, room, h);
	errors(out, (const double (*)[3])room->mesh, h, true);
}

// The mesh by one angle: bones from the joint to the tip of the finger.
static void move_by_angle(const Room *room, const Pose *p, const Hand *h, const double r[3][3], int param)
{
	Mat bent, relative, absolute[BONES], transform[BONES];
	int by, first = bent_bone(param, &by), last = (first - 1) / 4 * 4 + 4;
	const double *t = h->theta + 6 + (param - 6) / 4 * 4;
	bool second = (first - 1) % 4 == 1;
	joint(bent, second ? t[0] : h->theta[param], second ? t[1] : 0, by);
	multiply(relative, (const double (*)[4])h->relatives[first], bent, true);
	multiply(absolute[first], p->absolute[h->parents[first]], relative, true);
	for (int b = first + 1; b <= last; b++)
		multiply(absolute[b], absolute[b - 1], p->relative[b], false);
	for (int b = first; b <= last; b++) {
		multiply(relative, absolute[b], (const double (*)[4])h->inverses[b], false);
		for (int i = 0; i < 3; i++)
			for (int j = 0; j < 4; j++)
				transform[b][i][j] = r[i][0] * relative[0][j] + r[i][1] * relative[1][j] +
				                     r[i][2] * relative[2][j];
	}
	for (int64_t v = 0; v < h->vertices; v++) {
		const double *x = h->positions + 4 * v, *w = h->weights + BONES * v;
		double s[3] = {0};
		for (int b = first; b <= last; b++)
			if (w[b] != 0)
				for (int i = 0; i < 3; i++) {
					const double *m = transform[b][i];
					s[i] += w[b] * (m[0] * x[0] + m[1] * x[1] + m[2] * x[2] + m[3]);
				}
		memcpy(room->moved[v], s, sizeof s);
	}
}

// A column for each direction: two of `us` in the complicated variant, then the parameters.
REFERENCE void jacobian(double *restrict out, const Hand *h, const Room *room)
{
	Pose p;
	double r[3][3];
	int64_t column = 3 * h->points;
	make_mesh(&p, room, h);
	turn(r, h->theta);
	if (h->us) {
		for (int64_t i = 0; i < h->points; i++) {
			const int32_t *k = h->corners + 3 * h->correspondences[i];
			for (int j = 0; j < 3; j++) {
				out[3 * i + j] = room->mesh[k[2]][j] - room->mesh[k[0]][j];
				out[column + 3 * i + j] = room->mesh[k[2]][j] - room->mesh[k[1]][j];
			}
		}
		out += 2 * column;
	}
	for (int k = 0; k < 3; k++) {
		double m[3][3];
		turn_by(m, h->theta, k);
		for (int64_t v = 0; v < h->vertices; v++)
			turned(room->moved[v], (const double (*)[3])m, room->bent[v], NULL);
		errors(out + k * column, (const double (*)[3])room->moved, h, false);
		for (int64_t i = 0; i < column; i++)
			out[(3 + k) * column + i] = i % 3 == k ? -1 : 0;
	}
	for (int k = 6; k < PARAMS; k++) {
		move_by_angle(room, &p, h, (const double (*)[3])r, k);
		errors(out + k * column, (const double (*)[3])room->moved, h, false);
	}
}

static int run(struct futhark_context *ctx, const Hand *h)
{
	int64_t n = h->points, columns = h->us ? 28 : 26, m = h->vertices;
	Room room = {malloc(sizeof(double[3]) * (size_t)m), malloc(sizeof(double[3]) * (size_t)m),
	             malloc(sizeof(double[3]) * (size_t)m)};
	ROOM(double, e, 3 * n);
	ROOM(double, j, columns * 3 * n);
	ROOM(double, r, columns * 3 * n);
	ARRAY(i32_1d, parents, h->parents, BONES);
	ARRAY(f64_3d, relatives, (const double *)h->relatives, BONES, 4, 4);
	ARRAY(f64_3d, inverses, (const double *)h->inverses, BONES, 4, 4);
	ARRAY(f64_2d, positions, h->positions, m, 4);
	ARRAY(f64_2d, weights, h->weights, m, BONES);
	ARRAY(i32_2d, corners, h->corners, h->triangles, 3);
	ARRAY(i32_1d, which, h->correspondences, n);
	ARRAY(f64_2d, points, h->at, n, 3);
	ARRAY(f64_1d, theta, h->theta, PARAMS);
	struct futhark_f64_2d *us = h->us ? futhark_new_f64_2d(ctx, h->us, n, 2) : NULL, *fy = NULL;
	struct futhark_f64_3d *fj = NULL;
#define MODEL parents, relatives, inverses, positions, weights, false
#define PRIMAL do { \
		DROP(f64_2d, fy); \
		if (us) \
			CHECK(futhark_entry_primal(ctx, &fy, MODEL, corners, which, points, theta, us)); \
		else \
			CHECK(futhark_entry_primal_simple(ctx, &fy, MODEL, which, points, theta)); \
	} while (0)
#define JACOBIAN do { \
		DROP(f64_3d, fj); \
		if (us) \
			CHECK(futhark_entry_jacobian(ctx, &fj, MODEL, corners, which, points, theta, us)); \
		else \
			CHECK(futhark_entry_jacobian_simple(ctx, &fj, MODEL, which, points, theta)); \
	} while (0)
	PRIMAL;
	FETCH(f64_2d, fy, r);
	primal(e, h, &room);
	SAME(e, r, 3 * n, 1e-12);
	JACOBIAN;
	FETCH(f64_3d, fj, r);
	jacobian(j, h, &room);
	SAME(j, r, columns * 3 * n, 1e-11);
	DUMP("parents", "<i4", h->parents, BONES);
	DUMP("relatives", "<f8", h->relatives, BONES, 4, 4);
	DUMP("inverses", "<f8", h->inverses, BONES, 4, 4);
	DUMP("positions", "<f8", h->positions, m, 4);
	DUMP("weights", "<f8", h->weights, m, BONES);
	DUMP("triangles", "<i4", h->corners, h->triangles, 3);
	DUMP("correspondences", "<i4", h->correspondences, n);
	DUMP("points", "<f8", h->at, n, 3);
	DUMP("theta", "<f8", h->theta, PARAMS);
	if (h->us)
		DUMP("us", "<f8", h->us, n, 2);
	DUMP("primal", "<f8", e, n, 3);
	DUMP("gradient", "<f8", j, columns, n, 3);
	WORKLOAD(40.0, PRIMAL, JACOBIAN, primal(e, h, &room), jacobian(j, h, &room));
	DROP(f64_2d, fy);
	DROP(f64_3d, fj);
	return 0;
}

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

// A made-up skeleton and mesh of the sizes of ADBench's big model.
static int one(struct futhark_context *ctx, int number, int64_t n, bool complicated)
{
	static Hand h;
	ROW(n, "ht %d %s", number, complicated ? "complicated" : "simple");
	h.vertices = 10000;
	h.triangles = 1084;
	h.points = n;
	for (int b = 0; b < BONES; b++) {
		h.parents[b] = b == 0 ? -1 : b % 4 == 1 ? 0 : b - 1;
		make_transform(h.relatives[b], false);
		make_transform(h.inverses[b], true);
	}
	MAKE(double, positions, h.vertices * 4, make_i % 4 == 3 ? 1 : uniform(-1, 1));
	ROOM(double, weights, h.vertices * BONES);
	for (int v = 0; v < h.vertices; v++)
		make_weights(weights + BONES * v);
	MAKE(int32_t, corners, h.triangles * 3, below(h.vertices));
	MAKE(int32_t, correspondences, n, below(complicated ? h.triangles : h.vertices));
	MAKE(double, points, n * 3, uniform(-1, 1));
	for (int i = 0; i < PARAMS; i++)
		h.theta[i] = uniform(-1, 1);
	MAKE(double, us, n * 2, uniform(0, 0.5));
	h.positions = positions;
	h.weights = weights;
	h.corners = corners;
	h.correspondences = correspondences;
	h.at = points;
	h.us = complicated ? us : NULL;
	return run(ctx, &h);
}

// A problem in a file of ADBench, beside which the folder `model` is.
static int file(struct futhark_context *ctx, const char *path)
{
	static Hand h;
	char model[4096];
	bool complicated = strstr(path, "complicated") != NULL;
	snprintf(model, sizeof model, "%.*smodel", (int)(base_name(path) - path), path);
	if (!load_hand(path, model, complicated, &h))
		return 1;
	ROW(h.points, "ht %s", base_name(path));
	return run(ctx, &h);
}

int main(int argc, char **argv)
{
	SETUP;
	for (int i = 1; i < argc; i++)
		if (file(ctx, argv[i]))
			return 1;
	if (argc > 1)
		FINISH;
	for (int simple = 0; simple < 2; simple++) {
		if (sizes_some() && (one(ctx, 1, 100, !simple) || one(ctx, 8, 6400, !simple)))
			return 1;
		if (one(ctx, 11, 51200, !simple))
			return 1;
	}
	FINISH;
}
