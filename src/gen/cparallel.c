// Parallel regions: loops whose body is a call that the pass `outline` made.
//
//     #[region] let (ys: ..) = loop (o: .. = out) for c: i64 < k do {
//       let (r: ..) = call main.region1 (c, n, m, xs)  in r
//     }
//  ->
//     int status;
//     if (k == 1) {
//         status = rd_fun_main_region1(ctx, 0, n, m);
//     } else {
//         struct rd_fun_main_region1_args args = {n, m};
//         status = rd_parallel(ctx, k, rd_fun_main_region1_chunk, &args);
//     }
//
// where main_region1_chunk, emitted before the function, unpacks the arguments, with a shadow of
// each block.  The statement marked #[chunks], which determines the number of chunks, becomes a
// call of rd_chunks.
#include "gen/cgen.h"

#include "loop/loop.h"

bool is_parallel_region(const Stm *s)
{
	const Exp *e = s->exp;
	return e->form == E_loop && !e->loop.is_while && has_attr(s->attrs, ATTR_REGION) &&
	       e->loop.body.stms.len == 1 && e->loop.body.stms.at[0].exp->form == E_call;
}

void gen_chunks(Gen *g, const Stm *s)
{
	Subs xs = s->exp->opaque.xs;
	const char *n = operand_text(g, xs.at[1]), *work = operand_text(g, xs.at[2]);
	const char *extra = xs.len > 3 ? operand_text(g, xs.at[3]) : NULL;
	const char *how = has_attr(s->attrs, ATTR_NARROW)
		? text("rd_is_narrow(%s, %s, %s)", ctx(g), n, work)
		: xs.len > 4 ? text("rd_sum_chunks(%s, %s, %s, %s, %s)", ctx(g), n, work, extra,
		                    operand_text(g, xs.at[4]))
		: text("rd_chunks(%s, %s, %s, %s)", ctx(g), n, work, extra);
	rts_use(g->rts, "parallel");
	declare(g, s->pat.at[0], how);
	for (int i = 1; i < s->pat.len; i++)
		if (is_needed(g, s->pat.at[i]))
			declare(g, s->pat.at[i], result_of(g, s->pat.at[i], xs.at[i]).text);
}

bool is_shared_store(const Stm *s)
{
	const Body *yes = &s->exp->if_.yes, *no = &s->exp->if_.no;
	if (s->pat.len != 1 || yes->stms.len != 1 || no->stms.len)
		return false;
	const Stm *u = &yes->stms.at[0];
	return u->exp->form == E_update && has_attr(u->attrs, ATTR_SHARED) &&
	       type_is_scalar(sub_type(u->exp->update.val));
}

static bool is_shared(const Stm *s)
{
	return has_attr(s->attrs, ATTR_SHARED);
}

static bool is_atomic(const Stm *s)
{
	return has_attr(s->attrs, ATTR_ATOMIC);
}

bool has_shared_stores(const Body *b)
{
	return body_find(b, is_shared);
}

// ---- Sums of several threads ----

static bool is_element_read(const Body *b, Sub x)
{
	const Exp *e = def_in(b, x);
	return e && e->form == E_index;
}

// #[atomic] loop (p = a) for z < 1 do {x = index p [i];  y = add x v;  p with [i] = y}
void gen_atomic_sum(Gen *g, const Stm *s)
{
	static const char *const names[N_PRIMTYPE] = {[PT_F64] = "f64", [PT_F32] = "f32",
		[PT_I64] = "i64", [PT_I32] = "i32"};
	const Body *b = &s->exp->loop.body;
	const Exp *update = def_in(b, b->res.at[0]);
	const Exp *sum = update && update->form == E_update ? def_in(b, update->update.val) : NULL;
	if (!sum || sum->form != E_prim || (sum->prim.op != P_add && sum->prim.op != P_sub))
		bug("an atomic update is no sum");
	bool left = is_element_read(b, sum->prim.x[0]);
	if ((!left && sum->prim.op == P_sub) || !names[sum->prim.at])
		bug("an atomic update is no sum");
	for EACH(Stm, t, b->stms) // what is added may be computed here
		if (t->exp->form != E_update && t->exp->form != E_index && t->exp != sum)
			gen_stm(g, t);
	Type arr = sub_type(update->update.arr);
	CExp *index = NEW_ARRAY(CExp, update->update.at.len + 1);
	for (int i = 0; i < update->update.at.len; i++)
		index[i] = operand(g, update->update.at.at[i].start);
	CExp x = operand(g, sum->prim.x[left]);
	const char *place = element(g, arr, index).text;
	rts_use(g->rts, "rd_atomic_sums");
	settle_loads(g);
	line(g, "rd_add_to_%s(%s, &%s, %s%s);", names[sum->prim.at], ctx(g), place,
	     sum->prim.op == P_sub ? "-" : "", c_paren(x, PREC_ATOM));
}

// Where elements go depends on data that no processor foresees: sorting, filtering.
CExp blend(Gen *g, const CExp *x)
{
	rts_use(g->rts, "rd_blend");
	return (CExp){text("rd_blend(%s, %s, %s)", x[0].text, x[1].text, x[2].text), PREC_ATOM,
	              .costs = true};
}

// Which of several stores at one place is the last does not matter, but they must not mix.
void shared_store(Gen *g, const char *place, const char *value)
{
	rts_use(g->rts, "shared_store");
	if (!g->store_if) {
		line(g, "RD_SHARED_STORE(%s, %s);", place, value);
		return;
	}
	int base = (int)strcspn(place, "["), index = (int)strlen(place) - base - 2; // base[index]
	line(g, "RD_SHARED_STORE_IF(%s, %.*s, %.*s, %s);", g->store_if, base, place, index,
	     place + base + 1, value);
}

// ---- Arguments ----

typedef struct { const char *field, *type, *value; bool block; } Argument;
typedef VEC(Argument) Arguments;

// What is passed for a block; those on the stack become one first.
const char *block_argument(Gen *g, Var v)
{
	if (state_of(g, v)->shown.text)
		return block_name(g, v);
	rts_use(g->rts, "rd_stack_block");
	const char *name = fresh_name(g, "on_stack");
	line(g, "struct rd_block %s = rd_stack_block(%s);", name, block_pointer(g, v));
	return text("&%s", name);
}

static Arguments arguments_of(Gen *g, const Exp *call)
{
	Arguments out = {0};
	for (int i = 1; i < call->call.args.len; i++) { // the first is the number of the chunk
		Sub a = call->call.args.at[i];
		Type t = sub_type(a);
		if (t.kind == T_MEM)
			VEC_PUSH(&out, (Argument){text("a%d", i), "struct rd_block *",
				block_argument(g, a.var), true});
		else if (type_is_scalar(t))
			VEC_PUSH(&out, (Argument){text("a%d", i),
				text("%s ", c_scalar_type(t.elem)), operand_text(g, a), false});
	}
	return out;
}

// ---- What threads call ----

static void put_chunk_function(Gen *g, const char *name, const Arguments *args)
{
	Str *out = &g->helpers;
	if (args->len) {
		str_printf(out, "struct %s_args {\n", name);
		for EACH(Argument, a, *args)
			str_printf(out, "\t%s%s;\n", a->type, a->field);
		str_puts(out, "};\n\n");
	}
	str_printf(out, "static int %s_chunk(struct futhark_context *ctx, const void *args, "
	           "int64_t c)\n{\n", name);
	if (args->len)
		str_printf(out, "\tconst struct %s_args *a = (const struct %s_args *)args;\n", name,
		           name);
	else
		str_puts(out, "\t(void)args;\n");
	for EACH(Argument, a, *args)
		if (a->block)
			str_printf(out, "\tstruct rd_block %s = rd_shadow(a->%s);\n", a->field,
			           a->field);
	str_printf(out, "\treturn %s(ctx, c", name);
	for EACH(Argument, a, *args)
		str_printf(out, ", %s%s", a->block ? "&" : "a->", a->field);
	str_puts(out, ");\n}\n\n");
}

void gen_parallel_region(Gen *g, const Stm *s)
{
	const Exp *e = s->exp, *call = e->loop.body.stms.at[0].exp;
	const char *n = loop_bound(g, e->loop.n), *name = c_fun_name(call->call.fn);
	const char *status = fresh_name(g, "status");
	rts_use(g->rts, "parallel");
	Arguments args = arguments_of(g, call);
	Vars params = call->call.fn->params;
	for (int i = 0; i < params.len; i++)
		state_of(g, params.at[i])->small = smallness(g, call->call.args.at[i]);
	settle_loads(g);
	bool sums = body_find(&call->call.fn->body, is_atomic);
	if (!g->counting)
		put_chunk_function(g, name, &args);
	Str values = {0};
	for EACH(Argument, a, args)
		str_printf(&values, ", %s", a->value);
	line(g, "int %s = 0;", status);
	if (!sums) {
		open_brace(g, "if (%s == 1)", n);
		line(g, "%s = %s(%s, 0%s);", status, name, ctx(g), str_text(&values));
		g->indent--;
		line(g, "} else if (%s > 1) {", n);
		g->indent++;
	} else {
		open_brace(g, "if (%s > 0)", n);
	}
	const char *packed = fresh_name(g, "args");
	if (args.len)
		line(g, "struct %s_args %s = {%s};", name, packed, str_text(&values) + 2);
	line(g, "%s = rd_parallel%s(%s, %s, %s_chunk, %s);", status, sums ? "_sums" : "", ctx(g), n,
	     name, args.len ? text("&%s", packed) : "NULL");
	close_brace(g);
	open_brace(g, "if (%s != 0)", status);
	leave_function(g, status);
	close_brace(g);
}
