// The command run: interprets a program, with arguments from the command line or standard input.
#include "cli/cli.h"

static int fail_run(const char *message)
{
	fflush(stdout);
	fprintf(stderr, "%s\n", message);
	return 1;
}

static const char *types_of(const Values *v)
{
	Str s = {0};
	for (int i = 0; i < v->len; i++)
		str_printf(&s, "%s%s", i ? " " : "", value_type_text(&v->at[i]));
	return str_text(&s);
}

// A tuple is printed a component per line.
static void print_result(const EntryType *t, const Value *flat)
{
	if (t->kind != ET_RECORD || !t->is_tuple) {
		puts(show_surface(t, flat, TEXT_SHORTEST));
		return;
	}
	for EACH(EntryField, f, t->fields) {
		puts(show_surface(f->type, flat, TEXT_SHORTEST));
		flat += f->type->n_values;
	}
}

static void say_waiting(const Fun *f)
{
	fprintf(stderr, "Waiting for the arguments of \"%s\" on standard input:", f->entry_name);
	for (int i = 0; i < f->entry->params.len; i++) {
		EntryParam p = f->entry->params.at[i];
		fprintf(stderr, "%s %s: %s", i ? "," : "", p.name, p.type->name);
	}
	fputs(".  End them with Ctrl-D.\n", stderr);
}

// At a terminal nobody is asked for the arguments of a function that has none.
static const char *read_input(const Fun *f, Texts words, size_t *len)
{
	*len = 0;
	if (words.len) {
		Str s = {0};
		for EACH(const char *const, w, words)
			str_printf(&s, "%s ", *w);
		*len = s.len;
		return str_text(&s);
	}
	bool terminal = stream_is_terminal(stdin);
	if (f->entry->params.len == 0 && terminal)
		return "";
	if (terminal)
		say_waiting(f);
	return read_stream(stdin, len);
}

// The parameter that flat value number i is for.
static EntryParam param_of(const Fun *f, int i)
{
	for EACH(EntryParam, p, f->entry->params) {
		if (i < p->type->n_values)
			return *p;
		i -= p->type->n_values;
	}
	bug("no such value of an argument");
}

// What is wrong with input that is not what the entry point takes.
static const char *explain(const Fun *f, const Values *any, int at, const Leaves *want)
{
	if (any->len && any->len != want->len)
		return text("Entry point \"%s\" expects input of type(s)\n  %s\n"
		            "Got input of types\n  %s",
		            f->entry_name, leaves_text(want), types_of(any));
	if (at < any->len && !leaf_accepts(want->at[at], &any->at[at]))
		return text("Invalid argument type.\nExpected: %s\nGot:      %s",
		            want->at[at]->name, value_type_text(&any->at[at]));
	return at < want->len ? text("Error when reading input #%d of type %s, for \"%s\".", at,
	                             want->at[at]->name, param_of(f, at).name)
	                      : "Malformed data.";
}

// The flat values of the arguments; NULL, or what is wrong.
static const char *read_arguments(const Fun *f, Texts words, Values *args)
{
	size_t len;
	Leaves want = {0};
	const char *why = NULL, *bytes = read_input(f, words, &len);
	int at = 0;
	if (!bytes)
		return "Cannot read standard input.";
	for EACH(EntryParam, p, f->entry->params)
		if (!entry_leaves(p->type, true, &want))
			return text("Values of type \"%s\", for \"%s\", have no external "
			            "representation.", p->type->name, p->name);
	Types types = {NEW_ARRAY(Type, want.len + 1), want.len};
	for (int i = 0; i < want.len; i++) {
		const EntryType *t = want.at[i];
		bool array = t->kind == ET_ARRAY;
		types.at[i] = type_scalar(array ? t->elem->prim : t->prim);
		types.at[i].dims.len = array ? t->rank : 0;
	}
	if (values_read_as(bytes, len, types, args, &at, &why))
		return NULL;
	Values any = {0};
	const char *ignored = NULL;
	if (!values_read(bytes, len, &any, &ignored))
		any.len = 0;
	return text("%s\n%s: %s.", explain(f, &any, at, &want),
	            words.len ? "Command line" : "Standard input", why);
}

static void print_binary(const Values *results)
{
	Str s = {0};
	for EACH(Value, v, *results)
		value_write_binary(&s, v);
	fwrite(s.at, 1, s.len, stdout);
}

static int call(const Loaded *l, const Fun *f, Texts words, bool binary)
{
	Values args = {0}, results = {0};
	const char *problem = read_arguments(f, words, &args);
	if (problem)
		return fail_run(problem);
	RunError e = interp_call(l->interp, f, &args, &results, stdout);
	if (e.message)
		return fail_run(show_run_error(&e));
	if (binary)
		print_binary(&results);
	else
		print_result(f->entry->result, results.at);
	return 0;
}

// Lowers the entry point to run, or all and what is derived from them.
static bool lower(Loaded *l, const char *entry, Texts derive)
{
	Name only = name_of(entry);
	bool safe = checks_wanted & CHECKS_ATTRIBUTES;
	LowerOptions one = {.entries = {&only, 1}, .only_listed = true, .safe = safe},
		     all = {.safe = safe};
	l->prog = lower_program(l->program, derive.len ? &all : &one);
	const char *why = l->prog ? derive_entries(l->prog, derive, false) : NULL;
	for (int i = 0; l->prog && !why && i < l->prog->funs.len; i++) {
		const Fun *f = l->prog->funs.at[i];
		if (f->entry && attr_argument(f->entry->attrs, ATTR_SPLIT))
			why = text("Cannot derive %s: split is for compiled programs",
			           f->entry_name);
	}
	if (why)
		fprintf(stderr, "%s.\n", why);
	if (!l->prog || why)
		return false;
	if (checks_wanted)
		l->prog = run_passes(l->prog, pipeline_checked, &(PassOptions){.check = CHECK_END});
	l->interp = interp_new(l->prog);
	return true;
}

static const char *no_entry(const Program *p, const char *wanted)
{
	Str all = {0};
	for EACH(Decl *, d, p->root->decls)
		if ((*d)->kind == DEC_VAL && (*d)->val.keyword == VAL_ENTRY)
			str_printf(&all, "%s%s", all.len ? ", " : "", (*d)->val.name);
	return text("Invalid entry point: %s\n%s%s", wanted,
	            all.len ? "Use -e to choose another one: " :
	            "The program defines no entry point: \"entry main ... = ...\" makes one.",
	            str_text(&all));
}

int cmd_run(int argc, char **argv)
{
	const char *entry = "main";
	bool no_warnings = false, binary = false;
	TextVec derive = {0};
	const Opt opts[] = {
		{'e', "entry-point", "NAME", OPT_TEXT, &entry,
		 "Entry point to run (default main).", NULL},
		{0, "derive", "SPECS", OPT_LIST, &derive,
		 "Add derived entry points, as in \"raido c\", for use with --entry-point.", NULL},
		OPT_CHECKED,
		{'b', NULL, NULL, OPT_FLAG, &binary, "Print the result in binary format.", NULL},
		{'w', NULL, NULL, OPT_FLAG, &no_warnings, "Suppress warnings.", NULL},
	};
	const Usage u = {
		"run", "PROGRAM [VALUE...]",
		"Runs a program in the interpreter and prints its result.  The arguments of the "
		"entry point are given on the command line or read from standard input.",
		1, -2, OPTS(opts), NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	Loaded l;
	bool ok = driver_check(args.at[0], (LoadOptions){.no_warnings = no_warnings}, &l);
	if (ok && !derive.len && !env_value(scope_env(l.program->scope), name_of(entry))) {
		report_diags();
		return fail_run(no_entry(l.program, entry));
	}
	ok = ok && lower(&l, entry, texts_of(derive));
	report_diags();
	if (!ok)
		return 2;
	const Fun *f = find_entry(l.prog, entry);
	Texts words = {args.at + 1, args.len - 1};
	return f ? call(&l, f, words, binary) : fail_run(no_entry(l.program, entry));
}
