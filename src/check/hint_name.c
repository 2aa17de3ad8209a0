// Unknown names: what other languages, libraries and older versions mean by them.
//
// Before: a name is in no scope.  After: a text for a hint, or NULL.
//
// Such a name says more about what was meant than similarly spelled names do: "dot" is not a
// misspelt "not".
#include "check/modules.h"


const char *name_elsewhere(Name name, NameSpace space)
{
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
		{NS_VALUE, "=>", "a function without a name is written \"\\x -> ...\""},
		{NS_VALUE, "<>", "inequality is \"!=\", concatenation \"++\""},
		{NS_VALUE, "/=", "inequality is \"!=\""},
		{NS_VALUE, "=/=", "inequality is \"!=\""},
		{NS_VALUE, "===", "equality is \"==\""},
		{NS_VALUE, "+=", "a variable does not change; \"let x = ...\" binds it anew"},
		{NS_VALUE, "-=", "a variable does not change; \"let x = ...\" binds it anew"},
		{NS_VALUE, "*=", "a variable does not change; \"let x = ...\" binds it anew"},
		{NS_VALUE, "True", "truth values are \"true\" and \"false\""},
		{NS_VALUE, "False", "truth values are \"true\" and \"false\""},
		{NS_VALUE, "append", "\"xs ++ ys\" joins arrays"},
		{NS_VALUE, "fold",
		 "\"reduce op ne xs\" combines all elements, \"foldl\" one after the other"},
		{NS_VALUE, "range", "\"iota n\" is 0, 1, ..., n-1; \"a..<b\" is a range"},
		{NS_VALUE, "print", "\"trace\" prints a value and gives it"},
		// of numpy, JAX and their like
		{NS_VALUE, "zeros", "\"replicate n 0\" is an array of n zeros"},
		{NS_VALUE, "zeros_like",
		 "\"map (const 0) xs\" has as many zeros as xs has elements"},
		{NS_VALUE, "ones", "\"replicate n 1\" is an array of n ones"},
		{NS_VALUE, "full", "\"replicate n x\" is an array of n times x"},
		{NS_VALUE, "arange", "\"iota n\" is 0, 1, ..., n-1; \"a..<b\" is a range"},
		{NS_VALUE, "linspace",
		 "\"tabulate n (\\i -> a + f64.i64 i * (b - a) / f64.i64 (n - 1))\" is n "
		 "numbers from a to b"},
		{NS_VALUE, "dot", "the inner product is \"f64.sum (map2 (*) xs ys)\""},
		{NS_VALUE, "matmul",
		 "a matrix product is \"map (\\a -> map (\\b -> f64.sum (map2 (*) a b)) "
		 "(transpose bss)) ass\""},
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
		{NS_VALUE, "cumsum", "running sums are \"scan (+) 0 xs\""},
		{NS_VALUE, "clip", "there is f64.min and f64.max: \"f64.max lo (f64.min hi x)\""},
		{NS_VALUE, "concatenate",
		 "\"xs ++ ys\" joins arrays, \"flatten xss\" the rows of one"},
		{NS_VALUE, "stack", "\"[xs, ys]\" is an array of rows"},
		{NS_VALUE, "vmap", "\"map f xss\" applies f to each row"},
		{NS_VALUE, "jit", "everything is compiled; there is no \"jit\""},
		{NS_VALUE, "grad",
		 "it is defined by: import \"/prelude/derivatives\"; without that, \"vjp f x "
		 "1\" is the gradient of f at x"},
		{NS_VALUE, "value_and_grad",
		 "it is defined by: import \"/prelude/derivatives\"; without that, write "
		 "\"vjp2 f x 1\""},
		{NS_VALUE, "derivative",
		 "it is defined by: import \"/prelude/derivatives\"; without that, write "
		 "\"jvp f x 1\""},
		{NS_VALUE, "jacobian", "it is defined by: import \"/prelude/derivatives\""},
		{NS_VALUE, "jacfwd",
		 "it is \"jacobian_forward\" of: import \"/prelude/derivatives\""},
		{NS_VALUE, "jacrev",
		 "it is \"jacobian_reverse\" of: import \"/prelude/derivatives\""},
		{NS_VALUE, "hessian", "it is defined by: import \"/prelude/derivatives\""},
		{NS_VALUE, "hvp", "it is defined by: import \"/prelude/derivatives\""},
		{NS_VALUE, "custom_vjp", "\"with_vjp f rule\" is f with a derivative of its own"},
		{NS_VALUE, "stop_gradient",
		 "a custom rule stops it: \"with_vjp (\\x -> x) (\\_ _ -> 0) x\""},
		// conversions
		{NS_VALUE, "int",
		 "a conversion is named by both types: \"i64.f64 x\" makes an i64 of an f64"},
		{NS_VALUE, "float",
		 "a conversion is named by both types: \"f64.i64 x\" makes an f64 of an i64"},
		{NS_VALUE, "double",
		 "a conversion is named by both types: \"f64.i64 x\" makes an f64 of an i64"},
		{NS_VALUE, "fromIntegral",
		 "a conversion is named by both types: \"f64.i64 x\" makes an f64 of an i64"},
		{NS_VALUE, "null",
		 "there is no such value; \"#none | #some t\" is a type with and without a t"},
		{NS_VALUE, "None",
		 "there is no such value; \"#none | #some t\" is a type with and without a t"},
		{NS_VALUE, "lambda", "a function without a name is written \"\\x -> ...\""},
		{NS_VALUE, "fun", "a function without a name is written \"\\x -> ...\""},
		{NS_VALUE, "elif", "write \"else if\""},
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
		{NS_VALUE, "random",
		 "random numbers are in the package github.com/diku-dk/cpprandom: \"raido pkg "
		 "add\""},
		// older spellings
		{NS_VALUE, "flatten_to", "write \"flatten xss :> [n]t\""},
		{NS_VALUE, "concat_to", "write \"xs ++ ys :> [n]t\""},
		{NS_VALUE, "unsafe", "it is an attribute now: write \"#[unsafe] e\""},
		{NS_VALUE, "shape",
		 "the outer size is \"length xs\"; a size parameter gives any size a name: "
		 "\"def f [n][m] (xss: [n][m]i32) = ...\""},
		{NS_VALUE, "reshape", "\"flatten\" and \"unflatten\" change the shape of an array"},
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
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].space == space && strcmp(names[i].name, name) == 0)
			return names[i].hint;
	return NULL;
}
