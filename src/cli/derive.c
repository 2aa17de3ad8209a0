// Entry points derived from those of the program, as core functions: `--derive SPEC`.
//
//     [NAME=]ENTRY:STEP.STEP...      STEP: jvp, vjp, vjp2, grad, hvp, map, split; with (a+b)
//
// A step makes a function of a function.  All values are flat: a record is its fields.
//
//     f      (w: [n]f64) (k: i64) : (f64, [n]f64)
//     jvp    (w, k, d_w)       = results of f, then the tangents of the float ones
//     vjp    (w, k, ct0, ct1)  = adjoints of the float arguments
//     vjp2   (w, k, ct0, ct1)  = results of f, then these adjoints
//     grad   (w, k)            = results of f, then the adjoints for cotangent 1 of the first
//     hvp    (w, k, d_w)       = the product of the Hessian of the first result with d_w
//     map    (ws, ks)          = results of f for each row; all have one dimension more
//     split                      vjp2 as two functions, NAME_fwd and NAME_bwd; only map may follow:
//                                split(w).map(x+ct) is vjp2(w).map(x+ct) as two functions, of rows
//
// The names in parentheses are the arguments that a derivative is by, or that have rows; without
// them it is by all floats, and all arguments have rows.
//
// Sizes of results that are known only afterwards: a first call tells them, the cotangents must
// have them, and inside of derivatives results are coerced to them.
#include "cli/making.h"

typedef enum {
	STEP_JVP, STEP_VJP, STEP_VJP2, STEP_GRAD, STEP_HVP, STEP_MAP, STEP_SPLIT, N_STEP
} StepKind;
static const char *const step_name[N_STEP] = {"jvp", "vjp", "vjp2", "grad", "hvp", "map",
                                               "split"};
typedef struct { StepKind kind; TextVec by; } Step;
typedef struct { const char *name; const char *entry; VEC(Step) steps; const char *text; } Derived;

// ---- The values of an entry point ----

static bool names_value(const char *want, const char *name)
{
	size_t n = strlen(want);
	return strncmp(want, name, n) == 0 && (!name[n] || name[n] == '.');
}

static bool is_listed(const TextVec *by, const char *name)
{
	for EACH(const char *, w, *by)
		if (names_value(*w, name))
			return true;
	return false;
}

// ---- Building ----

static Var assert_same(Making *m, Sub got, Sub want, bool kept)
{
	static const MsgPart said[] = {{.text = "The result has size "}, {.is_val = true},
	                               {.text = ", but size "}, {.is_val = true},
	                               {.text = " was expected."}};
	MsgPart *parts = mem_dup(said, sizeof said);
	parts[1].val = got;
	parts[3].val = want;
	Sub same = b_eq(&m->b, got, want);
	if (kept)
		m->b.attrs = attr_of(ATTR_KEPT);
	return b_assert(&m->b, same, (Msg){parts, 5});
}

// The values among the results, with the sizes `want` for those that come into being.
static Subs coerced(Making *m, Subs res, Subs want)
{
	Vars certs = {NEW_ARRAY(Var, m->first_res + 1), 0};
	for (int i = 0; i < m->first_res; i++) {
		Var c = assert_same(m, res.at[i], want.at[i], false);
		subst_put(&m->to, m->f->res.at[i], want.at[i]);
		if (c.id)
			certs.at[certs.len++] = c;
	}
	Subs out = {NEW_ARRAY(Sub, res.len + 1), res.len - m->first_res};
	for (int i = 0; i < out.len; i++) {
		Sub s = res.at[m->first_res + i];
		Type t = making_type(m, vars[m->f->res.at[m->first_res + i].id].type);
		m->b.certs = certs;
		out.at[i] = t.dims.len && m->first_res
		          ? b_let(&m->b, "shaped", t, EXP(atom, s)) : s;
		m->b.certs = (Vars){0};
	}
	return out;
}

// The sizes of the results that come into being; they stand for those of f's results from now on.
static Subs result_sizes(Making *m)
{
	if (!m->first_res)
		return (Subs){0};
	Subs res = making_call(m);
	return (Subs){res.at, m->first_res};
}

static Subs values_here(Making *m, const void *sizes)
{
	return coerced(m, making_call(m), *(const Subs *)sizes);
}

static Lambda *values_lambda(Making *m, Vars active, Subs sizes)
{
	return making_lambda(m, active, values_here, &sizes);
}

static Types types_then(Types a, Types b)
{
	Types ts = {NEW_ARRAY(Type, a.len + b.len + 1), 0};
	for EACH(Type, t, a)
		ts.at[ts.len++] = *t;
	for EACH(Type, t, b)
		ts.at[ts.len++] = *t;
	return ts;
}

static Types types_of(Subs subs)
{
	Types ts = {NEW_ARRAY(Type, subs.len + 1), subs.len};
	for (int i = 0; i < subs.len; i++) {
		ts.at[i] = sub_type(subs.at[i]);
		ts.at[i].unique = false;
	}
	return ts;
}

// ---- The steps ----

// The arguments that a derivative is by.
static Vars active_values(const Making *m, const Step *s)
{
	TextVec names = making_value_names(m->f);
	VEC(Var) active = {0};
	for (int i = 0; i < names.len; i++) {
		Var v = m->f->params.at[m->first + i];
		if (is_float_data(v) && (!s->by.len || is_listed(&s->by, names.at[i])))
			VEC_PUSH(&active, v);
	}
	return VEC_SLICE(Vars, active);
}

static const char *name_of_value(const Making *m, Var v)
{
	TextVec names = making_value_names(m->f);
	for (int i = 0; i < names.len; i++)
		if (m->f->params.at[m->first + i].id == v.id)
			return names.at[i];
	bug("no value of the function");
}

static Vars values_of_result(const Making *m)
{
	return (Vars){m->f->res.at + m->first_res, m->f->res.len - m->first_res};
}

static Fun *make_jvp(Prog *prog, const Fun *f, const Step *s, int from, const char *step)
{
	Making m = making_begin(f);
	making_params(&m);
	Vars active = active_values(&m, s), values = values_of_result(&m);
	Subs tangents = {NEW_ARRAY(Sub, active.len + 1), active.len};
	for (int i = 0; i < active.len; i++) {
		Var v = making_like(&m, active.at[i]);
		making_value(&m, text("d_%s", name_of_value(&m, active.at[i])), v);
		tangents.at[i] = sub_var(v);
	}
	Subs sizes = result_sizes(&m);
	Lambda *fn = values_lambda(&m, active, sizes);
	Subs got = b_lets(&m.b, "tan", types_then(fn->ret, fn->ret),
	                  EXP(jvp, .fn = fn, .args = making_args(&m, active), .seeds = tangents));
	VEC(Sub) res = {0};
	for (int i = 0; i < values.len && from < 0; i++)
		VEC_PUSH(&res, got.at[i]);
	for (int i = from < 0 ? 0 : from; i < values.len; i++)
		if (is_float_data(values.at[i]))
			VEC_PUSH(&res, got.at[values.len + i]);
	return making_end(prog, &m, VEC_SLICE(Subs, res), step, NULL);
}

static Sub constant_of(Build *b, Type t, double x)
{
	Scalar c = is_float(t.elem) ? scalar_float(t.elem, x) : scalar_int(t.elem, 0);
	if (!t.dims.len)
		return sub_const(c);
	return b_let(b, "zeros", type_array(t.elem, t.dims), EXP(replicate, t.dims, sub_const(c)));
}

// Parameters for the sizes of cotangents, where only the function knows those.
static Subs size_params(Making *m)
{
	Subs sizes = {NEW_ARRAY(Sub, m->first_res + 1), m->first_res};
	for (int i = 0; i < m->first_res; i++) {
		Var v = var_i64("n");
		making_size(m, v);
		sizes.at[i] = sub_var(v);
		subst_put(&m->to, m->f->res.at[i], sizes.at[i]);
	}
	return sizes;
}

static bool has_size(Vars values, Var size)
{
	for EACH(Var, v, values)
		for EACH(Sub, d, vars[v->id].type.dims)
			if (is_float_data(*v) && d->kind == S_VAR && d->var.id == size.id)
				return true;
	return false;
}

// Sizes that no cotangent has stay as the first call tells them.
static Subs cotangent_sizes(Making *m, Subs given)
{
	Subs known = result_sizes(m);
	for (int i = 0; i < m->first_res; i++) {
		if (has_size(values_of_result(m), m->f->res.at[i]))
			assert_same(m, known.at[i], given.at[i], true);
		else
			given.at[i] = known.at[i];
	}
	return given;
}

static Fun *make_vjp(Prog *prog, const Fun *f, const Step *s)
{
	Making m = making_begin(f);
	bool grad = s->kind == STEP_GRAD;
	making_params(&m);
	Vars active = active_values(&m, s), values = values_of_result(&m);
	Subs seeds = {NEW_ARRAY(Sub, values.len + 1), values.len}, sizes = {0};
	int n_floats = 0, k = 0;
	for EACH(Var, v, values)
		n_floats += is_float_data(*v);
	if (!grad)
		sizes = size_params(&m);
	for (int i = 0; i < values.len && !grad; i++)
		if (is_float_data(values.at[i])) {
			Var v = making_like(&m, values.at[i]);
			making_value(&m, n_floats == 1 ? "ct" : text("ct%d", k++), v);
			seeds.at[i] = sub_var(v);
		}
	sizes = grad ? result_sizes(&m) : cotangent_sizes(&m, sizes);
	for (int i = 0; i < m.first_res; i++)
		subst_put(&m.to, f->res.at[i], sizes.at[i]);
	for (int i = 0; i < values.len; i++) {
		Type t = making_type(&m, vars[values.at[i].id].type);
		if (grad || !is_float_data(values.at[i]))
			seeds.at[i] = constant_of(&m.b, t, grad && i == 0);
	}
	Lambda *fn = values_lambda(&m, active, sizes);
	Subs args = making_args(&m, active);
	Subs got = b_lets(&m.b, "adj", types_then(fn->ret, types_of(args)),
	                  EXP(vjp, .fn = fn, .args = args, .seeds = seeds));
	int from = s->kind == STEP_VJP ? values.len : 0;
	Subs res = {got.at + from, got.len - from};
	int n_args = m.values.len - n_floats;
	Fun *made = making_end(prog, &m, res, step_name[s->kind], NULL);
	if (s->kind == STEP_SPLIT)      // by a pass, when it is differentiated
		made->entry->attrs = with_attr_text(made->entry->attrs,
			text(ATTR_SPLIT "(%d,%d)", n_args, values.len));
	return made;
}

// The rows of arguments: which values of f have them, and the arrays that these are rows of.
typedef struct { const Fun *f; Sub n; Subs arrays; } Rows;

static void add_map_params(Making *m, const Step *s, Rows *r)
{
	TextVec names = making_value_names(r->f);
	Var n = var_new(name_of("n"), type_scalar(PT_I64));
	making_size(m, n);
	r->n = sub_var(n);
	r->arrays = (Subs){NEW_ARRAY(Sub, names.len + 1), names.len};
	for (int i = 0; i < r->f->params.len; i++) {
		Var old = r->f->params.at[i], v = making_like(m, old);
		const char *name = i < m->first ? NULL : names.at[i - m->first];
		if (i < m->first) {
			making_size(m, v);
		} else if (s->by.len && !is_listed(&s->by, name)) {
			making_value(m, name, v);
		} else {
			Var all = var_new(vars[v.id].hint, type_of_rows(r->n, vars[v.id].type));
			making_value(m, name, all);
			r->arrays.at[i - m->first] = sub_var(all);
		}
		subst_put(&m->to, old, sub_var(v));
	}
}

// The results of f from `from` on, `n` of them, for each row; arguments from `late` on are zero.
static Subs map_rows(Making *m, const Rows *r, int late, int from, int n)
{
	VEC(Var) rows = {0};
	VEC(Sub) arrays = {0};
	b_open(&m->b);
	for (int i = 0; i < r->arrays.len; i++) {
		Var old = r->f->params.at[m->first + i];
		bool has_rows = r->arrays.at[i].kind == S_VAR;
		if (i >= late) {
			Type t = making_type(m, vars[old.id].type);
			subst_put(&m->to, old, constant_of(&m->b, t, 0));
		} else if (has_rows) {
			Var v = making_like(m, old);
			subst_put(&m->to, old, sub_var(v));
			VEC_PUSH(&rows, v);
			VEC_PUSH(&arrays, r->arrays.at[i]);
		}
	}
	Subs res = making_call(m);
	Lambda *fn = b_lambda(&m->b, VEC_SLICE(Vars, rows),
	                      (Subs){res.at + m->first_res + from, n});
	return b_map(&m->b, r->n, VEC_SLICE(Subs, arrays), fn);
}

// A function that is to be split (split_sweeps) gives its results without the cotangents, in a map
// of their own.
static Fun *make_map(Prog *prog, const Fun *f, const Step *s)
{
	Making m = making_begin(f);
	Rows r = {.f = f};
	const char *split = attr_argument(f->entry->attrs, ATTR_SPLIT);
	int n_args = 0, n_early = 0;
	int n_values = f->entry->params.len, n_res = f->res.len - m.first_res;
	if (split && sscanf(split, "%d,%d", &n_args, &n_early) != 2)
		bug("split(%s)", split);
	add_map_params(&m, s, &r);
	Subs got = map_rows(&m, &r, n_values, n_early, n_res - n_early);
	if (split)
		got = subs_cat(map_rows(&m, &r, n_args, 0, n_early), got);
	Fun *made = making_end(prog, &m, got, step_name[s->kind], NULL);
	if (split)
		made->entry->attrs = with_attr_text(made->entry->attrs,
		                                    text(ATTR_SPLIT "(%s)", split));
	return made;
}

static Fun *make_hvp(Prog *prog, const Fun *f, const Step *s)
{
	Step grad = {STEP_GRAD, s->by};
	Fun *g = make_vjp(prog, f, &grad);
	Fun *h = make_jvp(prog, g, s, f->entry->result->n_values, step_name[s->kind]);
	g->entry = NULL;
	return h;
}

// ---- Is a step possible? ----

// Does a size of a value or result depend on a value with rows?
static bool size_has_rows(const Making *m, const Step *s, Var v)
{
	TextVec names = making_value_names(m->f);
	for EACH(Sub, d, vars[v.id].type.dims)
		for (int i = 0; i < names.len && d->kind == S_VAR; i++)
			if (m->f->params.at[m->first + i].id == d->var.id &&
			    (!s->by.len || is_listed(&s->by, names.at[i])))
				return true;
	return false;
}

static const char *why_no_rows(const Making *m, const Step *s)
{
	if (m->first_res)
		return "the sizes of its results are not known before";
	if (!m->f->entry->params.len)
		return "it has no arguments";
	for (int i = m->first; i < m->f->params.len; i++)
		if (size_has_rows(m, s, m->f->params.at[i]))
			return "the size of an argument depends on a value with rows";
	for EACH(Var, r, m->f->res)
		if (size_has_rows(m, s, *r))
			return "the size of a result depends on a value with rows";
	return NULL;
}

static const char *listed(const TextVec *names)
{
	Str s = {0};
	for (int i = 0; i < names->len; i++)
		str_printf(&s, "%s%s", i ? ", " : "", names->at[i]);
	return names->len ? str_text(&s) : "none";
}

static const char *why_not(const Fun *f, const Step *s)
{
	Making m = making_begin(f);
	TextVec names = making_value_names(f);
	for EACH(const char *, w, s->by) {
		bool found = false, floats = false;
		for (int i = 0; i < names.len; i++)
			if (names_value(*w, names.at[i])) {
				found = true;
				floats |= is_float_data(f->params.at[m.first + i]);
			}
		if (!found)
			return text("it has no argument %s: they are %s", *w, listed(&names));
		if (!floats && s->kind != STEP_MAP)
			return text("its argument %s is not of floats", *w);
	}
	if (s->kind == STEP_MAP)
		return why_no_rows(&m, s);
	if (!active_values(&m, s).len)
		return "none of the arguments is of floats";
	bool any = false;
	Vars values = values_of_result(&m);
	for EACH(Var, v, values)
		any |= is_float_data(*v);
	if (!any)
		return "no result is of floats";
	if (s->kind == STEP_SPLIT && m.first_res)
		return "the sizes of its results are not known before";
	bool scalar = is_float_data(values.at[0]) && !vars[values.at[0].id].type.dims.len;
	if ((s->kind == STEP_GRAD || s->kind == STEP_HVP) && !scalar)
		return "its first result is not a single float; vjp and jvp are for others";
	return NULL;
}

// ---- Specifications ----

static const char *take_word(const char **at, const char *end)
{
	size_t n = strcspn(*at, end);
	const char *word = text("%.*s", (int)n, *at);
	*at += n;
	return word;
}

static const char *parse_step(const char **at, Step *out)
{
	const char *word = take_word(at, "(.");
	out->kind = N_STEP;
	for (int i = 0; i < N_STEP; i++)
		if (strcmp(step_name[i], word) == 0)
			out->kind = (StepKind)i;
	if (out->kind == N_STEP)
		return text("there is no step \"%s\"; there are jvp, vjp, vjp2, grad, hvp, map, "
		            "split", word);
	if (**at != '(')
		return NULL;
	do {
		++*at;
		VEC_PUSH(&out->by, take_word(at, "+)"));
	} while (**at == '+');
	if (**at != ')')
		return "a parenthesis is not closed";
	++*at;
	return NULL;
}

static const char *parse_spec(const char *said, Derived *out)
{
	const char *at = said, *equals = strchr(said, '=');
	*out = (Derived){.text = said};
	if (equals) {
		out->name = take_word(&at, "=");
		at++;
	}
	out->entry = take_word(&at, ":");
	if (*at != ':' || !*out->entry)
		return "it should be [NAME=]ENTRY:STEP";
	do {
		at++;
		Step s = {0};
		const char *why = parse_step(&at, &s);
		if (why)
			return why;
		VEC_PUSH(&out->steps, s);
	} while (*at == '.');
	return *at ? text("unexpected \"%s\"", at) : NULL;
}

// loss:vjp(w+b).jvp is called loss_vjp_w_b_jvp.
static const char *default_name(const Derived *spec)
{
	Str s = {0};
	str_puts(&s, spec->entry);
	for EACH(Step, step, spec->steps) {
		str_printf(&s, "_%s", step_name[step->kind]);
		for EACH(const char *, w, step->by)
			str_printf(&s, "_%s", *w);
	}
	return str_text(&s);
}

static Fun *make_step(Prog *prog, const Fun *f, const Step *s)
{
	switch (s->kind) {
	case STEP_JVP:
		return make_jvp(prog, f, s, -1, step_name[s->kind]);
	case STEP_VJP: case STEP_VJP2: case STEP_GRAD: case STEP_SPLIT:
		return make_vjp(prog, f, s);
	case STEP_HVP:
		return make_hvp(prog, f, s);
	case STEP_MAP:
		return make_map(prog, f, s);
	case N_STEP:
		break;
	}
	bug("no such step");
}

static const char *derive_one(Prog *prog, const char *said, Fun **made)
{
	Derived spec;
	const char *why = parse_spec(said, &spec);
	Fun *f = why ? NULL : find_entry(prog, spec.entry);
	if (!why && !f)
		why = text("there is no entry point %s", spec.entry);
	for (int i = 0; i < spec.steps.len && !why; i++) {
		Fun *from = f;
		why = why_not(f, &spec.steps.at[i]);
		if (!why && f->entry && attr_argument(f->entry->attrs, ATTR_SPLIT) &&
		    spec.steps.at[i].kind != STEP_MAP)
			why = "only map may come after split";
		if (why)
			return text("Cannot derive %s: %s of %s: %s", said,
			            step_name[spec.steps.at[i].kind], spec.entry, why);
		f = make_step(prog, from, &spec.steps.at[i]);
		if (i)
			from->entry = NULL;
	}
	if (why)
		return text("Cannot derive %s: %s", said, why);
	const char *name = spec.name ? spec.name : default_name(&spec);
	if (find_entry(prog, name))
		return text("Cannot derive %s: there is an entry point %s already", said, name);
	f->entry_name = name_of(name);
	*made = f;
	return NULL;
}

const char *derive_entries(Prog *prog, Texts specs, bool only)
{
	VEC(Fun *) made = {0};
	for EACH(const char *const, s, specs) {
		const char *at = *s;
		while (*at) {
			Fun *f = NULL;
			const char *why = derive_one(prog, take_word(&at, ","), &f);
			if (why)
				return why;
			VEC_PUSH(&made, f);
			at += *at == ',';
		}
	}
	for EACH(Fun *, f, prog->funs) {
		bool is_made = false;
		for EACH(Fun *, g, made)
			is_made |= *g == *f;
		if (only && !is_made)
			(*f)->entry = NULL;
	}
#ifdef RAIDO_HOSTILE
	const char *wrong = core_check(prog);
	if (wrong)
		bug("deriving made a wrong program: %s", wrong);
#endif
	return NULL;
}
