// Random programs over sizes: arrays of known, computed and unknown sizes go through type parameters
// of all kinds, existential results, coercions, records, sums, branches, loops, local functions and
// abstract types with sizes.  They are well-typed by construction: a size is its text, and two
// arrays have the same one if the texts agree.
//
// The result is the sum and the length of each array, so that a size which is taken for another one
// shows.
#include "random.h"

#include <stdlib.h>

enum { MOST_ARRAYS = 24, MOST_WEIGHT = 6 };     // weight: how often an input is in an array

typedef struct { const char *name, *size; int weight; } Array;
typedef struct {
	uint64_t rng;
	Array arrays[MOST_ARRAYS];
	int n, made;
	Block *body;
} Gen;

static int pick(Gen *g, int n)
{
	g->rng = g->rng * 6364136223846793005u + 1442695040888963407u;
	return (int)((g->rng >> 33) % (uint64_t)n);
}

static Shape vec(const char *size)
{
	return (Shape){T_VEC, size, NULL};
}

static const Array *any(Gen *g)
{
	return &g->arrays[pick(g, g->n)];
}

// Another array of the same size, or the same one.
static const Array *alike(Gen *g, const Array *a)
{
	for (int tries = 0; tries < 8; tries++) {
		const Array *b = any(g);
		if (strcmp(a->size, b->size) == 0)
			return b;
	}
	return a;
}

static const Array *light(Gen *g, int most)
{
	for (int tries = 0; tries < 8; tries++) {
		const Array *a = any(g);
		if (a->weight <= most)
			return a;
	}
	return &g->arrays[0];
}

static const char *fresh(Gen *g, const char *stem)
{
	return text("%s%d", stem, g->made++);
}

static void add(Gen *g, const char *name, const char *size, int weight)
{
	if (g->n < MOST_ARRAYS)
		g->arrays[g->n++] = (Array){name, size, weight};
}

static const char *operand(const char *size)
{
	return strchr(size, ' ') ? text("(%s)", size) : size;
}

static const char *number(Gen *g)
{
	return text("%d.%d", pick(g, 3), 1 + pick(g, 8));
}

// An array whose size is what its type says; gives its name.
static const char *known(Gen *g, const char *size, int weight, Node *value)
{
	const char *v = fresh(g, "v");
	bool says = pick(g, 3) == 0;
	VEC_PUSH(&g->body->steps, (Step){says ? text("%s: [%s]f64", v, size) : v, value});
	add(g, v, size, weight);
	return v;
}

// An array whose size gets a name with it.
static void unknown(Gen *g, int weight, Node *value)
{
	const char *k = fresh(g, "k"), *v = fresh(g, "v");
	VEC_PUSH(&g->body->steps, (Step){text("[%s] (%s: [%s]f64)", k, v, k), value});
	add(g, v, k, weight);
}

// Two arrays in a pattern with places for the names of their sizes.
static void two(Gen *g, const char *pattern, int weight, Node *value)
{
	const char *k = fresh(g, "k"), *l = fresh(g, "k"), *v = fresh(g, "v"), *w = fresh(g, "v");
	Str s = {0};
	str_printf(&s, "[%s][%s] ", k, l);
	str_printf(&s, pattern, v, k, w, l);
	VEC_PUSH(&g->body->steps, (Step){str_text(&s), value});
	add(g, v, k, weight);
	add(g, w, l, weight);
}

// ---- Steps ----

static void step_known(Gen *g)
{
	const Array *a = any(g), *b = alike(g, a);
	Shape t = vec(a->size);
	switch (pick(g, 12)) {
	case 0:
		known(g, a->size, a->weight, node(t, "map2 (+) %s %s", a->name, b->name));
		return;
	case 1:
		known(g, a->size, a->weight, node(t, "map (* %s) (%s :> []f64)", number(g), a->name));
		return;
	case 2:
		known(g, a->size, a->weight, node(t, "%s :> [%s]f64", a->name, a->size));
		return;
	case 3:
		known(g, a->size, a->weight,
		      node(t, "if %s > f64.sum %s then %s else reverse %s", number(g), a->name,
		           a->name, b->name));
		return;
	case 4:
		known(g, a->size, a->weight,
		      node(t, "loop u = %s for i < 2i64 do map2 (\\p q -> p * 0.5 - q) u %s",
		           a->name, b->name));
		return;
	case 5:
		known(g, a->size, a->weight,
		      node(t, "vec.get (vec.plus (vec.mk %s) (vec.mk %s))", a->name, b->name));
		return;
	case 6:
		known(g, a->size, a->weight,
		      node(t, "let h us = scan (+) 0 us in h (h %s)", a->name));
		return;
	case 7:
		known(g, a->size, a->weight,
		      node(t, "match (if f64.sum z < %s then #some %s else #none) : opt [%s] "
		              "case #some u -> u case #none -> %s", number(g), a->name, a->size,
		           b->name));
		return;
	case 8:
		known(g, a->size, a->weight, node(t, "filled (%s) %s", a->size, number(g)));
		return;
	case 9:
		known(g, a->size, a->weight,
		      node(t, "let f _ us = map (+ %s) us in scaled f (%s) %s", number(g),
		           a->size, a->name));
		return;
	case 10:
		known(g, a->size, a->weight, node(t, "(\\u -> if f64.sum z < %s then %s else u) %s",
		                                  number(g), a->name, b->name));
		return;
	default:
		known(g, a->size, a->weight, node(t, "unflatten (flatten [%s, %s]) |> sums",
		                                  a->name, b->name));
		return;
	}
}

static void step_concat(Gen *g)
{
	const Array *a = light(g, MOST_WEIGHT / 2), *b = light(g, MOST_WEIGHT / 2);
	const char *size = text("%s + %s", operand(a->size), operand(b->size));
	Array x = *a, y = *b;
	const char *sum = known(g, size, a->weight + b->weight,
	                        node(vec(size), "%s ++ %s", a->name, b->name));
	if (pick(g, 2))
		return;
	const char *v = fresh(g, "v"), *w = fresh(g, "v");
	VEC_PUSH(&g->body->steps, (Step){text("(%s: [%s]f64, %s: [%s]f64)", v, x.size, w, y.size),
	                                 node((Shape){T_PAIR, x.size, NULL}, "halves %s", sum)});
	add(g, v, x.size, x.weight);
	add(g, w, y.size, y.weight);
}

static void step_product(Gen *g)
{
	const Array *a = light(g, 1), *b = light(g, 2);
	const char *size = text("%s * %s", operand(a->size), operand(b->size));
	known(g, size, 2 * b->weight,
	      node(vec(size), "flatten (map (\\p -> map (* p) %s) %s)", b->name, a->name));
}

static void step_unknown(Gen *g)
{
	const Array *a = any(g), *b = light(g, 2);
	Shape t = vec("n");
	switch (pick(g, 9)) {
	case 0:
		unknown(g, a->weight, node(t, "filter (> %s) %s", number(g), a->name));
		return;
	case 1:
		unknown(g, a->weight, node(t, "positive %s", a->name));
		return;
	case 2:
		unknown(g, a->weight + b->weight,
		        node(t, "if f64.sum z < %s then %s else %s", number(g), a->name, b->name));
		return;
	case 3:
		unknown(g, 2 * b->weight, node(t, "loop u = %s for i < 1i64 do u ++ u", b->name));
		return;
	case 4:
		unknown(g, a->weight + b->weight,
		        node(t, "bag.items (bag.add (bag.of %s) (bag.of %s))", a->name, b->name));
		return;
	case 5:
		unknown(g, a->weight,
		        node(t, "app (\\(p: () -> []f64) -> filter (> %s) (p ())) (\\() -> %s)",
		             number(g), a->name));
		return;
	case 6:
		unknown(g, a->weight,
		        node(t, "({a = %s, b = %s} with a = filter (> %s) %s).a", a->name, b->name,
		             number(g), a->name));
		return;
	case 7:
		unknown(g, a->weight, node(t, "%s |> positive |> map (+ 1)", a->name));
		return;
	default:
		unknown(g, a->weight, node(t, "(uncurry rows) (2, length %s) 0.5 |> flatten",
		                           a->name));
		return;
	}
}

static void step_two(Gen *g)
{
	const Array *a = any(g), *b = any(g);
	Shape t = {T_PAIR, "n", NULL};
	switch (pick(g, 5)) {
	case 0:
		two(g, "{hi = %s: [%s]f64, lo = %s: [%s]f64}", a->weight,
		    node(t, "ends (\\c -> filter (> c) %s) (%s, %s)", a->name, number(g), number(g)));
		return;
	case 1:
		two(g, "(%s: [%s]f64, %s: [%s]f64)", 1,
		    node(t, "each (\\i -> replicate i (f64.sum %s))", a->name));
		return;
	case 2:
		two(g, "(%s: [%s]f64, %s: [%s]f64)", a->weight,
		    node(t, "partition (> %s) %s", number(g), a->name));
		return;
	case 3:
		two(g, "{a = %s: [%s]f64, b = %s: [%s]f64}", a->weight + b->weight,
		    node(t, "let r = {a = %s, b = %s} let r.b = positive r.a in r", a->name, b->name));
		return;
	default:
		two(g, "(%s: [%s]f64, %s: [%s]f64)", a->weight + b->weight,
		    node(t, "if f64.sum z < %s then (%s, %s) else (%s, %s)", number(g), a->name, b->name,
		         b->name, a->name));
		return;
	}
}

// The sums are fused with what makes the arrays, or the arrays are made.
static Node *result(Gen *g, bool fused)
{
	Str s = {0};
	str_puts(&s, "[");
	for (int i = 0; i < g->n; i++)
		str_printf(&s, "%s%s %s, f64.i64 (length %s)", i ? ", " : "",
		           fused ? "f64.sum" : "total", g->arrays[i].name, g->arrays[i].name);
	str_puts(&s, "]");
	return node(vec("n"), "%s", str_text(&s));
}

Random *make_sizes(uint64_t seed)
{
	Gen g = {.rng = seed * 0x9e3779b97f4a7c15u + 1};
	Random *r = NEW(Random, .seed = seed, .sizes = true);
	r->n = 1 + pick(&g, 5);
	r->m = 1 + pick(&g, 5);
	g.body = r->body = NEW(Block, .result = NULL);
	add(&g, "x", "n", 1);
	add(&g, "z", "m", 1);
	for (int i = 3 + pick(&g, 9); i > 0; i--) {
		void (*const steps[])(Gen *) = {step_known, step_known, step_known, step_concat,
		                                step_product, step_unknown, step_unknown, step_two};
		steps[pick(&g, 8)](&g);
	}
	r->body->result = result(&g, seed % 4 == 0);
	return r;
}

void print_sizes_header(Str *s)
{
	str_puts(s,
	"type opt [k] = #some ([k]f64) | #none\n"
	"#[noinline] def total [k] (xs: [k]f64) : f64 = f64.sum xs\n"
	"def ends '^a '^b (f: a -> b) (p: (a, a)) = {lo = f p.0, hi = f p.1}\n"
	"def each '~b (f: i64 -> b) : (b, b) = (f 2, f 3)\n"
	"def app '~a (f: (() -> a) -> a) (x: () -> a) : a = f x\n"
	"def halves [a] [b] 't (xs: [a + b]t) : ([a]t, [b]t) = split xs\n"
	"def positive (xs: []f64) : ?[k].[k]f64 = filter (> 0) xs\n"
	"def filled (k: i64) (x: f64) : [k]f64 = replicate k x\n"
	"def scaled (f: (k: i64) -> [k]f64 -> [k]f64) (n: i64) (xs: [n]f64) : [n]f64 = f n xs\n"
	"def sums [a] [b] (xss: [a][b]f64) : [b]f64 = map f64.sum (transpose xss)\n"
	"def rows (w: i64) (h: i64) (v: f64) = tabulate_2d w h (\\i j -> f64.i64 (i * h + j) + v)\n"
	"module vec : { type t [k] val mk [k] : [k]f64 -> t [k] val get [k] : t [k] -> [k]f64\n"
	"               val plus [k] : t [k] -> t [k] -> t [k] } = {\n"
	"  type t [k] = {xs: [k]f64, n: i64}\n"
	"  def mk [k] (xs: [k]f64) : t [k] = {xs, n = k}\n"
	"  def get [k] (v: t [k]) : [k]f64 = v.xs\n"
	"  def plus [k] (a: t [k]) (b: t [k]) : t [k] = a with xs = map2 (+) a.xs b.xs\n"
	"}\n"
	"module bag : { type~ t val of [k] : [k]f64 -> t val items : t -> ?[k].[k]f64\n"
	"               val add : t -> t -> t } = {\n"
	"  type~ t = {items: []f64, n: i64}\n"
	"  def of [k] (items: [k]f64) : t = {items, n = k}\n"
	"  def items (b: t) = b.items\n"
	"  def add (a: t) (b: t) : t = a with items = a.items ++ b.items with n = a.n + b.n\n"
	"}\n");
}
