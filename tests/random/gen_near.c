// Making random programs: elements computed from neighbours, and sums over some of the elements.
//
// Stencils of one and two dimensions whose edges stop, go around, or have branches of their own;
// triangles; sums written as loops; scans and histograms of pairs.  Reverse mode makes accumulators of
// these, which passes then turn into reductions and maps.
#include "gen.h"

// An index near i that is less than d.
static const char *near_place(Gen *g, const char *d, const char *i)
{
	int by = 1 + pick(g, 3);
	switch (pick(g, 6)) {
	case 0:
		return text("i64.max 0 (%s - %d)", i, by);
	case 1:
		return text("i64.min (%s - 1) (%s + %d)", d, i, by);
	case 2:
		return text("(%s + %d) %% %s", i, by, d);
	case 3:
		return text("(%s + %s - 1) %% %s", i, d, d);
	default:
		return i;
	}
}

// A condition, and an index that is less than d where it holds.
static const char *guarded_place(Gen *g, const char *d, const char *i, const char **cond)
{
	int by = 1 + pick(g, 2);
	bool up = chance(g, 50);
	*cond = up ? text("%s < %s - %d", i, d, by) : text("%s >= %d", i, by);
	return text("%s %s %d", i, up ? "+" : "-", by);
}

// An element of `a` near (i, j), or i alone.
static const char *near_element(Gen *g, Shape t)
{
	const char *c1, *c2;
	bool vec = t.kind == T_VEC;
	if (chance(g, 60)) {
		const char *i = near_place(g, t.d1, "i");
		return vec ? text("a[%s]", i) : text("a[%s, %s]", i, near_place(g, t.d2, "j"));
	}
	const char *p1 = guarded_place(g, t.d1, "i", &c1), *p2 = vec ? NULL : guarded_place(g, t.d2, "j", &c2);
	const char *other = chance(g, 50) ? "0" : vec ? "a[i]" : "f64.sin a[i, j]";
	if (vec)
		return text("(if %s then a[%s] else %s)", c1, p1, other);
	switch (pick(g, 3)) {
	case 0:
		return text("(if %s then a[%s, j] else %s)", c1, p1, other);
	case 1:
		return text("(if %s then a[i, %s] else %s)", c2, p2, other);
	default:
		return text("(if %s && %s then a[%s, %s] else %s)", c1, c2, p1, p2, other);
	}
}

static const char *near_sum(Gen *g, Shape t)
{
	const char *sum = t.kind == T_VEC ? "a[i]" : "a[i, j]";
	for (int n = 1 + pick(g, 3); n > 0; n--) {
		const char *op = chance(g, 60) ? "+" : "*", *by = chance(g, 30) ? "0.4 * " : "";
		sum = text("%s %s %s%s", sum, op, by, near_element(g, t));
	}
	return sum;
}

Node *near_vector(Gen *g, const char *d, int depth)
{
	Shape t = VEC_OF(d);
	const char *e = pick_dim(g);
	Node *a = expr(g, t, depth + 1);
	bool first = chance(g, 50);
	switch (pick(g, 6)) {
	case 0: case 1:
		return node(t, "((\\a -> tabulate %s (\\i -> %s)) %e)", d, near_sum(g, t), a);
	case 2:
		return node(t, "((\\a b -> tabulate %s (\\i -> f64.sum (tabulate %s (\\j ->\n"
		            "    if j %s i then a[i] * b[j] else 0.1 * b[j] * b[j])))) %e %e)", d, e,
		            first ? "<=" : ">", a, expr(g, VEC_OF(e), depth + 1));
	case 3:
		return node(t, "((\\a b -> tabulate %s (\\i -> loop s = 0 for j < %s do\n"
		            "    %s)) %e %e)", d, e, first ? "s + b[j] * a[i]"
		            : "if (i + j) % 2 == 0 then s + f64.sin b[j] * a[i] else s", a,
		            expr(g, VEC_OF(e), depth + 1));
	case 4:
		return node(t, "(map (\\(p, q) -> p - q) (scan (\\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0)\n"
		            "  (zip (map f64.cos %e) %e)))", a, expr(g, t, depth + 1));
	default:
		return node(t, "(map (\\(p, q) -> p + f64.sin q) (reduce_by_index (replicate %s (0, 0))\n"
		            "  (\\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map (\\i -> (3 * i) %% (%s + 1)) (iota %s))\n"
		            "  (zip %e %e)))", d, d, d, a, expr(g, t, depth + 1));
	}
}

Node *near_matrix(Gen *g, const char *d, const char *e, int depth)
{
	Shape t = MAT_OF(d, e);
	Node *a = expr(g, t, depth + 1);
	if (chance(g, 20))
		return node(t, "(loop a = %e for _i < 2 do tabulate_2d %s %s (\\i j -> f64.sin (%s)))", a, d, e,
		            near_sum(g, t));
	return node(t, "((\\a -> tabulate_2d %s %s (\\i j -> %s)) %e)", d, e, near_sum(g, t), a);
}
