// The structs, descriptors and functions of the types of the C interface.
//
// The work is done in rts/c/object.h; a function of the interface locks the context and passes the
// descriptor of its type:
//
//   int futhark_free_i32_1d(struct futhark_context *ctx, struct futhark_i32_1d *arr)
//   {
//       rd_lock(ctx);
//       int err = rd_object_free(ctx, &rd_type_0, arr);
//       rd_unlock(ctx);
//       return err;
//   }
#include "gen/api.h"

#define CTX "struct futhark_context *ctx"

// ---- Structs and descriptors ----

static void put_struct(Str *s, const ApiType *t)
{
	str_printf(s, "%s {\n", api_struct(t));
	for (int i = 0; i < t->flats.len; i++) {
		ApiFlat f = t->flats.at[i];
		if (f.rank == 0)
			str_printf(s, "\t%s v%d;\n", api_prim(f.prim), i);
		else if (t->is_opaque)
			str_printf(s,
			           "\tstruct { struct rd_block *mem; int64_t shape[%d]; } v%d;\n",
			           f.rank, i);
		else
			str_printf(s, "\tstruct rd_block *mem;\n\tint64_t shape[%d];\n", f.rank);
	}
	if (t->flats.len == 0)
		str_puts(s, "\tchar unused;\n");
	str_puts(s, "};\n");
}

static const char *prim_constant(PrimType t)
{
	static const char *const names[N_PRIMTYPE] = { // ORDER PRIMTYPE
		"RD_I8", "RD_I16", "RD_I32", "RD_I64", "RD_U8", "RD_U16", "RD_U32", "RD_U64",
		"RD_F16", "RD_F32", "RD_F64", "RD_BOOL",
	};
	return names[t];
}

const char *part_descriptor(const ApiPart *p, Rts *rts)
{
	if (p->type)
		return text("&rd_type_%d", p->type->id);
	rts_use(rts, "prim_types");
	return text("&rd_prim_type[%s]", prim_constant(p->prim));
}

static void put_flats(Str *s, const ApiType *t)
{
	str_printf(s, "static const struct rd_flat rd_flats_%d[] = {\n", t->id);
	for (int i = 0; i < t->flats.len; i++) {
		ApiFlat f = t->flats.at[i];
		str_printf(s, "\t{%s, %d, ", prim_constant(f.prim), f.rank);
		if (t->is_opaque)
			str_printf(s, "offsetof(%s, v%d)},\n", api_struct(t), i);
		else
			str_puts(s, "0},\n");
	}
	str_puts(s, "};\n");
}

static void put_fields(Str *s, const ApiType *t, Rts *rts)
{
	str_printf(s, "static const struct rd_part rd_parts_%d[] = {\n", t->id);
	for EACH(ApiPart, f, t->fields)
		str_printf(s, "\t{%s, %s},\n", c_string(f->name), part_descriptor(f, rts));
	str_puts(s, "};\n");
}

static void put_variant_parts(Str *s, const ApiType *t, int i, Rts *rts)
{
	const ApiVariant *v = &t->variants.at[i];
	if (v->args.len) {
		str_printf(s, "static const struct rd_type *const rd_args_%d_%d[] = {", t->id, i);
		for (int k = 0; k < v->args.len; k++)
			str_printf(s, "%s%s", k ? ", " : "", part_descriptor(&v->args.at[k], rts));
		str_puts(s, "};\n");
	}
	if (v->slots.len) {
		str_printf(s, "static const int rd_slots_%d_%d[] = {", t->id, i);
		for (int k = 0; k < v->slots.len; k++)
			str_printf(s, "%s%d", k ? ", " : "", v->slots.at[k]);
		str_puts(s, "};\n");
	}
}

static void put_variants(Str *s, const ApiType *t, Rts *rts)
{
	for (int i = 0; i < t->variants.len; i++)
		put_variant_parts(s, t, i, rts);
	str_printf(s, "static const struct rd_variant rd_variants_%d[] = {\n", t->id);
	for (int i = 0; i < t->variants.len; i++) {
		const ApiVariant *v = &t->variants.at[i];
		str_printf(s, "\t{%s, %d, ", c_string(v->name), v->args.len);
		str_puts(s, v->args.len ? text("rd_args_%d_%d, ", t->id, i) : "NULL, ");
		str_puts(s, v->slots.len ? text("rd_slots_%d_%d},\n", t->id, i) : "NULL},\n");
	}
	str_puts(s, "};\n");
}

static const char *kind_of(const ApiType *t)
{
	return t->rank ? "RD_KIND_ARRAY" : t->variants.len ? "RD_KIND_SUM" : "RD_KIND_RECORD";
}

static const char *table_or_null(const char *name, int id, int len)
{
	return len ? text("%s_%d", name, id) : "NULL";
}

static void put_descriptor(Str *s, const ApiType *t, Rts *rts)
{
	if (t->flats.len)
		put_flats(s, t);
	if (t->fields.len)
		put_fields(s, t, rts);
	if (t->variants.len)
		put_variants(s, t, rts);
	const char *elem = t->is_opaque && t->rank ? part_descriptor(&t->elem, rts) : "NULL";
	str_printf(s, "static const struct rd_type rd_type_%d = {\n"
	           "\t%s, \"%s *\", %s, %d, sizeof(%s),\n\t%d, %s, %d, %s, %d, %s, %d, %s\n};\n",
	           t->id, c_string(t->name), api_struct(t), kind_of(t),
	           !t->rank && t->entry->kind == ET_RECORD && t->entry->is_tuple, api_struct(t),
	           t->flats.len, table_or_null("rd_flats", t->id, t->flats.len), t->rank, elem,
	           t->fields.len, table_or_null("rd_parts", t->id, t->fields.len),
	           t->variants.len, table_or_null("rd_variants", t->id, t->variants.len));
}

void api_put_structs(Str *s, const Api *api, Rts *rts)
{
	rts_use(rts, "object");
	for EACH(ApiType *, t, api->types) {
		str_putc(s, '\n');
		put_struct(s, *t);
		put_descriptor(s, *t, rts);
	}
}

// ---- Functions ----

static void add(ApiFunctions *out, const char *prototype, const char *body)
{
	VEC_PUSH(out, (ApiFunction){prototype, body});
}

// An expression of type int, computed with the context locked.
static const char *locked(const char *exp)
{
	return text("\trd_lock(ctx);\n\tint err = %s;\n\trd_unlock(ctx);\n\treturn err;\n", exp);
}

// An expression that makes an object: NULL on failure.
static const char *locked_object(const ApiType *t, const char *before, const char *exp)
{
	return text("%s\trd_lock(ctx);\n\t%s *obj = (%s *)%s;\n\trd_unlock(ctx);\n\treturn obj;\n",
	            before, api_struct(t), api_struct(t), exp);
}

// An expression of type int that makes the object `obj`.
static const char *locked_out(const ApiType *t, const char *before, const char *exp)
{
	return text("%s\tvoid *obj = NULL;\n\trd_lock(ctx);\n\tint err = %s;\n\trd_unlock(ctx);\n"
	            "\tif (!err)\n\t\t*out = (%s *)obj;\n\treturn err;\n", before, exp,
	            api_struct(t));
}

static const char *numbered(int n, const char *before, const char *name)
{
	Str s = {0};
	for (int i = 0; i < n; i++)
		str_printf(&s, "%s%s%s%d", i ? ", " : "", before, name, i);
	return str_text(&s);
}

static const char *sizes_text(int rank)
{
	return text("\tint64_t shape[] = {%s};\n", numbered(rank, "", "dim"));
}

static const char *index_text(int rank)
{
	return text("\tint64_t index[] = {%s};\n", numbered(rank, "", "i"));
}

static void array_functions(const ApiType *t, const char *backend, Rts *rts, ApiFunctions *out)
{
	const char *st = api_struct(t), *elem = api_prim(t->elem.prim), *n = t->cname;
	const char *dims = numbered(t->rank, "int64_t ", "dim"), *raw = raw_type(backend);
	const char *through = strcmp(backend, "cuda") == 0 ? "(uintptr_t)" : "";
	rts_use(rts, "array");
	rts_use(rts, "array_index");
	add(out, text("%s *futhark_new_%s(" CTX ", const %s *data, %s)", st, n, elem, dims),
	    locked_object(t, sizes_text(t->rank),
	                  text("rd_array_new(ctx, &rd_type_%d, data, shape)", t->id)));
	add(out, text("%s *futhark_new_raw_%s(" CTX ", %sdata, %s)", st, n, raw, dims),
	    locked_object(t, sizes_text(t->rank),
	                  text("rd_array_new_raw(ctx, &rd_type_%d, (void *)%sdata, shape)", t->id,
	                       through)));
	add(out, text("int futhark_free_%s(" CTX ", %s *arr)", n, st),
	    locked(text("rd_object_free(ctx, &rd_type_%d, arr)", t->id)));
	add(out, text("int futhark_values_%s(" CTX ", %s *arr, %s *data)", n, st, elem),
	    locked(text("rd_array_values(ctx, &rd_type_%d, arr, data)", t->id)));
	add(out, text("%sfuthark_values_raw_%s(" CTX ", %s *arr)", raw, n, st),
	    text("\t(void)ctx;\n\treturn (%s)%sarr->mem->data;\n", raw, through));
	add(out, text("int futhark_index_%s(" CTX ", %s *out, %s *arr, %s)", n, elem, st,
	              numbered(t->rank, "int64_t ", "i")),
	    text("%s%s", index_text(t->rank),
	         locked(text("rd_array_index(ctx, &rd_type_%d, out, arr, index)", t->id))));
	add(out, text("const int64_t *futhark_shape_%s(" CTX ", %s *arr)", n, st),
	    "\t(void)ctx;\n\treturn arr->shape;\n");
}

static void opaque_functions(const ApiType *t, Rts *rts, ApiFunctions *out)
{
	const char *st = api_struct(t), *n = t->cname;
	rts_use(rts, "opaque");
	add(out, text("int futhark_free_%s(" CTX ", %s *obj)", n, st),
	    locked(text("rd_object_free(ctx, &rd_type_%d, obj)", t->id)));
	add(out, text("int futhark_store_%s(" CTX ", const %s *obj, void **p, size_t *n)", n, st),
	    locked(text("rd_object_store(ctx, &rd_type_%d, obj, p, n)", t->id)));
	add(out, text("%s *futhark_restore_%s(" CTX ", const void *p)", st, n),
	    locked_object(t, "", text("rd_object_restore(ctx, &rd_type_%d, p, NULL)", t->id)));
}

// Parameters for values given as parts, and the array `name` of pointers to them.
static const char *part_params(ApiParts parts, const char *prefix, bool by_name)
{
	Str s = {0};
	for (int i = 0; i < parts.len; i++) {
		const ApiPart *p = &parts.at[i];
		str_printf(&s, ", const %s%s%s", part_ctype(p), p->type ? "" : " ", prefix);
		str_puts(&s, by_name ? c_identifier(p->name) : text("%d", i));
	}
	return str_text(&s);
}

static const char *part_values(ApiParts parts, const char *prefix, bool by_name)
{
	Str s = {0};
	if (parts.len == 0)
		return "\tconst void *const *values = NULL;\n";
	str_puts(&s, "\tconst void *values[] = {");
	for (int i = 0; i < parts.len; i++)
		str_printf(&s, "%s%s%s%s", i ? ", " : "", parts.at[i].type ? "" : "&", prefix,
		           by_name ? c_identifier(parts.at[i].name) : text("%d", i));
	str_puts(&s, "};\n");
	return str_text(&s);
}

static const char *out_param(const ApiPart *p)
{
	return p->type ? text("%s **", api_struct(p->type)) : text("%s *", api_prim(p->prim));
}

static void field_functions(const ApiType *t, const char *make, const char *make_rts,
                            ApiFunctions *out)
{
	add(out, text("int futhark_%s_%s(" CTX ", %s **out%s)", make, t->cname, api_struct(t),
	              part_params(t->fields, "f_", true)),
	    locked_out(t, part_values(t->fields, "f_", true),
	               text("%s(ctx, &rd_type_%d, &obj, values)", make_rts, t->id)));
	for (int i = 0; i < t->fields.len; i++) {
		const ApiPart *f = &t->fields.at[i];
		add(out, text("int futhark_project_%s_%s(" CTX ", %sout, const %s *obj)", t->cname,
		              c_identifier(f->name), out_param(f), api_struct(t)),
		    locked(text("rd_project(ctx, &rd_type_%d, out, obj, %d)", t->id, i)));
	}
}

static void opaque_array_functions(const ApiType *t, Rts *rts, ApiFunctions *out)
{
	const char *st = api_struct(t), *elem = api_struct(t->elem.type), *n = t->cname;
	const char *indices = numbered(t->rank, "int64_t ", "i");
	rts_use(rts, "opaque_array");
	add(out, text("const int64_t *futhark_shape_%s(" CTX ", %s *arr)", n, st),
	    text("\t(void)ctx;\n\treturn rd_shape(&rd_type_%d, arr);\n", t->id));
	add(out, text("int futhark_index_%s(" CTX ", %s **out, %s *arr, %s)", n, elem, st, indices),
	    locked_out(t->elem.type, index_text(t->rank),
	               text("rd_index(ctx, &rd_type_%d, &obj, arr, index)", t->id)));
	add(out,
	    text("int futhark_set_%s(" CTX ", %s *arr, const %s *v, %s)", n, st, elem, indices),
	    text("%s%s", index_text(t->rank),
	         locked(text("rd_set_element(ctx, &rd_type_%d, arr, v, index)", t->id))));
	add(out,
	    text("int futhark_new_%s(" CTX ", %s **out, %s *const *data, %s)", n, st, elem,
	         numbered(t->rank, "int64_t ", "dim")),
	    locked_out(
		    t, sizes_text(t->rank),
		    text("rd_opaque_array_new(ctx, &rd_type_%d, &obj, (const void *const *)data,\n"
	                 "\t                              shape)",
	                 t->id)));
}

static void sum_functions(const ApiType *t, Rts *rts, ApiFunctions *out)
{
	const char *st = api_struct(t), *n = t->cname;
	rts_use(rts, "sum");
	add(out, text("int futhark_variant_%s(" CTX ", const %s *obj)", n, st),
	    text("\t(void)ctx;\n\treturn rd_variant_of(&rd_type_%d, obj);\n", t->id));
	for (int i = 0; i < t->variants.len; i++) {
		const ApiVariant *v = &t->variants.at[i];
		const char *con = c_identifier(v->name);
		add(out, text("int futhark_new_%s_%s(" CTX ", %s **out%s)", n, con, st,
		              part_params(v->args, "v", false)),
		    locked_out(t, part_values(v->args, "v", false),
		               text("rd_construct(ctx, &rd_type_%d, &obj, %d, values)", t->id, i)));
		Str params = {0};
		for (int k = 0; k < v->args.len; k++)
			str_printf(&params, ", %sv%d", out_param(&v->args.at[k]), k);
		const char *outs = v->args.len ? text("\tvoid *outs[] = {%s};\n",
		                                      numbered(v->args.len, "", "v"))
		                               : "\tvoid *const *outs = NULL;\n";
		add(out,
		    text("int futhark_destruct_%s_%s(" CTX "%s, const %s *obj)", n, con,
		         str_text(&params), st),
		    text("%s%s", outs,
		         locked(text("rd_destruct(ctx, &rd_type_%d, obj, %d, outs)", t->id, i))));
	}
}

void api_type_functions(const ApiType *t, const char *backend, Rts *rts, ApiFunctions *out)
{
	if (!t->is_opaque) {
		array_functions(t, backend, rts, out);
		return;
	}
	opaque_functions(t, rts, out);
	if (t->rank) {
		if (t->elem.type)
			opaque_array_functions(t, rts, out);
		if (t->elem.type && t->elem.type->entry->kind == ET_RECORD && t->fields.len) {
			rts_use(rts, "record_array");
			field_functions(t, "zip", "rd_zip", out);
		}
	} else if (t->variants.len) {
		sum_functions(t, rts, out);
	} else {
		rts_use(rts, "record");
		field_functions(t, "new", "rd_record_new", out);
	}
}
