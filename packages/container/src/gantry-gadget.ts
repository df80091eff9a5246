import { type InstanceRequest, SocialError, type WireError } from '@gantry/wire';
import { html, LitElement, nothing, type PropertyDeclarations, type PropertyValues } from 'lit';
import { type AppLoad, type LoadEnd, loadApp } from './app-load.ts';
import type { Container, Gadget } from './create-container.ts';
import { failureOf } from './failure.ts';
import { setHeight } from './features/sizing.ts';
import { gadgetStyles } from './gadget-styles.ts';
import { card, skeleton } from './gadget-views.ts';
import { createRestarts, type Restarts } from './restarts.ts';
import { restoreView } from './view-address.ts';

/**
 * Hosts one instance of a registered app in a sandboxed iframe and answers its requests.
 *
 * @element gantry-gadget
 * @attr app - Id of a registered app.
 * @attr owner - Member whose page this is; the viewer when absent.
 * @attr view - Place on the site, such as `home` or `profile`; `home` when absent.
 * @attr heading - Text above the app; the app's own title when empty, no heading when absent.
 * @fires gantry-ready - The app said hello and holds its port. `detail: {app}`
 * @fires gantry-error - The app cannot be shown; a card says so. `detail: {code, message, data?}`
 * @fires gantry-navigate - The app goes to another view; cancelable. `detail: {app, view, params, href}`
 * @fires gantry-title - The app gave itself a title. `detail: {app, title}`
 * @fires gantry-incident - The app misbehaves. `detail: {app, kind, message}`
 * @fires gantry-height - The app's frame has another height. `detail: {height}` in CSS pixels
 * @fires gantry-rollback - What the app wrote was shown and did not come to be. `detail: {app, operation, error}`
 * @csspart heading
 * @csspart frame - The app's iframe.
 * @csspart skeleton - Stands where the app will be.
 * @csspart card - Says what went wrong.
 * @csspart retry - The card's button.
 * @cssprop --gantry-height - Height until the app is known.
 * @cssprop --gantry-surface - Also `-ink`, `-muted`, `-line`, `-accent`, `-on-accent`, `-radius`.
 */
export abstract class GantryGadget extends LitElement {
  static override styles = gadgetStyles;
  static override properties: PropertyDeclarations = { app: {}, owner: {}, view: {}, heading: {} };
  declare app: string | null;
  declare owner: string | null;
  declare view: string | null;
  declare heading: string | null;
  protected abstract readonly container: Container;

  #state: State = 'empty';
  #error: WireError | undefined;
  #gadget: Gadget | undefined;
  #load: AppLoad | undefined;
  #mounting: symbol | undefined;
  #restartTimer: ReturnType<typeof setTimeout> | undefined;
  #restarts = newRestarts();
  #appTitle = '';

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) this.#mount(); // moved or put back: an iframe does not survive that
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unmount();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('app')) this.#appTitle = '';
    if (changed.has('app') || changed.has('owner') || changed.has('view')) this.#mount();
  }

  protected override render(): unknown {
    const { messages } = this.container;
    const title = this.#title;
    const heading = this.heading === '' ? this.#appTitle : this.heading;
    return html`
      ${heading ? html`<h2 part="heading">${heading}</h2>` : nothing}
      <div class="stage ${this.#state}" tabindex="-1" aria-busy=${this.#state === 'loading'}>
        ${this.#load?.frame ?? nothing}
        ${this.#state === 'loading' ? skeleton({ title, messages }) : nothing}
        ${this.#state === 'failed' ? card({ title, messages, message: this.#error?.message, onRetry: this.#retry }) : nothing}
      </div>
    `;
  }

  get #title(): string {
    return this.heading || this.#appTitle || this.container.messages.thisApp;
  }

  async #mount(): Promise<void> {
    this.#unmount();
    if (!this.app || !this.isConnected) return;
    const mounting = Symbol();
    this.#mounting = mounting;
    this.#show('loading');
    const request: InstanceRequest = {
      app: this.app,
      ...(this.owner && { owner: this.owner }),
      ...(this.view && { view: this.view }),
    };
    const reply = await this.container.mount(request, () => this.#restart(() => this.#mount()));
    if (this.#mounting !== mounting) {
      if ('ok' in reply) reply.ok.close();
    } else if ('error' in reply) {
      this.#fail(reply.error);
    } else {
      this.#gadget = reply.ok;
      restoreView(reply.ok, this);
      this.#appTitle = reply.ok.context.app.title;
      setHeight({ element: this, tell: this.#tell }, reply.ok.context.height);
      this.#start(reply.ok);
    }
  }

  #unmount(): void {
    this.#endLoad();
    this.#mounting = undefined;
    this.#gadget?.close();
    this.#gadget = undefined;
    this.#show('empty');
  }

  #start(gadget: Gadget): void {
    try {
      this.#load = loadApp(gadget, {
        title: this.#title,
        element: this,
        locale: this.container.locale,
        messages: this.container.messages,
        tell: this.#tell,
        retitle: this.#retitle,
        onReady: () => {
          this.#restarts.ready();
          this.#show('ready');
          this.#tell('gantry-ready', { app: gadget.context.app.id });
        },
        onEnd: (why) => this.#onEnd(gadget, why),
      });
      this.#show('loading');
    } catch (error) {
      reportError(error); // an unsafe registration is the site's to mend: not only the member sees it
      this.#fail(failureOf(error).error);
    }
  }

  #onEnd(gadget: Gadget, why: LoadEnd): void {
    if (why === 'moved') this.#move(gadget);
    else if (why === 'left') this.#restart(() => this.#start(gadget));
    else this.#fail(unavailable(this.container.messages[why]));
  }

  #move(gadget: Gadget): void {
    const hadFocus = this.shadowRoot?.activeElement === this.#load?.frame;
    this.#start(gadget);
    if (hadFocus) void this.updateComplete.then(() => this.#load?.frame.focus());
  }

  #restart(again: () => void): void {
    this.#endLoad();
    const delayMs = this.#restarts.next();
    if (delayMs === undefined) {
      this.#fail(unavailable(this.container.messages.reloads));
      return;
    }
    this.#show('loading');
    this.#restartTimer = setTimeout(again, delayMs);
  }

  #endLoad(): void {
    clearTimeout(this.#restartTimer);
    this.#load?.end();
    this.#load = undefined;
  }

  #fail(error: WireError): void {
    this.#endLoad();
    this.#error = error;
    this.#show('failed');
    this.#tell('gantry-error', error);
  }

  #retry = (): void => {
    this.#restarts = newRestarts();
    this.#mount();
    this.renderRoot.querySelector<HTMLElement>('.stage')?.focus(); // the button is about to go
  };

  #retitle = (title = this.#gadget?.context.app.title ?? ''): void => {
    this.#appTitle = title;
    this.requestUpdate();
  };

  #show(state: State): void {
    this.#state = state;
    this.requestUpdate();
  }

  #tell = (type: string, detail: unknown): boolean => {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }));
  };
}

function newRestarts(): Restarts {
  return createRestarts(() => performance.now());
}

type State = 'empty' | 'loading' | 'ready' | 'failed';

function unavailable(message: string): WireError {
  return new SocialError('UNAVAILABLE', message).toWire();
}

/**
 * Defines the element whose gadgets live in `container`.
 *
 * @param name Tag name, `gantry-gadget` by default.
 */
export function defineGadgetElement(container: Container, name = 'gantry-gadget'): void {
  customElements.define(
    name,
    class extends GantryGadget {
      protected override readonly container = container;
    },
  );
}
