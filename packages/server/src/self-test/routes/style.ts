import { stylesheet } from '@gantry/wire/stylesheet';

/** The service's stylesheet and the blocks of this page, which allows it by its hash. */
export const style = `${stylesheet}
h2 { padding: 1rem 1rem 0.5rem; }
.why, dt { color: var(--muted); }
.bad { color: var(--danger); }
#claims { display: grid; gap: 1.5rem; }
section { border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
li { display: grid; grid-template-columns: 1.25rem minmax(0, 1fr) auto; gap: 0.25rem 0.75rem; padding: 0.75rem 1rem; border-top: 1px solid var(--line); }
.why { grid-column: 2 / -1; font-size: 0.875rem; }
.mark { display: grid; place-content: center; width: 1.25rem; height: 1.25rem; margin-top: 0.125rem; border: 2px solid currentColor; border-radius: 50%; font-size: 0.8125rem; font-weight: 700; line-height: 1; }
.mark::before { content: "…"; }
.result { font-size: 0.875rem; font-weight: 600; line-height: 1.5rem; }
.mark, .result { color: var(--muted); }
:is([data-result=holds], [data-verdict=holds]) :is(.mark, .result) { color: var(--good); }
:is([data-result=holds], [data-verdict=holds]) .mark::before { content: "✓"; }
:is([data-result=open], [data-verdict=open]) :is(.mark, .result) { color: var(--warning); }
:is([data-result=open], [data-verdict=open]) .mark::before { content: "!"; }
:is([data-result=broken], [data-verdict=broken]) :is(.mark, .result) { color: var(--danger); }
:is([data-result=broken], [data-verdict=broken]) .mark::before { content: "✗"; }
[data-result=untried] .mark::before { content: "–"; }
#verdict { display: flex; gap: 0.75rem; padding: 1rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); font-weight: 600; }
#verdict .mark { flex: none; }
#verdict[data-verdict=holds] { background: var(--good-tint); }
#verdict[data-verdict=open] { background: var(--warning-tint); }
#verdict[data-verdict=broken] { background: var(--bad-tint); }
.facts { grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1rem; font-size: 0.875rem; }
.actions:not(:has(:not([hidden]))) { display: none; }
#probes { position: fixed; inset: auto 0 0 auto; width: 1rem; height: 1rem; overflow: hidden; opacity: 0; pointer-events: none; }
@media (max-width: 30rem) {
  li { grid-template-columns: 1.25rem minmax(0, 1fr); }
  .result, .why { grid-column: 2; }
  .facts { grid-template-columns: minmax(0, 1fr); gap: 0; }
  dd { margin-bottom: 0.5rem; }
}
@media (forced-colors: active) { .mark { border-color: CanvasText; } }
`;
