// Holes: ??? of any type.
//
// A hole of a data type fails where it is evaluated.  A hole of a function type fails when it
// has been applied to all its arguments: it becomes a lambda whose body is a hole of the result
// type.  In records and sum types each part is a hole of its own; where a sum type contains
// functions, its constructor must be known to the compiler, so the first one is chosen.
//
//   ??? : i32 -> ([n]f64 -> bool, i32)      \_ -> (\_ -> ???, ???)
#include "lower/lower_internal.h"

typedef struct { Lower *L; Span span; Ty *whole; } Hole;

static Val *hole_of(const Hole *h, Frame *f, Ty *t);

// The value names the check, so that it is not taken for a constant that needs none.
static Val *data_hole(const Hole *h, LType *t)
{
	Lower *L = h->L;
	set_where(L, h->span);
	MsgVec msg = {0};
	msg_text(&msg, text("Reached hole of type: %s", show_ty(h->whole)));
	mark_kept(L);
	Var cert = b_assert(&L->b, sub_bool(false), (Msg){msg.at, msg.len});
	Val *v = val_blank(L, t);
	if (!v->flat.len)
		return v;
	Vars saved = L->b.certs;
	L->b.certs = vars_of(1, cert);
	Exp *same = EXP(opaque, v->flat);
	v = val_data(v->rep, b_lets(&L->b, "hole", lt_of_val(v)->flat, same));
	L->b.certs = saved;
	return v;
}

static Val *function_hole(const Hole *h, Frame *f, Ty *t)
{
	Expr *body = NEW(Expr, .kind = EX_HOLE, .span = h->span, .type = t->arrow.to,
	                 .hole = {.part_of = h->whole});
	Pat *pat = NEW(Pat, .kind = PAT_WILD, .span = h->span, .type = t->arrow.from);
	if (t->arrow.param) {
		pat->kind = PAT_NAME;
		pat->var.name = t->arrow.param->name;
		pat->var.binding = t->arrow.param;
	}
	Expr *lambda = NEW(Expr, .kind = EX_LAMBDA, .span = h->span, .type = t,
	                   .lambda = {.pats = {NEW(Pat *, pat), 1}, .body = body,
	                              .ret_type = t->arrow.to});
	return closure(h->L, f, lambda, F_LAMBDA, 1);
}

static Val *record_hole(const Hole *h, Frame *f, Ty *t)
{
	int n = t->record.len;
	Names names = {NEW_ARRAY(Name, n), n};
	Vals parts = {NEW_ARRAY(Val *, n), n};
	for (int i = 0; i < n; i++) {
		names.at[i] = t->record.at[i].name;
		parts.at[i] = hole_of(h, f, t->record.at[i].type);
	}
	return val_record(h->L, names, parts);
}

static Val *sum_hole(const Hole *h, Frame *f, Ty *t, Rep *rep)
{
	Tys args = t->sum.at[0].args;
	Vals parts = {NEW_ARRAY(Val *, args.len), args.len};
	for (int i = 0; i < args.len; i++)
		parts.at[i] = hole_of(h, f, args.at[i]);
	return NEW(Val, .kind = V_CONSTR, .rep = rep, .constr = t->sum.at[0].name, .parts = parts);
}

static Val *hole_of(const Hole *h, Frame *f, Ty *t)
{
	LType *lt = ltype(h->L, f, t, false);
	if (!lt->rep->has_fun)
		return data_hole(h, lt);
	switch (lt->of->kind) {
	case TY_ARROW:
		return function_hole(h, lt->frame, lt->of);
	case TY_RECORD:
		return record_hole(h, lt->frame, lt->of);
	case TY_SUM:
		return sum_hole(h, lt->frame, lt->of, lt->rep);
	case TY_ERROR: case TY_PRIM: case TY_ARRAY: case TY_META: case TY_PARAM: case TY_ABS:
		break;
	}
	bug("a type with functions inside");
}

Val *lower_hole(Lower *L, Frame *f, Expr *e)
{
	Hole h = {L, e->span, e->hole.part_of ? e->hole.part_of : e->type};
	return hole_of(&h, f, e->type);
}
