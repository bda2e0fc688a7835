"""The style sheet of the page for recipients: small, because every release carries it. It holds no `<` and no `&`."""

RECIPIENT_CSS = """
:root { color-scheme: light dark; --ground: #ffffff; --ink: #1d2733; --soft: #55606d; --line: #d9d6cd;
  --box: #f4f2ec; --link: #0b5c8f; }
@media screen and (prefers-color-scheme: dark) {
  :root { --ground: #14191f; --ink: #e8eaed; --soft: #a9b3be; --line: #36404b; --box: #1f2730; --link: #7fc1ee; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 58rem; padding: 2rem 1.1rem 3rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", Arial, sans-serif;
  overflow-wrap: anywhere; }
h1, h2, h3 { line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin-top: 2.25rem; padding-top: .8rem; border-top: 2px solid var(--ink); }
h3 { font-size: 1.05rem; margin-top: 1.5rem; }
p, ul { margin: 0 0 .75rem; max-width: 46rem; }
ul { padding-left: 1.2rem; }
li { margin: .2rem 0; }
.name { font-weight: 600; }
.small, .over { color: var(--soft); font-size: .9rem; }
code { font: .88em ui-monospace, "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; }
.command { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .8rem;
  margin: 0 0 .5rem; }
.facts { margin: 0 0 1rem; }
.facts > div { display: grid; grid-template-columns: minmax(8rem, 12rem) 1fr; gap: 0 1.25rem; padding: .35rem 0;
  border-bottom: 1px solid var(--line); }
dt, caption, thead th { color: var(--soft); }
dd { margin: 0; min-width: 0; }
.scroll { overflow-x: auto; margin: 0 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .94rem; overflow-wrap: break-word; }
caption { text-align: left; font-size: .88rem; padding: .2rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .8rem .35rem 0; border-bottom: 1px solid var(--line);
  font-weight: 400; min-width: 6rem; }
thead th { font-size: .86rem; font-weight: 600; vertical-align: bottom; }
.number { text-align: right; }
.scroll:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
footer { margin-top: 2.5rem; padding-top: .8rem; border-top: 1px solid var(--line); }
@media (max-width: 34rem) { .facts > div { grid-template-columns: 1fr; } }
@page { size: A4; margin: 14mm; }
@media print {
  :root { font-size: 9pt; }
  body { max-width: none; padding: 0; }
  h1, h2, h3, caption { break-after: avoid; }
  tr, .command, .facts > div { break-inside: avoid; }
  .scroll { overflow: visible; }
}
"""
