/** Black on white, on A4; nothing is fetched. */
export const REPORT_CSS = `
@page { size: A4; margin: 16mm 15mm; }
* { box-sizing: border-box; }
body { max-width: 180mm; margin: 0 auto; padding: 8mm 0; background: #fff; color: #14181f; font: 10pt/1.45 "Geist", "Segoe UI", Arial, sans-serif; font-variant-numeric: tabular-nums; }
header { border-bottom: 1px solid #c9d0d9; padding-bottom: 4mm; margin-bottom: 5mm; }
header p { margin: 0; color: #4a5361; }
.brand { display: flex; align-items: center; gap: 2mm; color: #0f4fb8 !important; font-weight: 600; }
h1 { font-size: 17pt; line-height: 1.2; margin: 3mm 0 1mm; letter-spacing: -0.02em; }
h2 { font-size: 10pt; margin: 0 0 1mm; }
.demo { display: inline-block; margin-top: 2mm !important; padding: .5mm 2mm; border: 1px solid #8a5a00; color: #8a5a00 !important; font-weight: 600; }
figure { margin: 0 0 5mm; break-inside: avoid; }
figure svg { width: 100%; height: auto; }
figure text { font-size: 10px; fill: #4a5361; }
.line { fill: none; stroke: #0f4fb8; stroke-width: 1.5; stroke-linejoin: round; }
.rule { stroke: #dfe4ea; }
figcaption, .note, footer { color: #4a5361; font-size: 8.5pt; }
table { width: 100%; border-collapse: collapse; font-size: 8.5pt; }
thead { display: table-header-group; }
th { text-align: left; font-weight: 600; color: #4a5361; }
th, td { padding: 1mm 1.5mm; border-bottom: 1px solid #dfe4ea; white-space: nowrap; }
th:nth-child(n+3):nth-child(-n+5), td:nth-child(n+3):nth-child(-n+5) { text-align: right; }
tr, footer { break-inside: avoid; }
footer { margin-top: 6mm; border-top: 1px solid #c9d0d9; padding-top: 3mm; }
footer ul { margin: 0 0 2mm; padding-left: 4mm; }
@media print { body { padding: 0; max-width: none; } }
`;
