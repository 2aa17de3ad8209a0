// Forward mode of accumulators.
//
// The tangent of an accumulator of sums is a second accumulator of sums.  Every name of the
// accumulator has a tangent, which is passed along with it:
//
//     withacc input=[n] (xs) (0.0) add               withacc input=[n] (xs) (0.0) add
//       fn=\(t, a) ->                          ->            input=[n] (xs_tan) (0.0) add
//         upd_acc a [i] (v)                            fn=\(t, t_tan, a, a_tan) ->
//                                                        upd_acc a [i] (v)
//                                                        upd_acc a_tan [i] (v_tan)
//
// For any other operator, or none, a value and its tangent are written together: one accumulator
// holds both, and its type has twice as many components.
#include "ad/jvp.h"

static bool acc_active(const Jvp *f, Var acc)
{
	return is_active(&f->active, sub_var(acc));
}

static Subs all_with_tans(Jvp *f, Subs s)
{
	Subs out = {s.len ? NEW_ARRAY(Sub, 2 * s.len) : NULL, 2 * s.len};
	for (int i = 0; i < s.len; i++) {
		out.at[i] = s.at[i];
		out.at[s.len + i] = tan_or_zero(f, s.at[i]);
	}
	return out;
}

static Subs second_half(Subs s)
{
	return (Subs){s.len ? s.at + s.len / 2 : NULL, s.len / 2};
}

typedef struct {
	VEC(AccInput) inputs, added;
	VarVec tokens, added_tokens, accs, added_accs;
} Inputs;

// All components of an accumulator are active or none, so the operator has all tangents.
static void input_active(Jvp *f, Inputs *in, const AccInput *input, Var token, Var acc)
{
	DualOp d = {0};
	if (input->op)
		d = dual_operator(f, input->op);
	Subs arrs = all_with_tans(f, input->arrs), ne = all_with_tans(f, input->ne);
	VEC_PUSH(&in->tokens, token);
	VEC_PUSH(&in->accs, acc);
	if (!d.tangents) {
		VEC_PUSH(&in->inputs, (AccInput){input->space, arrs, d.op, ne});
		map_put(&f->joint, var_key(token), f);
		return;
	}
	VEC_PUSH(&in->inputs, *input);
	VEC_PUSH(&in->added,
	         (AccInput){input->space, second_half(arrs), d.tangents, second_half(ne)});
	Var t = var_like(token, "tan");
	map_put(&f->split, var_key(token), mem_dup(&t, sizeof t));
	VEC_PUSH(&in->added_tokens, t);
	VEC_PUSH(&in->added_accs, tan_var(f, acc));
}

static Inputs inputs_of(Jvp *f, const Exp *e)
{
	Inputs in = {0};
	const Lambda *fn = e->withacc.fn;
	int n = e->withacc.inputs.len;
	for (int i = 0; i < n; i++) {
		Var token = fn->params.at[i], acc = fn->params.at[n + i];
		const AccInput *input = &e->withacc.inputs.at[i];
		if (acc_active(f, acc)) {
			input_active(f, &in, input, token, acc);
			continue;
		}
		VEC_PUSH(&in.inputs, *input);
		VEC_PUSH(&in.tokens, token);
		VEC_PUSH(&in.accs, acc);
	}
	return in;
}

static void push_vars(VarVec *out, const VarVec *more)
{
	VEC_APPEND(out, *more);
}

// The pattern: arrays of each input, with their tangents where the accumulator is over both; then
// those of the added inputs.
static int push_arrays(Jvp *f, VarVec *pat, const Stm *s)
{
	const Exp *e = s->exp;
	VarVec apart = {0};
	int n = e->withacc.inputs.len, at = 0;
	for (int i = 0; i < n; i++) {
		int k = e->withacc.inputs.at[i].arrs.len;
		Var token = e->withacc.fn->params.at[i];
		for (int c = 0; c < k; c++)
			VEC_PUSH(pat, s->pat.at[at + c]);
		for (int c = 0; c < k; c++) {
			if (map_has(&f->joint, var_key(token)))
				VEC_PUSH(pat, tan_var(f, s->pat.at[at + c]));
			else if (map_has(&f->split, var_key(token)))
				VEC_PUSH(&apart, tan_var(f, s->pat.at[at + c]));
		}
		at += k;
	}
	push_vars(pat, &apart);
	return at;
}

void jvp_withacc(Jvp *f, const Stm *s)
{
	const Exp *e = s->exp;
	const Lambda *fn = e->withacc.fn;
	const Vars certs = f->b->certs;
	int n = e->withacc.inputs.len;
	VarVec pat = {0};
	Inputs in = inputs_of(f, e);
	own_vars(f, fn->params);
	Open o = {.of = fn};
	push_vars(&o.params, &in.tokens);
	push_vars(&o.params, &in.added_tokens);
	push_vars(&o.params, &in.accs);
	push_vars(&o.params, &in.added_accs);
	b_open(f->b);
	jvp_stms(f, &fn->body);
	f->b->certs = (Vars){0};
	int at = push_arrays(f, &pat, s);
	for (int i = 0; i < n; i++)
		open_primal(f, &o, i);
	for (int i = 0; i < n; i++)
		if (map_has(&f->split, var_key(fn->params.at[i])))
			open_tangent(f, &o, i);
	for (int i = n; i < fn->ret.len; i++) {
		open_primal(f, &o, i);
		VEC_PUSH(&pat, s->pat.at[at + i - n]);
	}
	for (int i = n; i < fn->ret.len; i++)
		if (has_tan(f, s->pat.at[at + i - n])) {
			open_tangent(f, &o, i);
			VEC_PUSH(&pat, tan_var(f, s->pat.at[at + i - n]));
		}
	Lambda *l = close_lambda(f, &o);
	f->b->certs = certs;
	VEC_APPEND(&in.inputs, in.added);
	jvp_emit(f, s, VEC_SLICE(Vars, pat), EXP(withacc, VEC_SLICE(AccInputs, in.inputs), l));
}

// Nothing is added to sums of tangents where the values do not depend on anything active.
void jvp_upd_acc(Jvp *f, const Stm *s)
{
	Exp *e = exp_dup(s->exp);
	Type t = vars[s->pat.at[0].id].type;
	if (map_has(&f->joint, var_key(t.acc->token))) {
		e->upd_acc.vals = all_with_tans(f, e->upd_acc.vals);
		own_vars(f, s->pat);
		jvp_emit(f, s, s->pat, e);
		return;
	}
	b_emit(f->b, *s);
	const Sub *acc = tan_of(f, s->exp->upd_acc.acc);
	if (!acc)
		return;
	if (!any_tan(f, e->upd_acc.vals)) {
		set_tan(f, s->pat.at[0], *acc);
		return;
	}
	e->upd_acc.acc = *acc;
	e->upd_acc.vals = second_half(all_with_tans(f, e->upd_acc.vals));
	set_tan(f, s->pat.at[0], b_let(f->b, "acc", tan_type(f, t), e));
}
