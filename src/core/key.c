// Keys of expressions, and functions that do the same: key.h.
//
//     fun a.kernel1 (n: i64, xs: [n]f64) = {.. call op.1 ..}    fun op.1 (x: f64, y: f64) = {..}
//     fun a.kernel2 (m: i64, ys: [m]f64) = {.. call op.2 ..}    fun op.2 (a: f64, b: f64) = {..}
//
// If op.2 is the same as op.1, then kernel2 is the same as kernel1: a key has the callee that
// stands for all that are the same.
#include "core/key.h"

// ---- Expressions ----

void key_const(Key *k, Scalar s)
{
	key_word(k, UINT64_C(1) << 63 | s.type);
	key_word(k, s.u);
}

void key_bind(Key *k, Type t)
{
	key_word(k, (uint64_t)t.kind << 24 | (uint64_t)t.elem << 16 | (uint64_t)t.dims.len << 8 |
	            t.unique);
}

static void key_slices(Key *k, Slices at)
{
	for EACH(DimSlice, d, at)
		key_word(k, d->fixed);
}

static void key_reductions(Key *k, Reductions rs)
{
	key_word(k, (uint64_t)rs.len);
	for EACH(Reduction, r, rs)
		key_word(k, (uint64_t)r->ne.len << 1 | r->comm);
}

static void key_match(Key *k, CoreCases cases)
{
	key_word(k, (uint64_t)cases.len);
	for EACH(CoreCase, c, cases)
		key_word(k, c->value.u);
}

void key_head(Key *k, const Exp *e)
{
	key_word(k, (uint64_t)e->form);
	switch (e->form) {
	case E_prim:      key_word(k, (uint64_t)e->prim.op << 8 | e->prim.at); return;
	case E_convert:   key_word(k, e->convert.to); return;
	case E_match:     key_match(k, e->match.cases); return;
	case E_loop:
		key_word(k, (uint64_t)e->loop.params.len << 1 | e->loop.is_while);
		return;
	case E_slice:     key_slices(k, e->slice.at); return;
	case E_update:    key_slices(k, e->update.at); return;
	case E_concat:    key_word(k, (uint64_t)e->concat.arrs.len); return;
	case E_iota:      key_word(k, e->iota.type); return;
	case E_replicate: key_word(k, (uint64_t)e->replicate.dims.len); return;
	case E_scratch:   key_word(k, e->scratch.type); return;
	case E_reshape:   key_word(k, (uint64_t)e->reshape.dims.len); return;
	case E_rearrange:
		for EACH(int, p, e->rearrange.perm)
			key_word(k, (uint64_t)*p);
		return;
	case E_array:
		key_word(k, (uint64_t)e->array.elem_type.elem << 32 |
		            (uint64_t)e->array.elems.len);
		return;
	case E_screma:
		key_word(k, (uint64_t)e->screma.arrs.len);
		key_reductions(k, e->screma.scans);
		key_reductions(k, e->screma.reds);
		return;
	case E_hist:
		for EACH(HistOp, op, e->hist.ops)
			key_word(k, (uint64_t)op->dests.len << 32 | (uint64_t)op->space.len);
		return;
	case E_scatter:
		for EACH(ScatterDest, d, e->scatter.dests)
			key_word(k, (uint64_t)d->n_writes << 32 | (uint64_t)d->space.len);
		return;
	case E_flatmap:   key_word(k, (uint64_t)e->flatmap.n_data); return;
	case E_jvp:       key_word(k, (uint64_t)e->jvp.args.len << 1 | e->jvp.many); return;
	case E_vjp:       key_word(k, (uint64_t)e->vjp.args.len << 1 | e->vjp.many); return;
	case E_with_vjp:  key_word(k, (uint64_t)e->with_vjp.n_tape); return;
	case E_withacc:
		for EACH(AccInput, in, e->withacc.inputs)
			key_word(k, (uint64_t)in->arrs.len << 32 | (uint64_t)in->ne.len);
		return;
	case E_opaque:    key_word(k, (uint64_t)e->opaque.xs.len); return;
	case E_alloc:     key_word(k, (uint64_t)e->alloc.type << 1 | e->alloc.stack); return;
	case E_atom: case E_if_: case E_call: case E_index: case E_copy: case E_upd_acc:
	case E_assert_: case E_trace: case E_release: case N_FORM:
		return;
	}
}

// ---- Functions ----

typedef struct Entry { struct Entry *next; Fun *fun; int len; const uint64_t *words; } Entry;
typedef struct {
	Key key;
	uint32_t *local;                        // by variable: its number in the key
	uint32_t n_local;
	bool tells_places;
	Map alike;                              // the result
	Map seen;                               // functions that were looked at
	Map table;                              // hash -> Entry *
} Search;

static void put_operand(Visit *v, Sub *s)
{
	Search *a = v->ctx;
	if (s->kind == S_CONST)
		key_const(&a->key, s->val);
	else
		key_word(&a->key, UINT64_C(1) << 62 | a->local[s->var.id]);
}

static void put_binder(Visit *v, Var *x)
{
	Search *a = v->ctx;
	Type t = vars[x->id].type;
	a->local[x->id] = ++a->n_local;
	key_bind(&a->key, t);
	if (t.mem)
		key_word(&a->key, (uint64_t)t.mem->strides.len);
}

static void put_attributes(Key *k, Attributes attrs)
{
	key_word(k, attrs.marks);
	key_word(k, (uint64_t)attrs.len);
	for (int i = 0; i < attrs.len; i++)
		key_word(k, (uint64_t)(uintptr_t)attrs.at[i]);
}

static void put_callee(Visit *v, Fun **f)
{
	Search *a = v->ctx;
	const Fun *first = map_get(&a->alike, *f);
	key_word(&a->key, (uint64_t)(uintptr_t)(first ? first : *f));
}

static void put_body(Visit *v, Body *b)
{
	Search *a = v->ctx;
	key_word(&a->key, (uint64_t)b->stms.len << 32 | (uint64_t)b->res.len);
	for EACH(Stm, s, b->stms) {
		a->tells_places |= s->exp->form == E_assert_ || s->exp->form == E_trace;
		key_head(&a->key, s->exp);
		key_word(&a->key, (uint64_t)s->pat.len << 32 | (uint64_t)s->certs.len);
		put_attributes(&a->key, s->attrs);
		stm_walk(s, v);
	}
	for EACH(Sub, r, b->res)
		put_operand(v, r);
}

static void make_key(Search *a, Fun *f)
{
	Visit v = {.sub = put_operand, .bind = put_binder, .body = put_body, .fun = put_callee,
	           .ctx = a};
	a->tells_places = false;
	a->n_local = 0;
	a->key.len = 0;
	key_word(&a->key, (uint64_t)f->params.len << 32 | (uint64_t)f->res.len);
	put_attributes(&a->key, f->attrs);
	fun_visit(&f, &v);
}

static void look_at(Visit *v, Fun **at)
{
	Search *a = v->ctx;
	Fun *f = *at;
	if (map_has(&a->seen, f))
		return;
	map_put(&a->seen, f, f);
	Visit callees = {.fun = look_at, .ctx = a};
	body_walk(&f->body, &callees);
	make_key(a, f);
	if (a->key.len > a->key.room) {
		int room = 2 * a->key.len;
		a->key = (Key){.words = NEW_ARRAY(uint64_t, room), .room = room};
		make_key(a, f);
	}
	if (a->tells_places || f->entry)
		return;
	size_t size = (size_t)a->key.len * sizeof *a->key.words;
	const void *hash = (const void *)(uintptr_t)(hash_words(a->key.words, a->key.len) | 1);
	for (const Entry *e = map_get(&a->table, hash); e; e = e->next)
		if (e->len == a->key.len && memcmp(e->words, a->key.words, size) == 0) {
			map_put(&a->alike, f, e->fun);
			return;
		}
	map_put(&a->table, hash, NEW(Entry, .next = map_get(&a->table, hash), .fun = f,
	                             .len = a->key.len, .words = mem_dup(a->key.words, size)));
}

Map funs_alike(const Prog *prog)
{
	Search a = {.local = NEW_ARRAY(uint32_t, n_vars)};
	Visit v = {.ctx = &a};
	for EACH(Fun *, f, prog->funs)
		look_at(&v, f);
	return a.alike;
}
