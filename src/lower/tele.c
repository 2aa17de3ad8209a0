// Telescopes: values together with the existential sizes that they determine.
//
//   ([k]i32, [k]f32) with k unknown      gives    k_1: i64, a_2: [k_1]i32, b_3: [k_1]f32
//
// The results of branches, loops and core functions are telescopes, and so are parameters.
// Dimensions of the same name share one size.
#include "lower/lower_internal.h"

// In a Tele's type an unknown dimension is the number of its size.
static Sub numbered(int i)
{
	Scalar s = {.type = N_PRIMTYPE};
	s.u = (uint64_t)i;
	return sub_const(s);
}

static int number_of(Sub d)
{
	return (int)d.val.u;
}

Tele *tele_of(LType *t)
{
	VEC(Place) sizes = {0};
	VEC(const Binding *) names = {0};
	LType *out = NEW(LType, .rep = t->rep, .flat = SLICE_DUP(Types, t->flat));
	for (int i = 0; i < out->flat.len; i++) {
		Subs dims = out->flat.at[i].dims = SLICE_DUP(Subs, t->flat.at[i].dims);
		for (int j = 0; j < dims.len; j++) {
			if (dim_is_known(dims.at[j]))
				continue;
			const Binding *name = dim_name(dims.at[j]);
			int at = name ? 0 : names.len;
			while (at < names.len && names.at[at] != name)
				at++;
			if (at == names.len) {
				VEC_PUSH(&names, name);
				VEC_PUSH(&sizes, (Place){i, j});
			}
			dims.at[j] = numbered(at);
		}
	}
	return NEW(Tele, .type = out, .sizes = {sizes.at, sizes.len}, .names = names.at);
}

// A type of the telescope, given its sizes.
static Type with_sizes(Type t, const Sub *sizes)
{
	t.dims = SLICE_DUP(Subs, t.dims);
	for EACH(Sub, d, t.dims)
		if (!dim_is_known(*d))
			*d = sizes[number_of(*d)];
	return t;
}

Subs tele_subs(Lower *L, const Tele *t, Val *v)
{
	Subs flat = val_flat(v);
	if (flat.len != t->type->flat.len)
		bug("%d values where %d are expected", flat.len, t->type->flat.len);
	int n = t->sizes.len;
	Subs out = {NEW_ARRAY(Sub, n + flat.len), n + flat.len};
	for (int i = 0; i < n; i++)
		out.at[i] = sub_type(flat.at[t->sizes.at[i].flat]).dims.at[t->sizes.at[i].dim];
	for (int i = 0; i < flat.len; i++)
		out.at[n + i] = as_type(L, flat.at[i], with_sizes(t->type->flat.at[i], out.at));
	return out;
}

Vars tele_vars(const Tele *t, Name hint)
{
	int n = t->sizes.len, m = t->type->flat.len;
	Vars vs = {NEW_ARRAY(Var, n + m), n + m};
	Sub *sizes = NEW_ARRAY(Sub, n);
	for (int i = 0; i < n; i++) {
		vs.at[i] = var_i64("n");
		sizes[i] = sub_var(vs.at[i]);
	}
	for (int i = 0; i < m; i++)
		vs.at[n + i] = var_new(hint, with_sizes(t->type->flat.at[i], sizes));
	return vs;
}

Val *tele_val(const Tele *t, const Val *like, Subs all)
{
	int n = t->sizes.len, m = all.len - n;
	Subs flat = {m ? all.at + n : NULL, m};
	if (!like)
		return val_data(t->type->rep, flat);
	return val_with_flat(like, &flat);
}

