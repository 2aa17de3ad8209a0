// For the pass `fuse_kernels`: a kernel over rows along with one over the elements of these rows.
//
//     #[kernel] let (a) = loop (o = out) for i < n do     #[kernel] let (a, b) = loop .. i < n
//       #[kernel] loop (o) for j < m do {                   #[kernel] loop (o, p) for j < m do {
//         .. o with [i, j] = x }                              .. o with [i, j] = x
//     #[kernel] let (b) = loop (p = other) for i < n do  ->   p' = if j == 0 then {
//       .. p with [i] = y                                         .. p with [i] = y } else {p}
//
// Steps of factorisations and of solvers have such kernels: a matrix and a column, or a row, of the
// same sizes.  Each is done in the time of a launch.
//
// Required of sizes: m is no 0 where n is none.
//
// Requires and ensures: see fuse_kernels.c.
#include "device/fuse_kernels.h"

enum { FEW = 24 };                      // statements of the small one

static bool is_light(const Stm *s)
{
	const Exp *e = s->exp;
	switch (e->form) {
	case E_prim:
		return !prim_is_function(e->prim.op); // that would be waited for
	case E_convert: case E_atom: case E_index: case E_update:
		return true;
	case E_if_:
		return body_all(&e->if_.yes, is_light) && body_all(&e->if_.no, is_light);
	default: // what may fail, and loops
		return false;
	}
}

// Is there a thread with the numbers i.., 0.. whenever there is an i..?
static bool has_zeros(const Nest *small, const Nest *large)
{
	for (int d = 0; d < small->depth; d++)
		if (!sub_eq(small->n[d], large->n[d]))
			return false;
	for (int d = small->depth; d < large->depth; d++) {
		bool some = large->n[d].kind == S_CONST && large->n[d].val.i > 0;
		for (int k = 0; k < small->depth; k++)
			some |= sub_eq(large->n[d], large->n[k]);
		if (!some)
			return false;
	}
	return true;
}

bool ride_along(Nest *small, const Nest *large)
{
	if (small->is_copy || large->is_copy || small->depth >= large->depth ||
	    small->body.stms.len > FEW || !body_all(&small->body, is_light) ||
	    !has_zeros(small, large))
		return false;
	Build b = {0};
	b_open(&b);
	Sub first = sub_bool(true);
	for (int d = small->depth; d < large->depth; d++) {
		small->n[d] = large->n[d];
		small->i[d] = var_i64("i");
		Sub zero = b_eq(&b, sub_var(small->i[d]), sub_i64(0));
		first = d == small->depth ? zero : b_prim2(&b, P_and, first, zero);
	}
	small->depth = large->depth;
	Types ts = {NEW_ARRAY(Type, small->params.len), small->params.len};
	for (int k = 0; k < ts.len; k++) {
		ts.at[k] = vars[small->params.at[k].id].type;
		ts.at[k].unique = false;
	}
	Subs res = b_lets(&b, "row", ts, EXP(if_, first, small->body,
		{.res = subs_of_vars(small->params)}));
	small->body = b_close(&b, res);
	small->rides = true;
	return true;
}
