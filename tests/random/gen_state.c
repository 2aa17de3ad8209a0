// Making random programs: loops that carry arrays and change them step by step.
//
// The state is two vectors and a number, under the same names all the way; a step is any way to
// the next state: an update, a branch, a loop inside, a histogram or scatter into a vector, a fold
// of what a map made before its operand was overwritten.
#include "gen.h"

// The names of the state and of what is only read, the size, an index of the loop around.
typedef struct { Gen *g; const char *a, *b, *s, *c, *d, *i; } State;

static Block *steps(State, int n, int depth);

static const char *place(State w)
{
	static const char *const ways[] = {"%s %% %s", "(%s + 1) %% %s", "(3 * %s + 2) %% %s"};
	int way = pick(w.g, 5);
	return way < 3 ? text(ways[way], w.i, w.d)
	     : way < 4 ? text("%s - 1 - %s %% %s", w.d, w.i, w.d)
	               : text("i64.f64 (9 * f64.abs %s) %% %s", w.s, w.d);
}

static const char *number(State w, int depth)
{
	int way = pick(w.g, depth > 1 ? 5 : 8);
	const char *x, *y;
	switch (way) {
	case 0: case 1:
		return text("%s[%s]", w.a, place(w));
	case 2: case 3:
		return text("%s[%s]", way == 2 ? w.b : w.c, place(w));
	case 4:
		return w.s;
	case 5:
		return text("f64.sin (%s)", number(w, depth + 1));
	}
	x = number(w, depth + 1);
	y = number(w, depth + 1);
	return way == 6 ? text("%s * %s", x, y) : text("(0.4 * %s + %s)", x, y);
}

// A number that stays small.
static const char *small(State w)
{
	const char *x = number(w, 0);
	return chance(w.g, 50) ? text("f64.sin (%s)", x) : text("f64.tanh (0.2 + %s)", x);
}

static const char *condition_of(State w)
{
	switch (pick(w.g, 4)) {
	case 0:
		return text("%s %% 2 == 0", w.i);
	case 1:
		return text("%s < 2", w.i);
	default:
		return text("%s < 0.3", number(w, 1));
	}
}

// The step as an expression of the state's type; the simplest one changes nothing.
static Node *made(State w, const char *as)
{
	Shape t = {T_OTHER, text("([%s]f64, [%s]f64, f64)", w.d, w.d),
	           text("(%s, %s, %s)", w.a, w.b, w.s)};
	return node(t, "%s", as);
}

static Node *into_bins(State w)
{
	static const char *const ops[] = {"(+) 0", "f64.max (-f64.inf)", "f64.min f64.inf", "(*) 1",
	                                  "(\\u v -> u + v + 0.1 * u * v) 0"};
	const char *bins = text("(map (\\q -> (q * 3 + %s) %% (%s + 1)) (iota %s))", w.i, w.d, w.d);
	const char *op = ops[pick(w.g, 5)];
	const char *with = chance(w.g, 50) ? w.a : w.c;
	return made(w, text("(map f64.tanh (reduce_by_index %s %s %s "
	            "(map2 (\\u v -> f64.sin (u * v) + 0.1) %s %s)), %s, %s)",
	            w.a, op, bins, with, w.b, w.b, w.s));
}

// A fold, scan or sum of what was mapped from an array that is overwritten in between.
static Node *fold_after(State w)
{
	const char *at = place(w), *x = small(w), *fold;
	switch (pick(w.g, 4)) {
	case 0:
		fold = "(reduce (\\(p, q) (u, v) -> (p * u, q * u + v)) (1, 0) (zip ys ys)).1";
		break;
	case 1:
		fold = "reduce (\\p q -> p + q + 0.1 * p * q) 0 ys";
		break;
	case 2:
		fold = "f64.sum (scan (\\p q -> p + q + 0.1 * p * q) 0 ys)";
		break;
	default:
		fold = "f64.product (map (\\p -> 0.5 + f64.cos p) ys)";
	}
	return made(w, text("(let ys = map (\\q -> q * q + 0.1) %s let %s[%s] = %s\n"
	            "   let %s = f64.sin (%s + %s) in (%s, %s, %s))",
	            w.a, w.a, at, x, w.s, w.s, fold, w.a, w.b, w.s));
}

static const char *parameters(State w)
{
	return text("%s: *[%s]f64, %s: *[%s]f64, %s: f64", w.a, w.d, w.b, w.d, w.s);
}

static Node *inner_loop(State w, int depth)
{
	State in = w;
	in.i = new_name(w.g, "j");
	const char *state = text("%s, %s, %s", w.a, w.b, w.s);
	const char *typed = parameters(w);
	static const char *const trips[] = {"%s", "i64.min 2 %s", "%s - 1"};
	const char *n = chance(w.g, 40) ? w.i : text(trips[pick(w.g, 3)], w.d);
	Shape t = made(w, "")->type;
	if (chance(w.g, 50)) {
		Block *body = steps(in, 2, depth + 1);
		return node(t, "(loop (%s) = (%s) for %s < %s do%b)", typed, state, in.i, n, body);
	}
	Block *body = steps(in, 2, depth + 1);
	return node(t, "(let (%s, _) = loop (%s, %s) = (%s, 0i64) while %s < %s && %s < 0.8 do\n"
	            "   let (%s) =%b\n   in (%s, %s + %i) in (%s))", state, typed, in.i, state, in.i,
	            n, w.s, state, body, state, in.i, pick(w.g, 2) + 1, state);
}

static Node *other_step(State w)
{
	const char *x, *at;
	switch (pick(w.g, 5)) {
	case 0:
		return made(w, text("(copy %s, copy %s, %s)", w.b, w.a, w.s));
	case 1:
		return made(w, text("(map2 (\\p q -> f64.sin p + 0.3 * q) %s %s, %s, %s)", w.a, w.b,
		            w.b, w.s));
	case 2:
		return made(w, text("(let h = %s / 2 in (%s with [0:h] = map (0.7 *) %s[0:h], %s, %s))",
		            w.d, w.a, w.b, w.b, w.s));
	case 3:
		return made(w, text("(scatter %s (map (\\q -> (q + %s) %% (%s + 1)) (iota %s)) "
		            "(map2 (*) %s %s), %s, %s)", w.a, w.i, w.d, w.d, w.c, w.b, w.b, w.s));
	default:
		at = place(w);
		x = place(w);
		return made(w, text("(let t = %s[%s] let %s[%s] = copy %s[%s] in (%s with [%s] = t, %s, "
		            "%s))", w.a, at, w.a, at, w.a, x, w.a, x, w.b, w.s));
	}
}

static Node *step(State w, int depth)
{
	int way = pick(w.g, depth > 2 ? 5 : 12);
	const char *x;
	switch (way) {
	case 0: case 1: case 2:
		x = small(w);
		x = text("%s with [%s] = %s", way == 2 ? w.b : w.a, place(w), x);
		return made(w, way == 2 ? text("(%s, %s, %s)", w.a, x, w.s)
		                        : text("(%s, %s, %s)", x, w.b, w.s));
	case 3:
		return made(w, text("(%s, %s, %s)", w.a, w.b, small(w)));
	case 4:
		return other_step(w);
	case 5:
		return into_bins(w);
	case 6: case 7:
		return fold_after(w);
	case 8: case 9:
		return inner_loop(w, depth);
	}
	x = condition_of(w);
	Block *yes = steps(w, 2, depth + 1), *no = steps(w, chance(w.g, 60), depth + 1);
	return node(made(w, "")->type, "(if %s then%b else%b)", x, yes, no);
}

static Block *steps(State w, int n, int depth)
{
	const char *all = text("(%s, %s, %s)", w.a, w.b, w.s);
	Block *out = NEW(Block, .result = made(w, all));
	for (int k = 0; k < n; k++)
		VEC_PUSH(&out->steps, (Step){all, step(w, depth)});
	return out;
}

Node *stateful(Gen *g, const char *d, int depth)
{
	Shape t = VEC_OF(d);
	State w = {.g = g, .d = d};
	w.a = new_name(g, "a");
	w.b = new_name(g, "b");
	w.s = new_name(g, "s");
	w.c = new_name(g, "c");
	w.i = new_name(g, "j");
	Node *c = expr(g, t, depth + 1), *a = leaf(g, t), *b = leaf(g, t), *s = leaf(g, NUM);
	Block *body = steps(w, 3, 0);
	return node(t, "(let %s = map f64.sin %e\n let (%s, %s, %s) =\n"
	            "  loop (%s) = (copy %e, map f64.cos %e, f64.sin %e) for %s < %s do%b\n"
	            " in map2 (\\p q -> p + %s * q) %s %s)", w.c, c, w.a, w.b, w.s,
	            parameters(w), a, b, s, w.i, d, body, w.s, w.a, w.b);
}
