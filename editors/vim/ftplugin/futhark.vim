" Vim settings for Futhark: comments, two spaces, `raido check` as compiler, `raido fmt` for gq.
if exists('b:did_ftplugin')
	finish
endif
let b:did_ftplugin = 1

setlocal comments=b:--
setlocal commentstring=--\ %s
setlocal formatoptions-=t
setlocal formatoptions+=croql
setlocal iskeyword=@,48-57,_,'
setlocal expandtab shiftwidth=2 softtabstop=2
setlocal suffixesadd=.fut
setlocal include=^\\s*\\%(local\\s\\+\\)\\=\\%(open\\s\\+\\)\\=import
setlocal formatprg=raido\ fmt
setlocal makeprg=raido\ check\ %:S
setlocal errorformat=%EError\ at\ %f:%l:%c-%*[^:]:,%WWarning\ at\ %f:%l:%c-%*[^:]:,%+C%.%#,%-Z

let b:undo_ftplugin = 'setlocal comments< commentstring< formatoptions< iskeyword< expandtab<'
	\ . ' shiftwidth< softtabstop< suffixesadd< include< formatprg< makeprg< errorformat<'
