// Files embedded in the binary by tools/embed.c.
#ifndef RAIDO_EMBED_H
#define RAIDO_EMBED_H

#include <stddef.h>

typedef struct {
	// "/prelude/math" for prelude/math.fut or math.fut.in, "rts/c/int.h"
	const char *name;
	const char *text;               // zero-terminated
	size_t len;
} EmbeddedFile;

extern const EmbeddedFile embedded_prelude[]; // ends with a NULL name
extern const EmbeddedFile embedded_rts[];     // likewise
extern const EmbeddedFile embedded_docs[];    // errors.md
#endif
