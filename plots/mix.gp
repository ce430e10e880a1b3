# SPDX-License-Identifier: GPL-2.0
# What each flow gets and what the server spends on it: goodput and send buffer, a mark for each variant.
load "style.gp"
width = 1000
height = 760
load "terminal.gp"
size_of_points = (format eq "svg") ? 1.1 : 2.2
n = words(variants)
flows = system(sprintf("awk -F'\\t' 'NR==1 {for (i = 1; i <= NF; i++) if ($i == \"flow\") c = i} NR>1 && !seen[$c]++ {print $c}' '%s/flows.tsv'", dir))
# flow's place, goodput, send buffer, of one variant
spent(variant) = sprintf("< awk -F'\\t' -v OFS='\\t' -v v='%s' 'NR==1 {for (i = 1; i <= NF; i++) c[$i] = i; next} !($c[\"flow\"] in at) {at[$c[\"flow\"]] = k++} $c[\"variant\"] == v {print at[$c[\"flow\"]], $c[\"steady_mbps\"], $c[\"sndbuf_steady_bytes\"]}' '%s/flows.tsv'", variant, dir)
beside(i) = (i - (n + 1) / 2.0) * 0.14
kind(i) = int(word("7 5 9 13", (i - 1) % 4 + 1))

set multiplot layout 2, 1 title sprintf("{/:Bold %s}\n{/*0.85 %s}", title_text, where_text) margins char 11, char 2, char 2.5, char 6 spacing char 2, char 2
set xrange [-0.6:words(flows) - 0.4]
set xtics scale 0 noenhanced
do for [i = 1:words(flows)] { set xtics add (word(flows, i) i - 1) }
do for [i = 1:words(flows) - 1] { set arrow i from i - 0.5, graph 0 to i - 0.5, graph 1 nohead lc rgb "#d8d8d8" lw 1 }
set logscale y
set ylabel "goodput [Mbit/s]"
set key at graph 0.5, graph 1.13 center horizontal Left reverse samplen 0.6 noenhanced
set format x ""
plot for [i = 1:n] spent(word(variants, i)) using ($1 + beside(i)):2 with points pt kind(i) ps size_of_points lc rgb colour[i] title word(variants, i)
unset key
set format x "%g"
set ylabel "send buffer [truesize]"
set format y "%.0s %cB"
plot for [i = 1:n] spent(word(variants, i)) using ($1 + beside(i)):3 with points pt kind(i) ps size_of_points lc rgb colour[i] notitle
unset multiplot
