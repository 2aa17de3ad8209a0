-- An anonymous size only under an arrow.
-- at 6
-- ==
-- error: Type abbreviation contains an anonymous size not used constructively as an array size

type^ pred = []i32 -> bool
