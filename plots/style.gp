# SPDX-License-Identifier: GPL-2.0
# What the figures of a scenario share. The caller (plots/plot) sets dir (a result folder), output (without suffix) and
# format (png or svg).
load "look.gp"

variants = system(sprintf("awk -F'\\t' 'NR==1 {for (i = 1; i <= NF; i++) if ($i == \"variant\") c = i} NR>1 && !seen[$c]++ {print $c}' '%s/summary.tsv'", dir))
title_text = system(sprintf("sed -n 's/^ *\"title\": \"\\(.*\\)\",$/\\1/p' '%s/summary.json'", dir))
where_text = system(sprintf("cat '%s/where.txt'", dir))

# The number in a column (by name) of a row (by variant; its first) of summary.tsv.
metric(variant, name) = real(system(sprintf("awk -F'\\t' -v v='%s' -v n='%s' 'NR==1 {for (i = 1; i <= NF; i++) {if ($i == n) c = i; if ($i == \"variant\") k = i}} NR>1 && $k == v {printf \"%%.6f\", $c; exit}' '%s/summary.tsv'", variant, name, dir)))
# Variants' folders: in dir, or where an axis has one value, in that cell's folder.
runs = system(sprintf("set -- '%s'/*/'%s'; if [ $# -eq 1 ] && [ -d \"$1\" ]; then dirname \"$1\"; else echo '%s'; fi", dir, word(variants, 1), dir))
file(variant, table) = sprintf("%s/%s/%s.tsv", runs, variant, table)

last_s = 0
do for [v in variants] { last_s = (metric(v, "last_finish_s") > last_s) ? metric(v, "last_finish_s") : last_s }
