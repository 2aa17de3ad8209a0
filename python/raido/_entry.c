// Calls of entry points: arguments are looked at, the call is made without holding the GIL, results become
// arrays.
#include "_raido.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <structmember.h>

PyTypeObject *library_type, *entry_type;

static void raise(const Call *c, Context *ctx, int err)
{
	char *said = ctx->table->error(ctx->ptr);
	size_t n = said ? strlen(said) : 0;
	while (n && said[n - 1] == '\n')
		said[--n] = 0;
	PyErr_Format(err == 3 ? PyExc_MemoryError : err == RAIDO_NO_ROOM ? PyExc_ValueError : program_error,
	             err == RAIDO_NO_ROOM ? "%s: out=: %s" : "%s: %s", c->e->name,
	             said && *said ? said + (strncmp(said, "Error: ", 7) == 0 ? 7 : 0) : "failed");
	free(said);
}

static PyObject *no_context(const Call *c, char *why)
{
	if (PyErr_Occurred())
		;                       // Ctrl-C while it waited
	else if (c->self->lib->closed)
		PyErr_Format(PyExc_RuntimeError, "%s: the module is closed", c->e->name);
	else if (why)
		PyErr_Format(PyExc_RuntimeError, "%s: %s", c->e->name, why);
	else
		PyErr_Format(PyExc_MemoryError, "%s: no memory for a context", c->e->name);
	free(why);
	return NULL;
}

// ---- With or without the GIL ----

// Giving the GIL away and taking it again takes longer than a small call.  Calls with few elements keep it, if those before
// were brief: one that was not makes the next ones give it away.  NumPy decides by the number of elements alone.
enum { FEW_ELEMENTS = 256, BRIEF_CALLS = 8, NOT_FOR_LONG = -1000 };

uint64_t ticks(void)
{
#if defined __aarch64__
	uint64_t t;
	__asm__ volatile("mrs %0, cntvct_el0" : "=r"(t));
	return t;
#elif defined __x86_64__
	return __builtin_ia32_rdtsc();
#else
	return 0;
#endif
}

uint64_t brief_ticks(void)
{
#if defined __aarch64__
	uint64_t per_second;
	__asm__ volatile("mrs %0, cntfrq_el0" : "=r"(per_second));
	return per_second / 50000;
#else
	return 60000;
#endif
}

static bool has_few_elements(const Call *c)
{
	int64_t sum = 0;
	for (int i = 0; i < c->e->n_in; i++) {
		int64_t n = 1;
		for (int d = 0; d < c->e->in[i].rank; d++)
			n *= c->in[i].shape[d];
		sum += n;
	}
	return sum <= FEW_ELEMENTS;
}

static int call_watched(const Call *c, Context *ctx, uint64_t now)
{
	bool watched = watch(ctx, now);
	int err = c->e->call(ctx->ptr, c->in, c->out);
	if (watched)
		unwatch();
	return err;
}

// Takes a context and calls; gives the context, or NULL and perhaps why there is none.
static Context *call_in_context(Call *c, int *err, char **why)
{
	Context *ctx = context_take(c->self->lib, &c->place, why, goes_on);
	if (ctx && c->self->lib->on_device)
		*err = read_scalars(c, ctx);
	if (ctx && !*err)
		*err = call_watched(c, ctx, ticks());
	return ctx;
}

// The GIL is held all the time, so contexts that others have are not waited for.
static Context *call_briefly(Call *c, int *err)
{
	Context *ctx = context_take_idle(c->self->lib, &c->place);
	if (!ctx)
		return NULL;
	uint64_t start = ticks();
	*err = call_watched(c, ctx, start);
	if (ticks() - start > brief_ticks())
		c->self->brief = NOT_FOR_LONG;
	return ctx;
}

static Context *call_entry(Call *c, int *err, char **why)
{
	Entry *f = c->self;
	bool few = f->may_be_brief && has_few_elements(c);
	Context *ctx = few && f->brief >= BRIEF_CALLS ? call_briefly(c, err) : NULL;
	if (ctx)
		return ctx;
	uint64_t start = ticks();
	Py_BEGIN_ALLOW_THREADS
	ctx = call_in_context(c, err, why);
	Py_END_ALLOW_THREADS
	if (few && f->brief < BRIEF_CALLS)
		f->brief = ticks() - start <= brief_ticks() ? f->brief + 1 : f->brief < 0 ? f->brief : 0;
	return ctx;
}

// After Ctrl-C.  If Python's handler raises nothing, the call is made again, unless arguments may have been overwritten.
static Context *call_until_done(Call *c, int *err, char **why)
{
	Context *ctx = call_entry(c, err, why);
	while (ctx && *err && was_stopped()) {
		bool donated = false;
		for (int i = 0; i < c->e->n_in; i++)
			donated |= (c->in[i].flags & RAIDO_DONATED) != 0;
		if (PyErr_CheckSignals() != 0 || donated)
			break;
		context_give(ctx);
		*err = 0;
		ctx = call_entry(c, err, why);
	}
	return ctx;
}

// Integers may say how often a loop is run.  Without a clock no call counts as brief.
static bool may_be_brief(const Entry *f)
{
	for (int i = 0; i < f->e->n_in; i++)
		if (!f->e->in[i].rank && f->e->in[i].prim < 8)
			return false;
	return !f->lib->on_device && ticks() != 0;
}

// ---- Calls ----

static PyObject *run(Call *c, PyObject *const *args)
{
	const struct raido_entry *e = c->e;
	for (int i = 0; i < e->n_in; i++)
		if ((e->in[i].rank ? put_array(c, i, args[i]) : put_scalar(c, i, args[i])) != 0)
			return NULL;
	if (check_sizes(c) != 0)
		return NULL;
	if (choose_place(c) != 0)
		return NULL;
	int64_t *shape = c->shapes;
	for (int k = 0; k < e->n_out; shape += e->out[k++].rank)
		c->out[k] = (struct raido_out){e->out[k].rank || e->out[k].boxed ? NULL
		                               : &c->rooms[e->n_in + k], shape, 0, NULL, 0};
	if (keep_donated(c, args) != 0 || (c->given && put_given(c) != 0) ||
	    (c->place.framework && make_room(c) != 0))
		return NULL;
	int err = 0;
	char *why = NULL;
	Context *ctx = call_until_done(c, &err, &why);
	if (!ctx)
		return no_context(c, why);
	PyObject *result = NULL;
	if (err && !PyErr_Occurred())
		raise(c, ctx, err);
	else if (err)
		free(ctx->table->error(ctx->ptr));      // KeyboardInterrupt
	else
		result = check_given(c) == 0 ? all_results(c, ctx) : NULL;
	context_give(ctx);
	return result;
}

// A tensor for a result that nobody has taken: there was an error, which stays.
static void drop_made(const Made *m)
{
	PyObject *type, *value, *trace;
	PyErr_Fetch(&type, &value, &trace);
	if (m->managed)
		m->managed->deleter(m->managed);
	Py_XDECREF(m->object);
	PyErr_Restore(type, value, trace);
}

static PyObject *call_with(Entry *self, PyObject *const *args, bool may_copy, PyObject *given)
{
	const struct raido_entry *e = self->e;
	int n = e->n_in, m = e->n_out;
	struct raido_in in[FEW];
	struct raido_out out[FEW];
	Room rooms[2 * FEW];
	int64_t shapes[4 * FEW];
	Tensor tensors[FEW];
	PyObject *kept[FEW];
	Made made[FEW];
	Call c = {self, e, in, out, rooms, shapes, tensors, kept, NULL, may_copy, given, {-1, NULL, NULL},
	          NULL, made};
	char *more = NULL;
	if (n > FEW || m > FEW || self->out_rank > 4 * FEW) {
		size_t bytes = (size_t)n * (sizeof *in + sizeof *tensors + sizeof *kept + sizeof *rooms) +
		               (size_t)m * (sizeof *out + sizeof *rooms + sizeof *made) +
		               (size_t)self->out_rank * sizeof *shapes + 64;
		char *at = more = (char *)malloc(bytes);
		if (!more)
			return PyErr_NoMemory();
		c.in = (struct raido_in *)at, at += (size_t)n * sizeof *in;
		c.out = (struct raido_out *)at, at += (size_t)m * sizeof *out;
		c.rooms = (Room *)at, at += (size_t)(n + m) * sizeof *rooms;
		c.shapes = (int64_t *)at, at += (size_t)self->out_rank * sizeof *shapes;
		c.tensors = (Tensor *)at, at += (size_t)n * sizeof *tensors;
		c.kept = (PyObject **)at, at += (size_t)n * sizeof *kept;
		c.made = (Made *)(void *)at;
	}
	for (int i = 0; i < n; i++) {
		c.kept[i] = NULL;
		c.in[i].shape = NULL;
		c.in[i].flags = 0;
	}
	for (int k = 0; k < m; k++)
		c.made[k] = (Made){NULL, NULL};
	PyObject *result = run(&c, args);
	for (int k = 0; k < m; k++)
		if (c.made[k].object || c.made[k].managed)
			drop_made(&c.made[k]);
	for (int i = 0; i < n; i++)
		Py_XDECREF(c.kept[i]);
	free(more);
	return result;
}

static int find_param(const struct raido_entry *e, const char *name)
{
	for (int i = 0; i < e->n_in; i++)
		if (strcmp(e->in[i].name, name) == 0)
			return i;
	return -1;
}

// What a call has: the arguments by position or name, and the options out= and copy=.
typedef struct { PyObject **args; bool may_copy; PyObject *given; } Given;

static int put_keyword(const Entry *self, PyObject *key, PyObject *value, Given *to)
{
	const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
	int i = name ? find_param(self->e, name) : -1;
	if (!name)
		return -1;
	if (i >= 0 && to->args[i]) {
		PyErr_Format(PyExc_TypeError, "%s: argument %s is given twice", self->e->name, name);
		return -1;
	}
	if (i >= 0) {
		to->args[i] = value;
	} else if (strcmp(name, "out") == 0) {
		to->given = value == Py_None ? NULL : value;
	} else if (strcmp(name, "copy") == 0) {
		int truth = value == Py_None ? 1 : PyObject_IsTrue(value);
		if (truth < 0)
			return -1;
		to->may_copy = truth;
	} else {
		PyErr_Format(PyExc_TypeError, "%s: there is no argument %s", self->e->name, name);
		return -1;
	}
	return 0;
}

// `names` are those of the last values.
static int put_arguments(const Entry *f, PyObject *const *values, Py_ssize_t n, PyObject *names, Given *to)
{
	int most = f->e->n_in;
	Py_ssize_t named = names ? PyTuple_Size(names) : 0;
	if (n > most) {
		PyErr_Format(PyExc_TypeError, "%s: %zd arguments, but it takes %d", f->e->name, n, most);
		return -1;
	}
	for (int i = 0; i < most; i++)
		to->args[i] = i < n ? values[i] : NULL;
	for (Py_ssize_t k = 0; k < named; k++)
		if (put_keyword(f, PyTuple_GetItem(names, k), values[n + k], to) != 0)
			return -1;
	for (int i = (int)n; i < most; i++)
		if (!to->args[i]) {
			PyErr_Format(PyExc_TypeError, "%s: argument %s is missing", f->e->name, f->e->in[i].name);
			return -1;
		}
	return 0;
}

static PyObject *entry_vectorcall(PyObject *self, PyObject *const *values, size_t n_and_flag, PyObject *names)
{
	Entry *f = (Entry *)self;
	PyObject *few[FEW], *result = NULL;
	Given g = {few, true, NULL};
	if (!f->e)
		return PyErr_Format(PyExc_TypeError, "an entry point that was not made by a module");
	if (f->e->n_in > FEW && !(g.args = (PyObject **)malloc((size_t)f->e->n_in * sizeof *g.args)))
		return PyErr_NoMemory();
	if (put_arguments(f, values, (Py_ssize_t)(n_and_flag & ~ARGUMENTS_OFFSET), names, &g) == 0)
		result = call_with(f, g.args, g.may_copy, g.given);
	if (g.args != few)
		free(g.args);
	return result;
}

// The same for a tuple and a dict.
static PyObject *entry_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
	Py_ssize_t n = PyTuple_Size(args), named = kwargs ? PyDict_Size(kwargs) : 0, at = 0;
	PyObject *few[FEW] = {NULL}, **all = few, *names = NULL, *key, *value, *result = NULL;
	if (n + named > FEW && !(all = (PyObject **)malloc((size_t)(n + named) * sizeof *all)))
		return PyErr_NoMemory();
	for (Py_ssize_t i = 0; i < n; i++)
		all[i] = PyTuple_GetItem(args, i);
	bool ok = !named || (names = PyTuple_New(named));
	for (Py_ssize_t k = 0; ok && named && PyDict_Next(kwargs, &at, &key, &value); k++) {
		Py_INCREF(key);
		all[n + k] = value;
		ok = PyTuple_SetItem(names, k, key) == 0;
	}
	if (ok)
		result = entry_vectorcall(self, all, (size_t)n, names);
	Py_XDECREF(names);
	if (all != few)
		free(all);
	return result;
}

static int entry_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	Entry *f = (Entry *)self;
	PyObject *lib;
	const char *name;
	int takes_grad = 0;
	(void)kwargs;
	if (!PyArg_ParseTuple(args, "O!s|p", library_type, &lib, &name, &takes_grad))
		return -1;
	if (load_numpy() != 0)
		return -1;
	const struct raido_library *t = ((Library *)lib)->table;
	const struct raido_entry *e = NULL;
	for (int i = 0; i < t->n_entries; i++)
		if (strcmp(t->entries[i].name, name) == 0)
			e = &t->entries[i];
	if (!e) {
		PyErr_Format(PyExc_AttributeError, "there is no entry point %s", name);
		return -1;
	}
	Py_INCREF(lib);
	Py_XDECREF((PyObject *)f->lib);
	f->lib = (Library *)lib;
	f->e = e;
	f->may_be_brief = may_be_brief(f);
	f->brief = 0;
	f->takes_grad = takes_grad;
	f->out_rank = 0;
	for (int k = 0; k < e->n_out; k++)
		f->out_rank += e->out[k].rank;
	return 0;
}

static void entry_dealloc(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	Py_XDECREF((PyObject *)((Entry *)self)->lib);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
	Py_DECREF(type);
}

// Without these a call makes a tuple of its arguments.  The limited API has named the flag since 3.12; 3.11 knows the same
// bit, but gives it only to this type, not to those derived from it: see call_directly.
enum { HAVE_VECTORCALL = 1 << 11 };
static PyMemberDef entry_members[] = {
	{"__vectorcalloffset__", T_PYSSIZET, offsetof(Entry, vectorcall), READONLY, NULL},
	{NULL, 0, 0, 0, NULL},
};
static PyObject *entry_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	PyObject *self = ((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
	(void)args, (void)kwargs;
	if (self)
		((Entry *)self)->vectorcall = entry_vectorcall;
	return self;
}

// _call_directly(type): of a type derived from this one, or from Plain (_torch.c), whatever __call__ it has.  The flag is to be
// set in a field that the limited API does not show: it comes after 18 words.  Where it does not, calls are by __call__.
PyObject *call_directly(PyObject *module, PyObject *type)
{
	enum { BEFORE = 18 };
	typedef struct { PyVarObject head; void *before[BEFORE]; unsigned long flags; } Type;
	(void)module;
	if (!PyType_Check(type) || (!PyType_IsSubtype((PyTypeObject *)type, entry_type) &&
	                            !PyType_IsSubtype((PyTypeObject *)type, plain_type)))
		return PyErr_Format(PyExc_TypeError, "_call_directly takes a type of entry points or operations");
	Type *t = (Type *)(void *)type;
	if (t->flags == PyType_GetFlags((PyTypeObject *)type)) {
		t->flags |= HAVE_VECTORCALL;
		PyType_Modified((PyTypeObject *)type);
	}
	Py_RETURN_NONE;
}

static PyType_Slot entry_slots[] = {
	{Py_tp_new, (void *)entry_new}, {Py_tp_members, entry_members}, {Py_tp_init, (void *)entry_init}, {Py_tp_dealloc, (void *)entry_dealloc},
	{Py_tp_call, (void *)entry_call}, {0, NULL},
};
PyType_Spec entry_spec = {"raido._raido.Entry", sizeof(Entry), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | HAVE_VECTORCALL, entry_slots};
