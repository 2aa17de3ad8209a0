// Arguments of calls: the flat inputs of rts/c/call.h, without copying where that can be.
#include "_raido.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

PyTypeObject *donated_type;
long long n_copies;

// ---- Donations ----

PyObject *donate(PyObject *module, PyObject *what)
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

static PyMemberDef donated_members[] = {{"what", T_OBJECT_EX, offsetof(Donated, what), READONLY, NULL}, {0}};
static PyType_Slot donated_slots[] = {
	{Py_tp_dealloc, (void *)donated_dealloc}, {Py_tp_members, donated_members}, {0, NULL}};
PyType_Spec donated_spec = {"raido._raido.Donated", sizeof(Donated), 0,
                            Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, donated_slots};

int wrong(PyObject *error, const Call *c, int i, const char *format, ...)
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

// An array of a class that is derived from NumPy's: has it elements that are masked?
static int check_masked(const Call *c, int i, PyObject *o)
{
	PyObject *ma = PyImport_ImportModule("numpy.ma");
	PyObject *is = ma ? PyObject_CallMethod(ma, "is_masked", "O", o) : NULL;
	int masked = is ? PyObject_IsTrue(is) : -1;
	Py_XDECREF(ma);
	Py_XDECREF(is);
	return masked > 0 ? wrong(PyExc_ValueError, c, i, "has masked elements: use filled() or compressed()") : masked;
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

// Inside of torch.no_grad() nobody wants gradients.
static int is_grad_wanted(void)
{
	PyObject *name = PyUnicode_FromString("torch"), *torch = name ? PyImport_GetModule(name) : NULL;
	PyObject *answer = torch ? PyObject_CallMethod(torch, "is_grad_enabled", NULL) : NULL;
	Py_XDECREF(name);
	Py_XDECREF(torch);
	Py_XDECREF(answer);             // True or False
	return PyErr_Occurred() ? -1 : answer != Py_False;
}

// A tensor whose gradient would be lost.
static int check_grad(const Call *c, int i, PyObject *o)
{
	int grad = c->self->takes_grad ? 0 : requires_grad(o);
	if (grad > 0 && (grad = is_grad_wanted()) > 0)
		return wrong(PyExc_TypeError, c, i, "requires a gradient: use raido.torch.wrap, detach() or torch.no_grad()");
	return grad;
}

static int no_memory(const Call *c, int i)
{
	return wrong(PyExc_ValueError, c, i, "has no memory with its elements: it should be on %s, and dense",
	             c->self->lib->on_device ? "a CUDA device" : "the CPU");
}

// The kind of the dtype of an array or a number of NumPy or JAX ('f', 'c', ..), or 0.
static char kind_of(PyObject *o)
{
	PyObject *dtype = PyObject_GetAttrString(o, "dtype");
	PyObject *kind = dtype ? PyObject_GetAttrString(dtype, "kind") : NULL;
	const char *text = kind && PyUnicode_Check(kind) ? PyUnicode_AsUTF8AndSize(kind, NULL) : NULL;
	char c = text ? text[0] : 0;
	PyErr_Clear();
	Py_XDECREF(dtype);
	Py_XDECREF(kind);
	return c;
}

static bool has_dimensions(PyObject *o)
{
	PyObject *ndim = PyObject_GetAttrString(o, "ndim");
	bool some = ndim && PyLong_Check(ndim) && PyLong_AsLong(ndim) > 0;
	PyErr_Clear();
	Py_XDECREF(ndim);
	return some;
}

static int put_bool(const Call *c, int i, PyObject *o, Room *to)
{
	int truth = PyBool_Check(o) ? o == Py_True
	          : kind_of(o) == 'b' && !has_dimensions(o) ? PyObject_IsTrue(o) : -1;
	if (truth < 0 && !PyErr_Occurred())
		return wrong(PyExc_TypeError, c, i, "should be a bool, not %R", (PyObject *)Py_TYPE(o));
	to->b = (uint8_t)truth;
	return truth < 0 ? -1 : 0;
}

// Values of NumPy can be floats although something gets lost (complex ones), by reading texts, and,
// before 1.25, as arrays of one element.
static bool is_no_real(PyObject *o)
{
	char kind = PyFloat_Check(o) || PyLong_Check(o) ? 0 : kind_of(o);
	return kind && (strchr("cSUMm", kind) || has_dimensions(o));
}

static int put_float(const Call *c, int i, PyObject *o, int prim, Room *to)
{
	double x = is_no_real(o) ? -1 : PyFloat_AsDouble(o);
	if (x == -1.0 && (PyErr_Occurred() || is_no_real(o))) {
		bool large = PyErr_ExceptionMatches(PyExc_OverflowError);
		if (PyErr_Occurred() && !large && !PyErr_ExceptionMatches(PyExc_TypeError))
			return -1;
		PyErr_Clear();
		return large ? wrong(PyExc_OverflowError, c, i, "does not fit in %s", prim_name[prim])
		     : wrong(PyExc_TypeError, c, i, "should be a number (%s), not %R", prim_name[prim],
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

// PyTorch negates the imaginary parts of conjugates when they are read.  These are every other number in memory: a tensor
// that is contiguous has one of them, or is at a place where there is none.
bool may_be_negated(const Tensor *t)
{
	int64_t n = 1;
	for (int i = 0; i < t->ndim; i++)
		n *= t->shape[i];
	return n == 1 || ((uintptr_t)t->data + t->offset) % (t->dtype.bits >= 8 ? t->dtype.bits / 4 : 1) != 0;
}

// Has it a negation that is still to be done, which a view of its memory does not show?  raido.torch has asked.
int is_negated(const Call *c, PyObject *o, const Tensor *t)
{
	static PyObject *name;
	if (c->self->takes_grad || !may_be_negated(t))
		return 0;
	if (!name && !(name = PyUnicode_InternFromString("is_neg")))
		return -1;
	PyObject *is = PyObject_CallMethodObjArgs(o, name, NULL);
	if (!is)
		PyErr_Clear();          // a framework that has no such thing
	Py_XDECREF(is);
	return is == Py_True;
}

// Another tensor with the same elements in order, by a method of the framework; the call keeps it.
static int copy_tensor(Call *c, int i, PyObject *o, const Exchange *table, bool donated, const char *method)
{
	if (!c->may_copy)
		return wrong(PyExc_ValueError, c, i, "is not contiguous, and copy=False");
	if (donated)
		return wrong(PyExc_ValueError, c, i, "is donated, but not contiguous");
	c->kept[i] = PyObject_CallMethod(o, method, NULL);
	n_copies++;
	if (!c->kept[i])
		return -1;
	return view(table, c->kept[i], &c->tensors[i]) != 0 ? no_memory(c, i) : 0;
}

// A tensor without dimensions.
static int put_tensor_scalar(Call *c, int i, PyObject *o, const Exchange *table)
{
	int prim = c->e->in[i].prim;
	Tensor *t = &c->tensors[i];
	if (check_grad(c, i, o) != 0)
		return -1;
	if (view(table, o, t) != 0)
		return no_memory(c, i);
	if (t->ndim != 0 || memcmp(&t->dtype, &dl_type[prim], sizeof t->dtype) != 0)
		return wrong(PyExc_TypeError, c, i, "should be a tensor of dtype %s without dimensions",
		             numpy_name[prim]);
	int negated = is_negated(c, o, t);
	if (negated < 0 || (negated && copy_tensor(c, i, o, table, false, "resolve_neg") != 0))
		return -1;
	if (t->device.type == DL_CPU) {
		memcpy(&c->rooms[i], (const char *)t->data + t->offset, (size_t)prim_size[prim]);
		if (prim == BOOL)
			c->rooms[i].b = c->rooms[i].b != 0;
		if (!c->self->lib->on_device)
			c->table = table;
		return 0;
	}
	if (check_device(c, i, t->device) != 0)
		return -1;
	c->in[i].data = (const char *)t->data + t->offset;
	c->in[i].flags = c->e->in[i].boxed ? 0 : TO_BE_READ;
	c->table = table;
	return 0;
}

int put_scalar(Call *c, int i, PyObject *o)
{
	int prim = c->e->in[i].prim;
	Room *to = &c->rooms[i];
	c->in[i].data = to;
	c->in[i].flags = c->e->in[i].boxed ? RAIDO_HOST : 0;
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
	if (is_numpy(o) && Py_TYPE(o) != numpy.type && check_masked(c, i, o) != 0)
		return -1;
	if (c->self->lib->on_device && !PyFloat_Check(o) && !PyLong_Check(o) && !is_numpy(o) &&
	    is_foreign(o))
		return put_foreign(c, i, o);
	return prim < 8 ? put_int(c, i, o, prim, to) : prim == BOOL ? put_bool(c, i, o, to)
	     : put_float(c, i, o, prim, to);
}

// ---- Arrays in ----

static int put_numpy(Call *c, int i, PyObject *o, bool donated);

static bool has_odd_bools(const char *at, int64_t n)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);
	uint64_t all = 0, word;
	for (; n >= 8; n -= 8, at += 8) {
		memcpy(&word, at, 8);
		all |= word;
	}
	for (; n > 0; n--)
		all |= (unsigned char)*at++;
	return (all & ~ones) != 0;
}

// Views of other bytes as bools (view(bool) of NumPy and PyTorch) are true where a byte is not 0.  Programs rely on bytes that
// are 0 or 1: they are to be copied, unless they are the program's already.
static int put_bools(Call *c, int i)
{
	int64_t n = 1;
	for (int d = 0; d < c->e->in[i].rank; d++)
		n *= c->in[i].shape[d];
	const char *from = (const char *)c->in[i].data;
	if (!has_odd_bools(from, n))
		return 0;
	if (!c->may_copy)
		return wrong(PyExc_ValueError, c, i, "has bools whose bytes are neither 0 nor 1, and copy=False");
	bool donated = (c->in[i].flags & RAIDO_DONATED) != 0;
	PyObject *made = donated ? NULL : PyBytes_FromStringAndSize(NULL, (Py_ssize_t)n);
	if (!donated && !made)
		return -1;
	char *to = made ? PyBytes_AsString(made) : (char *)from;
	for (int64_t k = 0; k < n; k++)
		to[k] = from[k] != 0;
	c->in[i].data = to;
	if (made)                       // what is kept has the shape
		made = c->kept[i] ? Py_BuildValue("(NN)", c->kept[i], made) : made;
	n_copies += made != NULL;
	if (!donated)
		c->kept[i] = made;
	return donated || made ? 0 : -1;
}

// Another array with the same elements, contiguous; the call keeps it.
static int put_copy(Call *c, int i, PyObject *o, bool donated)
{
	if (!c->may_copy)
		return wrong(PyExc_ValueError, c, i, "is not contiguous, and copy=False");
	if (donated)
		return wrong(PyExc_ValueError, c, i, "is donated, but not contiguous");
	PyObject *copy = PyObject_CallMethod(o, "copy", NULL);
	if (!copy)
		return -1;
	n_copies++;
	Py_XDECREF(c->kept[i]);
	c->kept[i] = copy;
	return put_numpy(c, i, copy, false);
}

static int put_numpy(Call *c, int i, PyObject *o, bool donated)
{
	const struct raido_value *v = &c->e->in[i];
	const Array *a = (const Array *)o;
	int num = a->descr->num;
	if (c->self->lib->on_device)
		return check_device(c, i, (Device){DL_CPU, 0});
	if ((num != numpy_num[v->prim] && num != numpy_also[v->prim]) ||
	    !is_native(a->descr->byteorder))
		return wrong(PyExc_TypeError, c, i, "should be of dtype %s, not %S%s: use astype(\"%s\")",
		             numpy_name[v->prim], (PyObject *)a->descr,
		             is_native(a->descr->byteorder) ? "" : ", whose bytes are in another order",
		             numpy_name[v->prim]);
	if (a->nd != v->rank)
		return wrong(PyExc_ValueError, c, i, "should have %d dimension%s, not %d", v->rank,
		             v->rank == 1 ? "" : "s", a->nd);
	if ((a->flags & (CONTIGUOUS | ALIGNED)) != (CONTIGUOUS | ALIGNED))
		return put_copy(c, i, o, donated);
	if (donated && !(a->flags & WRITEABLE))
		return wrong(PyExc_ValueError, c, i, "is donated, but cannot be written to");
	c->in[i].data = a->data;
	c->in[i].shape = (const int64_t *)a->dimensions;
	c->in[i].flags = donated ? RAIDO_DONATED : 0;
	return v->prim == BOOL ? put_bools(c, i) : 0;
}

int check_tensor(const Call *c, int i, PyObject *o, const Tensor *t)
{
	const struct raido_value *v = &c->e->in[i];
	if (memcmp(&t->dtype, &dl_type[v->prim], sizeof t->dtype) != 0) {
		PyObject *dtype = PyObject_GetAttrString(o, "dtype");
		PyErr_Clear();
		bool has = PyObject_HasAttrString(o, "astype");
		wrong(PyExc_TypeError, c, i, has ? "should be of dtype %s, not %S: use astype(\"%s\")"
		      : "should be of dtype %s, not %S: use to(torch.%s)", numpy_name[v->prim],
		      dtype ? dtype : Py_None, numpy_name[v->prim]);
		Py_XDECREF(dtype);
		return -1;
	}
	if (t->ndim != v->rank)
		return wrong(PyExc_ValueError, c, i, "should have %d dimension%s, not %d", v->rank,
		             v->rank == 1 ? "" : "s", (int)t->ndim);
	return 0;
}

static int put_tensor(Call *c, int i, PyObject *o, const Exchange *table, bool donated)
{
	Tensor *t = &c->tensors[i];
	if (check_grad(c, i, o) != 0)
		return -1;
	if (view(table, o, t) != 0)
		return no_memory(c, i);
	if (check_device(c, i, t->device) != 0 || check_tensor(c, i, o, t) != 0)
		return -1;
	c->table = table;
	bool ordered = is_contiguous(t);
	int negated = ordered ? is_negated(c, o, t) : 0;
	if (negated < 0)
		return -1;
	if ((!ordered || negated || !is_aligned(t)) &&
	    copy_tensor(c, i, o, table, donated, negated ? "resolve_neg" : ordered ? "clone" : "contiguous") != 0)
		return -1;
	c->in[i].data = (char *)t->data + t->offset;
	c->in[i].shape = t->shape;
	c->in[i].flags = donated ? RAIDO_DONATED : 0;
	return c->e->in[i].prim == BOOL && t->device.type == DL_CPU ? put_bools(c, i) : 0;
}

// What Python or NumPy said is wrong, with the name of the argument.
static int explain(const Call *c, int i)
{
	PyObject *type, *value, *trace;
	PyErr_Fetch(&type, &value, &trace);
	wrong(type, c, i, "cannot be made an array: %S", value ? value : Py_None);
	Py_XDECREF(type);
	Py_XDECREF(value);
	Py_XDECREF(trace);
	return -1;
}

// Nothing gets lost: integers may become floats, not the other way; None and texts are no numbers.
static bool may_become(char kind, int prim)
{
	return kind == 'b' || (kind && prim != BOOL && strchr(prim < 8 ? "iu" : "iuf", kind));
}

// Integers that do not fit wrap around.
static int is_changed(PyObject *from, PyObject *to)
{
	PyObject *same = PyObject_CallMethod(numpy.module, "array_equal", "OO", from, to);
	int truth = same ? PyObject_IsTrue(same) : -1;
	Py_XDECREF(same);
	return truth < 0 ? -1 : !truth;
}

static int put_list(Call *c, int i, PyObject *o)
{
	int prim = c->e->in[i].prim;
	PyObject *any = PyObject_CallMethod(numpy.module, "array", "(O)", o); // a tuple is one argument
	if (!any)
		return PyErr_ExceptionMatches(PyExc_ValueError) ? explain(c, i) : -1;
	char kind = kind_of(any);
	bool empty = PyObject_Size(any) == 0;
	PyErr_Clear();
	if (!empty && !may_become(kind, prim)) {
		wrong(PyExc_TypeError, c, i, "is a list of %S, and should be one of %s",
		      (PyObject *)((Array *)any)->descr, numpy_name[prim]);
		Py_DECREF(any);
		return -1;
	}
	c->kept[i] = PyObject_CallMethod(any, "astype", "s", numpy_name[prim]);
	int lost = c->kept[i] && prim < 8 ? is_changed(any, c->kept[i]) : 0;
	Py_DECREF(any);
	if (lost)
		return lost < 0 ? -1 : wrong(PyExc_OverflowError, c, i, "has numbers that do not fit in %s",
		                             numpy_name[prim]);
	return c->kept[i] ? put_numpy(c, i, c->kept[i], false) : explain(c, i);
}

static int put_bytes(Call *c, int i, PyObject *o)
{
	c->kept[i] = PyObject_CallMethod(numpy.module, "frombuffer", "Os", o, numpy_name[c->e->in[i].prim]);
	return c->kept[i] ? put_numpy(c, i, c->kept[i], false) : -1;
}

static int no_array(const Call *c, int i, PyObject *o)
{
	return wrong(PyExc_TypeError, c, i, "should be an array of dtype %s, not %R", numpy_name[c->e->in[i].prim],
	             (PyObject *)Py_TYPE(o));
}

static bool is_traced(PyObject *o)
{
	return PyObject_HasAttrString(o, "aval") && PyObject_HasAttrString(o, "_trace");
}

// Lists, and arrays of other kinds.
static int put_other(Call *c, int i, PyObject *o)
{
	PyObject *made;
	if (PyList_Check(o) || PyTuple_Check(o) || Py_TYPE(o) == &PyRange_Type)
		return put_list(c, i, o);
	if (PyBytes_Check(o) && prim_size[c->e->in[i].prim] == 1 && c->e->in[i].prim != BOOL)
		return put_bytes(c, i, o);
	if (PyUnicode_Check(o) || PyBytes_Check(o) || PyLong_Check(o) || PyFloat_Check(o))
		return no_array(c, i, o);
	if (is_traced(o))
		return wrong(PyExc_TypeError, c, i, "is traced by JAX: use raido.jax.wrap");
	bool foreign = is_foreign(o);
	if (foreign && c->self->lib->on_device)
		return put_foreign(c, i, o) != 0 ? explain_deleted(c, i, o) : 0;
	if (foreign && check_foreign(c, i, o) != 0)
		return explain_deleted(c, i, o);
	if (PyObject_HasAttrString(o, "__dlpack__"))
		made = PyObject_CallMethod(numpy.module, "from_dlpack", "O", o);
	else
		made = PyObject_CallMethod(numpy.module, "asarray", "O", o);
	if (!made)
		return explain_deleted(c, i, o);
	if (!is_numpy(made)) {
		Py_DECREF(made);
		return wrong(PyExc_TypeError, c, i, "is no array");
	}
	c->kept[i] = made;
	if (((Array *)made)->nd == 0 && kind_of(made) == 'O')
		return no_array(c, i, o);
	return put_numpy(c, i, made, false);
}

int put_array(Call *c, int i, PyObject *o)
{
	if (Py_TYPE(o) == numpy.type)   // first what is most frequent
		return put_numpy(c, i, o, false);
	bool donated = Py_TYPE(o) == donated_type;
	if (donated)
		o = ((Donated *)o)->what;
	if (is_numpy(o))
		return Py_TYPE(o) != numpy.type && check_masked(c, i, o) != 0 ? -1 : put_numpy(c, i, o, donated);
	const Exchange *table = exchange_of(o);
	if (table)
		return put_tensor(c, i, o, table, donated);
	if (donated)
		return wrong(PyExc_TypeError, c, i, "is donated, but no array of NumPy or PyTorch");
	return put_other(c, i, o);
}

// Dimension d of argument i has another size than dimension k of argument j, where there should be one.
static int not_equal(const Call *c, int i, int d, int j, int k)
{
	const struct raido_entry *e = c->e;
	const char *size = e->sizes[-1 - e->in[j].dims[k]].name;
	long long have = c->in[i].shape[d], other = c->in[j].shape[k];
	if (strstr(size, "\xe2\x82")) // a subscript, as in d₃₂: the program does not name it
		return wrong(PyExc_ValueError, c, i, "has size %lld in dimension %d, but dimension %d of %s has size %lld",
		             have, d, k, e->in[j].name, other);
	return wrong(PyExc_ValueError, c, i, "has size %lld in dimension %d, but %s (of %s) is %lld", have, d, size,
	             e->in[j].name, other);
}

// Do the arrays have the same sizes where the types say so?
int check_sizes(const Call *c)
{
	const struct raido_entry *e = c->e;
	for (int i = 0; i < e->n_in; i++)
		for (int d = 0; d < e->in[i].rank; d++) {
			int64_t want = e->in[i].dims[d], have = c->in[i].shape[d];
			for (int j = 0; want < 0 && j <= i; j++)
				for (int k = 0; k < (j < i ? e->in[j].rank : d); k++)
					if (e->in[j].dims[k] == want && c->in[j].shape[k] != have)
						return not_equal(c, i, d, j, k);
			if (want >= 0 && have != want)
				return wrong(PyExc_ValueError, c, i, "has size %lld in dimension %d, not %lld",
				             (long long)have, d, (long long)want);
		}
	return 0;
}

static int64_t bytes_of(const Call *c, int i)
{
	const struct raido_value *v = &c->e->in[i];
	int64_t n = v->rank || v->boxed ? prim_size[v->prim] : 0;
	for (int d = 0; d < v->rank; d++)
		n *= c->in[i].shape[d];
	return n;
}

// Which argument has some of this memory, other than the argument `but`; -1: none.
int find_overlap(const Call *c, const char *data, int64_t bytes, int but)
{
	for (int i = 0; i < c->e->n_in; i++) {
		const char *from = (const char *)c->in[i].data;
		if (i != but && from < data + bytes && data < from + bytes_of(c, i))
			return i;
	}
	return -1;
}

// What is donated is overwritten: nobody else may read it.  The call keeps it.
int keep_donated(Call *c, PyObject *const *args)
{
	for (int i = 0; i < c->e->n_in; i++) {
		if (!(c->in[i].flags & RAIDO_DONATED))
			continue;
		int other = find_overlap(c, (const char *)c->in[i].data, bytes_of(c, i), i);
		if (other >= 0)
			return wrong(PyExc_ValueError, c, i, "is donated, but shares memory with argument %s",
			             c->e->in[other].name);
		if (!c->kept[i]) {
			c->kept[i] = ((Donated *)args[i])->what;
			Py_INCREF(c->kept[i]);
		}
	}
	return 0;
}
