// The command profile: shows where programs spend their time.
//
// Reads what `raido bench --profile --json X.json` wrote and makes a directory X.prof with
// four files for each dataset (in a directory for each program if there are several):
//
//     DATASET.summary    the time of each loop, and of each line of source
//     DATASET.timeline   the events, in order
//     DATASET.log        what the program wrote to standard error
//     DATASET.html       the source with the time of each line beside it
//
// The time of a loop is split into its own and that of inner loops, which are listed separately:
// own times add up to that of the entry point, except for code between loops.  For loops that
// threads share, the summary shows how busy each thread was, and how evenly.
#include "cli/cli.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

typedef struct {
	const char *name, *description, *place; // place: file:line:col..., or NULL for entry points
	int64_t count;
	double time, own;                       // microseconds
	const Json *threads;                    // of each thread, or NULL
} Event;
typedef VEC(Event) Events;

typedef struct { const char *file; int line; double time; } LineTime;
typedef VEC(LineTime) LineTimes;

// ---- Reading ----

static const char *string_of(const Json *j, const char *key)
{
	const Json *m = json_member(j, key);
	return m && m->kind == JSON_STRING ? m->string : NULL;
}

static double number_of(const Json *j, const char *key, double otherwise)
{
	const Json *m = json_member(j, key);
	return m && m->kind == JSON_NUMBER ? m->number : otherwise;
}

// The innermost place that is the user's own.
static const char *place_of(const char *provenance)
{
	const char *first = NULL;
	for (const char *s = provenance; s && *s; s += strcspn(s, "\n"), s += *s == '\n') {
		const char *place = text("%.*s", (int)strcspn(s, "\n"), s);
		if (!str_starts(place, "/prelude/"))
			return place;
		first = first ? first : place;
	}
	return first;
}

static Event *find_event(Events *events, const char *name)
{
	for EACH(Event, e, *events)
		if (e->place && strcmp(e->name, name) == 0)
			return e;
	return NULL;
}

static Events read_events(const Json *report)
{
	Events events = {0};
	const Json *list = json_member(report, "events");
	if (!list || list->kind != JSON_ARRAY)
		return events;
	for EACH(Json *, j, list->items) {
		const char *name = string_of(*j, "name"), *about = string_of(*j, "description");
		double time = number_of(*j, "duration", 0);
		VEC_PUSH(&events, (Event){name ? name : "?", about ? about : "",
		                          place_of(string_of(*j, "provenance")),
		                          (int64_t)number_of(*j, "count", 1), time, time,
		                          json_member(*j, "threads")});
	}
	for EACH(Json *, j, list->items) {
		const char *within = string_of(*j, "within");
		Event *around = within ? find_event(&events, within) : NULL;
		if (around)
			around->own -= number_of(*j, "duration", 0);
	}
	return events;
}

static double time_of_entries(const Events *events)
{
	double time = 0;
	for EACH(Event, e, *events)
		time += e->place ? 0 : e->time;
	return time;
}

// ---- Lines of source ----

// file:line:col...; the name may contain colons itself.
static bool split_place(const char *place, const char **file, int *line)
{
	for (const char *s = strchr(place, ':'); s; s = strchr(s + 1, ':')) {
		char *end;
		long n = strtol(s + 1, &end, 10);
		if (end == s + 1 || *end != ':')
			continue;
		*file = text("%.*s", (int)(s - place), place);
		*line = (int)n;
		return true;
	}
	return false;
}

static LineTimes times_of_lines(const Events *events)
{
	LineTimes lines = {0};
	for EACH(Event, e, *events) {
		const char *file;
		int line, i = 0;
		if (!e->place || !split_place(e->place, &file, &line))
			continue;
		while (i < lines.len &&
		       !(lines.at[i].line == line && strcmp(lines.at[i].file, file) == 0))
			i++;
		if (i == lines.len)
			VEC_PUSH(&lines, (LineTime){file, line, 0});
		lines.at[i].time += e->own;
	}
	return lines;
}

static const char *line_of_file(const char *file, int line)
{
	size_t len;
	const char *s = read_file(file, &len);
	for (int i = 1; s && i < line; i++) {
		s = strchr(s, '\n');
		s = s ? s + 1 : NULL;
	}
	return s ? text("%.*s", (int)strcspn(s, "\n"), s) : "";
}

static int by_own_time(const void *a, const void *b)
{
	const Event *x = a, *y = b;
	return (x->own < y->own) - (x->own > y->own);
}

static int by_line_time(const void *a, const void *b)
{
	const LineTime *x = a, *y = b;
	return (x->time < y->time) - (x->time > y->time);
}

// ---- Files ----

static double share(double time, double total)
{
	return total > 0 ? 100 * time / total : 0;
}

// How busy the threads were, of the time that the region took; and the busiest beside the mean.
static void put_threads(Str *s, Events sorted)
{
	bool any = false;
	for EACH(Event, e, sorted) {
		if (!e->threads || e->threads->kind != JSON_ARRAY || !e->threads->items.len)
			continue;
		double sum = 0, most = 0;
		int n = e->threads->items.len;
		for EACH(Json *, t, e->threads->items) {
			double time = (*t)->kind == JSON_NUMBER ? (*t)->number : 0;
			sum += time;
			most = time > most ? time : most;
		}
		if (!any)
			str_printf(s, "\nThreads\n\n%8s %10s  %s\n", "busy", "imbalance", "where");
		any = true;
		str_printf(s, "%7.1f%% %10.2f  %s", share(sum / n, e->time),
		           sum > 0 ? most * n / sum : 1, e->description);
		for EACH(Json *, t, e->threads->items)
			str_printf(s, " %.0f%%",
			           share((*t)->kind == JSON_NUMBER ? (*t)->number : 0, e->time));
		str_putc(s, '\n');
	}
}

static const char *summary_text(Events events, LineTimes lines, double total)
{
	Str s = {0};
	str_printf(&s, "Entry points: %.0fμs\n\n%12s %8s %12s %14s %10s  %s\n", total, "own",
	           "share", "total", "per run", "runs", "where");
	Events sorted = {0};
	for EACH(Event, e, events)
		if (e->place)
			VEC_PUSH(&sorted, *e);
	if (sorted.len)
		qsort(sorted.at, (size_t)sorted.len, sizeof *sorted.at, by_own_time);
	for EACH(Event, e, sorted)
		str_printf(&s, "%10.1fμs %7.1f%% %10.1fμs %12.2fμs %10lld  %s\n", e->own,
		           share(e->own, total), e->time, e->count ? e->time / (double)e->count : 0,
		           (long long)e->count, e->description);
	put_threads(&s, sorted);
	str_puts(&s, "\nLines\n\n");
	for EACH(LineTime, l, lines)
		str_printf(&s, "%10.1fμs %7.1f%%  %s:%d  %s\n", l->time, share(l->time, total),
		           l->file, l->line, line_of_file(l->file, l->line));
	return str_text(&s);
}

static const char *timeline_text(const Events *events)
{
	Str s = {0};
	for EACH(Event, e, *events) {
		str_printf(&s, "%s\n%s\nDuration: %.3fμs\nRuns: %lld\n", e->name, e->description,
		           e->time, (long long)e->count);
		if (e->place)
			str_printf(&s, "At: %s\n", e->place);
		str_putc(&s, '\n');
	}
	return str_text(&s);
}

static void put_source(Str *s, const char *file, const LineTimes *lines, double total)
{
	size_t len;
	const char *at = read_file(file, &len);
	str_puts(s, "<h2>");
	html_escaped(s, file, strlen(file));
	str_puts(s, "</h2>\n<table>\n");
	for (int n = 1; at && *at; n++) {
		double time = 0;
		size_t k = strcspn(at, "\n");
		for EACH(LineTime, l, *lines)
			time += l->line == n && strcmp(l->file, file) == 0 ? l->time : 0;
		str_printf(s, "<tr style=\"background:rgba(255,96,0,%.3f)\"><td>%d</td><td>",
		           share(time, total) / 100, n);
		if (time > 0)
			str_printf(s, "%.1fμs %.1f%%", time, share(time, total));
		str_puts(s, "</td><td><pre>");
		html_escaped(s, at, k);
		str_puts(s, "</pre></td></tr>\n");
		at += k + (at[k] == '\n');
	}
	str_puts(s, "</table>\n");
}

static const char *html_text(const char *title, const LineTimes *lines, double total)
{
	Str s = {0};
	str_puts(&s, "<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\"><title>");
	html_escaped(&s, title, strlen(title));
	str_puts(&s,
	         "</title><style>body{font-family:sans-serif}pre{margin:0}td{padding:0 .6em}"
	         "td:nth-child(-n+2){text-align:right;color:#555}table{border-spacing:0}</style>"
	         "</head><body>\n<h1>");
	html_escaped(&s, title, strlen(title));
	str_printf(&s, "</h1>\n<p>%.0fμs in entry points.</p>\n", total);
	for (int i = 0; i < lines->len; i++) {
		bool seen = false;
		for (int j = 0; j < i; j++)
			seen |= strcmp(lines->at[j].file, lines->at[i].file) == 0;
		if (!seen)
			put_source(&s, lines->at[i].file, lines, total);
	}
	str_puts(&s, "</body></html>\n");
	return str_text(&s);
}

// A name that can be one of a file.
static const char *file_name_of(const char *name)
{
	Str s = {0};
	for (; *name; name++) {
		bool plain = (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
		             (*name >= '0' && *name <= '9') || *name == '-' || *name == '_' ||
		           *name == '.';
		str_putc(&s, plain ? *name : '_');
	}
	return str_text(&s);
}

static void make_directory(const char *path)
{
	if (mkdir(path, 0777) == 0 || errno == EEXIST)
		return;
	fprintf(stderr, "Cannot make the directory %s: %s\n", path, strerror(errno));
	exit(1);
}

static void write_or_exit(const char *path, const char *body)
{
	Str bytes = {0};
	str_puts(&bytes, body);
	if (write_atomically(path, &bytes))
		return;
	fprintf(stderr, "Cannot write %s: %s\n", path, strerror(errno));
	exit(1);
}

static void write_dataset(const char *dir, const char *title, const char *name, const Json *dataset)
{
	Events events = read_events(json_member(dataset, "profiling"));
	LineTimes lines = times_of_lines(&events);
	double total = time_of_entries(&events);
	const char *log = string_of(dataset, "stderr"),
		   *path = text("%s/%s", dir, file_name_of(name));
	if (lines.len)
		qsort(lines.at, (size_t)lines.len, sizeof *lines.at, by_line_time);
	write_or_exit(text("%s.summary", path), summary_text(events, lines, total));
	write_or_exit(text("%s.timeline", path), timeline_text(&events));
	write_or_exit(text("%s.log", path), log ? log : "");
	write_or_exit(text("%s.html", path), html_text(title, &lines, total));
}

// Writes the datasets that have a profile; how many.
static int write_program(const char *dir, const char *name, const Json *program)
{
	int n = 0;
	const Json *datasets = json_member(program, "datasets");
	if (!datasets || datasets->kind != JSON_OBJECT)
		return 0;
	for EACH(const JsonMember, d, datasets->members)
		if (json_member(d->value, "profiling")) {
			if (n++ == 0)
				make_directory(dir);
			write_dataset(dir, text("%s: %s", name, d->key), d->key, d->value);
		}
	return n;
}

static bool profile_file(const char *path)
{
	int n = 0;
	Json *j = json_read_object(path);
	size_t len = strlen(path);
	bool has_suffix = len > 5 && strcmp(path + len - 5, ".json") == 0;
	const char *dir = text("%.*s.prof", (int)(has_suffix ? len - 5 : len), path);
	make_directory(dir);
	for EACH(const JsonMember, m, j->members)
		n += write_program(j->members.len == 1 ? dir
		                                       : text("%s/%s", dir, file_name_of(m->key)),
		                   m->key, m->value);
	if (n)
		printf("Wrote %d profile%s to %s\n", n, n == 1 ? "" : "s", dir);
	else
		fprintf(stderr,
		        "%s: no profiles in it; make it with \"raido bench --profile --json\"\n",
		        path);
	return n > 0;
}

int cmd_profile(int argc, char **argv)
{
	const Usage u = {
		"profile",
		"FILE.json...",
		"Shows where programs spent their time, from files written by \"raido bench "
		"--profile --json\".  Creates the directory FILE.prof with text summaries and "
		"the source annotated with times, as HTML.",
		1,
		-1,
		{NULL, 0},
		NULL,
	};
	Texts args = parse_args(&u, argc, argv);
	bool ok = true;
	for EACH(const char *, path, args)
		ok &= profile_file(*path);
	return ok ? 0 : 1;
}
