// All scalar operations for all types, as instances of the templates.  The compiler evaluates
// constants with the same functions that it copies into generated programs, so that constant folding,
// the interpreter and compiled code agree.
#ifndef RD_SCALAR_H
#define RD_SCALAR_H
#include "special.h"
#include "vecmath.h"

#define RD_PASTE(name, suffix) rd_##name##_##suffix
#define RD_INSTANCE(name, suffix) RD_PASTE(name, suffix)
#define RD(name) RD_INSTANCE(name, SUFFIX)

// ---- Signed integers ----

#define SUFFIX i8
#define T int8_t
#define I int8_t
#define U uint8_t
#define W uint32_t
#define D int64_t
#define BITS 8
#include "int.h"
#include "signed.h"
#undef SUFFIX
#undef T
#undef I
#undef U
#undef W
#undef D
#undef BITS

#define SUFFIX i16
#define T int16_t
#define I int16_t
#define U uint16_t
#define W uint32_t
#define D int64_t
#define BITS 16
#include "int.h"
#include "signed.h"
#undef SUFFIX
#undef T
#undef I
#undef U
#undef W
#undef D
#undef BITS

#define SUFFIX i32
#define T int32_t
#define I int32_t
#define U uint32_t
#define W uint32_t
#define D int64_t
#define BITS 32
#include "int.h"
#include "signed.h"
#undef SUFFIX
#undef T
#undef I
#undef U
#undef W
#undef D
#undef BITS

#define SUFFIX i64
#define T int64_t
#define I int64_t
#define U uint64_t
#define W uint64_t
#define D rd_i128
#define BITS 64
#include "int.h"
#include "signed.h"
#undef SUFFIX
#undef T
#undef I
#undef U
#undef W
#undef D
#undef BITS

// ---- Unsigned integers ----

#define SUFFIX u8
#define T uint8_t
#define I int8_t
#define U uint8_t
#define W uint32_t
#define D uint64_t
#define BITS 8
#include "int.h"
#include "unsigned.h"
#undef SUFFIX
#undef T
#undef I
#undef U
#undef W
#undef D
#undef BITS

#define SUFFIX u16
#define T uint16_t
#define I int16_t
#define U uint16_t
#define W uint32_t
#define D uint64_t
#define BITS 16
#include "int.h"
#include "unsigned.h"
#undef SUFFIX
#undef T
#undef I
#undef U
#undef W
#undef D
#undef BITS

#define SUFFIX u32
#define T uint32_t
#define I int32_t
#define U uint32_t
#define W uint32_t
#define D uint64_t
#define BITS 32
#include "int.h"
#include "unsigned.h"
#undef SUFFIX
#undef T
#undef I
#undef U
#undef W
#undef D
#undef BITS

#define SUFFIX u64
#define T uint64_t
#define I int64_t
#define U uint64_t
#define W uint64_t
#define D rd_u128
#define BITS 64
#include "int.h"
#include "unsigned.h"
#undef SUFFIX
#undef T
#undef I
#undef U
#undef W
#undef D
#undef BITS

// ---- Floats ----

#define SUFFIX f64
#define T double
#define M(name) name
#define R(x) (x)
#include "float.h"
#undef SUFFIX
#undef T
#undef M
#undef R

#define RD_M(name) name##f
#define SUFFIX f32
#define T float
#define M(name) RD_M(name)
#define R(x) (x)
#include "float.h"
#undef SUFFIX
#undef T
#undef M
#undef R

#define SUFFIX f16
#define T float
#define M(name) RD_M(name)
#define R(x) rd_as_half(x)
#include "float.h"
#undef SUFFIX
#undef T
#undef M
#undef R

#endif
