// The command dev: shows what a program is at any stage of the compiler, and runs passes over
// core.  Tests of passes, bug reports and experiments use it.
//
//     raido dev --dump-core a.fut            core as lowered
//     raido dev a.core dce                   core after a pass
//     raido dev --dump-after=all --check=each --stats a.fut dce
#include "cli/cli.h"
#include "pass/pass.h"

#include <errno.h>
#include <stdlib.h>

typedef struct {
	bool tokens, ast, types, core, structure, bare, kernels;
	PassOptions passes;
} Dev;

// ---- Options ----

// A list of passes separated by commas, or "all".
static const char *set_passes(bool *set, const char *arg)
{
	if (strcmp(arg, "all") == 0) {
		for (int i = 0; i < N_PASS; i++)
			set[i] = true;
		return NULL;
	}
	Pipeline some;
	const char *why = pipeline_of_names(arg, &some);
	if (why)
		return why;
	for EACH(const PassId, id, some)
		set[*id] = true;
	return NULL;
}

static const char *set_dump(void *to, const char *arg)
{
	return set_passes(((PassOptions *)to)->dump, arg);
}

static const char *set_skip(void *to, const char *arg)
{
	return set_passes(((PassOptions *)to)->skip, arg);
}

static const char *set_stop(void *to, const char *arg)
{
	PassOptions *o = to;
	Pipeline some;
	const char *why = pipeline_of_names(arg, &some);
	if (why || some.len != 1)
		return why ? why : "--stop-after takes one pass.";
	o->stop = true;
	o->stop_after = some.at[0];
	return NULL;
}

static const char *set_check(void *to, const char *arg)
{
	static const char *const when[] = {"off", "end", "each"}; // ORDER CheckWhen
	for (int i = 0; i < 3; i++)
		if (strcmp(arg, when[i]) == 0) {
			((PassOptions *)to)->check = (CheckWhen)i;
			return NULL;
		}
	return "--check is off, end or each.";
}

static const char *list_of_others(const Pass *p)
{
	Str s = {0};
	for (int i = 0; i < p->then.len; i++)
		str_printf(&s, "%s %s", i ? "," : "; then", passes[p->then.at[i]].name);
	for (int i = 0; i < p->runs.len; i++)
		str_printf(&s, "%s %s", i ? "," : "; between rounds", passes[p->runs.at[i]].name);
	return str_text(&s);
}

// The passes of a back end in order, with the stage that each gives.
static const char *print_pipeline(void *to, const char *backend)
{
	static const char *const backends[] = {"c", "multicore", "cuda", "opencl"};
	Stage stage = STAGE_SOAC;
	bool known = false;
	(void)to;
	for (int i = 0; i < 4; i++)
		known |= strcmp(backend, backends[i]) == 0;
	if (!known)
		return "--pipeline takes c, multicore, cuda or opencl.";
	Pipeline all = pipeline_of_backend(backend);
	for EACH(const PassId, id, all) {
		const Pass *p = &passes[*id];
		stage = p->gives ? p->gives : stage;
		printf("%-14s %-7s %s%s\n", p->name, stage_name(stage), p->about,
		       list_of_others(p));
	}
	exit(0);
}

static const char *list_of_passes(void)
{
	Str s = {0};
	str_puts(&s, "The passes.  The pipelines standard, soac and sequential, after soac the "
	             "pipelines threads, c\nand gpu, and after sequential c, can be given too.\n");
	for (int i = 0; i < N_PASS; i++)
		str_printf(&s, "  %-14s %s\n", passes[i].name, passes[i].about);
	return str_text(&s);
}

// ---- The surface program ----

static void dump_val(const ValDecl *v, const char *indent)
{
	static const char *const keywords[] = {"def", "let", "entry"}; // ORDER ValDecl.keyword
	printf("%s%s %s", indent, keywords[v->keyword], v->name);
	for EACH(Pat *, p, v->pats)
		printf(" %s", show_pat(*p));
	if (v->ret)
		printf(" : %s", show_type_expr(v->ret));
	printf(" =\n%s  %s\n", indent, show_expr(v->body));
}

// The declarations of a module written out in braces.
static const Decls *body_of(const Decl *d)
{
	const ModExpr *m = d->kind == DEC_MODULE ? d->module.body : NULL;
	return m && m->kind == ME_BODY ? &m->body : NULL;
}

static void dump_ast(Decls decls, const char *indent)
{
	for EACH(Decl *, d, decls) {
		if ((*d)->kind == DEC_VAL) {
			dump_val(&(*d)->val, indent);
		} else if (body_of(*d)) {
			printf("%smodule %s = {\n", indent, (*d)->module.name);
			dump_ast(*body_of(*d), text("%s  ", indent));
			printf("%s}\n", indent);
		} else {
			printf("%s%s\n", indent, span_text((*d)->span));
		}
	}
}

static void dump_types(Decls decls, const char *prefix)
{
	for EACH(Decl *, d, decls) {
		if ((*d)->kind == DEC_VAL && (*d)->val.binding)
			printf("%s%s : %s\n", prefix, (*d)->val.name,
			       show_scheme(&(*d)->val.binding->scheme));
		else if (body_of(*d))
			dump_types(*body_of(*d), text("%s%s.", prefix, (*d)->module.name));
	}
}

// ---- From a file to core ----

static Prog *read_core(const char *path)
{
	size_t len;
	const char *bytes = read_file(path, &len);
	Source *source = bytes ? source_add(path, bytes, len) : NULL;
	if (!source) {
		fprintf(stderr, "%s: %s\n", path, bytes ? "file too large" : strerror(errno));
		return NULL;
	}
	Prog *prog = core_parse(source);
	report_diags();
	return prog;
}

// What was asked to be shown of the surface program is printed on the way; *done when that
// was all.
static Prog *read_surface(const char *path, const Dev *dev, bool *done)
{
	Loaded l;
	LoadOptions options = {.no_warnings = true, .syntax_only = dev->ast};
	bool ok = driver_check(path, options, &l);
	report_diags();
	if (!ok)
		return NULL;
	if (dev->ast)
		dump_ast(l.program->root->decls, "");
	if (dev->types)
		dump_types(l.program->root->decls, "");
	*done = dev->ast || dev->types;
	if (*done)
		return NULL;
	Prog *prog = lower_program(l.program, &(LowerOptions){0});
	report_diags();
	return prog;
}

// ---- The command ----

static int run_and_print(Prog *prog, const Dev *dev, Pipeline pipeline, bool from_user)
{
	const char *why = dev->passes.check == CHECK_OFF ? NULL : core_check(prog);
	if (why && from_user) {
		fprintf(stderr, "The program is not well-formed core: %s\n", why);
		return 2;
	}
	if (why)
		bug("after lowering: %s", why);
	if (!dev->core)
		prog = run_passes(prog, pipeline, &dev->passes);
	report_diags();
	fputs(dev->kernels ? gen_kernel_text(prog)
	      : dev->structure ? show_structure(prog)
	      : dev->bare ? show_prog_bare(prog) : show_prog(prog), stdout);
	return 0;
}

static Pipeline pipeline_of(const Usage *u, Texts names)
{
	VEC(PassId) ids = {0};
	for (int i = 1; i < names.len; i++) {
		Pipeline some;
		const char *why = pipeline_of_names(names.at[i], &some);
		if (why)
			usage_error(u, "%s", why);
		VEC_APPEND(&ids, some);
	}
	return VEC_SLICE(Pipeline, ids);
}

int cmd_dev(int argc, char **argv)
{
	Dev dev = {.passes = {.check = CHECK_END}};
	PassOptions *o = &dev.passes;
	const Opt opts[] = {
		{0, "dump-tokens", NULL, OPT_FLAG, &dev.tokens, "Print the tokens.", NULL},
		{0, "dump-ast", NULL, OPT_FLAG, &dev.ast, "Print the program as parsed.", NULL},
		{0, "dump-types", NULL, OPT_FLAG, &dev.types,
		 "Print the types of definitions.", NULL},
		{0, "dump-kernels", NULL, OPT_FLAG, &dev.kernels,
		 "Print the source of the kernels, after the passes soac, gpu and gpu_mem.", NULL},
		{0, "dump-core", NULL, OPT_FLAG, &dev.core,
		 "Print the core program before any pass.", NULL},
		{0, "dump-after",
		 "PASS,..|all", OPT_CALL, o, "Print the core program after these passes.",
		 set_dump},
		{0, "pipeline", "BACKEND", OPT_CALL, o, "Print the passes of a back end in order, "
		 "with the stages they produce and the passes they run, and exit.", print_pipeline},
		{0, "stop-after", "PASS", OPT_CALL, o, "Stop after this pass.", set_stop},
		{0, "fuel", "PASS:N", OPT_CALL, o, "Limit a pass to N rewrites.", set_fuel},
		{0, "structure", NULL, OPT_FLAG, &dev.structure,
		 "Print the number of statements of each form instead of the program.", NULL},
		{0, "bare", NULL, OPT_FLAG, &dev.bare,
		 "Print the program without the places it comes from.", NULL},
		{0, "skip", "PASS,..", OPT_CALL, o, "Skip these passes.", set_skip},
		{0, "check", "off|end|each", OPT_CALL, o,
		 "When to check the core program: never, at the "
		 "end (the default) or after each pass.", set_check},
		OPT_CHECKED,
		{0, "time", NULL, OPT_FLAG, &o->time, "Print the time each pass takes.", NULL},
		{0, "stats", NULL, OPT_FLAG, &o->stats,
		 "Print the program size before and after each pass.", NULL},
	};
	const Usage u = {
		"dev", "FILE.fut|FILE.core [PASS...]", "Runs the given passes over a program and "
		"prints the result as textual core, or prints an earlier stage of the front end.",
		1, -1, OPTS(opts),
		list_of_passes(),
	};
	Texts args = parse_args(&u, argc, argv);
	char *path = (char *)args.at[0];
	if (dev.tokens)
		return cmd_tokens(2, (char *[]){(char *)"tokens", path, NULL});
	Pipeline pipeline = pipeline_of(&u, args);
	bool done = false, is_core = str_ends(path, ".core");
	Prog *prog = is_core ? read_core(path) : read_surface(path, &dev, &done);
	if (!prog)
		return done ? 0 : 2;
	Stage stage = prog->stage;
	const char *why = pipeline_fits(pipeline, &stage);
	if (why)
		usage_error(&u, "%s", why);
	return run_and_print(prog, &dev, pipeline, is_core);
}
