// What the files on the formats of values share among themselves; everyone else uses the
// section of core.h.
#ifndef RAIDO_DATA_H
#define RAIDO_DATA_H
#include "core/core.h"

// ---- data_text.c ----

void data_skip_space(const char **at, const char *end); // and `--` comments
// A type with constant sizes, "[10][3]f32"; sets type, rank and shape of *out but no data.
// Returns what is wrong, or NULL.
const char *data_read_type(const char **at, const char *end, Value *out);
// A value in text form at *at; positions in *why are counted from `start`.
bool data_read_text(const char *start, const char **at, const char *end, Value *out,
                    const char **why);

// ---- data_binary.c ----

bool data_fits(PrimType, int rank, const int64_t *shape); // does its size in bytes fit in memory?
#endif
