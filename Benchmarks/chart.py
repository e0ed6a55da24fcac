"""Draws a bar chart of CPU time per request, with a group for each number of requests in flight."""

from html import escape

COLOURS = {"C on libcurl": "#8a8f98", "async-http-client": "#d08b3c", "Go net/http": "#5f9e6e", "URLSession": "#b5524c"}
OURS = "#3b6fb6"


def draw(rows):
    titles = list(dict.fromkeys(row["title"] for row in rows))
    line, gap, left, width = 22, 34, 250, 560
    height = sum(gap + line * sum(row["title"] == title for row in rows) for title in titles) + 70
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 150}" height="{height}" '
        f'font-family="Helvetica, Arial, sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        '<text x="20" y="30" font-size="17" font-weight="bold">CPU time per request (less is better)</text>',
    ]
    y = 48
    for title in titles:
        group = [row for row in rows if row["title"] == title]
        # Cut off very long bars: otherwise the others would be too short to compare.
        longest = min(max(row["cpu"] for row in group), 6 * min(row["cpu"] for row in group))
        y += gap - 8
        parts.append(f'<text x="20" y="{y}" font-weight="bold">{escape(title)}</text>')
        y += 8
        for row in group:
            length = min(row["cpu"], longest) / longest * width
            colour = COLOURS.get(row["name"].split(" --")[0], OURS)
            ratio = f" ({row['ratio']:.2f} x C)" if row["ratio"] else ""
            parts.append(f'<text x="{left - 10}" y="{y + 15}" text-anchor="end">{escape(row["name"])}</text>')
            parts.append(f'<rect x="{left}" y="{y + 3}" width="{length:.0f}" height="16" rx="2" fill="{colour}"/>')
            if row["cpu"] > longest:
                parts.append(
                    f'<path d="M{left + width - 14} {y + 21}l6 -20h5l-6 20z" fill="white"/>')
            parts.append(f'<text x="{left + length + 6:.0f}" y="{y + 15}">{row["cpu"]:.0f} µs{ratio}</text>')
            y += line
    parts.append("</svg>")
    return "\n".join(parts)
