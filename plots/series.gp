# SPDX-License-Identifier: GPL-2.0
# A metric by the values of an axis, a line for each variant, with the range of the seeds where there are several; a panel for
# each value of the other axes. The y axis is logarithmic where the numbers span more than a factor of 50.
load "style.gp"
table = output.".tsv"
unique(name) = system(sprintf("awk -F'\\t' -v c=%d 'NR>1 && !seen[$c]++ {print $c}' '%s'", name, table))
count(name) = int(system(sprintf("awk -F'\\t' -v c=%d 'NR>1 && !seen[$c]++ {n++} END {print n + 0}' '%s'", name, table)))
line(lines, number) = system(sprintf("printf '%%s\\n' '%s' | sed -n '%dp'", lines, number))
# The values of a panel's axis, one a line, in their places; the panel's title.
ticks(panel) = system(sprintf("awk -F'\\t' -v p=%d '$1==p && !seen[$3]++ {print $4}' '%s'", panel, table))
title_of(panel) = system(sprintf("awk -F'\\t' -v p=%d '$1==p {print $2; exit}' '%s'", panel, table))
places(panel) = int(system(sprintf("awk -F'\t' -v p=%d '$1==p && !seen[$3]++ {n++} END {print n}' '%s'", panel, table)))

what = system(sprintf("awk -F'\t' 'NR==2 {print $9}' '%s'", table))
axis = system(sprintf("awk -F'\t' 'NR==2 {print $10}' '%s'", table))
names = unique(5)
lines_count = count(5)
n = count(1)
columns = (n > 3) ? 3 : n
rows = int(ceil(real(n) / columns))
width = (n == 1) ? 900 : 400 * columns + 80
# A legend is no wider than its panel, so beside others it is a column
legend_columns = (n == 1) ? 4 : 1
legend = 26 * int(ceil(real(lines_count) / legend_columns))
height = 330 * rows + 120 + legend
load "terminal.gp"
small = (format eq "svg") ? ",12" : ",24"
size_of_points = (format eq "svg") ? 0.9 : 1.8

stats table skip 1 using 6 nooutput
spread = (STATS_min > 0 && STATS_max > 50 * STATS_min)
if (spread) { set logscale y; set yrange [STATS_min / 1.6:STATS_max * 1.6] } else { set yrange [0:STATS_max * 1.08] }
set format y "%g"
set ytics font small
set multiplot layout rows, columns title sprintf("{/:Bold %s}\n{/*0.85 %s}", literal(title_text), literal(where_text)) \
    margins screen 116.0 / width, screen 1 - 24.0 / width, screen (70.0 + legend) / height, screen 1 - 88.0 / height spacing screen 50.0 / width, screen 84.0 / height
set key at screen 0.5, screen 8.0 / height center bottom horizontal maxcols legend_columns Left reverse samplen 1.8 noenhanced font small
kind(i) = int(word("7 5 9 13 11 4 6 8 12 10", (i - 1) % 10 + 1))
dashes(i) = (i > 7) ? 2 : 1
do for [p = 1:n] {
    values = ticks(p)
    nx = places(p)
    set xrange [-0.25:nx - 0.75]
    set xtics (line(values, 1) 0) nomirror noenhanced font small
    do for [i = 2:nx] { set xtics add (line(values, i) i - 1) }
    set title ((n > 1) ? title_of(p) : "") noenhanced offset 0, -0.8 font small
    set xlabel axis offset 0, 0.5 noenhanced font small
    if (p % columns == 1 || columns == 1) { set ylabel what offset 1.2, 0 noenhanced font small } else { unset ylabel }
    if (p > 1) { unset key }
    plot for [i = 1:lines_count] table skip 1 using ($1 == p && strcol(5) eq line(names, i) && $8 > $7 ? $3 : NaN):7:(0):($8 - $7) \
             with vectors nohead lw 1.2 lc rgb colour[(i - 1) % 7 + 1] notitle, \
         for [i = 1:lines_count] table skip 1 using ($1 == p && strcol(5) eq line(names, i) ? $3 : NaN):6 with linespoints \
             lw 1.6 pt kind(i) ps size_of_points lc rgb colour[(i - 1) % 7 + 1] dt dashes(i) title line(names, i)
}
unset multiplot
