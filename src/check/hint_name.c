// Hints for unknown names that exist in other languages, in libraries, or in older versions.
//
// Before: a name is not in scope.  After: the text of a hint, or NULL.
//
// Such a name is a better guide than its spelling: "dot" is not a misspelt "not".
#include "check/modules.h"

#include <ctype.h>

#define FUNCTIONS "there is no such module; functions of numbers are in the module of their " \
	"type: f64.sum, f64.sin, f32.exp"
#define UPDATE "\"xs with [i] = v\" is xs with element i replaced by v"
#define LIBRARY(name) "it is in the library: import \"/prelude/derivatives\"" name
#define ASSERT "\"assert (c) e\" is e, and stops the program where c does not hold"
#define ONE_BY_ONE "a loop carries its state: \"loop x = start for i < n do ...\", where \"...\" " \
	"is the next x"
#define REMAINDER "the remainder is \"x % y\", with the sign of y; \"x %% y\" has the sign of x"
#define NEW_AXIS "\"map (\\x -> [x]) xs\" is xs as a column, \"[xs]\" as a row"
#define MAYBE "a value that may be missing is of a sum type: \"type maybe = #none | #some f64\""
#define HOLE "\"???\" stands for an expression that is yet to be written"
#define ARRAY "the type of an array is written \"[]f64\", or \"[n]f64\" with its size"
#define NO_VALUE "there is no such value; a sum type may have a case for it: \"#none | #some f64\""
#define CONSTANT "a custom rule stops the derivative: \"with_vjp (\\x -> x) (\\_ _ -> 0) x\""
#define LINEAR "there is no linear algebra built in; examples/gaussian_process.fut has a " \
	"Cholesky factorisation"
#define MATRIX_PRODUCT "a matrix product is \"map (\\a -> map (\\b -> f64.sum (map2 (*) a b)) " \
	"(transpose bss)) ass\""
#define RESHAPE \
	"\"unflatten (xs :> [n * m]f64)\" has n rows of m elements, \"flatten xss\" joins " \
	"the rows"
#define CLOSE "compare with a tolerance: \"and (map2 (\\x y -> f64.abs (x - y) < 1e-9) xs ys)\""
#define MEMBER "\"any (== x) xs\" tells whether x is among the elements of xs"
#define NO_MAYBE "a value that may be missing has a sum type: \"#some x\", \"#none\""
#define RANDOM "random numbers are in the package github.com/diku-dk/cpprandom: \"raido pkg add\""

static const struct { NameSpace space; const char *name, *hint; } names[] = {
	{NS_TYPE, "int", "integer types are i8, i16, i32, i64, u8, u16, u32, u64"},
	{NS_TYPE, "uint", "unsigned types are u8, u16, u32, u64"},
	{NS_TYPE, "float", "types of floating-point numbers are f16, f32, f64"},
	{NS_TYPE, "double", "this type is called f64"},
	{NS_TYPE, "real", "types of floating-point numbers are f16, f32, f64"},
	{NS_TYPE, "boolean", "this type is called bool"},
	{NS_TYPE, "Int", "integer types are i8, i16, i32, i64, u8, u16, u32, u64"},
	{NS_TYPE, "Float", "types of floating-point numbers are f16, f32, f64"},
	{NS_TYPE, "Double", "this type is called f64"},
	{NS_TYPE, "Bool", "this type is called bool"},
	{NS_TYPE, "Float64", "this type is called f64"},
	{NS_TYPE, "Float32", "this type is called f32"},
	{NS_TYPE, "Int64", "this type is called i64"},
	{NS_TYPE, "Int32", "this type is called i32"},
	{NS_TYPE, "float64", "this type is called f64"},
	{NS_TYPE, "float32", "this type is called f32"},
	{NS_TYPE, "float16", "this type is called f16"},
	{NS_TYPE, "int64", "this type is called i64"},
	{NS_TYPE, "int32", "this type is called i32"},
	{NS_TYPE, "long", "this type is called i64"},
	{NS_TYPE, "List", ARRAY},
	{NS_TYPE, "list", ARRAY},
	{NS_TYPE, "Array", ARRAY},
	{NS_TYPE, "array", ARRAY},
	{NS_TYPE, "Vec", ARRAY},
	{NS_TYPE, "Vector", ARRAY},
	{NS_TYPE, "vector", ARRAY},
	{NS_TYPE, "Matrix",
	 "the type of a matrix is written \"[][]f64\", or \"[n][m]f64\""},
	{NS_TYPE, "Tensor", ARRAY},
	{NS_TYPE, "ndarray", ARRAY},
	{NS_TYPE, "forall",
	 "a type parameter is declared after the name: \"def f 'a (x: a) = ...\""},
	{NS_TYPE, "Maybe", MAYBE},
	{NS_TYPE, "Option", MAYBE},
	{NS_TYPE, "Optional", MAYBE},
	{NS_TYPE, "usize", "sizes and indices are of type i64"},
	{NS_TYPE, "size_t", "sizes and indices are of type i64"},
	{NS_TYPE, "unit", "the type of () is ()"},
	{NS_TYPE, "void", "the type of () is ()"},
	{NS_TYPE, "String", "strings are arrays of bytes, []u8"},
	{NS_TYPE, "string", "strings are arrays of bytes, []u8"},
	{NS_TYPE, "char", "characters are bytes, u8"},
	{NS_VALUE, "return", "the value of a function is its body; there is no \"return\""},
	{NS_VALUE, "fst", "the first component of a pair p is p.0"},
	{NS_VALUE, "snd", "the second component of a pair p is p.1"},
	{NS_VALUE, "len", "the number of elements is \"length\""},
	{NS_VALUE, "size", "the number of elements is \"length\""},
	{NS_VALUE, "=>", "an anonymous function is written \"\\x -> ...\""},
	{NS_VALUE, "<>", "inequality is \"!=\", concatenation \"++\""},
	{NS_VALUE, "/=", "inequality is \"!=\""},
	{NS_VALUE, "=/=", "inequality is \"!=\""},
	{NS_VALUE, "===", "equality is \"==\""},
	{NS_VALUE, "True", "the boolean values are \"true\" and \"false\""},
	{NS_VALUE, "False", "the boolean values are \"true\" and \"false\""},
	{NS_VALUE, "append", "\"xs ++ ys\" joins arrays, \"xs ++ [x]\" adds an element"},
	{NS_VALUE, "push", "\"xs ++ [x]\" is xs with x at its end"},
	{NS_VALUE, "!!", "an element is \"xs[i]\""},
	{NS_VALUE, "fold",
	 "\"reduce op ne xs\" combines all elements, \"foldl\" one after the other"},
	{NS_VALUE, "range", "\"iota n\" is 0, 1, ..., n-1; \"a..<b\" is a range"},
	{NS_VALUE, "print", "\"trace x\" prints x and returns it"},
	{NS_VALUE, "println", "\"trace x\" prints x and returns it"},
	{NS_VALUE, "printf", "\"trace x\" prints x and returns it"},
	{NS_VALUE, "puts", "\"trace x\" prints x and returns it"},
	{NS_VALUE, "error", ASSERT},
	{NS_VALUE, "raise", ASSERT},
	{NS_VALUE, "throw", ASSERT},
	{NS_VALUE, "panic", ASSERT},
	{NS_VALUE, "try", "errors cannot be caught; test the condition before"},
	{NS_VALUE, "yield", "the value of a function is its body; there is no \"yield\""},
	{NS_VALUE, "continue", ONE_BY_ONE},
	{NS_VALUE, "nil", NO_VALUE},
	{NS_VALUE, "undefined", HOLE},
	{NS_VALUE, "pass", HOLE},
	{NS_VALUE, "todo", HOLE},
	{NS_VALUE, "catch", "errors cannot be caught; test the condition before"},
	{NS_VALUE, "except", "errors cannot be caught; test the condition before"},
	{NS_VALUE, "del", "memory is managed: there is nothing to delete"},
	{NS_VALUE, "free", "memory is managed: there is nothing to free"},
	{NS_VALUE, "seq", "functions are evaluated with their arguments: there is no laziness"},
	{NS_VALUE, "show", "\"trace x\" prints x and returns it"},
	{NS_VALUE, "^^", "\"x ** y\" is x to the power of y"},
	{NS_VALUE, "+.", "the operators are the same for all types of numbers: \"+\""},
	{NS_VALUE, "-.", "the operators are the same for all types of numbers: \"-\""},
	{NS_VALUE, "*.", "the operators are the same for all types of numbers: \"*\""},
	{NS_VALUE, "/.", "the operators are the same for all types of numbers: \"/\""},
	{NS_VALUE, "%>%", "\"x |> f\" applies f to x"},
	{NS_VALUE, "!==", "inequality is \"!=\""},
	{NS_VALUE, "pow", "\"x ** y\" is x to the power of y"},
	{NS_VALUE, "mod", REMAINDER},
	{NS_VALUE, "rem", REMAINDER},
	{NS_VALUE, "fmod", "the remainder of floats is \"x % y\""},
	{NS_VALUE, "div", "\"x / y\" divides integers and rounds down, \"x // y\" toward zero"},
	{NS_VALUE, "quot", "\"x // y\" divides integers and rounds toward zero"},
	{NS_VALUE, "xor", "it is \"x ^ y\" for integers, \"x != y\" for bools"},
	{NS_VALUE, "newaxis", NEW_AXIS},
	{NS_VALUE, "end", "the last element is \"last xs\", or \"xs[length xs - 1]\""},
	// of numpy, JAX, PyTorch, Julia and their like
	{NS_VALUE, "np", FUNCTIONS},
	{NS_VALUE, "jnp", FUNCTIONS},
	{NS_VALUE, "numpy", FUNCTIONS},
	{NS_VALUE, "jax", FUNCTIONS},
	{NS_VALUE, "torch", FUNCTIONS},
	{NS_VALUE, "math", FUNCTIONS},
	{NS_VALUE, "lax", FUNCTIONS},
	{NS_VALUE, "nn", FUNCTIONS},
	{NS_VALUE, "tf", FUNCTIONS},
	{NS_VALUE, "Math", FUNCTIONS},
	{NS_VALUE, "max", "\"f64.maximum xs\" is the largest element of an array"},
	{NS_VALUE, "min", "\"f64.minimum xs\" is the smallest element of an array"},
	{NS_VALUE, "prod", "\"f64.product xs\" multiplies the elements of an array"},
	{NS_VALUE, "T", "\"transpose xss\" exchanges rows and columns"},
	{NS_VALUE, "at", UPDATE},
	{NS_VALUE, "set", UPDATE},
	{NS_VALUE, "astype",
	 "a conversion is named by both types: \"map f32.f64 xs\" converts f64 to f32"},
	{NS_VALUE, "backward", "\"vjp f x 1\" is the gradient of f at x"},
	{NS_VALUE, "eye",
	 "the identity matrix is \"tabulate_2d n n (\\i j -> f64.bool (i == j))\""},
	{NS_VALUE, "outer", "the outer product is \"map (\\x -> map (* x) ys) xs\""},
	{NS_VALUE, "norm", "the norm is \"f64.sqrt (f64.sum (map (** 2) xs))\""},
	{NS_VALUE, "relu",
	 "it is \"f64.max 0 x\", and \"map (f64.max 0) xs\" for an array"},
	{NS_VALUE, "sigmoid", "it is \"1 / (1 + f64.exp (-x))\""},
	{NS_VALUE, "softmax",
	 "\"let es = map f64.exp xs let s = f64.sum es in map (/ s) es\" is the softmax"},
	{NS_VALUE, "var",
	 "the variance is \"let m = mean xs in mean (map (\\x -> (x - m) ** 2) xs)\", with "
	 "\"def mean xs = f64.sum xs / f64.i64 (length xs)\""},
	{NS_VALUE, "std",
	 "the standard deviation is the square root of the variance: f64.sqrt"},
	{NS_VALUE, "inv", LINEAR},
	{NS_VALUE, "solve", LINEAR},
	{NS_VALUE, "det", LINEAR},
	{NS_VALUE, "cond", "a conditional is written \"if c then a else b\""},
	{NS_VALUE, "ifelse", "a conditional is written \"if c then a else b\""},
	{NS_VALUE, "lax.scan", ONE_BY_ONE "; \"scan op ne xs\" is a parallel prefix sum"},
	{NS_VALUE, "fori_loop", ONE_BY_ONE},
	{NS_VALUE, "while_loop", ONE_BY_ONE},
	{NS_VALUE, "foreach", "\"map f xs\" applies f to each element"},
	{NS_VALUE, "for_each", "\"map f xs\" applies f to each element"},
	{NS_VALUE, "randn", RANDOM},
	{NS_VALUE, "rand", RANDOM},
	{NS_VALUE, "zeros",
	 "\"replicate n 0\" is an array of n zeros, \"replicate n (replicate m 0)\" a matrix"},
	{NS_VALUE, "zeros_like",
	 "\"map (const 0) xs\" has as many zeros as xs has elements"},
	{NS_VALUE, "ones", "\"replicate n 1\" is an array of n ones"},
	{NS_VALUE, "ones_like", "\"map (const 1) xs\" has as many ones as xs has elements"},
	{NS_VALUE, "full", "\"replicate n x\" is an array of n times x"},
	{NS_VALUE, "full_like", "\"map (const x) xs\" has x for each element of xs"},
	{NS_VALUE, "fill", "\"replicate n x\" is an array of n times x"},
	{NS_VALUE, "repeat", "\"replicate n x\" is an array of n times x"},
	{NS_VALUE, "tile", "\"flatten (replicate n xs)\" is xs n times in a row"},
	{NS_VALUE, "arange", "\"iota n\" is 0, 1, ..., n-1; \"a..<b\" is a range"},
	{NS_VALUE, "linspace",
	 "\"tabulate n (\\i -> a + f64.i64 i * (b - a) / f64.i64 (n - 1))\" is n "
	 "numbers from a to b"},
	{NS_VALUE, "dot", "the inner product is \"f64.sum (map2 (*) xs ys)\""},
	{NS_VALUE, "matmul", MATRIX_PRODUCT},
	{NS_VALUE, "einsum",
	 "a sum over an index is \"f64.sum (map2 (*) xs ys)\", inside of \"map\" for "
	 "the other indices"},
	{NS_VALUE, "mean", "the mean is \"f64.sum xs / f64.i64 (length xs)\""},
	{NS_VALUE, "argmax",
	 "zip with the indices and reduce: \"reduce (\\(x, i) (y, j) -> if x >= y "
	 "then (x, i) else (y, j)) (f64.lowest, -1) (zip xs (indices xs))\""},
	{NS_VALUE, "where",
	 "a choice for each element is \"map3 (\\c x y -> if c then x else y) cs xs "
	 "ys\"; names are bound before they are used, by \"let\""},
	{NS_VALUE, "argmin",
	 "zip with the indices and reduce: \"reduce (\\(x, i) (y, j) -> if x <= y "
	 "then (x, i) else (y, j)) (f64.highest, -1) (zip xs (indices xs))\""},
	{NS_VALUE, "cumsum", "running sums are \"scan (+) 0 xs\""},
	{NS_VALUE, "cumprod", "running products are \"scan (*) 1 xs\""},
	{NS_VALUE, "diff", "differences are \"map2 (-) (tail xs) (init xs)\""},
	{NS_VALUE, "flip", "\"reverse xs\" has the elements in the other order"},
	{NS_VALUE, "roll", "\"rotate n xs\" has the elements after the first n first"},
	{NS_VALUE, "bincount", "\"hist (+) 0 k is (map (const 1) is)\" counts k bins"},
	{NS_VALUE, "histogram", "\"hist (+) 0 k is (map (const 1) is)\" counts k bins"},
	{NS_VALUE, "meshgrid", "\"tabulate_2d n m (\\i j -> ...)\" is a matrix by its indices"},
	{NS_VALUE, "logsumexp",
	 "it is \"let m = f64.maximum xs in m + f64.log (f64.sum (map (\\x -> f64.exp (x - m)) "
	 "xs))\""},
	{NS_VALUE, "fabs", "the absolute value is \"f64.abs x\""},
	{NS_VALUE, "sizeof", "the number of elements is \"length\""},
	{NS_VALUE, "malloc", "memory is managed: \"replicate n 0\" is an array of n zeros"},
	{NS_VALUE, "collect", "a range is an array: \"0..<n\""},
	{NS_VALUE, "eachindex", "the indices of an array are \"indices xs\""},
	{NS_VALUE, "Infinity", "it is \"f64.inf\""},
	{NS_VALUE, "Inf", "it is \"f64.inf\""},
	{NS_VALUE, "INFINITY", "it is \"f64.inf\""},
	{NS_VALUE, "NaN", "it is \"f64.nan\""},
	{NS_VALUE, "NAN", "it is \"f64.nan\""},
	{NS_VALUE, "NULL", NO_VALUE},
	{NS_VALUE, "clip", "there is f64.min and f64.max: \"f64.max lo (f64.min hi x)\""},
	{NS_VALUE, "concatenate",
	 "\"xs ++ ys\" joins arrays, \"flatten xss\" the rows of one"},
	{NS_VALUE, "stack", "\"[xs, ys]\" is an array of rows"},
	{NS_VALUE, "vmap", "\"map f xss\" applies f to each row"},
	{NS_VALUE, "jit", "everything is compiled; there is no \"jit\""},
	{NS_VALUE, "grad", LIBRARY("; without that, \"vjp f x 1\" is the gradient of f at x")},
	{NS_VALUE, "value_and_grad", LIBRARY("; without that, write \"vjp2 f x 1\"")},
	{NS_VALUE, "derivative", LIBRARY("; without that, write \"jvp f x 1\"")},
	{NS_VALUE, "jacobian", LIBRARY("")},
	{NS_VALUE, "jacfwd",
	 "it is \"jacobian_forward\" of: import \"/prelude/derivatives\""},
	{NS_VALUE, "jacrev",
	 "it is \"jacobian_reverse\" of: import \"/prelude/derivatives\""},
	{NS_VALUE, "hessian", LIBRARY("")},
	{NS_VALUE, "hvp", LIBRARY("")},
	{NS_VALUE, "custom_vjp", "\"with_vjp f rule\" is f with a derivative of its own"},
	{NS_VALUE, "stop_gradient", CONSTANT},
	{NS_VALUE, "detach", CONSTANT},
	{NS_VALUE, "no_grad", CONSTANT},
	{NS_VALUE, "mm", MATRIX_PRODUCT},
	{NS_VALUE, "bmm", "\"map2 f ass bss\" applies a product f to each pair of matrices"},
	{NS_VALUE, "mv",
	 "a matrix times a vector is \"map (\\row -> f64.sum (map2 (*) row x)) a\""},
	{NS_VALUE, "item", "a number needs no conversion: \"x\", or \"xs[0]\" of an array"},
	{NS_VALUE, "view", RESHAPE},
	{NS_VALUE, "ravel", "\"flatten xss\" joins the rows"},
	{NS_VALUE, "squeeze", "\"xss[0]\" is the only row, \"flatten xss\" joins all rows"},
	{NS_VALUE, "unsqueeze", NEW_AXIS},
	{NS_VALUE, "expand_dims", NEW_AXIS},
	{NS_VALUE, "permute", "\"transpose\" exchanges the outer two dimensions, \"map transpose\" "
	 "the next two"},
	{NS_VALUE, "swapaxes", "\"transpose\" exchanges the outer two dimensions, \"map "
	 "transpose\" the next two"},
	{NS_VALUE, "clone", "values never change; \"copy xs\" is needed only before an update"},
	{NS_VALUE, "numel", "the number of elements is \"length\""},
	{NS_VALUE, "ndim", "the number of dimensions is part of the type: \"[][]f64\" has two"},
	{NS_VALUE, "dtype", "types are known before the program runs; \":type e\" shows them in "
	 "\"raido repl\""},
	{NS_VALUE, "requires_grad", "the function is differentiated, not its variables: \"vjp f x "
	 "1\""},
	{NS_VALUE, "zero_grad", "derivatives are results, not state: there is nothing to reset"},
	{NS_VALUE, "tree_map", "the fields of a record are computed one by one: \"{a = f r.a, b = "
	 "f r.b}\""},
	{NS_VALUE, "pmap", "\"map f xs\" applies f to each element; back ends make it parallel"},
	{NS_VALUE, "checkpoint", "\"#[stripmine(2)] loop ...\" keeps checkpoints of a loop"},
	{NS_VALUE, "hstack", "\"map2 (++) xss yss\" joins matrices side by side"},
	{NS_VALUE, "vstack", "\"xss ++ yss\" joins matrices, one below the other"},
	{NS_VALUE, "diag", "the diagonal is \"map (\\i -> m[i, i]) (indices m)\""},
	{NS_VALUE, "square", "it is \"x ** 2\", and \"map (** 2) xs\" for an array"},
	{NS_VALUE, "allclose", CLOSE},
	{NS_VALUE, "isclose", CLOSE},
	{NS_VALUE, "nonzero", "the indices are \"filter (\\i -> xs[i] != 0) (indices xs)\""},
	{NS_VALUE, "median", "it is the middle element of the sorted array; sorting is in the "
	 "package github.com/diku-dk/sorts"},
	{NS_VALUE, "zipWith", "\"map2 f xs ys\" applies f to both elements"},
	{NS_VALUE, "zipWith3", "\"map3 f xs ys zs\" applies f to all three elements"},
	{NS_VALUE, "elem", MEMBER},
	{NS_VALUE, "contains", MEMBER},
	{NS_VALUE, "takeWhile", "arrays have no lazy prefix; \"take n xs\" has the first n "
	 "elements"},
	{NS_VALUE, "splitAt", "it is \"(take n xs, drop n xs)\""},
	{NS_VALUE, "fmap", "\"map f xs\" applies f to each element"},
	{NS_VALUE, "mapM_", "\"map f xs\" applies f to each element"},
	{NS_VALUE, "scanl", "\"scan op ne xs\" has all prefixes; op must be associative"},
	{NS_VALUE, "scanl1", "\"scan op ne xs\" has all prefixes; op must be associative"},
	{NS_VALUE, "Just", NO_MAYBE},
	{NS_VALUE, "Nothing", NO_MAYBE},
	{NS_VALUE, "realToFrac",
	 "a conversion is named by both types: \"f64.f32 x\" converts an f32 to f64"},
	{NS_VALUE, "fromInteger",
	 "a conversion is named by both types: \"f64.i64 x\" converts an i64 to f64"},
	{NS_VALUE, "truncate", "\"i64.f64 x\" rounds towards zero"},
	{NS_VALUE, "ceiling", "it is \"f64.ceil x\""},
	{NS_VALUE, "typeof", "types are known before the program runs; \":type e\" shows them in "
	 "\"raido repl\""},
	{NS_VALUE, "similar", "\"map (const 0) xs\" has as many zeros as xs has elements"},
	{NS_VALUE, "mapreduce", "it is \"reduce op ne (map f xs)\""},
	{NS_VALUE, "memcpy", "\"copy xs\" is a copy; \"xs with [a:b] = ys\" replaces a part"},
	{NS_VALUE, "exit", ASSERT},
	{NS_VALUE, "cout", "\"trace x\" prints x and returns it"},
	// conversions
	{NS_VALUE, "int",
	 "a conversion is named by both types: \"i64.f64 x\" converts an f64 to i64"},
	{NS_VALUE, "float",
	 "a conversion is named by both types: \"f64.i64 x\" converts an i64 to f64"},
	{NS_VALUE, "double",
	 "a conversion is named by both types: \"f64.i64 x\" converts an i64 to f64"},
	{NS_VALUE, "fromIntegral",
	 "a conversion is named by both types: \"f64.i64 x\" converts an i64 to f64"},
	{NS_VALUE, "null", NO_VALUE},
	{NS_VALUE, "None", NO_VALUE},
	{NS_VALUE, "lambda", "an anonymous function is written \"\\x -> ...\""},
	{NS_VALUE, "fun", "an anonymous function is written \"\\x -> ...\""},
	{NS_VALUE, "elif", "write \"else if\""},
	{NS_VALUE, "begin", "expressions are grouped by parentheses"},
	{NS_VALUE, "otherwise", "the last case of a match is \"case _ -> ...\""},
	{NS_VALUE, "concatMap", "\"flatten (map f xs)\" joins results of one size"},
	{NS_VALUE, "foldr1", "\"reduce op ne xs\" combines all elements"},
	{NS_VALUE, "foldl1", "\"reduce op ne xs\" combines all elements"},
	{NS_VALUE, "fold_left",
	 "\"foldl f start xs\" goes from left to right, \"reduce\" is parallel"},
	{NS_VALUE, "enumerate", "\"zip (indices xs) xs\" gives each element its index"},
	{NS_VALUE, "sorted",
	 "sorting is in the package github.com/diku-dk/sorts: \"raido pkg add\""},
	{NS_VALUE, "sort",
	 "sorting is in the package github.com/diku-dk/sorts: \"raido pkg add\""},
	{NS_VALUE, "random", RANDOM},
	// older spellings
	{NS_VALUE, "flatten_to", "write \"flatten xss :> [n]t\""},
	{NS_VALUE, "concat_to", "write \"xs ++ ys :> [n]t\""},
	{NS_VALUE, "unsafe", "it is an attribute now: write \"#[unsafe] e\""},
	{NS_VALUE, "shape",
	 "the outer size is \"length xs\"; a size parameter gives any size a name: "
	 "\"def f [n][m] (xss: [n][m]i32) = ...\""},
	{NS_VALUE, "reshape", RESHAPE},
	{NS_VALUE, "rearrange", "\"transpose\" exchanges the outer two dimensions"},
	{NS_VALUE, "empty", "an empty array is \"[]\""},
	{NS_VALUE, "map_stream", "write \"map\" over chunks, or just \"map\""},
	{NS_VALUE, "map_stream_per", "write \"map\" over chunks, or just \"map\""},
	{NS_VALUE, "stream_map", "write \"map\" over chunks, or just \"map\""},
	{NS_VALUE, "reduce_stream", "write \"reduce op ne (map f xs)\""},
	{NS_VALUE, "reduce_stream_per", "write \"reduce op ne (map f xs)\""},
	{NS_VALUE, "stream_red", "write \"reduce op ne (map f xs)\""},
	{NS_VALUE, "stream_seq", "write a loop over chunks of the array"},
	{NS_VALUE, "reduceComm", "it is called \"reduce_comm\""},
};

// Is the text between the brackets of an index on the same line, as in xs[...]?
bool in_brackets(Span span)
{
	const Source *src = source_of(span.lo);
	const char *at = src ? src->text + (span.lo - src->start) : NULL;
	int open = 0;
	for (; at && at > src->text && at[-1] != '\n'; at--) {
		open += at[-1] == ']' || at[-1] == ')' ? 1
		      : at[-1] == '[' || at[-1] == '(' ? -1 : 0;
		if (open < 0)
			return at[-1] == '[' && at - src->text >= 2 &&
			       (isalnum((unsigned char)at[-2]) || strchr("_')]", at[-2]));
	}
	return false;
}

// x => x + 1, |x| x + 1, sin.(xs), f"x", a[:, None]: by what stands beside the name.
const char *hint_beside(Span name, bool in_modules)
{
	const Source *src = source_of(name.lo);
	if (!src || source_of(name.hi - 1) != src)
		return NULL;
	const char *at = src->text + (name.lo - src->start);
	const char *to = src->text + (name.hi - src->start);
	if (to[0] == '"' && name.hi - name.lo == 1)
		return NO_FORMAT;
	if (strcmp(span_text(name), "float") == 0 && (str_starts(to, "(\"inf") ||
	                                              str_starts(to, "(\"nan")))
		return text("it is \"f64.%.3s\"", to + 2);
	if (strcmp(span_text(name), "None") == 0 && in_brackets(name))
		return NEW_AXIS;
	if (in_modules && str_starts(to, ".("))
		return text("for each element write \"map f64.%s xs\"", span_text(name));
	const char *let = text("let %s ", span_text(name)), *last = NULL;
	for (const char *s = src->text; (s = strstr(s, let)) && s < at; s++)
		last = s;
	if (last && last[strlen(let)] != '=' && last[strlen(let)] != ':' &&
	    !strstr(text("%.*s", (int)(at - last), last), " in ") &&
	    !strstr(text("%.*s", (int)(at - last), last), "\n\n"))
		return "a local function cannot call itself; define it by \"def\", outside, or "
		       "write a loop";
	to += strspn(to, " ");
	if (str_starts(to, "=>") || (to[0] == '|' && at - src->text >= 2 && at[-1] == '|' &&
	                             at[-2] == '('))
		return "an anonymous function is written \"\\x -> ...\"";
	return NULL;
}

const char *name_elsewhere(Name name, NameSpace space)
{
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].space == space && strcmp(names[i].name, name) == 0)
			return names[i].hint;
	return NULL;
}
