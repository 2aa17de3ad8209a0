// Making random programs: arrays, and operators of reductions, scans and histograms.
#include "gen.h"

// ---- Operators ----

typedef struct { const char *op, *neutral; bool positive; } Operator;

// Associative and commutative operators on numbers; one has a free variable.
static Operator operator(Gen *g)
{
	switch (pick(g, 9)) {
	case 0: case 1:
		return (Operator){"(+)", "0", false};
	case 2: case 3:
		return (Operator){"(*)", "1", false};
	case 4:
		return (Operator){"f64.max", "f64.lowest", false};
	case 5:
		return (Operator){"f64.min", "f64.highest", false};
	case 6:
		return (Operator){"(\\a b -> f64.sqrt (a * a + b * b))", "0", true};
	case 7:
		return (Operator){"(\\a b -> a + b - 0.4 * a * b)", "0", false};
	default: {
		Str s = {0};
		Binding *w = NULL;
		for EACH(Binding, b, g->scope)
			if (b->type.kind == T_NUM && (!w || chance(g, 45)))
				w = b;
		str_printf(&s, "(\\a b -> a + b + f64.tanh %s * a * b)", w ? w->name : "0.3");
		return (Operator){str_text(&s), "0", false};
	}
	}
}

// Associative operators on pairs of numbers.
static Operator pair_operator(Gen *g)
{
	static const Operator ops[] = {
		{"(\\(a, b) (c, d) -> (a * c, b * c + d))", "(1, 0)", false},
		{"(\\(a, p) (b, q) -> if a >= b then (a, p) else (b, q))", "(f64.lowest, 0)",
		 false},
		{"(\\(a, b) (c, d) -> (a + c, f64.max b d))", "(0, f64.lowest)", false},
		{"(\\(a, b) (c, d) -> (a * c - b * d, a * d + b * c))", "(1, 0)", false},
		{"(\\(a, b) (c, d) -> (a + c, b + d + a * c))", "(0, 0)", false},
		{"(\\(a, b) (c, d) -> (a + c, b * d))", "(0, 1)", false},
		{"(\\(a, s) (b, t) -> let c = f64.max a b\n"
		 "      in (c, s * f64.exp (a - c) + t * f64.exp (b - c)))", "(-100, 0)", false},
	};
	return ops[pick(g, 7)];
}

static Node *operand(Gen *g, Operator o, const char *d, int depth)
{
	Node *xs = expr(g, VEC_OF(d), depth + 1);
	return o.positive ? node(VEC_OF(d), "(map (\\q -> 0.5 + q * q) %e)", xs) : xs;
}

Node *reduction(Gen *g, int depth)
{
	const char *d = pick_dim(g), *p;
	Node *x;
	Operator o;
	switch (pick(g, 8)) {
	case 0: {
		o = pair_operator(g);
		Node *a = expr(g, VEC_OF(d), depth + 1), *b = expr(g, VEC_OF(d), depth + 1);
		return node(NUM, "((reduce %s %s (zip %e %e)).%i)", o.op, o.neutral, a, b, pick(g,
		                                                                                2));
	}
	case 1:
		x = expr(g, VEC_OF(d), depth + 1);
		return node(NUM, "((reduce (\\(a, b, c) (e, f, h) ->\n"
		            "    (a * e, a * f + b * h, c * h)) (1, 0, 1)\n"
		            "  (map (\\q -> (f64.cos q, q, f64.sin (q + 1))) %e)).%i)",
		            x, pick(g, 3));
	case 2:
		p = new_name(g, "e");
		x = leaf(g, NUM);
		return node(NUM, "(f64.sum (filter (\\%s -> %s < %e) %e))", p, p, x,
		            expr(g, VEC_OF(d), depth + 1));
	case 3: {
		p = new_name(g, "e");
		Node *xs = expr(g, VEC_OF(d), depth + 1);
		o = operator(g);
		return node(NUM, "(reduce %s %s (map (\\%s ->%s%b) %e))", o.op, o.neutral, p,
		            o.positive ? " 0.5 + (\\q -> q * q) " : "",
		            NEW(Block, .result = node(NUM, "(%b)",
		            body_with(g, p, NUM, NUM, pick(g, 2), depth + 1))), xs);
	}
	case 4:
		x = leaf(g, VEC_OF(d));
		return node(NUM, "(f64.%s %e)", chance(g, 50) ? "maximum" : "minimum", x);
	default:
		o = operator(g);
		return node(NUM, "(reduce %s %s %e)", o.op, o.neutral, operand(g, o, d, depth));
	}
}

// ---- Vectors ----

static Node *map_over(Gen *g, Shape t, int depth)
{
	const char *p = new_name(g, "e"), *q = new_name(g, "e"), *d = t.d1;
	Shape elem = t.kind == T_MAT ? VEC_OF(t.d2) : NUM;
	switch (pick(g, 4)) {
	case 0:
		return node(t, "(map (\\%s ->%b) (iota %s))", p,
		            body_with(g, p, INT, elem, pick(g, 3), depth + 1), d);
	case 1: {
		Node *a = expr(g, VEC_OF(d), depth + 1), *b = expr(g, VEC_OF(d), depth + 1);
		return node(t, "(map2 (\\%s %s ->%b) %e %e)", p, q,
		            body_with2(g, p, NUM, q, NUM, elem, pick(g, 2), depth + 1), a, b);
	}
	case 2: {
		const char *e = pick_dim(g);
		Node *a = expr(g, MAT_OF(d, e), depth + 1);
		return node(t, "(map (\\%s ->%b) %e)", p,
		            body_with(g, p, VEC_OF(e), elem, pick(g, 3), depth + 1), a);
	}
	default: {
		Node *a = expr(g, VEC_OF(d), depth + 1);
		return node(t, "(map (\\%s ->%b) %e)", p,
		            body_with(g, p, NUM, elem, pick(g, 3), depth + 1), a);
	}
	}
}

static Node *scan_of(Gen *g, const char *d, int depth)
{
	if (chance(g, 30)) {
		Operator o = pair_operator(g);
		Node *a = expr(g, VEC_OF(d), depth + 1), *b = expr(g, VEC_OF(d), depth + 1);
		return node(VEC_OF(d), "(scan %s %s (zip %e %e) |> map (.%i))", o.op, o.neutral, a,
		            b,
		            pick(g, 2));
	}
	Operator o = operator(g);
	return node(VEC_OF(d), "(scan %s %s %e)", o.op, o.neutral, operand(g, o, d, depth));
}

static Node *rearranged(Gen *g, const char *d, int depth)
{
	Shape t = VEC_OF(d);
	const char *e = pick_dim(g);
	Node *x;
	switch (pick(g, 8)) {
	case 0:
		x = expr(g, t, depth + 1);
		return node(t, "(rotate %i %e)", pick(g, 3), x);
	case 1:
		return node(t, "(reverse %e)", expr(g, t, depth + 1));
	case 2:
		x = expr(g, VEC_OF(e), depth + 1);
		return node(t, "(take %s (%e ++ %e))", d, x, expr(g, t, depth + 1));
	case 3:
		x = expr(g, VEC_OF(e), depth + 1);
		return node(t, "(drop %s (%e ++ %e) :> [%s]f64)", e, x, expr(g, t, depth + 1), d);
	case 4:
		x = expr(g, MAT_OF(e, d), depth + 1);
		return node(t, "((%e)[%e])", x, index_in(g, e));
	case 5:
		x = expr(g, MAT_OF(d, e), depth + 1);
		return node(t, "((transpose %e)[%e])", x, index_in(g, e));
	case 6:
		return node(t, "((%e)[::-1])", expr(g, t, depth + 1));
	default:
		x = leaf(g, VEC_OF(e));
		return node(t, "(map (\\i -> %e[(3 * i + %i) %% %s]) (iota %s))", x, pick(g, 3), e,
		            d);
	}
}

static Node *written(Gen *g, const char *d, int depth)
{
	Shape t = VEC_OF(d);
	const char *e = pick_dim(g);
	Operator o;
	switch (pick(g, 4)) {
	case 0: {       // each place at most once, some outside
		Node *dest = expr(g, t, depth + 1), *vs = expr(g, VEC_OF(e), depth + 1);
		return node(t, "(scatter (copy %e) (map (\\i -> %s i) (iota %s)) %e)", dest,
		            chance(g, 50) ? text("%s - 1 -", d)
		                          : "(\\i -> if i % 2 == 0 then i else -1)", e, vs);
	}
	case 1: {
		o = pair_operator(g);
		Node *a = expr(g, VEC_OF(e), depth + 1), *b = expr(g, VEC_OF(e), depth + 1);
		if (strstr(o.op, "b * c + d") || strstr(o.op, "if a"))
			break;
		return node(t, "(hist %s %s %s (map (\\i -> (5 * i + 1) %% (%s + 1)) (iota %s))\n"
		            "  (zip %e %e) |> map (.%i)\n"
		            "  |> map (\\q -> f64.max (-3) (f64.min q 3)))",
		            o.op, o.neutral, d, d,
		            e, a, b, pick(g, 2));
	}
	default:
		break;
	}
	o = operator(g);
	Node *dest = operand(g, o, d, depth), *vs = operand(g, o, e, depth);
	return node(t, "(reduce_by_index (copy %e) %s %s\n"
	            "  (map (\\i -> (5 * i + %i) %% (%s + 1)) (iota %s)) %e)",
	            dest, o.op, o.neutral, pick(g, 3), d, e, vs);
}

// Updates of an array that the body of a loop owns.
static Block *updating_body(Gen *g, const char *a, Shape t, const char *i, int depth)
{
	Mark m = enter(g);
	bind(g, a, t, false);
	bind(g, i, INT, false);
	Block *b = NEW(Block, .result = NULL);
	for (int k = 1 + pick(g, 2); k > 0; k--) {
		const char *next = new_name(g, "a");
		Node *value;
		int last = g->scope.len - 1;
		while (strcmp(g->scope.at[last].name, a) != 0)
			last--;
		if (t.kind == T_MAT && chance(g, 60)) {
			g->scope.at[last].type = BOOL;  // a row must not alias what it is put in
			g->scope.at[last].name = "true";
			Node *row = node(VEC_OF(t.d2), "(copy %e)", expr(g, VEC_OF(t.d2),
			                                                 depth + 1));
			value = node(t, "%s with [%e] = %e", a, index_in(g, t.d1), row);
		} else {
			Node *v = expr(g, NUM, depth + 1), *at = index_in(g, t.d1);
			value = t.kind == T_MAT
			      ? node(t, "%s with [%e, %e] = %e", a, at, index_in(g, t.d2), v)
			      : node(t, "%s with [%e] = %e", a, at, v);
		}
		if (chance(g, 30))
			value = node(t, "if %e then %e else %s", condition(g, depth + 1), value, a);
		VEC_PUSH(&b->steps, (Step){next, value});
		g->scope.at[last] = (Binding){next, t, false, g->level};
		a = next;
	}
	b->result = node(t, "%s", a);
	leave(g, m);
	return b;
}

static Node *updating_loop(Gen *g, Shape t, Node *init, int depth)
{
	const char *a = new_name(g, "a"), *i = new_name(g, "j");
	const char *attr = chance(g, 15) ? "#[stripmine(2)] " : "";
	const char *count = chance(g, 50) ? pick_dim(g) : pick_trips(g, 6);
	return node(t, "(%sloop (%s : *%s) = %e for %s < %s do%b)", attr, a, shape_text(t), init, i,
	            count,
	            updating_body(g, a, t, i, depth));
}

static Node *loop_of_array(Gen *g, Shape t, int depth)
{
	const char *a = new_name(g, "a"), *i = new_name(g, "j");
	if (chance(g, 60))
		return updating_loop(g, t, node(t, "copy %e", leaf(g, t)), depth);
	Node *init = expr(g, t, depth + 1);
	const char *trips = pick_trips(g, 3);
	return node(t, "(loop %s : %s = %e for %s < %s do%b)", a, shape_text(t), init, i, trips,
	            body_with2(g, a, t, i, INT, t, pick(g, 2), depth + 1));
}

static Node *derived(Gen *g, Shape t, int depth)
{
	const char *p = new_name(g, "d");
	Shape from = chance(g, 50) ? NUM : VEC_OF(pick_dim(g));
	Node *at, *with;
	// The result may share memory with anything the function can see, as far as types tell.
	for EACH(Binding, b, g->scope)
		b->fresh = false;
	g->derivatives++;
	if (chance(g, 50) && t.kind == T_VEC) {
		Block *b = body_with(g, p, t, from, pick(g, 3), depth + 1);
		g->derivatives--;
		at = expr(g, t, depth + 1), with = leaf(g, from);
		return node(t, "(vjp (\\%s ->%b) %e %e)", p, b, at, with);
	}
	Block *b = body_with(g, p, from, t, pick(g, 3), depth + 1);
	g->derivatives--;
	at = expr(g, from, depth + 1), with = leaf(g, from);
	return node(t, "(jvp (\\%s ->%b) %e %e)", p, b, at, with);
}

Node *vector(Gen *g, const char *d, int depth, bool *fresh)
{
	const char *e = pick_dim(g);
	*fresh = true;
	switch (pick(g, 20)) {
	case 14: case 15: case 16: case 17: case 18: case 19:
		return more_vector(g, d, depth, fresh);
	case 0: case 1: case 2: case 3:
		return map_over(g, VEC_OF(d), depth);
	case 4: case 5:
		return scan_of(g, d, depth);
	case 6: case 7:
		*fresh = false;
		return rearranged(g, d, depth);
	case 8: case 9:
		return written(g, d, depth);
	case 10:
		*fresh = false;
		return loop_of_array(g, VEC_OF(d), depth);
	case 11: {
		static const char *const ops[] = {"(+)", "(*)", "f64.max",
		                                  "(\\a b -> a + b - 0.2 * a * b)"};
		static const char *const neutral[] = {"0", "1", "f64.lowest", "0"};
		int o = pick(g, 4);
		*fresh = false;
		return node(VEC_OF(d), "(reduce (map2 %s) (replicate %s %s) %e)", ops[o], d,
		            neutral[o],
		            expr(g, MAT_OF(e, d), depth + 1));
	}
	case 12:
		*fresh = false;
		if (g->derivatives < 1)
			return derived(g, VEC_OF(d), depth);
		return rearranged(g, d, depth);
	default:
		*fresh = false;
		return branch(g, VEC_OF(d), depth);
	}
}

// ---- Matrices ----

Node *matrix(Gen *g, const char *d, const char *e, int depth, bool *fresh)
{
	Shape t = MAT_OF(d, e);
	const char *p = new_name(g, "e"), *q = new_name(g, "e");
	*fresh = false;
	switch (pick(g, 15)) {
	case 11: case 12: case 13: case 14:
		return more_matrix(g, d, e, depth, fresh);
	case 0: case 1: case 2:
		*fresh = true;
		return map_over(g, t, depth);
	case 3:
		return node(t, "(transpose %e)", expr(g, MAT_OF(e, d), depth + 1));
	case 4: {
		Node *a = expr(g, VEC_OF(d), depth + 1), *b = leaf(g, VEC_OF(e));
		return node(t, "(map (\\%s -> map (\\%s ->%b) %e) %e)", p, q,
		            body_with2(g, p, NUM, q, NUM, NUM, pick(g, 2), depth + 1), b, a);
	}
	case 5: {
		Node *a = expr(g, t, depth + 1);
		Operator o = operator(g);
		return node(t, "(map (scan %s %s) %s%e)", o.op, o.neutral,
		            o.positive ? "<| map (map (\\q -> 0.5 + q * q)) " : "", a);
	}
	case 6:
		return node(t, "(scan (map2 %s) (replicate %s %s) %e)",
		            "(\\a b -> a + b - 0.2 * a * b)", e,
		            "0", expr(g, t, depth + 1));
	case 7: {
		const char *k = pick_dim(g);
		Node *a = expr(g, MAT_OF(d, k), depth + 1), *b = expr(g, MAT_OF(k, e), depth + 1);
		return node(t, "((\\a b -> map (\\r ->\n"
		            "    map (\\c -> f64.sum (map2 (*) r c)) (transpose b)) a) %e %e)",
		            a, b);
	}
	case 8:
		return loop_of_array(g, t, depth);
	case 9:
		if (g->derivatives < 1)
			return derived(g, t, depth);
		return branch(g, t, depth);
	default:
		return branch(g, t, depth);
	}
}

// ---- Consumption of arrays bound before ----

Node *consumption(Gen *g, int depth, Shape *type)
{
	int at = -1;
	for (int i = 0; i < g->scope.len; i++) {
		const Binding *b = &g->scope.at[i];
		if (b->fresh && b->level == g->level && (b->type.kind == T_VEC ||
		                                         b->type.kind == T_MAT) &&
		    (at < 0 || chance(g, 50)))
			at = i;
	}
	if (at < 0)
		return NULL;
	Binding b = g->scope.at[at];
	*type = b.type;
	Node *value = chance(g, 50) ? expr(g, NUM, depth + 1) : NULL;
	if (value && !g->scope.at[at].fresh) // the value may hold on to it
		return NULL;
	// From here on it is as if it had never been.
	g->scope.at[at] = (Binding){"true", BOOL, false, g->level};
	if (!value)
		return updating_loop(g, b.type, node(b.type, "%s", b.name), depth);
	Node *place = index_in(g, b.type.d1);
	if (b.type.kind == T_MAT)
		return node(b.type, "%s with [%e, %e] = %e", b.name, place,
		            index_in(g, b.type.d2), value);
	if (chance(g, 30)) {
		const char *e = pick_dim(g);
		return node(b.type, "scatter %s (map (\\i -> 2 * i) (iota %s)) %e", b.name, e,
		            expr(g, VEC_OF(e), depth + 1));
	}
	if (chance(g, 30))
		return node(b.type, "if %e then %s with [%e] = %e else %s", condition(g, depth),
		            b.name, place, value, b.name);
	return node(b.type, "%s with [%e] = %e", b.name, place, value);
}
