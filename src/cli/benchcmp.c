// The command benchcmp: compares two result files of `raido bench --json`.
//
//     matmul.fut
//       big:            1.23x (mem: 0.50x@default space)
//       small:          1.01x
//
// A speedup above 1 means that the second file is faster.  An asterisk marks significant
// differences: those where the 95 % confidence intervals of the means do not overlap.
#include "cli/cli.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
	const char *name, *note;                // note: why there is no number, or about memory
	double speedup;                         // 0: none
	bool significant;
} Compared;
typedef struct {
	const char *name;
	VEC(Compared) datasets;
	double weight;                          // what programs are sorted by
} ComparedProgram;

// ---- Comparing ----

static bool times_of(const Json *dataset, Times *out)
{
	const Json *runtimes = json_member(dataset, "runtimes");
	if (!runtimes || runtimes->kind != JSON_ARRAY || !runtimes->items.len)
		return false;
	for EACH(Json *, t, runtimes->items)
		VEC_PUSH(out, (int64_t)(*t)->number);
	return true;
}

static const char *memory_note(const Json *a, const Json *b)
{
	const Json *before = json_member(a, "bytes"), *after = json_member(b, "bytes");
	Str s = {0};
	if (!before || before->kind != JSON_OBJECT)
		return "";
	for EACH(const JsonMember, m, before->members) {
		const Json *now = json_member(after, m->key);
		if (!now || m->value->number <= 0 || now->number == m->value->number)
			continue;
		str_printf(&s, "%s%.2fx@%s", s.len ? ", " : " (mem: ",
		           now->number / m->value->number, m->key);
	}
	if (s.len)
		str_putc(&s, ')');
	return str_text(&s);
}

static Compared compare(const char *name, const Json *a, const Json *b)
{
	Compared c = {.name = name, .note = ""};
	Times before = {0}, after = {0};
	if (!b)
		c.note = "only in the first file";
	else if (!times_of(a, &before))
		c.note = "failed in the first file";
	else if (!times_of(b, &after))
		c.note = "failed in the second file";
	if (*c.note)
		return c;
	double lo_a, hi_a, lo_b, hi_b;
	confidence_interval(&before, &lo_a, &hi_a);
	confidence_interval(&after, &lo_b, &hi_b);
	c.significant = hi_a < lo_b || hi_b < lo_a;
	c.speedup = (mean_of(&before) + 1e-9) / (mean_of(&after) + 1e-9);
	c.note = memory_note(a, b);
	return c;
}

static void compare_datasets(ComparedProgram *p, const Json *a, const Json *b)
{
	const Json *before = json_member(a, "datasets"), *after = json_member(b, "datasets");
	if (before && before->kind == JSON_OBJECT)
		for EACH(const JsonMember, m, before->members)
			VEC_PUSH(&p->datasets,
			         compare(m->key, m->value, json_member(after, m->key)));
	if (after && after->kind == JSON_OBJECT)
		for EACH(const JsonMember, m, after->members)
			if (!json_member(before, m->key)) {
				Compared c = {.name = m->key, .note = "only in the second file"};
				VEC_PUSH(&p->datasets, c);
			}
}

// ---- Order ----

typedef enum { BY_FILE, BY_SIGNIFICANT, BY_GEOMEAN_SIGNIFICANT, BY_GEOMEAN_ALL } Order;

// The geometric mean of speedups, or the one furthest from 1.
static double weight_of(const ComparedProgram *p, Order order)
{
	double sum = 0, furthest = 0;
	int n = 0;
	for EACH(const Compared, c, p->datasets) {
		if (c->speedup <= 0 || (order != BY_GEOMEAN_ALL && !c->significant))
			continue;
		sum += log(c->speedup);
		n++;
		if (fabs(log(c->speedup)) > fabs(furthest))
			furthest = log(c->speedup);
	}
	return order == BY_SIGNIFICANT ? furthest : n ? sum / n : 0;
}

static int by_weight(const void *a, const void *b)
{
	double x = ((const ComparedProgram *)a)->weight, y = ((const ComparedProgram *)b)->weight;
	return (x > y) - (x < y);
}

// ---- The command ----

static void print_dataset(const Compared *c, int width, bool colour)
{
	const char *on = !colour || !c->significant ? "" : c->speedup > 1 ? "\033[32m" : "\033[31m";
	if (c->speedup <= 0)
		printf("  %-*s %s\n", width + 1, text("%s:", c->name), c->note);
	else
		printf("  %-*s %s%10.2fx%s%s%s\n", width + 1, text("%s:", c->name), on, c->speedup,
		       *on ? "\033[0m" : "", c->significant ? " *" : "", c->note);
}

static const char *set_order(void *to, const char *arg)
{
	static const char *const names[] = {"significant", "geomean-significant", "geomean-all"};
	for (int i = 0; i < 3; i++)
		if (strcmp(arg, names[i]) == 0) {
			*(Order *)to = (Order)(i + 1);
			return NULL;
		}
	return "expected significant, geomean-significant or geomean-all";
}

static const char *set_best_first(void *to, const char *arg)
{
	*(bool *)to = strcmp(arg, "best-first") == 0;
	bool known = *(bool *)to || strcmp(arg, "worst-first") == 0;
	return known ? NULL : "expected worst-first or best-first";
}

int cmd_benchcmp(int argc, char **argv)
{
	Order order = BY_FILE;
	bool best_first = false;
	const Opt opts[] = {
		{0, "sort-by", "WHAT", OPT_CALL, &order,
		 "How to sort the programs: by their significant speedups (significant), by the "
		 "geometric mean of these (geomean-significant), or by that of all speedups "
		 "(geomean-all).", set_order},
		{0, "order", "ORDER", OPT_CALL, &best_first,
		 "Sorting order: worst-first (the default) or best-first.", set_best_first},
	};
	const Usage u = {
		"benchcmp", "A.json B.json",
		"Compares two files written by \"raido bench --json\" and prints the speedup of "
		"the second over the first.  An asterisk marks significant differences.",
		2, 2, OPTS(opts), NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	Json *a = json_read_object(args.at[0]), *b = json_read_object(args.at[1]);
	VEC(ComparedProgram) programs = {0};
	for EACH(JsonMember, m, a->members) {
		const Json *other = json_member(b, m->key);
		ComparedProgram p = {.name = m->key};
		if (!other)
			continue;
		compare_datasets(&p, m->value, other);
		p.weight = (best_first ? -1 : 1) * weight_of(&p, order);
		VEC_PUSH(&programs, p);
	}
	if (!programs.len) {
		fprintf(stderr, "%s and %s have no program in common.\n", args.at[0], args.at[1]);
		return 1;
	}
	if (order != BY_FILE && programs.len)
		qsort(programs.at, (size_t)programs.len, sizeof *programs.at, by_weight);
	bool colour = stream_is_terminal(stdout) && !getenv("NO_COLOR");
	for EACH(const ComparedProgram, p, programs) {
		int width = 0;
		for EACH(const Compared, c, p->datasets)
			width = (int)strlen(c->name) > width ? (int)strlen(c->name) : width;
		printf("\n%s\n", p->name);
		for EACH(const Compared, c, p->datasets)
			print_dataset(c, width, colour);
	}
	return 0;
}
