import type { TapeAnswer } from '@gantry/dev/protocol';
import { writeScenario } from '@gantry/lab/scenario';
import { countText } from '@gantry/wire/runtime';
import { html, nothing } from 'lit';
import { icons } from '../icons.ts';

const hosts = { lab: 'a lab', mock: 'a host in Node', site: 'a running site' } as const;
const mostError = 4_000;

/** Renders the head of a tape and its read problems. Its texts are untrusted. */
export function tapeFacts(
  { head, lines, problems, name, app }: TapeAnswer,
  { close }: { readonly close?: (() => void) | undefined } = {},
): unknown {
  const { test, scenario } = head;
  const state = Object.entries(scenario).filter(([, value]) => typeof value !== 'object');
  return html`
    <section class="tape" aria-label="Tape">
      <header>
        <h2>${head.app}</h2>
        <p class="file">${name ?? 'Tape'}</p>
        ${
          app === undefined
            ? nothing
            : html`<a class="button" href=${addressOf(app, head)} data-tape-gadget>${icons.right} Show the gadget</a>`
        }
        ${close ? html`<button type="button" class="icon-button" aria-label="Close the tape" title="Close the tape" @click=${close}>${icons.close}</button>` : nothing}
      </header>
      <ul class="facts">
        <li>${countText(lines.length, 'entry', 'entries')}</li>
        <li>recorded in ${hosts[head.host]}</li>
        <li>${head.isRedacted ? 'redacted: names, texts and ids are stand-ins' : 'not redacted'}</li>
        <li>Gantry ${head.release}</li>
        ${state.map(([key, value]) => html`<li><b>${key}</b> ${String(value)}</li>`)}
      </ul>
      ${problems.map((problem) => html`<p class="notice" role="alert">${problem}</p>`)}
      ${test ? html`<p class="test">${test.title}${test.file ? html` <span>${test.file}</span>` : nothing}</p>` : nothing}
      ${test?.error ? html`<pre class="error" tabindex="0" aria-label="Error of the test">${test.error.slice(0, mostError)}</pre>` : nothing}
    </section>
  `;
}

/** Returns the address of the gadget in the state of a tape, with built-in worlds only. */
function addressOf(app: string, { scenario, isRedacted }: TapeAnswer['head']): string {
  const { world, persona, owner, ...rest } = scenario;
  const isName = typeof world === 'string' && /^[a-z-]{1,40}$/.test(world);
  const members = isRedacted ? {} : { ...(persona && { persona }), ...(owner && { owner }) }; // a stand-in is no member
  const query = writeScenario({ ...rest, ...members, ...(isName && { world }) });
  return `/?app=${encodeURIComponent(app)}${query && `&${query}`}`;
}
