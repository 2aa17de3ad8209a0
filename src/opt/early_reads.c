// The pass `early_reads`: moves reads of rows before updates of other rows, so that combinators
// over these rows can be fused.
//
//     let (b: [n][m]f64) = update a [i, 0:m:1] x         let (s: [m]f64) = slice a [j, 0:m:1]
//     let (s: [m]f64) = slice b [j, 0:m:1]          ->   let (y: [m]f64) = screma m (s, z) ..
//     let (y: [m]f64) = screma m (s, z) ..               let (b: [n][m]f64) = update a [i, 0:m:1] x
//     let (c: [n][m]f64) = update b [j, 0:m:1] y         let (c: [n][m]f64) = update b [j, 0:m:1] y
//
// Here i and j are different constants, or proved to differ (with several indices, one pair must
// be).  A read of a row that was just written is replaced by the value, if that is a view or a
// fill, and an update that is overwritten by another is dropped:
//
//     let (b: [n][m]f64) = update a [i, 0:m:1] x
//     let (s: [m]f64) = slice b [i, 0:m:1]          ->   let (s: [m]f64) = x
//     let (c: [n][m]f64) = update b [i, 0:m:1] y         let (c: [n][m]f64) = update a [i, 0:m:1] y
//
// Reverse mode generates long chains of such statements: adjoints of rows that are updated one
// after another.  Elements are treated like rows: the adjoint of an update is read and becomes
// zero, and what the update was computed from is added to it after others were read.
//
// An update that a read has moved past is delayed until the first statement that needs its result.
// Views of the old array are then rebuilt from the new one where they have not changed.
//
// Requires nothing.  Ensures nothing that other passes rely on.
#include "opt/alias.h"
#include "opt/opt.h"
#include "opt/range.h"

// `before`: of the same array.  It waits to be emitted, or is gone since another overwrites it.
typedef struct Update Update;
struct Update { const Stm *s; Update *before; bool waits, dead, waiting, gone; };
// What takes the place of a read: of an array before the updates `first` to `last`, if there are
// any.
typedef struct { Exp *exp; Update *first, *last; } Instead;

typedef struct {
	Alias alias;
	Map to;                         // variable -> Sub *, what it is from now on
	Map funs;
	Map exps;                       // variable -> what gives it
	Range range;
} EarlyReads;

// What a variable was renamed to before.
typedef struct { Var x; const Sub *to; } Before;

typedef struct {
	EarlyReads *pass;
	VEC(Before) before;
	Map defs;                       // variable -> Stm *, of the body
	Map eaten;                      // classes that statements of the body consume
	Map known;                    // results that were only updated and read by rows -> Update *
	Update **updates;               // by statement, NULL: is none
	Instead *instead;               // by statement
	VEC(Update *) waiting;
	Map made_by;                    // variable -> Update *, that waited
	StmVec views, out;              // views: of arrays that what waits will consume
	Map is_view;                    // their variables
} Rows;

// ---- Regions ----

typedef enum { APART, INSIDE, UNCLEAR } Relation;   // of a read to what was written

enum { MOST_UPDATES = 16 };             // that a read is moved past

// Are two indices different numbers?
static bool differ(EarlyReads *p, Sub x, Sub y)
{
	if (sub_eq(x, y) || (x.kind == S_CONST && y.kind == S_CONST))
		return !sub_eq(x, y);
	return range_apart(&p->range, x, y);
}

// Was all that is read written?  Or all that was written first by what was written then.
static bool covers(Slices written, Slices read, Subs dims)
{
	for (int i = 0; i < written.len; i++) {
		DimSlice w = written.at[i], r = read.at[i];
		if (w.fixed ? !r.fixed || !sub_eq(w.start, r.start) : !is_whole_dim(w, dims.at[i]))
			return false;
	}
	return true;
}

static Relation relation(EarlyReads *p, Slices written, Slices read, Subs dims)
{
	if (covers(written, read, dims))
		return INSIDE;
	for (int i = 0; i < written.len; i++) {
		DimSlice w = written.at[i], r = read.at[i];
		if (w.fixed && r.fixed && differ(p, w.start, r.start))
			return APART;
	}
	return UNCLEAR;
}

static Relation relation_to(EarlyReads *p, const Update *u, Slices read)
{
	const Exp *e = u->s->exp;
	return relation(p, e->update.at, read, sub_type(e->update.arr).dims);
}

// A read of an element or a slice.
static bool is_read(const Exp *e)
{
	return e->form == E_slice || e->form == E_index;
}

static Sub read_array(const Exp *e)
{
	return e->form == E_slice ? e->slice.arr : e->index.arr;
}

static Slices read_at(const Exp *e)
{
	return e->form == E_slice ? e->slice.at : slices_at(e->index.idx, (Subs){0});
}

static Exp *read_of(Sub arr, Slices at)
{
	return is_element(at) ? EXP(index, arr, slice_starts(at)) : EXP(slice, arr, at);
}

// ---- What is known of indices ----

static const Exp *def_of(void *ctx, Sub s)
{
	const EarlyReads *p = ctx;
	return s.kind == S_VAR ? map_get(&p->exps, var_key(s.var)) : NULL;
}

static void note_sizes(EarlyReads *p, Vars arrays, Vars certs)
{
	for EACH(Var, x, arrays)
		if (vars[x->id].type.kind == T_DATA)
			for EACH(Sub, d, vars[x->id].type.dims)
				range_size(&p->range, *d, LARGEST_SIZE, certs);
}

static void note_stm(EarlyReads *p, const Stm *s)
{
	if (s->pat.len == 1)
		map_put(&p->exps, var_key(s->pat.at[0]), s->exp);
	note_sizes(p, s->pat, s->certs);
}

// What is known inside of a statement, until it is released.
static int enter(EarlyReads *p, const Exp *e)
{
	int facts = range_mark(&p->range);
	if (e->form == E_loop) {
		note_sizes(p, e->loop.params, (Vars){0});
		if (!e->loop.is_while)
			range_counter(&p->range, e->loop.i, e->loop.n);
	}
	if (e->form != E_screma)
		return facts;
	note_sizes(p, e->screma.map->params, (Vars){0});
	range_runs(&p->range, e->screma.n);
	for (int i = 0; i < e->screma.arrs.len; i++) {
		const Exp *of = def_of(p, e->screma.arrs.at[i]);
		if (of && of->form == E_iota)
			range_iota(&p->range, e->screma.map->params.at[i], of);
	}
	return facts;
}

// ---- What can be done ----

static Update *known(const Rows *r, Sub x)
{
	return x.kind == S_VAR ? map_get(&r->known, var_key(x.var)) : NULL;
}

static const void *class_key(Rows *r, Var v)
{
	return (const void *)(uintptr_t)(alias_class(&r->pass->alias, v) + 1);
}

static void note_body(Rows *r, const Body *b)
{
	for EACH(Stm, s, b->stms) {
		SubVec eaten = {0};
		stm_consumed(s, &eaten);
		for EACH(Sub, x, eaten)
			if (x->kind == S_VAR)
				map_put(&r->eaten, class_key(r, x->var), r);
		vars_put(&r->defs, s->pat, s);
	}
}

// Is the value there anyway, for as long as the body runs?
static bool is_at_hand(Rows *r, Sub x)
{
	if (!type_is_array(sub_type(x)))
		return true;
	const Stm *def = map_get(&r->defs, var_key(x.var));
	Form f = def ? def->exp->form : E_slice;
	return (f == E_slice || f == E_reshape || f == E_rearrange || f == E_atom ||
	        f == E_replicate) &&
	       !map_has(&r->eaten, class_key(r, x.var));
}

// The part of the value that is read; it was written at fixed places and whole dimensions.
static Exp *part_of_value(const Exp *update, Slices read)
{
	Sub val = update->update.val;
	Slices at = {NEW_ARRAY(DimSlice, read.len + 1), 0};
	bool whole = true;
	for (int i = 0; i < read.len; i++)
		if (!update->update.at.at[i].fixed) {
			whole &= is_whole_dim(read.at[i], sub_type(val).dims.at[at.len]);
			at.at[at.len++] = read.at[i];
		}
	return whole ? EXP(atom, val) : read_of(val, at);
}

// False if the array has to be as it is.
static bool resolve(Rows *r, const Stm *s, Instead *out)
{
	Slices read = read_at(s->exp);
	Sub arr = read_array(s->exp);
	Update *u = known(r, arr), *first = NULL;
	for (int n = 0; u; first = u, arr = u->s->exp->update.arr, u = known(r, arr)) {
		if (n++ == MOST_UPDATES)
			return false;
		Relation rel = relation_to(r->pass, u, read);
		if (rel == APART)
			continue;
		if (rel == UNCLEAR || !is_at_hand(r, u->s->exp->update.val) || !may_rewrite())
			return false;
		out->exp = part_of_value(u->s->exp, read);
		return true;
	}
	if (!first || !may_rewrite())
		return false;
	for (u = known(r, read_array(s->exp)); u; u = known(r, u->s->exp->update.arr))
		u->waits = true;
	*out = (Instead){read_of(arr, read), first, known(r, read_array(s->exp))};
	return true;
}

static void forget_uses(Rows *r, const Stm *s)
{
	if (!r->known.len)
		return;
	Vars free = free_in_stm(s);
	for EACH(Var, f, free)
		if (map_has(&r->known, var_key(*f)))
			map_put(&r->known, var_key(*f), NULL);
}

static void look_at_update(Rows *r, int i, const Stm *s)
{
	const Exp *e = s->exp;
	if (known(r, e->update.val))
		map_put(&r->known, var_key(e->update.val.var), NULL);
	Update *u = known(r, e->update.arr);
	for (int n = 0; u && n < MOST_UPDATES; n++, u = known(r, u->s->exp->update.arr))
		if (covers(e->update.at, u->s->exp->update.at, sub_type(e->update.arr).dims)) {
			u->dead = true; // what it overwrites is already
			break;
		}
	r->updates[i] = NEW(Update, .s = s, .before = known(r, e->update.arr));
	map_put(&r->known, var_key(s->pat.at[0]), r->updates[i]);
}

static void look_at(Rows *r, const Body *b)
{
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		if (s->exp->form == E_update) {
			look_at_update(r, i, s);
			continue;
		}
		if (is_read(s->exp) && known(r, read_array(s->exp)) &&
		    resolve(r, s, &r->instead[i]))
			continue;
		SubVec eaten = {0};
		stm_consumed(s, &eaten);
		if (eaten.len)
			r->known = (Map){0};
		forget_uses(r, s);
	}
}

// ---- The new body ----

static void put(Rows *r, Stm s, Visit *v)
{
	int facts = enter(r->pass, s.exp);
	stm_visit(&s, v);
	range_release(&r->pass->range, facts);
	VEC_PUSH(&r->out, s);
}

// In this body: in another branch the array has not changed.
static void rename_to(Rows *r, Var x, Sub to)
{
	VEC_PUSH(&r->before, (Before){x, map_get(&r->pass->to, var_key(x))});
	map_put(&r->pass->to, var_key(x), mem_dup(&to, sizeof to));
}

static void forget_names(Rows *r)
{
	for (int i = r->before.len; i-- > 0;)
		map_put(&r->pass->to, var_key(r->before.at[i].x), (void *)r->before.at[i].to);
}

// What it is called by now: without updates that are gone.
static Sub name_of_array(const Rows *r, Sub x)
{
	const Sub *to = map_get(&r->pass->to, var_key(x.var));
	return to ? *to : x;
}

// What waits, and the views that are still good once more.
static void flush(Rows *r, Visit *v)
{
	if (!r->waiting.len)
		return;
	for EACH(Update *, u, r->waiting) {
		put(r, *(*u)->s, v);
		(*u)->waiting = false;
	}
	Subs of = {NEW_ARRAY(Sub, r->waiting.len), r->waiting.len};
	for (int i = 0; i < of.len; i++)
		of.at[i] = name_of_array(r, r->waiting.at[i]->s->exp->update.arr);
	Map last_of = {0};                      // variable -> Sub *, what its array is in the end
	for (int i = of.len; i-- > 0;) {
		const Stm *s = r->waiting.at[i]->s;
		Sub made = sub_var(s->pat.at[0]);
		const Sub *later = map_get(&last_of, var_key(made.var));
		const Sub *last = later ? later : mem_dup(&made, sizeof made);
		map_put(&last_of, var_key(of.at[i].var), (void *)last);
		rename_to(r, s->exp->update.arr.var, *last);
		rename_to(r, of.at[i].var, *last);
	}
	for EACH(Stm, s, r->views) {
		Stm again = *s;
		Var x = s->pat.at[0];
		again.pat = vars_of(1, var_new(vars[x.id].hint, vars[x.id].type));
		put(r, again, v);
		rename_to(r, x, sub_var(again.pat.at[0]));
	}
	r->waiting.len = r->views.len = 0;
	r->is_view = (Map){0};
}

static bool is_simple_view(Form f)
{
	return f == E_slice || f == E_reshape || f == E_rearrange || f == E_atom;
}

static bool mentions_waiting(const Rows *r, Vars free)
{
	for EACH(Var, f, free) {
		Sub name = name_of_array(r, sub_var(*f));
		const Update *u =
			name.kind == S_VAR ? map_get(&r->made_by, var_key(name.var)) : NULL;
		if (u && u->waiting)
			return true;
	}
	return false;
}

static void put_view(Rows *r, Stm s, Visit *v)
{
	VEC_PUSH(&r->views, s);
	map_put(&r->is_view, var_key(s.pat.at[0]), r);
	put(r, s, v);
}

static void put_other(Rows *r, const Stm *s, Visit *v)
{
	if (!r->waiting.len) {
		put(r, *s, v);
		return;
	}
	SubVec eaten = {0};
	stm_consumed(s, &eaten);
	Vars free = free_in_stm(s);
	bool view = vars_any_in(free, &r->is_view), simple = is_simple_view(s->exp->form);
	if (eaten.len || mentions_waiting(r, free) ||
	    (view && !simple && form_has(s->exp->form, FORM_ALIAS)))
		flush(r, v);
	else if (view && simple) {
		put_view(r, *s, v);
		return;
	}
	put(r, *s, v);
}

static void put_update(Rows *r, Update *u, Visit *v)
{
	const Exp *e = u->s->exp;
	if (u->dead && may_rewrite()) {
		rename_to(r, u->s->pat.at[0], name_of_array(r, e->update.arr));
		u->gone = true;
		return;
	}
	if (!u->waits) {
		put_other(r, u->s, v);
		return;
	}
	if (e->update.val.kind == S_VAR && map_has(&r->is_view, var_key(e->update.val.var)))
		flush(r, v);
	u->waiting = true;
	map_put(&r->made_by, var_key(u->s->pat.at[0]), u);
	VEC_PUSH(&r->waiting, u);
}

// Has none of the updates been made?
static bool is_there(const Instead *in)
{
	for (const Update *u = in->last; u; u = u == in->first ? NULL : u->before)
		if (!u->waiting && !u->gone)
			return false;
	return true;
}

static bool put_instead(Rows *r, const Stm *s, const Instead *in, Visit *v)
{
	if (!in->exp || !is_there(in))
		return false;
	Stm t = *s;
	t.exp = in->exp;
	if (in->first && type_is_array(vars[s->pat.at[0].id].type))
		put_view(r, t, v);
	else
		put(r, t, v);
	return true;
}

static void replace(Visit *v, Sub *s)
{
	const EarlyReads *p = ((Rows *)v->ctx)->pass;
	const Sub *to = s->kind == S_VAR ? map_get(&p->to, var_key(s->var)) : NULL;
	if (to)
		*s = *to;
}

// Is what an update gives read or updated again?
static bool has_chain(const Body *b, void *ctx)
{
	(void)ctx;
	Map updated = {0};
	for EACH(Stm, s, b->stms) {
		const Exp *e = s->exp;
		if (e->form != E_update && !is_read(e))
			continue;
		Sub arr = e->form == E_update ? e->update.arr : read_array(e);
		if (updated.len && arr.kind == S_VAR && map_has(&updated, var_key(arr.var)))
			return true;
		if (e->form == E_update)
			map_put(&updated, var_key(s->pat.at[0]), &updated);
	}
	return false;
}

// As nested_visit.
static void visit_inside(EarlyReads *p, Body *b, Visit *v)
{
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		if (!form_has(s->exp->form, FORM_NEST) && s->exp->form != E_call)
			continue;
		int facts = enter(p, s->exp);
		s->exp = exp_visit(s->exp, v);
		range_release(&p->range, facts);
	}
}

static void early_body(Visit *outer, Body *b)
{
	EarlyReads *p = ((Rows *)outer->ctx)->pass;
	for EACH(Stm, s, b->stms)
		note_stm(p, s);
	if (!p->to.len && !has_chain(b, NULL)) {
		visit_inside(p, b, outer);
		return;
	}
	Rows r = {.pass = p, .updates = NEW_ARRAY(Update *, b->stms.len + 1),
	          .instead = NEW_ARRAY(Instead, b->stms.len + 1)};
	Visit v = {.sub = replace, .body = early_body, .funs = &p->funs, .copy = true, .ctx = &r};
	note_body(&r, b);
	look_at(&r, b);
	for (int i = 0; i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		if (r.updates[i])
			put_update(&r, r.updates[i], &v);
		else if (!put_instead(&r, s, &r.instead[i], &v))
			put_other(&r, s, &v);
	}
	flush(&r, &v);
	b->stms = VEC_SLICE(Stms, r.out);
	b->res = SLICE_DUP(Subs, b->res);
	for EACH(Sub, x, b->res)
		replace(&v, x);
	forget_names(&r);
}

Prog *early_reads(Prog *prog)
{
	EarlyReads p = {.range = {.def = def_of}};
	p.range.ctx = &p;
	Prog *out = prog_copy(prog, &p.funs);
	Rows top = {.pass = &p};
	Visit v = {.sub = replace, .body = early_body, .funs = &p.funs, .copy = true, .ctx = &top};
	for EACH(Fun *, f, out->funs) {
		if (!fun_to_rewrite(*f, &p.funs, has_chain, NULL))
			continue;
		alias_fun(&p.alias, *f);
		p.to = (Map){0};
		fun_rewrite(*f, &v);
	}
	range_free(&p.range);
	return out;
}
