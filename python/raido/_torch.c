// What raido.torch asks of tensors in every call; in Python it would take longer than the call.
#include "_raido.h"

#include <string.h>

static PyObject *tensor_type, *parameter_type;  // torch.Tensor, torch.nn.Parameter
static PyObject *forward_ad;                    // torch.autograd.forward_ad
static PyObject *requires_grad, *is_neg, *current_level; // names
static PyObject *questions;                     // functions, each with the answer that is the usual one

// _set_tensors(torch.Tensor, torch.nn.Parameter, torch.autograd.forward_ad, ((function, answer), ..))
PyObject *set_tensors(PyObject *module, PyObject *args)
{
	PyObject *tensor, *parameter, *forward, *asked;
	(void)module;
	if (!PyArg_ParseTuple(args, "OOOO!", &tensor, &parameter, &forward, &PyTuple_Type, &asked))
		return NULL;
	requires_grad = PyUnicode_InternFromString("requires_grad");
	is_neg = PyUnicode_InternFromString("is_neg");
	current_level = PyUnicode_InternFromString("_current_level");
	if (!requires_grad || !is_neg || !current_level)
		return NULL;
	Py_INCREF(tensor);
	Py_INCREF(parameter);
	Py_INCREF(forward);
	Py_INCREF(asked);
	questions = asked;
	tensor_type = tensor;
	parameter_type = parameter;
	forward_ad = forward;
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
// with a negation that is still to be done.
static int is_plain(PyObject *o)
{
	PyObject *type = (PyObject *)Py_TYPE(o);
	Tensor t;
	if (type != tensor_type && type != parameter_type)
		return 0;
	const Exchange *table = exchange_of(o);
	if (!table || view(table, o, &t) != 0)
		return 0;
	if (is_contiguous(&t) && !may_be_negated(&t))
		return 1;
	int neg = truth(PyObject_CallMethodObjArgs(o, is_neg, NULL));
	return neg < 0 ? -1 : !neg;
}

// Which tensors require gradients, as bits, the last of which is set; 0 if not all of them are plain; -1 with an exception.
static long long needs_of(PyObject *args)
{
	Py_ssize_t n = PyTuple_Size(args);
	long long bits = 0;
	if (n < 0 || n > 61)
		return n < 0 ? -1 : 0;
	for (Py_ssize_t i = 0; i < n; i++) {
		PyObject *o = PyTuple_GetItem(args, i);
		int plain = is_plain(o), grad = plain > 0 ? truth(PyObject_GetAttr(o, requires_grad)) : 0;
		if (plain <= 0 || grad < 0)
			return plain < 0 || grad < 0 ? -1 : 0;
		bits |= (long long)grad << i;
	}
	return bits | 1LL << n;
}

// _needs(args): those bits, or None.
PyObject *needs(PyObject *module, PyObject *args)
{
	long long bits = needs_of(args);
	(void)module;
	if (bits == 0)
		Py_RETURN_NONE;
	return bits < 0 ? NULL : PyLong_FromLongLong(bits);
}

// Is forward mode on?  Then a number may have a tangent.
static int is_dual(void)
{
	PyObject *level = PyObject_GetAttr(forward_ad, current_level);
	long at = level ? PyLong_AsLong(level) : -1;
	Py_XDECREF(level);
	return PyErr_Occurred() ? -1 : at >= 0;
}

// Is all around a call as usual: gradients are wanted, no transformation, no mode, no autocast, no forward mode?
static int is_usual(void)
{
	for (Py_ssize_t i = 0; i < PyTuple_Size(questions); i++) {
		PyObject *pair = PyTuple_GetItem(questions, i);
		PyObject *answer = PyObject_CallNoArgs(PyTuple_GetItem(pair, 0));
		PyObject *usual = PyTuple_GetItem(pair, 1);
		int same = !answer ? -1 : answer == usual ? 1
		         : PyLong_Check(usual) && PyLong_Check(answer) ? PyLong_AsLong(answer) == PyLong_AsLong(usual) : 0;
		Py_XDECREF(answer);
		if (same <= 0)
			return same;
	}
	int dual = is_dual();
	return dual < 0 ? -1 : !dual;
}

// _choose(by_needs, args): what is to be called for plain tensors when all around is as usual; None: ask further.
PyObject *choose(PyObject *module, PyObject *args)
{
	PyObject *by_needs, *all, *found = NULL;
	(void)module;
	if (!PyArg_ParseTuple(args, "O!O!", &PyDict_Type, &by_needs, &PyTuple_Type, &all))
		return NULL;
	int usual = is_usual();
	long long bits = usual > 0 ? needs_of(all) : usual;
	PyObject *key = bits > 0 ? PyLong_FromLongLong(bits) : NULL;
	if (bits < 0 || (bits > 0 && !key))
		return NULL;
	if (key)
		found = PyDict_GetItemWithError(by_needs, key);
	Py_XDECREF(key);
	if (!found && PyErr_Occurred())
		return NULL;
	found = found ? found : Py_None;
	Py_INCREF(found);
	return found;
}

// _is_one(x): is it a number on the host, and 1?  With that the backward pass of a loss begins.
PyObject *is_one(PyObject *module, PyObject *o)
{
	const Exchange *table = exchange_of(o);
	Tensor t;
	double d = 0;
	float f = 0;
	(void)module;
	if ((PyObject *)Py_TYPE(o) != tensor_type || !table || view(table, o, &t) != 0 || t.device.type != DL_CPU ||
	    t.ndim != 0 || t.dtype.code != DL_FLOAT || t.dtype.lanes != 1)
		Py_RETURN_FALSE;
	const char *at = (const char *)t.data + t.offset;
	if (t.dtype.bits == 64)
		memcpy(&d, at, sizeof d);
	else if (t.dtype.bits == 32)
		memcpy(&f, at, sizeof f);
	if (d != 1 && f != 1)
		Py_RETURN_FALSE;
	int neg = truth(PyObject_CallMethodObjArgs(o, is_neg, NULL)), dual = neg < 0 ? -1 : is_dual();
	return dual < 0 ? NULL : PyBool_FromLong(!neg && !dual);
}
