// Functions that are instances of others.
//
//     static int f_piece(.., int64_t n, float *xs)                 for i < n: xs[i] ..
//     static int f_region1(.., int64_t len, int64_t lo, float *ys) for i < len: ys[lo + i] ..
//  ->
//     static int f_piece(.., int64_t n, float *xs) { return f_region1(.., n, 0, xs); }
//
// A gradient starts like the function itself, and threads run what one thread runs too, from a row
// on that is not the first: the same loops several times, under other names, at other places.  C
// compilers would take their time for each.  So code is compared as trees: names may differ,
// parameters of the more general function stand for what the other one knows of its own (0 in
// particular, as in lo + i), operands of sums and products may have changed places, and integers
// may have names or not.
// What is equal in this sense computes the same, and what is claimed of loops is claimed by both.
//
// Where an error is in the text is a parameter too: `places`, numbers of rows of rd_places.
//
// Functions come after their callers, so they are looked at from the last to the first: calls of
// functions that are known to be instances are compared as calls of what they stand for.
#include "gen/cmerge.h"

enum {
	LONG = 400,             // what parameters stand for is shorter
	MAX_STEPS = 200000      // of one comparison
};

typedef struct { Local *local, *other; CExp given; } Undo;

typedef struct {
	Side *a, *b;            // is a an instance of b?
	const Map *sides;       // Name -> Side *: all functions
	VEC(Undo) trail;
	int steps;
} Merge;

// ---- Expressions ----

static void set(Merge *m, Local *l, Local *other, CExp given)
{
	VEC_PUSH(&m->trail, (Undo){l, l->other, l->given});
	l->other = other;
	l->given = given;
}

static void undo(Merge *m, int mark)
{
	while (m->trail.len > mark) {
		Undo u = m->trail.at[--m->trail.len];
		u.local->other = u.other;
		u.local->given = u.given;
	}
}

// The same in terms of parameters alone; NULL: it is more than that.  Only arithmetic that may wrap
// around is done where it had not been.
static CExp in_params(const Side *s, CExp x)
{
	const Local *l = local_of(s, x);
	if (x->kind == X_INT || (l && l->param))
		return x;
	if (l)
		return l->value ? in_params(s, l->value) : NULL;
	if (x->kind != X_CALL || (!is_sum(x) && !is_product(x) && !is_difference(x)))
		return NULL;
	CExp of[2] = {in_params(s, x->x[0]), in_params(s, x->x[1])};
	CExp out = of[0] && of[1] ? x_with(x, of) : NULL;
	return out && of[0]->size + of[1]->size < LONG ? out : NULL;
}

// Parameters of the general function stand for one thing.
static bool give(Merge *m, Local *param, CExp x)
{
	CExp given = in_params(m->a, x);
	if (!given)
		return false;
	const Local *l = local_of(m->a, given);
	if (strcmp(l ? l->type : "int64_t", param->type) != 0)
		return false;
	if (param->given)
		return x_same(param->given, given);
	set(m, param, NULL, given);
	return true;
}

static bool is_zero(Merge *m, CExp x)
{
	Local *l = local_of(m->b, x);
	return l && l->param && !strcmp(l->type, "int64_t") && give(m, l, x_int(0));
}

static CExp substitute(const Side *s, CExp x, CExp call)
{
	for (int i = 0; i < s->general->params.len; i++)
		if (x->kind == X_NAME && !strcmp(x->text, s->general->params.at[i].name))
			return call->x[i];
	if (!x->n)
		return x;
	CExp *of = NEW_ARRAY(CExp, x->n);
	for (int i = 0; i < x->n; i++)
		of[i] = substitute(s, x->x[i], call);
	return x_with(x, of);
}

// What is passed for a parameter that is not used.
static CExp nothing_for(const char *type)
{
	return strchr(type, '*') ? x_const("NULL") : x_int(0);
}

// Calls of instances are calls of what they stand for.
static CExp real_call(const Map *sides, CExp x)
{
	const Side *s = called(sides, x);
	if (!s)
		return x;
	CExps args = {NEW_ARRAY(CExp, x->n + s->places.len), x->n + s->places.len};
	for (int i = 0; i < args.len; i++)
		args.at[i] = i < x->n ? x->x[i] : s->places.at[i - x->n];
	x = x_call_of(s->general->name, args);
	for (; s->as; s = s->as) {
		CExps given = {NEW_ARRAY(CExp, s->args.len), s->args.len};
		for (int i = 0; i < given.len; i++)
			given.at[i] = substitute(s, s->args.at[i], x);
		x = x_call_of(s->as->general->name, given);
	}
	CExps used = {NEW_ARRAY(CExp, x->n), x->n};
	for (int i = 0; i < x->n; i++)
		used.at[i] = is_unused(s, i) ? nothing_for(s->general->params.at[i].type) : x->x[i];
	return x_call_of(x->text, used);
}

static bool equal(Merge *m, CExp a, CExp b);

static bool equal_operands(Merge *m, CExp a, CExp b, bool swap)
{
	int mark = m->trail.len;
	bool same = true;
	for (int i = 0; i < a->n && same; i++)
		same = equal(m, a->x[i], b->x[swap ? 1 - i : i]);
	if (!same)
		undo(m, mark);
	return same;
}

// The same operation.  That of b may be one that wraps around where that of a need not.
static bool equal_heads(CExp a, CExp b)
{
	if (b->kind == X_CALL && a->kind == X_BINARY && b->n == 2)
		return (is_sum(a) && is_sum(b)) || (is_product(a) && is_product(b)) ||
		       (is_difference(a) && is_difference(b));
	return a->kind == b->kind && a->n == b->n && !strcmp(a->text, b->text);
}

static bool equal_names(Merge *m, Local *a, Local *b, bool *known)
{
	*known = true;
	if (a && b && a->other == b && b->other == a)
		return true;
	*known = false;
	if (!a || !b || !a->value || !b->value || !equal(m, a->value, b->value))
		return false;
	set(m, a, b, NULL);
	set(m, b, a, NULL);
	return true;
}

static bool equal(Merge *m, CExp a, CExp b)
{
	if (++m->steps > MAX_STEPS)
		return false;
	Local *la = local_of(m->a, a), *lb = local_of(m->b, b);
	bool known;
	if (lb && lb->param)
		return give(m, lb, a);
	if (equal_names(m, la, lb, &known))
		return true;
	if (lb && lb->value)
		return equal(m, a, lb->value);
	if (la && la->value)
		return equal(m, la->value, b);
	int mark = m->trail.len;
	if (!la && !lb) {
		a = real_call(m->sides, a);
		b = real_call(m->sides, b);
		if (equal_heads(a, b) &&
		    (equal_operands(m, a, b, false) ||
		     ((is_sum(a) || is_product(a)) && a->size < LONG &&
		      equal_operands(m, a, b, true))))
			return true;
	}
	for (int i = 0; i < 2 && is_sum(b); i++) {
		if (is_zero(m, b->x[i]) && equal(m, a, b->x[1 - i]))
			return true;
		undo(m, mark);
	}
	return false;
}

// ---- Statements ----

static bool equal_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

static bool equal_or_none(Merge *m, CExp a, CExp b)
{
	return a && b ? equal(m, a, b) : !a && !b;
}

static bool bind(Merge *m, const char *a, const char *b)
{
	Local *la = map_get(&m->a->locals, name_of(a)), *lb = map_get(&m->b->locals, name_of(b));
	if (la->param || lb->param || strcmp(la->type, lb->type) != 0)
		return false;
	set(m, la, lb, NULL);
	set(m, lb, la, NULL);
	return true;
}

static bool equal_fors(Merge *m, const CFor *a, const CFor *b)
{
	if (!equal_or_none(m, a->from, b->from) || !equal_text(a->type, b->type) ||
	    !equal_text(a->op, b->op) || a->props != b->props || !a->i != !b->i)
		return false;
	if (a->type ? !bind(m, a->i, b->i) : a->i && !equal(m, x_name(a->i), x_name(b->i)))
		return false;
	return equal_or_none(m, a->cond, b->cond) && equal_or_none(m, a->by, b->by);
}

static bool equal_blocks(Merge *m, const CBlock *a, const CBlock *b);

static bool equal_stms(Merge *m, const CStm *a, const CStm *b)
{
	if (a->kind != b->kind || !equal_text(a->type, b->type) || !equal_or_none(m, a->x, b->x) ||
	    !equal_or_none(m, a->to, b->to))
		return false;
	bool declares = a->kind == S_DECLARE || a->kind == S_ARRAY;
	if (declares ? !bind(m, a->name, b->name) : !equal_text(a->name, b->name))
		return false;
	return (a->kind != S_FOR || equal_fors(m, a->loop, b->loop)) &&
	       equal_blocks(m, &a->body, &b->body) && equal_blocks(m, &a->other, &b->other);
}

static const CStm *next_stm(const Side *s, const CStm *t)
{
	while (t && is_silent_stm(s, t))
		t = t->next;
	return t;
}

static bool equal_blocks(Merge *m, const CBlock *a, const CBlock *b)
{
	const CStm *s = next_stm(m->a, a->first), *t = next_stm(m->b, b->first);
	for (; s && t; s = next_stm(m->a, s->next), t = next_stm(m->b, t->next))
		if (!equal_stms(m, s, t))
			return false;
	return !s && !t;
}

// ---- Functions ----

static void forget(Side *s)
{
	for EACH(Local *, l, s->list) {
		(*l)->other = NULL;
		(*l)->given = NULL;
	}
}

// What is no parameter of b is in a.
static bool has_ints(const Side *a, const Side *b)
{
	int k = 0;
	if (b->bits & ~a->bits)
		return false;
	for EACH(Name, x, b->ints) {
		while (k < a->ints.len && a->ints.at[k] != *x)
			k++;
		if (k == a->ints.len)
			return false;
	}
	return true;
}

static bool is_instance(const Map *sides, Side *a, Side *b)
{
	if (a->changes_params || b->changes_params || !has_ints(a, b))
		return false;
	Merge m = {.a = a, .b = b, .sides = sides};
	forget(a);
	forget(b);
	if (!equal_blocks(&m, a->general->body, b->general->body))
		return false;
	a->as = b;
	b->shared = true;
	a->args = (CExps){NEW_ARRAY(CExp, b->general->params.len), b->general->params.len};
	for (int i = 0; i < a->args.len; i++) {
		const Local *l = map_get(&b->locals, name_of(b->general->params.at[i].name));
		a->args.at[i] = l->given ? l->given : nothing_for(l->type);
	}
	return true;
}

// Looks for the functions that one is an instance of, or that are its.
static void merge(const Map *sides, Map *by_shape, Side *s)
{
	typedef VEC(Side *) Sides;
	const void *key = (void *)(uintptr_t)(s->shape | 1);
	Sides *found = map_get(by_shape, key);
	if (!found)
		map_put(by_shape, key, found = NEW(Sides));
	for (int k = 0; k < found->len && !s->as; k++)
		if (!is_instance(sides, s, found->at[k]) && is_instance(sides, found->at[k], s))
			found->at[k--] = found->at[--found->len];
	if (!s->as)
		VEC_PUSH(found, s);
}

// What is written in place of a function.
static void put_call(Str *heads, Str *out, const Map *sides, const Side *s)
{
	Code c = {0};
	CFun f = {.result = "static RD_UNUSED int", .name = s->fun->name, .params = s->fun->params,
	          .body = code_begin(&c)};
	CExps args = {NEW_ARRAY(CExp, f.params.len), f.params.len};
	for (int i = 0; i < args.len; i++)
		args.at[i] = x_name(f.params.at[i].name);
	CExp call = real_call(sides, x_call_of(s->fun->name, args));
	for EACH(CExp, p, args)
		if (!x_mentions(call, *p))
			s_do(&c, x_cast("void", *p, PREC_ATOM));
	s_return(&c, call);
	check_code(&f);
	str_printf(heads, "%s;\n", fun_head(&f, f.name));
	fun_print(out, &f, f.name);
}

static void put_function(Str *heads, Str *out, const CFun *f)
{
	str_printf(heads, "%s;\n", fun_head(f, f->name));
	fun_print(out, f, f->name);
}

void put_functions(Str *out, const CFun *const *funs, const bool *fixed, int n)
{
	Map sides = {0}, by_shape = {0};
	Side **all = NEW_ARRAY(Side *, n + 1);
	Str bodies = {0};
	for (int i = n; i-- > 0; ) {
		all[i] = look_at(&sides, funs[i]);
		map_put(&sides, name_of(funs[i]->name), all[i]);
		if (!fixed[i])
			merge(&sides, &by_shape, all[i]);
	}
	for (int i = 0; i < n; i++) {
		bool general = all[i]->shared && all[i]->places.len && !all[i]->as;
		if (general)
			put_function(out, &bodies, all[i]->general);
		if (general || all[i]->as)
			put_call(out, &bodies, &sides, all[i]);
		else
			put_function(out, &bodies, funs[i]);
	}
	str_putc(out, '\n');
	str_putn(out, bodies.at, bodies.len);
}
