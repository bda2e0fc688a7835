"""The style sheet. Dark colours apply to screens alone, so that paper is always light.

Text meets WCAG AA against its ground in both schemes. Blue and orange stay apart for every common colour blindness, and
"before" is an outline while "after" is filled, so that they stay apart in grey as well. It holds no `<` and no `&`: it
stands in the page as it is.
"""

CSS = """
:root {
  color-scheme: light dark;
  --ground: #fbfaf7; --card: #ffffff; --ink: #1d2733; --soft: #55606d; --line: #d9d6cd; --track: #efede6;
  --shade: #c9c5b8; --link: #0b5c8f; --after: #0b66a0; --before: #a8500b; --before-fill: #fbe6d3;
  --good: #1a5c3a; --good-ground: #e7f2ea; --bad: #8f1d1d; --bad-ground: #fae8e6; --mild: #6b4a00;
    --mild-ground: #fcf3da;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #14191f; --card: #1b222a; --ink: #e8eaed; --soft: #a9b3be; --line: #36404b; --track: #262f38;
    --shade: #000000; --link: #7fc1ee; --after: #58aee6; --before: #f0a25f; --before-fill: #4a3018;
    --good: #8fd6a8; --good-ground: #16301f; --bad: #f5a59d; --bad-ground: #3c1c1a; --mild: #f0cf7c;
    --mild-ground: #352b12;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 66rem; padding: 2.5rem 1.25rem 4rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif;
  counter-reset: figure; overflow-wrap: anywhere;
}
h1, h2, h3, h4 { line-height: 1.25; margin: 0 0 .5rem; text-wrap: balance; }
h1 { font-size: 2rem; letter-spacing: -.01em; }
h2 { font-size: 1.45rem; margin-top: 3.25rem; padding-top: 1.1rem; border-top: 2px solid var(--ink); }
h3 { font-size: 1.12rem; margin-top: 2rem; }
h4 { font-size: 1rem; margin-top: 1.4rem; color: var(--soft); }
p { margin: 0 0 .75rem; max-width: 46rem; }
ul { margin: 0 0 1rem; padding-left: 1.2rem; max-width: 46rem; }
.weigh ul { max-width: none; }
li { margin: .2rem 0; }
a { color: var(--link); }
a.term { color: inherit; text-decoration: underline dotted var(--soft); text-underline-offset: .2em; }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.name { font-weight: 600; }
h1 .name, h3 .name, h4 .name { font-weight: inherit; }
code { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: .84em; }
.small { color: var(--soft); font-size: .88rem; }
.over { color: var(--soft); font-size: .88rem; font-weight: 600; margin: 0 0 .3rem; }
.question { font-size: 1.02rem; color: var(--soft); font-style: italic; }
.silent { color: var(--soft); }
.paper { display: none; }
details { margin: 0 0 .75rem; }
summary { cursor: pointer; color: var(--link); font-size: .92rem; padding: .2rem 0; width: fit-content; }
details[open] > summary { margin-bottom: .5rem; }
figure > details { margin: .6rem 0 0; }
.cautions { list-style: none; margin: 0 0 1.25rem; padding: 0; max-width: none; display: grid; gap: .75rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); }
.cautions li { margin: 0; padding: .7rem .9rem; background: var(--card); border: 1px solid var(--line);
  border-top: 4px solid var(--mild); border-radius: 8px; font-size: .92rem; }
.cautions strong { display: block; }
.headline, .headlines { font-size: 1.08rem; max-width: none; }
.fates { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 2.25rem; }
.fates h4 { margin: .6rem 0 0; color: var(--ink); }
.signatures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: 1rem 2rem; }
.signatures p { margin: 0; }
.signatures .blank { border-bottom: 1px solid var(--ink); height: 2.6rem; display: flex; align-items: flex-end;
  color: var(--soft); font-size: .85rem; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; padding: 0; margin: 1rem 0 0; }
header + main > section:first-child h2 { margin-top: 1.5rem; }
.verdict { font-size: 1.35rem; font-weight: 650; line-height: 1.3; padding: 1rem 1.2rem; border-radius: 8px;
  border: 1px solid var(--line); border-left: 8px solid var(--soft); background: var(--card); max-width: none; }
.verdict small { display: block; font-size: .92rem; font-weight: 400; }
.verdict.holds { border-left-color: var(--good); background: var(--good-ground); color: var(--good); }
.verdict.fails { border-left-color: var(--bad); background: var(--bad-ground); color: var(--bad); }
.mark { display: inline-block; font-weight: 600; padding: .05rem .5rem; border-radius: 4px; }
.mark.holds { color: var(--good); background: var(--good-ground); }
.mark.fails { color: var(--bad); background: var(--bad-ground); }
.mark.undecided { color: var(--bad); background: var(--bad-ground); }
.weigh { margin: 1.5rem 0; padding: .9rem 1.2rem; border: 1px solid var(--line); border-left: 8px solid var(--mild);
  border-radius: 8px; background: var(--mild-ground); }
.weigh h3 { margin: 0 0 .4rem; color: var(--mild); }
.weigh ul { margin-bottom: 0; }
.facts { margin: 0 0 1.25rem; }
.facts.narrow > div { padding: .25rem 0; font-size: .94rem; }
.facts > div { display: grid; grid-template-columns: minmax(9rem, 15rem) 1fr; gap: 0 1.25rem; padding: .4rem 0;
  border-bottom: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; min-width: 0; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(13.5rem, 1fr)); gap: .75rem; margin: 0; }
.figures > div { display: flex; flex-direction: column-reverse; justify-content: flex-end; background: var(--card);
  border: 1px solid var(--line); border-radius: 8px; padding: .7rem .9rem; }
.figures dt { font-size: .85rem; }
.figures dd { font-size: 1.2rem; font-weight: 650; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; margin: 0 0 1.25rem; }
.scroll {
  --here: var(--ground);
  background: linear-gradient(to right, var(--here) 40%, transparent) 0 0 / 2.5rem 100% no-repeat local,
    linear-gradient(to left, var(--here) 40%, transparent) 100% 0 / 2.5rem 100% no-repeat local,
    linear-gradient(to right, var(--shade), transparent) 0 0 / .8rem 100% no-repeat scroll,
    linear-gradient(to left, var(--shade), transparent) 100% 0 / .8rem 100% no-repeat scroll;
}
figure .scroll { --here: var(--card); }
.scroll.few { max-width: 46rem; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; font-variant-numeric: tabular-nums;
  overflow-wrap: normal; }
caption { text-align: left; font-weight: 600; color: var(--soft); font-size: .88rem; padding: .2rem 0 .3rem; }
th, td { text-align: left; vertical-align: top; padding: .38rem .8rem .38rem 0;
  border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-weight: 600; font-size: .84rem; vertical-align: bottom;
  border-bottom-color: var(--soft); }
tbody th { font-weight: 500; overflow-wrap: anywhere; min-width: 7rem; }
td { overflow-wrap: break-word; }
td .name, td code { overflow-wrap: anywhere; }
td .name { display: inline-block; min-width: 5.5rem; }
td code { display: inline-block; min-width: 7rem; }
.number { text-align: right; }
.number + :not(.number) { padding-left: .8rem; }
figure { margin: 1.25rem 0 1.75rem; padding: 1rem 1.1rem; background: var(--card); border: 1px solid var(--line);
  border-radius: 8px; }
figcaption { font-weight: 650; margin-bottom: .8rem; }
figcaption::before { counter-increment: figure; content: "Figure " counter(figure) ". "; color: var(--soft); }
figure p:last-child { margin-bottom: 0; }
.drawings { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr));
  gap: 1.25rem 2.25rem; }
figure.risk { padding-bottom: .6rem; }
.chart .group { font-weight: 650; }
.chart .number { font-variant-numeric: tabular-nums; font-weight: 600; }
figcaption .legend { display: inline-flex; margin: 0 0 0 1rem; font-weight: 400; font-size: .88rem; }
.change { stroke: var(--soft); stroke-width: 3.5; }
.gallery { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 1.25rem;
  align-items: start; }
.gallery > .scroll { grid-column: 1 / -1; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; padding: 0; margin: 0 0 .5rem;
  font-size: .85rem; }
.legend svg { margin-right: .4rem; }
.chart { display: block; overflow: visible; }
.chart text { font-size: 12.5px; fill: var(--ink); }
.chart .value { fill: var(--soft); font-size: 12px; font-variant-numeric: tabular-nums; }
.track { fill: var(--track); }
.chart.plot { max-width: 30rem; }
.chart .grid { stroke: var(--line); }
.chart .axis { stroke: var(--soft); }
.curve { fill: none; stroke-width: 2.2; }
.curve.after { stroke: var(--after); }
.curve.before { stroke: var(--before); stroke-dasharray: 9 3; }
.curve.theory { stroke-width: 1.4; stroke-dasharray: 3 3; }
.curve.guess { stroke: var(--soft); stroke-width: 1.2; stroke-dasharray: 1 4; stroke-linecap: round; }
.bar.after { fill: var(--after); }
.bar.before { fill: var(--before-fill); stroke: var(--before); stroke-width: 1.5; }
.bar.third { fill: var(--track); stroke: var(--ink); stroke-width: 1.5; }
.bar.undecided { fill: var(--mild-ground); stroke: var(--mild); stroke-width: 1.5; }
.limit { fill: none; stroke: var(--ink); stroke-width: 1.6; }
.reach { fill: none; stroke: var(--after); stroke-width: 1.6; }
.ring { fill: none; stroke: var(--ink); stroke-width: 1.4; }
.invented { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.2rem;
  margin: 0 0 1rem; display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: .25rem 1.5rem;
  break-inside: avoid; }
.invented > .name { grid-column: 1 / -1; margin: 0; max-width: none; }
.note { white-space: pre-wrap; font-size: .88rem; margin: 0; }
.piece { color: var(--ink); border-radius: 3px; padding: 0 .1em; border-bottom: 2px solid var(--soft);
  background: var(--track); }
.piece.of-who { background: var(--bad-ground); border-color: var(--bad); }
.piece.of-when { background: var(--before-fill); border-color: var(--before); }
.piece.of-where { background: var(--good-ground); border-color: var(--good); }
.piece.of-number { background: var(--mild-ground); border-color: var(--mild); }
.piece.of-drug { border-color: var(--after); }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--soft);
  font-size: .88rem; }
@media (max-width: 34rem) {
  body { padding: 1.25rem .9rem 3rem; }
  h1 { font-size: 1.6rem; }
  figure { padding: .8rem .75rem; }
  .facts > div { grid-template-columns: 1fr; }
  .figures { grid-template-columns: repeat(auto-fill, minmax(9rem, 1fr)); }
}
@page { size: A4; margin: 11mm 13mm 12mm; }
@media print {
  :root { font-size: 8.4pt; --ground: #ffffff; }
  body { max-width: none; padding: 0; line-height: 1.42; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h1 { font-size: 1.7rem; margin: 0; }
  h2 { margin-top: 6mm; padding-top: 2mm; }
  h3 { margin-top: 3.5mm; }
  p { max-width: 60rem; }
  th, td { padding-top: .7mm; padding-bottom: .7mm; }
  .facts > div { padding: .8mm 0; }
  figure { margin: 2mm 0; padding: 2mm 3mm; }
  .gallery { grid-template-columns: repeat(2, 1fr); }
  .gallery .drawings { grid-template-columns: repeat(auto-fit, minmax(32mm, 1fr)); gap: 2mm; }
  .scroll.few, ul { max-width: none; }
  .scroll, details, ul { margin-bottom: 2mm; }
  header + main > section:first-child h2 { margin-top: 0; }
  h1, h2, h3, h4, caption, figcaption, .question { break-after: avoid; }
  figure, svg, tr, .verdict, .weigh, .facts > div, .figures, .legend, .short { break-inside: avoid; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; background: none; }
  .chart text, .chart .value { font-size: 7.8pt; }
  details.on-screen, .on-screen, nav { display: none; }
  details.on-paper::details-content { content-visibility: visible; display: block; height: auto; }
  details.on-paper > summary { list-style: none; color: var(--soft); font-weight: 600; break-after: avoid; }
  .paper { display: block; }
  .first { break-after: page; }
  .first h2 { border: 0; padding: 0; margin: 0; }
  .first .verdict { padding: 2mm 4mm; margin: 0 0 2mm; }
  .first h3 { margin: 2.5mm 0 1mm; }
  .first .weigh h3 { margin-top: 0; }
  .first figure { margin: 2mm 0; padding: 1.5mm 3mm; }
  .first .weigh { margin: 2mm 0; padding: 2mm 4mm; }
  .first .facts { margin-bottom: 1mm; }
  .cautions { grid-template-columns: repeat(3, 1fr); gap: 3mm; margin-bottom: 2mm; }
  .cautions li { padding: 1.5mm 2.5mm; }
  .first { line-height: 1.32; }
  .fates { display: block; columns: 2; column-gap: 6mm; }
  .fates > div { break-inside: avoid; }
  .fates h4 { margin: 1mm 0 0; }
  .headline, .headlines { font-size: 1rem; margin-bottom: 1mm; }
  .headlines li { margin: 0; }
  .first li { max-width: none; }
  .facts.narrow > div { padding: .3mm 0; display: block; border: 0; }
  .facts.narrow :is(dt, dd) { display: inline; }
  .facts.narrow dt::after { content: ": "; }
  .signatures { grid-template-columns: repeat(3, 1fr); break-inside: avoid; }
  .signatures .blank { height: 7mm; }
  .signatures { gap: 0 6mm; }
  footer { margin-top: 5mm; }
  .figures { grid-template-columns: repeat(7, 1fr); gap: 2mm; margin-bottom: 2mm; }
  .figures > div { padding: 1mm 2mm; }
  .figures dd { font-size: 1rem; }
  td code { min-width: 0; }
  p, li { orphans: 3; widows: 3; }
  a { color: inherit; text-decoration: none; }
}
"""
