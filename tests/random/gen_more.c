// Making random programs: constructs that take more than one line to say.
//
// Partitions, strides, slices that are written, shapes changed, sorting in place, functions that give
// functions, custom and many derivatives, arrays that grow, operators on matrices, histograms of rows
// and in two dimensions.
#include "gen.h"

// What a function gives may share memory with anything that it can see, as far as types tell.
static void hold_all(Gen *g)
{
	for EACH(Binding, b, g->scope)
		b->fresh = false;
}

static Node *custom(Gen *g, Node *xs, Shape t)
{
	static const char *const ways[] = {
		"(map (with_vjp (\\q -> f64.tanh q) (\\r (a: f64) -> a * (1 - r * r))) %e)",
		"(map (with_vjp_tape (\\q -> (q, f64.sin q)) (\\(q, a) -> a * f64.cos q)) %e)",
		"(with_vjp_tape (\\(qs: [%s]f64) -> (qs, map (\\q -> q * q / (1 + q * q)) qs))\n"
		"  (\\(qs, as) -> map2 (\\q a -> 2 * a * q / ((1 + q * q) * (1 + q * q))) qs as) %e)",
	};
	int way = pick(g, 3);
	return way < 2 ? node(t, ways[way], xs) : node(t, ways[2], t.d1, xs);
}

static Node *sorted(Gen *g, Node *xs, Shape t)
{
	const char *a = new_name(g, "a"), *i = new_name(g, "j"), *j = new_name(g, "j");
	return node(t, "(loop %s = copy %e for %s < %s do\n"
	            "  loop %s for %s < %s - 1 - %s do\n"
	            "    if %s[%s] > %s[%s + 1]\n"
	            "    then let q = copy %s[%s] let %s[%s] = copy %s[%s + 1] in %s with [%s + 1] = q\n"
	            "    else %s)", a, xs, i, t.d1, a, j, t.d1, i, a, j, a, j, a, j, a, j, a, j, a, j, a);
}

static Node *while_loop(Gen *g, Shape t, int depth)
{
	const char *a = new_name(g, "a"), *i = new_name(g, "j");
	Node *init = expr(g, t, depth + 1);
	const char *trips = pick_trips(g, 5);
	return node(t, "((loop (%s : %s, %s) = (%e, 0i64)\n"
	            "  while %s < %s && f64.sum %s < 3 do (%b, %s + 1)).0)", a, shape_text(t), i, init, i,
	            trips, a, body_with2(g, a, t, i, INT, t, pick(g, 2), depth + 1), i);
}

static Node *scan_of_matrices(Gen *g, Shape t, int depth)
{
	Node *xs = expr(g, t, depth + 1);
	int row = pick(g, 2), column = pick(g, 2);
	return node(t, "(scan (\\a b -> map (\\r -> [r[0] * b[0, 0] + r[1] * b[1, 0],\n"
	            "    r[0] * b[0, 1] + r[1] * b[1, 1]]) a) [[1, 0], [0, 1]]\n"
	            "  (map (\\q -> [[f64.cos q, 0.3], [f64.sin q, 0.5]]) %e) |> map (\\a -> a[%i, %i]))",
	            xs, row, column);
}

Node *more_vector(Gen *g, const char *d, int depth, bool *fresh)
{
	Shape t = VEC_OF(d);
	const char *f = new_name(g, "fn"), *p = new_name(g, "e");
	Node *x, *y;
	int way = pick(g, 22);
	*fresh = way == 2 || way == 9 || way == 11;
	if (!*fresh)
		hold_all(g);
	switch (way) {
	case 0:
		x = leaf(g, NUM);
		return node(t, "((\\(a, b) -> a ++ map (\\q -> 0.5 * q) b :> [%s]f64)\n"
		            "  (partition (\\q -> q < %e) %e))", d, x, expr(g, t, depth + 1));
	case 1:
		x = expr(g, t, depth + 1), y = expr(g, t, depth + 1);
		return node(t, "((%e ++ %e)[%i::2] :> [%s]f64)", x, y, pick(g, 2), d);
	case 2:
		x = expr(g, t, depth + 1);
		return node(t, "(copy %e with [%s / 2:] = (%e)[%s / 2:])", x, d,
		            expr(g, t, depth + 1), d);
	case 3:
		x = expr(g, t, depth + 1);
		return node(t, "(take %s (flatten (transpose (unflatten (%e ++ %e :> [2 * %s]f64)))))", d,
		            x, expr(g, t, depth + 1), d);
	case 4: {
		Node *xs = expr(g, t, depth + 1);
		return node(t, "((\\%s -> map (%s >-> %s) %e) (\\%s ->%b))", f, f, f, xs, p,
		            body_with(g, p, NUM, NUM, pick(g, 2), depth + 1));
	}
	case 5:
		x = expr(g, t, depth + 1);
		return node(t, "(let %s w = \\q -> f64.tanh (q * w) + 0.1 * w in map2 (\\a b -> %s a b) %e %e)",
		            f, f, x, expr(g, t, depth + 1));
	case 6:
		return custom(g, expr(g, t, depth + 1), t);
	case 7:
		return while_loop(g, t, depth);
	case 8:
		return sorted(g, expr(g, t, depth + 1), t);
	case 9:
		return scan_of_matrices(g, t, depth);
	case 10:
		return node(t, "((\\(a, b, c) -> map3 (\\q r s -> q * f64.sin r + s) a b c)\n"
		            "  (unzip3 (map (\\q -> (q, q * q / (1 + q * q), 0.3 * q)) %e)))",
		            expr(g, t, depth + 1));
	case 12: case 13:
		return nest(g, t, depth);
	case 15: case 16: case 17:
		return near_vector(g, d, depth);
	case 18: case 19: case 20: case 21:
		return stateful(g, d, depth);
	case 11:
		x = leaf(g, VEC_OF(pick_dim(g)));
		return node(t, "(map (\\q -> f64.sum (filter (\\r -> r < q) %e)) %e)", x,
		            expr(g, t, depth + 1));
	default:
		x = expr(g, t, depth + 1);
		return node(t, "(iterate %i (\\a -> map2 (\\q r -> 0.4 * q + 0.5 * f64.sin r) a (rotate 1 a)) %e)",
		            1 + pick(g, 3), x);
	}
}

static Node *growing(Gen *g, int depth)
{
	const char *a = new_name(g, "a"), *i = new_name(g, "j"), *q = new_name(g, "e");
	Node *first = expr(g, NUM, depth + 1);
	const char *trips = pick_trips(g, 4);
	return node(NUM, "(f64.sum (loop (%s : []f64) = [%e] for %s < %s do\n"
	            "  %s ++ [(\\%s ->%b) (last %s)]))", a, first, i, trips, a, q,
	            body_with2(g, i, INT, q, NUM, NUM, pick(g, 2), depth + 1), a);
}

Node *more_number(Gen *g, int depth)
{
	const char *d = pick_dim(g), *p = new_name(g, "e"), *q = new_name(g, "e"), *s = new_name(g, "s");
	Shape t = VEC_OF(d);
	switch (pick(g, 7)) {
	case 0:
		return growing(g, depth);
	case 1: {
		Node *init = expr(g, NUM, depth + 1), *a = expr(g, t, depth + 1), *b = expr(g, t, depth + 1);
		Mark m = enter(g);
		bind(g, s, NUM, false);
		Block *body = body_with2(g, p, NUM, q, NUM, NUM, pick(g, 2), depth + 1);
		leave(g, m);
		return node(NUM, "(loop %s = %e for (%s, %s) in zip %e %e do%b)", s, init, p, q, a, b, body);
	}
	case 2: {
		Node *init = expr(g, NUM, depth + 1), *a = expr(g, t, depth + 1);
		return node(NUM, "(fold%s %e %e)", chance(g, 50)
		            ? "l (\\a q -> 0.6 * a + f64.sin (a * q))" : "r (\\q a -> 0.5 * a + f64.tanh q)", init, a);
	}
	case 3: {
		Node *xs = expr(g, t, depth + 1);
		int row = pick(g, 2), column = pick(g, 2);
		return node(NUM, "((reduce (\\a b -> tabulate_2d 2 2 (\\i j ->\n"
		            "    a[i, 0] * b[0, j] + a[i, 1] * b[1, j])) [[1, 0], [0, 1]]\n"
		            "  (map (\\q -> [[f64.cos q, 0.3], [f64.sin q, 0.5]]) %e))[%i, %i])",
		            xs, row, column);
	}
	case 4: {
		Node *a = expr(g, t, depth + 1), *b = leaf(g, t);
		return node(NUM, "((\\(a, at) -> a * (%e)[at %% %s]) (reduce (\\(a, i) (b, j) ->\n"
		            "    if a < b || (a == b && i < j) then (a, i) else (b, j)) (f64.inf, 0) (zip %e (iota %s))))",
		            b, d, a, d);
	}
	case 5:
		return node(NUM, "(reduce_comm (\\a b -> a + b + 0.1 * a * b) 0 (map f64.tanh %e))",
		            expr(g, t, depth + 1));
	default:
		return node(NUM, "(f64.sum (map (\\r -> f64.sum (flatten r)) (tabulate_3d 2 %s 2\n"
		            "  (\\i j l -> f64.sin (f64.i64 (i + 2 * l) * (%e)[j])))))", d, leaf(g, t));
	}
}

// Many derivatives at once, as the rows of a matrix.
static Node *many(Gen *g, Shape t, int depth)
{
	const char *p = new_name(g, "d");
	hold_all(g);
	bool reverse = chance(g, 50);
	g->derivatives++;
	Block *b = reverse ? body_with(g, p, VEC_OF(t.d2), NUM, pick(g, 2), depth + 1)
	                   : body_with(g, p, NUM, VEC_OF(t.d2), pick(g, 2), depth + 1);
	g->derivatives--;
	Node *at = expr(g, reverse ? VEC_OF(t.d2) : NUM, depth + 1), *seeds = leaf(g, VEC_OF(t.d1));
	return node(t, "(%s (\\%s ->%b) %e %e)", reverse ? "mjp" : "jmp", p, b, at, seeds);
}

Node *more_matrix(Gen *g, const char *d, const char *e, int depth, bool *fresh)
{
	static const char *const ops[] = {"(+)", "(*)", "f64.max", "(\\a b -> a + b - 0.2 * a * b)"};
	static const char *const neutral[] = {"0", "1", "f64.lowest", "0"};
	Shape t = MAT_OF(d, e);
	const char *k = pick_dim(g);
	int o = pick(g, 4), by = pick(g, 2), way = pick(g, 10);
	Node *x = way < 5 ? expr(g, t, depth + 1) : NULL, *at;
	*fresh = true;
	switch (way) {
	case 7: case 8: case 9:
		*fresh = false;
		hold_all(g);
		return near_matrix(g, d, e, depth);
	case 5:
		*fresh = false;
		hold_all(g);
		return nest(g, t, depth);
	case 0:
		return node(t, "(reduce_by_index_2d (copy %e) %s %s\n"
		            "  (map (\\i -> (i %% (%s + 1), (3 * i + %i) %% (%s + 1))) (iota %s)) %e)",
		            x, ops[o], neutral[o], d, by, e, k,
		            expr(g, VEC_OF(k), depth + 1));
	case 1:
		return node(t, "(reduce_by_index (copy %e) (map2 %s) (replicate %s %s)\n"
		            "  (map (\\i -> (5 * i + %i) %% (%s + 1)) (iota %s)) %e)",
		            x, ops[o], e, neutral[o], by, d, k,
		            expr(g, MAT_OF(k, e), depth + 1));
	case 2:
		at = index_in(g, e);
		return node(t, "(copy %e with [:, %e] = copy %e)", x, at, expr(g, VEC_OF(d), depth + 1));
	case 3:
		return node(t, "(scatter (copy %e) (map (\\i -> 2 * i - 1) (iota %s)) %e)",
		            x, k, expr(g, MAT_OF(k, e), depth + 1));
	case 4:
		*fresh = false;
		return node(t, "(unflatten (map (\\q -> f64.sin q + q) (flatten %e)))", x);
	default:
		*fresh = false;
		if (g->derivatives < 1)
			return many(g, t, depth);
		return node(t, "(tabulate_2d %s %s (\\i j -> f64.sin (f64.i64 (i - j) * (%e)[i])))", d, e,
		            leaf(g, VEC_OF(d)));
	}
}
