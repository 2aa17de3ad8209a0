// What a program requires of other packages: the file futhark.pkg, and versions.
#ifndef RAIDO_PKG_H
#define RAIDO_PKG_H
#include "cli/cli.h"

// 1.2.3, or 0.0.0-20240101120000+commit for a commit without a version.
typedef struct { int64_t part[3]; const char *date, *commit; } PkgVersion;
typedef struct { const char *path; PkgVersion version; const char *hash; } Requirement; // or NULL
typedef VEC(Requirement) Requirements;
typedef struct {
	const char *package;            // of this package, or NULL
	Requirements requires;
	VEC(const char *) comments;     // before everything else
} PkgFile;

bool pkg_version_parse(const char *, PkgVersion *);
const char *pkg_version_show(PkgVersion);
int pkg_version_compare(PkgVersion, PkgVersion);
// Slashes between names that lead into no other directory; @N at the end, the major version, is
// not part of *base (which may be NULL).
bool pkg_path_ok(const char *path, const char **base);
bool pkg_file_parse(const char *name, const char *body, PkgFile *out, const char **why);
const char *pkg_file_show(const PkgFile *);
Requirement *pkg_find(const Requirements *, const char *path); // NULL when it is not there
#endif
