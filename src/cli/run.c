// The command run: a program in the interpreter, arguments from standard input.
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

// NULL when the values can be given to the entry point.
static const char *check_arguments(const Fun *f, const Values *v)
{
	Leaves want = {0};
	if (!entry_input_leaves(f, &want))
		return text("Entry point \"%s\" takes values that have no external representation.",
		            f->entry_name);
	if (want.len != v->len)
		return text("Entry point \"%s\" expects input of type(s)\n  %s\n"
		            "Got input of types\n  %s",
		            f->entry_name, leaves_text(&want), types_of(v));
	for (int i = 0; i < want.len; i++)
		if (!leaf_accepts(want.at[i], &v->at[i]))
			return text("Invalid argument type.\nExpected: %s\nGot:      %s",
				want.at[i]->name,
			            value_type_text(&v->at[i]));
	return NULL;
}

// A tuple is printed a component per line.
static void print_result(const EntryType *t, const Value *flat)
{
	if (t->kind != ET_RECORD || !t->is_tuple) {
		puts(show_surface(t, flat, TEXT_SHORTEST, 0));
		return;
	}
	for EACH(EntryField, f, t->fields) {
		puts(show_surface(f->type, flat, TEXT_SHORTEST, 0));
		flat += f->type->n_values;
	}
}

// At a terminal nobody is asked for the arguments of a function that has none.
static const char *read_input(const Fun *f, size_t *len)
{
	*len = 0;
	if (f->entry->params.len == 0 && stream_is_terminal(stdin))
		return "";
	return read_stream(stdin, len);
}

static void print_binary(const Values *results)
{
	Str s = {0};
	for EACH(Value, v, *results)
		value_write_binary(&s, v);
	fwrite(s.at, 1, s.len, stdout);
}

static int call(const Loaded *l, const Fun *f, bool binary)
{
	size_t len;
	const char *why = NULL, *bytes = read_input(f, &len);
	Values args = {0}, results = {0};
	if (!bytes || !values_read(bytes, len, &args, &why))
		return fail_run(text("Malformed data on standard input.%s%s", why ? "\n" : "",
		                     why ? why : ""));
	const char *problem = check_arguments(f, &args);
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
		 "The function to run (default main).", NULL},
		{0, "derive", "SPECS", OPT_LIST, &derive,
		 "Derive entry points, as raido c does; NAME may be one of them.", NULL},
		OPT_CHECKED,
		{'b', NULL, NULL, OPT_FLAG, &binary, "Print the result in binary form.", NULL},
		{'w', NULL, NULL, OPT_FLAG, &no_warnings, "Print no warnings.", NULL},
	};
	const Usage u = {
		"run", "PROGRAM",
		"Runs a program in the interpreter.  The arguments of the entry point "
		"are read from standard input in text form, and its result is printed.",
		1, 1, OPTS(opts), NULL,
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
	return f ? call(&l, f, binary) : fail_run(text("Invalid entry point: %s", entry));
}
