-- | Automatic differentiation.
--
-- J is the Jacobian of `f` at `x` over all scalars in the argument and the result.

-- | J times the tangent: forward mode.
def jvp 'a 'b (f: a -> b) (x: a) (x': a) : *b = (intrinsics.jvp2 f x x').1

-- | The value of the function and `jvp`.
def jvp2 'a 'b (f: a -> b) (x: a) (x': a) : *(b, b) = intrinsics.jvp2 f x x'

-- | The cotangent times J: reverse mode.
def vjp 'a 'b (f: a -> b) (x: a) (y': b) : *a = (intrinsics.vjp2 f x y').1

-- | The value of the function and `vjp`.
def vjp2 'a 'b (f: a -> b) (x: a) (y': b) : *(b, a) = intrinsics.vjp2 f x y'

-- | `jvp` for several tangents at once.
def jmp 'a 'b [n] (f: a -> b) (x: a) (x': [n]a) : *[n]b = (intrinsics.jmp2 f x x').1

-- | The value of the function and `jmp`.
def jmp2 'a 'b [n] (f: a -> b) (x: a) (x': [n]a) : *(b, [n]b) = intrinsics.jmp2 f x x'

-- | `vjp` for several cotangents at once.
def mjp 'a 'b [n] (f: a -> b) (x: a) (y': [n]b) : *[n]a = (intrinsics.mjp2 f x y').1

-- | The value of the function and `mjp`.
def mjp2 'a 'b [n] (f: a -> b) (x: a) (y': [n]b) : *(b, [n]a) = intrinsics.mjp2 f x y'

-- | `f x`, whose adjoint in reverse mode is `f'` of the result and its cotangent.
def with_vjp 'a 'b (f: a -> b) (f': (res: b) -> (b_adj: b) -> a) (x: a) : b =
  intrinsics.with_vjp f f' x

-- | The second part of `f x`, whose adjoint in reverse mode is `f'` of the first part (whatever
-- `f` keeps for it) and the cotangent.
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (f': (c, b) -> a) (x: a) : b =
  intrinsics.with_vjp_tape f f' x
