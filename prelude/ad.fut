-- | Automatic differentiation.
--
-- J is the Jacobian of `f` at `x`: the derivatives of all scalars in the result with respect to all
-- scalars in the argument.

-- | Forward mode: the Jacobian J times the tangent `x'`, that is, the derivative of `f` at `x` in
-- the direction `x'`.  For example, `jvp (\x -> x * x) 3f64 1` is `6.0`.
def jvp 'a 'b (f: a -> b) (x: a) (x': a) : *b = (intrinsics.jvp2 f x x').1

-- | The value `f x`, and the result of `jvp`.
def jvp2 'a 'b (f: a -> b) (x: a) (x': a) : *(b, b) = intrinsics.jvp2 f x x'

-- | Reverse mode: the cotangent `y'` times the Jacobian J.  If `f` returns one number, then
-- `vjp f x 1` is the gradient of `f` at `x`.  For example, `vjp f64.product [3, 4] 1` is `[4.0, 3.0]`.
def vjp 'a 'b (f: a -> b) (x: a) (y': b) : *a = (intrinsics.vjp2 f x y').1

-- | The value `f x`, and the result of `vjp`.
def vjp2 'a 'b (f: a -> b) (x: a) (y': b) : *(b, a) = intrinsics.vjp2 f x y'

-- | The same as `jvp`, for several tangents at once; evaluates the function only once.
def jmp 'a 'b [n] (f: a -> b) (x: a) (x': [n]a) : *[n]b = (intrinsics.jmp2 f x x').1

-- | The value `f x`, and the result of `jmp`.
def jmp2 'a 'b [n] (f: a -> b) (x: a) (x': [n]a) : *(b, [n]b) = intrinsics.jmp2 f x x'

-- | The same as `vjp`, for several cotangents at once; evaluates the function only once.
def mjp 'a 'b [n] (f: a -> b) (x: a) (y': [n]b) : *[n]a = (intrinsics.mjp2 f x y').1

-- | The value `f x`, and the result of `mjp`.
def mjp2 'a 'b [n] (f: a -> b) (x: a) (y': [n]b) : *(b, [n]a) = intrinsics.mjp2 f x y'

-- | The value `f x`, with a custom derivative for reverse mode: the adjoint of `x` is
-- `f' (f x) b_adj`, where `b_adj` is the adjoint of the result.  Forward mode differentiates `f`.
def with_vjp 'a 'b (f: a -> b) (f': (res: b) -> (b_adj: b) -> a) (x: a) : b =
  intrinsics.with_vjp f f' x

-- | The same as `with_vjp`, for a derivative that needs more than the result: `f x` returns a
-- pair of any values to be kept (the tape) and the result, and `f'` takes a pair of the tape
-- and the adjoint of the result.
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (f': (c, b) -> a) (x: a) : b =
  intrinsics.with_vjp_tape f f' x
