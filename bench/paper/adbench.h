// Problems in the text files of ADBench.  Each loader gives false, after a message, if the file is
// not as it should be.
//	gmm     d k n, then alpha, mu, the factors (logarithms of the diagonal, columns below it), the
//	        points, gamma m
//	lstm    layers length bits, then main parameters, extra ones, state, sequence
//	ba      n m p, then a camera, a point, a weight and a feature, which all are alike
//	hand    points parameters, then lines of a correspondence and a point, `us` in the complicated
//	        variant, and the parameters; the model is a folder of three files
#ifndef ADBENCH_H
#define ADBENCH_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOADER __attribute__((unused)) static

LOADER const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

static bool bad_file(const char *path, const char *what)
{
	printf("%s: %s\n", path, what);
	return false;
}

// The numbers of a file, whatever stands between them; after the last, `left` is 0.
typedef struct { char *text, *at; } Numbers;

static bool open_numbers(Numbers *n, const char *path)
{
	FILE *f = fopen(path, "rb");
	if (!f)
		return false;
	size_t size = 0, room = 1 << 16, got;
	n->text = malloc(room);
	while ((got = fread(n->text + size, 1, room - size - 1, f)) > 0) {
		size += got;
		if (room - size < 2)
			n->text = realloc(n->text, room *= 2);
	}
	n->text[size] = 0;
	n->at = n->text;
	fclose(f);
	return true;
}

static bool next_number(Numbers *n, double *x)
{
	char *end;
	*x = strtod(n->at, &end);
	if (end == n->at)
		return false;
	n->at = *end == ':' ? end + 1 : end;
	return true;
}

static bool next_integer(Numbers *n, int64_t *x)
{
	double d;
	if (!next_number(n, &d) || d != (double)(int64_t)d)
		return false;
	*x = (int64_t)d;
	return true;
}

static double *next_numbers(Numbers *n, int64_t count)
{
	double *x = malloc((size_t)(count > 0 ? count : 1) * sizeof *x);
	for (int64_t i = 0; i < count; i++)
		if (!next_number(n, &x[i]))
			return NULL;
	return x;
}

// ---- gmm ----

typedef struct { int64_t d, k, n, m; double gamma, *alpha, *mu, *q, *l, *x; } Gmm;

LOADER bool load_gmm(const char *path, Gmm *g)
{
	Numbers f;
	if (!open_numbers(&f, path))
		return bad_file(path, "cannot be read");
	if (!next_integer(&f, &g->d) || !next_integer(&f, &g->k) || !next_integer(&f, &g->n) || g->d < 1 ||
	    g->k < 1 || g->n < 1)
		return bad_file(path, "no sizes");
	int64_t t = g->d * (g->d - 1) / 2;
	g->alpha = next_numbers(&f, g->k);
	g->mu = next_numbers(&f, g->k * g->d);
	double *factors = next_numbers(&f, g->k * (g->d + t));
	g->x = next_numbers(&f, g->n * g->d);
	if (!g->alpha || !g->mu || !factors || !g->x || !next_number(&f, &g->gamma) ||
	    !next_integer(&f, &g->m))
		return bad_file(path, "too short");
	g->q = malloc((size_t)(g->k * g->d) * sizeof *g->q);
	g->l = malloc((size_t)(g->k * t + 1) * sizeof *g->l);
	for (int64_t k = 0; k < g->k; k++) {
		const double *row = factors + k * (g->d + t);
		memcpy(g->q + k * g->d, row, (size_t)g->d * sizeof *row);
		memcpy(g->l + k * t, row + g->d, (size_t)t * sizeof *row);
	}
	free(factors);
	free(f.text);
	return true;
}

// ---- lstm ----

typedef struct { int64_t l, c, b; double *main, *extra, *state, *sequence; } Lstm;

LOADER bool load_lstm(const char *path, Lstm *m)
{
	Numbers f;
	if (!open_numbers(&f, path))
		return bad_file(path, "cannot be read");
	if (!next_integer(&f, &m->l) || !next_integer(&f, &m->c) || !next_integer(&f, &m->b) || m->l < 1 ||
	    m->c < 2 || m->b < 1)
		return bad_file(path, "no sizes");
	m->main = next_numbers(&f, m->l * 8 * m->b);
	m->extra = next_numbers(&f, 3 * m->b);
	m->state = next_numbers(&f, m->l * 2 * m->b);
	m->sequence = next_numbers(&f, m->c * m->b);
	free(f.text);
	return (m->main && m->extra && m->state && m->sequence) || bad_file(path, "too short");
}

// ---- ba ----

typedef struct { int64_t n, m, p; double *cam, *point, *weight, *feat; } Ba;

LOADER bool load_ba(const char *path, Ba *b)
{
	Numbers f;
	if (!open_numbers(&f, path))
		return bad_file(path, "cannot be read");
	if (!next_integer(&f, &b->n) || !next_integer(&f, &b->m) || !next_integer(&f, &b->p) || b->n < 1 ||
	    b->m < 1 || b->p < 1)
		return bad_file(path, "no sizes");
	b->cam = next_numbers(&f, 11);
	b->point = next_numbers(&f, 3);
	b->weight = next_numbers(&f, 1);
	b->feat = next_numbers(&f, 2);
	free(f.text);
	return (b->cam && b->point && b->weight && b->feat) || bad_file(path, "too short");
}

// ---- hand ----

enum { HAND_BONES = 22, HAND_PARAMS = 26 };

typedef struct {
	int64_t vertices, triangles, points;
	int32_t parents[HAND_BONES];
	double relatives[HAND_BONES][16], inverses[HAND_BONES][16];
	double *positions;                      // [vertices][4]
	double *weights;                        // [vertices][HAND_BONES]
	int32_t *corners;                       // [triangles][3]
	int32_t *correspondences;
	double *at;                             // [points][3]
	double *us;                             // [points][2], or null in the simple variant
	double theta[HAND_PARAMS];
} Hand;

// A file of lines; the number of lines that are not empty.
static int64_t count_lines(const Numbers *n)
{
	int64_t lines = 0;
	for (const char *p = n->text; *p; p++)
		lines += *p == '\n' && p > n->text && p[-1] != '\n';
	return lines;
}

static bool load_bones(const char *folder, Hand *h)
{
	char path[4096];
	Numbers f;
	snprintf(path, sizeof path, "%s/bones.txt", folder);
	if (!open_numbers(&f, path))
		return bad_file(path, "cannot be read");
	for (int b = 0; b < HAND_BONES; b++) {
		int64_t parent;
		f.at = strchr(f.at, ':');
		if (!f.at++ || !next_integer(&f, &parent))
			return bad_file(path, "too short");
		h->parents[b] = (int32_t)parent;
		for (int i = 0; i < 32; i++)
			if (!next_number(&f, i < 16 ? &h->relatives[b][i] : &h->inverses[b][i - 16]))
				return bad_file(path, "too short");
	}
	free(f.text);
	return true;
}

// Of a vertex: the position, five numbers of no interest, and weights of some bones.
static bool load_vertices(const char *folder, Hand *h)
{
	char path[4096];
	Numbers f;
	snprintf(path, sizeof path, "%s/vertices.txt", folder);
	if (!open_numbers(&f, path))
		return bad_file(path, "cannot be read");
	h->vertices = count_lines(&f);
	h->positions = malloc((size_t)h->vertices * 4 * sizeof(double));
	h->weights = calloc((size_t)h->vertices * HAND_BONES, sizeof(double));
	for (int64_t v = 0; v < h->vertices; v++) {
		double *p = h->positions + 4 * v, ignored;
		int64_t count, bone;
		bool good = next_number(&f, &p[0]) && next_number(&f, &p[1]) && next_number(&f, &p[2]);
		p[3] = 1;
		for (int i = 0; i < 5; i++)
			good = good && next_number(&f, &ignored);
		good = good && next_integer(&f, &count);
		for (int64_t i = 0; good && i < count; i++)
			good = next_integer(&f, &bone) && bone >= 0 && bone < HAND_BONES &&
			       next_number(&f, &h->weights[v * HAND_BONES + bone]);
		if (!good)
			return bad_file(path, "not a list of vertices");
	}
	free(f.text);
	return true;
}

static bool load_triangles(const char *folder, Hand *h)
{
	char path[4096];
	Numbers f;
	snprintf(path, sizeof path, "%s/triangles.txt", folder);
	if (!open_numbers(&f, path))
		return bad_file(path, "cannot be read");
	h->triangles = count_lines(&f);
	h->corners = malloc((size_t)h->triangles * 3 * sizeof *h->corners);
	for (int64_t i = 0; i < 3 * h->triangles; i++) {
		int64_t corner;
		if (!next_integer(&f, &corner) || corner < 0 || corner >= h->vertices)
			return bad_file(path, "not a list of triangles");
		h->corners[i] = (int32_t)corner;
	}
	free(f.text);
	return true;
}

LOADER bool load_hand(const char *path, const char *model, bool complicated, Hand *h)
{
	Numbers f;
	int64_t params;
	if (!load_bones(model, h) || !load_vertices(model, h) || !load_triangles(model, h))
		return false;
	if (!open_numbers(&f, path))
		return bad_file(path, "cannot be read");
	if (!next_integer(&f, &h->points) || !next_integer(&f, &params) || params != HAND_PARAMS)
		return bad_file(path, "no sizes");
	h->correspondences = malloc((size_t)h->points * sizeof *h->correspondences);
	h->at = malloc((size_t)h->points * 3 * sizeof *h->at);
	h->us = complicated ? malloc((size_t)h->points * 2 * sizeof *h->us) : NULL;
	bool good = true;
	for (int64_t i = 0; good && i < h->points; i++) {
		int64_t c = 0;
		good = next_integer(&f, &c) && c >= 0 && c < (complicated ? h->triangles : h->vertices);
		h->correspondences[i] = (int32_t)c;
		for (int k = 0; k < 3; k++)
			good = good && next_number(&f, &h->at[3 * i + k]);
	}
	for (int64_t i = 0; complicated && i < 2 * h->points; i++)
		good = good && next_number(&f, &h->us[i]);
	for (int i = 0; i < HAND_PARAMS; i++)
		good = good && next_number(&f, &h->theta[i]);
	free(f.text);
	return good || bad_file(path, "too short");
}
#endif
