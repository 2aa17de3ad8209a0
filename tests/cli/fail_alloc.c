// A library for LD_PRELOAD: allocations of a program fail, those from number FAIL_ALLOC on, or that one alone
// with FAIL_ONCE.  With FAIL_COUNT the number of allocations goes to that file at the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

static long at, count;
static bool ready, once;

static bool fails(void)
{
	if (!ready)
		return false;
	long n = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
	bool now = at > 0 && (once ? n == at : n >= at);
	if (now)
		errno = ENOMEM;
	return now;
}

// Not before main: the loader needs memory too.
__attribute__((constructor)) static void begin(void)
{
	const char *s = getenv("FAIL_ALLOC");
	at = s ? strtol(s, NULL, 10) : 0;
	once = getenv("FAIL_ONCE") != NULL;
	ready = true;
}

__attribute__((destructor)) static void end(void)
{
	const char *path = getenv("FAIL_COUNT");
	int f = path ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666) : -1;
	char text[32];
	ready = false;
	int n = snprintf(text, sizeof text, "%ld\n", count);
	if (f >= 0 && write(f, text, (size_t)n) == n)
		close(f);
}

void *malloc(size_t n)
{
	return fails() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	return fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	return fails() ? NULL : __libc_realloc(p, n);
}

void *mmap(void *p, size_t n, int prot, int flags, int fd, off_t off)
{
	static void *(*real)(void *, size_t, int, int, int, off_t);
	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "mmap");
	return fails() ? MAP_FAILED : real(p, n, prot, flags, fd, off);
}
