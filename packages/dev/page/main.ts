import { createContainer, defineGadgetElement } from '@gantry/container';
import type { BuildProblem, DevEvent, LabAnswer } from '@gantry/dev/protocol';
import { html, LitElement } from 'lit';
import { attachHot } from './hot/index.ts';
import { exposeMount } from './stories/mount.ts';

class DevHost extends LitElement {
  static override properties = { lab: { state: true }, problems: { state: true } };
  declare lab: LabAnswer | undefined;
  declare problems: Readonly<Record<string, BuildProblem | undefined>>;

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
    const stream = new EventSource('/dev/events');
    attachHot({
      gadgets: () => this.querySelectorAll('gantry-gadget'),
      events: {
        subscribe({ onEvent, onConnection }) {
          stream.onmessage = ({ data }) => onEvent?.(JSON.parse(data) as DevEvent);
          stream.onopen = () => onConnection?.('back');
          return () => stream.close();
        },
      },
      onBuild: (app, problem) => {
        this.problems = { ...this.problems, [app]: problem };
      },
    });
    this.lab = lab;
  }

  override createRenderRoot(): HTMLElement {
    return this;
  }

  override render() {
    return this.lab?.apps.map(
      ({ id }) => html`
        <gantry-build-card .problem=${this.problems?.[id]}></gantry-build-card>
        <gantry-gadget app=${id} loading="eager"></gantry-gadget>
      `,
    );
  }
}

exposeMount();
customElements.define('gantry-dev-host', DevHost);
document.getElementById('root')?.append(document.createElement('gantry-dev-host'));
