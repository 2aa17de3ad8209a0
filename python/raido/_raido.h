// What the files of the extension share: the interface of libraries (rts/c/call.h), and contexts.
#ifndef RAIDO_PY_H
#define RAIDO_PY_H
#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>
#include "_call.h"

typedef struct Library Library;

// A context of a library.  It lives as long as the library or a result refers to it.
typedef struct Context {
	Library *lib;                   // while a call has it
	const struct raido_library *table;
	void *ptr;
	int refs;                       // changed atomically: results die in any thread
	unsigned generation;            // of the process: others have no threads (fork)
	struct Context *next;           // in the list of those that are idle
} Context;

struct Library {
	PyObject_HEAD
	const struct raido_library *table;
	struct raido_options options;
	Context *idle;
	char lock;                      // of that list: calls come from threads without the GIL too
	int n_contexts, most;           // how many there may be
	unsigned generation;            // of the process that the list is of
	bool closed;
};

Context *context_take(Library *);               // NULL: no memory, or closed
void context_give(Context *);                   // idle again
void context_release(Context *);                // one reference less

PyObject *xla_setup(PyObject *module, PyObject *args);
PyObject *xla_register(PyObject *module, PyObject *args);
#endif
