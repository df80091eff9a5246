/** Styles that the reference page adds to the account pages' stylesheet. */
export const referenceStyle = `
.top > div { max-width: 72rem; }
main.reference { max-width: 72rem; gap: 2rem; }
.reference > .contents { font-size: 0.875rem; }
.contents ul { display: flex; flex-wrap: wrap; gap: 0.25rem; }
.contents a { display: flex; align-items: center; min-height: 2.75rem; padding-inline: 0.75rem; border-radius: 0.5rem; color: var(--muted); text-decoration: none; }
.contents a:hover { background: var(--tint); color: var(--ink); }
.contents > ul > li > a { border: 1px solid var(--line); background: var(--card); color: var(--ink); font-weight: 600; }
.contents ul ul { display: none; }
.body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 3rem; min-width: 0; }
.body > section { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; scroll-margin-top: 1rem; }
.body h2 { font-size: 1.5rem; letter-spacing: -0.015em; }
.body pre { margin: 0; padding: 0.875rem 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--tint); font-size: 0.875rem; line-height: 1.55; overflow-x: auto; overflow-wrap: normal; }
.card { scroll-margin-top: 1rem; }
.card:target { border-color: var(--accent); box-shadow: 0 0 0 1px var(--accent); }
.card h3 { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 0.75rem; }
.card h3 a { color: var(--ink); text-decoration: none; }
.card h3 a:hover { text-decoration: underline; }
.card h4 { margin: 0; color: var(--muted); font-size: 0.875rem; font-weight: 600; }
.card .group { display: grid; gap: 0.5rem; }
.route { display: grid; grid-template-columns: 4.25rem minmax(0, 1fr); align-items: baseline; gap: 0.25rem 0.75rem; }
.route code { font-size: 0.9375rem; }
.route var { color: var(--accent); font-style: normal; }
.verb { padding: 0.0625rem 0.375rem; border: 1px solid currentcolor; border-radius: 0.375rem; font: 700 0.75rem/1.5 ui-monospace, Menlo, Consolas, monospace; text-align: center; }
.verb.get { color: var(--accent); }
.verb.post, .verb.put { color: var(--good); }
.verb.delete { color: var(--danger); }
.members { display: grid; border-top: 1px solid var(--line); }
.members > div { display: grid; gap: 0 1rem; padding-block: 0.5rem; border-bottom: 1px solid var(--line); }
.members > div:last-child { border-bottom: 0; padding-bottom: 0; }
.members dd { color: var(--muted); font-size: 0.9375rem; }
.members dt code { color: var(--ink); font-weight: 600; }
.members .members { margin-block: 0.5rem 0; padding-inline-start: 1rem; }
dt .type::before { content: "· "; }
.members .type code { color: inherit; font-weight: 400; }
.answers { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; font-size: 0.9375rem; }
.answers code { font-weight: 600; }
.answers li:first-child { flex-basis: 100%; }
.type { color: var(--muted); font-size: 0.875rem; }
.listed { display: grid; gap: 0; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
.listed > li { display: grid; gap: 0.125rem 1rem; padding: 0.625rem clamp(1rem, 4vw, 1.5rem); scroll-margin-top: 1rem; }
.listed > li + li { border-top: 1px solid var(--line); }
.listed > li:target { background: var(--tint); }
@media (min-width: 40rem) {
  .members > div { grid-template-columns: minmax(0, 16rem) minmax(0, 1fr); }
  .members .members > div { grid-template-columns: minmax(0, 1fr); }
  .listed > li { grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); align-items: baseline; }
}
@media (min-width: 64rem) {
  main.reference { grid-template-columns: 15rem minmax(0, 1fr); gap: 3rem; }
  .reference > .contents { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow-y: auto; }
  .contents ul, .contents ul ul { display: grid; gap: 0; }
  .contents a { min-height: 2rem; padding-block: 0.25rem; line-height: 1.3; }
  .contents > ul > li > a { border: 0; background: none; }
  .contents ul ul a { padding-inline-start: 1.5rem; }
}
@media print { .contents, .top { display: none; } .card { break-inside: avoid; } }
`;
