-- A stack machine whose instructions are a sum type.
-- ==
-- input { 0i64 }
-- output { [1i64, 0i64] }
-- input { 5i64 }
-- output { [1i64, 4i64, 5i64] }

-- ==
-- entry: poly
-- input { 4i64 }
-- output { [63i64] }

type instr = #push i64 | #add | #mul | #swap | #dup | #jump_if_zero i64 | #halt

def step [n] (pc: i64, sp: i64, stack: *[n]i64) (i: instr) : (i64, i64, *[n]i64) =
  match i
  case #push x -> (pc + 1, sp + 1, stack with [sp] = x)
  case #add ->
    let v = stack[sp - 2] + stack[sp - 1]
    in (pc + 1, sp - 1, stack with [sp - 2] = v)
  case #mul ->
    let v = stack[sp - 2] * stack[sp - 1]
    in (pc + 1, sp - 1, stack with [sp - 2] = v)
  case #swap ->
    let (a, b) = (stack[sp - 2], stack[sp - 1])
    let stack[sp - 2] = b
    let stack[sp - 1] = a
    in (pc + 1, sp, stack)
  case #dup ->
    let v = stack[sp - 1]
    in (pc + 1, sp + 1, stack with [sp] = v)
  case #jump_if_zero to -> (if stack[sp - 1] == 0 then to else pc + 1, sp - 1, stack)
  case #halt -> (-1, sp, stack)

def run [n] (depth: i64) (code: [n]instr) : []i64 =
  let (_, sp, stack) = loop (pc, sp, stack) = (0, 0, replicate depth 0) while pc >= 0 && pc < n do
    step (pc, sp, stack) code[pc]
  in stack[:sp]

-- n! kept as (acc, n): multiply, decrement, until n is zero
def factorial (n: i64) : []instr =
  [#push 1, #push n,
   #dup, #jump_if_zero 11,
   #dup, #push (-1), #add, #swap, #push 0, #jump_if_zero 12, #halt, #halt,
   #halt]

entry main (n: i64) = run 8 (factorial n)
entry poly (x: i64) =
  run 8 [#push 3, #push x, #dup, #mul, #mul, #push x, #push 2, #mul, #add, #push 7, #add]
