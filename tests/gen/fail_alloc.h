// Included before a generated program (cc -include fail_alloc.h): allocations that fail when they are told to.
//
//     fail_at = 3;            the third from here on fails, `fail_for` of them in a row
//     fail_at = 0;            none does; `failed` says whether one did
//
// Executables, which nobody tells, read FAIL_ALLOC=N or FAIL_ALLOC=N+ from the environment (-DFAIL_BY_ENV), and
// make the file FAIL_REPORT when an allocation fails.
#ifndef FAIL_ALLOC_H
#define FAIL_ALLOC_H
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak)) long fail_at, fail_for, fail_count;
__attribute__((weak)) bool failed;
#ifdef __cplusplus
}
#endif

static bool fails(void)
{
#ifdef FAIL_BY_ENV
	static bool asked;
	if (!asked) {
		const char *s = getenv("FAIL_ALLOC");
		char *end = NULL;
		asked = true;
		fail_at = s ? strtol(s, &end, 10) : 0;
		fail_for = end && *end == '+' ? INT32_MAX : 1;
	}
#endif
	long n = __atomic_add_fetch(&fail_count, 1, __ATOMIC_RELAXED);
	bool now = fail_at && n >= fail_at && n - fail_at < fail_for;
#ifdef FAIL_BY_ENV
	const char *report = now ? getenv("FAIL_REPORT") : NULL;
	FILE *f = report ? fopen(report, "w") : NULL;
	if (f)
		fclose(f);
#endif
	if (now) {
		__atomic_store_n(&failed, true, __ATOMIC_RELAXED);
		errno = ENOMEM;
	}
	return now;
}

__attribute__((unused)) static void *fail_malloc(size_t n)
{
	return fails() ? NULL : malloc(n);
}

__attribute__((unused)) static void *fail_calloc(size_t n, size_t size)
{
	return fails() ? NULL : calloc(n, size);
}

__attribute__((unused)) static void *fail_realloc(void *p, size_t n)
{
	return fails() ? NULL : realloc(p, n);
}

__attribute__((unused)) static char *fail_strdup(const char *s)
{
	return fails() ? NULL : strdup(s);
}

__attribute__((unused)) static int fail_memalign(void **p, size_t align, size_t n)
{
	return fails() ? ENOMEM : posix_memalign(p, align, n);
}

__attribute__((unused)) static int fail_thread(pthread_t *t, const pthread_attr_t *a,
                                               void *(*f)(void *), void *arg)
{
	return fails() ? EAGAIN : pthread_create(t, a, f, arg);
}

#undef strdup
#define malloc(n) fail_malloc(n)
#define calloc(n, size) fail_calloc(n, size)
#define realloc(p, n) fail_realloc(p, n)
#define strdup(s) fail_strdup(s)
#define posix_memalign(p, align, n) fail_memalign(p, align, n)
#define pthread_create(t, a, f, arg) fail_thread(t, a, f, arg)
#endif
