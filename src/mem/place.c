// The pass `place`: assigns memory to every array, from values (the loop stage) to the MEM stage.
//
//     let (xs: [n]f64) = iota.f64 n 0.0 1.0
//     let (ys: [n]f64) = update xs [i] 2.0
//     let (zs: [k]f64) = slice ys [j:k:1]
// becomes
//     let (m: mem.f64) = alloc.f64 n
//     let (xs: [n]f64 @ m + 0) = iota.f64 n 0.0 1.0
//     let (ys: [n]f64 @ m + 0) = update xs [i] 2.0
//     let (zs: [k]f64 @ m + j) = slice ys [j:k:1]
//
// Fresh arrays get a block of their own; views and updates get the memory of their operand.  For
// joins of control flow and function boundaries see place_control.c.  A concatenation or an array
// of arrays becomes a series of updates, each of which may later be computed in place.  Reshaping
// an array that is not contiguous copies it first.
//
// Requires: the form that `seq` ensures.  Ensures: the invariants in mem.h.  Arrays get new
// variables; the input program is not modified.
#include "mem/place.h"

#include "mem/layout.h"
#include "opt/opt.h"

// ---- Variables ----

Var place_array(Place *p, Var old, MemLoc at)
{
	Type t = vars[old.id].type;
	t.mem = mem_dup(&at, sizeof at);
	Var v = var_new(vars[old.id].hint, t);
	p->renamed[old.id] = v;
	return v;
}

Sub place_sub(Place *p, Sub s)
{
	if (s.kind != S_VAR || s.var.id >= p->n_old || !p->renamed[s.var.id].id)
		return s;
	return sub_var(p->renamed[s.var.id]);
}

static Subs place_subs(Place *p, Subs subs)
{
	Subs out = SLICE_DUP(Subs, subs);
	for EACH(Sub, s, out)
		*s = place_sub(p, *s);
	return out;
}

static void rename_sub(Visit *v, Sub *s)
{
	*s = place_sub(v->ctx, *s);
}

void place_bound(Place *p, Vars vs)
{
	for EACH(Var, v, vs)
		p->level[v->id] = p->depth;
}

// ---- Emitting ----

void place_emit(Place *p, const Stm *s, Vars pat, Exp *e)
{
	b_emit(&p->b, (Stm){.pat = pat, .exp = e, .certs = s->certs, .attrs = s->attrs,
	                    .where = s->where});
}

// Without the attributes of the statement.
static void emit_bare(Place *p, const Stm *s, Var v, Exp *e)
{
	b_emit(&p->b, (Stm){.pat = vars_of(1, v), .exp = e, .certs = s->certs, .where = s->where});
}

static bool are_sizes(const Place *p, Subs dims)
{
	for EACH(Sub, d, dims)
		if (d->kind == S_VAR && !map_has(&p->sizes, var_key(d->var)))
			return false;
	return true;
}

// A block for an array of this type.  Its size hangs on the statement's assertions, unless it is
// a size of something that there is already.
static MemLoc place_fresh(Place *p, const Stm *s, Type t)
{
	Sub n = count_of(&p->b, t.dims);
	Var m = var_new(name_of("mem"), type_mem(t.elem));
	Stm alloc = {.pat = vars_of(1, m), .where = s->where, .exp = EXP(alloc, t.elem, n, false)};
	if (!are_sizes(p, t.dims))
		alloc.certs = s->certs;
	if (s->exp && s->exp->form == E_scratch && has_attr(s->attrs, ATTR_LOCAL))
		alloc.attrs = attr_of(ATTR_LOCAL);
	if (s->exp && s->exp->form == E_scratch && has_attr(s->attrs, ATTR_TAPE))
		alloc.attrs = with_attr(alloc.attrs, ATTR_TAPE);
	b_emit(&p->b, alloc);
	return (MemLoc){m, sub_i64(0), {0}};
}

Sub place_copy(Place *p, const Stm *s, Sub arr)
{
	Type t = type_plain(sub_type(arr));
	t.mem = NULL;
	MemLoc at = place_fresh(p, s, t);
	t.mem = mem_dup(&at, sizeof at);
	Var v = var_new(name_of("copy"), t);
	emit_bare(p, s, v, EXP(copy, arr));
	return sub_var(v);
}

// The one array that the statement binds, at this place.
static void give(Place *p, const Stm *s, MemLoc at)
{
	place_emit(p, s, vars_of(1, place_array(p, s->pat.at[0], at)), s->exp);
}

// ---- Fresh arrays ----

static void place_new(Place *p, const Stm *s)
{
	give(p, s, place_fresh(p, s, vars[s->pat.at[0].id].type));
}

// All rows from `from` on, n of them; or row `from`.
static Slices rows(Type t, Sub from, bool one, Sub n)
{
	return one ? slices_at(subs_of(1, from), type_row(t).dims) : slices_rows(t, from, n);
}

// The parts one after the other, each an update of what there is so far.  The last one is what
// the statement binds.
static void place_parts(Place *p, const Stm *s, Subs parts, bool are_rows)
{
	Type t = vars[s->pat.at[0].id].type;
	MemLoc at = place_fresh(p, s, t);
	t.mem = mem_dup(&at, sizeof at);
	Exp *e = EXP(scratch, t.elem, t.dims);
	Sub done = sub_i64(0);
	for (int i = 0; i < parts.len; i++) {
		Var v = var_new(vars[s->pat.at[0].id].hint, t);
		emit_bare(p, s, v, e);
		Sub n = are_rows ? sub_i64(1) : sub_type(parts.at[i]).dims.at[0];
		Slices there = rows(t, done, are_rows, n);
		e = EXP(update, sub_var(v), there, parts.at[i]);
		done = b_add(&p->b, done, n);
	}
	place_emit(p, s, vars_of(1, place_array(p, s->pat.at[0], at)), e);
}

static void place_literal(Place *p, const Stm *s)
{
	if (s->exp->array.elem_type.dims.len)
		place_parts(p, s, s->exp->array.elems, true);
	else
		place_new(p, s);
}

// ---- Views ----

static void place_slice(Place *p, const Stm *s)
{
	if (!type_is_array(vars[s->pat.at[0].id].type))
		place_emit(p, s, s->pat, s->exp);
	else
		give(p, s, loc_slice(&p->b, sub_type(s->exp->slice.arr), s->exp->slice.at));
}

static void place_rearrange(Place *p, const Stm *s)
{
	const Exp *e = s->exp;
	give(p, s, loc_rearrange(&p->b, sub_type(e->rearrange.arr), e->rearrange.perm.at));
}

// A scalar becomes an array of one element, or the other way around.
static void reshape_scalar(Place *p, const Stm *s)
{
	const Exp *e = s->exp;
	Stm t = *s;
	if (type_is_array(vars[s->pat.at[0].id].type)) {
		t.exp = EXP(replicate, e->reshape.dims, e->reshape.arr);
		place_new(p, &t);
		return;
	}
	Type from = sub_type(e->reshape.arr);
	Subs idx = {NEW_ARRAY(Sub, from.dims.len), from.dims.len};
	for EACH(Sub, i, idx)
		*i = sub_i64(0);
	place_emit(p, s, s->pat, from.dims.len
	           ? EXP(index, e->reshape.arr, idx)
	           : EXP(atom, e->reshape.arr));
}

static void place_reshape(Place *p, const Stm *s)
{
	Sub arr = s->exp->reshape.arr;
	MemLoc at;
	if (!type_is_array(sub_type(arr)) || !type_is_array(vars[s->pat.at[0].id].type)) {
		reshape_scalar(p, s);
		return;
	}
	if (!loc_reshape(&p->b, sub_type(arr), s->exp->reshape.dims, &at)) {
		s->exp->reshape.arr = arr = place_copy(p, s, arr);
		at = *sub_type(arr).mem;
	}
	give(p, s, at);
}

// What binds operands again, wherever they lie.
static void place_passed(Place *p, const Stm *s, Subs xs)
{
	Vars pat = SLICE_DUP(Vars, s->pat);
	for (int i = 0; i < pat.len; i++)
		if (type_is_array(vars[pat.at[i].id].type))
			pat.at[i] = place_array(p, pat.at[i], *sub_type(xs.at[i]).mem);
	place_emit(p, s, pat, s->exp);
}

// ---- Statements and bodies ----

static void place_form(Place *p, const Stm *s)
{
	const Exp *e = s->exp;
	bool array = s->pat.len && type_is_array(vars[s->pat.at[0].id].type);
	switch (e->form) {
	case E_atom:      place_passed(p, s, subs_of(1, e->atom.x)); return;
	case E_update:    place_passed(p, s, subs_of(1, e->update.arr)); return;
	case E_trace:     place_passed(p, s, e->trace.xs); return;
	case E_opaque:    place_passed(p, s, e->opaque.xs); return;
	case E_slice:     place_slice(p, s); return;
	case E_reshape:   place_reshape(p, s); return;
	case E_rearrange: place_rearrange(p, s); return;
	case E_concat:    place_parts(p, s, e->concat.arrs, false); return;
	case E_array:     place_literal(p, s); return;
	case E_if_: case E_match: place_choice(p, s); return;
	case E_loop:      place_loop(p, s); return;
	case E_call:      place_call(p, s); return;
	case E_iota: case E_replicate: case E_scratch: case E_copy:
		if (array)
			place_new(p, s);
		else
			place_emit(p, s, s->pat, s->exp);
		return;
	case E_prim: case E_convert: case E_index: case E_assert_:
		place_emit(p, s, s->pat, s->exp);
		return;
	case E_screma: case E_hist: case E_scatter: case E_flatmap: case E_withacc: case E_upd_acc:
	case E_jvp: case E_vjp: case E_with_vjp: case E_alloc: case E_release: case N_FORM:
		break;
	}
	bug("no place for %s", form_name[e->form]);
}

static void place_stm(Place *p, const Stm *old)
{
	Stm s = *old;
	Visit v = {.sub = rename_sub, .flat = true, .copy = true, .share = true,
	           .ctx = p};
	s.exp = exp_visit(s.exp, &v);
	p->b.where = s.where;
	place_bound(p, s.pat);
	place_form(p, &s);
}

// The results are those of the body before, one by one; in memory where they are arrays.
Body place_body(Place *p, const Body *b, Subs *res)
{
	p->depth++;
	b_open(&p->b);
	for EACH(Stm, s, b->stms)
		place_stm(p, s);
	*res = place_subs(p, b->res);
	p->depth--;
	return b_close(&p->b, *res);
}

// ---- Programs ----

Prog *place(Prog *prog)
{
	uint32_t n = n_vars;
	Place p = {.n_old = n, .level = NEW_TABLE(int, n), .renamed = NEW_TABLE(Var, n),
	           .roots = {NEW_TABLE(uint32_t, n), NEW_TABLE(bool, n), NEW_TABLE(bool, n), {0}}};
	uint32_t *born = NEW_TABLE(uint32_t, n);
	Prog *out = prog_copy(prog, &p.funs);
	out->stage = STAGE_MEM;
	p.roots.given = find_given(p.roots, born, prog);
	for (int i = 0; i < prog->funs.len; i++) {
		const Fun *f = prog->funs.at[i];
		p.roots = roots_of_fun(p.roots, born, f);
		place_fun(&p, f, out->funs.at[i]);
	}
	table_free(born);
	table_free(p.renamed);
	table_free(p.level);
	table_free(p.roots.root);
	table_free(p.roots.view);
	table_free(p.roots.in_place);
	return out;
}
