// Calls of entry points: arguments are looked at, the call is made without holding the GIL, results become
// arrays.
#include "_raido.h"

#include <stdlib.h>
#include <string.h>

PyTypeObject *library_type;

static void raise(const Call *c, Context *ctx, int err)
{
	char *said = ctx->table->error(ctx->ptr);
	size_t n = said ? strlen(said) : 0;
	while (n && said[n - 1] == '\n')
		said[--n] = 0;
	PyErr_Format(err == 3 ? PyExc_MemoryError : program_error, "%s: %s", c->e->name,
	             said && *said ? said + (strncmp(said, "Error: ", 7) == 0 ? 7 : 0) : "failed");
	free(said);
}

static PyObject *no_context(const Call *c, char *why)
{
	if (c->self->lib->closed)
		PyErr_Format(PyExc_RuntimeError, "%s: the module is closed", c->e->name);
	else if (why)
		PyErr_Format(PyExc_RuntimeError, "%s: %s", c->e->name, why);
	else
		PyErr_Format(PyExc_MemoryError, "%s: no memory for a context", c->e->name);
	free(why);
	return NULL;
}

static PyObject *run(Call *c, PyObject *const *args)
{
	const struct raido_entry *e = c->e;
	Library *lib = c->self->lib;
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
	if ((c->given && put_given(c) != 0) || (c->place.framework && make_room(c) != 0))
		return NULL;
	for (int i = 0; i < e->n_in; i++)
		if (c->in[i].flags & RAIDO_DONATED && !c->kept[i]) {
			c->kept[i] = ((Donated *)args[i])->what;
			Py_INCREF(c->kept[i]);
		}
	Context *ctx;
	int err = 0;
	char *why = NULL;
	Py_BEGIN_ALLOW_THREADS
	ctx = context_take(lib, &c->place, &why);
	if (ctx && lib->on_device)
		err = read_scalars(c, ctx);
	if (ctx && !err)
		err = e->call(ctx->ptr, c->in, c->out);
	Py_END_ALLOW_THREADS
	if (!ctx)
		return no_context(c, why);
	PyObject *result = NULL;
	if (err)
		raise(c, ctx, err);
	else
		result = check_given(c) == 0 ? all_results(c, ctx) : NULL;
	context_give(ctx);
	return result;
}

// A tensor for a result that nobody has taken: there was an error, which stays.
static void drop_made(Managed *m)
{
	PyObject *type, *value, *trace;
	PyErr_Fetch(&type, &value, &trace);
	m->deleter(m);
	PyErr_Restore(type, value, trace);
}

static PyObject *call_with(const Entry *self, PyObject *const *args, bool may_copy, PyObject *given)
{
	const struct raido_entry *e = self->e;
	int n = e->n_in, m = e->n_out;
	struct raido_in in[FEW];
	struct raido_out out[FEW];
	Room rooms[2 * FEW];
	int64_t shapes[4 * FEW];
	Tensor tensors[FEW];
	PyObject *kept[FEW];
	Managed *made[FEW];
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
		c.made = (Managed **)at;
	}
	for (int i = 0; i < n; i++) {
		c.kept[i] = NULL;
		c.in[i].shape = NULL;
		c.in[i].flags = 0;
	}
	for (int k = 0; k < m; k++)
		c.made[k] = NULL;
	PyObject *result = run(&c, args);
	for (int k = 0; k < m; k++)
		if (c.made[k])
			drop_made(c.made[k]);
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

// Arguments by name, and the options out= and copy=.
static int put_keywords(const Entry *self, PyObject *kwargs, PyObject **args, bool *may_copy,
                        PyObject **given)
{
	PyObject *key, *value;
	Py_ssize_t at = 0;
	while (PyDict_Next(kwargs, &at, &key, &value)) {
		const char *name = PyUnicode_AsUTF8AndSize(key, NULL);
		int i = name ? find_param(self->e, name) : -1;
		if (!name)
			return -1;
		if (i >= 0 && args[i]) {
			PyErr_Format(PyExc_TypeError, "%s: argument %s is given twice", self->e->name, name);
			return -1;
		}
		if (i >= 0) {
			args[i] = value;
		} else if (strcmp(name, "out") == 0) {
			*given = value == Py_None ? NULL : value;
		} else if (strcmp(name, "copy") == 0) {
			int truth = value == Py_None ? 1 : PyObject_IsTrue(value);
			if (truth < 0)
				return -1;
			*may_copy = truth;
		} else {
			PyErr_Format(PyExc_TypeError, "%s: there is no argument %s", self->e->name, name);
			return -1;
		}
	}
	return 0;
}

static PyObject *entry_call(PyObject *self, PyObject *args, PyObject *kwargs)
{
	const Entry *f = (const Entry *)self;
	Py_ssize_t n = PyTuple_Size(args);
	PyObject *few[FEW], **all = few, *given = NULL, *result = NULL;
	bool may_copy = true;
	if (!f->e)
		return PyErr_Format(PyExc_TypeError, "an entry point that was not made by a module");
	if (n > f->e->n_in)
		return PyErr_Format(PyExc_TypeError, "%s: %zd arguments, but there are %d parameters",
		                    f->e->name, n, f->e->n_in);
	if (f->e->n_in > FEW && !(all = (PyObject **)malloc((size_t)f->e->n_in * sizeof *all)))
		return PyErr_NoMemory();
	for (int i = 0; i < f->e->n_in; i++)
		all[i] = i < n ? PyTuple_GetItem(args, i) : NULL;
	int missing = -1;
	if (!kwargs || put_keywords(f, kwargs, all, &may_copy, &given) == 0) {
		for (int i = f->e->n_in; i-- > 0;)
			missing = all[i] ? missing : i;
		if (missing >= 0)
			PyErr_Format(PyExc_TypeError, "%s: argument %s is missing", f->e->name,
			             f->e->in[missing].name);
		else
			result = call_with(f, all, may_copy, given);
	}
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

static PyType_Slot entry_slots[] = {
	{Py_tp_init, (void *)entry_init}, {Py_tp_dealloc, (void *)entry_dealloc},
	{Py_tp_call, (void *)entry_call}, {0, NULL},
};
PyType_Spec entry_spec = {"raido._raido.Entry", sizeof(Entry), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, entry_slots};
