# SPDX-License-Identifier: GPL-2.0
# One variant's metric over another's in every cell: a panel is a map over two axes, panels are the other axes' values.
# Blue is better, orange worse, by powers of two; 0: nothing arrived; *: no variant got a tenth of the rate.
load "style.gp"
table = output.".tsv"
text(row, name) = system(sprintf("awk -F'\\t' -v n='%s' -v r=%d 'NR==1 {for (i = 1; i <= NF; i++) if ($i == n) c = i} NR==r+1 {print $c; exit}' '%s'", name, row, table))
# The values of an axis in their places, one a line; the title of a panel.
ticks(place, name) = system(sprintf("awk -F'\\t' 'NR>1 {v[$%d] = $%d} END {n = 0; for (i in v) n++; for (i = 0; i < n; i++) printf \"%%s\\n\", v[i]}' '%s'", place, name, table))
title_of(panel) = system(sprintf("awk -F'\\t' -v p=%d 'NR>1 && $1==p {print $2; exit}' '%s'", panel, table))
line(lines, number) = system(sprintf("printf '%%s\\n' '%s' | sed -n '%dp'", lines, number))
places(name) = int(system(sprintf("awk -F'\\t' -v c=%d 'NR>1 && $c>m {m = $c} END {print m + 1}' '%s'", name, table)))

what = text(1, "metric")
better = (strstrt(what, "oodput") > 0) ? 1 : -1
n = places(1) - 1
nx = places(3)
ny = places(4)
columns = (n > 4) ? 4 : n
rows = int(ceil(real(n) / columns))
needed = columns * (62 * nx + 16) + 176
width = (needed > 900) ? needed : 900
height = rows * (34 * ny + 54) + 110
load "terminal.gp"
small = (format eq "svg") ? ",12" : ",24"

set palette defined (-3 "#B34700", -1.5 "#E88A3C", -0.02 "#FFFFFF", 0.02 "#FFFFFF", 1.5 "#5AA6D6", 3 "#00568A")
set cbrange [-3:3]
set cbtics ("1/8" -3 * better, "1/4" -2 * better, "1/2" -better, "1" 0, "2" better, "4" 2 * better, "8" 3 * better) scale 0 font small
unset grid
unset key
set border 0
set xrange [-0.5:nx - 0.5]
set yrange [-0.5:ny - 0.5]
clipped(value) = (value > 3) ? 3 : (value < -3) ? -3 : value
ink(value) = (abs(value) > 1.8) ? 0xFFFFFF : 0x202020

set multiplot layout rows, columns title sprintf("{/:Bold %s}\n{/*0.75 %s, %s over %s. Blue is better; 0: nothing arrived; *: no variant got a tenth of the rate}\n{/*0.75 Across: %s, up: %s. %s}", \
    literal(title_text), literal(what), literal(text(1, "variant")), literal(text(1, "base")), \
    literal(text(1, "across")), literal(text(1, "up")), literal(where_text)) \
    margins screen 100.0 / width, screen 1 - 76.0 / width, screen 30.0 / height, screen 1 - 104.0 / height spacing screen 16.0 / width, screen 54.0 / height
xs = ticks(3, 5)
ys = ticks(4, 6)
do for [p = 1:n] {
    set title title_of(p) noenhanced offset 0, -0.9 font small
    set xtics (line(xs, 1) 0) scale 0 nomirror noenhanced offset 0, 0.6 font small
    set ytics (line(ys, 1) 0) scale 0 nomirror noenhanced font small
    do for [i = 2:nx] { set xtics add (line(xs, i) i - 1) }
    do for [i = 2:ny] { set ytics add (line(ys, i) i - 1) }
    if (p % columns != 1 && columns > 1) { set ytics ("" 0) }
    if (p == n) { set colorbox user origin screen 1 - 62.0 / width, screen 30.0 / height size screen 12.0 / width, screen 1 - 134.0 / height } else { unset colorbox }
    plot table skip 1 using ($1 == p && strcol(7) eq "none" ? $3 : NaN):4:(0.47):(0.46) with boxxyerror fs solid 1 noborder lc rgb "#D8D8D8", \
         table skip 1 using ($1 == p && strcol(7) ne "none" ? $3 : NaN):4:(0.47):(0.46):(better * clipped($7)) with boxxyerror fs solid 1 noborder lc palette, \
         table skip 1 using ($1 == p && strcol(7) ne "none" ? $3 : NaN):4:(0.47):(0.46) with boxxyerror lc rgb "#C8C8C8" lw 0.6 fs empty border, \
         table skip 1 using ($1 == p ? $3 : NaN):4:(strcol(8)):(strcol(7) eq "none" ? 0x606060 : ink($7)) with labels textcolor rgb variable font small
}
unset multiplot
