// Making random programs: nests of loops that update one array in place.
//
// Tables filled in order, triangles, factorisations: what an iteration writes, others read, before
// or after it is written; sums over a part of what is there; updates under conditions.
#include "gen.h"

// An index less than d, of the two loops around and perhaps a third one.
static const char *place(Gen *g, const char *d, const char *i, const char *j, const char *k)
{
	switch (pick(g, k ? 8 : 6)) {
	case 0: case 1:
		return text("%s %% %s", i, d);
	case 2:
		return text("%s %% %s", j, d);
	case 3:
		return text("(%s + %s) %% %s", i, j, d);
	case 4:
		return text("%s - 1 - %s %% %s", d, chance(g, 50) ? i : j, d);
	case 5:
		return text("(%s + 1) %% %s", chance(g, 50) ? i : j, d);
	default:
		return text("%s %% %s", k, d);
	}
}

static const char *bound(Gen *g, const char *d, const char *i)
{
	static const char *const ways[] = {"%s", "%s + 1"};
	return chance(g, 60) ? text(ways[pick(g, 2)], i) : chance(g, 50) ? d : text("i64.min 2 %s", d);
}

// Bounds that the compiler sees through: no remainders where there is no need for them.
static const char *cell(Gen *g, const char *a, Shape t, const char *i, const char *j, const char *k)
{
	bool plain = chance(g, 50);
	const char *row;
	if (t.kind == T_VEC)
		return plain ? text("%s[%s]", a, k ? k : chance(g, 50) ? i : j)
		             : text("%s[%s]", a, place(g, t.d1, i, j, k));
	if (plain && k)
		return text("%s[%s %% %s, %s %% %s]", a, chance(g, 50) ? i : j, t.d1, k, t.d2);
	row = place(g, t.d1, i, j, k);
	return text("%s[%s, %s]", a, row, place(g, t.d2, j, i, k));
}

Node *nest(Gen *g, Shape t, int depth)
{
	const char *a = new_name(g, "a"), *i = new_name(g, "j"), *j = new_name(g, "j");
	const char *k = new_name(g, "j"), *s = new_name(g, "s");
	Node *init = expr(g, t, depth + 1);
	const char *lim = bound(g, t.d1, i);
	// The inner index stays below the size where the bound is one of the outer loop's.
	const char *sum = cell(g, a, t, i, j, NULL);
	if (chance(g, 70)) {
		const char *trips = chance(g, 60) ? j : chance(g, 50) ? i : "2";
		sum = text("(loop %s = 0.1 for %s < %s do 0.5 * %s + f64.sin (%s * %s))", s, k,
		           trips, s, cell(g, a, t, i, j, text("(%s %% %s)", k, t.d1)), sum);
	}
	const char *old = cell(g, a, t, i, j, NULL), *to = cell(g, "", t, i, j, NULL);
	const char *value = chance(g, 50) ? text("0.3 * %s + f64.cos %s", old, sum)
	                  : chance(g, 50) ? text("f64.tanh (%s - %s)", old, sum)
	                                  : text("%s / (2 + f64.cos %s)", sum, old);
	const char *update = text("%s with %s = %s", a, to, value);
	if (chance(g, 30))
		update = text("if %s %s %s then %s else %s", i, chance(g, 50) ? "==" : "<", j, update, a);
	return node(t, "(loop %s = copy %e for %s < %s do\n"
	            "  loop %s for %s < %s do\n"
	            "    %s)", a, init, i, t.d1, a, j, lim, update);
}
