// Patterns, and the expressions that choose: if, match, && and ||.
//
// A match becomes tests in the order of its cases; the last case needs none, since matches
// are exhaustive.  Where all cases ask for the constructor alone, or for an integer, it is a
// core match on the tag or the integer.
//
//   match s case #some x -> a        if tag == 1 then (let x = slot in a)
//           case #none   -> b        else b
//
// Payload slots exist whatever the constructor, so testing them early is harmless.
#include "lower/lower_internal.h"

// ---- Patterns ----

Name pat_hint(const Pat *p)
{
	p = pat_plain(p);
	return p->kind == PAT_NAME ? p->var.name : name_of("x");
}

static int constr_index(const Val *v, Name name)
{
	return v->kind == V_CONSTR ? 0 : rep_constr(v->rep, name);
}

static void bind_names(Lower *L, Frame *f, Pat *pat, Val *v)
{
	const Pat *p = pat_plain(pat);
	switch (p->kind) {
	case PAT_NAME:
		frame_bind(f, p->var.binding, v);
		return;
	case PAT_WILD: case PAT_LIT:
		return;
	case PAT_TUPLE: case PAT_RECORD: {
		FieldPats fields = pat_fields(p);
		for EACH(FieldPat, field, fields)
			bind_names(L, f, field->pat, val_field(v, field->name));
		return;
	}
	case PAT_CONSTR: {
		int c = constr_index(v, p->constr.name);
		for (int i = 0; i < p->constr.args.len; i++)
			bind_names(L, f, p->constr.args.at[i], val_payload(v, c, i));
		return;
	}
	case PAT_ASCRIBE: case PAT_ATTR: case PAT_PAREN:
		break; // pat_plain removes these
	}
	bug("kind of pattern");
}

void bind_pat(Lower *L, Frame *f, Pat *p, Val *v)
{
	if (v->kind != V_FUN)
		bind_sizes(L, f, p->type, v);
	bind_names(L, f, p, v);
}

static Sub has_constr(Lower *L, const Val *v, Name name)
{
	if (v->kind == V_CONSTR)
		return sub_bool(v->constr == name);
	if (!rep_has_tag(v->rep))
		return sub_bool(true);
	Sub tag = sub_const(scalar_int(PT_I8, rep_constr(v->rep, name)));
	return b_eq(&L->b, v->flat.at[0], tag);
}

// Whether the value matches, as an operand.
static Sub test_pat(Lower *L, Frame *f, const Pat *pat, Val *v)
{
	const Pat *p = pat_plain(pat);
	Sub ok = sub_bool(true);
	switch (p->kind) {
	case PAT_NAME: case PAT_WILD:
		return ok;
	case PAT_LIT:
		return b_eq(&L->b, val_sub(v), val_sub(lower_literal(L, f, p->lit, p->type)));
	case PAT_TUPLE: case PAT_RECORD: {
		FieldPats fields = pat_fields(p);
		for EACH(FieldPat, field, fields)
			ok = both(L, ok, test_pat(L, f, field->pat, val_field(v, field->name)));
		return ok;
	}
	case PAT_CONSTR: {
		ok = has_constr(L, v, p->constr.name);
		if (ok.kind == S_CONST && !ok.val.u)
			return ok;
		int c = constr_index(v, p->constr.name);
		for (int i = 0; i < p->constr.args.len; i++)
			ok = both(L, ok, test_pat(L, f, p->constr.args.at[i],
			                          val_payload(v, c, i)));
		return ok;
	}
	case PAT_ASCRIBE: case PAT_ATTR: case PAT_PAREN:
		break; // pat_plain removes these
	}
	bug("kind of pattern");
}

// ---- Branches ----

// What the branches of one expression have in common.
typedef struct { Frame *frame; Tele *result; Attributes attrs; Span span; } Choice;

static Choice choice_of(Lower *L, Frame *f, Expr *e)
{
	Attributes attrs = take_attrs(L);
	Tele *t = tele_of(ltype(L, f, e->type, false));
	return (Choice){f, t, attrs, e->span};
}

static Body branch(Lower *L, const Choice *c, Expr *e)
{
	b_open(&L->b);
	Val *v = lower_expr(L, c->frame, e);
	set_where(L, c->span);
	return b_close(&L->b, tele_subs(L, c->result, v));
}

static Val *choose(Lower *L, const Choice *c, Exp *e)
{
	set_where(L, c->span);
	Vars pat = tele_vars(c->result, name_of("r"));
	emit_main(L, c->attrs, pat, e);
	return tele_val(c->result, NULL, subs_of_vars(pat));
}

Val *lower_if(Lower *L, Frame *f, Expr *e)
{
	Attributes attrs = take_attrs(L);
	Sub cond = lower_scalar(L, f, e->if_.cond);
	L->attrs = attrs;
	if (cond.kind == S_CONST)
		return lower_expr(L, f, cond.val.u ? e->if_.yes : e->if_.no);
	Choice c = choice_of(L, f, e);
	Body yes = branch(L, &c, e->if_.yes), no = branch(L, &c, e->if_.no);
	return choose(L, &c, EXP(if_, cond, yes, no));
}

// a && b is if a then b else false, or a plain conjunction where b needs no statement.
Sub lower_logic(Lower *L, Name symbol, Sub a, Frame *f, Expr *b)
{
	bool is_and = symbol[0] == '&';
	if (a.kind == S_CONST)
		return (a.val.u != 0) == is_and ? lower_scalar(L, f, b) : a;
	b_open(&L->b);
	Sub right = lower_scalar(L, f, b);
	Body body = b_close(&L->b, subs_of(1, right));
	set_where(L, b->span);
	if (!body.stms.len)
		return b_prim2(&L->b, is_and ? P_and : P_or, a, right);
	Body other = {.res = subs_of(1, sub_bool(!is_and))};
	Exp *e = is_and ? EXP(if_, a, body, other) : EXP(if_, a, other, body);
	return b_let(&L->b, is_and ? "and" : "or", type_scalar(PT_BOOL), e);
}

// ---- match ----

static bool is_irrefutable(const Val *v, const Pat *pat)
{
	const Pat *p = pat_plain(pat);
	switch (p->kind) {
	case PAT_NAME: case PAT_WILD:
		return true;
	case PAT_LIT: case PAT_CONSTR:
		return false;
	case PAT_TUPLE: case PAT_RECORD: {
		FieldPats fields = pat_fields(p);
		for EACH(FieldPat, q, fields)
			if (!is_irrefutable(v, q->pat))
				return false;
		return true;
	}
	case PAT_ASCRIBE: case PAT_ATTR: case PAT_PAREN:
		break; // pat_plain removes these
	}
	bug("kind of pattern");
}

// The integer that decides whether the pattern matches; false if more than that is needed.
static bool deciding_value(Lower *L, Frame *f, const Val *v, const Pat *pat, Scalar *out)
{
	const Pat *p = pat_plain(pat);
	if (p->kind == PAT_LIT && v->rep->kind == R_PRIM && is_int(v->rep->prim)) {
		*out = val_sub(lower_literal(L, f, p->lit, p->type)).val;
		return true;
	}
	if (p->kind != PAT_CONSTR || !rep_has_tag(v->rep))
		return false;
	for EACH(Pat *, q, p->constr.args)
		if (!is_irrefutable(v, *q))
			return false;
	*out = scalar_int(PT_I8, rep_constr(v->rep, p->constr.name));
	return true;
}

// Which cases are left when each value is decided once; false if a test is more than that.
typedef struct { Scalar value; Case *of; } Decided;
typedef VEC(Decided) Decisions;

static bool decide(Lower *L, Frame *f, const Val *v, Cases cases, Decisions *out, Case **other)
{
	*other = NULL;
	Map seen[2] = {{0}, {0}}; // by the top bit: the others fit into a key that is not NULL
	if (v->kind != V_DATA || !v->flat.len || (v->rep->kind != R_SUM && v->rep->kind != R_PRIM))
		return false;
	for EACH(Case, c, cases) {
		Scalar s;
		if (is_irrefutable(v, c->pat)) {
			*other = c;
			break;
		}
		if (!deciding_value(L, f, v, c->pat, &s))
			return false;
		const void *key = (void *)(uintptr_t)(s.u << 1 | 1);
		if (!map_has(&seen[s.u >> 63], key))
			VEC_PUSH(out, (Decided){s, c});
		map_put(&seen[s.u >> 63], key, c);
	}
	return true;
}

static Body case_body(Lower *L, const Choice *ch, Case *c, Val *v)
{
	b_open(&L->b);
	bind_pat(L, ch->frame, c->pat, v);
	Val *r = lower_expr(L, ch->frame, c->body);
	set_where(L, ch->span);
	return b_close(&L->b, tele_subs(L, ch->result, r));
}

static Val *match_decided(Lower *L, const Choice *ch, Val *v, Decisions d, Case *other)
{
	Exp *e = EXP(match, .x = v->flat.at[0]);
	int n = other ? d.len : d.len - 1;
	e->match.cases = (CoreCases){NEW_ARRAY(CoreCase, n), n};
	for (int i = 0; i < n; i++)
		e->match.cases.at[i] = (CoreCase){d.at[i].value, case_body(L, ch, d.at[i].of, v)};
	e->match.other = case_body(L, ch, other ? other : d.at[n].of, v);
	return choose(L, ch, e);
}

// The cases from `i` on.  A case without a test ends the chain.
static Val *match_chain(Lower *L, const Choice *ch, Val *v, Cases cases, int i)
{
	for (; i < cases.len - 1; i++) {
		Sub test = test_pat(L, ch->frame, cases.at[i].pat, v);
		if (test.kind == S_CONST && !test.val.u)
			continue;
		if (test.kind == S_CONST)
			break;
		Body yes = case_body(L, ch, &cases.at[i], v);
		b_open(&L->b);
		Val *rest = match_chain(L, ch, v, cases, i + 1);
		Body no = b_close(&L->b, tele_subs(L, ch->result, rest));
		return choose(L, ch, EXP(if_, test, yes, no));
	}
	bind_pat(L, ch->frame, cases.at[i].pat, v);
	return lower_expr(L, ch->frame, cases.at[i].body);
}

Val *lower_match(Lower *L, Frame *f, Expr *e)
{
	Attributes attrs = take_attrs(L);
	Val *v = lower_expr(L, f, e->match.of);
	L->attrs = attrs;
	Choice ch = choice_of(L, f, e);
	Decisions d = {0};
	Case *other;
	bool decided = v->kind != V_FUN && decide(L, f, v, e->match.cases, &d, &other);
	if (decided && v->flat.at[0].kind == S_VAR && d.len + (other != NULL) > 2)
		return match_decided(L, &ch, v, d, other);
	return match_chain(L, &ch, v, e->match.cases, 0);
}
