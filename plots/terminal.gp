# SPDX-License-Identifier: GPL-2.0
# Opens the page: width and height in pixels of the SVG; the PNG has the same shape at twice the density.
if (format eq "svg") {
    set terminal svg size width, height dynamic enhanced font "DejaVu Sans,15" background rgb "white" lw 1.3
} else {
    set terminal pngcairo size 2 * width, 2 * height enhanced font "DejaVu Sans,30" background rgb "white" lw 2.6
}
set output sprintf("%s.%s", output, format)
