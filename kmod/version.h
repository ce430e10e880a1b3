/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The one place for the version of everything here: modules, abt, packages. Semantic
 * (semver.org); CHANGELOG.md says what each one changed.
 */
#ifndef ABT_VERSION_H
#define ABT_VERSION_H

#define ABT_VERSION	"0.1.0"
#define ABT_AUTHOR	"The tcp_abt authors <maintainers@tcp-abt.example>"

#endif /* ABT_VERSION_H */
