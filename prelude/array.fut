-- | Functions on arrays that are not second-order.

-- | The outer size.
def length [n] 't (_: [n]t) : i64 = n

-- | Is the outer size zero?
def null [n] 't (_: [n]t) : bool = n == 0

-- | The first element.
def head [n] 't (xs: [n]t) : t = xs[0]

-- | The last element.
def last [n] 't (xs: [n]t) : t = xs[n - 1]

-- | All but the first element.
def tail [n] 't (xs: [n]t) : [n - 1]t = xs[1:]

-- | All but the last element.
def init [n] 't (xs: [n]t) : [n - 1]t = xs[:n - 1]

-- | The first `i` elements.
def take [n] 't (i: i64) (xs: [n]t) : [i]t = xs[0:i]

-- | All but the first `i` elements.
def drop [n] 't (i: i64) (xs: [n]t) : [n - i]t = xs[i:]

-- | Two parts, whose sizes the context decides.
def split [n] [m] 't (xs: [n + m]t) : ([n]t, [m]t) = (xs[0:n], xs[n:] :> [m]t)

-- | The same array with its size given; fails if that is not its size.
def sized [m] 't (n: i64) (xs: [m]t) : [n]t = xs :> [n]t

-- | The elements in opposite order.
def reverse [n] 't (xs: [n]t) : [n]t = xs[::-1]

-- | One array after another.
def (++) [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | One array after another, as an ordinary function.
def concat [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | The numbers from zero up to but not including `n`.
def iota (n: i64) : *[n]i64 = intrinsics.iota n

-- | The indices of an array.
def indices [n] 't (_: [n]t) : *[n]i64 = intrinsics.iota n

-- | `n` times the same value.
def replicate 't (n: i64) (x: t) : *[n]t = intrinsics.replicate n x

-- | The same value as often as the context needs it.
def rep 't [n] (x: t) : *[n]t = intrinsics.replicate n x

-- | Element `i` of the result is element `i + r` of the argument, counted modulo the size.
def rotate [n] 't (r: i64) (xs: [n]t) : *[n]t =
  let by = if n == 0 then 0 else r % n
  in intrinsics.map (\i -> #[unsafe] xs[if i + by < n then i + by else i + by - n])
                    (intrinsics.iota n)

-- | A value that shares no memory with its argument.
def copy 't (x: t) : *t = intrinsics.copy x

-- | A copy in row-major order.
def manifest 't (x: t) : *t = intrinsics.manifest x

-- | The rows of a matrix, one after another.
def flatten [n] [m] 't (xs: [n][m]t) : [n * m]t = intrinsics.flatten xs

-- | All elements of an array of three dimensions, in row-major order.
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t) : [n * m * l]t =
  intrinsics.flatten (intrinsics.flatten xs)

-- | All elements of an array of four dimensions, in row-major order.
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t) : [n * m * l * k]t =
  intrinsics.flatten (intrinsics.flatten (intrinsics.flatten xs))

-- | The opposite of flatten; the context decides the sizes.
def unflatten 't [n] [m] (xs: [n * m]t) : [n][m]t = intrinsics.unflatten xs

-- | The opposite of `flatten_3d`.
def unflatten_3d 't [n] [m] [l] (xs: [n * m * l]t) : [n][m][l]t =
  intrinsics.unflatten (intrinsics.unflatten (xs :> [(n * m) * l]t) :> [n * m][l]t)

-- | The opposite of `flatten_4d`.
def unflatten_4d 't [n] [m] [l] [k] (xs: [n * m * l * k]t) : [n][m][l][k]t =
  unflatten_3d (intrinsics.unflatten (xs :> [(n * m * l) * k]t) :> [n * m * l][k]t)

-- | Rows become columns.
def transpose [n] [m] 't (xs: [n][m]t) : [m][n]t = intrinsics.transpose xs

-- | Are all true?
def and [n] (xs: [n]bool) : bool = intrinsics.reduce_comm (\x y -> x && y) true xs

-- | Is any true?
def or [n] (xs: [n]bool) : bool = intrinsics.reduce_comm (\x y -> x || y) false xs

-- | A sequential fold from the left.
def foldl [n] 'a 'b (f: a -> b -> a) (acc: a) (bs: [n]b) : a =
  loop acc = acc for b in bs do f acc b

-- | A sequential fold from the right.
def foldr [n] 'a 'b (f: b -> a -> a) (acc: a) (bs: [n]b) : a =
  loop acc = acc for b in reverse bs do f b acc

-- | The function at 0, 1, ..., n-1.
def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a = intrinsics.map f (intrinsics.iota n)

-- | The function at each pair of indices.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a =
  intrinsics.map (\i -> intrinsics.map (f i) (intrinsics.iota m)) (intrinsics.iota n)

-- | The function at each triple of indices.
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][o]a =
  intrinsics.map (\i -> tabulate_2d m o (f i)) (intrinsics.iota n)
