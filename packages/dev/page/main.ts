import { createContainer, defineGadgetElement } from '@gantry/container';
import type { LabAnswer } from '@gantry/dev/protocol';
import { html, LitElement } from 'lit';
import { exposeMount } from './stories/mount.ts';

class DevHost extends LitElement {
  static override properties = { lab: { state: true } };
  declare lab: LabAnswer | undefined;

  override async connectedCallback(): Promise<void> {
    super.connectedCallback();
    const response = await fetch('/dev/labs', { method: 'POST', body: JSON.stringify({ scenario: {} }) });
    const lab: LabAnswer = await response.json();
    const headers = { 'Gantry-Lab': lab.lab, 'Gantry-Persona': lab.personas[0]?.id ?? '' };
    const container = createContainer({
      base: new URL('/gantry/', location.href),
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
    });
    defineGadgetElement(container);
    this.lab = lab;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return this.lab?.apps.map(({ id }) => html`<gantry-gadget app=${id}></gantry-gadget>`);
  }
}

exposeMount();
customElements.define('gantry-dev-host', DevHost);
document.getElementById('root')?.append(document.createElement('gantry-dev-host'));
