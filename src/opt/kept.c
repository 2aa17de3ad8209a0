// Marks assertions that must be kept although the statements that named their certificates are
// gone.
//
//     let (c: cert) = assert p ("...")
//     let (x: i64) = #{c} add.i64 a 1            #[kept] let (c: cert) = assert p ("...")
//     let (y: i64) = #{c} index ys [x]      ->   let (x: i64) = add.i64 a 1
//     in x                                       in x
//
// An assertion with a certificate lives as long as something names the certificate (dce.c).  A pass
// that drops certificates from a statement that may be live, because the operation can no longer
// fail or because an equal statement replaces it, therefore has to record them and mark their
// assertions at the end.  Otherwise an assertion that is also named by a dead statement would be
// removed together with it, and the error would be lost.
#include "opt/opt.h"

bool is_kept(const Stm *s)
{
	return has_attr(s->attrs, ATTR_KEPT);
}

void note_kept(Map *kept, Vars certs)
{
	vars_put(kept, certs, kept);
}

void note_lost(Map *kept, Vars certs, Vars still)
{
	for EACH(Var, c, certs) {
		bool named = false;
		for EACH(Var, x, still)
			named |= x->id == c->id;
		if (!named)
			map_put(kept, var_key(*c), kept);
	}
}

static bool is_to_be_marked(const Map *kept, const Stm *s)
{
	return s->exp->form == E_assert_ && map_has(kept, var_key(s->pat.at[0])) && !is_kept(s);
}

static void mark_body(Visit *v, Body *b)
{
	b->stms = SLICE_DUP(Stms, b->stms);
	for EACH(Stm, s, b->stms) {
		if (is_to_be_marked(v->ctx, s))
			s->attrs = with_attr(s->attrs, ATTR_KEPT);
		if (form_has(s->exp->form, FORM_NEST) || s->exp->form == E_call)
			s->exp = exp_visit(s->exp, v);
	}
}

typedef struct { const Map *kept; bool found; } Search;

static void look_for_marks(Visit *v, Body *b)
{
	Search *t = v->ctx;
	for (int i = 0; !t->found && i < b->stms.len; i++) {
		const Stm *s = &b->stms.at[i];
		t->found = is_to_be_marked(t->kept, s);
		if (form_has(s->exp->form, FORM_NEST))
			exp_visit(s->exp, v);
	}
}

Prog *keep_asserts(Prog *prog, Map *kept)
{
	Map funs = {0};
	if (!kept->len)
		return prog;
	Prog *out = prog_copy(prog, &funs);
	Visit v = {.body = mark_body, .funs = &funs, .copy = true, .ctx = kept};
	for EACH(Fun *, f, out->funs) {
		Search t = {kept, false};
		look_for_marks(&(Visit){.body = look_for_marks, .ctx = &t}, &(*f)->body);
		if (!t.found) {
			fun_new_callees(*f, &funs);
			continue;
		}
		Body old = (*f)->body;
		mark_body(&v, &(*f)->body);
		fun_same_body(*f, old);
	}
	return out;
}
