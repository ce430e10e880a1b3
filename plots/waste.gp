# SPDX-License-Identifier: GPL-2.0
# DRS's two wastes in every cell, a mark for each variant: the part of the line rate that is left idle, and what the receive buffer has
# beyond 2 BDP. A cell is named by its first two axes.
load "style.gp"
width = 1000
height = 760
load "terminal.gp"
small = (format eq "svg") ? ",13" : ",26"
size_of_points = (format eq "svg") ? 1.1 : 2.2
nothing = 1e3 # bytes: where no waste is drawn on a logarithmic scale

n = words(variants)
# the values of the first and the second axis of each cell, one a line
values(axis) = system(sprintf("awk -F'\\t' 'NR>1 && !seen[$1 FS $2]++ {print $%d}' '%s/summary.tsv'", axis, dir))
first = values(1)
second = values(2)
cells = int(system(sprintf("awk -F'\\t' 'NR>1 && !seen[$1 FS $2]++ {n++} END {print n}' '%s/summary.tsv'", dir)))
line(lines, number) = system(sprintf("cat <<'END' | sed -n '%dp'\n%s\nEND\n", number, lines))
label(number) = sprintf("%s\n%s", line(first, number), line(second, number))
axes = system(sprintf("head -1 '%s/summary.tsv' | cut -f1,2 | sed 's/\\t/, /'", dir))
# cell's place, share of the network wasted [%], memory wasted [bytes], of one variant
wastes(variant) = sprintf("< awk -F'\\t' -v OFS='\\t' -v v='%s' 'NR==1 {for (i = 1; i <= NF; i++) c[$i] = i; next} !(($1 FS $2) in at) {at[$1 FS $2] = k++} $c[\"variant\"] == v {idle = $c[\"network_wasted_mbps\"]; print at[$1 FS $2], 100 * idle / (idle + $c[\"steady_mbps\"]), $c[\"memory_wasted_bytes\"]}' '%s/summary.tsv'", variant, dir)
beside(i) = (i - (n + 1) / 2.0) * 0.14
kind(i) = int(word("7 5 9 13", (i - 1) % 4 + 1))

set multiplot layout 2, 1 title sprintf("{/:Bold %s}\n{/*0.85 %s}", title_text, where_text) margins char 12, char 2, char 6, char 6 spacing char 2, char 2
set xrange [-0.6:cells - 0.4]
set xtics scale 0 font small
set format x ""
do for [i = 1:cells] { set xtics add ("" i - 1) }
do for [i = 1:cells - 1] { set arrow i from i - 0.5, graph 0 to i - 0.5, graph 1 nohead lc rgb "#d8d8d8" lw 1 }
set ylabel "network wasted [%]"
set yrange [-4:104]
set key at graph 0.5, graph 1.13 center horizontal Left reverse samplen 0.6 noenhanced
plot for [i = 1:n] wastes(word(variants, i)) using ($1 + beside(i)):2 with points pt kind(i) ps size_of_points lc rgb colour[i] title word(variants, i)
unset key
set xlabel axes noenhanced offset 0, -1.2
set format x "%g"
set xtics (label(1) 0)
do for [i = 2:cells] { set xtics add (label(i) i - 1) }
set ylabel "memory wasted"
set logscale y
set yrange [nothing / 1.6:*]
set format y "%.0s %cB"
set ytics add ("none" nothing)
plot for [i = 1:n] wastes(word(variants, i)) using ($1 + beside(i)):($3 > nothing ? $3 : nothing) with points pt kind(i) ps size_of_points lc rgb colour[i] notitle
unset multiplot
