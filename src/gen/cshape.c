// What functions consist of, to be compared: names and what they stand for, places in the text as
// parameters, and the shape that a function has in common with its instances.
//
//     for (int64_t i = 0; i < n; i++) xs[i] = sin(2.5 * xs[i]) + 3;
//
// has the shape of a loop that assigns, with <, ++, three [], sin and 2.5 in any order.  The 3 is
// not in it, since a parameter of a more general function may stand for it; but an instance of this
// function has a 3 as well.  So only those are compared that may be equal: of thousands, few.
#include "gen/cmerge.h"

#include <stdlib.h>

// ---- What is in a function ----

Local *local_of(const Side *s, CExp x)
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

Side *called(const Map *sides, CExp x)
{
	bool own = x->kind == X_CALL && str_starts(x->text, "rd_fun_");
	return own ? map_get(sides, name_of(x->text)) : NULL;
}

bool is_unused(const Side *s, int param)
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
		note_exp(s, t->loop->from, false);
		note_exp(s, t->loop->cond, false);
		note_exp(s, t->loop->by, false);
		if (t->kind == S_DECLARE || t->kind == S_ARRAY)
			declare_local(s, t->name, t->type)->value =
				t->kind == S_DECLARE ? t->x : NULL;
		else if (t->kind == S_ASSIGN)
			note_change(s, t->to);
		else if (t->kind == S_FOR && t->loop->type)
			declare_local(s, t->loop->i, t->loop->type);
		else if (t->kind == S_FOR && t->loop->i)
			note_change(s, x_name(t->loop->i));
		note_block(s, &t->body);
		note_block(s, &t->other);
	}
}

static bool is_op(CExp x, const char *sign, const char *fn)
{
	return x->n == 2 && (x->kind == X_BINARY ? !strcmp(x->text, sign)
	                     : x->kind == X_CALL && !strcmp(x->text, fn));
}

bool is_sum(CExp x)        { return is_op(x, "+", "rd_add_i64"); }
bool is_product(CExp x)    { return is_op(x, "*", "rd_mul_i64"); }
bool is_difference(CExp x) { return is_op(x, "-", "rd_sub_i64"); }

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

bool is_silent_stm(const Side *s, const CStm *t)
{
	if (t->kind != S_DECLARE)
		return is_void(t);
	const Local *l = map_get(&s->locals, name_of(t->name));
	return l->value;
}

// ---- What instances have in common ----

static uint64_t mix(uint64_t h, uint64_t x)
{
	return (h ^ x) * 0x9e3779b97f4a7c15u >> 7 ^ h << 3;
}

static uint64_t mix_text(uint64_t h, const char *t)
{
	return t ? mix(h, (uintptr_t)name_of(t)) : mix(h, 1);
}

static uint64_t shape_of_exp(Side *s, CExp x);

// Integers may have names: what the name stands for counts where it is used, once.
static void shape_of_local(Side *s, Local *l)
{
	if (!l->value || l->counted)
		return;
	l->counted = true;
	shape_of_exp(s, l->value);
}

static void count_int(Side *s, CExp x)
{
	VEC_PUSH(&s->ints, name_of(x->text));
	s->bits |= UINT64_C(1) << (mix_text(0, x->text) * 0x9e3779b97f4a7c15u >> 58);
}

static int by_place(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t)*(const Name *)a, y = (uintptr_t)*(const Name *)b;
	return (x > y) - (x < y);
}

// Each literal once, in any order, which is the same for all functions.
static void order_ints(Side *s)
{
	int n = 0;
	if (s->ints.len)
		qsort(s->ints.at, (size_t)s->ints.len, sizeof *s->ints.at, by_place);
	for EACH(Name, x, s->ints)
		if (!n || s->ints.at[n - 1] != *x)
			s->ints.at[n++] = *x;
	s->ints.len = n;
}

// Operations and literals, in any order.  Parameters may stand for integers, and for sums, products
// and differences of them, so these are left out; and what is passed to functions of the program,
// which may be instances themselves.
static uint64_t shape_of_exp(Side *s, CExp x)
{
	if (!x)
		return 0;
	Local *l = local_of(s, x);
	if (l || x->kind == X_NAME)
		return l ? shape_of_local(s, l), 0 : 0;
	if (x->kind == X_INT)
		return count_int(s, x), 0;
	if (x->kind == X_CALL && str_starts(x->text, "rd_fun_"))
		return 7;
	bool plain = is_sum(x) || is_product(x) || is_difference(x);
	uint64_t h = plain ? 0 : mix_text((uint64_t)x->kind + 11, x->text);
	for (int i = 0; i < x->n; i++)
		h += shape_of_exp(s, x->x[i]);
	return h;
}

static uint64_t shape_of(Side *s, const CBlock *b, uint64_t h)
{
	for (const CStm *t = b->first; t; t = t->next) {
		if (is_silent_stm(s, t))
			continue;
		bool declares = t->kind == S_DECLARE || t->kind == S_ARRAY;
		h = mix_text(mix(h, (uint64_t)t->kind + 3), t->type);
		h = mix_text(h, declares ? NULL : t->name);
		h = mix(h, shape_of_exp(s, t->x) + shape_of_exp(s, t->to));
		h = mix(h, shape_of_exp(s, t->loop->from) + shape_of_exp(s, t->loop->cond) +
		           shape_of_exp(s, t->loop->by));
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

static bool has_place(CExp x)
{
	if (!x)
		return false;
	if (x->kind == X_INDEX && !strcmp(x->x[0]->text, "rd_places"))
		return true;
	for (int i = 0; i < x->n; i++)
		if (has_place(x->x[i]))
			return true;
	return false;
}

static bool has_places(const CBlock *b)
{
	for (const CStm *t = b->first; t; t = t->next)
		if (has_place(t->to) || has_place(t->x) || has_places(&t->body) ||
		    has_places(&t->other))
			return true;
	return false;
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
	s->general = mem_dup(f, sizeof *f);
	if (!has_places(f->body))
		return;
	CBlock body = lifted(s, f->body);
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

Side *look_at(const Map *sides, const CFun *fun)
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
	order_ints(s);
	return s;
}
