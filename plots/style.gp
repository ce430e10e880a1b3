# SPDX-License-Identifier: GPL-2.0
# What all figures share. The caller (plots/plot) sets dir (a result folder), output (without suffix) and format
# (png or svg). Palette: Okabe and Ito's, safe for colour-blind eyes.

set datafile separator "\t"
set datafile missing "?"
set encoding utf8

array colour[8] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#F0E442"]

variants = system(sprintf("awk -F'\\t' 'NR==1 {for (i = 1; i <= NF; i++) if ($i == \"variant\") c = i} NR>1 && !seen[$c]++ {print $c}' '%s/summary.tsv'", dir))
title_text = system(sprintf("sed -n 's/^ *\"title\": \"\\(.*\\)\",$/\\1/p' '%s/summary.json'", dir))
where_text = system(sprintf("cat '%s/where.txt'", dir))

# The number in a column (by name) of a row (by variant; its first) of summary.tsv.
metric(variant, name) = real(system(sprintf("awk -F'\\t' -v v='%s' -v n='%s' 'NR==1 {for (i = 1; i <= NF; i++) {if ($i == n) c = i; if ($i == \"variant\") k = i}} NR>1 && $k == v {printf \"%%.6f\", $c; exit}' '%s/summary.tsv'", variant, name, dir)))
file(variant, table) = sprintf("%s/%s/%s.tsv", dir, variant, table)

last_s = 0
do for [v in variants] { last_s = (metric(v, "last_finish_s") > last_s) ? metric(v, "last_finish_s") : last_s }

set border 3 lc rgb "#404040"
set tics nomirror out
set grid ytics lc rgb "#d8d8d8" lw 1
set style line 20 lc rgb "#000000" lw 2 dt (6, 4)
