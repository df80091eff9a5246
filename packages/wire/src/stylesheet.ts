/**
 * The stylesheet of the account, the API reference and the self-test. Space: 0.25 0.5 0.75 1 1.5 2
 * 3 rem. Type: 0.875 1 1.125 1.5 rem. It stands in the page itself and is allowed by its hash, so
 * that a page is one request and no site's own styles reach it.
 *
 * Blocks: `card`, `rows` (a list of things with an action each), `fields` (a form), `notice`
 * (`good`, `warning`, `bad`), `empty`, `actions`, `facts` (a `dl`), `secret`, `pictures` (a list of
 * `picture`s), `uploads`; buttons `quiet` and `danger`; text `lead` and `muted`.
 */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --page: #f4f6f8;
  --card: #ffffff;
  --ink: #18212b;
  --muted: #545f6b;
  --line: #dce2e8;
  --edge: #808b97;
  --tint: #eef2f6;
  --accent: #0b5cad;
  --accent-strong: #084a8c;
  --on-accent: #ffffff;
  --danger: #b3261e;
  --good: #1b6e3c;
  --good-tint: #e8f5ec;
  --warning: #7d5200;
  --warning-tint: #fdf3df;
  --bad-tint: #fdecea;
  --shadow: rgb(24 33 43 / 0.08);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  background: var(--page);
  color: var(--ink);
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0e1318;
    --card: #171d24;
    --ink: #e6ebf0;
    --muted: #a0acb8;
    --line: #2a333d;
    --edge: #6b7885;
    --tint: #1f2730;
    --accent: #82bdff;
    --accent-strong: #a9d2ff;
    --on-accent: #06203c;
    --danger: #ff9d94;
    --good: #7fd3a0;
    --good-tint: #14291d;
    --warning: #f0c573;
    --warning-tint: #2b2312;
    --bad-tint: #331a18;
    --shadow: rgb(0 0 0 / 0.4);
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { min-height: 100vh; margin: 0; overflow-wrap: anywhere; }
h1, h2, h3, p, ul, ol, dl, dd { margin: 0; }
ul { padding: 0; list-style: none; }
h1 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; }
h2 { font-size: 1.125rem; line-height: 1.35; }
h3 { font-size: 1rem; line-height: 1.4; }
a { color: var(--accent); text-underline-offset: 0.15em; }
a:hover { color: var(--accent-strong); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.lead, .muted { color: var(--muted); }
.small { font-size: 0.875rem; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; z-index: 1; inset: 0 auto auto 0; padding: 0.75rem 1rem; background: var(--card); transform: translateY(-110%); }
.skip:focus { transform: none; }

.top { border-bottom: 1px solid var(--line); background: var(--card); }
.top > div {
  display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.5rem;
  max-width: 62rem; margin-inline: auto; padding: 0.5rem clamp(1rem, 4vw, 2rem);
}
.brand { display: flex; align-items: center; min-height: 2.75rem; color: var(--ink); font-weight: 700; text-decoration: none; }
.top nav { display: flex; flex: 1; flex-wrap: wrap; gap: 0.25rem; }
.top nav a {
  display: flex; align-items: center; min-height: 2.75rem; padding-inline: 0.75rem; border-radius: 0.5rem;
  color: var(--muted); font-weight: 500; text-decoration: none;
}
.top nav a:hover { background: var(--tint); color: var(--ink); }
.top nav a[aria-current] { color: var(--ink); text-decoration: underline; text-decoration-color: var(--accent); text-decoration-thickness: 2px; text-underline-offset: 0.5rem; }
.me { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.75rem; font-size: 0.875rem; }
.me form { display: contents; }

main { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; max-width: 46rem; margin-inline: auto; padding: clamp(1.5rem, 5vw, 3rem) clamp(1rem, 4vw, 2rem) 3rem; }
main:focus { outline: none; }
main.narrow { max-width: 30rem; }
main.wide { max-width: 62rem; }
main > header { display: grid; gap: 0.5rem; }

.card {
  display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; padding: clamp(1rem, 4vw, 1.5rem);
  border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); box-shadow: 0 1px 2px var(--shadow);
}
.card > header { display: grid; gap: 0.25rem; }
.narrow > .card { gap: 1.5rem; padding: clamp(1.25rem, 5vw, 2rem); }

.rows { display: grid; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); box-shadow: 0 1px 2px var(--shadow); }
.rows > li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.75rem 1.5rem; padding: 1rem clamp(1rem, 4vw, 1.5rem); }
.rows > li + li { border-top: 1px solid var(--line); }
.rows > li > :first-child { display: grid; flex: 1 1 16rem; gap: 0.25rem; min-width: 0; }
.empty { display: grid; gap: 0.5rem; padding: 2rem clamp(1rem, 4vw, 1.5rem); border: 1px dashed var(--edge); border-radius: 0.75rem; text-align: center; }

.can { display: grid; gap: 0.75rem; margin-top: 0.375rem; }
.can li { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr); gap: 0.75rem; }
.can svg { margin-top: 0.125rem; color: var(--good); }
.can .not svg { color: var(--muted); }

.fields { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
.field { display: grid; gap: 0.375rem; min-width: 0; margin: 0; padding: 0; border: 0; }
.field > label:not(.choice), .field > legend { padding: 0; font-weight: 600; }
.field .hint { color: var(--muted); font-size: 0.875rem; }
.field .wrong { color: var(--danger); font-size: 0.875rem; font-weight: 500; }
input:not([type="checkbox"], [type="radio"]), select, textarea {
  width: 100%; min-height: 2.75rem; padding: 0.5rem 0.75rem; border: 1px solid var(--edge); border-radius: 0.5rem;
  background: var(--card); color: var(--ink); font: inherit;
}
input[aria-invalid="true"], textarea[aria-invalid="true"] { border-color: var(--danger); }
input[type="checkbox"], input[type="radio"] { flex: none; width: 1.25rem; height: 1.25rem; margin: 0.125rem 0 0; accent-color: var(--accent); }
.choice { display: flex; gap: 0.75rem; align-items: start; padding-block: 0.375rem; }
.choice .hint { display: block; }
.choice.within { margin-inline-start: 2rem; }

button, .button {
  display: inline-flex; align-items: center; justify-content: center; gap: 0.5rem; min-height: 2.75rem; padding: 0.5rem 1.125rem;
  border: 1px solid transparent; border-radius: 0.5rem; background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
button:hover, .button:hover { background: var(--accent-strong); color: var(--on-accent); }
.quiet { border-color: var(--edge); background: transparent; color: var(--ink); }
.quiet:hover { background: var(--tint); color: var(--ink); }
.danger { border-color: var(--danger); background: transparent; color: var(--danger); }
.danger:hover { background: var(--bad-tint); color: var(--danger); }
.plain { min-height: 2.75rem; padding: 0; border: 0; background: none; color: var(--accent); font-weight: 500; text-decoration: underline; }
.plain:hover { background: none; color: var(--accent-strong); }
button[aria-disabled="true"] { opacity: 0.55; cursor: default; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; }
.narrow .actions > * { flex: 1 1 9rem; }

.notice { display: grid; gap: 0.25rem; padding: 0.875rem 1rem; border: 1px solid var(--line); border-inline-start: 4px solid var(--accent); border-radius: 0.5rem; background: var(--tint); }
.notice.good { border-inline-start-color: var(--good); background: var(--good-tint); }
.notice.warning { border-inline-start-color: var(--warning); background: var(--warning-tint); }
.notice.bad { border-inline-start-color: var(--danger); background: var(--bad-tint); }

.facts { display: grid; gap: 0.75rem; }
.facts dt { color: var(--muted); font-size: 0.875rem; }
.tag { display: inline-block; padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--tint); font-size: 0.875rem; font-weight: 500; }
code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 0.9375em; overflow-wrap: anywhere; }
.secret { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; padding: 0.5rem 0.5rem 0.5rem 0.875rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--tint); }
.secret > code { flex: 1 1 14rem; min-width: 0; font-size: 1rem; }
.big code { font-size: 1.5rem; font-weight: 600; letter-spacing: 0.04em; }
.more > summary { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--accent); font-weight: 500; cursor: pointer; }
.more > summary::before { content: "▸"; width: 1.25rem; }
.more[open] > summary::before { content: "▾"; }
.more > .fields { padding-top: 0.5rem; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(11rem, 42%), 1fr)); gap: 1.25rem 1rem; }
.pictures a { display: grid; gap: 0.25rem; justify-items: start; color: var(--ink); text-decoration: none; }
.pictures a:hover > :nth-child(2) { text-decoration: underline; }
.picture { display: grid; place-items: center; width: 100%; aspect-ratio: 1; margin-bottom: 0.25rem; border-radius: 0.5rem; background: var(--tint); color: var(--muted); font-size: 0.875rem; object-fit: cover; }
.whole { display: block; max-width: 100%; max-height: 36rem; height: auto; margin-inline: auto; border-radius: 0.5rem; background: var(--tint); }
.said { white-space: pre-line; }
input::file-selector-button { margin: 0 0.75rem 0 0; padding: 0.25rem 0.75rem; border: 1px solid var(--edge); border-radius: 0.375rem; background: var(--tint); color: var(--ink); font: inherit; cursor: pointer; }
.uploads { display: grid; gap: 0.5rem; }
.uploads li { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.25rem 1rem; }
.uploads progress { width: 10rem; accent-color: var(--accent); }
.uploads .wrong { color: var(--danger); font-weight: 500; }
.at { align-self: center; color: var(--muted); }

.confirm > summary { list-style: none; }
.confirm > summary::-webkit-details-marker { display: none; }
.confirm[open] > summary { margin-bottom: 0.75rem; }
.confirm[open] { flex: 1 1 100%; }
.confirm form { display: grid; gap: 0.75rem; justify-items: start; }

@media (max-width: 36rem) {
  .top nav { order: 3; flex-basis: 100%; margin-inline: -0.75rem; }
  .me { margin-inline-start: auto; }
  .rows > li > .actions, .rows > li > form { flex: 1 1 100%; }
}
@media (forced-colors: active) {
  .card, .rows, .notice, button, .button { border-color: CanvasText; }
  .can svg { color: CanvasText; }
  button[aria-disabled="true"] { border-color: GrayText; color: GrayText; opacity: 1; }
}
@media (prefers-reduced-motion: no-preference) {
  button, .button, .top nav a { transition: background-color 120ms; }
}
`;
