// The attributes that mean something, and a warning for names that differ from one of these by a
// letter or two: others are permitted, and ignored.
//
//     #[unrol] loop ..     Warning: Unknown attribute "unrol" is ignored; did you mean "unroll"?
#include "check/infer.h"

const char *const attribute_words[] = {
	"blank", "bound(n)", "break", "inline", "noinline", "opaque", "param(NAME)", "scratch",
	"sequential", "sequential_inner", "sequential_outer", "stripmine(k)",
	"incremental_flattening(only_inner)", "incremental_flattening(only_intra)",
	"incremental_flattening(no_intra)", "incremental_flattening(no_outer)", "trace",
	"trace(tag)", "true_dep", "unroll", "unsafe", NULL,
};

void warn_attribute(const Attr *a)
{
	const char *near = NULL;
	size_t length = strlen(a->name), least = length < 6 ? 1 : 2;
	for (const char *const *w = attribute_words; *w && !a->is_int; w++) {
		const char *known = text("%.*s", (int)strcspn(*w, "("), *w);
		size_t d = edit_distance(a->name, known, least);
		if (d == 0)
			return;
		if (d <= least && !near)
			near = known;
	}
	if (near && length > 3)
		diag_warn(a->span, NULL, "Unknown attribute \"%s\" is ignored; did you mean "
		          "\"%s\"?", a->name, near);
}
