import type { Entry } from '@gantry/lab';
import type { Explanation } from '@gantry/lab/record';
import { html, nothing } from 'lit';
import { icons } from '../icons.ts';
import { decisions } from './describe.ts';
import type { Row } from './row-log.ts';
import './json-tree.ts';

/** Renders the details of a row: request, result, source, and the cure of a refusal. */
export function callDetail(
  row: Row,
  { close, copy }: { readonly close: () => void; readonly copy: () => void },
): unknown {
  const reply = row.entries.findLast((entry) => entry.kind === 'reply' || entry.kind === 'push');
  const upstream = row.entries.filter((entry) => entry.kind === 'upstream');
  const [first] = row.entries;
  return html`
    <section class="detail" aria-label="Details of ${row.title}">
      <header>
        <h3>${row.title}</h3>
        <button type="button" class="icon-button" aria-label="Copy as JSON" title="Copy as JSON" @click=${copy}>${icons.copy}</button>
        <button type="button" class="icon-button" aria-label="Close details" title="Close (Escape)" @click=${close}>${icons.close}</button>
      </header>
      <div class="detail-body" tabindex="0" role="group" aria-label="Content">
        ${row.explanation ? explanationOf(row.explanation) : nothing}
        ${row.decision ? html`<p>${decisions[row.decision] ?? row.decision}</p>` : nothing}
        ${first?.kind === 'call' ? part('Params', first.params) : first ? part('Entry', contentOf(first)) : nothing}
        ${reply && 'ok' in reply ? part(row.pushes > 0 ? `Reply, pushed ${row.pushes} times` : 'Reply', reply.ok) : nothing}
        ${row.error ? part('Refusal', row.error) : nothing}
        ${upstream.length > 0 ? html`<h4>Upstream</h4>${upstream.map(upstreamLine)}` : nothing}
      </div>
    </section>
  `;
}

export function explanationOf({ what, cure, example, where }: Explanation): unknown {
  return html`
    <div class="explanation">
      <p class="what">${what}</p>
      <p>${cure}</p>
      ${example ? html`<pre tabindex="0" aria-label="What to write"><code>${example}</code></pre>` : nothing}
      ${where ? html`<p class="where">${where.file}:${where.line}${where.column ? `:${where.column}` : ''}</p>` : nothing}
    </div>
  `;
}

function part(title: string, value: unknown): unknown {
  return html`<h4>${title}</h4><gantry-json .value=${value}></gantry-json>`;
}

function upstreamLine({ method, target, status, tookMs }: Extract<Entry, { kind: 'upstream' }>): unknown {
  return html`<p class="upstream"><b>${status}</b> ${method} ${target} <span>${Math.round(tookMs)} ms</span></p>`;
}

function contentOf({ number, atMs, lab, app, place, ...rest }: Entry): unknown {
  return rest;
}
