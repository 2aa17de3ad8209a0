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
#include "gen/cgen.h"

enum {
	LONG = 400,             // what parameters stand for is shorter
	MAX_STEPS = 200000      // of one comparison
};

// What a name stands for in a function.
typedef struct Local {
	const char *name, *type;
	bool param, changed, used;
	int declared;           // how often
	CExp value;             // of an integer that never changes, from others that do not
	struct Local *other;    // which name of the other function is the same
	CExp given;             // parameters of the general function: what they stand for
} Local;

typedef struct Side {
	const Map *sides;       // Name -> Side *: all functions looked at, callees first
	const CFun *fun;        // as it was written
	CFun *general;          // with parameters for places
	VEC(CExp) places;       // which they are
	bool shared;            // others are instances of it
	Map locals;             // Name -> Local *
	VEC(Local *) list;
	bool changes_params;
	uint64_t shape;
	struct Side *as;        // the function that this is an instance of
	CExps args;             // with these arguments, in terms of its own parameters
} Side;

typedef struct { Local *local, *other; CExp given; } Undo;

typedef struct {
	Side *a, *b;            // is a an instance of b?
	const Map *sides;       // Name -> Side *: all functions
	VEC(Undo) trail;
	int steps;
} Merge;

// ---- What is in a function ----

static Local *local_of(const Side *s, CExp x)
{
	bool named = x->kind == X_NAME || x->kind == X_CONST;
	return named ? map_get(&s->locals, name_of(x->text)) : NULL;
}

static Local *declare_local(Side *s, const char *name, const char *type)
{
	Local *l = map_get(&s->locals, name_of(name));
	if (!l) {
		l = NEW(Local, .name = name, .type = type);
		map_put(&s->locals, name_of(name), l);
		VEC_PUSH(&s->list, l);
	}
	l->declared++;
	return l;
}

static void note_change(Side *s, CExp x)
{
	Local *l = local_of(s, x);
	if (l)
		l->changed = true;
}

// The side of a function of the program that is called.
static Side *called(const Map *sides, CExp x)
{
	bool own = x->kind == X_CALL && str_starts(x->text, "rd_fun_");
	return own ? map_get(sides, name_of(x->text)) : NULL;
}

static bool is_unused(const Side *s, int param)
{
	const char *name = s->general->params.at[param].name;
	const Local *l = name ? map_get(&s->locals, name_of(name)) : NULL;
	return l && !l->used;
}

// (void)x
static bool is_void(const CStm *t)
{
	return t->kind == S_DO && t->x && t->x->kind == X_CAST && !strcmp(t->x->text, "void") &&
	       t->x->x[0]->kind == X_NAME;
}

// What has its address taken, or is given to a macro that is a statement, may change.  What is
// passed for a parameter that is not used is not used either.
static void note_exp(Side *s, CExp x, bool is_stm)
{
	if (!x)
		return;
	Local *l = local_of(s, x);
	if (l)
		l->used = true;
	bool changes = (x->kind == X_UNARY && (*x->text == '&' || !strcmp(x->text, "++"))) ||
	               (is_stm && x->kind == X_CALL && str_starts(x->text, "RD_"));
	const Side *callee = called(s->sides, x);
	for (int i = 0; i < x->n; i++) {
		if (changes)
			note_change(s, x->x[i]);
		if (!callee || !is_unused(callee, i))
			note_exp(s, x->x[i], false);
	}
}

static void note_block(Side *s, const CBlock *b)
{
	for (const CStm *t = b->first; t; t = t->next) {
		if (is_void(t))
			continue;
		note_exp(s, t->to, false);
		note_exp(s, t->x, t->kind == S_DO);
		note_exp(s, t->loop.from, false);
		note_exp(s, t->loop.cond, false);
		note_exp(s, t->loop.by, false);
		if (t->kind == S_DECLARE || t->kind == S_ARRAY)
			declare_local(s, t->name, t->type)->value =
				t->kind == S_DECLARE ? t->x : NULL;
		else if (t->kind == S_ASSIGN)
			note_change(s, t->to);
		else if (t->kind == S_FOR && t->loop.type)
			declare_local(s, t->loop.i, t->loop.type);
		else if (t->kind == S_FOR && t->loop.i)
			note_change(s, x_name(t->loop.i));
		note_block(s, &t->body);
		note_block(s, &t->other);
	}
}

static bool is_op(CExp x, const char *sign, const char *fn)
{
	return x->n == 2 && (x->kind == X_BINARY ? !strcmp(x->text, sign)
	                     : x->kind == X_CALL && !strcmp(x->text, fn));
}

static bool is_sum(CExp x)        { return is_op(x, "+", "rd_add_i64"); }
static bool is_product(CExp x)    { return is_op(x, "*", "rd_mul_i64"); }
static bool is_difference(CExp x) { return is_op(x, "-", "rd_sub_i64"); }

// Sums and the like of what does not change.
static bool is_lasting(const Side *s, CExp x)
{
	if (x->kind == X_INT)
		return true;
	const Local *l = local_of(s, x);
	if (l)
		return !l->changed && l->declared == 1;
	if (!is_sum(x) && !is_product(x) && !is_difference(x))
		return false;
	return is_lasting(s, x->x[0]) && is_lasting(s, x->x[1]);
}

// Statements that say nothing: (void)x, and names of integers.
static bool is_silent_stm(const Side *s, const CStm *t)
{
	if (t->kind != S_DECLARE)
		return is_void(t);
	const Local *l = map_get(&s->locals, name_of(t->name));
	return l->value;
}

static uint64_t mix(uint64_t h, uint64_t x)
{
	return (h ^ x) * 0x9e3779b97f4a7c15u >> 7 ^ h << 3;
}

static uint64_t mix_text(uint64_t h, const char *t)
{
	return t ? mix(h, (uintptr_t)name_of(t)) : mix(h, 1);
}

static uint64_t shape_of(const Side *s, const CBlock *b, uint64_t h)
{
	for (const CStm *t = b->first; t; t = t->next) {
		if (is_silent_stm(s, t))
			continue;
		h = mix_text(mix(h, (uint64_t)t->kind + 3), t->type);
		h = shape_of(s, &t->body, h);
		h = mix(shape_of(s, &t->other, mix(h, 2)), 5);
	}
	return h;
}

// ---- Places as parameters ----

static CExp lift_places(Side *s, CExp x)
{
	if (!x || !x->n)
		return x;
	if (x->kind == X_INDEX && !strcmp(x->x[0]->text, "rd_places") && x->x[1]->kind == X_INT) {
		int k = 0;
		while (k < s->places.len && !x_same(s->places.at[k], x->x[1]))
			k++;
		if (k == s->places.len)
			VEC_PUSH(&s->places, x->x[1]);
		return x_index(x->x[0], x_name(text("place_%d", k)));
	}
	CExp *of = NEW_ARRAY(CExp, x->n);
	bool same = true;
	for (int i = 0; i < x->n; i++) {
		of[i] = lift_places(s, x->x[i]);
		same &= of[i] == x->x[i];
	}
	return same ? x : x_with(x, of);
}

static CBlock lifted(Side *s, const CBlock *b)
{
	CBlock out = {0};
	for (const CStm *t = b->first; t; t = t->next) {
		CStm *u = mem_dup(t, sizeof *t);
		u->next = NULL;
		u->to = lift_places(s, t->to);
		u->x = lift_places(s, t->x);
		u->body = lifted(s, &t->body);
		u->other = lifted(s, &t->other);
		if (out.last)
			out.last->next = u;
		else
			out.first = u;
		out.last = u;
	}
	return out;
}

static void make_general(Side *s)
{
	const CFun *f = s->fun;
	CBlock body = lifted(s, f->body);
	s->general = mem_dup(f, sizeof *f);
	if (!s->places.len)
		return;
	s->general->body = mem_dup(&body, sizeof body);
	s->general->name = text("%s_at", f->name);
	s->general->params.at = NULL;
	s->general->params.len = s->general->params.cap = 0;
	for EACH(const CParam, p, f->params)
		add_param(s->general, p->type, p->name);
	for (int i = 0; i < s->places.len; i++)
		add_param(s->general, "int64_t", text("place_%d", i));
}

static Side *look_at(const Map *sides, const CFun *fun)
{
	Side *s = NEW(Side, .sides = sides, .fun = fun);
	make_general(s);
	const CFun *f = s->general;
	for EACH(const CParam, p, f->params)
		if (p->name)
			declare_local(s, p->name, p->type)->param = true;
	note_block(s, f->body);
	for EACH(Local *, l, s->list) { // in the order of their declarations
		bool plain = !(*l)->param && !(*l)->changed && (*l)->declared == 1;
		s->changes_params |= (*l)->param && ((*l)->changed || (*l)->declared > 1);
		if (!plain || strcmp((*l)->type, "int64_t") != 0 ||
		    !(*l)->value || !is_lasting(s, (*l)->value))
			(*l)->value = NULL;
	}
	s->shape = shape_of(s, f->body, 0);
	return s;
}

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
	return (a->kind != S_FOR || equal_fors(m, &a->loop, &b->loop)) &&
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

static bool is_instance(const Map *sides, Side *a, Side *b)
{
	Merge m = {.a = a, .b = b, .sides = sides};
	forget(a);
	forget(b);
	if (a->changes_params || b->changes_params ||
	    !equal_blocks(&m, a->general->body, b->general->body))
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
	str_puts(out, fun_text(&f, f.name));
}

static void put_function(Str *heads, Str *out, const CFun *f)
{
	str_printf(heads, "%s;\n", fun_head(f, f->name));
	str_puts(out, fun_text(f, f->name));
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
