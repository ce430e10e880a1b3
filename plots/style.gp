# SPDX-License-Identifier: GPL-2.0
# What the figures of a scenario share. The caller (plots/plot) sets dir (a result folder), output (without suffix) and
# format (png or svg); and cell, where the scenario has several: the folder of one in dir.
load "look.gp"

variants = system(sprintf("awk -F'\\t' 'NR==1 {for (i = 1; i <= NF; i++) if ($i == \"variant\") c = i} NR>1 && !seen[$c]++ {print $c}' '%s/summary.tsv'", dir))
title_text = system(sprintf("sed -n 's/^ *\"title\": \"\\(.*\\)\",$/\\1/p' '%s/summary.json'", dir))
where_text = system(sprintf("cat '%s/where.txt'", dir))

if (!exists("cell")) { cell = "" }
if (strlen(cell)) { where_text = cell . system(sprintf("sed 's/^[^;]*//' '%s/where.txt'", dir)) }

# The number in a column (by name) of a row (by variant and cell; its first) of summary.tsv. A cell's folder
# is named by its axes, which are the columns before the variant.
metric(variant, name) = real(system(sprintf("awk -F'\\t' -v v='%s' -v n='%s' -v cell='%s' 'NR==1 {for (i = 1; i <= NF; i++) {if ($i == n) c = i; if ($i == \"variant\") k = i}} NR>1 && $k == v {at = $1; for (i = 2; i < k; i++) at = at \"-\" $i; gsub(/ /, \"\", at); if (cell == \"\" || at == cell) {printf \"%%.6f\", $c; exit}}' '%s/summary.tsv'", variant, name, cell, dir)))
# Variants' folders: in dir, in the cell's folder, or where an axis has one value, in that cell's folder.
runs = strlen(cell) ? dir . "/" . cell : system(sprintf("set -- '%s'/*/'%s'; if [ $# -eq 1 ] && [ -d \"$1\" ]; then dirname \"$1\"; else echo '%s'; fi", dir, word(variants, 1), dir))
# of several seeds the first
seed(variant) = system(sprintf("test ! -d '%s/%s/seed-1' || echo seed-1/", runs, variant))
file(variant, table) = sprintf("%s/%s/%s%s.tsv", runs, variant, seed(variant), table)

last_s = 0
do for [v in variants] { last_s = (metric(v, "last_finish_s") > last_s) ? metric(v, "last_finish_s") : last_s }
# A name with underscores, in a text in which gnuplot takes them for subscripts.
literal(words) = system(sprintf("printf '%%s' '%s' | sed 's/_/\\\\_/g'", words))
