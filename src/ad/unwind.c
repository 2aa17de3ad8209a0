// The pass `unwind`: turns linear recursion in functions to be differentiated in reverse mode into
// loops.
//
//     f (xs, n, x) = if n == 0 then b x             loop (go, k, n, x) while go       counts calls
//                    else let y = f (xs, n-1, c x)  loop (ns, cs, n, x) for j < k     keeps n, x
//                         in e xs n x y             y = b x
//                                                   loop y for j < k do e xs n x y    as kept
//
// The derivative of a recursive function re-executes each call once for each enclosing level of
// the recursion, unless it is linear in the results of its calls (vjp_both.c); loops store what
// they need.
//
// Requires: calls are inlined as far as possible, and the program is simplified.  Ensures: the
// same, with calls of some recursive functions replaced by loops.  A function qualifies if every
// path through its body contains at most one call of itself, and none in a loop or combinator.
// Each argument of that call must be the parameter itself, a scalar, an array whose sizes are
// parameters passed on unchanged, or a slice of the parameter, f xs[1:], which is represented by
// its offset in the original array.  Results are scalars, or arrays of such sizes.
//
// The body is copied twice: `step` runs up to the call and returns whether there is a call and its
// arguments; `finish` takes the result of the call as given.  The simplifier removes what a copy
// does not need.
#include "ad/vjp_loop.h"

typedef enum { ARG_SAME, ARG_VALUE, ARG_PART } ArgKind;
typedef struct { const Fun *fn; ArgKind *args; Body body; bool ok; int n_calls; } Recursion;

static struct { Map plans; Map funs; bool changed; } at_work; // Fun * -> Recursion *; old -> new

static Body unwind_body(Build *, const Body *, bool inside);

// ---- Questions ----

typedef struct { const Fun *fn; bool found; } Look;

static void look_at_fun(Visit *v, Fun **f)
{
	Look *l = v->ctx;
	l->found |= *f == l->fn;
}

static bool calls(const Stm *s, const Fun *fn)
{
	Look l = {fn, false};
	if (s->exp->form == E_call || form_has(s->exp->form, FORM_NEST))
		exp_visit(s->exp, &(Visit){.fun = look_at_fun, .ctx = &l});
	return l.found;
}

static bool body_calls(const Body *b, const Fun *fn)
{
	for EACH(Stm, s, b->stms)
		if (calls(s, fn))
			return true;
	return false;
}

// ---- Which functions ----

static bool note_call(Recursion *p, const Exp *e, const BodyPath *path)
{
	p->n_calls++;
	for (int i = 0; i < e->call.args.len; i++) {
		Sub param = sub_var(p->fn->params.at[i]), arg = e->call.args.at[i];
		if (sub_eq(arg, param))
			continue;
		bool part = sub_type(param).dims.len && is_part(def_on(path, arg), param);
		ArgKind kind = part ? ARG_PART : ARG_VALUE;
		if (p->args[i] != ARG_SAME && p->args[i] != kind)
			return false;
		p->args[i] = kind;
	}
	return true;
}

static bool note_calls(Recursion *p, const Body *body, const BodyPath *up)
{
	BodyPath path = {body, up};
	int n = 0;
	for EACH(Stm, s, body->stms) {
		const Exp *e = s->exp;
		if (!calls(s, p->fn))
			continue;
		if (n++)
			return false;
		if (e->form == E_call) {
			if (!note_call(p, e, &path))
				return false;
		} else if (!n_branches(e)) {
			return false;
		}
		for (int i = 0; i < n_branches(e); i++)
			if (!note_calls(p, branch_at(e, i), &path))
				return false;
	}
	return true;
}

// Sizes from dimension `from` on are constants, or arguments handed on unchanged.
static bool sizes_stay(const Recursion *p, Type t, int from)
{
	for (int d = from; d < t.dims.len; d++) {
		bool stays = t.dims.at[d].kind == S_CONST;
		for (int i = 0; i < p->fn->params.len; i++)
			stays |= p->args[i] == ARG_SAME &&
			         sub_eq(t.dims.at[d], sub_var(p->fn->params.at[i]));
		if (!stays)
			return false;
	}
	return true;
}

static bool qualifies(Recursion *p)
{
	const Fun *fn = p->fn;
	for EACH(Var, x, fn->params)
		if (vars[x->id].type.kind != T_DATA || vars[x->id].type.unique)
			return false;
	for EACH(Var, x, fn->res)
		if (vars[x->id].type.kind != T_DATA)
			return false;
	if (!note_calls(p, &p->body, NULL) || !p->n_calls)
		return false;
	for (int i = 0; i < fn->params.len; i++) {
		int from = p->args[i] == ARG_PART;
		if (p->args[i] != ARG_SAME && !sizes_stay(p, vars[fn->params.at[i].id].type, from))
			return false;
	}
	for EACH(Var, x, fn->res)
		if (!sizes_stay(p, vars[x->id].type, 0))
			return false;
	return true;
}

// The calls of other functions in the body are looked at first.
static const Recursion *plan_for(const Fun *fn)
{
	Recursion *p = map_get(&at_work.plans, fn);
	if (!p) {
		p = NEW(Recursion, .fn = fn, .body = fn->body);
		p->args = NEW_ARRAY(ArgKind, fn->params.len + 1);
		map_put(&at_work.plans, fn, p);
		Build b = {.where = fn->where};
		p->body = unwind_body(&b, &fn->body, true);
		p->ok = qualifies(p);
	}
	return p->ok ? p : NULL;
}

// ---- Copies of the body ----

// A call being replaced: what it is applied to, and one state for each argument that changes.
typedef struct { Build *b; const Recursion *p; Subs args; } Unwind;

static Type type_with(Map *names, Type t)
{
	t.unique = false;
	for (int d = 0; d < t.dims.len; d++) {
		bool named = t.dims.at[d].kind == S_VAR;
		const Sub *to = named ? map_get(names, var_key(t.dims.at[d].var)) : NULL;
		if (d == 0)
			t.dims = SLICE_DUP(Subs, t.dims);
		if (to)
			t.dims.at[d] = *to;
	}
	return t;
}

// The parameters as the states say; in `parts`, for each that is a part, the part.
static Map parameters(const Unwind *u, Subs states, Sub *parts)
{
	Map names = {0};
	int at = 0;
	for (int i = 0; i < u->args.len; i++) {
		Var x = u->p->fn->params.at[i];
		Sub is = u->p->args[i] == ARG_SAME ? u->args.at[i] : states.at[at++];
		if (u->p->args[i] == ARG_PART) {
			Type t = type_with(&names, vars[x.id].type);
			is = parts[i] =
				b_slice(u->b, u->args.at[i], slices_rows(t, is, t.dims.at[0]));
		}
		subst_put(&names, x, is);
	}
	return names;
}

// Renamed first: a substitution changes the types of binders where they stand.
static Body copy_with(Body body, Map *names)
{
	return body_subst(body_rename(body), names);
}

static Subs stays(Subs states)
{
	return subs_cat(subs_of(1, sub_bool(false)), states);
}

static Subs next_states(const Unwind *u, const Exp *call, const BodyPath *path, Subs states,
                        const Sub *parts)
{
	Subs out = {NEW_ARRAY(Sub, states.len + 1), 0};
	for (int i = 0; i < u->args.len; i++) {
		Sub arg = call->call.args.at[i];
		if (u->p->args[i] == ARG_SAME)
			continue;
		if (u->p->args[i] == ARG_PART) {
			const Exp *e = sub_eq(arg, parts[i]) ? NULL : def_on(path, arg);
			arg = states.at[out.len];
			if (e)
				arg = b_add(u->b, arg, e->slice.at.at[0].start);
		}
		out.at[out.len++] = arg;
	}
	return subs_cat(subs_of(1, sub_bool(true)), out);
}

static Subs step_in(const Unwind *, const Body *, const BodyPath *up, Subs, const Sub *parts);

static Body step_branch(const Unwind *u, const Body *body, const BodyPath *up, Subs states,
                        const Sub *parts)
{
	b_open(u->b);
	return b_close(u->b, step_in(u, body, up, states, parts));
}

// The statements as far as the call: whether there is one, and the states of it.
static Subs step_in(const Unwind *u, const Body *body, const BodyPath *up, Subs states,
                    const Sub *parts)
{
	BodyPath path = {body, up};
	if (!body_calls(body, u->p->fn))
		return stays(states);
	for EACH(Stm, s, body->stms) {
		if (!calls(s, u->p->fn)) {
			b_emit(u->b, *s);
			continue;
		}
		if (s->exp->form == E_call)
			return next_states(u, s->exp, &path, states, parts);
		Exp *e = choice_copy(s->exp);
		for (int i = 0; i < n_branches(e); i++)
			*branch_at(e, i) = step_branch(u, branch_at(e, i), &path, states, parts);
		Types ts = {NEW_ARRAY(Type, states.len + 1), 0};
		ts.at[ts.len++] = type_scalar(PT_BOOL);
		for EACH(Sub, x, states)
			ts.at[ts.len++] = sub_type(*x);
		Vars certs = u->b->certs;
		u->b->certs = s->certs;
		Subs out = b_lets(u->b, "next", ts, e);
		u->b->certs = certs;
		return out;
	}
	bug("a call that is not there");
}

static Subs step(const Unwind *u, Subs states)
{
	Sub *parts = NEW_ARRAY(Sub, u->args.len + 1);
	Map names = parameters(u, states, parts);
	Body body = copy_with(u->p->body, &names);
	return step_in(u, &body, NULL, states, parts);
}

typedef struct { const Fun *fn; Subs results; Map *names; } Given;

static void without_calls(Visit *v, Body *body)
{
	const Given *g = v->ctx;
	VEC(Stm) left = {0};
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		if (t.exp->form == E_call && t.exp->call.fn == g->fn) {
			for (int i = 0; i < t.pat.len; i++)
				subst_put(g->names, t.pat.at[i], g->results.at[i]);
			continue;
		}
		if (form_has(t.exp->form, FORM_NEST))
			t.exp = exp_visit(t.exp, v);
		VEC_PUSH(&left, t);
	}
	body->stms = VEC_SLICE(Stms, left);
}

static Subs finish(const Unwind *u, Subs states, Subs results)
{
	Sub *parts = NEW_ARRAY(Sub, u->args.len + 1);
	Map names = parameters(u, states, parts);
	Given g = {u->p->fn, results, &names};
	Body body = u->p->body;
	without_calls(&(Visit){.body = without_calls, .copy = true, .ctx = &g}, &body);
	body = copy_with(body, &names);
	b_emit_all(u->b, body.stms);
	return body.res;
}

// ---- Loops ----

static Vars loop_params(Types ts, const char *hint)
{
	Vars out = {NEW_ARRAY(Var, ts.len + 1), ts.len};
	for (int i = 0; i < ts.len; i++)
		out.at[i] = var_new(name_of(hint), ts.at[i]);
	return out;
}

static Subs first_states(const Unwind *u)
{
	Subs out = {NEW_ARRAY(Sub, u->args.len + 1), 0};
	for (int i = 0; i < u->args.len; i++)
		if (u->p->args[i] != ARG_SAME)
			out.at[out.len++] = u->p->args[i] == ARG_PART ? sub_i64(0) : u->args.at[i];
	return out;
}

// How many calls there are below this one.
static Sub count_calls(const Unwind *u)
{
	Build *b = u->b;
	Subs inits = subs_cat(subs_of(2, sub_bool(true), sub_i64(0)), first_states(u));
	Types ts = plain_types(inits);
	Vars ps = loop_params(ts, "next");
	b_open(b);
	Subs next = step(u, subs_part(subs_of_vars(ps), 2, ps.len - 2));
	Sub count = b_add(b, sub_var(ps.at[1]), b_convert(b, PT_I64, next.at[0]));
	Body body = b_close(b, subs_cat(subs_of(2, next.at[0], count),
	                                subs_part(next, 1, next.len - 1)));
	return b_lets(b, "calls", ts, EXP(loop, .params = ps, .inits = inits, .is_while = true,
	                                  .while_cond = ps.at[0], .body = body)).at[1];
}

// The states of each call, and after them the last ones.
static Subs keep_states(const Unwind *u, Sub n)
{
	Build *b = u->b;
	Subs first = first_states(u), inits = {NEW_ARRAY(Sub, 2 * first.len + 1), 0};
	Types ts = {NEW_ARRAY(Type, 2 * first.len + 1), 0}, own = plain_types(first);
	for EACH(Type, t, own) {
		Type rows = type_of_rows(n, *t);
		inits.at[inits.len++] = scratch_of(b, rows);
		rows.unique = true;
		ts.at[ts.len++] = rows;
	}
	for (int i = 0; i < first.len; i++) {
		inits.at[inits.len++] = first.at[i];
		ts.at[ts.len++] = own.at[i];
	}
	Vars ps = loop_params(ts, "kept");
	Var j = var_i64("j");
	b_open(b);
	Subs now = subs_part(subs_of_vars(ps), first.len, first.len);
	Subs out = {NEW_ARRAY(Sub, first.len + 1), first.len};
	Subs next = step(u, now);
	for (int i = 0; i < first.len; i++)
		out.at[i] = b_update(b, sub_var(ps.at[i]),
		                     slices_at(subs_of(1, sub_var(j)), own.at[i].dims), now.at[i]);
	Body body = b_close(b, subs_cat(out, subs_part(next, 1, next.len - 1)));
	return b_lets(b, "kept", ts, EXP(loop, .params = ps, .inits = inits, .i = j, .n = n,
	                                 .body = body));
}

static Subs results(const Unwind *u, Sub n, Subs kept, Types ts)
{
	Build *b = u->b;
	int k = kept.len / 2;
	Subs none = {NEW_ARRAY(Sub, ts.len + 1), ts.len};
	for (int i = 0; i < ts.len; i++)
		none.at[i] = ad_zero(b, ts.at[i]);
	Subs first = finish(u, subs_part(kept, k, k), none);
	Vars ps = loop_params(ts, "y");
	Var j = var_i64("j");
	b_open(b);
	Sub i = b_sub(b, b_sub(b, n, sub_i64(1)), sub_var(j));
	Subs states = {NEW_ARRAY(Sub, k + 1), k};
	for (int s = 0; s < k; s++)
		states.at[s] = b_index(b, kept.at[s], subs_of(1, i));
	Body body = b_close(b, finish(u, states, subs_of_vars(ps)));
	return b_lets(b, "y", ts, EXP(loop, .params = ps, .inits = first, .i = j, .n = n,
	                              .body = body));
}

static void unwind_call(Build *b, const Recursion *p, const Stm *s)
{
	Unwind u = {b, p, s->exp->call.args};
	Vars certs = b->certs;
	b->where = s->where;
	b->certs = s->certs;
	Map names = {0};
	for (int i = 0; i < u.args.len; i++)
		subst_put(&names, p->fn->params.at[i], u.args.at[i]);
	Types ts = {NEW_ARRAY(Type, s->pat.len + 1), s->pat.len};
	for (int i = 0; i < ts.len; i++)
		ts.at[i] = type_with(&names, vars[p->fn->res.at[i].id].type);
	Sub n = count_calls(&u);
	Subs ys = results(&u, n, keep_states(&u, n), ts);
	for (int i = 0; i < ys.len; i++)
		b_stm(b, vars_of(1, s->pat.at[i]), ts.at[i].dims.len
		      ? EXP(copy, ys.at[i])
		      : EXP(atom, ys.at[i]));
	b->certs = certs;
	at_work.changed = true;
}

// ---- The pass ----

typedef struct { Build *b; bool inside; } Around;

static void unwind_nested(Visit *v, Body *body)
{
	const Around *a = v->ctx;
	*body = unwind_body(a->b, body, a->inside);
}

static Body unwind_body(Build *b, const Body *body, bool inside)
{
	b_open(b);
	for EACH(Stm, s, body->stms) {
		Stm t = *s;
		Around in = {b, inside || t.exp->form == E_vjp};
		bool call = inside && t.exp->form == E_call;
		const Recursion *p = call ? plan_for(t.exp->call.fn) : NULL;
		if (form_has(t.exp->form, FORM_NEST))
			t.exp = exp_visit(t.exp, &(Visit){.body = unwind_nested, .copy = true,
			                                  .ctx = &in});
		if (p)
			unwind_call(b, p, &t);
		else
			b_emit(b, t);
	}
	return b_close(b, body->res);
}

static bool calls_in_reverse(const Stm *s)
{
	return s->exp->form == E_vjp && exp_find(s->exp, stm_is_call);
}

Prog *unwind(Prog *prog)
{
	// Traces would be printed several times.
	if (traces_made || !prog_find(prog, calls_in_reverse))
		return prog;
	memset(&at_work, 0, sizeof at_work);
	Prog *out = prog_copy(prog, &at_work.funs);
	Visit callees = {.funs = &at_work.funs, .copy = true};
	for EACH(Fun *, f, out->funs)
		body_visit(&(*f)->body, &callees);
	for EACH(Fun *, f, out->funs) {
		Build b = {.where = (*f)->where};
		(*f)->body = unwind_body(&b, &(*f)->body, false);
	}
	return at_work.changed ? out : prog;
}
