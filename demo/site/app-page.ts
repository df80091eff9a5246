import { html } from 'hono/html';
import { type Html, layout, type PageContext } from './layout.ts';

/** A page with one app, for its author to look at after `gantry app add`. */
export function appPage(
  context: PageContext,
  { id, hasPreferences }: { readonly id: string; readonly hasPreferences: boolean },
): Html {
  const content = html`<div class="board">
<section class="card" aria-label="${id}"><gantry-gadget app="${id}" heading></gantry-gadget></section>
<div class="notice">
<h1>An app of your own</h1>
<p>This is <code>${id}</code>, as members see it. After a change to its files, choose <i>Reload</i> in its menu; after one to <code>gadget.json</code>, register it again.</p>
${hasPreferences ? html`<p><a href="#gantry.${id}=preferences">Its preferences</a> are in its menu, too, and have this address.</p>` : ''}
<p><code>npx @gantry/cli app check FOLDER</code> says what stands in its way.</p>
</div>
</div>`;
  return layout(context, { title: id, content });
}
