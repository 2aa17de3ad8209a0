// What unit tests count, and how they say what failed.
#ifndef RAIDO_UNIT_H
#define RAIDO_UNIT_H
#include "base/base.h"

static int passed, failed;

#define CHECK(cond) \
	((cond) ? (void)passed++ \
	        : (void)(failed++, printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #cond)))
#define CHECK_TEXT(got, expected) check_text(__FILE__, __LINE__, got, expected)

static inline void check_text(const char *file, int line, const char *got, const char *expected)
{
	if (strcmp(got, expected) == 0) {
		passed++;
		return;
	}
	failed++;
	printf("%s:%d: got:\n%s\nexpected:\n%s\n", file, line, got, expected);
}

// The last line of a test, and its exit code.
static inline int report_counts(void)
{
	printf("%d passed, %d failed\n", passed, failed);
	return failed != 0;
}
#endif
