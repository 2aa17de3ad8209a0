// Libraries and their contexts.  A context is used by one call at a time; a library has as many as there were
// calls at once.
#include "_raido.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

unsigned generation;

// ---- Contexts ----

static void lock_list(Library *lib)
{
	while (__atomic_test_and_set(&lib->lock, __ATOMIC_ACQUIRE))
		continue;               // held for a few instructions
}

static void unlock_list(Library *lib)
{
	__atomic_clear(&lib->lock, __ATOMIC_RELEASE);
}

void context_release(Context *c)
{
	if (__atomic_sub_fetch(&c->refs, 1, __ATOMIC_ACQ_REL) > 0)
		return;
	if (c->generation == generation)
		c->table->context_free(c->ptr);
	free(c);
}

// Memory for a context, by the framework that its arguments are from.
static void *get_memory(void *user, int64_t bytes, void **handle)
{
	const Context *c = (const Context *)user;
	Managed *m = new_tensor(c->place.framework, (Device){DL_CUDA, c->place.device},
	                        (DType){DL_UINT, 8, 1}, 1, &bytes);
	*handle = m;
	return m ? (char *)m->tensor.data + m->tensor.offset : NULL;
}

static void put_memory(void *user, void *handle)
{
	Managed *m = (Managed *)handle;
	(void)user;
	m->deleter(m);
}

static Context *context_new(Library *lib, const Place *place, char **why)
{
	static const uintptr_t default_stream = 1;
	Context *c = (Context *)calloc(1, sizeof *c);
	struct raido_options options = lib->options;
	char device[16];
	if (!c)
		return NULL;
	c->lib = lib;
	c->table = lib->table;
	c->refs = 1;
	c->generation = generation;
	c->place = *place;
	if (place->device >= 0) {
		snprintf(device, sizeof device, "#%d", place->device);
		options.device = device;
		options.stream = place->stream ? place->stream : (void *)default_stream;
	}
	if (place->framework) {
		options.get = get_memory;
		options.put = put_memory;
		options.user = c;
	}
	c->ptr = lib->table->context_new(&options);
	if (c->ptr && place->device >= 0 && (*why = lib->table->error(c->ptr))) {
		lib->table->context_free(c->ptr);
		c->ptr = NULL;
	}
	if (!c->ptr) {
		free(c);
		return NULL;
	}
	return c;
}

// An idle context for that place, out of the list.
static Context *find_idle(Library *lib, const Place *place)
{
	for (Context **at = &lib->idle; *at; at = &(*at)->next) {
		Context *c = *at;
		if (c->place.device != place->device || c->place.framework != place->framework)
			continue;
		*at = c->next;
		return c;
	}
	return NULL;
}

// After a fork the child has one thread, and neither the threads of contexts nor, perhaps, their locks.
static void begin_anew(Library *lib)
{
	lib->generation = generation;
	lib->idle = NULL;               // lost: freeing them would wait for threads
	lib->n_contexts = 0;
	unlock_list(lib);
}

void context_give(Context *c)
{
	Library *lib = c->lib;
	bool drop;
	lock_list(lib);
	drop = lib->closed;
	if (!drop) {
		c->next = lib->idle;
		lib->idle = c;
	}
	unlock_list(lib);
	if (drop)
		context_release(c);
}

Context *context_take_idle(Library *lib, const Place *place)
{
	if (lib->generation != generation)
		begin_anew(lib);
	lock_list(lib);
	Context *c = lib->closed ? NULL : find_idle(lib, place);
	unlock_list(lib);
	return c;
}

Context *context_take(Library *lib, const Place *place, char **why, bool (*goes_on)(void))
{
	enum { ASKED = 1024 };          // after so many naps, which take about 0.07 s
	if (lib->generation != generation)
		begin_anew(lib);
	for (int naps = 1;; naps++) {
		Context *c = NULL;
		bool make = false, closed;
		lock_list(lib);
		closed = lib->closed;
		if (closed) {
		} else if ((c = find_idle(lib, place))) {
		} else if (lib->n_contexts < lib->most) {
			lib->n_contexts++;
			make = true;
		}
		unlock_list(lib);
		if (c && place->device >= 0 && c->table->use_stream(c->ptr, place->stream) != 0) {
			*why = c->table->error(c->ptr);
			context_give(c);
			return NULL;
		}
		if (closed || c)
			return c;
		if (make) {
			c = context_new(lib, place, why);
			if (!c) {
				lock_list(lib);
				lib->n_contexts--;
				unlock_list(lib);
			}
			return c;
		}
		struct timespec nap = {0, 20000}; // others have them all
		nanosleep(&nap, NULL);
		if (naps % ASKED == 0 && goes_on && !goes_on())
			return NULL;
	}
}

void forked(void)
{
	generation++;
}

// ---- Libraries ----

static PyObject *library_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"path", "threads", "deterministic", "cache_limit", "contexts", NULL};
	PyObject *name;
	int threads = 0, deterministic = 0, contexts = 64;
	long long limit = 0;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O&|ipLi", names, PyUnicode_FSConverter, &name, &threads,
	                                 &deterministic, &limit, &contexts))
		return NULL;
	const struct raido_library *(*program)(void) = NULL;
	const char *path = PyBytes_AsString(name);
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL); // stays: results may outlive all else
	if (!handle) {
		PyErr_Format(PyExc_OSError, "%s", dlerror());
	} else {
		void *symbol = dlsym(handle, "raido_program");
		memcpy(&program, &symbol, sizeof program);
		if (!symbol || program()->version != RAIDO_CALL)
			PyErr_Format(PyExc_OSError, "%s is no library made by this version of Raido", path);
	}
	Py_DECREF(name);
	if (PyErr_Occurred())
		return NULL;
	allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
	Library *lib = (Library *)alloc(type, 0);
	if (!lib)
		return NULL;
	lib->table = program();
	lib->options.threads = threads;
	lib->options.deterministic = deterministic;
	lib->options.cache_limit = limit;
	lib->most = contexts;
	lib->on_device = strcmp(lib->table->backend, "cuda") == 0;
	lib->generation = generation;
	return (PyObject *)lib;
}

static PyObject *library_close(PyObject *self, PyObject *unused)
{
	Library *lib = (Library *)self;
	(void)unused;
	if (lib->generation != generation)
		begin_anew(lib);
	lock_list(lib);
	Context *c = lib->idle;
	lib->idle = NULL;
	lib->closed = true;
	lib->n_contexts = 0;
	unlock_list(lib);
	while (c) {
		Context *next = c->next;
		context_release(c);
		c = next;
	}
	Py_RETURN_NONE;
}

// Results keep their contexts, and contexts the table of the library, but not this object.
static void library_dealloc(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	PyObject *none = library_close(self, NULL);
	Py_XDECREF(none);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
	Py_DECREF(type);
}

static PyObject *library_memory(PyObject *self, PyObject *unused)
{
	Library *lib = (Library *)self;
	long long sum[4] = {0, 0, 0, 0};
	(void)unused;
	lock_list(lib);
	for (Context *c = lib->idle; c; c = c->next) {
		struct raido_memory m;
		if (c->generation != generation)
			continue;
		lib->table->memory(c->ptr, &m);
		sum[0] += m.live;
		sum[1] += m.cached;
		sum[2] += m.peak;
		sum[3] += m.allocations;
	}
	int n = lib->n_contexts;
	unlock_list(lib);
	return Py_BuildValue("{s:L,s:L,s:L,s:L,s:i}", "live", sum[0], "cached", sum[1], "peak", sum[2],
	                     "allocations", sum[3], "contexts", n);
}

// Waits for the device; what has failed there is raised.
static PyObject *library_sync(PyObject *self, PyObject *unused)
{
	Library *lib = (Library *)self;
	(void)unused;
	char *said = NULL;
	Py_BEGIN_ALLOW_THREADS
	if (lib->generation != generation)
		begin_anew(lib);
	lock_list(lib);
	Context *c = lib->idle, *next;
	lib->idle = NULL;
	unlock_list(lib);
	for (; c; c = next) {
		next = c->next;
		if (!said && lib->table->sync(c->ptr) != 0)
			said = lib->table->error(c->ptr);
		context_give(c);
	}
	Py_END_ALLOW_THREADS
	if (said) {
		PyErr_Format(program_error, "%s", strncmp(said, "Error: ", 7) ? said : said + 7);
		free(said);
		return NULL;
	}
	Py_RETURN_NONE;
}

static PyObject *library_clear(PyObject *self, PyObject *unused)
{
	Library *lib = (Library *)self;
	(void)unused;
	lock_list(lib);
	for (Context *c = lib->idle; c; c = c->next)
		if (c->generation == generation)
			lib->table->clear(c->ptr);
	unlock_list(lib);
	Py_RETURN_NONE;
}

static PyObject *describe_value(const struct raido_entry *e, const struct raido_value *v)
{
	PyObject *dims = PyTuple_New(v->rank);
	for (int i = 0; i < v->rank && dims; i++) {
		int64_t d = v->dims[i];
		PyObject *x = d < 0 ? PyUnicode_FromString(e->sizes[-1 - d].name)
		                    : PyLong_FromLongLong(d);
		if (!x || PyTuple_SetItem(dims, i, x) != 0) {
			Py_DECREF(dims);
			return NULL;
		}
	}
	return dims ? Py_BuildValue("(ssNO)", v->name, prim_name[v->prim], dims,
	                            v->consumed ? Py_True : Py_False) : NULL;
}

static PyObject *describe_values(const struct raido_entry *e, const struct raido_value *vs, int n)
{
	PyObject *all = PyTuple_New(n);
	for (int i = 0; i < n && all; i++) {
		PyObject *v = describe_value(e, &vs[i]);
		if (!v || PyTuple_SetItem(all, i, v) != 0) {
			Py_DECREF(all);
			return NULL;
		}
	}
	return all;
}

// Of the backward sweep: which outputs of the forward sweep it takes after the arguments.
static PyObject *describe_saved(const struct raido_entry *e)
{
	PyObject *all = PyList_New(0);
	for (int i = 0; i < e->n_in && all; i++) {
		PyObject *n = e->in[i].saved ? PyLong_FromLong(e->in[i].saved - 1) : NULL;
		if (e->in[i].saved && (!n || PyList_Append(all, n) != 0))
			Py_CLEAR(all);
		Py_XDECREF(n);
	}
	return all;
}

static PyObject *describe_entry(const struct raido_entry *e)
{
	PyObject *in = describe_values(e, e->in, e->n_in);
	PyObject *out = in ? describe_values(e, e->out, e->n_out) : NULL;
	PyObject *sizes = out ? PyDict_New() : NULL;
	for (int i = 0; i < e->n_sizes && sizes; i++) {
		const struct raido_size *s = &e->sizes[i];
		PyObject *v = Py_BuildValue("(iO)", s->value, s->known ? Py_True : Py_False);
		if (!v || PyDict_SetItemString(sizes, s->name, v) != 0) {
			Py_XDECREF(v);
			Py_CLEAR(sizes);
			break;
		}
		Py_DECREF(v);
	}
	if (!sizes) {
		Py_XDECREF(in);
		Py_XDECREF(out);
		return NULL;
	}
	return Py_BuildValue("{s:s,s:z,s:s,s:s,s:N,s:N,s:N,s:i,s:N}", "name", e->name, "doc", e->doc,
	                     "in_form", e->in_form, "out_form", e->out_form, "inputs", in, "outputs",
	                     out, "sizes", sizes, "residuals", e->n_residuals, "saved",
	                     describe_saved(e));
}

// What there is: a list of dictionaries.
static PyObject *library_entries(PyObject *self, PyObject *unused)
{
	const struct raido_library *t = ((Library *)self)->table;
	PyObject *list = PyList_New(0);
	(void)unused;
	for (int i = 0; i < t->n_entries && list; i++) {
		PyObject *d = describe_entry(&t->entries[i]);
		if (!d || PyList_Append(list, d) != 0)
			Py_CLEAR(list);
		Py_XDECREF(d);
	}
	return list;
}

static PyObject *library_is_closed(PyObject *self, PyObject *unused)
{
	(void)unused;
	return PyBool_FromLong(((Library *)self)->closed);
}

static PyMethodDef library_methods[] = {
	{"close", library_close, METH_NOARGS, "Frees the contexts that no result needs."},
	{"is_closed", library_is_closed, METH_NOARGS, "Are calls errors?"},
	{"memory", library_memory, METH_NOARGS, "Bytes of the idle contexts together."},
	{"sync", library_sync, METH_NOARGS, "Waits for the device, and raises what has failed there."},
	{"clear", library_clear, METH_NOARGS, "Gives back the memory that is kept for later."},
	{"entries", library_entries, METH_NOARGS, "What the entry points are."},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot library_slots[] = {
	{Py_tp_new, (void *)library_new}, {Py_tp_dealloc, (void *)library_dealloc},
	{Py_tp_methods, library_methods}, {0, NULL},
};
PyType_Spec library_spec = {"raido._raido.Library", sizeof(Library), 0, Py_TPFLAGS_DEFAULT,
                            library_slots};
