// What raido.torch asks of tensors in every call; in Python it would take longer than the call.
#include "_raido.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

static PyObject *tensor_type, *parameter_type;  // torch.Tensor, torch.nn.Parameter
static PyObject *forward_ad;                    // the names of torch.autograd.forward_ad
static PyObject *is_neg, *current_level, *to_save, *gradients, *again, *call_name; // names
// Functions, each with the answer that is the usual one; the first is whether gradients are wanted.
enum { MOST_QUESTIONS = 4 };
static struct { PyObject *ask, *usual; } questions[MOST_QUESTIONS];
static int n_questions;

// _set_tensors(torch.Tensor, torch.nn.Parameter, torch.autograd.forward_ad, ((function, answer), ..))
PyObject *set_tensors(PyObject *module, PyObject *args)
{
	PyObject *tensor, *parameter, *forward, *asked;
	(void)module;
	if (!PyArg_ParseTuple(args, "OOOO!", &tensor, &parameter, &forward, &PyTuple_Type, &asked) ||
	    !(forward_ad = PyModule_GetDict(forward)))
		return NULL;
	for (n_questions = 0; n_questions < PyTuple_Size(asked) && n_questions < MOST_QUESTIONS; n_questions++)
		if (!PyArg_ParseTuple(PyTuple_GetItem(asked, n_questions), "OO", &questions[n_questions].ask,
		                      &questions[n_questions].usual))
			return NULL;
	is_neg = PyUnicode_InternFromString("is_neg");
	current_level = PyUnicode_InternFromString("_current_level");
	to_save = PyUnicode_InternFromString("to_save");
	gradients = PyUnicode_InternFromString("gradients");
	again = PyUnicode_InternFromString("again");
	call_name = PyUnicode_InternFromString("__call__");
	if (!is_neg || !current_level || !to_save || !gradients || !again || !call_name)
		return NULL;
	Py_INCREF(tensor);
	Py_INCREF(parameter);
	Py_INCREF(forward);
	Py_INCREF(asked);               // for good, with all that is in it
	tensor_type = tensor;
	parameter_type = parameter;
	Py_RETURN_NONE;
}

// Takes over the object: is it true?  -1 with an exception.
static int truth(PyObject *o)
{
	int is = !o ? -1 : o == Py_True ? 1 : o == Py_False ? 0 : PyObject_IsTrue(o);
	Py_XDECREF(o);
	return is;
}

// A tensor with memory of its own that shows its elements as they are: not one of torch.func or vmap, sparse, or
// with a negation that is still to be done; of that dtype, if one is given.
static int is_plain(PyObject *o, const DType *dtype)
{
	PyObject *type = (PyObject *)Py_TYPE(o);
	Tensor t;
	if (type != tensor_type && type != parameter_type)
		return 0;
	const Exchange *table = exchange_of(o);
	if (!table || view(table, o, &t) != 0 || (dtype && memcmp(dtype, &t.dtype, sizeof t.dtype) != 0))
		return 0;
	if (is_contiguous(&t) && !may_be_negated(&t))
		return 1;
	int neg = truth(PyObject_CallMethodObjArgs(o, is_neg, NULL));
	return neg < 0 ? -1 : !neg;
}

enum { MOST_BITS = 61 };

// Which tensors require gradients, as bits, the last of which is set; 0 if not all of them are plain, or of the types of an
// entry point; -1 with an exception.
static long long needs_of(PyObject *const *args, Py_ssize_t n, const struct raido_entry *e)
{
	long long bits = 0;
	if (n > MOST_BITS || (e && e->n_in != n))
		return 0;
	for (Py_ssize_t i = 0; i < n; i++) {
		PyObject *o = args[i];
		int plain = is_plain(o, e ? &dl_type[e->in[i].prim] : NULL), grad = plain > 0 ? requires_grad(o) : 0;
		if (plain <= 0 || grad < 0)
			return plain < 0 || grad < 0 ? -1 : 0;
		bits |= (long long)grad << i;
	}
	return bits | 1LL << n;
}

// _needs(args): those bits, or None.
PyObject *needs(PyObject *module, PyObject *args)
{
	PyObject *all[MOST_BITS];
	Py_ssize_t n = PyTuple_Size(args);
	(void)module;
	for (Py_ssize_t i = 0; i < n && n <= MOST_BITS; i++)
		all[i] = PyTuple_GetItem(args, i);
	long long bits = n < 0 ? -1 : needs_of(all, n, NULL);
	if (bits == 0)
		Py_RETURN_NONE;
	return bits < 0 ? NULL : PyLong_FromLongLong(bits);
}

// Is forward mode on?  Then a number may have a tangent.
static int is_dual(void)
{
	PyObject *level = PyDict_GetItemWithError(forward_ad, current_level);
	long at = level ? PyLong_AsLong(level) : -1;
	return at == -1 && PyErr_Occurred() ? -1 : at >= 0;
}

// Is the answer to a question the usual one?
static int is_as_usual(int question)
{
	PyObject *answer = PyObject_CallNoArgs(questions[question].ask), *usual = questions[question].usual;
	int same = !answer ? -1 : answer == usual ? 1
	         : PyLong_Check(usual) && PyLong_Check(answer) ? PyLong_AsLong(answer) == PyLong_AsLong(usual) : 0;
	Py_XDECREF(answer);
	return same;
}

// Is all around a call as usual: gradients are wanted, no transformation, no mode, no forward mode?
static int is_usual(void)
{
	for (int i = 0; i < n_questions; i++) {
		int same = is_as_usual(i);
		if (same <= 0)
			return same;
	}
	int dual = is_dual();
	return dual < 0 ? -1 : !dual;
}

// What is called most, in training, without a function of Python around it: Plain(by_needs, entry) calls what `by_needs`
// has for tensors that are plain and of the right types when all around is as usual; else its __call__, which a type derived
// from this one has, and which torch.compile looks at.
typedef struct { PyObject_HEAD Vectorcall vectorcall; PyObject *by_needs, *entry; } Plain;

// New, or NULL, perhaps with an exception.
static PyObject *find_plain(const Plain *p, PyObject *const *args, Py_ssize_t n)
{
	int usual = p->by_needs ? is_usual() : 0;
	long long bits = usual > 0 ? needs_of(args, n, ((Entry *)p->entry)->e) : usual;
	PyObject *key = bits > 0 ? PyLong_FromLongLong(bits) : NULL;
	PyObject *found = key ? PyDict_GetItemWithError(p->by_needs, key) : NULL;
	Py_XINCREF(found);
	Py_XDECREF(key);
	return found;
}

// The last values by their names.
static PyObject *named_values(PyObject *const *values, PyObject *names)
{
	PyObject *all = PyDict_New();
	for (Py_ssize_t i = 0; i < PyTuple_Size(names) && all; i++)
		if (PyDict_SetItem(all, PyTuple_GetItem(names, i), values[i]) != 0)
			Py_CLEAR(all);
	return all;
}

static PyObject *plain_vectorcall(PyObject *self, PyObject *const *args, size_t n_and_flag, PyObject *names)
{
	Py_ssize_t n = (Py_ssize_t)(n_and_flag & ~ARGUMENTS_OFFSET);
	PyObject *f = names ? NULL : find_plain((Plain *)self, args, n), *result = NULL;
	if (!f && (PyErr_Occurred() || !(f = PyObject_GetAttr(self, call_name))))
		return NULL;
	PyObject *all = PyTuple_New(n), *by_name = names ? named_values(args + n, names) : NULL;
	for (Py_ssize_t i = 0; i < n && all; i++) {
		Py_INCREF(args[i]);
		PyTuple_SetItem(all, i, args[i]);
	}
	if (all && (by_name || !names))
		result = PyObject_Call(f, all, by_name);
	Py_XDECREF(by_name);
	Py_XDECREF(all);
	Py_DECREF(f);
	return result;
}

static PyObject *plain_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	Plain *p = (Plain *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
	(void)args, (void)kwargs;
	if (p)
		p->vectorcall = plain_vectorcall;
	return (PyObject *)p;
}

static int plain_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
	Plain *p = (Plain *)self;
	PyObject *by_needs, *entry, *before[2] = {p->by_needs, p->entry};
	(void)kwargs;
	if (!PyArg_ParseTuple(args, "O!O!", &PyDict_Type, &by_needs, entry_type, &entry))
		return -1;
	Py_INCREF(by_needs);
	Py_INCREF(entry);
	p->by_needs = by_needs;
	p->entry = entry;
	Py_XDECREF(before[0]);
	Py_XDECREF(before[1]);
	return 0;
}

static void plain_dealloc(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	Py_XDECREF(((Plain *)self)->by_needs);
	Py_XDECREF(((Plain *)self)->entry);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
	Py_DECREF(type);
}

PyTypeObject *plain_type;
static PyMemberDef plain_members[] = {
	{"__vectorcalloffset__", T_PYSSIZET, offsetof(Plain, vectorcall), READONLY, NULL},
	{NULL, 0, 0, 0, NULL},
};
static PyType_Slot plain_slots[] = {{Py_tp_new, (void *)plain_new}, {Py_tp_init, (void *)plain_init},
                                    {Py_tp_dealloc, (void *)plain_dealloc}, {Py_tp_members, plain_members}, {0, NULL}};
PyType_Spec plain_spec = {"raido._raido.Plain", sizeof(Plain), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, plain_slots};

// ---- A single float, whose gradient comes with it ----

// A number on the host that is 1: with that the backward pass of a loss begins.
static int is_one(PyObject *o)
{
	const Exchange *table = exchange_of(o);
	Tensor t;
	double d = 0;
	float f = 0;
	if ((PyObject *)Py_TYPE(o) != tensor_type || !table || view(table, o, &t) != 0 || t.device.type != DL_CPU ||
	    t.ndim != 0 || t.dtype.code != DL_FLOAT || t.dtype.lanes != 1)
		return 0;
	const char *at = (const char *)t.data + t.offset;
	if (t.dtype.bits == 64)
		memcpy(&d, at, sizeof d);
	else if (t.dtype.bits == 32)
		memcpy(&f, at, sizeof f);
	if (d != 1 && f != 1)
		return 0;
	int neg = truth(PyObject_CallMethodObjArgs(o, is_neg, NULL)), dual = neg < 0 ? -1 : is_dual();
	return dual < 0 ? -1 : !neg && !dual;
}

// forward(ctx, *args) of an autograd.Function: leaves ctx.gradients, a gradient or None for each argument, and gives the
// value.  The arguments are saved for derivatives of the derivative; those that are no tensors are in ctx.numbers.
typedef struct { PyObject_HEAD PyObject *entry, *need, *tensors; } Forward; // which arguments: bytes, 0 or 1

// The gradients where their arguments are.
static PyObject *place_gradients(const Forward *f, PyObject *got)
{
	const char *need = PyBytes_AsString(f->need);
	Py_ssize_t n = PyBytes_Size(f->need), next = 1;
	PyObject *all = PyTuple_New(n);
	for (Py_ssize_t i = 0; i < n && all; i++) {
		PyObject *g = need[i] ? PyTuple_GetItem(got, next++) : Py_None;
		Py_XINCREF(g);
		if (!g || PyTuple_SetItem(all, i, g) != 0)
			Py_CLEAR(all);
	}
	return all;
}

// ctx.to_save = the tensors, as save_for_backward does; ctx.numbers = the rest, if there is one.
static int save_arguments(const Forward *f, PyObject *ctx, PyObject *args)
{
	const char *is_tensor = PyBytes_AsString(f->tensors);
	Py_ssize_t n = PyBytes_Size(f->tensors), n_tensors = 0, next = 0;
	for (Py_ssize_t i = 0; i < n; i++)
		n_tensors += is_tensor[i];
	if (n_tensors == n)
		return PyObject_SetAttr(ctx, to_save, args);
	PyObject *tensors = PyTuple_New(n_tensors), *numbers = PyTuple_New(n);
	int err = tensors && numbers ? 0 : -1;
	for (Py_ssize_t i = 0; i < n && !err; i++) {
		PyObject *a = PyTuple_GetItem(args, i), *number = is_tensor[i] ? Py_None : a;
		Py_INCREF(number);
		err = PyTuple_SetItem(numbers, i, number);
		if (is_tensor[i]) {
			Py_INCREF(a);
			err |= PyTuple_SetItem(tensors, next++, a);
		}
	}
	if (!err)
		err = PyObject_SetAttr(ctx, to_save, tensors) | PyObject_SetAttrString(ctx, "numbers", numbers);
	Py_XDECREF(tensors);
	Py_XDECREF(numbers);
	return err;
}

static PyObject *forward_call(PyObject *self, PyObject *all, PyObject *kwargs)
{
	const Forward *f = (const Forward *)self;
	PyObject *ctx = PyTuple_GetItem(all, 0), *args = ctx ? PyTuple_GetSlice(all, 1, PyTuple_Size(all)) : NULL;
	(void)kwargs;
	if (!args)
		return NULL;
	PyObject *got = PyTuple_Size(args) != PyBytes_Size(f->need)
	              ? PyErr_Format(PyExc_TypeError, "another number of arguments than the function has")
	              : PyObject_Call(f->entry, args, NULL);
	PyObject *grads = got ? place_gradients(f, got) : NULL, *value = NULL;
	if (grads && save_arguments(f, ctx, args) == 0 && PyObject_SetAttr(ctx, gradients, grads) == 0) {
		value = PyTuple_GetItem(got, 0);
		Py_XINCREF(value);
	}
	Py_XDECREF(grads);
	Py_XDECREF(got);
	Py_DECREF(args);
	return value;
}

static PyObject *forward_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
	PyObject *entry, *need, *tensors;
	(void)kwargs;
	if (!PyArg_ParseTuple(args, "OSS", &entry, &need, &tensors))
		return NULL;
	Forward *f = (Forward *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
	if (!f)
		return NULL;
	Py_INCREF(entry);
	Py_INCREF(need);
	Py_INCREF(tensors);
	f->entry = entry;
	f->need = need;
	f->tensors = tensors;
	return (PyObject *)f;
}

static void forward_dealloc(PyObject *self)
{
	const Forward *f = (const Forward *)self;
	PyTypeObject *type = Py_TYPE(self);
	Py_DECREF(f->entry);
	Py_DECREF(f->need);
	Py_DECREF(f->tensors);
	((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
	Py_DECREF(type);
}

static PyType_Slot forward_slots[] = {{Py_tp_new, (void *)forward_new}, {Py_tp_dealloc, (void *)forward_dealloc},
                                      {Py_tp_call, (void *)forward_call}, {0, NULL}};
PyType_Spec forward_spec = {"raido._raido.Forward", sizeof(Forward), 0, Py_TPFLAGS_DEFAULT, forward_slots};

// The gradients as they are, if this is the first time, the cotangent 1 and no derivative of this is wanted; whoever gets
// them may change them, so they are kept no longer.  Else ctx.again(cotangent).
static PyObject *backward_call(PyObject *ctx, PyObject *ct)
{
	PyObject *grads = PyObject_GetAttr(ctx, gradients);
	int wanted = !grads ? -1 : is_as_usual(0);
	int one = wanted < 0 ? -1 : !wanted && grads != Py_None ? is_one(ct) : 0;
	if (one > 0 && PyObject_SetAttr(ctx, gradients, Py_None) == 0)
		return grads;
	Py_XDECREF(grads);
	return one == 0 ? PyObject_CallMethodObjArgs(ctx, again, ct, NULL) : NULL;
}

// _backward_of(type): that as a method of the type of ctx.
PyObject *backward_of(PyObject *module, PyObject *type)
{
	static PyMethodDef method = {"apply", backward_call, METH_O, NULL};
	(void)module;
	if (!PyType_Check(type))
		return PyErr_Format(PyExc_TypeError, "_backward_of takes a type");
	return PyDescr_NewMethod((PyTypeObject *)type, &method);
}
