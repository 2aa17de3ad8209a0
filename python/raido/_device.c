// Arrays on CUDA devices: where a call runs, memory of the framework for its results, and arrays of
// other kinds by __dlpack__ or __cuda_array_interface__.
#include "_raido.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static PyObject *device_array;                  // raido._device.DeviceArray

PyObject *set_device_array(PyObject *module, PyObject *function)
{
	(void)module;
	Py_INCREF(function);
	Py_XDECREF(device_array);
	device_array = function;
	Py_RETURN_NONE;
}

// ---- Where a call runs ----

int check_device(Call *c, int i, Device d)
{
	bool on_device = c->self->lib->on_device;
	if (!on_device)
		return d.type == DL_CPU ? 0 : wrong(PyExc_ValueError, c, i,
			"should be on the CPU: for tensors on a GPU, compile with backend=\"cuda\"");
	if (d.type != DL_CUDA)
		return wrong(PyExc_ValueError, c, i, "is not on a CUDA device, but the program is compiled "
		             "for CUDA");
	if (c->place.device >= 0 && c->place.device != d.id)
		return wrong(PyExc_ValueError, c, i, "is on device %d, but others are on device %d",
		             (int)d.id, c->place.device);
	c->place.device = d.id;
	return 0;
}

int choose_place(Call *c)
{
	if (!c->self->lib->on_device)
		return 0;
	if (c->place.device < 0)
		c->place.device = 0;
	if (!c->table)
		return 0;
	if (c->foreign) {
		PyErr_Format(PyExc_TypeError, "%s: arguments are on the device, but of different frameworks",
		             c->e->name);
		return -1;
	}
	if (!c->table->current_stream || !c->table->allocate ||
	    c->table->current_stream(DL_CUDA, c->place.device, &c->place.stream) != 0) {
		if (!PyErr_Occurred())
			PyErr_Format(PyExc_RuntimeError, "%s: the stream of the arguments is not known",
			             c->e->name);
		return -1;
	}
	c->place.framework = c->table;
	return 0;
}

int read_scalars(const Call *c, Context *ctx)
{
	for (int i = 0; i < c->e->n_in; i++) {
		if (!(c->in[i].flags & TO_BE_READ))
			continue;
		int size = prim_size[c->e->in[i].prim];
		int err = ctx->table->read(ctx->ptr, &c->rooms[i], c->in[i].data, size);
		if (err)
			return err;
		c->in[i].data = &c->rooms[i];
		c->in[i].flags = 0;
	}
	return 0;
}

// ---- Results ----

int64_t size_before(const Call *c, int size)
{
	const struct raido_entry *e = c->e;
	int value = e->sizes[size].value;
	for (int i = 0; i < e->n_in; i++)
		for (int d = 0; d < e->in[i].rank; d++)
			if (e->in[i].dims[d] == -1 - size)
				return c->in[i].shape[d];
	return value >= 0 && !(c->in[value].flags & TO_BE_READ) ? c->rooms[value].i : -1;
}

// May the result be in the memory of an argument that is donated?
static bool may_be_donated(const Call *c, const struct raido_value *v)
{
	for (int i = 0; i < c->e->n_in; i++)
		if (c->in[i].flags & RAIDO_DONATED && c->e->in[i].prim == v->prim &&
		    c->e->in[i].rank == v->rank)
			return true;
	return false;
}

int make_room(Call *c)
{
	Device device = {DL_CUDA, c->place.device};
	for (int k = 0; k < c->e->n_out; k++) {
		const struct raido_value *v = &c->e->out[k];
		struct raido_out *o = &c->out[k];
		int64_t bytes = prim_size[v->prim];
		for (int d = 0; d < v->rank; d++) {
			o->shape[d] = v->dims[d] < 0 ? size_before(c, (int)(-1 - v->dims[d])) : v->dims[d];
			bytes = o->shape[d] < 0 ? -1 : bytes < 0 ? bytes : bytes * o->shape[d];
		}
		if (bytes <= 0 || o->given || may_be_donated(c, v))
			continue;
		char *data;
		if (make_tensor(c->table, device, v->prim, v->rank, o->shape, &c->made[k], &data) != 0) {
			if (!PyErr_Occurred())
				PyErr_Format(PyExc_MemoryError, "%s: no memory for a result on the device",
				             c->e->name);
			return -1;
		}
		o->data = data;
		o->given = bytes;
	}
	return 0;
}

PyObject *made_result(const Exchange *table, Made *m)
{
	void *made = m->object;
	if (!made && table->to_object(m->managed, &made) != 0) {
		if (!PyErr_Occurred())
			PyErr_SetString(PyExc_RuntimeError, "cannot make a tensor of a result");
		return NULL;
	}
	*m = (Made){NULL, NULL};
	return (PyObject *)made;
}

// _tensor_like(tensor, prim, shape): a tensor as it is made for a result, where that one is; its address, and whether it was made
// without DLPack.  For tests.
PyObject *tensor_like(PyObject *module, PyObject *args)
{
	enum { MOST = 16 };
	PyObject *like, *sizes;
	int prim;
	int64_t shape[MOST];
	Tensor t;
	Made made = {NULL, NULL};
	char *data;
	(void)module;
	if (!PyArg_ParseTuple(args, "OiO!", &like, &prim, &PyTuple_Type, &sizes))
		return NULL;
	const Exchange *table = exchange_of(like);
	int rank = (int)PyTuple_Size(sizes);
	if (!table || prim < 0 || prim >= N_PRIMS || rank > MOST || view(table, like, &t) != 0)
		return PyErr_Format(PyExc_TypeError, "_tensor_like takes a tensor, a type and a shape");
	for (int d = 0; d < rank; d++)
		shape[d] = PyLong_AsLongLong(PyTuple_GetItem(sizes, d));
	if (PyErr_Occurred() || make_tensor(table, t.device, prim, rank, shape, &made, &data) != 0)
		return PyErr_Occurred() ? NULL : PyErr_NoMemory();
	bool directly = made.object;
	return Py_BuildValue("(NKO)", made_result(table, &made), (unsigned long long)(uintptr_t)data,
	                     directly ? Py_True : Py_False);
}

// Takes over the block.
PyObject *device_result(const Call *c, int k, PyObject *block)
{
	const struct raido_value *v = &c->e->out[k];
	const struct raido_out *o = &c->out[k];
	PyObject *shape = PyTuple_New(v->rank);
	for (int d = 0; d < v->rank && shape; d++)
		if (PyTuple_SetItem(shape, d, PyLong_FromLongLong(o->shape[d])) != 0)
			Py_CLEAR(shape);
	if (!shape) {
		Py_DECREF(block);
		return NULL;
	}
	return PyObject_CallFunction(device_array, "NKNiiO", block, (unsigned long long)(uintptr_t)o->data,
	                             shape, v->prim, c->place.device, c->foreign ? c->foreign : Py_None);
}

// ---- Arrays of other kinds ----

typedef struct Unversioned {
	Tensor tensor;
	void *manager;
	void (*deleter)(struct Unversioned *);
} Unversioned;

// Its memory as __dlpack__ shows it, ready for the default stream.
static const Tensor *foreign_tensor(PyObject *o, PyObject **capsule)
{
	PyObject *method = PyObject_GetAttrString(o, "__dlpack__"), *none = PyTuple_New(0);
	PyObject *kwargs = Py_BuildValue("{s:i,s:(ii)}", "stream", 1, "max_version", 1, 0);
	*capsule = method && none && kwargs ? PyObject_Call(method, none, kwargs) : NULL;
	if (!*capsule && method && kwargs && PyErr_ExceptionMatches(PyExc_TypeError)) {
		PyErr_Clear();                  // older ones have versions of nothing
		if (PyDict_DelItemString(kwargs, "max_version") == 0)
			*capsule = PyObject_Call(method, none, kwargs);
	}
	Py_XDECREF(method);
	Py_XDECREF(none);
	Py_XDECREF(kwargs);
	if (!*capsule)
		return NULL;
	if (PyCapsule_IsValid(*capsule, "dltensor_versioned"))
		return &((Managed *)PyCapsule_GetPointer(*capsule, "dltensor_versioned"))->tensor;
	if (PyCapsule_IsValid(*capsule, "dltensor"))
		return &((Unversioned *)PyCapsule_GetPointer(*capsule, "dltensor"))->tensor;
	PyErr_SetString(PyExc_TypeError, "__dlpack__ should give a capsule");
	return NULL;
}

// Is it there?  Asked before the memory is, which is an error of the other library otherwise.
static int foreign_device(Call *c, int i, PyObject *o)
{
	PyObject *pair = PyObject_CallMethod(o, "__dlpack_device__", NULL);
	PyObject *type = pair ? PySequence_GetItem(pair, 0) : NULL;
	PyObject *id = type ? PySequence_GetItem(pair, 1) : NULL;
	Device d = {type ? (int32_t)PyLong_AsLong(type) : 0, id ? (int32_t)PyLong_AsLong(id) : 0};
	Py_XDECREF(pair);
	Py_XDECREF(type);
	Py_XDECREF(id);
	return PyErr_Occurred() ? -1 : check_device(c, i, d);
}

// ---- The CUDA array interface, for those that have no __dlpack__ ----

// Work of another stream is done before the call, which is in the default stream: 1, or nothing to wait for.
static int wait_for_stream(PyObject *stream)
{
	if (!stream || stream == Py_None)
		return 0;
	unsigned long long handle = PyLong_AsUnsignedLongLong(stream);
	if (PyErr_Occurred())
		return -1;
	if (handle <= 1)
		return 0;
	void *driver = dlopen("libcuda.so.1", RTLD_NOW), *symbol = driver ? dlsym(driver, "cuStreamSynchronize") : NULL;
	int (*wait)(void *), err = 1;
	memcpy(&wait, &symbol, sizeof wait);
	if (symbol) {
		Py_BEGIN_ALLOW_THREADS
		err = wait((void *)(uintptr_t)handle);
		Py_END_ALLOW_THREADS
	}
	if (driver)
		dlclose(driver);
	if (err)
		PyErr_Format(PyExc_RuntimeError, "cannot wait for the stream of an argument: CUDA error %d", err);
	return err ? -1 : 0;
}

// "<f8": the type, or -1.
static int prim_of_typestr(const char *s)
{
	static const char *const known[N_PRIMS] = {"i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8",
	                                           "b1"};
	for (int i = 0; i < N_PRIMS && s && *s && is_native(*s); i++)
		if (strcmp(known[i], s + 1) == 0)
			return i;
	return -1;
}

static int64_t *get_sizes(PyObject *tuple, int64_t *to, int64_t unit)
{
	for (Py_ssize_t d = 0; d < PyTuple_Size(tuple); d++)
		to[d] = PyLong_AsLongLong(PyTuple_GetItem(tuple, d)) / unit;
	return PyErr_Occurred() ? NULL : to;
}

// The sizes and strides are kept in a bytes object.
static int put_interface(Call *c, int i, PyObject *o)
{
	Tensor *t = &c->tensors[i];
	PyObject *d = PyObject_GetAttrString(o, "__cuda_array_interface__");
	PyObject *shape = d && PyDict_Check(d) ? PyDict_GetItemString(d, "shape") : NULL;
	PyObject *data = shape ? PyDict_GetItemString(d, "data") : NULL;
	PyObject *type = shape ? PyDict_GetItemString(d, "typestr") : NULL;
	PyObject *strides = shape ? PyDict_GetItemString(d, "strides") : NULL;
	PyObject *mask = shape ? PyDict_GetItemString(d, "mask") : NULL;
	int result = -1, prim = type && PyUnicode_Check(type) ? prim_of_typestr(PyUnicode_AsUTF8AndSize(type, NULL)) : -1;
	bool strided = strides && strides != Py_None;
	if (!d || PyErr_Occurred()) {
	} else if (!shape || !PyTuple_Check(shape) || !data || !PyTuple_Check(data) || PyTuple_Size(data) != 2 ||
	           prim < 0 || (mask && mask != Py_None) ||
	           (strided && (!PyTuple_Check(strides) || PyTuple_Size(strides) != PyTuple_Size(shape)))) {
		wrong(PyExc_TypeError, c, i, "has a __cuda_array_interface__ of another kind than is known here");
	} else if (wait_for_stream(PyDict_GetItemString(d, "stream")) == 0 &&
	           check_device(c, i, (Device){DL_CUDA, c->place.device < 0 ? 0 : c->place.device}) == 0) {
		int rank = (int)PyTuple_Size(shape);
		c->kept[i] = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((2 * rank + 1) * 8));
		int64_t *sizes = c->kept[i] ? (int64_t *)(void *)PyBytes_AsString(c->kept[i]) : NULL;
		unsigned long long at = PyLong_AsUnsignedLongLong(PyTuple_GetItem(data, 0));
		*t = (Tensor){(void *)(uintptr_t)at, {DL_CUDA, c->place.device}, rank, dl_type[prim], sizes,
		              strided ? sizes + rank : NULL, 0};
		if (sizes && !PyErr_Occurred() && get_sizes(shape, sizes, 1) &&
		    (!strided || get_sizes(strides, sizes + rank, prim_size[prim])))
			result = 0;
		for (int k = 0; k < rank && result == 0; k++)
			if (sizes[k] < 0)
				result = wrong(PyExc_ValueError, c, i, "has a negative size");
	}
	Py_XDECREF(d);
	return result;
}

// What was deleted or donated in JAX fails there without a word of that.
int explain_deleted(const Call *c, int i, PyObject *o)
{
	PyObject *type, *value, *trace;
	PyErr_Fetch(&type, &value, &trace);
	PyObject *is = PyObject_CallMethod(o, "is_deleted", NULL);
	PyErr_Clear();
	bool deleted = is == Py_True;
	Py_XDECREF(is);
	PyErr_Restore(type, value, trace);
	return deleted ? wrong(PyExc_ValueError, c, i, "was deleted or donated") : -1;
}

bool is_foreign(PyObject *o)
{
	return PyObject_HasAttrString(o, "__dlpack_device__") ||
	       PyObject_HasAttrString(o, "__cuda_array_interface__");
}

int put_foreign(Call *c, int i, PyObject *o)
{
	const Tensor *t = &c->tensors[i];
	if (!PyObject_HasAttrString(o, "__dlpack_device__")) {
		if (put_interface(c, i, o) != 0)
			return -1;
	} else if (foreign_device(c, i, o) != 0 || !(t = foreign_tensor(o, &c->kept[i]))) {
		return -1;
	}
	if (check_tensor(c, i, o, t) != 0)
		return -1;
	if (!is_contiguous(t))
		return wrong(PyExc_ValueError, c, i, "is not contiguous");
	if (!is_aligned(t))
		return wrong(PyExc_ValueError, c, i, "is not aligned");
	c->in[i].data = (const char *)t->data + t->offset;
	c->in[i].shape = t->shape;
	c->in[i].flags = t->ndim || c->e->in[i].boxed ? 0 : TO_BE_READ;
	c->foreign = o;
	return 0;
}

// On the CPU, or not at all.
int check_foreign(Call *c, int i, PyObject *o)
{
	if (PyObject_HasAttrString(o, "__dlpack_device__"))
		return foreign_device(c, i, o);
	return check_device(c, i, (Device){DL_CUDA, 0});
}

// ---- Results for these ----

// What a capsule refers to: a block, or what else has the memory.
typedef struct {
	union { Managed managed; Unversioned old; } u;
	PyObject *owner;
	int64_t shape[];
} Shown;

static void forget(Shown *s)
{
	PyGILState_STATE gil = PyGILState_Ensure();
	Py_DECREF(s->owner);
	PyGILState_Release(gil);
	free(s);
}

static void delete_managed(Managed *m)
{
	forget((Shown *)m);
}

static void delete_old(Unversioned *m)
{
	forget((Shown *)m);
}

static void capsule_end(PyObject *capsule)
{
	static const char *const names[] = {"dltensor_versioned", "dltensor"};
	for (int i = 0; i < 2; i++)             // else somebody has taken it
		if (PyCapsule_IsValid(capsule, names[i]))
			forget((Shown *)PyCapsule_GetPointer(capsule, names[i]));
}

// _to_capsule(owner, address, shape, prim, device, versioned)
PyObject *to_capsule(PyObject *module, PyObject *args)
{
	PyObject *owner, *shape;
	unsigned long long address;
	int prim, device, versioned;
	(void)module;
	if (!PyArg_ParseTuple(args, "OKO!iip", &owner, &address, &PyTuple_Type, &shape, &prim, &device,
	                      &versioned))
		return NULL;
	int rank = (int)PyTuple_Size(shape);
	Shown *s = (Shown *)calloc(1, sizeof *s + (size_t)(2 * rank + 1) * sizeof(int64_t));
	if (!s)
		return PyErr_NoMemory();
	int64_t step = 1;
	for (int d = rank; d-- > 0; step *= s->shape[d]) {
		s->shape[d] = PyLong_AsLongLong(PyTuple_GetItem(shape, d));
		s->shape[rank + d] = step;
	}
	Tensor t = {(void *)(uintptr_t)address, {DL_CUDA, device}, rank, dl_type[prim], s->shape,
	            s->shape + rank, 0};
	if (versioned)
		s->u.managed = (Managed){.version = {1, 0}, .deleter = delete_managed, .tensor = t};
	else
		s->u.old = (Unversioned){.tensor = t, .deleter = delete_old};
	Py_INCREF(owner);
	s->owner = owner;
	PyObject *capsule = PyCapsule_New(s, versioned ? "dltensor_versioned" : "dltensor", capsule_end);
	if (!capsule)
		forget(s);
	return capsule;
}

// _fetch(block, address, array): the bytes from the device.
PyObject *fetch(PyObject *module, PyObject *args)
{
	PyObject *block, *array;
	unsigned long long address;
	(void)module;
	if (!PyArg_ParseTuple(args, "O!KO!", block_type, &block, &address, numpy.type, &array))
		return NULL;
	const Array *a = (const Array *)array;
	Context *ctx = ((Block *)block)->ctx;
	int64_t size = 1;
	for (int i = 0; i < N_PRIMS; i++)
		if (a->descr->num == numpy_num[i] || a->descr->num == numpy_also[i])
			size = prim_size[i];
	for (int d = 0; d < a->nd; d++)
		size *= a->dimensions[d];
	int err;
	Py_BEGIN_ALLOW_THREADS
	err = ctx->table->read(ctx->ptr, a->data, (const void *)(uintptr_t)address, size);
	Py_END_ALLOW_THREADS
	if (!err)
		Py_RETURN_NONE;
	char *said = ctx->table->error(ctx->ptr);
	PyErr_Format(program_error, "%s", said ? said : "failed");
	free(said);
	return NULL;
}
