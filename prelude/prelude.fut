-- | What every file sees without importing it.

open import "functional"
open import "math"
open import "zip"
open import "array"
open import "soacs"
open import "ad"

-- | Convert an integer to a single-precision float.
def r32 (x: i32) : f32 = f32.i32 x

-- | Truncate a single-precision float to an integer.
def t32 (x: f32) : i32 = i32.f32 x

-- | Convert an integer to a double-precision float.
def r64 (x: i32) : f64 = f64.i32 x

-- | Truncate a double-precision float to an integer.
def t64 (x: f64) : i32 = i32.f64 x

-- | Logical negation.
def not (x: bool) : bool = !x

-- | The argument itself, which no optimisation sees through.  Prefer `#[opaque]`.
def opaque 't (x: t) : t = intrinsics.opaque x

-- | The argument itself, printed when it is computed.  Prefer `#[trace]`.
def trace 't (x: t) : t = intrinsics.trace x

-- | The argument itself; an interpreter stops here.  Prefer `#[break]`.
def break 't (x: t) : t = intrinsics.break x
