// Arrays of NumPy, seen through a few fields of its objects that its ABI promises, and tensors of any kind
// whose type has the table of DLPack for exchange (PyTorch's).
#include "_raido.h"

#include <dlfcn.h>
#include <string.h>

const char *const prim_name[N_PRIMS] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64",
                                               "f16", "f32", "f64", "bool"};
const char *const numpy_name[N_PRIMS] = {"int8", "int16", "int32", "int64", "uint8",
                                                "uint16", "uint32", "uint64", "float16",
                                                "float32", "float64", "bool"};
const int prim_size[N_PRIMS] = {1, 2, 4, 8, 1, 2, 4, 8, 2, 4, 8, 1};

// ---- NumPy ----

enum { API_TYPE = 2, API_NEW = 93, API_SET_BASE = 282 };
// ORDER PRIMTYPE; the second where C has two types of that size
const int numpy_num[N_PRIMS] = {1, 3, 5, 7, 2, 4, 6, 8, 23, 11, 12, 0};
const int numpy_also[N_PRIMS] = {1, 3, 5, 9, 2, 4, 6, 10, 23, 11, 12, 0};

Numpy numpy;

int load_numpy(void)
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

bool is_numpy(PyObject *o)
{
	return numpy.type && PyObject_TypeCheck(o, numpy.type);
}

bool is_native(char byteorder)
{
	const uint16_t one = 1;
	char little = *(const char *)&one ? '<' : '>';
	return byteorder == '=' || byteorder == '|' || byteorder == little;
}

// ---- DLPack ----

const DType dl_type[N_PRIMS] = {{DL_INT, 8, 1}, {DL_INT, 16, 1}, {DL_INT, 32, 1},
                                       {DL_INT, 64, 1}, {DL_UINT, 8, 1}, {DL_UINT, 16, 1},
                                       {DL_UINT, 32, 1}, {DL_UINT, 64, 1}, {DL_FLOAT, 16, 1},
                                       {DL_FLOAT, 32, 1}, {DL_FLOAT, 64, 1}, {DL_BOOL, 8, 1}};

static const Exchange *find_exchange(PyTypeObject *type)
{
	PyObject *capsule = PyObject_GetAttrString((PyObject *)type, "__dlpack_c_exchange_api__");
	const Exchange *table = capsule && PyCapsule_CheckExact(capsule)
	                      ? (const Exchange *)PyCapsule_GetPointer(capsule, "dlpack_exchange_api")
	                      : NULL;
	PyErr_Clear();
	Py_XDECREF(capsule);            // the type keeps it
	while (table && table->version.major != 1)
		table = table->previous;
	return table;
}

// What is known of a type of tensors: its table, and how to ask whether one requires a gradient, which takes longer by name.
typedef struct { PyTypeObject *type; const Exchange *table; PyObject *grad; descrgetfunc get; } Kind;

static void find_kind(Kind *k, PyTypeObject *type)
{
	Kind old = *k;
	Py_INCREF((PyObject *)type);
	*k = (Kind){type, find_exchange(type), NULL, NULL};
	if (k->table && (k->grad = PyObject_GetAttrString((PyObject *)type, "requires_grad")))
		k->get = (descrgetfunc)PyType_GetSlot(Py_TYPE(k->grad), Py_tp_descr_get);
	PyErr_Clear();
	Py_XDECREF((PyObject *)old.type);
	Py_XDECREF(old.grad);
}

// The last types asked for are remembered: a call may have tensors, parameters and others.
static const Kind *kind_of_tensor(PyObject *o)
{
	enum { LAST = 4 };
	static Kind last[LAST];
	static int next;
	PyTypeObject *type = Py_TYPE(o);
	for (int i = 0; i < LAST; i++)
		if (last[i].type == type)
			return &last[i];
	Kind *k = &last[next];
	next = (next + 1) % LAST;
	find_kind(k, type);
	return k;
}

const Exchange *exchange_of(PyObject *o)
{
	return kind_of_tensor(o)->table;
}

int requires_grad(PyObject *o)
{
	const Kind *k = kind_of_tensor(o);
	PyObject *x = k->get ? k->get(k->grad, o, (PyObject *)k->type) : PyObject_GetAttrString(o, "requires_grad");
	int is = !x ? 0 : x == Py_True ? 1 : x == Py_False ? 0 : PyObject_IsTrue(x);
	if (!x)
		PyErr_Clear();          // a framework that has no such thing
	Py_XDECREF(x);
	return is;
}

static bool is_empty(const Tensor *t)
{
	for (int i = 0; i < t->ndim; i++)
		if (t->shape[i] == 0)
			return true;
	return false;
}

// The message of an error here is long, and about the inside of the other library.  Tensors without memory need not be
// an error there: those of a FakeTensorMode are at no address, and so are those whose memory was given back.
int view(const Exchange *table, PyObject *o, Tensor *out)
{
	int err = table->view(o, out);
	if (err)
		PyErr_Clear();
	return err ? err : !out->data && !is_empty(out);
}

bool is_contiguous(const Tensor *t)
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

bool is_aligned(const Tensor *t)
{
	return ((uintptr_t)t->data + t->offset) % (t->dtype.bits >= 8 ? t->dtype.bits / 8 : 1) == 0;
}

static void ignore_error(void *error, const char *kind, const char *message)
{
	(void)error, (void)kind, (void)message;
}

// By the allocator of the framework; needs no GIL.
Managed *new_tensor(const Exchange *table, Device device, DType dtype, int rank, int64_t *shape)
{
	Tensor like = {.device = device, .ndim = rank, .dtype = dtype, .shape = shape};
	Managed *made = NULL;
	return table->allocate(&like, &made, NULL, ignore_error) == 0 ? made : NULL;
}

// ---- Tensors of PyTorch itself ----

// Its table makes a tensor, shows it by DLPack, and makes another one of that, for which the host needs a microsecond.
// Its libraries have functions that make just one: `empty`, `drop` and `data` are of an interface in C that is kept from version to
// version, for models compiled ahead of time (aoti_torch/c/shim.h); `wrap` gives the object of Python, and its name says what it takes.
// A version without one of these uses the table.
typedef struct {
	int (*empty)(int64_t rank, const int64_t *shape, const int64_t *strides, int32_t dtype, int32_t device_type,
	             int32_t device, void **tensor);
	int (*drop)(void *tensor);
	int (*data)(void *tensor, void **to);
	PyObject *(*wrap)(const void *tensor);
} Maker;

static bool find_function(void *library, const char *name, void *to)
{
	void *f = dlsym(library, name);
	memcpy(to, &f, sizeof f);
	return f != NULL;
}

static bool find_maker(const Exchange *table, Maker *m)
{
	Dl_info where;
	void *address;
	memcpy(&address, &table->allocate, sizeof address);
	void *library = dladdr(address, &where) && where.dli_fname ? dlopen(where.dli_fname, RTLD_NOW | RTLD_NOLOAD) : NULL;
	return library && find_function(library, "aoti_torch_empty_strided", &m->empty) &&
	       find_function(library, "aoti_torch_delete_tensor_object", &m->drop) &&
	       find_function(library, "aoti_torch_get_data_ptr", &m->data) &&
	       find_function(library, "_Z16THPVariable_WrapRKN2at10TensorBaseE", &m->wrap);
}

// That of the framework asked for last; NULL: it has none.
static const Maker *maker_of(const Exchange *table)
{
	static const Exchange *last;
	static Maker maker;
	static bool has;
	if (last != table) {
		last = table;
		has = find_maker(table, &maker);
	}
	return has ? &maker : NULL;
}

static PyObject *make_object(const Maker *m, Device device, int prim, int rank, const int64_t *shape, char **data)
{
	// the numbers of PyTorch's dtypes and devices, which its files of tensors have too
	static const int dtype[N_PRIMS] = {1, 2, 3, 4, 0, 27, 28, 29, 5, 6, 7, 11};
	enum { MOST = 8, CPU = 0, CUDA = 1 };
	int64_t strides[MOST], step = 1;
	void *tensor, *at = NULL;
	PyObject *o = NULL;
	if (rank > MOST)
		return NULL;
	for (int d = rank; d-- > 0; step *= shape[d])
		strides[d] = step;
	if (m->empty(rank, shape, strides, dtype[prim], device.type == DL_CUDA ? CUDA : CPU, device.id, &tensor) != 0)
		return NULL;
	if (m->data(tensor, &at) == 0 && at)
		o = m->wrap(tensor);
	m->drop(tensor);
	*data = (char *)at;
	return o;
}

int make_tensor(const Exchange *table, Device device, int prim, int rank, int64_t *shape, Made *out, char **data)
{
	const Maker *maker = maker_of(table);
	out->object = maker ? make_object(maker, device, prim, rank, shape, data) : NULL;
	if (out->object)
		return 0;
	PyErr_Clear();
	out->managed = new_tensor(table, device, dl_type[prim], rank, shape);
	if (!out->managed)
		return -1;
	*data = (char *)out->managed->tensor.data + out->managed->tensor.offset;
	return 0;
}
