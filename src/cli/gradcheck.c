// The command gradcheck: checks derivatives of entry points against finite differences.
//
// For each component x_i of the float arguments, three numbers are compared: the derivative of a
// weighted sum of the results (gradfuns.c) in reverse mode, in forward mode, and by central
// differences.  The differences are taken at several step sizes and extrapolated to step zero
// (Richardson; Ridders' table); the best entry of the table comes with an estimate of its error:
//
//     d(h) = (f(x + h) - f(x - h)) / 2h = f' + c h^2 + ...     d(h), d(h/k), d(h/k^2), ...
//
// If the left and right differences disagree, the function has a kink there, and any derivative
// between the two is accepted.
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

enum { TABLE = 10 };            // steps tried
static const double SHRINK = 1.6;

typedef struct {
	TextVec entries;
	const char *tolerance_text;
	double tolerance;               // 0: by type
	int64_t seed, size, components, inputs;
	bool interpreter, verbose;
	const char *domain;
	double least, most;             // of random floats, if there is a domain
} Options;

typedef struct {
	const Options *options;
	Script script;
	const Fun *fun, *value, *forward, *reverse;
	GradFuns names;
	Values args;
	double tolerance;
	int at, component;              // what is perturbed: the flat argument, its element
	Scalar kept;                    // and its value
	const char *problem;            // of a call
} Check;

// The comparison of one component.
typedef struct {
	enum { AGREES, WRONG, UNCERTAIN, KINK } verdict;
	int at;
	int64_t component;
	double reverse, forward, differences, distance; // the latter relative, in tolerances
} Finding;

typedef struct { int findings, wrong, uncertain, kinks; Finding worst; } Summary;

// ---- Values and differences ----

static bool call(Check *c, const Fun *f, const Values *args, Values *out)
{
	return script_run(&c->script, f, args, out, &c->problem);
}

static double value_at(Check *c, Scalar x)
{
	Values out = {0};
	value_set(&c->args.at[c->at], c->component, x);
	bool ok = call(c, c->value, &c->args, &out);
	value_set(&c->args.at[c->at], c->component, c->kept);
	return ok ? value_get(&out.at[0], 0).f : NAN;
}

// The difference quotient between two numbers of the component's type near its value.
static double quotient(Check *c, double below, double above)
{
	Scalar a = scalar_float(c->kept.type, c->kept.f - below);
	Scalar b = scalar_float(c->kept.type, c->kept.f + above);
	return (value_at(c, b) - value_at(c, a)) / (b.f - a.f);
}

static double precision_of(PrimType t)
{
	return t == PT_F64 ? 0x1p-52 : t == PT_F32 ? 0x1p-23 : 0x1p-10;
}

// The first step: large enough for the type, small enough for the argument.
static double first_step(const Check *c)
{
	double size = fmax(fabs(c->kept.f), 0.1);
	return size * 4 * pow(precision_of(c->kept.type), 0.2);
}

static double extrapolated(Check *c, double *error)
{
	double table[TABLE][TABLE], h = first_step(c), best = NAN;
	*error = INFINITY;
	for (int i = 0; i < TABLE; i++, h /= SHRINK) {
		table[0][i] = quotient(c, h, h);
		if (!isfinite(best)) {
			best = table[0][i];     // until two steps could be compared
			*error = INFINITY;
		}
		double factor = SHRINK * SHRINK;
		for (int j = 1; j <= i; j++, factor *= SHRINK * SHRINK) {
			double finer = table[j - 1][i], coarser = table[j - 1][i - 1];
			table[j][i] = (finer * factor - coarser) / (factor - 1);
			double e = fmax(fabs(table[j][i] - finer), fabs(table[j][i] - coarser));
			if (e <= *error) {
				*error = e;
				best = table[j][i];
			}
		}
		if (i && fabs(table[i][i] - table[i - 1][i - 1]) > 2 * *error)
			break;
	}
	return best;
}

// ---- One component ----

static double distance(double a, double b)
{
	if (isnan(a) && isnan(b))
		return 0;
	double d = fabs(a - b) / fmax(1, fmax(fabs(a), fabs(b)));
	return isnan(d) ? INFINITY : d;
}

static bool at_kink(Check *c, double derivative)
{
	double h = first_step(c) / 100;
	double left = quotient(c, h, 0), right = quotient(c, 0, h), left2 = quotient(c, h / 4, 0),
	       right2 = quotient(c, 0, h / 4);
	double gap = fabs(left2 - right2), slack = 10 * c->tolerance * fmax(1, fabs(derivative));
	return gap > slack && gap > 0.5 * fabs(left - right) &&
	       derivative >= fmin(left2, right2) - slack &&
	       derivative <= fmax(left2, right2) + slack;
}

static void judge(Check *c, Finding *f, double error)
{
	double modes = 10 * distance(f->reverse, f->forward) / c->tolerance;
	double from = distance(f->reverse, f->differences) / c->tolerance;
	double slack = 4 * error / (c->tolerance * fmax(1, fabs(f->differences)));
	f->distance = fmax(modes, from);
	if (modes <= 1 && from <= 1)
		f->verdict = AGREES;
	else if (modes <= 1 && at_kink(c, f->reverse))
		f->verdict = KINK;
	else if (modes <= 1 && (from <= 1 + slack || !isfinite(f->differences)))
		f->verdict = UNCERTAIN;
	else
		f->verdict = WRONG;
}

static bool forward_mode(Check *c, double *out)
{
	Values args = {0}, got = {0};
	VEC_APPEND(&args, c->args);
	for EACH(int, k, c->names.active) {
		const Value *like = &c->args.at[*k];
		Value seed = value_new(like->type, like->rank, like->shape);
		if (*k == c->at)
			value_set(&seed, c->component, scalar_int(like->type, 1));
		VEC_PUSH(&args, seed);
	}
	if (!call(c, c->forward, &args, &got))
		return false;
	*out = value_get(&got.at[0], 0).f;
	return true;
}

static bool check_component(Check *c, double reverse, Finding *f)
{
	double error;
	*f = (Finding){.at = c->at, .component = c->component, .reverse = reverse};
	c->kept = value_get(&c->args.at[c->at], c->component);
	if (!forward_mode(c, &f->forward))
		return false;
	f->differences = extrapolated(c, &error);
	judge(c, f, error);
	return true;
}

// ---- One input ----

static void note(Summary *s, const Finding *f)
{
	bool wrong = s->worst.verdict == WRONG, further = f->distance > s->worst.distance;
	bool worse = f->verdict == WRONG ? !wrong || further : !wrong && further;
	if (worse || !s->findings)
		s->worst = *f;
	s->findings++;
	s->wrong += f->verdict == WRONG;
	s->uncertain += f->verdict == UNCERTAIN;
	s->kinks += f->verdict == KINK;
}

// All components, or as many as asked for, spread over the arguments.
static bool check_components(Check *c, const Values *gradient, Summary *s)
{
	int64_t total = 0, most = c->options->components, index = 0;
	for EACH(int, k, c->names.active)
		total += value_count(&c->args.at[*k]);
	int64_t stride = most > 0 && total > most ? (total + most - 1) / most : 1;
	for (int a = 0; a < c->names.active.len; a++) {
		c->at = c->names.active.at[a];
		int64_t n = value_count(&c->args.at[c->at]);
		for (int64_t i = 0; i < n; i++, index++) {
			if (index % stride)
				continue;
			Finding f;
			c->component = (int)i;
			if (!check_component(c, value_get(&gradient->at[a], i).f, &f))
				return false;
			note(s, &f);
		}
	}
	return true;
}

// "xs[2, 1]": the argument by name, with the index.
static const char *place_of(const Check *c, const Finding *f)
{
	Str s = {0};
	int flat = 0;
	for EACH(EntryParam, p, c->fun->entry->params) {
		if (f->at < flat + p->type->n_values) {
			str_puts(&s, p->name && *p->name ? p->name : "argument");
			if (p->type->n_values > 1)
				str_printf(&s, " (part %d)", f->at - flat);
			break;
		}
		flat += p->type->n_values;
	}
	const Value *v = &c->args.at[f->at];
	int64_t rest = f->component;
	int64_t *index = NEW_ARRAY(int64_t, v->rank + 1);
	for (int d = v->rank; d-- > 0; rest /= v->shape[d])
		index[d] = rest % v->shape[d];
	for (int d = 0; d < v->rank; d++)
		str_printf(&s, "%s%lld", d ? ", " : "[", (long long)index[d]);
	if (v->rank)
		str_putc(&s, ']');
	return str_text(&s);
}

static void print_worst(const Check *c, const Finding *f)
{
	printf("  worst: %s: reverse %.10g, forward %.10g, differences %.10g\n", place_of(c, f),
	       f->reverse, f->forward, f->differences);
}

static void print_summary(const Check *c, const char *input, const Summary *s)
{
	printf("%s, %s: ", c->fun->entry_name, input);
	if (s->wrong)
		printf("WRONG, %d of %d derivatives", s->wrong, s->findings);
	else
		printf("ok, %d derivative%s", s->findings, s->findings == 1 ? "" : "s");
	if (s->uncertain)
		printf(", %d uncertain", s->uncertain);
	if (s->kinks)
		printf(", %d at kinks", s->kinks);
	putchar('\n');
	if (s->findings && (s->wrong || c->options->verbose))
		print_worst(c, &s->worst);
}

static double default_tolerance(const Check *c)
{
	double most = 0;
	for EACH(int, k, c->names.active)
		most = fmax(most, precision_of(c->args.at[*k].type));
	for EACH(Var, r, c->fun->res)
		if (is_float(vars[r->id].type.elem))
			most = fmax(most, precision_of(vars[r->id].type.elem));
	return most < 1e-12 ? 1e-5 : most < 1e-5 ? 2e-2 : 0.2;
}

// False when a derivative is wrong or could not be computed.
static bool check_input(Check *c, const char *input)
{
	Values gradient = {0};
	Summary s = {0};
	c->tolerance = c->options->tolerance > 0 ? c->options->tolerance : default_tolerance(c);
	if (!call(c, c->reverse, &c->args, &gradient) || !check_components(c, &gradient, &s)) {
		printf("%s, %s: FAILED\n%s\n", c->fun->entry_name, input, c->problem);
		return false;
	}
	print_summary(c, input, &s);
	return s.wrong == 0;
}

// ---- Inputs ----

// Moves a random float, between -1 and 1 or so, into the domain; without one to what is positive if
// so asked.
static void into_domain(const Options *o, Value *v, int64_t at, bool positive)
{
	double x = value_get(v, at).f;
	if (o->domain)
		x = o->least + (o->most - o->least) * (x - floor(x));
	else if (positive)
		x = 0.1 + fabs(x);
	value_set(v, at, scalar_float(v->type, x));
}

// Random arguments on which the function has a finite value: of both signs, or positive.
static bool random_input(Check *c, uint64_t seed)
{
	for (uint64_t i = 0; i < 20; i++) {
		c->args = (Values){0};
		if (!make_arguments(&c->script, c->fun, c->options->size, seed * 1000 + i, &c->args,
		                    &c->problem))
			return false;
		for EACH(int, k, c->names.active)
			for (int64_t j = 0, n = value_count(&c->args.at[*k]); j < n; j++)
				into_domain(c->options, &c->args.at[*k], j, i % 2);
		Values out = {0};
		if (call(c, c->value, &c->args, &out) && isfinite(value_get(&out.at[0], 0).f))
			return true;
		if (!c->problem)
			c->problem = "The results are not finite.";
	}
	return false;
}

// *unchecked: nothing could be tried.
static bool check_random_inputs(Check *c, bool *unchecked)
{
	bool ok = true;
	for (int64_t i = 0; i < c->options->inputs; i++) {
		c->problem = NULL;
		if (random_input(c, (uint64_t)(c->options->seed + i))) {
			ok &= check_input(c, text("random input %lld", (long long)i));
			continue;
		}
		if (i)
			continue;
		printf("%s: not checked: no random input will do; add a test block, "
		       "or give a --domain\n%s\n", c->fun->entry_name, c->problem);
		*unchecked = true;
		return true;
	}
	return ok;
}

static bool check_cases(Check *c, const TestSpec *spec, int *n_cases)
{
	bool ok = true;
	for EACH(EntryTests, e, spec->entries) {
		if (strcmp(e->entry, c->fun->entry_name) != 0)
			continue;
		for EACH(TestCase, t, e->cases) {
			const char *why = NULL;
			if (t->result == RES_ERROR || has_tag(t->tags, "nogradcheck"))
				continue;
			c->args = (Values){0};
			++*n_cases;
			if (!case_input(&c->script, spec, t, c->fun, &c->args, &why)) {
				printf("%s, %s: FAILED\n%s\n", c->fun->entry_name, t->name, why);
				ok = false;
				continue;
			}
			ok &= check_input(c, t->name);
		}
	}
	return ok;
}

// ---- The command ----

static const char *parse_flags(Options *o, int argc, char **argv)
{
	const Opt opts[] = {
		{'e', "entry-point", "NAME", OPT_LIST, &o->entries,
		 "Check only this entry point; may be repeated (default: all with floats).",
		 NULL},
		{'t', "tolerance", "X", OPT_TEXT, &o->tolerance_text,
		 "Tolerated relative error (default: 1e-5 for f64, 2e-2 for f32, 0.2 for f16).",
		 NULL},
		{'c', "components", "N", OPT_INT, &o->components,
		 "Check at most N evenly spaced components of an input (default 100, 0 for all).",
		 NULL},
		{'n', "inputs", "N", OPT_INT, &o->inputs,
		 "Number of random inputs for an entry point without tests (default 3).", NULL},
		{0, "size",
		 "N", OPT_INT, &o->size, "Maximum size of random arrays (default 5).", NULL},
		{'s', "seed",
		 "N", OPT_INT, &o->seed, "Seed of the random inputs (default 1).", NULL},
		{0, "domain", "LO:HI", OPT_TEXT, &o->domain,
		 "Interval that random floats are taken from.", NULL},
		{'i', "interpreter", NULL, OPT_FLAG, &o->interpreter,
		 "Check the interpreter's derivatives instead of the compiler's.", NULL},
		{'v', "verbose", NULL, OPT_FLAG, &o->verbose,
		 "Print the worst component even if it is within the tolerance.", NULL},
	};
	const Usage u = {
		"gradcheck", "PROGRAM",
		"Checks the forward- and reverse-mode derivatives of entry points against finite "
		"differences, on the inputs of the program's test cases or on random inputs.",
		1, 1, OPTS(opts),
		"Exits with 0 if all derivatives agree, 1 if one is wrong, and 2 if the program\n"
		"has errors.  Components at kinks (max, abs, branches), or where finite\n"
		"differences are too inexact, are counted separately and are not failures.",
	};
	Texts args = parse_args(&u, argc, argv);
	if (o->tolerance_text) {
		char *end;
		o->tolerance = strtod(o->tolerance_text, &end);
		if (*end || !(o->tolerance > 0))
			usage_error(&u, "--tolerance takes a positive number, not \"%s\"",
			            o->tolerance_text);
	}
	if (o->domain) {
		char *end;
		o->least = strtod(o->domain, &end);
		o->most = *end == ':' ? strtod(end + 1, &end) : NAN;
		if (*end || !(o->least < o->most))
			usage_error(&u, "--domain takes an interval such as 0.5:2, not \"%s\"",
			            o->domain);
	}
	if (o->size < 1 || o->inputs < 1 || o->components < 0)
		usage_error(&u, "--size and --inputs take positive numbers");
	return args.at[0];
}

static bool is_wanted(const Options *o, Name entry)
{
	for EACH(const char *, e, o->entries)
		if (strcmp(*e, entry) == 0)
			return true;
	return o->entries.len == 0;
}

typedef struct { const Fun *fun; GradFuns names; } Job;
typedef VEC(Job) Jobs;

// The derivatives of all entry points that have any, added to the program.
static bool add_derivatives(const Options *o, Loaded *l, Jobs *jobs)
{
	bool ok = true;
	for EACH(const char *, e, o->entries)
		if (!find_entry(l->prog, *e)) {
			fprintf(stderr, "Unknown entry point: %s\n", *e);
			ok = false;
		}
	Names all = entry_names(l->prog);
	for EACH(Name, name, all) {
		Job j = {.fun = find_entry(l->prog, *name)};
		if (!is_wanted(o, *name))
			continue;
		if (grad_functions(l->prog, j.fun, &j.names))
			VEC_PUSH(jobs, j);
		else if (o->entries.len || o->verbose)
			printf("%s: no floats to differentiate\n", *name);
	}
	return ok;
}

static bool run_job(const Options *o, Loaded *l, const TestSpec *spec, const Job *j,
                    bool *unchecked)
{
	FILE *nowhere = fopen("/dev/null", "w");
	Check c = {.options = o, .names = j->names, .fun = find_entry(l->prog, j->fun->entry_name),
	           .value = find_entry(l->prog, j->names.value),
	           .forward = find_entry(l->prog, j->names.forward),
	           .reverse = find_entry(l->prog, j->names.reverse),
	           .script = {.loaded = l, .dir = dir_of(spec->path),
	                      .traces = nowhere ? nowhere : stderr}};
	int n_cases = 0;
	bool ok = check_cases(&c, spec, &n_cases);
	if (!n_cases)
		ok = check_random_inputs(&c, unchecked);
	if (nowhere)
		fclose(nowhere);
	return ok;
}

int cmd_gradcheck(int argc, char **argv)
{
	Options o = {.seed = 1, .size = 5, .components = 100, .inputs = 3};
	const char *path = parse_flags(&o, argc, argv), *why = NULL;
	Loaded l;
	bool ok = driver_check(path, (LoadOptions){.no_warnings = true}, &l) &&
	          driver_lower(&l, NULL);
	report_diags();
	if (!ok)
		return 2;
	TestSpec *spec = testspec_read(path, &why);
	if (!spec) {
		fprintf(stderr, "%s\n", why);
		return 2;
	}
	Jobs jobs = {0};
	if (!add_derivatives(&o, &l, &jobs))
		return 2;
	interp_free(l.interp);
	l.interp = interp_new(l.prog);
	if (!o.interpreter)
		driver_optimise(&l, pipeline_soac, &(PassOptions){.check = CHECK_EACH});
	int wrong = 0, checked = 0;
	for EACH(Job, j, jobs) {
		bool unchecked = false;
		wrong += !run_job(&o, &l, spec, j, &unchecked);
		checked += !unchecked;
	}
	printf("%d entry point%s checked, %d wrong", checked, checked == 1 ? "" : "s", wrong);
	printf(checked < jobs.len ? ", %d not checked.\n" : ".\n", jobs.len - checked);
	if (!jobs.len)
		fputs("No entry point has floating-point arguments and results to check.\n",
		      stderr);
	else if (!checked)
		fputs("Nothing was checked.\n", stderr);
	return wrong || !checked ? 1 : 0;
}
