-- | Functions on arrays that take no functions as arguments, and folds.

-- | The number of elements (for a matrix, of rows): `length [4, 5, 6]` is `3`.
def length [n] 't (_: [n]t) : i64 = n

-- | Whether the array has no elements.
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

-- | Split an array into two parts, whose sizes follow from the type of the result.
def split [n] [m] 't (xs: [n + m]t) : ([n]t, [m]t) = (xs[0:n], xs[n:] :> [m]t)

-- | The same array, with size `n` in its type; fails when the program runs if that is not its
-- size.
def sized [m] 't (n: i64) (xs: [m]t) : [n]t = xs :> [n]t

-- | The elements in reverse order: `reverse [1, 2, 3]` is `[3, 2, 1]`.
def reverse [n] 't (xs: [n]t) : [n]t = xs[::-1]

-- | Concatenate two arrays: `[1, 2] ++ [3]` is `[1, 2, 3]`.
def (++) [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | Concatenate two arrays; the same as `++`.
def concat [n] [m] 't (xs: [n]t) (ys: [m]t) : *[n + m]t = intrinsics.concat xs ys

-- | The numbers from 0 up to but not including `n`: `iota 3` is `[0, 1, 2]`.
def iota (n: i64) : *[n]i64 = intrinsics.iota n

-- | The indices of an array: `indices [4, 5, 6]` is `[0, 1, 2]`.
def indices [n] 't (_: [n]t) : *[n]i64 = intrinsics.iota n

-- | An array of `n` equal elements: `replicate 3 7` is `[7, 7, 7]`.
def replicate 't (n: i64) (x: t) : *[n]t = intrinsics.replicate n x

-- | An array of equal elements, whose size follows from the type of the result.
def rep 't [n] (x: t) : *[n]t = intrinsics.replicate n x

-- | Rotate the elements to the left by `r`: `rotate 1 [1, 2, 3]` is `[2, 3, 1]`.
def rotate [n] 't (r: i64) (xs: [n]t) : *[n]t =
  let by = r % intrinsics.max 1 n
  in intrinsics.map (\i -> #[unsafe] xs[if i + by < n then i + by else i + by - n])
                    (intrinsics.iota n)

-- | A copy, which may be consumed while the original is still used.
def copy 't (x: t) : *t = intrinsics.copy x

-- | A copy with the elements stored in row-major order.
def manifest 't (x: t) : *t = intrinsics.manifest x

-- | The rows of a matrix, one after the other: `flatten [[1, 2], [3, 4]]` is `[1, 2, 3, 4]`.
def flatten [n] [m] 't (xs: [n][m]t) : [n * m]t = intrinsics.flatten xs

-- | All elements of an array of three dimensions, in row-major order.
def flatten_3d [n] [m] [l] 't (xs: [n][m][l]t) : [n * m * l]t =
  intrinsics.flatten (intrinsics.flatten xs)

-- | All elements of an array of four dimensions, in row-major order.
def flatten_4d [n] [m] [l] [k] 't (xs: [n][m][l][k]t) : [n * m * l * k]t =
  intrinsics.flatten (intrinsics.flatten (intrinsics.flatten xs))

-- | The inverse of `flatten`.  The sizes follow from the types: if `xs` has type `[n * m]t`, then
-- `unflatten xs` has `n` rows of `m` elements.
def unflatten 't [n] [m] (xs: [n * m]t) : [n][m]t = intrinsics.unflatten xs

-- | The inverse of `flatten_3d`.
def unflatten_3d 't [n] [m] [l] (xs: [n * m * l]t) : [n][m][l]t =
  intrinsics.unflatten (intrinsics.unflatten (xs :> [(n * m) * l]t) :> [n * m][l]t)

-- | The inverse of `flatten_4d`.
def unflatten_4d 't [n] [m] [l] [k] (xs: [n * m * l * k]t) : [n][m][l][k]t =
  unflatten_3d (intrinsics.unflatten (xs :> [(n * m * l) * k]t) :> [n * m * l][k]t)

-- | Exchange rows and columns: `transpose [[1, 2], [3, 4]]` is `[[1, 3], [2, 4]]`.
def transpose [n] [m] 't (xs: [n][m]t) : [m][n]t = intrinsics.transpose xs

-- | Whether all elements are true.
def and [n] (xs: [n]bool) : bool = intrinsics.reduce_comm (\x y -> x && y) true xs

-- | Whether at least one element is true.
def or [n] (xs: [n]bool) : bool = intrinsics.reduce_comm (\x y -> x || y) false xs

-- | Combine the elements sequentially, from the left: `foldl (-) 10 [1, 2, 3]` is `4`.  Use
-- `reduce` if the operator is associative: it runs in parallel.
def foldl [n] 'a 'b (f: a -> b -> a) (acc: a) (bs: [n]b) : a =
  loop acc = acc for b in bs do f acc b

-- | Combine the elements sequentially, from the right: `foldr (-) 10 [1, 2, 3]` is `-8`.
def foldr [n] 'a 'b (f: b -> a -> a) (acc: a) (bs: [n]b) : a =
  loop acc = acc for b in reverse bs do f b acc

-- | The array of `f 0`, `f 1`, and so on, up to `f (n - 1)`:
-- `tabulate 3 (* 10)` is `[0, 10, 20]`.
def tabulate 'a (n: i64) (f: i64 -> a) : *[n]a = intrinsics.map f (intrinsics.iota n)

-- | The matrix with `n` rows and `m` columns whose element in row `i` and column `j` is `f i j`.
def tabulate_2d 'a (n: i64) (m: i64) (f: i64 -> i64 -> a) : *[n][m]a =
  intrinsics.map (\i -> intrinsics.map (f i) (intrinsics.iota m)) (intrinsics.iota n)

-- | The three-dimensional array of `f i j k`, for all indices.
def tabulate_3d 'a (n: i64) (m: i64) (o: i64) (f: i64 -> i64 -> i64 -> a) : *[n][m][o]a =
  intrinsics.map (\i -> tabulate_2d m o (f i)) (intrinsics.iota n)
