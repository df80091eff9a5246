/** The stylesheet of the self-test's page. It stands in the page and is allowed by its hash. */
export const style = `
:root {
  color-scheme: light dark;
  --page: #f4f6f8; --card: #ffffff; --ink: #18212b; --muted: #545f6b; --line: #dce2e8; --edge: #808b97; --accent: #0b5cad;
  --good: #1b6e3c; --good-tint: #e8f5ec; --warning: #7d5200; --warning-tint: #fdf3df; --bad: #b3261e; --bad-tint: #fdecea;
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; background: var(--page); color: var(--ink);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1318; --card: #171d24; --ink: #e6ebf0; --muted: #a0acb8; --line: #2a333d; --edge: #6b7885; --accent: #82bdff;
    --good: #7fd3a0; --good-tint: #14291d; --warning: #f0c573; --warning-tint: #2b2312; --bad: #ff9d94; --bad-tint: #331a18;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; overflow-wrap: anywhere; }
h1, h2, p, ul, dl, dd { margin: 0; }
main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; max-width: 46rem; margin-inline: auto; padding: clamp(1.5rem, 5vw, 3rem) clamp(1rem, 4vw, 2rem) 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; }
h2 { padding: 1rem 1rem 0.5rem; font-size: 1.125rem; line-height: 1.35; }
.lead, .small, .why, dt { color: var(--muted); }
.lead { margin-top: 0.5rem; }
.small, .why { font-size: 0.875rem; }
.bad { color: var(--bad); }
#claims { display: grid; gap: 1.5rem; }
section { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
ul { padding: 0; list-style: none; }
li { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr) auto; gap: 0.25rem 0.75rem; padding: 0.75rem 1rem; border-top: 1px solid var(--line); }
.why { grid-column: 2 / -1; }
.mark { display: grid; place-content: center; width: 1.25rem; height: 1.25rem; margin-top: 0.125rem; border: 2px solid currentColor; border-radius: 50%; font-size: 0.8125rem; font-weight: 700; line-height: 1; }
.mark::before { content: "…"; }
.result { font-size: 0.875rem; font-weight: 600; line-height: 1.5rem; }
.mark, .result { color: var(--muted); }
:is([data-result=holds], [data-verdict=holds]) :is(.mark, .result) { color: var(--good); }
:is([data-result=holds], [data-verdict=holds]) .mark::before { content: "✓"; }
:is([data-result=open], [data-verdict=open]) :is(.mark, .result) { color: var(--warning); }
:is([data-result=open], [data-verdict=open]) .mark::before { content: "!"; }
:is([data-result=broken], [data-verdict=broken]) :is(.mark, .result) { color: var(--bad); }
:is([data-result=broken], [data-verdict=broken]) .mark::before { content: "✗"; }
[data-result=untried] .mark::before { content: "–"; }
#verdict { display: flex; gap: 0.75rem; padding: 1rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); font-weight: 600; }
#verdict .mark { flex: none; }
#verdict[data-verdict=holds] { background: var(--good-tint); }
#verdict[data-verdict=open] { background: var(--warning-tint); }
#verdict[data-verdict=broken] { background: var(--bad-tint); }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1rem; font-size: 0.875rem; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.actions:not(:has(:not([hidden]))) { display: none; }
button { min-height: 2.75rem; padding: 0.5rem 1rem; border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--card); color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
#stage { position: fixed; inset: auto 0 0 auto; width: 1rem; height: 1rem; overflow: hidden; opacity: 0; pointer-events: none; }
code { font-size: 0.9375em; }
@media (max-width: 30rem) {
  li { grid-template-columns: 1.25rem minmax(0, 1fr); }
  .result, .why { grid-column: 2; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: 0.5rem; }
}
@media (forced-colors: active) { .mark { border-color: CanvasText; } }
`;
