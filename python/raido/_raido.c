// The extension module of Raido for Python: libraries, their contexts, and calls of entry points.
//
// A call turns its arguments into the flat inputs of rts/c/call.h, without copying where that can be,
// calls without holding the GIL, and makes arrays over the memory of the results.  Arrays are NumPy's,
// seen through a few fields of its objects that its ABI promises, or of any kind whose type
// has the table of DLPack for exchange (PyTorch's tensors).  Everything else becomes NumPy's first.
//
// A context is used by one call at a time; a library has as many as there were calls at once.
#include "_raido.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N_PRIMS = 12, BOOL = 11, FEW = 24 };
static const char *const prim_name[N_PRIMS] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64",
                                               "f16", "f32", "f64", "bool"};
static const char *const numpy_name[N_PRIMS] = {"int8", "int16", "int32", "int64", "uint8",
                                                "uint16", "uint32", "uint64", "float16",
                                                "float32", "float64", "bool"};
static const int prim_size[N_PRIMS] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1};

static PyObject *program_error;                 // raido.ProgramError
static long long n_copies;                      // of arguments that were not contiguous
static unsigned generation;                     // how many forks ago this process began

// ---- NumPy ----

// The fields that NumPy's ABI has had since its first version.
typedef struct { PyObject_HEAD PyTypeObject *typeobj; char kind, type, byteorder, unused; int num; } Descr;
typedef struct {
	PyObject_HEAD
	char *data;
	int nd;
	Py_ssize_t *dimensions, *strides;
	PyObject *base;
	Descr *descr;
	int flags;
} Array;
enum { CONTIGUOUS = 1, ALIGNED = 0x100, WRITEABLE = 0x400 };
enum { API_TYPE = 2, API_NEW = 93, API_SET_BASE = 282 };
// ORDER PRIMTYPE; the second where C has two types of that size
static const int numpy_num[N_PRIMS] = {1, 3, 5, 7, 2, 4, 6, 8, 23, 11, 12, 0};
static const int numpy_also[N_PRIMS] = {1, 3, 5, 9, 2, 4, 6, 10, 23, 11, 12, 0};

static struct {
	PyTypeObject *type;
	PyObject *(*new_array)(PyTypeObject *, int, const Py_ssize_t *, int, const Py_ssize_t *, void *,
	                       int, int, PyObject *);
	int (*set_base)(PyObject *, PyObject *);
	PyObject *module;
} numpy;

static int load_numpy(void)
{
	if (numpy.module)
		return 0;
	PyObject *np = PyImport_ImportModule("numpy");
	PyObject *inner = np ? PyImport_ImportModule("numpy._core._multiarray_umath") : NULL;
	if (np && !inner) {
		PyErr_Clear();
		inner = PyImport_ImportModule("numpy.core._multiarray_umath");
	}
	PyObject *capsule = inner ? PyObject_GetAttrString(inner, "_ARRAY_API") : NULL;
	void **api = capsule ? (void **)PyCapsule_GetPointer(capsule, NULL) : NULL;
	Py_XDECREF(inner);
	Py_XDECREF(capsule);
	if (!api) {
		Py_XDECREF(np);
		return -1;
	}
	numpy.type = (PyTypeObject *)api[API_TYPE];
	memcpy(&numpy.new_array, &api[API_NEW], sizeof numpy.new_array);
	memcpy(&numpy.set_base, &api[API_SET_BASE], sizeof numpy.set_base);
	numpy.module = np;
	return 0;
}

static bool is_numpy(PyObject *o)
{
	return numpy.type && PyObject_TypeCheck(o, numpy.type);
}

static bool is_native(char byteorder)
{
	const uint16_t one = 1;
	char little = *(const char *)&one ? '<' : '>';
	return byteorder == '=' || byteorder == '|' || byteorder == little;
}

// ---- DLPack ----

typedef struct { uint32_t major, minor; } Version;
typedef struct { int32_t type, id; } Device;
typedef struct { uint8_t code, bits; uint16_t lanes; } DType;
typedef struct {
	void *data;
	Device device;
	int32_t ndim;
	DType dtype;
	int64_t *shape, *strides;
	uint64_t offset;
} Tensor;
typedef struct Managed {
	Version version;
	void *manager;
	void (*deleter)(struct Managed *);
	uint64_t flags;
	Tensor tensor;
} Managed;
typedef struct Exchange {
	Version version;
	struct Exchange *previous;
	void *allocate, *managed_from_object;
	int (*to_object)(Managed *, void **out);
	int (*view)(void *object, Tensor *out);
	void *current_stream;
} Exchange;
enum { DL_CPU = 1, DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_BOOL = 6 };
static const DType dl_type[N_PRIMS] = {{DL_INT, 8, 1}, {DL_INT, 16, 1}, {DL_INT, 32, 1},
                                       {DL_INT, 64, 1}, {DL_UINT, 8, 1}, {DL_UINT, 16, 1},
                                       {DL_UINT, 32, 1}, {DL_UINT, 64, 1}, {DL_FLOAT, 16, 1},
                                       {DL_FLOAT, 32, 1}, {DL_FLOAT, 64, 1}, {DL_BOOL, 8, 1}};

// The table of a type, or NULL; that of the last type asked for is remembered.
static const Exchange *exchange_of(PyObject *o)
{
	static PyTypeObject *last;
	static const Exchange *last_table;
	PyTypeObject *type = Py_TYPE(o);
	if (type == last)
		return last_table;
	PyObject *capsule = PyObject_GetAttrString((PyObject *)type, "__dlpack_c_exchange_api__");
	const Exchange *table = capsule && PyCapsule_CheckExact(capsule)
	                      ? (const Exchange *)PyCapsule_GetPointer(capsule, "dlpack_exchange_api")
	                      : NULL;
	PyErr_Clear();
	Py_XDECREF(capsule);            // the type keeps it
	while (table && table->version.major != 1)
		table = table->previous;
	Py_INCREF((PyObject *)type);
	Py_XDECREF((PyObject *)last);
	last = type;
	last_table = table;
	return table;
}

// The message of an error here is long, and about the inside of the other library.
static int view(const Exchange *table, PyObject *o, Tensor *out)
{
	int err = table->view(o, out);
	if (err)
		PyErr_Clear();
	return err;
}

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

static Context *context_new(Library *lib)
{
	Context *c = (Context *)calloc(1, sizeof *c);
	void *ptr = c ? lib->table->context_new(&lib->options) : NULL;
	if (!ptr) {
		free(c);
		return NULL;
	}
	c->lib = lib;
	c->table = lib->table;
	c->ptr = ptr;
	c->refs = 1;
	c->generation = generation;
	return c;
}

// After a fork the child has one thread, and neither the threads of contexts nor, perhaps, their locks.
static void begin_anew(Library *lib)
{
	lib->generation = generation;
	lib->idle = NULL;               // lost: freeing them would wait for threads
	lib->n_contexts = 0;
	unlock_list(lib);
}

Context *context_take(Library *lib)
{
	if (lib->generation != generation)
		begin_anew(lib);
	for (;;) {
		Context *c = NULL;
		bool make = false, closed;
		lock_list(lib);
		closed = lib->closed;
		if (closed) {
		} else if (lib->idle) {
			c = lib->idle;
			lib->idle = c->next;
		} else if (lib->n_contexts < lib->most) {
			lib->n_contexts++;
			make = true;
		}
		unlock_list(lib);
		if (closed || c)
			return c;
		if (make) {
			c = context_new(lib);
			if (!c) {
				lock_list(lib);
				lib->n_contexts--;
				unlock_list(lib);
			}
			return c;
		}
		struct timespec nap = {0, 20000}; // others have them all
		nanosleep(&nap, NULL);
	}
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

static void forked(void)
{
	generation++;
}

// ---- Libraries ----

static PyTypeObject *library_type, *entry_type, *block_type, *donated_type;

static PyObject *library_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	static char *names[] = {"path", "threads", "deterministic", "cache_limit", "contexts", NULL};
	const char *path;
	int threads = 0, deterministic = 0, contexts = 64;
	long long limit = 0;
	if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|ipLi", names, &path, &threads, &deterministic,
	                                 &limit, &contexts))
		return NULL;
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL); // stays: results may outlive all else
	if (!handle)
		return PyErr_Format(PyExc_OSError, "%s", dlerror());
	const struct raido_library *(*program)(void);
	void *symbol = dlsym(handle, "raido_program");
	memcpy(&program, &symbol, sizeof program);
	if (!symbol || program()->version != RAIDO_CALL)
		return PyErr_Format(PyExc_OSError, "%s is no library made by this version of Raido", path);
	allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
	Library *lib = (Library *)alloc(type, 0);
	if (!lib)
		return NULL;
	lib->table = program();
	lib->options.threads = threads;
	lib->options.deterministic = deterministic;
	lib->options.cache_limit = limit;
	lib->most = contexts;
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
	return Py_BuildValue("{s:s,s:z,s:s,s:s,s:N,s:N,s:N}", "name", e->name, "doc", e->doc,
	                     "in_form", e->in_form, "out_form", e->out_form, "inputs", in, "outputs",
	                     out, "sizes", sizes);
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

// ---- The memory of results ----

typedef struct { PyObject_HEAD Context *ctx; void *block; } Block;

static void block_dealloc(PyObject *self)
{
	Block *b = (Block *)self;
	PyTypeObject *type = Py_TYPE(self);
	if (b->ctx->generation == generation)
		b->ctx->table->release(b->ctx->ptr, b->block);
	context_release(b->ctx);
	PyObject_Free(self);
	Py_DECREF(type);
}

// Takes over the block, also when it fails.
static PyObject *block_new(Context *ctx, void *block)
{
	Block *b = PyObject_New(Block, block_type);
	if (!b) {
		ctx->table->release(ctx->ptr, block);
		return NULL;
	}
	__atomic_add_fetch(&ctx->refs, 1, __ATOMIC_RELAXED);
	b->ctx = ctx;
	b->block = block;
	return (PyObject *)b;
}

// The same for tensors.  A scalar is inside; an alias keeps the object whose memory it is.
typedef struct {
	Managed managed;
	Context *ctx;
	void *block;
	PyObject *owner;
	union { int64_t i; double f; } scalar;
	int64_t shape[];
} Owned;

static void owned_delete(Managed *m)
{
	Owned *o = (Owned *)m;
	if (o->block) {
		if (o->ctx->generation == generation)
			o->ctx->table->release(o->ctx->ptr, o->block);
		context_release(o->ctx);
	}
	if (o->owner) {
		PyGILState_STATE gil = PyGILState_Ensure();
		Py_DECREF(o->owner);
		PyGILState_Release(gil);
	}
	free(o);
}

// ---- Donations ----

typedef struct { PyObject_HEAD PyObject *what; } Donated;

static PyObject *donate(PyObject *module, PyObject *what)
{
	(void)module;
	Donated *d = PyObject_New(Donated, donated_type);
	if (!d)
		return NULL;
	Py_INCREF(what);
	d->what = what;
	return (PyObject *)d;
}

static void donated_dealloc(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	Py_DECREF(((Donated *)self)->what);
	PyObject_Free(self);
	Py_DECREF(type);
}

// ---- Entry points ----

typedef struct {
	PyObject_HEAD
	Library *lib;
	const struct raido_entry *e;
	int out_rank;                   // of all results together
	bool takes_grad;                // tensors that require gradients are no mistake
} Entry;

typedef union { int64_t i; uint64_t u; double f64; float f32; uint16_t f16; uint8_t b; } Room;

// All that a call needs.
typedef struct {
	const Entry *self;
	const struct raido_entry *e;
	struct raido_in *in;
	struct raido_out *out;
	Room *rooms;                    // of scalars, inputs before outputs
	int64_t *shapes;                // of outputs
	Tensor *tensors;                // of inputs
	PyObject **kept;                // objects made for this call, or aliased
	const Exchange *table;          // the kind of tensor that came in, or NULL
	bool may_copy;
	PyObject *given;                // out=: where results are to be, or NULL
} Call;

static int wrong(PyObject *error, const Call *c, int i, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	PyObject *text = PyUnicode_FromFormatV(format, args);
	va_end(args);
	if (text)
		PyErr_Format(error, "%s: argument %s %U", c->e->name, c->e->in[i].name, text);
	Py_XDECREF(text);
	return -1;
}

// ---- Scalars in ----

// To the nearest, ties to even.
static uint16_t half_of(double x)
{
	float f = (float)x;
	uint32_t u;
	memcpy(&u, &f, sizeof u);
	uint16_t sign = (uint16_t)(u >> 16 & 0x8000);
	uint32_t a = u & 0x7fffffff;
	if (a >= 0x7f800000)
		return (uint16_t)(sign | 0x7c00 | (a > 0x7f800000 ? 0x200 : 0));
	if (a >= 0x477ff000)
		return (uint16_t)(sign | 0x7c00);
	if (a < 0x38800000) {
		float tiny;
		memcpy(&tiny, &a, sizeof tiny);
		return (uint16_t)(sign | (uint16_t)__builtin_rintf(tiny * 16777216.0f));
	}
	return (uint16_t)(sign | ((a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13));
}

static double of_half(uint16_t h)
{
	int exponent = h >> 10 & 31, m = h & 1023;
	double x = exponent == 0 ? m * 0x1p-24 : exponent == 31 ? (m ? NAN : INFINITY)
	         : (1024 + m) * __builtin_ldexp(1, exponent - 25);
	return h & 0x8000 ? -x : x;
}

static int put_int(const Call *c, int i, PyObject *o, int prim, Room *to)
{
	PyObject *n = PyNumber_Index(o);
	if (!n) {
		if (!PyErr_ExceptionMatches(PyExc_TypeError))
			return -1;
		PyErr_Clear();
		return wrong(PyExc_TypeError, c, i, "should be an integer (%s), not %R", prim_name[prim],
		             (PyObject *)Py_TYPE(o));
	}
	int bits = 8 * prim_size[prim];
	if (prim < 4) {
		int overflow;
		long long x = PyLong_AsLongLongAndOverflow(n, &overflow);
		to->i = x;
		if (bits < 64)
			overflow |= x < -(1LL << (bits - 1)) || x >= 1LL << (bits - 1);
		Py_DECREF(n);
		return overflow ? wrong(PyExc_OverflowError, c, i, "does not fit in %s",
		                        prim_name[prim]) : 0;
	}
	unsigned long long x = PyLong_AsUnsignedLongLong(n);
	Py_DECREF(n);
	bool bad = PyErr_Occurred() || (bits < 64 && x >> bits);
	PyErr_Clear();
	to->u = x;                      // little-endian: the first bytes
	return bad ? wrong(PyExc_OverflowError, c, i, "does not fit in %s", prim_name[prim]) : 0;
}

static int wants_grad(PyObject *o)
{
	static PyObject *name;
	if (!name && !(name = PyUnicode_InternFromString("requires_grad")))
		return -1;
	PyObject *x = PyObject_GetAttr(o, name);
	int truth = x == Py_False || !x ? 0 : PyObject_IsTrue(x);
	if (!x)
		PyErr_Clear();
	Py_XDECREF(x);
	return truth;
}

// A tensor without dimensions.
static int put_tensor_scalar(Call *c, int i, PyObject *o, const Exchange *table)
{
	int prim = c->e->in[i].prim;
	Tensor *t = &c->tensors[i];
	if (!c->self->takes_grad && wants_grad(o))
		return wrong(PyExc_TypeError, c, i, "requires a gradient: use raido.torch.wrap, or detach()");
	if (view(table, o, t) != 0)
		return wrong(PyExc_ValueError, c, i, "has no memory: it should be on the CPU");
	if (t->device.type != DL_CPU)
		return wrong(PyExc_ValueError, c, i, "should be on the CPU");
	if (t->ndim != 0 || memcmp(&t->dtype, &dl_type[prim], sizeof t->dtype) != 0)
		return wrong(PyExc_TypeError, c, i, "should be a tensor of dtype %s without dimensions",
		             numpy_name[prim]);
	memcpy(&c->rooms[i], (const char *)t->data + t->offset, (size_t)prim_size[prim]);
	c->table = table;
	return 0;
}

static int put_scalar(Call *c, int i, PyObject *o)
{
	int prim = c->e->in[i].prim;
	Room *to = &c->rooms[i];
	c->in[i].data = to;
	if (PyFloat_CheckExact(o) && prim == 10) {
		to->f64 = PyFloat_AsDouble(o);
		return 0;
	}
	if (Py_TYPE(o) == donated_type)
		o = ((Donated *)o)->what;
	if (!PyFloat_Check(o) && !PyLong_Check(o) && !is_numpy(o)) {
		const Exchange *table = exchange_of(o);
		if (table)
			return put_tensor_scalar(c, i, o, table);
	}
	if (prim < 8)
		return put_int(c, i, o, prim, to);
	if (prim == BOOL) {
		int truth = PyBool_Check(o) ? o == Py_True : -1;
		if (truth < 0 && !PyFloat_Check(o) && !PyLong_Check(o) && !PyUnicode_Check(o))
			truth = PyObject_IsTrue(o);
		if (truth < 0 && !PyErr_Occurred())
			return wrong(PyExc_TypeError, c, i, "should be a bool, not %R",
			             (PyObject *)Py_TYPE(o));
		to->b = (uint8_t)truth;
		return truth < 0 ? -1 : 0;
	}
	double x = PyFloat_AsDouble(o);
	if (x == -1.0 && PyErr_Occurred()) {
		if (!PyErr_ExceptionMatches(PyExc_TypeError))
			return -1;
		PyErr_Clear();
		return wrong(PyExc_TypeError, c, i, "should be a number (%s), not %R", prim_name[prim],
		             (PyObject *)Py_TYPE(o));
	}
	if (prim == 10)
		to->f64 = x;
	else if (prim == 9)
		to->f32 = (float)x;
	else
		to->f16 = half_of(x);
	return 0;
}

// ---- Arrays in ----

static int put_numpy(Call *c, int i, PyObject *o, bool donated);

// Another array with the same elements, contiguous; the call keeps it.
static int put_copy(Call *c, int i, PyObject *o, const char *function, bool donated)
{
	if (!c->may_copy)
		return wrong(PyExc_ValueError, c, i, "is not contiguous, and copy=False");
	if (donated)
		return wrong(PyExc_ValueError, c, i, "is donated, but not contiguous");
	PyObject *copy = PyObject_CallMethod(numpy.module, function, "O", o);
	if (!copy)
		return -1;
	n_copies++;
	c->kept[i] = copy;
	return put_numpy(c, i, copy, false);
}

static int put_numpy(Call *c, int i, PyObject *o, bool donated)
{
	const struct raido_value *v = &c->e->in[i];
	const Array *a = (const Array *)o;
	int num = a->descr->num;
	if ((num != numpy_num[v->prim] && num != numpy_also[v->prim]) ||
	    !is_native(a->descr->byteorder))
		return wrong(PyExc_TypeError, c, i, "should be of dtype %s, not %S",
		             numpy_name[v->prim], (PyObject *)a->descr);
	if (a->nd != v->rank)
		return wrong(PyExc_ValueError, c, i, "should have %d dimension%s, not %d", v->rank,
		             v->rank == 1 ? "" : "s", a->nd);
	if ((a->flags & (CONTIGUOUS | ALIGNED)) != (CONTIGUOUS | ALIGNED))
		return put_copy(c, i, o, "ascontiguousarray", donated);
	if (donated && !(a->flags & WRITEABLE))
		return wrong(PyExc_ValueError, c, i, "is donated, but cannot be written to");
	c->in[i].data = a->data;
	c->in[i].shape = (const int64_t *)a->dimensions;
	c->in[i].flags = donated ? RAIDO_DONATED : 0;
	return 0;
}

static bool is_contiguous(const Tensor *t)
{
	int64_t step = 1;
	for (int i = t->ndim; t->strides && i-- > 0;) {
		if (t->shape[i] == 0)
			return true;
		if (t->shape[i] != 1 && t->strides[i] != step)
			return false;
		step *= t->shape[i];
	}
	return true;
}

static int put_tensor(Call *c, int i, PyObject *o, const Exchange *table, bool donated)
{
	const struct raido_value *v = &c->e->in[i];
	Tensor *t = &c->tensors[i];
	if (!c->self->takes_grad && wants_grad(o))
		return wrong(PyExc_TypeError, c, i, "requires a gradient: use raido.torch.wrap, or detach()");
	if (view(table, o, t) != 0)
		return wrong(PyExc_ValueError, c, i, "has no memory: it should be on the CPU");
	if (t->device.type != DL_CPU)
		return wrong(PyExc_ValueError, c, i, "should be on the CPU");
	if (memcmp(&t->dtype, &dl_type[v->prim], sizeof t->dtype) != 0) {
		PyObject *dtype = PyObject_GetAttrString(o, "dtype");
		PyErr_Clear();
		wrong(PyExc_TypeError, c, i, "should be of dtype %s, not %S", numpy_name[v->prim],
		      dtype ? dtype : Py_None);
		Py_XDECREF(dtype);
		return -1;
	}
	if (t->ndim != v->rank)
		return wrong(PyExc_ValueError, c, i, "should have %d dimension%s, not %d", v->rank,
		             v->rank == 1 ? "" : "s", (int)t->ndim);
	c->table = table;
	if (!is_contiguous(t)) {
		if (!c->may_copy)
			return wrong(PyExc_ValueError, c, i, "is not contiguous, and copy=False");
		if (donated)
			return wrong(PyExc_ValueError, c, i, "is donated, but not contiguous");
		c->kept[i] = PyObject_CallMethod(o, "contiguous", NULL);
		n_copies++;
		if (!c->kept[i])
			return -1;
		if (view(table, c->kept[i], t) != 0)
			return wrong(PyExc_ValueError, c, i, "has no memory: it should be on the CPU");
	}
	c->in[i].data = (char *)t->data + t->offset;
	c->in[i].shape = t->shape;
	c->in[i].flags = donated ? RAIDO_DONATED : 0;
	return 0;
}

// Lists, and arrays of other kinds.
static int put_other(Call *c, int i, PyObject *o)
{
	const struct raido_value *v = &c->e->in[i];
	PyObject *made;
	if (PyList_Check(o) || PyTuple_Check(o))
		made = PyObject_CallMethod(numpy.module, "array", "Os", o, numpy_name[v->prim]);
	else if (PyObject_HasAttrString(o, "__dlpack__"))
		made = PyObject_CallMethod(numpy.module, "from_dlpack", "O", o);
	else
		made = PyObject_CallMethod(numpy.module, "asarray", "O", o);
	if (!made)
		return -1;
	if (!is_numpy(made)) {
		Py_DECREF(made);
		return wrong(PyExc_TypeError, c, i, "is no array");
	}
	Array *a = (Array *)made;
	if ((a->flags & (CONTIGUOUS | ALIGNED)) != (CONTIGUOUS | ALIGNED)) {
		PyObject *copy = c->may_copy ? PyObject_CallMethod(numpy.module, "ascontiguousarray", "O",
		                                                   made) : NULL;
		Py_DECREF(made);
		if (!copy)
			return PyErr_Occurred() ? -1 : wrong(PyExc_ValueError, c, i,
			                                     "is not contiguous, and copy=False");
		n_copies++;
		made = copy;
	}
	c->kept[i] = made;
	return put_numpy(c, i, made, false);
}

static int put_array(Call *c, int i, PyObject *o)
{
	if (Py_TYPE(o) == numpy.type)   // first what is most frequent
		return put_numpy(c, i, o, false);
	bool donated = Py_TYPE(o) == donated_type;
	if (donated)
		o = ((Donated *)o)->what;
	if (is_numpy(o))
		return put_numpy(c, i, o, donated);
	const Exchange *table = exchange_of(o);
	if (table)
		return put_tensor(c, i, o, table, donated);
	if (donated)
		return wrong(PyExc_TypeError, c, i, "is donated, but no array of NumPy or PyTorch");
	return put_other(c, i, o);
}

// Do the arrays have the same sizes where the types say so?
static int check_sizes(const Call *c)
{
	const struct raido_entry *e = c->e;
	for (int i = 0; i < e->n_in; i++)
		for (int d = 0; d < e->in[i].rank; d++) {
			int64_t want = e->in[i].dims[d], have = c->in[i].shape[d];
			for (int j = 0; want < 0 && j < i; j++)
				for (int k = 0; k < e->in[j].rank; k++)
					if (e->in[j].dims[k] == want && c->in[j].shape[k] != have)
						return wrong(PyExc_ValueError, c, i,
						             "has size %lld in dimension %d, but %s (of %s) is %lld",
						             (long long)have, d, e->sizes[-1 - want].name,
						             e->in[j].name, (long long)c->in[j].shape[k]);
			if (want >= 0 && have != want)
				return wrong(PyExc_ValueError, c, i, "has size %lld in dimension %d, not %lld",
				             (long long)have, d, (long long)want);
		}
	return 0;
}

// ---- Results ----

static PyObject *scalar_result(int prim, const Room *r)
{
	switch (prim) {
	case 0: return PyLong_FromLong(*(const int8_t *)r);
	case 1: return PyLong_FromLong(*(const int16_t *)r);
	case 2: return PyLong_FromLong(*(const int32_t *)r);
	case 3: return PyLong_FromLongLong(r->i);
	case 4: return PyLong_FromLong(*(const uint8_t *)r);
	case 5: return PyLong_FromLong(*(const uint16_t *)r);
	case 6: return PyLong_FromUnsignedLong(*(const uint32_t *)r);
	case 7: return PyLong_FromUnsignedLongLong(r->u);
	case 8: return PyFloat_FromDouble(of_half(r->f16));
	case 9: return PyFloat_FromDouble((double)r->f32);
	case 10: return PyFloat_FromDouble(r->f64);
	default: return PyBool_FromLong(r->b);
	}
}

static PyObject *numpy_result(const Call *c, int k, Context *ctx)
{
	const struct raido_value *v = &c->e->out[k];
	struct raido_out *o = &c->out[k];
	PyObject *base;
	if (o->block) {
		base = block_new(ctx, o->block);
		o->block = NULL;
	} else {                        // in memory of an argument that was donated
		base = c->kept[o->alias - 1];
		Py_XINCREF(base);
	}
	if (!base)
		return NULL;
	PyObject *a = numpy.new_array(numpy.type, v->rank, (const Py_ssize_t *)o->shape,
	                              numpy_num[v->prim], NULL, o->data, 0,
	                              CONTIGUOUS | ALIGNED | WRITEABLE, NULL);
	if (!a) {
		Py_DECREF(base);
		return NULL;
	}
	if (numpy.set_base(a, base) != 0) {
		Py_DECREF(a);
		return NULL;
	}
	return a;
}

static PyObject *tensor_result(const Call *c, int k, Context *ctx, const Room *scalar)
{
	const struct raido_value *v = &c->e->out[k];
	struct raido_out *r = &c->out[k];
	Owned *o = (Owned *)calloc(1, sizeof *o + (size_t)(2 * v->rank + 1) * sizeof(int64_t));
	void *made = NULL;
	if (!o)
		return PyErr_NoMemory();
	o->managed = (Managed){.version = {1, 0}, .deleter = owned_delete,
	                       .tensor = {.device = {DL_CPU, 0}, .ndim = v->rank,
	                                  .dtype = dl_type[v->prim], .shape = o->shape,
	                                  .strides = o->shape + v->rank}};
	if (v->rank == 0) {
		memcpy(&o->scalar, scalar, sizeof o->scalar);
		o->managed.tensor.data = &o->scalar;
	} else {
		o->managed.tensor.data = r->data;
		o->block = r->block;
		o->ctx = ctx;
		if (r->block)
			__atomic_add_fetch(&ctx->refs, 1, __ATOMIC_RELAXED);
		else if ((o->owner = c->kept[r->alias - 1]))
			Py_INCREF(o->owner);
		r->block = NULL;
		int64_t step = 1;
		for (int d = v->rank; d-- > 0; step *= r->shape[d]) {
			o->shape[d] = r->shape[d];
			o->shape[v->rank + d] = step;
		}
	}
	if (c->table->to_object(&o->managed, &made) != 0) {
		owned_delete(&o->managed);
		if (!PyErr_Occurred())
			PyErr_SetString(PyExc_RuntimeError, "cannot make a tensor of a result");
		return NULL;
	}
	return (PyObject *)made;
}

static PyObject *given_result(const Call *c, int k)
{
	PyObject *o = PyTuple_Check(c->given) ? PyTuple_GetItem(c->given, k) : c->given;
	Py_XINCREF(o);
	return o;
}

static PyObject *one_result(const Call *c, int k, Context *ctx, const Room *rooms)
{
	const struct raido_value *v = &c->e->out[k];
	if (c->out[k].given && v->rank)
		return given_result(c, k);
	if (c->table)
		return tensor_result(c, k, ctx, &rooms[k]);
	return v->rank ? numpy_result(c, k, ctx) : scalar_result(v->prim, &rooms[k]);
}

static PyObject *all_results(const Call *c, Context *ctx)
{
	const Room *rooms = c->rooms + c->e->n_in;
	PyObject *all = NULL;
	bool single = c->e->n_out == 1 && c->e->out_form[0] != '(';
	if (single)
		return one_result(c, 0, ctx, rooms);
	all = PyTuple_New(c->e->n_out);
	for (int k = 0; k < c->e->n_out && all; k++) {
		PyObject *o = one_result(c, k, ctx, rooms);
		if (!o || PyTuple_SetItem(all, k, o) != 0)
			Py_CLEAR(all);
	}
	for (int k = 0; k < c->e->n_out; k++)
		if (c->out[k].block) {
			ctx->table->release(ctx->ptr, c->out[k].block);
			c->out[k].block = NULL;
		}
	return all;
}

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

// out=: an array of NumPy for the only result, or a tuple with one for each.
static int put_given(Call *c)
{
	PyObject *g = c->given;
	if (PyTuple_Check(g) ? PyTuple_Size(g) != c->e->n_out : c->e->n_out != 1) {
		PyErr_Format(PyExc_ValueError, "%s: out= should have %d arrays", c->e->name, c->e->n_out);
		return -1;
	}
	for (int k = 0; k < c->e->n_out; k++) {
		const struct raido_value *v = &c->e->out[k];
		PyObject *o = PyTuple_Check(g) ? PyTuple_GetItem(g, k) : g;
		const Array *a = (const Array *)o;
		if (o == Py_None || !v->rank)
			continue;
		int needs = CONTIGUOUS | ALIGNED | WRITEABLE;
		if (!is_numpy(o) || a->nd != v->rank || (a->flags & needs) != needs ||
		    (a->descr->num != numpy_num[v->prim] && a->descr->num != numpy_also[v->prim])) {
			PyErr_Format(PyExc_ValueError, "%s: out= should have a contiguous array of %d "
			             "dimensions and dtype %s for result %d", c->e->name, v->rank,
			             numpy_name[v->prim], k);
			return -1;
		}
		int64_t bytes = prim_size[v->prim];
		for (int d = 0; d < a->nd; d++)
			bytes *= a->dimensions[d];
		for (int i = 0; i < c->e->n_in; i++) {
			int64_t n = prim_size[c->e->in[i].prim];
			for (int d = 0; d < c->e->in[i].rank; d++)
				n *= c->in[i].shape[d];
			const char *from = (const char *)c->in[i].data;
			if (c->e->in[i].rank && from < a->data + bytes && a->data < from + n) {
				PyErr_Format(PyExc_ValueError, "%s: out= overlaps argument %s", c->e->name,
				             c->e->in[i].name);
				return -1;
			}
		}
		c->out[k].data = a->data;
		c->out[k].given = bytes;
	}
	return 0;
}

// The shape of a result is known only now.
static int check_given(const Call *c)
{
	for (int k = 0; k < c->e->n_out && c->given; k++) {
		const struct raido_value *v = &c->e->out[k];
		PyObject *o = PyTuple_Check(c->given) ? PyTuple_GetItem(c->given, k) : c->given;
		for (int d = 0; c->out[k].given && d < v->rank; d++)
			if (((const Array *)o)->dimensions[d] != c->out[k].shape[d]) {
				PyErr_Format(PyExc_ValueError, "%s: the array in out= for result %d has another "
				             "shape than the result", c->e->name, k);
				return -1;
			}
	}
	return 0;
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
	int64_t *shape = c->shapes;
	for (int k = 0; k < e->n_out; shape += e->out[k++].rank)
		c->out[k] = (struct raido_out){e->out[k].rank ? NULL : &c->rooms[e->n_in + k], shape, 0,
		                               NULL, 0};
	if (c->given && put_given(c) != 0)
		return NULL;
	for (int i = 0; i < e->n_in; i++)
		if (c->in[i].flags & RAIDO_DONATED && !c->kept[i]) {
			c->kept[i] = ((Donated *)args[i])->what;
			Py_INCREF(c->kept[i]);
		}
	Context *ctx;
	int err = 0;
	Py_BEGIN_ALLOW_THREADS
	ctx = context_take(lib);
	if (ctx)
		err = e->call(ctx->ptr, c->in, c->out);
	Py_END_ALLOW_THREADS
	if (!ctx) {
		if (lib->closed)
			PyErr_Format(PyExc_RuntimeError, "%s: the module is closed", e->name);
		else
			PyErr_Format(PyExc_MemoryError, "%s: no memory for a context", e->name);
		return NULL;
	}
	PyObject *result = NULL;
	if (err)
		raise(c, ctx, err);
	else
		result = check_given(c) == 0 ? all_results(c, ctx) : NULL;
	context_give(ctx);
	return result;
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
	Call c = {self, e, in, out, rooms, shapes, tensors, kept, NULL, may_copy, given};
	char *more = NULL;
	if (n > FEW || m > FEW || self->out_rank > 4 * FEW) {
		size_t bytes = (size_t)n * (sizeof *in + sizeof *tensors + sizeof *kept + sizeof *rooms) +
		               (size_t)m * (sizeof *out + sizeof *rooms) +
		               (size_t)self->out_rank * sizeof *shapes + 64;
		char *at = more = (char *)malloc(bytes);
		if (!more)
			return PyErr_NoMemory();
		c.in = (struct raido_in *)at, at += (size_t)n * sizeof *in;
		c.out = (struct raido_out *)at, at += (size_t)m * sizeof *out;
		c.rooms = (Room *)at, at += (size_t)(n + m) * sizeof *rooms;
		c.shapes = (int64_t *)at, at += (size_t)self->out_rank * sizeof *shapes;
		c.tensors = (Tensor *)at, at += (size_t)n * sizeof *tensors;
		c.kept = (PyObject **)at;
	}
	for (int i = 0; i < n; i++) {
		c.kept[i] = NULL;
		c.in[i].shape = NULL;
		c.in[i].flags = 0;
	}
	PyObject *result = run(&c, args);
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

// ---- The module ----

static PyObject *get_copies(PyObject *module, PyObject *unused)
{
	(void)module, (void)unused;
	return PyLong_FromLongLong(n_copies);
}

static PyObject *set_errors(PyObject *module, PyObject *error)
{
	(void)module;
	Py_INCREF(error);
	Py_XDECREF(program_error);
	program_error = error;
	Py_RETURN_NONE;
}

static PyMethodDef library_methods[] = {
	{"close", library_close, METH_NOARGS, "Frees the contexts that no result needs."},
	{"memory", library_memory, METH_NOARGS, "Bytes of the idle contexts together."},
	{"clear", library_clear, METH_NOARGS, "Gives back the memory that is kept for later."},
	{"entries", library_entries, METH_NOARGS, "What the entry points are."},
	{NULL, NULL, 0, NULL},
};

static PyType_Slot library_slots[] = {
	{Py_tp_new, (void *)library_new}, {Py_tp_dealloc, (void *)library_dealloc},
	{Py_tp_methods, library_methods}, {0, NULL},
};
static PyType_Slot entry_slots[] = {
	{Py_tp_init, (void *)entry_init}, {Py_tp_dealloc, (void *)entry_dealloc},
	{Py_tp_call, (void *)entry_call}, {0, NULL},
};
static PyType_Slot block_slots[] = {{Py_tp_dealloc, (void *)block_dealloc}, {0, NULL}};
static PyType_Slot donated_slots[] = {{Py_tp_dealloc, (void *)donated_dealloc}, {0, NULL}};
enum { NO_NEW = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION };
static PyType_Spec library_spec = {"raido._raido.Library", sizeof(Library), 0, Py_TPFLAGS_DEFAULT,
                                   library_slots};
static PyType_Spec entry_spec = {"raido._raido.Entry", sizeof(Entry), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, entry_slots};
static PyType_Spec block_spec = {"raido._raido.Block", sizeof(Block), 0, NO_NEW, block_slots};
static PyType_Spec donated_spec = {"raido._raido.Donated", sizeof(Donated), 0, NO_NEW, donated_slots};

static PyMethodDef methods[] = {
	{"donate", donate, METH_O,
	 "donate(x): an argument that the callee may overwrite; x must not be used afterwards."},
	{"copies", get_copies, METH_NOARGS, "How many arguments were copied since they were not contiguous."},
	{"_set_errors", set_errors, METH_O, NULL},
	{"_xla_setup", xla_setup, METH_NOARGS, NULL},
	{"_xla_register", xla_register, METH_VARARGS, NULL},
	{NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_raido", NULL, -1, methods, NULL, NULL,
                                        NULL, NULL};

static PyTypeObject *add_type(PyObject *m, PyType_Spec *spec, const char *name)
{
	PyObject *t = PyType_FromSpec(spec);
	if (t && PyModule_AddObjectRef(m, name, t) != 0)
		Py_CLEAR(t);
	return (PyTypeObject *)t;
}

PyMODINIT_FUNC PyInit__raido(void)
{
	PyObject *m = PyModule_Create(&definition);
	if (!m)
		return NULL;
	library_type = add_type(m, &library_spec, "Library");
	entry_type = add_type(m, &entry_spec, "Entry");
	block_type = add_type(m, &block_spec, "Block");
	donated_type = add_type(m, &donated_spec, "Donated");
	if (!library_type || !entry_type || !block_type || !donated_type) {
		Py_DECREF(m);
		return NULL;
	}
	pthread_atfork(NULL, NULL, forked);
	return m;
}
