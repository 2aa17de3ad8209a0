// The variable table, constructors of types and operands, and simple queries on expressions.
#include "core/core.h"


// ---- Tables made from forms.def ----

// Two forms are named after C keywords or macros, with an underscore; their text has none.
#define if_ if
#define assert_ assert
#define FORM_TEXT(name) #name
const char *const form_name[N_FORM] = {
#define FORM(name, stages, flags, parts) FORM_TEXT(name),
#include "core/forms.def"
#undef FORM
};
#undef if_
#undef assert_

const char *stage_name(Stage s)
{
	switch (s) {
	case STAGE_SOAC: return "soac";
	case STAGE_DEVICE: return "device";
	case STAGE_LOOP: return "loop";
	case STAGE_MEM: return "mem";
	}
	bug("no such stage: %d", (int)s);
}

#define WITH_SOACS (STAGE_SOAC | STAGE_DEVICE)
#define PURE FORM_PURE
#define ALIAS FORM_ALIAS
#define FRESH FORM_FRESH
#define NEST FORM_NEST
#define SOAC FORM_SOAC
#define EFFECT FORM_EFFECT
const uint8_t form_flags[N_FORM] = {
#define FORM(name, stages, flags, parts) flags,
#include "core/forms.def"
#undef FORM
};
static const uint8_t form_stages[N_FORM] = {
#define FORM(name, stages, flags, parts) stages,
#include "core/forms.def"
#undef FORM
};
#undef PURE
#undef ALIAS
#undef FRESH
#undef NEST
#undef SOAC
#undef EFFECT

const bool exp_is_small[N_FORM] = {
#define FORM(name, stages, flags, parts) \
	offsetof(Exp, name) + sizeof ((Exp *)NULL)->name <= SMALL_EXP,
#include "core/forms.def"
#undef FORM
};

bool form_allowed(Form f, Stage s)
{
	return (form_stages[f] & s) != 0;
}

// ---- Variables ----

// The table lives outside the arena, since a released mark must not take it along.
// Variable 0 is reserved: it means "no certificate" and is never bound.
VarInfo *vars;
uint32_t n_vars;
static uint32_t cap_vars;

static void grow_to(uint32_t n)
{
	uint32_t cap = cap_vars ? cap_vars : 256;
	while (cap < n)
		cap = cap > UINT32_MAX / 2 ? UINT32_MAX : cap * 2;
	vars = table_grow(vars, (size_t)n_vars * sizeof *vars, (size_t)cap * sizeof *vars);
	cap_vars = cap;
}

void vars_reserve(uint32_t n)
{
	if (n == 0)
		n = 1;
	if (n > cap_vars)
		grow_to(n);
	if (n > n_vars) {
		memset(vars + n_vars, 0, (size_t)(n - n_vars) * sizeof *vars);
		n_vars = n;
	}
}

Var var_new(Name hint, Type t)
{
	uint32_t id = n_vars ? n_vars : 1;
	if (id >= cap_vars)
		grow_to(id + 1);
	n_vars = id + 1;
	vars[id] = (VarInfo){hint ? hint : name_of("t"), t};
	return (Var){id};
}

Var var_i64(const char *hint)
{
	return var_new(name_of(hint), type_scalar(PT_I64));
}

Vars vars_new(const char *hint, Types ts)
{
	Vars out = {NEW_ARRAY(Var, ts.len + 1), ts.len};
	for (int i = 0; i < ts.len; i++)
		out.at[i] = var_new(name_of(hint), type_plain(ts.at[i]));
	return out;
}

void vars_reset(uint32_t n)
{
	if (n < n_vars)
		n_vars = n;
}

// ---- Types ----

Type type_array(PrimType t, Subs dims)
{
	return (Type){.kind = T_DATA, .elem = t, .dims = dims};
}

Type type_cert(void)
{
	return (Type){.kind = T_CERT};
}

Type type_mem(PrimType elem)
{
	return (Type){.kind = T_MEM, .elem = elem};
}

Type type_row(Type t)
{
	return t.kind == T_ACC ? t : type_drop(t, 1);
}

Type type_of_rows(Sub n, Type t)
{
	if (t.kind == T_ACC)
		return t;
	if (t.kind != T_DATA)
		bug("an array of %s", show_core_type(t));
	Subs dims = {NEW_ARRAY(Sub, t.dims.len + 1), t.dims.len + 1};
	dims.at[0] = n;
	for (int i = 0; i < t.dims.len; i++)
		dims.at[i + 1] = t.dims.at[i];
	return type_array(t.elem, dims);
}

Type type_drop(Type t, int n)
{
	if (t.kind != T_DATA || t.dims.len < n)
		bug("dropping %d dimensions of %s", n, show_core_type(t));
	if (n == 0)
		return t;
	int len = t.dims.len - n;
	return type_array(t.elem, (Subs){len ? t.dims.at + n : NULL, len});
}

// ---- Operands ----

bool is_int_const(Sub s, int64_t i)
{
	return s.kind == S_CONST && is_int(s.val.type) &&
	       scalar_eq_bits(s.val, scalar_int(s.val.type, i));
}

bool mem_eq(const MemLoc *a, const MemLoc *b)
{
	return a->block.id == b->block.id && sub_eq(a->offset, b->offset) &&
	       subs_eq(a->strides, b->strides);
}

Subs subs_of(int n, ...)
{
	Subs s = {n ? NEW_ARRAY(Sub, n) : NULL, n};
	va_list ap;
	va_start(ap, n);
	for EACH(Sub, p, s)
		*p = va_arg(ap, Sub);
	va_end(ap);
	return s;
}

Subs subs_cat(Subs a, Subs b)
{
	if (!a.len)
		return b;
	if (!b.len)
		return a;
	Subs s = {NEW_ARRAY(Sub, a.len + b.len), a.len + b.len};
	memcpy(s.at, a.at, (size_t)a.len * sizeof(Sub));
	memcpy(s.at + a.len, b.at, (size_t)b.len * sizeof(Sub));
	return s;
}

Vars vars_cat(Vars a, Vars b)
{
	Vars out = {NEW_ARRAY(Var, a.len + b.len), a.len + b.len};
	if (a.len)
		memcpy(out.at, a.at, (size_t)a.len * sizeof(Var));
	if (b.len)
		memcpy(out.at + a.len, b.at, (size_t)b.len * sizeof(Var));
	return out;
}

Subs subs_of_vars(Vars vs)
{
	Subs out = {NEW_ARRAY(Sub, vs.len), vs.len};
	for (int i = 0; i < vs.len; i++)
		out.at[i] = sub_var(vs.at[i]);
	return out;
}

Vars vars_part(Vars s, int from, int n)
{
	return (Vars){n ? s.at + from : NULL, n};
}

Subs subs_where(Subs s, const bool *holds)
{
	Subs out = {NEW_ARRAY(Sub, s.len + 1), 0};
	for (int i = 0; i < s.len; i++)
		if (holds[i])
			out.at[out.len++] = s.at[i];
	return out;
}

Vars vars_where(Vars vs, const bool *holds)
{
	Vars out = {NEW_ARRAY(Var, vs.len + 1), 0};
	for (int i = 0; i < vs.len; i++)
		if (holds[i])
			out.at[out.len++] = vs.at[i];
	return out;
}

Subs subs_part(Subs s, int from, int n)
{
	return (Subs){n ? s.at + from : NULL, n};
}

bool subs_eq(Subs a, Subs b)
{
	if (a.len != b.len)
		return false;
	for (int i = 0; i < a.len; i++)
		if (!sub_eq(a.at[i], b.at[i]))
			return false;
	return true;
}

Types types_of_vars(Vars v)
{
	Types ts = {v.len ? NEW_ARRAY(Type, v.len) : NULL, v.len};
	for (int i = 0; i < v.len; i++)
		ts.at[i] = vars[v.at[i].id].type;
	return ts;
}

Types types_of_subs(Subs s)
{
	Types ts = {s.len ? NEW_ARRAY(Type, s.len) : NULL, s.len};
	for (int i = 0; i < s.len; i++)
		ts.at[i] = sub_type(s.at[i]);
	return ts;
}

Types types_plain(Types ts)
{
	Types out = SLICE_DUP(Types, ts);
	for EACH(Type, t, out)
		t->unique = false;
	return out;
}

int subs_find(Subs xs, Sub x)
{
	for (int i = 0; i < xs.len; i++)
		if (sub_eq(xs.at[i], x))
			return i;
	return -1;
}

int vars_find(Vars vs, Sub x)
{
	for (int i = 0; x.kind == S_VAR && i < vs.len; i++)
		if (vs.at[i].id == x.var.id)
			return i;
	return -1;
}

bool vars_any_in(Vars vs, const Map *set)
{
	for EACH(Var, v, vs)
		if (map_has(set, var_key(*v)))
			return true;
	return false;
}

void vars_put(Map *to, Vars vs, const void *val)
{
	for EACH(Var, v, vs)
		map_put(to, var_key(*v), (void *)val);
}

bool vars_are_scalars(Vars vs)
{
	for EACH(Var, v, vs)
		if (!type_is_scalar(vars[v->id].type))
			return false;
	return true;
}

bool vars_have_acc(Vars vs)
{
	for EACH(Var, v, vs)
		if (vars[v->id].type.kind == T_ACC)
			return true;
	return false;
}

bool vars_have_sizes(Vars vs)
{
	for EACH(Var, v, vs)
		for EACH(Sub, d, vars[v->id].type.dims)
			if (vars_find(vs, *d) >= 0)
				return true;
	return false;
}

Vars vars_like(Vars of)
{
	Vars out = SLICE_DUP(Vars, of);
	for EACH(Var, v, out)
		*v = var_new(vars[v->id].hint, vars[v->id].type);
	return out;
}

Vars vars_united(Vars a, Vars b)
{
	Vars out = {NEW_ARRAY(Var, a.len + b.len + 1), 0};
	for EACH(Var, x, a)
		out.at[out.len++] = *x;
	for EACH(Var, x, b)
		if (vars_find(a, sub_var(*x)) < 0)
			out.at[out.len++] = *x;
	return out;
}

Vars vars_of(int n, ...)
{
	Vars s = {n ? NEW_ARRAY(Var, n) : NULL, n};
	va_list ap;
	va_start(ap, n);
	for EACH(Var, p, s)
		*p = va_arg(ap, Var);
	va_end(ap);
	return s;
}

// ---- Questions about expressions ----

bool traces_made;

typedef struct { bool found; Map seen; } Effects;

static void look_for_trace(Visit *v, Body *b)
{
	Effects *e = v->ctx;
	for EACH(Stm, s, b->stms) {
		if (e->found)
			return;
		if (s->exp->form == E_trace)
			e->found = true;
		else if (form_has(s->exp->form, FORM_NEST) || s->exp->form == E_call)
			exp_visit(s->exp, v);
	}
}

static void look_into_callee(Visit *v, Fun **f)
{
	Effects *e = v->ctx;
	if (e->found || map_has(&e->seen, *f))
		return;
	map_put(&e->seen, *f, *f);
	look_for_trace(v, &(*f)->body);
}

// An assertion stands for itself; for those inside of bodies see exp_has_checks, and dce, which
// knows whether they must stay.
bool exp_has_effect(const Exp *e)
{
	if (form_has(e->form, FORM_EFFECT))
		return true;
	if (!form_has(e->form, FORM_NEST) && e->form != E_call)
		return false;
	if (!traces_made)
		return false;
	Effects found = {0};
	Visit v = {.body = look_for_trace, .fun = look_into_callee, .ctx = &found};
	exp_walk(e, &v);
	return found.found;
}

bool exp_has_checks(const Exp *e)
{
	return exp_find(e, stm_is_assert);
}

bool body_has_checks(const Body *b)
{
	for EACH(Stm, s, b->stms)
		if (stm_is_assert(s) || exp_has_checks(s->exp))
			return true;
	return false;
}

static int n_screma_results(const Exp *e)
{
	return e->screma.map->ret.len;
}

static int n_dests(HistOps ops)
{
	int n = 0;
	for EACH(HistOp, op, ops)
		n += op->dests.len;
	return n;
}

static int n_withacc_results(const Exp *e)
{
	int n = e->withacc.fn->ret.len - e->withacc.inputs.len;
	for EACH(AccInput, in, e->withacc.inputs)
		n += in->arrs.len;
	return n;
}

int n_reduced(Reductions rs)
{
	int n = 0;
	for EACH(Reduction, r, rs)
		n += r->ne.len;
	return n;
}

int n_folded(const Exp *e)
{
	return n_reduced(e->screma.scans) + n_reduced(e->screma.reds);
}

int n_acc_arrays(const Exp *e)
{
	int n = 0;
	for EACH(AccInput, in, e->withacc.inputs)
		n += in->arrs.len;
	return n;
}

int stm_index(const Body *b, Sub x)
{
	for (int i = 0; x.kind == S_VAR && i < b->stms.len; i++)
		if (vars_find(b->stms.at[i].pat, x) >= 0)
			return i;
	return -1;
}

const Stm *stm_in(const Body *b, Sub x)
{
	int i = stm_index(b, x);
	return i < 0 ? NULL : &b->stms.at[i];
}

const Exp *def_in(const Body *b, Sub x)
{
	for EACH(Stm, s, b->stms)
		if (x.kind == S_VAR && s->pat.len == 1 && s->pat.at[0].id == x.var.id)
			return s->exp;
	return NULL;
}

Slices slices_at(Subs idx, Subs rest)
{
	int n = idx.len + rest.len;
	Slices at = {NEW_ARRAY(DimSlice, n), n};
	for (int d = 0; d < n; d++)
		at.at[d] = d < idx.len ? dim_at(idx.at[d]) : dim_whole(rest.at[d - idx.len]);
	return at;
}

Slices slices_rows(Type t, Sub from, Sub n)
{
	Slices at = slices_at((Subs){0}, t.dims);
	at.at[0].start = from;
	at.at[0].len = n;
	return at;
}

Slices slices_and(Slices at, DimSlice last)
{
	Slices out = {NEW_ARRAY(DimSlice, at.len + 1), at.len + 1};
	for (int i = 0; i < at.len; i++)
		out.at[i] = at.at[i];
	out.at[at.len] = last;
	return out;
}

bool is_element(Slices at)
{
	for EACH(DimSlice, d, at)
		if (!d->fixed)
			return false;
	return true;
}

Subs slice_starts(Slices at)
{
	Subs out = {NEW_ARRAY(Sub, at.len), at.len};
	for (int d = 0; d < at.len; d++)
		out.at[d] = at.at[d].start;
	return out;
}

Subs slice_dims(Slices at)
{
	Subs dims = {NEW_ARRAY(Sub, at.len), 0};
	for EACH(DimSlice, d, at)
		if (!d->fixed)
			dims.at[dims.len++] = d->len;
	return dims;
}

bool is_whole_dim(DimSlice d, Sub size)
{
	return !d.fixed && sub_eq(d.start, sub_i64(0)) && sub_eq(d.step, sub_i64(1)) &&
	       sub_eq(d.len, size);
}

bool is_whole_slice(Slices at, Subs dims)
{
	for (int i = 0; i < at.len; i++)
		if (!is_whole_dim(at.at[i], dims.at[i]))
			return false;
	return true;
}

uint64_t hash_words(const uint64_t *w, int n)
{
	uint64_t h = 0x9E3779B97F4A7C15u;
	for (int i = 0; i < n; i++)
		h = hash_mix(h, w[i]);
	return h;
}

Span users_place(const Where *w)
{
	for (; w && w->up; w = w->up) {
		const Source *file = source_of(w->span.lo);
		if (file && strncmp(file->name, "/prelude/", 9) != 0)
			break;
	}
	return w ? w->span : NOWHERE;
}

int exp_n_results(const Exp *e)
{
	switch (e->form) {
	case E_atom: case E_prim: case E_convert: case E_index: case E_slice: case E_update:
	case E_concat: case E_iota: case E_replicate: case E_scratch: case E_reshape:
	case E_rearrange: case E_copy: case E_array: case E_upd_acc: case E_assert_: case E_alloc:
		return 1;
	case E_if_:      return e->if_.yes.res.len;
	case E_match:    return e->match.other.res.len;
	case E_loop:     return e->loop.params.len;
	case E_call:     return e->call.fn->res.len;
	case E_screma:   return n_screma_results(e);
	case E_hist:     return n_dests(e->hist.ops);
	case E_scatter:  return e->scatter.dests.len;
	case E_flatmap:  return e->flatmap.map->ret.len + 1;
	case E_withacc:  return n_withacc_results(e);
	case E_jvp:      return 2 * e->jvp.fn->ret.len;
	case E_vjp:      return e->vjp.fn->ret.len + e->vjp.args.len;
	case E_with_vjp: return e->with_vjp.fn->ret.len - e->with_vjp.n_tape;
	case E_trace:    return e->trace.xs.len;
	case E_opaque:   return e->opaque.xs.len;
	case E_release:  return 0;
	case N_FORM:     break;
	}
	bug("no such form: %d", (int)e->form);
}
