// Constants of the program that contexts keep (src/opt/constants.c).
//
//   struct rd_constants {                          in the context: ctx->constants
//       bool made_rd_fun_table;
//       struct rd_block *rd_fun_table_0;           the results of the function, as entry points
//   };                                             take them
//   static int rd_make_rd_fun_table(ctx)           evaluates it and what it needs, unless done
//   static int rd_evaluate_constants(ctx)          all of them, when a context is created
//   static void rd_free_constants(ctx)             when it is freed, or settings have changed
//
// Entry points ensure that the constants they use have been evaluated.  Usually this happened when
// the context was created.  A constant whose evaluation fails is evaluated again, and fails again,
// in each call that needs it; one that ran out of memory, or was cancelled, may succeed later.
#include "gen/api_wrap.h"

static bool is_constant(const Fun *f)
{
	return f->entry && has_attr(f->attrs, ATTR_CONSTANT);
}

// Results that are members: blocks and scalars; the arrays are in the blocks.
static const char *member_type(Var v)
{
	Type t = vars[v.id].type;
	return t.kind == T_MEM      ? "struct rd_block *"
	     : type_is_scalar(t)    ? text("%s ", c_scalar_type(t.elem))
	                            : NULL;
}

static const char *member(const Fun *f, int i)
{
	return text("%s_%d", c_fun_name(f), i);
}

void wrap_constants(Wrap *w)
{
	const Fun *f = w->e->fun;
	int at = 0;
	for EACH(Fun *, c, w->e->given) {
		const char *name = c_fun_name(*c);
		str_printf(&w->before, "\tif (!err)\n\t\terr = rd_make_%s(ctx);\n", name);
		for (int i = 0; i < (*c)->res.len; i++, at++)
			if (member_type((*c)->res.at[i]))
				map_put(&w->exprs, var_key(f->params.at[at]),
				        (void *)text("ctx->constants->%s", member(*c, i)));
	}
}

static void put_struct(Str *s, const Prog *prog)
{
	str_puts(s, "\nstruct rd_constants {\n");
	for EACH(Fun *, f, prog->funs) {
		if (!is_constant(*f))
			continue;
		str_printf(s, "\tbool made_%s;\n", c_fun_name(*f));
		for (int i = 0; i < (*f)->res.len; i++) {
			const char *type = member_type((*f)->res.at[i]);
			if (type)
				str_printf(s, "\t%s%s;\n", type, member(*f, i));
		}
	}
	str_puts(s, "};\n");
}

static void put_releases(Str *s, const Fun *f, const char *indent)
{
	for (int i = 0; i < f->res.len; i++)
		if (vars[f->res.at[i].id].type.kind == T_MEM)
			str_printf(s, "%srd_release(ctx, &k->%s);\n", indent, member(f, i));
}

// Programs rely on rd_is_given of constants as of arguments.
static void put_sizes(Str *s, Wrap *w)
{
	const Fun *f = w->e->fun;
	for (int i = 0; i < f->res.len; i++) {
		Var v = f->res.at[i];
		Type t = vars[v.id].type;
		if (type_is_scalar(t))
			map_put(&w->exprs, var_key(v), (void *)text("k->%s", member(f, i)));
		if (t.kind != T_DATA || t.dims.len < 2)
			continue;
		rts_use(w->rts, "object");
		str_puts(s, "\tif (!err) {\n\t\tconst int64_t shape[] = {");
		for EACH(Sub, d, t.dims)
			str_printf(s, "%s%s", d > t.dims.at ? ", " : "", wrap_operand(w, *d));
		str_printf(s, "};\n\t\tif (!rd_is_given(shape, %d))\n\t\t\t"
		           "err = rd_set_error(ctx, \"Error: the array \" %s\n\t\t\t\t"
		           "\" cannot have this size.\\n\");\n\t}\n", t.dims.len,
		           c_string(f->name));
	}
}

static void put_make(Str *s, const Prog *prog, const Fun *f, Rts *rts)
{
	ApiEntry e = {.fun = f, .name = f->entry_name, .given = given_to(prog, f)};
	Wrap w = {.e = &e, .rts = rts};
	const char *name = c_fun_name(f);
	Str call = {0};
	wrap_constants(&w);
	str_printf(&call, "%s(ctx", name);
	for (int i = 0; i < f->res.len; i++)
		if (member_type(f->res.at[i]))
			str_printf(&call, ", &k->%s", member(f, i));
	wrap_call_args(&w, &call);
	str_printf(s,
	           "\nstatic int rd_make_%s(struct futhark_context *ctx)\n{\n"
	           "\tint err = rd_room_for_constants(ctx);\n"
	           "\tstruct rd_constants *k = ctx->constants;\n"
	           "\tif (err || k->made_%s)\n\t\treturn err;\n"
	           "%s\tif (!err)\n\t\terr = %s);\n"
	           "\tif (!err)\n\t\terr = rd_constant_done(ctx);\n",
	           name, name, str_text(&w.before), str_text(&call));
	put_sizes(s, &w);
	str_printf(s, "\tk->made_%s = !err;\n", name);
	Str releases = {0};
	put_releases(&releases, f, "\t\t");
	if (releases.len)
		str_printf(s, "\tif (err) {\n%s\t}\n", str_text(&releases));
	str_puts(s, "\treturn err;\n}\n");
}

static void put_evaluate(Str *s, const Prog *prog)
{
	str_puts(s, "\nstatic int rd_evaluate_constants(struct futhark_context *ctx)\n{\n"
	         "\tint err = FUTHARK_SUCCESS;\n");
	for EACH(Fun *, f, prog->funs)
		if (is_constant(*f))
			str_printf(s, "\tif (!err)\n\t\terr = rd_make_%s(ctx);\n", c_fun_name(*f));
	str_puts(s, "\treturn err;\n}\n");
}

static void put_free(Str *s, const Prog *prog)
{
	str_puts(s, "\nstatic void rd_free_constants(struct futhark_context *ctx)\n{\n"
	         "\tstruct rd_constants *k = ctx->constants;\n"
	         "\tif (!k)\n\t\treturn;\n");
	for EACH(Fun *, f, prog->funs)
		if (is_constant(*f))
			put_releases(s, *f, "\t");
	str_puts(s, "\tfree(k);\n\tctx->constants = NULL;\n}\n");
}

// Memory for the struct: its contents are nothing yet.
static const char room[] =
	"\nstatic int rd_room_for_constants(struct futhark_context *ctx)\n{\n"
	"\tif (!ctx->constants)\n"
	"\t\tctx->constants = (struct rd_constants *)calloc(1, sizeof *ctx->constants);\n"
	"\treturn ctx->constants ? FUTHARK_SUCCESS\n"
	"\t                      : rd_out_of_memory(ctx, 1, sizeof *ctx->constants);\n}\n";

const char *api_constants(const Prog *prog, Rts *rts)
{
	Str made = {0};
	for EACH(Fun *, f, prog->funs)
		if (is_constant(*f))
			str_printf(&made, "static int rd_make_%s(struct futhark_context *ctx);\n",
			           c_fun_name(*f));
	if (!made.len)
		return NULL;
	Str s = {0};
	rts_use(rts, "memory");
	put_struct(&s, prog);
	str_puts(&s, room);
	str_printf(&s, "\n%s", str_text(&made));
	for EACH(Fun *, f, prog->funs)
		if (is_constant(*f))
			put_make(&s, prog, *f, rts);
	put_evaluate(&s, prog);
	put_free(&s, prog);
	return str_text(&s);
}
