// Results of calls: arrays over the memory that the program made, or where the caller wants them.
#include "_raido.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

PyTypeObject *block_type;

// ---- The memory of results ----

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

static PyType_Slot block_slots[] = {{Py_tp_dealloc, (void *)block_dealloc}, {0, NULL}};
PyType_Spec block_spec = {"raido._raido.Block", sizeof(Block), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, block_slots};

double of_half(uint16_t h)
{
	int exponent = h >> 10 & 31, m = h & 1023;
	double x = exponent == 0 ? m * 0x1p-24 : exponent == 31 ? (m ? NAN : INFINITY)
	         : (1024 + m) * __builtin_ldexp(1, exponent - 25);
	return h & 0x8000 ? -x : x;
}

// ---- Values ----

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
	Owned *o = (Owned *)malloc(sizeof *o + (size_t)(2 * v->rank + 1) * sizeof(int64_t)); // calloc is slower
	void *made = NULL;
	Device device = {c->place.device < 0 ? DL_CPU : DL_CUDA,
	                 c->place.device < 0 ? 0 : c->place.device};
	if (!o)
		return PyErr_NoMemory();
	*o = (Owned){.managed = {.version = {1, 0}, .deleter = owned_delete,
	                         .tensor = {.device = device, .ndim = v->rank,
	                                    .dtype = dl_type[v->prim], .shape = o->shape,
	                                    .strides = o->shape + v->rank}}};
	if (v->rank == 0 && !v->boxed) {
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
	if (c->made[k].object || c->made[k].managed)
		return made_result(c->table, &c->made[k]);
	if (c->out[k].given && (v->rank || v->boxed))
		return given_result(c, k);
	if (!c->table && c->place.device >= 0) {
		PyObject *block = block_new(ctx, c->out[k].block);
		c->out[k].block = NULL;
		return block ? device_result(c, k, block) : NULL;
	}
	if (c->table)
		return tensor_result(c, k, ctx, &rooms[k]);
	return v->rank ? numpy_result(c, k, ctx) : scalar_result(v->prim, &rooms[k]);
}

PyObject *all_results(const Call *c, Context *ctx)
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

// ---- out= ----

// An array or tensor where a result is to be.
typedef struct { char *data; const int64_t *shape; int64_t bytes; } Target;

static bool find_target(const Call *c, int k, PyObject *o, Target *out)
{
	const struct raido_value *v = &c->e->out[k];
	const Exchange *table = is_numpy(o) ? NULL : exchange_of(o);
	static Tensor t;                // with the GIL, until the next one
	if (is_numpy(o) && !c->self->lib->on_device) {
		const Array *a = (const Array *)o;
		int needs = CONTIGUOUS | ALIGNED | WRITEABLE;
		if (a->nd != v->rank || (a->flags & needs) != needs || !is_native(a->descr->byteorder) ||
		    (a->descr->num != numpy_num[v->prim] && a->descr->num != numpy_also[v->prim]))
			return false;
		*out = (Target){a->data, (const int64_t *)a->dimensions, prim_size[v->prim]};
	} else if (table && view(table, o, &t) == 0) {
		int32_t type = c->self->lib->on_device ? DL_CUDA : DL_CPU;
		if (t.device.type != type || (type == DL_CUDA && t.device.id != c->place.device) ||
		    t.ndim != v->rank || memcmp(&t.dtype, &dl_type[v->prim], sizeof t.dtype) != 0 ||
		    !is_contiguous(&t) || !is_aligned(&t) || is_negated(c, o, &t))
			return false;
		*out = (Target){(char *)t.data + t.offset, t.shape, prim_size[v->prim]};
	} else {
		return false;
	}
	for (int d = 0; d < v->rank; d++)
		out->bytes *= out->shape[d];
	return true;
}

static int check_overlap(const Call *c, int k, const Target *t)
{
	int i = find_overlap(c, t->data, t->bytes, -1);
	if (i >= 0) {
		PyErr_Format(PyExc_ValueError, "%s: out= overlaps argument %s", c->e->name, c->e->in[i].name);
		return -1;
	}
	for (int j = 0; j < k; j++) {
		const char *from = (const char *)c->out[j].data;
		if (c->out[j].given && from < t->data + t->bytes && t->data < from + c->out[j].given) {
			PyErr_Format(PyExc_ValueError, "%s: out= has the same memory for results %d and %d",
			             c->e->name, j, k);
			return -1;
		}
	}
	return 0;
}

// Has it the shape of the result, as far as that is known before the call?
static int check_room(const Call *c, int k, const Target *t)
{
	const struct raido_value *v = &c->e->out[k];
	for (int d = 0; d < v->rank; d++) {
		int64_t want = v->dims[d] < 0 ? size_before(c, (int)(-1 - v->dims[d])) : v->dims[d];
		if (want >= 0 && t->shape[d] != want) {
			PyErr_Format(PyExc_ValueError, "%s: the array in out= for result %d has size %lld in dimension %d, "
			             "not %lld", c->e->name, k, (long long)t->shape[d], d, (long long)want);
			return -1;
		}
	}
	return 0;
}

// An array for the only result, or a tuple with one for each.
int put_given(Call *c)
{
	PyObject *g = c->given;
	if (PyTuple_Check(g) ? PyTuple_Size(g) != c->e->n_out : c->e->n_out != 1) {
		PyErr_Format(PyExc_ValueError, c->e->n_out == 1 ? "%s: out= should be an array"
		             : "%s: out= should be a tuple of %d arrays", c->e->name, c->e->n_out);
		return -1;
	}
	for (int k = 0; k < c->e->n_out; k++) {
		const struct raido_value *v = &c->e->out[k];
		PyObject *o = PyTuple_Check(g) ? PyTuple_GetItem(g, k) : g;
		Target t;
		if (o == Py_None)
			continue;
		if (!v->rank && !v->boxed) {
			PyErr_Format(PyExc_ValueError, "%s: result %d is a number: out= should have None for it",
			             c->e->name, k);
			return -1;
		}
		if (!find_target(c, k, o, &t)) {
			PyErr_Format(PyExc_ValueError, "%s: out= should have a contiguous array of %d "
			             "dimension%s and dtype %s that can be written to for result %d%s", c->e->name,
			             v->rank, v->rank == 1 ? "" : "s", numpy_name[v->prim], k,
			             c->self->lib->on_device ? ", on the device" : "");
			return -1;
		}
		if (check_overlap(c, k, &t) != 0 || check_room(c, k, &t) != 0)
			return -1;
		c->out[k].data = t.data;
		c->out[k].given = t.bytes;
	}
	return 0;
}

static bool is_known_before(const Call *c, int k)
{
	const struct raido_value *v = &c->e->out[k];
	for (int d = 0; d < v->rank; d++)
		if (v->dims[d] < 0 && size_before(c, (int)(-1 - v->dims[d])) < 0)
			return false;
	return true;
}

// Some shapes of results are known only now.
int check_given(const Call *c)
{
	for (int k = 0; k < c->e->n_out && c->given; k++) {
		const struct raido_value *v = &c->e->out[k];
		PyObject *o = PyTuple_Check(c->given) ? PyTuple_GetItem(c->given, k) : c->given;
		Target t;
		if (!c->out[k].given || c->made[k].object || c->made[k].managed || is_known_before(c, k) || !find_target(c, k, o, &t))
			continue;
		for (int d = 0; d < v->rank; d++)
			if (t.shape[d] != c->out[k].shape[d]) {
				PyErr_Format(PyExc_ValueError, "%s: the array in out= for result %d has another "
				             "shape than the result", c->e->name, k);
				return -1;
			}
	}
	return 0;
}
