// The pass `one_thread`: turns sequential host code that accesses elements of device arrays into
// kernels of a single thread.
//
//     let (s: f64, d1: [n]f64) = loop (a: f64 = 0.0, p: *[n]f64 = d) for i: i64 < n do {
//       .. index p [i] .. update p [i] ..
//     }
// becomes
//     let (o: [1]f64) = scratch.f64 [1]
//     #[kernel] let (o1: [1]f64, d1: [n]f64) =
//         loop (r: *[1]f64 = o, q: *[n]f64 = d) for t: i64 < 1 do {
//       let (s0: f64, d0: [n]f64) = loop (a: f64 = 0.0, p: *[n]f64 = q) for i: i64 < n do {..}
//       let (r1: [1]f64) = update r [0] s0
//       in r1, d0
//     }
//     let (s: f64) = index o1 [0]
//
// Otherwise the host would wait for the device at every element.  The same holds for straight-line
// code that writes elements it has read.
//
// Note [Runs].  A run is a sequence of statements on scalars and array elements, and of branches
// and loops of these that contain no kernels.  The statements between the first and the last one
// that benefit are moved into the kernel; among them, pure host arithmetic that does not depend on
// the kernel stays before it.  Elements that are written later, to arrays that are not accessed in
// between, are written in the run that computes their values (one_thread_early.c, Note [Early]).
//
// Requires: no SOACs at host level.  Ensures: equal results.
#include "device/one_thread.h"
#include "opt/opt.h"
#include "device/consumed.h"

typedef struct {
	int *uses;                              // by variable: in the whole function
	uint32_t cap;
	Alias alias;
} Lone;

// ---- Where arrays are written to ----

// Variable -> the statement that binds it.
static Map definitions(Stms stms)
{
	Map defs = {0};
	for EACH(Stm, s, stms)
		vars_put(&defs, s->pat, s);
	return defs;
}

static const Stm *definition(const Map *defs, Var x, int *at)
{
	const Stm *s = map_get(defs, var_key(x));
	for (int k = 0; s && k < s->pat.len; k++)
		if (s->pat.at[k].id == x.id)
			*at = k;
	return s;
}

static bool base_of(const Map *defs, Sub x, Var *base);

// Likewise of a result of a body.
static bool base_of_result(const Body *b, int k, Var *base)
{
	Map defs = definitions(b->stms);
	return base_of(&defs, b->res.at[k], base);
}

static bool same_base(const Stm *s, int k, Var *base)
{
	const Exp *e = s->exp;
	Var other;
	if (!base_of_result(branch_at(e, 0), k, base))
		return false;
	for (int i = 1; i < n_branches(e); i++)
		if (!base_of_result(branch_at(e, i), k, &other) || other.id != base->id)
			return false;
	return true;
}

// The array from outside of the statements that x is, after updates in place.
static bool base_of(const Map *defs, Sub x, Var *base)
{
	if (x.kind != S_VAR)
		return false;
	int k = 0;
	const Stm *s = definition(defs, x.var, &k);
	if (!s) {
		*base = x.var;
		return true;
	}
	const Exp *e = s->exp;
	switch (e->form) {
	case E_update:
		return base_of(defs, e->update.arr, base);
	case E_if_: case E_match:
		return same_base(s, k, base) && base_of(defs, sub_var(*base), base);
	case E_loop:
		return vars[e->loop.params.at[k].id].type.unique &&
		       base_of_result(&e->loop.body, k, base) &&
		       base->id == e->loop.params.at[k].id &&
		       base_of(defs, e->loop.inits.at[k], base);
	default: // new, or a view of another
		return false;
	}
}

// ---- Runs ----

typedef enum {
	HOST,                                   // stays before the kernel
	PART,                                   // goes to the kernel if something else needs it
	SEED,                                   // a reason for a kernel
	END,                                    // ends the run
} Role;

typedef struct {
	Map device;                             // variables that come from the device or the kernel
	Role *roles;
	Stms stms;
} Run;

static bool sizes_depend_on(const Stm *s, const Map *vs)
{
	Map own = {0};
	vars_put(&own, s->pat, &own);
	return types_any(s->pat, is_one_of, (void *)vs) || types_any(s->pat, is_one_of, &own);
}

// Does what is written, or where, come from the device?
static bool writes_device(const Run *r, const Exp *e)
{
	Exp *without = exp_dup(e);
	without->update.arr = sub_i64(0);
	return exp_mentions(without, &r->device);
}

// Arrays that come out of branches are those that went in, updated.
static bool keeps_arrays(const Stm *s)
{
	Var base;
	if (s->exp->form != E_loop)
		for (int k = 0; k < s->pat.len; k++)
			if (type_is_array(vars[s->pat.at[k].id].type) && !same_base(s, k, &base))
				return false;
	return true;
}

// At most one element, and nothing else of the device.
static bool reads_one(const Body *b)
{
	int n = 0;
	for EACH(Stm, s, b->stms) {
		if (s->exp->form != E_index && s->exp->form != E_prim && s->exp->form != E_convert)
			return false;
		n += s->exp->form == E_index;
	}
	return n <= 1;
}

// A choice between elements that the host must know, as the size of an array: it waits once, with
// a kernel or without.
static bool is_for_host(const Run *r, const Stm *s)
{
	const Exp *e = s->exp;
	if (e->form != E_if_ || s->pat.len != 1 || !type_is_scalar(vars[s->pat.at[0].id].type) ||
	    !reads_one(&e->if_.yes) || !reads_one(&e->if_.no))
		return false;
	Map own = {0};
	map_put(&own, var_key(s->pat.at[0]), &own);
	for (const Stm *t = s + 1; t < r->stms.at + r->stms.len; t++) {
		Form f = t->exp->form;
		if ((f == E_slice || f == E_scratch || f == E_iota || f == E_replicate) &&
		    stm_mentions(t, &own))
			return true;
	}
	return false;
}

static Role role_of(const Run *r, const Stm *s)
{
	const Exp *e = s->exp;
	bool dep = stm_mentions(s, &r->device);
	if (!dep && is_for_host(r, s))
		return HOST;
	switch (e->form) {
	case E_index:
		return PART;
	case E_prim: case E_convert:
		return dep ? PART : HOST;
	case E_atom:
		return type_is_array(vars[s->pat.at[0].id].type) ? END : dep ? PART : HOST;
	case E_assert_:
		return dep ? PART : HOST;
	case E_scratch: case E_iota:
		return dep ? END : HOST;
	case E_replicate:
		return dep || type_is_array(sub_type(e->replicate.x)) ? END : HOST;
	case E_update:
		if (type_is_array(sub_type(e->update.val)))
			return END;
		return writes_device(r, e) ? SEED : PART;
	case E_if_: case E_match: case E_loop:
		return has_elements(s) && keeps_arrays(s) && !sizes_depend_on(s, &r->device) ? SEED
		                                                                             : END;
	default: // not for a thread
		return END;
	}
}

static void find_roles(Run *r, int from, int *end)
{
	*end = from;
	for (int i = from; i < r->stms.len; i++) {
		const Stm *s = &r->stms.at[i];
		r->roles[i] = role_of(r, s);
		if (r->roles[i] == END)
			return;
		if (r->roles[i] != HOST)
			vars_put(&r->device, s->pat, r);
		*end = i + 1;
	}
}

// ---- What goes to the kernel ----

// From the first statement that a seed needs to the last seed; all that depends on them in between
// goes along, and all writes, with what is read before of what they overwrite.  `in` says which.
static bool choose(Run *r, int from, int end, bool *in)
{
	int last = -1;
	Map needed = {0}, bound = {0}, written = {0};
	Visit need = {.sub = note_operand, .ctx = &needed};
	bool seeds = false;
	for (int i = from; i < end; i++)
		seeds |= r->roles[i] == SEED;
	for (int i = end; i-- > from;) {
		const Stm *s = &r->stms.at[i];
		const Exp *e = s->exp;
		bool wanted = r->roles[i] == SEED || (seeds && e->form == E_update);
		if (wanted && last < 0)
			last = i;
		for EACH(Var, x, s->pat)
			wanted |= r->roles[i] == PART && map_has(&needed, var_key(*x));
		wanted |= e->form == E_index && map_has(&written, var_key(e->index.arr.var));
		if (wanted && e->form == E_update)
			map_put(&written, var_key(e->update.arr.var), r);
		in[i] = wanted;
		if (wanted) {
			stm_walk(s, &need);
		}
	}
	bool begun = false;
	for (int i = from; i <= last; i++) {
		const Stm *s = &r->stms.at[i];
		in[i] |= stm_mentions(s, &bound) || (begun && s->exp->form == E_update);
		begun |= in[i];
		if (in[i])
			vars_put(&bound, s->pat, r);
	}
	return last >= 0;
}

// ---- The kernel ----

typedef struct {
	Stms stms;                              // what it does
	int *inside;                            // by variable: uses in there
	VarVec arrays;                          // that it updates, from outside
	VarVec latest;                          // ... what they are in the end
	VarVec gone;                            // arrays from outside that it consumes otherwise
	VarVec fresh;                           // arrays that it makes, of use outside
	VarVec scalars;                         // likewise
} Kernel;

static void count_use(Visit *v, Sub *s)
{
	int *uses = v->ctx;
	if (s->kind == S_VAR)
		uses[s->var.id]++;
}

static bool is_used_outside(const Lone *l, const Kernel *k, Var x)
{
	return x.id < l->cap && l->uses[x.id] > k->inside[x.id];
}

static void note_array(Kernel *k, Var base, Var x)
{
	for (int i = 0; i < k->arrays.len; i++)
		if (k->arrays.at[i].id == base.id) {
			k->latest.at[i] = x;
			return;
		}
	VEC_PUSH(&k->arrays, base);
	VEC_PUSH(&k->latest, x);
}

// A loop may begin with an array and end with another one; a branch may go on with a view of it.
static void note_gone(Kernel *k, Vars outside)
{
	Map consumed = consumed_among(k->stms, vars_cat(VEC_SLICE(Vars, k->latest), outside));
	for (int i = k->arrays.len; i-- > 0;)
		if (map_has(&consumed, var_key(k->latest.at[i]))) {
			k->arrays.at[i] = k->arrays.at[--k->arrays.len];
			k->latest.at[i] = k->latest.at[--k->latest.len];
		}
	Map kept = {0};
	vars_put(&kept, VEC_SLICE(Vars, k->arrays), &kept);
	for EACH(Var, x, outside)
		if (map_has(&consumed, var_key(*x)) && !map_has(&kept, var_key(*x)))
			VEC_PUSH(&k->gone, *x);
}

// Is an array that it updates also read by another name?
static bool reads_updated(Lone *l, const Kernel *k, Vars outside)
{
	Map updated = {0}; // class of arrays -> the one that is updated, if it is one
	static Var several;
	for EACH(Var, base, k->arrays) {
		const void *class = var_key((Var){alias_class(&l->alias, *base)});
		map_put(&updated, class, map_has(&updated, class) ? &several : base);
	}
	for EACH(Var, x, outside) {
		if (!type_is_array(vars[x->id].type))
			continue;
		const Var *base = map_get(&updated, var_key((Var){alias_class(&l->alias, *x)}));
		if (base && base->id != x->id)
			return true;
	}
	return false;
}

// False: a certificate is needed outside, or it cannot update in place.
static bool find_results(Lone *l, Kernel *k)
{
	Visit count = {.sub = count_use, .ctx = k->inside};
	Map defs = definitions(k->stms);
	for EACH(Stm, s, k->stms)
		stm_walk(s, &count);
	for EACH(Stm, s, k->stms)
		for EACH(Var, x, s->pat) {
			Type t = vars[x->id].type;
			Var base;
			if (t.kind == T_CERT) {
				if (is_used_outside(l, k, *x))
					return false;
			} else if (type_is_array(t)) {
				if (base_of(&defs, sub_var(*x), &base))
					note_array(k, base, *x);
				else if (is_used_outside(l, k, *x))
					VEC_PUSH(&k->fresh, *x);
			} else if (is_used_outside(l, k, *x)) {
				VEC_PUSH(&k->scalars, *x);
			}
		}
	Vars outside = free_in_body(&(Body){.stms = k->stms});
	note_gone(k, outside);
	return !reads_updated(l, k, outside);
}

typedef struct { VarVec params, pat; VEC(Sub) inits, next; } Carried;

static Sub carry(Carried *c, Var pat, Type t, Sub init)
{
	t.unique = true;
	Var p = var_new(vars[pat.id].hint, t);
	VEC_PUSH(&c->params, p);
	VEC_PUSH(&c->pat, pat);
	VEC_PUSH(&c->inits, init);
	return sub_var(p);
}

static void emit_kernel(Build *b, const Kernel *k)
{
	Carried c = {0};
	Map to = {0};
	VEC(Sub) res = {0};
	VarVec outs = {0};
	for (int i = 0; i < k->arrays.len; i++) {
		Var base = k->arrays.at[i];
		Type t = vars[k->latest.at[i].id].type;
		Sub p = carry(&c, k->latest.at[i], t, sub_var(base));
		map_put(&to, var_key(base), mem_dup(&p, sizeof p));
		VEC_PUSH(&res, sub_var(k->latest.at[i]));
	}
	for EACH(Var, x, k->fresh) {
		Type t = type_plain(vars[x->id].type);
		carry(&c, *x, t, b_scratch(b, "out", t));
		VEC_PUSH(&res, sub_var(*x));
	}
	for EACH(Var, x, k->scalars) {
		Type t = type_of_rows(sub_i64(1), vars[x->id].type);
		Var out = var_new(vars[x->id].hint, t);
		carry(&c, out, t, b_scratch(b, "out", t));
		VEC_PUSH(&outs, out);
		VEC_PUSH(&res, sub_var(*x));
	}
	b_open(b);
	for EACH(Var, x, k->gone) {
		Sub own = b_copy(b, sub_var(*x));
		map_put(&to, var_key(*x), mem_dup(&own, sizeof own));
	}
	Body body = {k->stms, VEC_SLICE(Subs, res)};
	body = body_subst(body_rename(body), &to);
	b_emit_all(b, body.stms);
	Slices first = slices_at(subs_of(1, sub_i64(0)), (Subs){0});
	for (int i = 0; i < res.len; i++) {
		Sub r = body.res.at[i], p = sub_var(c.params.at[i]);
		if (i >= k->arrays.len + k->fresh.len)
			r = b_update(b, p, first, r);
		else if (i >= k->arrays.len)
			r = b_update(b, p, slices_at((Subs){0}, sub_type(p).dims), r);
		VEC_PUSH(&c.next, r);
	}
	body = b_close(b, VEC_SLICE(Subs, c.next));
	b->attrs = attr_of(ATTR_KERNEL);
	b_stm(b, VEC_SLICE(Vars, c.pat), EXP(loop, .params = VEC_SLICE(Vars, c.params),
	                                     .inits = VEC_SLICE(Subs, c.inits),
	                                     .i = var_i64("thread"), .n = sub_i64(1),
	                                     .body = body));
	for (int i = 0; i < outs.len; i++)
		b_emit(b, (Stm){.pat = vars_of(1, k->scalars.at[i]), .where = b->where,
		                .exp = EXP(index, sub_var(outs.at[i]), subs_of(1, sub_i64(0)))});
}

// ---- Bodies ----

typedef struct { Lone l; Visit *v; Build b; } Emit;

static void emit_host(Emit *e, const Stm *old)
{
	Stm s = *old;
	Visit kernel = {.funs = e->v->funs, .copy = true};
	if (form_has(s.exp->form, FORM_NEST) || s.exp->form == E_call)
		s.exp = exp_visit(s.exp, is_device_loop(s.attrs) ? &kernel : e->v);
	b_emit(&e->b, s);
}

static bool emit_chosen(Emit *e, Run *r, int from, int end, const bool *in, int *last)
{
	StmVec stms = {0};
	for (int i = from; i < end; i++)
		if (in[i]) {
			VEC_PUSH(&stms, r->stms.at[i]);
			*last = i;
		}
	Kernel k = {.stms = VEC_SLICE(Stms, stms), .inside = NEW_TABLE(int, n_vars)};
	bool possible = find_results(&e->l, &k) && may_rewrite();
	table_free(k.inside);
	if (!possible)
		return false;
	for (int i = from; i < *last; i++)
		if (!in[i])
			emit_host(e, &r->stms.at[i]);
	e->b.where = r->stms.at[*last].where;
	emit_kernel(&e->b, &k);
	return true;
}

// Emits the statements from `from` on up to the end of a kernel, or of the run; gives the place
// after it.  A run is made shorter until no certificate is needed outside of the kernel.
static int emit_run(Emit *e, Run *r, int from)
{
	int end, last = from, n = r->stms.len;
	find_roles(r, from, &end);
	bool *in = NEW_ARRAY(bool, n);
	bool any = choose(r, from, end, in);
	int after = end < n ? end + 1 : n;
	for (; any; any = choose(r, from, end, in)) {
		if (emit_chosen(e, r, from, end, in, &last))
			return last + 1;
		end--;
		after = from + 1;
	}
	for (int i = from; i < after; i++)
		emit_host(e, &r->stms.at[i]);
	return after;
}

static void lone_body(Visit *v, Body *b)
{
	Emit e = {.l = *(Lone *)v->ctx, .v = v};
	Run r = {.stms = write_early(&e.l.alias, b->stms), .roles = NEW_ARRAY(Role, b->stms.len)};
	b_open(&e.b);
	for (int i = 0; i < b->stms.len;)
		i = emit_run(&e, &r, i);
	*b = b_close(&e.b, b->res);
}

// ---- Functions ----

Prog *one_thread(Prog *prog)
{
	Map kernels = called_by_kernels(prog), funs = {0};
	Lone l = {NEW_TABLE(int, n_vars), n_vars, alias_of(prog)};
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = lone_body, .funs = &funs, .copy = true, .ctx = &l};
	Visit count = {.sub = count_use, .ctx = l.uses};
	for (int i = 0; i < out->funs.len; i++) {
		Fun *f = out->funs.at[i];
		fun_visit(&f, &count); // a walk
		if (map_has(&kernels, prog->funs.at[i]) || has_attr(f->attrs, ATTR_OPERATOR))
			fun_new_callees(f, &funs);
		else
			fun_rewrite(f, &v);
	}
	table_free(l.uses);
	return out;
}
