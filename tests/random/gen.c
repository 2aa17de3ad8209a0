// Making random programs: scopes, numbers, records, sums, and the whole.
//
// Programs are smooth almost everywhere, index within bounds by construction and keep to values of
// moderate size: functions grow at most linearly, divisors stay away from zero.
#include "gen.h"

// ---- Choices ----

static uint64_t next_random(Gen *g)
{
	uint64_t z = g->rng += 0x9e3779b97f4a7c15u;
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

int pick(Gen *g, int n)
{
	return (int)(next_random(g) % (uint64_t)n);
}

bool chance(Gen *g, int percent)
{
	return pick(g, 100) < percent;
}

// Sizes that the compiler knows are few: it takes such arrays apart.
const char *pick_dim(Gen *g)
{
	int way = pick(g, 8);
	if (way >= 6 && g->hidden)
		return way == 6 ? "two" : "three";
	return way == 4 || way == 6 ? "2" : way == 5 || way == 7 ? "3" : g->dims[way % 2];
}

const char *pick_trips(Gen *g, int most)
{
	if (chance(g, 40))
		return text("%d", 1 + pick(g, most));
	return text("((%s + %d) %% %d + 1)", g->dims[0], pick(g, 5), most);
}

const char *new_name(Gen *g, const char *stem)
{
	return text("%s%d", stem, g->next++);
}

const char *constant(Gen *g)
{
	int whole = pick(g, 2), cents = 5 + pick(g, 95);
	return text("%d.%02d", whole, cents);
}

Shape pick_shape(Gen *g)
{
	int way = pick(g, 12);
	const char *d = way < 4 ? NULL : pick_dim(g), *e = way == 8 || way == 9 ? pick_dim(g) : NULL;
	switch (way) {
	case 0: case 1: case 2: case 3:
		return NUM;
	case 4: case 5: case 6: case 7:
		return VEC_OF(d);
	case 8: case 9:
		return MAT_OF(d, e);
	case 10:
		return (Shape){T_REC, d, NULL};
	default:
		return (Shape){T_SUM, d, NULL};
	}
}

// ---- Scopes ----

void bind(Gen *g, const char *name, Shape type, bool fresh)
{
	VEC_PUSH(&g->scope, (Binding){name, type, fresh, g->level});
}

Mark enter(Gen *g)
{
	return (Mark){g->scope.len, g->level++};
}

void leave(Gen *g, Mark m)
{
	g->scope.len = m.len;
	g->level = m.level;
}

// A variable that satisfies the test, later ones with greater probability; NULL for none.
static Binding *pick_var(Gen *g, bool (*wanted)(const Binding *, Shape), Shape t)
{
	Binding *found = NULL;
	for EACH(Binding, b, g->scope)
		if (wanted(b, t) && (!found || chance(g, 45)))
			found = b;
	return found;
}

static bool has_type(const Binding *b, Shape t)
{
	return shape_equal(b->type, t);
}

static bool has_kind(const Binding *b, Shape t)
{
	return b->type.kind == t.kind;
}

// ---- Small things ----

Node *index_in(Gen *g, const char *dim)
{
	Binding *i = pick_var(g, has_kind, INT);
	if (i && chance(g, 60))
		return node(INT, "((%s + %i) %% %s)", i->name, pick(g, 4), dim);
	if (chance(g, 10) && g->fuel > 0)
		return node(INT, "(i64.f64 (7 * f64.abs (f64.sin %e)) %% %s)", leaf(g, NUM), dim);
	return node(INT, "(%i %% %s)", pick(g, 5), dim);
}

static Node *num_leaf(Gen *g)
{
	Binding *v;
	int way = pick(g, 10);
	if (way < 5 && (v = pick_var(g, has_type, NUM)))
		return node(NUM, "%s", v->name);
	if (way < 8 && (v = pick_var(g, has_kind, VEC_OF("n"))))
		return node(NUM, "%s[%e]", v->name, index_in(g, v->type.d1));
	if (way == 8 && (v = pick_var(g, has_kind, MAT_OF("n", "n")))) {
		Node *i = index_in(g, v->type.d1), *j = index_in(g, v->type.d2);
		return node(NUM, "%s[%e, %e]", v->name, i, j);
	}
	if (way == 9 && (v = pick_var(g, has_kind, INT)))
		return node(NUM, "(0.1 * f64.i64 %s)", v->name);
	if (chance(g, 50) && (v = pick_var(g, has_kind, (Shape){T_REC, "n", NULL})))
		return chance(g, 50) ? node(NUM, "%s.p", v->name)
		                     : node(NUM, "%s.q[%e]", v->name, index_in(g, v->type.d1));
	return node(NUM, "%s", constant(g));
}

static Node *vec_leaf(Gen *g, Shape t)
{
	switch (pick(g, 4)) {
	case 0:
		return node(t, "(map (\\i -> %s * f64.i64 i - 0.3) (iota %s))", constant(g), t.d1);
	case 1:
		return node(t, "(some %s)", t.d1);
	case 2:
		return node(t, "(replicate %s %e)", t.d1, num_leaf(g));
	default:
		return node(t, "(map (\\i -> %e + 0.2 * f64.i64 i) (iota %s))", num_leaf(g), t.d1);
	}
}

Node *leaf(Gen *g, Shape t)
{
	if (t.kind == T_NUM)
		return num_leaf(g);
	Node *x, *y;
	Binding *v = pick_var(g, has_type, t);
	if (v && chance(g, 85)) {
		v->fresh = false;       // what is made of it may be an alias
		return node(t, "%s", v->name);
	}
	switch (t.kind) {
	case T_NUM:
		return num_leaf(g);
	case T_INT:
		return node(t, "%ii64", pick(g, 4));
	case T_BOOL:
		x = num_leaf(g), y = num_leaf(g);
		return node(t, "(%e < %e)", x, y);
	case T_VEC:
		return vec_leaf(g, t);
	case T_MAT:
		return node(t, "(replicate %s %e)", t.d1, leaf(g, VEC_OF(t.d2)));
	case T_REC:
		x = num_leaf(g), y = leaf(g, VEC_OF(t.d1));
		return node(t, "{p = %e, q = %e}", x, y);
	case T_SUM:
		if (chance(g, 50))
			return node(t, "(#one %e : sum [%s])", num_leaf(g), t.d1);
		x = num_leaf(g), y = leaf(g, VEC_OF(t.d1));
		return node(t, "(#two %e %e : sum [%s])", x, y, t.d1);
	case T_PAIR:
		x = num_leaf(g), y = leaf(g, VEC_OF(t.d1));
		return node(t, "(%e, %e)", x, y);
	case T_OTHER:
		break;
	}
	bug("not a type");
}

Node *condition(Gen *g, int depth)
{
	Binding *i = pick_var(g, has_kind, INT);
	if (i && chance(g, 40))
		return node(BOOL, "%s %% 2 == %i", i->name, pick(g, 2));
	Node *x = expr(g, NUM, depth + 2), *y = leaf(g, NUM);
	return node(BOOL, "%e < %e", x, y);
}

// ---- Bodies ----

Block *body_with(Gen *g, const char *p, Shape t, Shape result, int steps, int depth)
{
	Mark m = enter(g);
	bind(g, p, t, false);
	Block *b = block(g, result, steps, depth);
	leave(g, m);
	return b;
}

Block *body_with2(Gen *g, const char *p1, Shape t1, const char *p2, Shape t2, Shape result,
                  int steps,
                  int depth)
{
	Mark m = enter(g);
	bind(g, p1, t1, false);
	bind(g, p2, t2, false);
	Block *b = block(g, result, steps, depth);
	leave(g, m);
	return b;
}

// Two values carried by one loop.
static void step_loop_of_two(Gen *g, Block *b, int depth)
{
	const char *s = new_name(g, "s"), *v = new_name(g, "v"), *i = new_name(g, "j");
	const char *d = pick_dim(g);
	Node *s0 = expr(g, NUM, depth + 1), *v0 = expr(g, VEC_OF(d), depth + 1);
	Mark m = enter(g);
	bind(g, s, NUM, false);
	bind(g, v, VEC_OF(d), false);
	bind(g, i, INT, false);
	Block *body = block(g, (Shape){T_PAIR, d, NULL}, pick(g, 3), depth + 1);
	leave(g, m);
	Node *value = node((Shape){T_PAIR, d, NULL},
	                   "loop (%s, %s : [%s]f64) = (%e, %e) for %s < %s do%b", s,
	                   v, d, s0, v0, i, pick_trips(g, 4), body);
	const char *s1 = new_name(g, "s"), *v1 = new_name(g, "v");
	VEC_PUSH(&b->steps, (Step){text("(%s, %s)", s1, v1), value});
	bind(g, s1, NUM, false);
	bind(g, v1, VEC_OF(d), false);
}

static void step(Gen *g, Block *b, int depth)
{
	Shape t;
	bool fresh = false;
	Node *value = chance(g, 30) ? consumption(g, depth, &t) : NULL;
	if (value) {
		fresh = true;
	} else if (chance(g, 8)) {
		step_loop_of_two(g, b, depth);
		return;
	} else {
		t = pick_shape(g);
		value = t.kind == T_VEC ? vector(g, t.d1, depth + 1, &fresh) :
		        t.kind == T_MAT ? matrix(g, t.d1, t.d2, depth + 1, &fresh) :
		        expr(g, t, depth + 1);
	}
	const char *name = new_name(g, "v");
	VEC_PUSH(&b->steps, (Step){name, value});
	bind(g, name, t, fresh);
}

Block *block(Gen *g, Shape result, int steps, int depth)
{
	Block *b = NEW(Block, .result = NULL);
	int mark = g->scope.len;
	for (int i = 0; i < steps && g->fuel > 0; i++)
		step(g, b, depth);
	b->result = expr(g, result, depth);
	g->scope.len = mark;
	return b;
}

// ---- Numbers ----

static Node *unary(Gen *g, int depth)
{
	static const char *const ways[] = {
		"f64.sin %e", "f64.cos %e", "f64.tanh %e", "f64.atan %e", "f64.abs %e",
		"f64.sqrt (1 + %e ** 2)", "f64.exp (f64.neg (f64.abs %e))",
		"f64.log (2 + f64.abs %e)",
		"(\\q -> q / (1 + q * q)) %e", "f64.recip (2 + f64.sin %e)", "f64.neg %e",
		"f64.erf %e", "f64.sgn %e * 0.5", "f64.cbrt (2 + f64.cos %e)",
	};
	int way = pick(g, (int)(sizeof ways / sizeof *ways));
	return node(NUM, text("(%s)", ways[way]), expr(g, NUM, depth + 1));
}

static Node *binary(Gen *g, int depth)
{
	static const char *const ways[] = {
		"%e + %e", "%e - %e", "%e * f64.sin %e", "%e / (1.5 + f64.sin %e)", "f64.max %e %e",
		"f64.min %e %e", "f64.tanh %e * %e", "f64.atan2 %e (2 + f64.cos %e)",
		"(1 + f64.abs %e) ** (0.5 * f64.tanh %e)", "f64.hypot %e (1.5 + f64.sin %e)",
		"f64.mad 0.5 %e %e", "f64.copysign %e (if %e < 0 then -1 else 1)",
	};
	int way = pick(g, (int)(sizeof ways / sizeof *ways));
	Node *x = expr(g, NUM, depth + 1), *y = expr(g, NUM, depth + 1);
	return node(NUM, text("(%s)", ways[way]), x, y);
}

static Node *loop_of_number(Gen *g, int depth)
{
	const char *s = new_name(g, "s"), *i = new_name(g, "j"), *trips;
	Node *init = expr(g, NUM, depth + 1);
	switch (pick(g, 4)) {
	case 0: {
		const char *d = pick_dim(g), *v = new_name(g, "e");
		Node *xs = expr(g, VEC_OF(d), depth + 1);
		return node(NUM, "(loop %s = %e for %s in %e do%b)", s, init, v, xs,
		            body_with2(g, s, NUM, v, NUM, NUM, pick(g, 2), depth + 1));
	}
	case 1:
		trips = pick_trips(g, 6);
		return node(NUM, "((loop (%s, %s) = (%e, 0i64) while %s < %s && %s < 2.5 do\n"
		            "(%b, %s + 1)).0)", s, i, init, i, trips, s,
		            body_with2(g, s, NUM, i, INT, NUM, pick(g, 2), depth + 1), i);
	case 2:
		trips = pick_trips(g, 9);
		return node(NUM, "(#[stripmine(2)] loop %s = %e for %s < %s do%b)", s, init, i,
		            trips,
		            body_with2(g, s, NUM, i, INT, NUM, pick(g, 2), depth + 1));
	default:
		trips = pick_dim(g);
		return node(NUM, "(loop %s = %e for %s < %s do%b)", s, init, i, trips,
		            body_with2(g, s, NUM, i, INT, NUM, pick(g, 3), depth + 1));
	}
}

// A derivative inside the function under test.
static Node *derivative(Gen *g, int depth)
{
	const char *p = new_name(g, "d"), *d = pick_dim(g);
	Shape t = chance(g, 50) ? NUM : VEC_OF(d);
	Node *at = expr(g, t, depth + 1);
	g->derivatives++;
	Block *b = body_with(g, p, t, NUM, pick(g, 3), depth + 1);
	g->derivatives--;
	bool forward = chance(g, 50);
	Node *with = leaf(g, forward ? t : NUM);
	if (t.kind == T_NUM)
		return node(NUM, "(%s (\\%s ->%b) %e %e)", forward ? "jvp" : "vjp", p, b, at, with);
	if (forward)
		return node(NUM, "(jvp (\\%s ->%b) %e %e)", p, b, at, with);
	return node(NUM, "((vjp (\\%s ->%b) %e %e)[%e])", p, b, at, with, index_in(g, d));
}

static Node *call(Gen *g)
{
	int which = pick(g, g->helpers.len);
	Shape t = g->helpers.at[which];
	Node *x = leaf(g, NUM);
	if (t.kind == T_VEC)
		return node(NUM, "(h@_%i %e %e)", which, x, leaf(g, VEC_OF(pick_dim(g))));
	return node(NUM, "(h@_%i %i %e)", which, pick(g, 4), x);
}

static Node *match_of_sum(Gen *g, Shape result, int depth)
{
	const char *d = pick_dim(g), *a = new_name(g, "a"), *b = new_name(g, "b"),
	           *c = new_name(g, "c");
	Node *value = expr(g, (Shape){T_SUM, d, NULL}, depth + 1);
	Block *one = body_with(g, a, NUM, result, pick(g, 2), depth + 1);
	Block *two = body_with2(g, b, NUM, c, VEC_OF(d), result, pick(g, 2), depth + 1);
	return node(result, "(match %e\n case #one %s ->%b\n case #two %s %s ->%b)", value, a, one,
	            b,
	            c, two);
}

Node *branch(Gen *g, Shape t, int depth)
{
	Node *c = condition(g, depth);
	Mark m = enter(g);
	Block *yes = block(g, t, pick(g, 2), depth + 1), *no;
	leave(g, m);
	m = enter(g);
	no = block(g, t, pick(g, 2), depth + 1);
	leave(g, m);
	return node(t, "(if %e then%b else%b)", c, yes, no);
}

static Node *number(Gen *g, int depth)
{
	switch (pick(g, 19)) {
	case 16: case 17: case 18:
		return more_number(g, depth);
	case 0: case 1: case 2:
		return unary(g, depth);
	case 3: case 4: case 5: case 6:
		return binary(g, depth);
	case 7: case 8: case 9:
		return reduction(g, depth);
	case 10:
		return loop_of_number(g, depth);
	case 11:
		return branch(g, NUM, depth);
	case 12:
		return match_of_sum(g, NUM, depth);
	case 13:
		if (g->derivatives < 1)
			return derivative(g, depth);
		return unary(g, depth);
	case 14:
		if (g->helpers.len)
			return call(g);
		return binary(g, depth);
	default:
		return num_leaf(g);
	}
}

// ---- Records, sums and pairs ----

static Node *record(Gen *g, Shape t, int depth)
{
	if (chance(g, 20))
		return branch(g, t, depth);
	if (chance(g, 25)) {
		const char *r = new_name(g, "r"), *i = new_name(g, "j");
		Node *init = leaf(g, t);
		const char *trips = pick_trips(g, 3);
		return node(t, "(loop %s : %s = %e for %s < %s do%b)", r, shape_text(t), init, i,
		            trips, body_with2(g, r, t, i, INT, t, pick(g, 2), depth + 1));
	}
	Node *p = expr(g, NUM, depth + 1), *q = expr(g, VEC_OF(t.d1), depth + 1);
	return node(t, "{p = %e, q = %e}", p, q);
}

static Node *sum(Gen *g, Shape t, int depth)
{
	Node *x;
	switch (pick(g, 5)) {
	case 0:
		return branch(g, t, depth);
	case 1:
		return match_of_sum(g, t, depth);
	case 2:
		return node(t, "(#one %e : sum [%s])", expr(g, NUM, depth + 1), t.d1);
	default:
		x = expr(g, NUM, depth + 1);
		return node(t, "(#two %e %e : sum [%s])", x, expr(g, VEC_OF(t.d1), depth + 1),
		            t.d1);
	}
}

Node *expr(Gen *g, Shape t, int depth)
{
	bool fresh;
	Node *x;
	if (depth > 5 || --g->fuel < 0 || chance(g, 10 * depth))
		return leaf(g, t);
	switch (t.kind) {
	case T_NUM:
		return number(g, depth);
	case T_INT:
	case T_BOOL:
		return leaf(g, t);
	case T_VEC:
		return vector(g, t.d1, depth, &fresh);
	case T_MAT:
		return matrix(g, t.d1, t.d2, depth, &fresh);
	case T_REC:
		return record(g, t, depth);
	case T_SUM:
		return sum(g, t, depth);
	case T_PAIR:
		x = expr(g, NUM, depth + 1);
		return node(t, "(%e, %e)", x, expr(g, VEC_OF(t.d1), depth + 1));
	case T_OTHER:
		break;
	}
	bug("not a type");
}

// ---- Programs ----

static void make_helper(Gen *g, Random *r)
{
	int which = r->defs.len;
	Def d = {0};
	Mark m = enter(g);
	Shape t = VEC_OF("k");
	bind(g, "ha", NUM, false);
	if (chance(g, 60)) {
		bind(g, "hv", t, false);
		g->dims[0] = g->dims[1] = "k";
		d.head = text("h@_%d [k] (ha: f64) (hv: [k]f64) : f64", which);
		d.body = block(g, NUM, pick(g, 3), 2);
	} else {
		t = NUM;
		g->dims[0] = "2";
		g->dims[1] = "3";
		d.head = text("h@_%d (k: i64) (ha: f64) : f64", which);
		Node *last = expr(g, NUM, 3);
		Block *more = body_with(g, "hb", NUM, NUM, pick(g, 2), 3);
		d.body = NEW(Block, .result = node(NUM,
			"if k <= 0 then %e else (\\hb ->%b) (h@_%i (k - 1) %e)", last, more,
			which, unary(g, 4)));
	}
	leave(g, m);
	VEC_PUSH(&r->defs, d);
	VEC_PUSH(&g->helpers, t);
}

// What a variable adds to element j of the result.
static Node *term(Gen *g, const Binding *b)
{
	const char *v = b->name, *d = b->type.d1;
	switch (b->type.kind) {
	case T_NUM:
		return node(NUM, "%s * f64.cos (f64.i64 j)", v);
	case T_VEC:
		return chance(g, 50) ? node(NUM, "f64.sum %s", v) : node(NUM, "%s[j %% %s]", v, d);
	case T_MAT:
		return chance(g, 50) ? node(NUM, "f64.sum (flatten %s)", v)
		                     : node(NUM, "f64.sum (map (\\r -> r[j %% %s]) %s)", b->type.d2,
		                            v);
	case T_REC:
		return node(NUM, "%s.p + %s.q[j %% %s]", v, v, d);
	case T_SUM:
		return node(NUM, "(match %s case #one a -> a case #two a b -> a + f64.sum b)", v);
	case T_INT:
	case T_BOOL:
	case T_PAIR:
		break;
	case T_OTHER:
		break;
	}
	bug("not the type of a variable");
}

static Node *result_of(Gen *g)
{
	Node *sum = node(NUM, "0");
	for EACH(Binding, b, g->scope)
		if (b->type.kind != T_BOOL)
			sum = node(NUM, "%e +\n    %e", sum, term(g, b));
	return node(VEC_OF("n"), "map (\\j ->\n    %e) (iota n)", sum);
}

Random *make_random(uint64_t seed)
{
	Gen g = {.rng = seed * 0x9e3779b97f4a7c15u + 1};
	Random *r = NEW(Random, .seed = seed);
	r->n = 1 + pick(&g, 5);
	r->m = 1 + pick(&g, 5);
	r->second = chance(&g, 30);
	int steps = 2 + pick(&g, 7);
	g.fuel = 20 + pick(&g, r->second ? 60 : 140);
	for (int i = pick(&g, 3); i > 0; i--)
		make_helper(&g, r);
	g.dims[0] = "n";
	g.dims[1] = "m";
	g.hidden = true;
	Mark m = enter(&g);
	bind(&g, "x", VEC_OF("n"), false);
	bind(&g, "z", VEC_OF("m"), false);
	r->body = NEW(Block, .result = NULL);
	VEC_PUSH(&r->body->steps, (Step){"two", node(INT, "(n + 5) / (n + 4) + 1")});
	VEC_PUSH(&r->body->steps, (Step){"three", node(INT, "two + 1")});
	if (chance(&g, 20)) {
		r->body->result = stateful(&g, "n", 0);
		leave(&g, m);
		return r;
	}
	for (int i = 0; i < steps && g.fuel > 0; i++)
		step(&g, r->body, 0);
	r->body->result = result_of(&g);
	leave(&g, m);
	return r;
}
