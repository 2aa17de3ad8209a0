// Sums over all programs and ways, as a table and as JSON.
#include "run.h"

#include <stdlib.h>
#include <sys/mman.h>

Totals *totals;
static const char *const kind_name[N_KINDS] = {"derivatives", "sizes", "language"};

void *shared_memory(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return at;
}

void total_add(Way way, int64_t programs, double seconds)
{
	totals->way[way].programs += programs;
	totals->way[way].microseconds += (int64_t)(seconds * 1e6);
}

// The way is named before the first colon.
static Way way_of(const char *why)
{
	size_t n = strcspn(why, ":");
	for (int w = 0; w < N_WAYS; w++)
		if (strlen(way_name[w]) == n && strncmp(way_name[w], why, n) == 0)
			return (Way)w;
	return PLAIN;
}

void total_failure(const Random *r, const char *why)
{
	int64_t at = totals->failed++;
	totals->way[way_of(why)].failed++;
	if (at >= MOST_FAILURES)
		return;
	totals->failures[at].seed = r->seed;
	snprintf(totals->failures[at].why, sizeof totals->failures[at].why, "%.*s",
	         (int)strcspn(why, "\n"), why);
}

static double core_seconds(void)
{
	double sum = 0;
	for (int w = 0; w < N_WAYS; w++)
		sum += 1e-6 * (double)totals->way[w].microseconds;
	return sum;
}

static void print_row(const char *name, int64_t programs, int64_t failed, double seconds)
{
	printf("%-12s %-24s %9lld %7lld %10.1f %9.1f\n", kind_name[options.kind], name,
	       (long long)programs, (long long)failed, seconds,
	       programs ? 1e3 * seconds / (double)programs : 0);
}

static int listed(void)
{
	return totals->failed < MOST_FAILURES ? (int)totals->failed : MOST_FAILURES;
}

void print_table(double wall)
{
	printf("%-12s %-24s %9s %7s %10s %9s\n", "programs", "way", "run", "failed", "core s",
	       "ms each");
	for (int w = 0; w < N_WAYS; w++)
		if (options.way[w])
			print_row(way_name[w], totals->way[w].programs, totals->way[w].failed,
			          1e-6 * (double)totals->way[w].microseconds);
	print_row("all", totals->programs, totals->failed, core_seconds());
	printf("seeds %lld to %lld, %lld s", (long long)options.seed,
	       (long long)(options.seed + totals->programs - 1), (long long)wall);
	if (totals->after_passes)
		printf("; %lld runs after passes", (long long)totals->after_passes);
	if (options.kind == DERIVATIVES)
		printf("; %lld with finite values, %lld compared with differences, %lld of second order",
		       (long long)(totals->programs - totals->vacuous), (long long)totals->smooth,
		       (long long)totals->second);
	printf("\n");
	for (int i = 0; i < listed(); i++)
		printf("failed: %s, seed %llu: %s\n", kind_name[options.kind],
		       (unsigned long long)totals->failures[i].seed, totals->failures[i].why);
}

void write_json(const char *path, double wall)
{
	FILE *f = fopen(path, "w");
	if (!f) {
		perror(path);
		exit(2);
	}
	fprintf(f, "{\"kind\": \"%s\", \"first_seed\": %lld, \"programs\": %lld, \"failed\": %lld, "
	        "\"runs_after_passes\": %lld, \"seconds\": %.1f, \"core_seconds\": %.1f,\n \"ways\": {",
	        kind_name[options.kind], (long long)options.seed, (long long)totals->programs,
	        (long long)totals->failed, (long long)totals->after_passes, wall, core_seconds());
	const char *comma = "";
	for (int w = 0; w < N_WAYS; w++)
		if (options.way[w]) {
			fprintf(f, "%s\n  \"%s\": {\"programs\": %lld, \"failed\": %lld, "
			        "\"core_seconds\": %.1f}", comma, way_name[w],
			        (long long)totals->way[w].programs, (long long)totals->way[w].failed,
			        1e-6 * (double)totals->way[w].microseconds);
			comma = ",";
		}
	fprintf(f, "},\n \"failed_seeds\": [");
	for (int i = 0; i < listed(); i++)
		fprintf(f, "%s%llu", i ? ", " : "", (unsigned long long)totals->failures[i].seed);
	fprintf(f, "]}\n");
	fclose(f);
}
