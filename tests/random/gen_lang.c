// Random programs over the whole language: integers of all kinds with overflow, tuples, records, sums,
// arrays of one and two dimensions, loops of all kinds, in-place updates, slices, scans, scatters,
// histograms, local and higher-order functions, modules, strings.
//
// Programs are well-typed by construction and index within bounds.  All results are exact, so that
// all ways must give the same: integers wrap around, and floats are small multiples of 1/2, of which
// the derivatives of sums and extrema are whole numbers.
#include "random.h"

typedef struct Ty {
	enum { PRIM, ARRAY, TUPLE, RECORD, SUM } kind;
	const char *prim, *dim;         // of scalars; of arrays
	const struct Ty *a, *b;         // parts
} Ty;
typedef struct { const char *name; const Ty *type; } Binding;
typedef struct {
	uint64_t rng;
	VEC(Binding) scope;
	VEC(const Ty *) takes;          // of the helper functions
	VEC(const Ty *) gives;
	int next, fuel;
	bool closed;                    // in a helper function, where n and m are unknown
} Gen;

static Node *ex(Gen *, const Ty *, int depth);

// ---- Choices ----

static int pick(Gen *g, int n)
{
	g->rng = g->rng * 6364136223846793005u + 1442695040888963407u;
	return (int)((g->rng >> 33) % (uint64_t)n);
}

static const char *fresh(Gen *g, const char *stem)
{
	return text("%s%d", stem, g->next++);
}

static const char *any_dim(Gen *g)
{
	static const char *const dims[] = {"n", "n", "m", "m", "3", "4", "1"};
	return dims[g->closed ? 4 + pick(g, 3) : pick(g, 7)];
}

// ---- Types ----

static const Ty i64_type = {PRIM, "i64", NULL, NULL, NULL};
static const Ty bool_type = {PRIM, "bool", NULL, NULL, NULL};

// Of the first 8 an integer.
static const Ty *prim_type(Gen *g, int of)
{
	static const char *const names[] = {"i32", "i64", "u8", "i8", "i16", "u16", "u32", "u64",
	                                    "i64", "i32", "bool", "f64", "f32", "f16"};
	return NEW(Ty, .kind = PRIM, .prim = names[pick(g, of)]);
}

static const Ty *array_type(const Ty *elem, const char *dim)
{
	return NEW(Ty, .kind = ARRAY, .dim = dim, .a = elem);
}

static const Ty *any_type(Gen *g, int depth)
{
	int way = pick(g, depth > 2 ? 6 : 14);
	if (way < 5)
		return prim_type(g, 14);
	const Ty *a = any_type(g, depth + 1);
	if (way < 9)
		return array_type(a, any_dim(g));
	const Ty *b = any_type(g, depth + 1);
	return NEW(Ty, .kind = way < 11 ? TUPLE : way < 13 ? RECORD : SUM, .a = a, .b = b);
}

static const char *type_text(const Ty *t)
{
	switch (t->kind) {
	case PRIM:   return t->prim;
	case ARRAY:  return text("[%s]%s", t->dim, t->a->kind == SUM ? text("(%s)", type_text(t->a))
	                                                             : type_text(t->a));
	case TUPLE:  return text("(%s, %s)", type_text(t->a), type_text(t->b));
	case RECORD: return text("{f: %s, g: %s}", type_text(t->a), type_text(t->b));
	case SUM:    return text("#ca (%s) | #cb (%s) (%s) | #cc", type_text(t->a), type_text(t->b),
	                         type_text(t->a));
	}
	bug("not a type");
}

static const char *least(const Ty *t)
{
	switch (t->kind) {
	case PRIM:   return strcmp(t->prim, "bool") == 0 ? "false" : text("0%s", t->prim);
	case ARRAY:  return text("(replicate %s %s)", t->dim, least(t->a));
	case TUPLE:  return text("(%s, %s)", least(t->a), least(t->b));
	case RECORD: return text("{f = %s, g = %s}", least(t->a), least(t->b));
	case SUM:    return text("((#cc) : (%s))", type_text(t));
	}
	bug("not a type");
}

static bool same(const Ty *a, const Ty *b)
{
	return a == b || strcmp(type_text(a), type_text(b)) == 0;
}

static bool is(const Ty *t, const char *prim)
{
	return t->kind == PRIM && strcmp(t->prim, prim) == 0;
}

static bool is_real(const Ty *t)
{
	return t->kind == PRIM && *t->prim == 'f';
}

static bool is_integer(const Ty *t)
{
	return t->kind == PRIM && !is(t, "bool") && !is_real(t);
}

// What keeps floats of few bits so small that sums of them are exact.
static const char *small(const Ty *t)
{
	return is(t, "f64") ? "" : text("small_%s ", t->prim);
}

static Shape shape(const Ty *t)
{
	return (Shape){T_OTHER, type_text(t), least(t)};
}

#define NODE(t, ...) node(shape(t), __VA_ARGS__)

// ---- Scopes ----

static void bind(Gen *g, const char *name, const Ty *t)
{
	VEC_PUSH(&g->scope, (Binding){name, t});
}

static const char *variable(Gen *g, const Ty *t)
{
	const char *found = NULL;
	for EACH(Binding, v, g->scope)
		if (same(v->type, t) && (!found || pick(g, 2)))
			found = v->name;
	return found;
}

// An array in scope, of any kind; its type.
static const Binding *any_array(Gen *g)
{
	const Binding *found = NULL;
	for EACH(Binding, v, g->scope)
		if (v->type->kind == ARRAY && (!found || pick(g, 3) == 0))
			found = v;
	return found ? mem_dup(found, sizeof *found) : NULL;
}

static Block *body(Gen *g, const Ty *t, int steps, int depth)
{
	Block *b = NEW(Block, .result = NULL);
	int mark = g->scope.len;
	for (int i = 0; i < steps && g->fuel > 0; i++) {
		const Ty *of = any_type(g, 1);
		const char *name = fresh(g, "v");
		VEC_PUSH(&b->steps, (Step){text("%s: %s", name, of->kind == SUM
			? text("(%s)", type_text(of)) : type_text(of)), ex(g, of, depth + 1)});
		bind(g, name, of);
	}
	b->result = ex(g, t, depth + 1);
	g->scope.len = mark;
	return b;
}

static Block *body_with(Gen *g, const char *p, const Ty *pt, const char *q, const Ty *qt,
                        const Ty *t, int depth)
{
	int mark = g->scope.len;
	bind(g, p, pt);
	if (q)
		bind(g, q, qt);
	Block *b = body(g, t, pick(g, 2), depth);
	g->scope.len = mark;
	return b;
}

// ---- Scalars ----

static Node *leaf(Gen *g, const Ty *t)
{
	const char *v = pick(g, 10) < 8 ? variable(g, t) : NULL;
	if (v)
		return NODE(t, "%s", v);
	Node *a;
	switch (t->kind) {
	case PRIM:
		if (is(t, "bool"))
			return NODE(t, pick(g, 2) ? "true" : "false");
		if (is_real(t))
			return NODE(t, "%i.5%s", pick(g, 9), t->prim);
		return pick(g, 4) ? NODE(t, "%i%s", pick(g, 100), t->prim)
		     : NODE(t, "%s.%s", t->prim, pick(g, 2) ? "highest" : "lowest");
	case ARRAY:
		return NODE(t, "(replicate %s %e)", t->dim, leaf(g, t->a));
	case TUPLE:
		a = leaf(g, t->a);
		return NODE(t, "(%e, %e)", a, leaf(g, t->b));
	case RECORD:
		a = leaf(g, t->a);
		return NODE(t, "{f = %e, g = %e}", a, leaf(g, t->b));
	case SUM:
		return NODE(t, "((#ca %e) : (%s))", leaf(g, t->a), type_text(t));
	}
	bug("not a type");
}

static Node *index_node(Gen *g, const char *dim, int depth)
{
	return NODE(&i64_type, "(%e %% %s)", ex(g, &i64_type, depth + 2), dim);
}

static Node *of_array(Gen *g, const Ty *t, int depth)
{
	const Binding *v = any_array(g);
	if (!v || !same(v->type->a, t))
		return NULL;
	return NODE(t, "%s[%e]", v->name, index_node(g, v->type->dim, depth));
}

static Node *fold(Gen *g, const Ty *t, int depth)
{
	static const char *const whole[] = {"reduce (+) 0", "reduce_comm (+) 0", "reduce (*) 1",
	                                    "reduce (^) 0", "reduce (|) 0"};
	const Ty *xs = array_type(t, any_dim(g));
	const char *part[] = {"%s %e", "%s (%e)[1:]", "%s (%e)[::2]", "%s (%e)[::-1]",
	                      "%s (filter (\\q -> q %% 2 == 0) %e)"};
	if (is_real(t))
		return pick(g, 2) ? NODE(t, "(%s(%s.sum %e))", small(t), t->prim, ex(g, xs, depth + 1))
		                  : NODE(t, "(%s.maximum %e)", t->prim, ex(g, xs, depth + 1));
	int way = pick(g, 6);
	const char *op = pick(g, 6) ? whole[pick(g, 5)] : text("%s.minimum", t->prim);
	if (way == 5)
		return NODE(t, "(%s (%e)[0:%s-1:3])", whole[pick(g, 5)], ex(g, xs, depth + 1),
		            xs->dim);
	if (way && strstr(op, "minimum"))
		op = whole[0];
	return NODE(t, text("(%s)", part[way]), op, ex(g, xs, depth + 1));
}

static Node *integer(Gen *g, const Ty *t, int depth)
{
	static const char *const ops[] = {"%e + %e", "%e - %e", "%e * %e", "%e & %e", "%e | %e",
		"%e ^ %e", "%e << (%e & 7)", "%e >> (%e & 7)", "%e / (%e | 1)", "%e %% (%e | 1)",
		"%e // (%e | 1)", "%e %%%% (%e | 1)"};
	const Ty *from;
	Node *x, *y;
	int way = pick(g, 12);
	switch (way) {
	case 0: case 1: case 2: case 3:
		x = ex(g, t, depth + 1), y = ex(g, t, depth + 1);
		return NODE(t, text("(%s)", ops[pick(g, 12)]), x, y);
	case 4: case 5:
		from = prim_type(g, 8);
		return NODE(t, "(%s.%s %e)", t->prim, from->prim, ex(g, from, depth + 1));
	case 6:
		return NODE(t, "(%s.bool %e)", t->prim, ex(g, &bool_type, depth + 1));
	case 7:
		x = ex(g, t, depth + 1), y = ex(g, t, depth + 1);
		return NODE(t, "(%s.%s %e %e)", t->prim, pick(g, 2) ? "max" : "min", x, y);
	case 8:
		return NODE(t, "(%s.%s %e)", t->prim, pick(g, 3) ? "neg" : "abs", ex(g, t, depth + 1));
	case 9:
		return NODE(t, "(%s.i32 (%s.popc %e))", t->prim, t->prim, ex(g, t, depth + 1));
	case 10:
		return NODE(t, "(%s.u8 (\"raido!\")[%e])", t->prim, index_node(g, "6", depth));
	default:
		return fold(g, t, depth);
	}
}

static Node *truth(Gen *g, int depth)
{
	const Ty *t = prim_type(g, 14);
	static const char *const ops[] = {"<", "<=", "==", "!=", ">"};
	Node *x, *y;
	switch (pick(g, 4)) {
	case 0:
		x = ex(g, &bool_type, depth + 1), y = ex(g, &bool_type, depth + 1);
		return NODE(&bool_type, "(%e %s %e)", x, pick(g, 2) ? "&&" : "||", y);
	case 1:
		return NODE(&bool_type, "(!%e)", ex(g, &bool_type, depth + 1));
	case 2:
		return NODE(&bool_type, "(%s (\\q -> q > 2) %e)", pick(g, 2) ? "any" : "all",
		            ex(g, array_type(prim_type(g, 8), any_dim(g)), depth + 1));
	default:
		x = ex(g, t, depth + 1), y = ex(g, t, depth + 1);
		return NODE(&bool_type, "(%e %s %e)", x, ops[is(t, "bool") ? 2 : pick(g, 5)], y);
	}
}

// Of sums, differences and extrema, so that it is a whole number.
static Node *derivative(Gen *g, const Ty *t, int depth)
{
	const char *p = fresh(g, "p"), *mode = pick(g, 2) ? "jvp" : "vjp";
	Node *x = ex(g, t, depth + 1);
	return NODE(t, "(%s (\\(%s: f64) ->%b) %e 1)", mode, p,
	            body_with(g, p, t, NULL, NULL, t, depth + 1), x);
}

static Node *scalar(Gen *g, const Ty *t, int depth)
{
	if (is(t, "bool"))
		return truth(g, depth);
	if (is_integer(t))
		return integer(g, t, depth);
	Node *x, *y;
	if (is(t, "f64") && pick(g, 8) == 0)
		return derivative(g, t, depth);
	if (pick(g, 3) == 0)
		return NODE(t, "(%s.i64 (%e %% 64) * 0.5)", t->prim, ex(g, &i64_type, depth + 1));
	if (pick(g, 4) == 0)
		return fold(g, t, depth);
	x = ex(g, t, depth + 1), y = ex(g, t, depth + 1);
	return pick(g, 2) ? NODE(t, "(%s(%e %s %e))", small(t), x, pick(g, 2) ? "+" : "-", y)
	                  : NODE(t, "(%s.%s %e %e)", t->prim, pick(g, 2) ? "max" : "min", x, y);
}

// ---- Arrays ----

static Node *mapped(Gen *g, const Ty *t, int depth)
{
	const char *x = fresh(g, "x"), *y = fresh(g, "y");
	const Ty *a = any_type(g, 2), *b = any_type(g, 2);
	Node *xs, *ys;
	switch (pick(g, 4)) {
	case 0:
		return NODE(t, "(tabulate %s (\\%s ->%b))", t->dim, x,
		            body_with(g, x, &i64_type, NULL, NULL, t->a, depth));
	case 1:
		xs = ex(g, array_type(a, t->dim), depth + 1);
		ys = ex(g, array_type(b, t->dim), depth + 1);
		return NODE(t, "(map2 (\\%s %s ->%b) %e %e)", x, y,
		            body_with(g, x, a, y, b, t->a, depth), xs, ys);
	case 2:
		xs = ex(g, array_type(a, t->dim), depth + 1);
		ys = ex(g, array_type(b, t->dim), depth + 1);
		return NODE(t, "(map (\\(%s, %s) ->%b) (zip %e %e))", x, y,
		            body_with(g, x, a, y, b, t->a, depth), xs, ys);
	default:
		xs = ex(g, array_type(a, t->dim), depth + 1);
		return NODE(t, "(map (\\%s ->%b) %e)", x,
		            body_with(g, x, a, NULL, NULL, t->a, depth), xs);
	}
}

// An update in place, of a copy.
static Node *updated(Gen *g, const Ty *t, int depth)
{
	Node *xs = ex(g, t, depth + 1), *i = index_node(g, t->dim, depth);
	const char *a = fresh(g, "a"), *j = fresh(g, "j");
	int mark = g->scope.len;
	Node *v;
	switch (pick(g, 4)) {
	case 0:
		return NODE(t, "(copy %e with [%e] = copy %e)", xs, i, ex(g, t->a, depth + 1));
	case 1:
		return NODE(t, "(copy %e with [%s - 1:] = [copy %e])", xs, t->dim,
		            ex(g, t->a, depth + 1));
	case 2:
		bind(g, j, &i64_type);
		v = ex(g, t->a, depth + 1);
		g->scope.len = mark;
		return NODE(t, "(loop %s: *%s = copy %e for %s < %s do %s with [%s] = copy %e)", a,
		            type_text(t), xs, j, t->dim, a, j, v);
	default: // of an element that the loop has read
		bind(g, j, &i64_type);
		i = index_node(g, t->dim, depth);
		v = ex(g, t->a, depth + 1);
		g->scope.len = mark;
		return NODE(t, "(loop %s: *%s = copy %e for %s < %i do %s with [%s %% %s] = "
		            "if %e > 1 then copy %s[%e] else copy %e)", a, type_text(t), xs, j,
		            pick(g, 6), a, j, t->dim, ex(g, &i64_type, 4), a, i, v);
	}
}

static Node *numbers(Gen *g, const Ty *t, int depth)
{
	Node *xs = ex(g, t, depth + 1), *ys;
	switch (pick(g, 4)) {
	case 0:
		return NODE(t, "(scan (+) 0 %e)", xs);
	case 1:
		return NODE(t, "(scan %s.max %s.lowest %e)", t->a->prim, t->a->prim, xs);
	case 2:
		ys = ex(g, array_type(&i64_type, "4"), depth + 1);
		return NODE(t, "(reduce_by_index (copy %e) (+) 0 (map (\\q -> q %% 5 - 1) %e) (map "
		            "%s.i64 (iota 4)))", xs, ys, t->a->prim);
	default:
		ys = ex(g, array_type(&i64_type, t->dim), depth + 1);
		return NODE(t, "(hist %s.max 0 %s (map (\\q -> q %% (%s + 1)) %e) %e)", t->a->prim,
		            t->dim, t->dim, ys, xs);
	}
}

static Node *array(Gen *g, const Ty *t, int depth)
{
	Node *xs, *ys;
	switch (pick(g, 11)) {
	case 0: case 1: case 2: case 3:
		return mapped(g, t, depth);
	case 4:
		return updated(g, t, depth);
	case 5:
		return NODE(t, "(%s %e)", pick(g, 2) ? "reverse" : text("rotate (%d)", pick(g, 5) - 2),
		            ex(g, t, depth + 1));
	case 6:
		xs = ex(g, t, depth + 1), ys = ex(g, t, depth + 1);
		return NODE(t, "(scatter (copy %e) (map (\\q -> (q + %i) %% %s) (iota %s)) %e)", xs,
		            pick(g, 4), t->dim, t->dim, ys);
	case 7:
		xs = ex(g, t, depth + 1), ys = ex(g, t, depth + 1);
		return NODE(t, "(take %s (%e ++ %e))", t->dim, xs, ys);
	case 8:
		if (t->a->kind == ARRAY)
			return NODE(t, "(transpose %e)", ex(g, array_type(array_type(t->a->a, t->dim),
			                                    t->a->dim), depth + 1));
		return mapped(g, t, depth);
	case 9:
		if (t->a->kind == ARRAY)
			return NODE(t, "(unflatten (flatten %e))", ex(g, t, depth + 1));
		return updated(g, t, depth);
	default:
		return is_integer(t->a) ? numbers(g, t, depth)
		     : is(t->a, "f64") ? NODE(t, "(scan (+) 0 %e)", ex(g, t, depth + 1))
		     : is_real(t->a) ? NODE(t, "(map %s(scan (+) 0 %e))", small(t->a),
		                             ex(g, t, depth + 1))
		     : mapped(g, t, depth);
	}
}

// ---- Any type ----

static Node *loop(Gen *g, const Ty *t, int depth)
{
	const char *s = fresh(g, "s"), *i = fresh(g, "at"), *ty = t->kind == SUM
		? text("(%s)", type_text(t)) : type_text(t);
	const Ty *xs = array_type(any_type(g, 2), any_dim(g));
	Node *init = ex(g, t, depth + 1), *over;
	Block *b;
	int mark = g->scope.len;
	switch (pick(g, 3)) {
	case 0:
		over = ex(g, xs, depth + 1);
		return NODE(t, "(loop %s: %s = %e for %s in %e do%b)", s, ty, init, i, over,
		            body_with(g, s, t, i, xs->a, t, depth));
	case 1:
		b = body_with(g, s, t, i, &i64_type, t, depth);
		bind(g, s, t);
		over = ex(g, &bool_type, depth + 2);
		g->scope.len = mark;
		return NODE(t, "((loop (%s: %s, %s) = (%e, 0i64) while %s < %i && %e do (%b, %s + 1)"
		            ").0)", s, ty, i, init, i, 1 + pick(g, 4), over, b, i);
	default:
		return NODE(t, "(loop %s: %s = %e for %s < %s do%b)", s, ty, init, i, pick(g, 2)
		            ? any_dim(g) : text("%di64", pick(g, 4)),
		            body_with(g, s, t, i, &i64_type, t, depth));
	}
}

static Node *match(Gen *g, const Ty *t, int depth)
{
	const Ty *of = NEW(Ty, .kind = SUM, .a = any_type(g, 2), .b = any_type(g, 2));
	const char *a = fresh(g, "a"), *b = fresh(g, "b"), *c = fresh(g, "c");
	Node *x = ex(g, of, depth + 1), *y = ex(g, of, depth + 1);
	Node *when = ex(g, &bool_type, depth + 1);
	Block *one = body_with(g, a, of->a, NULL, NULL, t, depth);
	Block *two = body_with(g, b, of->b, c, of->a, t, depth);
	return NODE(t, "(match (if %e then %e else %e)\n case #ca %s ->%b\n case #cb %s %s ->%b\n "
	            "case #cc -> %e)", when, x, y, a, one, b, c, two, ex(g, t, depth + 2));
}

static Node *call(Gen *g, const Ty *t, int depth)
{
	const char *p = fresh(g, "p");
	const Ty *from = any_type(g, 1);
	for (int k = 0; k < g->gives.len; k++)
		if (same(g->gives.at[k], t) && pick(g, 2))
			return NODE(t, "(h@_%i %e)", k, ex(g, g->takes.at[k], depth + 1));
	Node *x;
	switch (pick(g, 5)) {
	case 0:
		x = ex(g, t, depth + 1);
		return NODE(t, "(twice (\\(%s: %s) ->%b) %e)", p, type_text(t),
		            body_with(g, p, t, NULL, NULL, t, depth), x);
	case 1:
		x = ex(g, from, depth + 1);
		return NODE(t, "(%e |> (\\(%s: %s) ->%b))", x, p, type_text(from),
		            body_with(g, p, from, NULL, NULL, t, depth));
	case 2:
		if (is(t, "i32") || is(t, "i64") || is(t, "u8")) {
			x = ex(g, array_type(t, any_dim(g)), depth + 1);
			return NODE(t, "(%s_ops.%s %e)", t->prim, pick(g, 2) ? "fold" : "last", x);
		}
		return loop(g, t, depth);
	case 3:
		x = ex(g, t, depth + 1);
		return NODE(t, "(choose %e %e %e)", ex(g, &bool_type, depth + 1), x,
		            leaf(g, t));
	default:
		x = ex(g, from, depth + 1);
		return NODE(t, "(let %s_f (%s: %s) =%b in %s_f %e)", p, p, type_text(from),
		            body_with(g, p, from, NULL, NULL, t, depth), p, x);
	}
}

// A component of something that has one.
static Node *part(Gen *g, const Ty *t, int depth)
{
	const Ty *other = any_type(g, 2);
	Node *x = of_array(g, t, depth);
	if (x && pick(g, 2))
		return x;
	bool first = pick(g, 2);
	const Ty *of = NEW(Ty, .kind = pick(g, 2) ? TUPLE : RECORD, .a = first ? t : other,
		.b = first ? other : t);
	x = ex(g, of, depth + 1);
	if (of->kind == TUPLE)
		return NODE(t, "(%e).%i", x, first ? 0 : 1);
	const char *f = first ? "f" : "g";
	return pick(g, 2) ? NODE(t, "(%e).%s", x, f)
	     : NODE(t, "((%e) with %s = %e).%s", x, f, ex(g, t, depth + 1), f);
}

Node *ex(Gen *g, const Ty *t, int depth)
{
	if (depth > 6 || --g->fuel < 0 || pick(g, 10) < depth)
		return leaf(g, t);
	Node *x, *y, *c;
	switch (pick(g, 12)) {
	case 0:
		c = ex(g, &bool_type, depth + 1), x = ex(g, t, depth + 1), y = ex(g, t, depth + 1);
		return NODE(t, "(if %e then %e else %e)", c, x, y);
	case 1: return loop(g, t, depth);
	case 2: return match(g, t, depth);
	case 3: return call(g, t, depth);
	case 4: return part(g, t, depth);
	default: break; // by the type
	}
	switch (t->kind) {
	case PRIM:  return scalar(g, t, depth);
	case ARRAY: return array(g, t, depth);
	case TUPLE:
		x = ex(g, t->a, depth + 1);
		return NODE(t, "(%e, %e)", x, ex(g, t->b, depth + 1));
	case RECORD:
		x = ex(g, t->a, depth + 1);
		return NODE(t, "{f = %e, g = %e}", x, ex(g, t->b, depth + 1));
	case SUM:
		if (pick(g, 2))
			return NODE(t, "((#ca %e) : (%s))", ex(g, t->a, depth + 1), type_text(t));
		x = ex(g, t->b, depth + 1);
		return NODE(t, "((#cb %e %e) : (%s))", x, ex(g, t->a, depth + 1), type_text(t));
	}
	bug("not a type");
}

// ---- Programs ----

// An i64 that depends on all of a value.
static const char *digest(const Ty *t, const char *v)
{
	switch (t->kind) {
	case PRIM:
		return is(t, "i64") ? v : is_real(t) ? text("i64.%s (%s * 2)", t->prim, v)
		     : text("i64.%s %s", t->prim, v);
	case ARRAY:
		return text("digest (map (\\q%s -> %s) %s)", t->dim, digest(t->a, text("q%s", t->dim)),
		            v);
	case TUPLE:
		return text("((\\(q, r) -> (%s) * 31 + %s) %s)", digest(t->a, "q"), digest(t->b, "r"),
		            v);
	case RECORD:
		return text("((\\q r -> (%s) * 37 + %s) %s.f %s.g)", digest(t->a, "q"),
		            digest(t->b, "r"), v, v);
	case SUM:
		return text("(match %s case #ca q -> 1 + %s case #cb q r -> 2 + (%s) * 41 + %s case "
		            "#cc -> 3)", v, digest(t->a, "q"), digest(t->b, "q"), digest(t->a, "r"));
	}
	bug("not a type");
}

static void make_helper(Gen *g, Random *r)
{
	int which = r->defs.len;
	g->closed = true;
	const Ty *takes = any_type(g, 1), *gives = any_type(g, 1);
	g->scope.len = 0;
	bind(g, "arg", takes);
	Def d = {text("h@_%d (arg: %s) : %s", which, type_text(takes), type_text(gives)), NULL};
	int fuel = g->fuel;
	g->fuel = 25;
	d.body = body(g, gives, pick(g, 3), 2);
	g->fuel = fuel;
	g->closed = false;
	g->scope.len = 0;
	VEC_PUSH(&r->defs, d);
	VEC_PUSH(&g->takes, takes);
	VEC_PUSH(&g->gives, gives);
}

Random *make_lang(uint64_t seed)
{
	Gen g = {.rng = seed * 0x9e3779b97f4a7c15u + 1, .fuel = 90};
	Random *r = NEW(Random, .seed = seed, .sizes = true, .exact = true);
	r->n = 1 + pick(&g, 5);
	r->m = 1 + pick(&g, 5);
	for (int i = pick(&g, 3); i > 0; i--)
		make_helper(&g, r);
	bind(&g, "xs", array_type(&i64_type, "n"));
	bind(&g, "zs", array_type(&i64_type, "m"));
	r->body = NEW(Block, .result = NULL);
	static const char *const inputs[] = {"xs", "zs"};
	for (int k = 0; k < 2; k++)
		VEC_PUSH(&r->body->steps, (Step){inputs[k], node((Shape){T_VEC, k ? "m" : "n", NULL},
			"map (\\q -> i64.f64 (q * 1000)) %s", k ? "z" : "x")});
	int count = 3 + pick(&g, 6);
	Str s = {0};
	for (int i = 0; i < count; i++) {
		const Ty *t = any_type(&g, 0);
		const char *v = fresh(&g, "v");
		VEC_PUSH(&r->body->steps, (Step){text("%s: %s", v, t->kind == SUM
			? text("(%s)", type_text(t)) : type_text(t)), ex(&g, t, 1)});
		bind(&g, v, t);
		str_printf(&s, "%sf64.i64 ((%s) & 0xfffff)", i ? ", " : "", digest(t, v));
	}
	r->body->result = node((Shape){T_VEC, "n", NULL}, "[%s]", str_text(&s));
	return r;
}
