// Tuning parameters defined by the program: #[param(NAME)] on `opaque (-1)`, whose value is the
// setting of the parameter, or -1.
//
// Requires: such statements are outside parallel regions and kernels (lower/spec.c makes them
// constants, which entry points evaluate first).  CPU programs have no other parameters; GPU
// programs list them together with the thresholds of kernels (kfun.c).
#include "gen/cgen.h"

#include "gen/kgen.h"

typedef struct { VEC(const char *) names; Map seen; } Params;

static void look_in(Params *p, const Body *b);

static void look_body(Visit *v, Body *b)
{
	look_in(v->ctx, b);
}

static void look_fun(Visit *v, Fun **f)
{
	Params *p = v->ctx;
	if (map_has(&p->seen, *f))
		return;
	map_put(&p->seen, *f, p);
	look_in(p, &(*f)->body);
}

static void add_name(Params *p, const char *name)
{
	for EACH(const char *const, n, p->names)
		if (strcmp(*n, name) == 0)
			return;
	VEC_PUSH(&p->names, name);
}

static void look_in(Params *p, const Body *b)
{
	for EACH(const Stm, s, b->stms) {
		const char *name = param_of(s);
		if (name)
			add_name(p, name);
		Visit v = {.body = look_body, .fun = look_fun, .ctx = p};
		exp_walk(s->exp, &v);
	}
}

const char *param_of(const Stm *s)
{
	return s->exp->form == E_opaque ? attr_argument(s->attrs, ATTR_PARAM) : NULL;
}

static bool is_param(const Stm *s)
{
	return param_of(s);
}

ParamNames own_params(const Prog *prog)
{
	Params p = {0};
	if (!prog_find(prog, is_param))
		return (ParamNames){0};
	for EACH(Fun *, f, prog->funs)
		if ((*f)->entry)
			look_fun(&(Visit){.ctx = &p}, f);
	return VEC_SLICE(ParamNames, p.names);
}

void note_params(const Prog *prog, Map *tuning)
{
	bool any = prog_find(prog, is_param);
	for EACH(Fun *, f, prog->funs) {
		Params p = {0};
		if (!(*f)->entry)
			continue;
		if (any)
			look_fun(&(Visit){.ctx = &p}, f);
		map_put(tuning, *f, NEW(ParamNames, p.names.at, p.names.len));
	}
}

void put_own_params(Str *out, ParamNames names, Rts *rts)
{
	rts_use(rts, "api_params");
	str_printf(out, "\nstatic const char *const rd_param_names[] = {");
	for EACH(const char *const, n, names)
		str_printf(out, "%s, ", c_string(*n));
	str_printf(out,
	           "NULL};\n"
	           "\nRD_API int futhark_get_tuning_param_count(void)\n{\n\treturn %d;\n}\n"
	           "\nRD_API const char *futhark_get_tuning_param_name(int i)\n{\n\treturn "
	           "rd_param_names[i];\n}\n"
	           "\nRD_API const char *futhark_get_tuning_param_class(int "
	           "i)\n{\n\t(void)i;\n\treturn \"user\";\n}\n"
	           "\nRD_API int futhark_context_config_set_tuning_param(struct "
	           "futhark_context_config *cfg,\n"
	           "                                                   const char *param_name, "
	           "size_t new_value)\n"
	           "{\n\treturn rd_set_param(cfg, rd_param_names, %d, param_name, new_value);\n}\n",
	           names.len, names.len);
}

void gen_param(Gen *g, const Stm *s)
{
	const char *name = param_of(s);
	if (g->target == ON_DEVICE)
		bug("tuning parameter %s in a kernel", name);
	int k = 0;
	if (g->target == ON_HOST)
		k = param_number(g->device, name, "user", -1);
	else
		while (strcmp(g->params.at[k], name) != 0)
			k++;
	rts_use(g->rts, g->target == ON_HOST ? "device" : "rd_setting");
	const char *get = g->target == ON_HOST ? "rd_device_setting" : "rd_setting";
	declare(g, s->pat.at[0], x_call(get, ctx(g), x_int(k)));
}
