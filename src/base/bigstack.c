// Runs a function on a large stack.
//
// Parser, checker and interpreter recurse over the structure of programs.  A thread with its own
// stack allows deep nesting regardless of `ulimit -s`.  Pages are committed only when they are
// touched, and the lowest page is a guard page.
#include "base/base.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
	int (*f)(void *);
	void *arg;
	int result;
} Call;

static void *run_call(void *p)
{
	Call *c = p;
	c->result = c->f(c->arg);
	return NULL;
}

static bool run_on(void *stack, size_t bytes, size_t page, Call *c)
{
	pthread_attr_t attr;
	pthread_t thread;
	if (mprotect(stack, page, PROT_NONE) != 0 || pthread_attr_init(&attr) != 0)
		return false;
	bool ok = pthread_attr_setstack(&attr, (char *)stack + page, bytes - page) == 0 &&
	          pthread_create(&thread, &attr, run_call, c) == 0;
	pthread_attr_destroy(&attr);
	if (ok)
		pthread_join(thread, NULL);
	return ok;
}

// Where address space is limited (ulimit -v) a smaller stack is taken, and at worst the
// caller's own.
int with_big_stack(size_t bytes, int (*f)(void *), void *arg)
{
	long page_size = sysconf(_SC_PAGESIZE);
	size_t page = page_size > 0 ? (size_t)page_size : 65536;
	Call c = {f, arg, 0};
	for (; bytes >= (size_t)1 << 22; bytes /= 2) {
		size_t size = (bytes + page - 1) / page * page;
		void *stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
		                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (stack == MAP_FAILED)
			continue;
		bool ok = run_on(stack, size, page, &c);
		munmap(stack, size);
		if (ok)
			return c.result;
	}
	return f(arg);
}
