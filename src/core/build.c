// The builder: emits statements into the innermost open body, folding as it goes.
//
//     b_open(b);
//     Sub y = b_mul(b, x, x);            let (y_7: f64) = mul.f64 x_6 x_6
//     Sub z = b_mul(b, x, x);            nothing: z is y_7
//     Sub w = b_add(b, b_sub(b, k, k), one);   nothing for an integer k: w is 1
//     Lambda *f = b_lambda(b, vars_of(1, x), subs_of(1, z));
//
// Note [Value numbering].  A pure statement that equals one in an open body is not emitted; the
// variable of the earlier one is used.  Equal means the same form, parameters and operands.  One
// hash table serves all open bodies.  Its entries are also kept on a stack, so that closing a body
// removes its entries: emitting and closing take constant time per statement.  Removed entries are
// recycled.  Statements are entered lazily, at the first lookup, outer bodies first; many passes
// never look anything up.  Scalar operations and views of arrays are numbered.  Fresh arrays are
// not, since two equal replicates may be consumed separately; two equal views may not, since
// consuming one forbids the use of the other anyway.
#include "core/build.h"

typedef struct Number {
	struct Number *next;                    // in its bucket, older
	uint64_t hash;
	const Exp *exp;
	Sub value;
} Number;

typedef struct Numbers {
	Number **buckets;
	uint64_t mask;
	VEC(Number *) stack;                    // oldest first
	Number *spare;                          // entries to be used again
	Scope *closed;                          // likewise scopes, with room for their statements
	const Exp *asked;                       // what was last looked for, likely to come next
	uint64_t asked_hash;
	int n_waiting;                          // statements of open bodies without entries yet
} Numbers;

struct Scope {
	Scope *up;
	VEC(Stm) stms;
	Numbers *numbers;                       // shared by all open bodies
	int n_numbers;                          // height of the stack below its entries
	int n_seen;                             // statements that have entries, or cannot
};

// ---- Value numbering ----

enum { KEY_MAX = 48 };
typedef struct { uint64_t words[KEY_MAX]; int len; bool too_long; } Key;

static void key_word(Key *k, uint64_t w)
{
	if (k->len == KEY_MAX)
		k->too_long = true;
	else
		k->words[k->len++] = w;
}

static void key_sub(Key *k, const Sub *s)
{
	if (s->kind == S_VAR) {
		key_word(k, s->var.id);
	} else {
		key_word(k, (uint64_t)1 << 63 | s->val.type);
		key_word(k, s->val.u);
	}
}

static void key_operand(Visit *v, Sub *s)
{
	key_sub(v->ctx, s);
}

// The key of a view of an array, which is numbered; false for other forms.
static bool key_of_view(const Exp *e, Key *k)
{
	if (e->form != E_slice && e->form != E_reshape && e->form != E_rearrange)
		return false; // see the Note
	k->len = 0;
	k->too_long = false;
	key_word(k, (uint64_t)e->form);
	if (e->form == E_slice)
		for EACH(DimSlice, d, e->slice.at)
			key_word(k, d->fixed);
	if (e->form == E_rearrange)
		for EACH(int, p, e->rearrange.perm)
			key_word(k, (uint64_t)*p);
	Visit v = {.sub = key_operand, .ctx = k};
	exp_walk(e, &v);
	return !k->too_long;
}

static uint64_t hash_sub(uint64_t h, const Sub *s)
{
	if (s->kind == S_VAR)
		return hash_mix(h, s->var.id);
	return hash_mix(hash_mix(h, (uint64_t)1 << 63 | s->val.type), s->val.u);
}

static uint64_t hash_prim(const Exp *e)
{
	uint64_t h = hash_mix(E_prim, (uint64_t)e->prim.op << 16 | (uint64_t)e->prim.at << 8);
	for (int i = 0, n = prim_arity(e->prim.op); i < n; i++)
		h = hash_sub(h, &e->prim.x[i]);
	return h;
}

static uint64_t hash_index(const Exp *e)
{
	uint64_t h = hash_sub(E_index, &e->index.arr);
	for EACH(Sub, i, e->index.idx)
		h = hash_sub(h, i);
	return h;
}

// Operations on scalars are most of what is asked for, and have no key of their own.
static bool hash_of(const Exp *e, uint64_t *hash)
{
	Key k;
	switch (e->form) {
	case E_prim:
		*hash = hash_prim(e);
		return true;
	case E_convert:
		*hash = hash_sub(hash_mix(E_convert, e->convert.to), &e->convert.x);
		return true;
	case E_index:
		*hash = hash_index(e);
		return e->index.idx.len < KEY_MAX / 2;
	default: // a view, or nothing that is numbered
		if (!key_of_view(e, &k))
			return false;
		*hash = hash_words(k.words, k.len);
		return true;
	}
}

static bool same_subs(const Sub *a, const Sub *b, int n)
{
	for (int i = 0; i < n; i++)
		if (!sub_eq(a[i], b[i]))
			return false;
	return true;
}

// Of expressions that are numbered.
static bool is_same(const Exp *a, const Exp *b)
{
	Key x, y;
	if (a->form != b->form)
		return false;
	switch (a->form) {
	case E_prim:
		return a->prim.op == b->prim.op && a->prim.at == b->prim.at &&
		       same_subs(a->prim.x, b->prim.x, prim_arity(a->prim.op));
	case E_convert:
		return a->convert.to == b->convert.to && sub_eq(a->convert.x, b->convert.x);
	case E_index:
		return sub_eq(a->index.arr, b->index.arr) &&
		       a->index.idx.len == b->index.idx.len &&
		       same_subs(a->index.idx.at, b->index.idx.at, a->index.idx.len);
	default: // a view
		return key_of_view(a, &x) && key_of_view(b, &y) && x.len == y.len &&
		       memcmp(x.words, y.words, (size_t)x.len * sizeof *x.words) == 0;
	}
}

static const Number *number_find(const Numbers *t, const Exp *e, uint64_t h)
{
	if (!t->buckets)
		return NULL;
	for (const Number *n = t->buckets[h & t->mask]; n; n = n->next)
		if (n->hash == h && is_same(n->exp, e))
			return n;
	return NULL;
}

static void number_link(Numbers *t, Number *n)
{
	Number **bucket = &t->buckets[n->hash & t->mask];
	n->next = *bucket;
	*bucket = n;
}

// h is the hash of the key of e, which stays as it is as long as a body is open.
static void number_add(Numbers *t, const Exp *e, uint64_t h, Sub value)
{
	Number *n = t->spare;
	if (n)
		t->spare = n->next;
	else
		n = NEW(Number);
	n->hash = h;
	n->exp = e;
	n->value = value;
	VEC_PUSH(&t->stack, n);
	if (t->buckets && (uint64_t)t->stack.len <= t->mask) {
		number_link(t, n);
		return;
	}
	t->mask = t->buckets ? t->mask * 2 + 1 : t->mask;
	t->buckets = NEW_ARRAY(Number *, t->mask + 1);
	for EACH(Number *, p, t->stack)
		number_link(t, *p);
}

// The newest entry is the first of its bucket, so entries leave in the order they came.
static void numbers_shrink(Numbers *t, int height)
{
	while (t->stack.len > height) {
		Number *n = t->stack.at[--t->stack.len];
		t->buckets[n->hash & t->mask] = n->next;
		n->next = t->spare;
		t->spare = n;
	}
}

// Buckets come with the first entry: most passes never look anything up.
static Numbers *numbers_new(void)
{
	enum { FIRST = 64 };
	return NEW(Numbers, .mask = FIRST - 1);
}

// ---- Scopes and statements ----

void b_open(Build *b)
{
	if (!b->numbers)
		b->numbers = numbers_new();
	Numbers *t = b->numbers;
	Scope *s = t->closed;
	if (s)
		t->closed = s->up;
	else
		s = NEW(Scope);
	s->up = b->top;
	s->stms.len = 0;
	s->numbers = t;
	s->n_seen = 0;
	b->top = s;
}

Body b_close(Build *b, Subs res)
{
	Scope *s = b->top;
	if (!s)
		bug("closing a body that was not opened");
	if (s->n_seen)
		numbers_shrink(s->numbers, s->n_numbers);
	s->numbers->n_waiting -= s->stms.len - s->n_seen;
	b->top = s->up;
	s->up = s->numbers->closed;
	s->numbers->closed = s;
	Stms stms = VEC_SLICE(Stms, s->stms);
	return (Body){SLICE_DUP(Stms, stms), res};
}

// The result types are those of the results, so these must not have sizes made in the body;
// a caller that has such results sets `ret` to the types seen from outside.
Lambda *b_lambda(Build *b, Vars params, Subs res)
{
	Types ret = {res.len ? NEW_ARRAY(Type, res.len) : NULL, res.len};
	for (int i = 0; i < res.len; i++) {
		ret.at[i] = sub_type(res.at[i]);
		ret.at[i].unique = false;
	}
	return NEW(Lambda, .params = params, .ret = ret, .body = b_close(b, res));
}

static Vars real_certs(Vars certs)
{
	int n = 0;
	for EACH(Var, c, certs)
		n += c->id != 0;
	if (n == certs.len)
		return certs;
	Vars out = {n ? NEW_ARRAY(Var, n) : NULL, 0};
	for EACH(Var, c, certs)
		if (c->id)
			out.at[out.len++] = *c;
	return out;
}

// Gives the next statement of a body its entry; none of it and of outer ones waits before.
static void number_next(Scope *s)
{
	Numbers *t = s->numbers;
	const Stm *stm = &s->stms.at[s->n_seen];
	uint64_t h = t->asked_hash;
	if (!s->n_seen++)
		s->n_numbers = t->stack.len;
	t->n_waiting--;
	if (stm->pat.len == 1 && (t->asked == stm->exp || hash_of(stm->exp, &h)))
		number_add(t, stm->exp, h, sub_var(stm->pat.at[0]));
}

// As long as statements of a body wait, the bodies inside have no entries: the stack keeps its
// order.
static void number_waiting(Scope *s)
{
	if (s->up && s->numbers->n_waiting > s->stms.len - s->n_seen)
		number_waiting(s->up);
	while (s->n_seen < s->stms.len)
		number_next(s);
}

void b_emit(Build *b, Stm s)
{
	if (!b->top)
		bug("a statement outside of any open body");
	s.certs = real_certs(s.certs);
	traces_made |= s.exp->form == E_trace;
	VEC_PUSH(&b->top->stms, s);
	Numbers *t = b->top->numbers;
	if (!t->n_waiting++ && t->asked == s.exp)
		number_next(b->top);            // its hash is known
}

void b_emit_all(Build *b, Stms stms)
{
	for EACH(Stm, s, stms)
		b_emit(b, *s);
}

int b_len(const Build *b)
{
	return b->top->stms.len;
}

void b_add_certs(Build *b, int from, Vars certs)
{
	certs = real_certs(certs);
	for (int i = from; certs.len && i < b->top->stms.len; i++)
		b->top->stms.at[i].certs = vars_cat(b->top->stms.at[i].certs, certs);
}

void b_add_attr(Build *b, int from, Mark attr)
{
	for (int i = from; i < b->top->stms.len; i++)
		b->top->stms.at[i].attrs = with_attr(b->top->stms.at[i].attrs, attr);
}

void b_stm(Build *b, Vars pat, Exp *e)
{
	if (pat.len != exp_n_results(e))
		bug("%s gives %d values to %d variables", form_name[e->form],
		    exp_n_results(e), pat.len);
	b_emit(b, (Stm){.pat = pat, .exp = e, .certs = b->certs, .attrs = b->attrs,
	                .where = b->where});
	b->attrs = (Attributes){0};
}

void b_name(Build *b, Var v, Sub x)
{
	b_stm(b, vars_of(1, v), EXP(atom, x));
}

void b_names(Build *b, Vars vs, Subs xs)
{
	for (int i = 0; i < vs.len; i++)
		b_name(b, vs.at[i], xs.at[i]);
}

// An operation that needs no statement uses up the attributes meant for it.
Sub b_folded(Build *b, Sub s)
{
	b->attrs = (Attributes){0};
	return s;
}

bool b_same_types(Type a, Type b)
{
	return a.kind == T_DATA && b.kind == T_DATA && a.elem == b.elem && subs_eq(a.dims, b.dims);
}

static bool has_certs(Vars certs)
{
	for EACH(Var, c, certs)
		if (c->id)
			return true;
	return false;
}

bool b_find(Build *b, const Exp *e, Type t, Sub *out)
{
	uint64_t h;
	if (!hash_of(e, &h))
		return false;
	Numbers *known = b->top->numbers;
	if (known->n_waiting)
		number_waiting(b->top);
	known->asked = e;
	known->asked_hash = h;
	const Number *n = number_find(known, e, h);
	if (!n || !b_same_types(t, sub_type(n->value)))
		return false;
	*out = n->value;
	return true;
}

// A mere name for an operand is the operand, unless the name gives it other sizes or
// hangs on an assertion.
Sub b_let(Build *b, const char *hint, Type t, Exp *e)
{
	if (exp_n_results(e) != 1)
		bug("%s gives %d values, not one", form_name[e->form], exp_n_results(e));
	if (e->form == E_atom && !has_certs(b->certs) && b_same_types(t, sub_type(e->atom.x)))
		return b_folded(b, e->atom.x);
	Sub known;
	if (!has_certs(b->certs) && b_find(b, e, t, &known))
		return b_folded(b, known);
	t.unique = false;
	Var v = var_new(name_of(hint), t);
	b_stm(b, vars_of(1, v), e);
	return sub_var(v);
}

Subs b_lets(Build *b, const char *hint, Types ts, Exp *e)
{
	Vars pat = {ts.len ? NEW_ARRAY(Var, ts.len) : NULL, ts.len};
	Subs out = {ts.len ? NEW_ARRAY(Sub, ts.len) : NULL, ts.len};
	for (int i = 0; i < ts.len; i++) {
		Type t = type_plain(ts.at[i]);
		pat.at[i] = var_new(name_of(hint), t);
		out.at[i] = sub_var(pat.at[i]);
	}
	b_stm(b, pat, e);
	return out;
}

// ---- Scalars ----

// not (not x) and neg (neg x) are x: what undoes a fresh negation is known beforehand.
static void number_inverse(Build *b, Prim op, PrimType at, Sub x, Sub negated)
{
	Exp *back = EXP(prim, .op = op, .at = at, .x = {negated});
	uint64_t h;
	if (!hash_of(back, &h))
		return;
	number_waiting(b->top);
	number_add(b->top->numbers, back, h, x);
}

Sub b_prim(Build *b, Prim op, PrimType at, Sub x, Sub y, Sub z)
{
	Sub xs[3] = {x, y, z}, out;
	if (prim_commutes(op) && x.kind == S_CONST && y.kind == S_VAR) {
		xs[0] = y;
		xs[1] = x;
	}
	if (fold_prim(op, at, xs, &out))
		return b_folded(b, out);
	Exp *e = EXP(prim, .op = op, .at = at);
	for (int i = 0; i < prim_arity(op); i++)
		e->prim.x[i] = xs[i];
	uint32_t before = n_vars;
	out = b_let(b, prim_name[op], type_scalar(prim_result(op, at)), e);
	if ((op == P_not || op == P_neg) && n_vars > before)
		number_inverse(b, op, at, xs[0], out);
	return out;
}

static PrimType elem_of(Sub x)
{
	Type t = sub_type(x);
	if (!type_is_scalar(t))
		bug("an operation on %s : %s", show_sub(x), show_core_type(t));
	return t.elem;
}

Sub b_prim1(Build *b, Prim op, Sub x)
{
	return b_prim(b, op, elem_of(x), x, (Sub){0}, (Sub){0});
}

Sub b_prim2(Build *b, Prim op, Sub x, Sub y)
{
	return b_prim(b, op, elem_of(x), x, y, (Sub){0});
}

Sub b_convert(Build *b, PrimType to, Sub x)
{
	if (elem_of(x) == to)
		return b_folded(b, x);
	if (x.kind == S_CONST)
		return b_folded(b, sub_const(convert_eval(to, x.val)));
	return b_let(b, primtype_name[to], type_scalar(to), EXP(convert, to, x));
}

Sub b_select(Build *b, Sub cond, Sub yes, Sub no)
{
	if (cond.kind == S_CONST)
		return b_folded(b, cond.val.u ? yes : no);
	if (sub_eq(yes, no))
		return b_folded(b, yes);
	if (yes.kind == S_CONST && no.kind == S_CONST && yes.val.type == PT_BOOL)
		return yes.val.u ? b_folded(b, cond) : b_prim1(b, P_not, cond);
	Body y = {.res = subs_of(1, yes)}, n = {.res = subs_of(1, no)};
	return b_let(b, "x", type_scalar(elem_of(yes)), EXP(if_, cond, y, n));
}
