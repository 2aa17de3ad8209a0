-- Names that begin with an underscore can be bound, not used: wherever they are bound, as values,
-- functions, operators between backticks, sizes, the targets of updates, or inside modules.
-- at 9 11 13 14 15 17 19
-- ==
-- error: prefixed with underscore may not be accessed

def _helper (x: i32) = x
module m = {def _inner = 1i32}
def by_name (n: i32) = _helper n
def unused (_x: i32) = 1i32
def qualified = m._inner
def _op (x: i32) (y: i32) = x + y
def backticks (x: i32) = x `_op` x
def section = (`_op` 1i32)
def size [_n] (xs: [_n]i32) = xs
def update (xs: *[3]i32) =
  let _ys = xs let _ys[0] = 1 in 2i32
def punned (_x: i32) =
  {_x}
