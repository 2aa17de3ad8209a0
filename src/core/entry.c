// Descriptions of flat values, for entry points that are made by the compiler.
#include "core/core.h"

EntryType *entry_of_type(Type t)
{
	EntryType *elem = NEW(EntryType, .kind = ET_PRIM, .name = primtype_name[t.elem],
	                      .prim = t.elem, .n_values = 1);
	if (!t.dims.len)
		return elem;
	Str name = {0};
	for (int i = 0; i < t.dims.len; i++)
		str_puts(&name, "[]");
	str_puts(&name, primtype_name[t.elem]);
	return NEW(EntryType, .kind = ET_ARRAY, .name = name_of(str_text(&name)),
	           .rank = t.dims.len, .elem = elem, .n_values = 1);
}

EntryType *entry_tuple(EntryTypes ts)
{
	if (ts.len == 1)
		return ts.at[0];
	EntryFields fields = {NEW_ARRAY(EntryField, ts.len + 1), ts.len};
	Str name = {0};
	for (int i = 0; i < ts.len; i++) {
		fields.at[i] = (EntryField){name_of(text("%d", i)), ts.at[i]};
		str_printf(&name, "%s%s", i ? ", " : "(", ts.at[i]->name);
	}
	str_puts(&name, ts.len ? ")" : "()");
	return NEW(EntryType, .kind = ET_RECORD, .name = name_of(str_text(&name)), .fields = fields,
	           .is_tuple = true, .n_values = ts.len);
}
