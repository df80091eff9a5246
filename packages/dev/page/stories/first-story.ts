import type { StoriesAnswer } from '@gantry/dev/protocol';
import { html, type TemplateResult } from 'lit';

/** Shows how the first story of an app is written, with code to copy. */
export function firstStory({ apps }: StoriesAnswer, onCopy: (code: string) => Promise<void>): TemplateResult {
  const [app] = apps;
  const id = app?.id ?? 'my-gadget';
  const code = `import type { Story } from '@gantry/lab/scenario';

export const empty: Story = { world: 'empty' };
export const crowd: Story = { world: 'crowd', width: 360 };
export const signedOutInTheDark: Story = { persona: 'nobody', theme: 'dark' };
`;
  return html`<section class="first" aria-labelledby="first">
    <h2 id="first">No stories yet</h2>
    <p>
      A story is a named state of a gadget. Write this file beside <code>gadget.json</code>; its stories appear here, in
      Playwright’s <code>mount('${id}/empty')</code> and in <code>gantry pictures</code>.
    </p>
    <figure>
      <figcaption><code>${app?.folder ?? id}/${id}.gadget.ts</code></figcaption>
      <pre tabindex="0" role="region" aria-label="Code of a first story file"><code>${code}</code></pre>
      <button type="button" class="button" @click=${() => onCopy(code)}>Copy</button>
    </figure>
  </section>`;
}
