" Vim syntax file: Futhark.
if exists('b:current_syntax')
	finish
endif

syntax iskeyword @,48-57,_,'
syntax keyword futharkConditional if then else match case
syntax keyword futharkRepeat loop for while do
syntax keyword futharkKeyword let in with assert
syntax keyword futharkDeclaration def entry val local module type
syntax keyword futharkInclude import open include
syntax keyword futharkBoolean true false
syntax keyword futharkPrimitive i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 bool
syntax keyword futharkTodo contained TODO FIXME XXX NOTE

syntax match futharkOperator "[-+*/%=!><|&^][-+*/%=!><|&^.]*"
syntax match futharkOperator "\.\.\.\|\.\.<\|\.\.>\|\.\.\|:>\|\\"
syntax match futharkOperator "`[A-Za-z_][A-Za-z0-9_'.]*`"
syntax match futharkHole "???"
syntax match futharkConstructor "#[A-Za-z_][A-Za-z0-9_']*"
syntax match futharkTypeParameter "\%([A-Za-z0-9_']\)\@<!'[~^]\?[A-Za-z_][A-Za-z0-9_]*"
syntax match futharkModule "\<[A-Za-z_][A-Za-z0-9_']*\.\%([A-Za-z_(+*/%=!><|&^-]\)\@="

syntax match futharkNumber "\<[0-9][0-9_]*\%([iu]\%(8\|16\|32\|64\)\)\?\>"
syntax match futharkNumber "\<0[xX][0-9A-Fa-f_]\+\%([iu]\%(8\|16\|32\|64\)\)\?\>"
syntax match futharkNumber "\<0[bB][01_]\+\%([iu]\%(8\|16\|32\|64\)\)\?\>"
syntax match futharkNumber "\<0[rR][IVXLCDM_]\+\%([iu]\%(8\|16\|32\|64\)\)\?\>"
syntax match futharkFloat "\<[0-9][0-9_]*\.[0-9][0-9_]*\%([eE][-+]\?[0-9]\+\)\?\%(f16\|f32\|f64\)\?\>"
syntax match futharkFloat "\<[0-9][0-9_]*[eE][-+]\?[0-9]\+\%(f16\|f32\|f64\)\?\>"
syntax match futharkFloat "\<[0-9][0-9_]*\%(f16\|f32\|f64\)\>"
syntax match futharkFloat "\<0[xX][0-9A-Fa-f_]\+\.[0-9A-Fa-f_]\+[pP][-+]\?[0-9_]\+\%(f16\|f32\|f64\)\?\>"

syntax match futharkEscape contained "\\\%(x[0-9A-Fa-f]\+\|o[0-7]\+\|[0-9]\+\|\^[@-_]\|[A-Z]\{2,3}\|.\)"
syntax region futharkString start=+"+ skip=+\\.+ end=+"\|$+ contains=futharkEscape
syntax match futharkCharacter "'\%(\\\%([0-9]\+\|.\)\|[^\\']\)'" contains=futharkEscape
syntax region futharkAttribute matchgroup=futharkAttributeBracket start="#\[" end="\]" contains=futharkNumber

syntax match futharkComment "--.*$" contains=futharkTodo,@Spell
syntax match futharkDocumentation "-- |.*$" contains=futharkTodo,@Spell
syntax match futharkTestBlock "^-- ==$"

highlight default link futharkConditional Conditional
highlight default link futharkRepeat Repeat
highlight default link futharkKeyword Keyword
highlight default link futharkDeclaration Structure
highlight default link futharkInclude Include
highlight default link futharkBoolean Boolean
highlight default link futharkPrimitive Type
highlight default link futharkTypeParameter Type
highlight default link futharkTodo Todo
highlight default link futharkOperator Operator
highlight default link futharkHole Error
highlight default link futharkConstructor Constant
highlight default link futharkModule Identifier
highlight default link futharkNumber Number
highlight default link futharkFloat Float
highlight default link futharkEscape SpecialChar
highlight default link futharkString String
highlight default link futharkCharacter Character
highlight default link futharkAttribute PreProc
highlight default link futharkAttributeBracket PreProc
highlight default link futharkComment Comment
highlight default link futharkDocumentation SpecialComment
highlight default link futharkTestBlock SpecialComment

let b:current_syntax = 'futhark'
