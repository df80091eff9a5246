import type { InstanceRequest, WireError } from '@gantry/wire';
import { setHeight } from '../chrome/set-height.ts';
import type { Container } from '../container-api.ts';
import type { Gadget, OnReplace } from '../gadget.ts';
import type { Budgets, Ended, GadgetState } from '../gadget-state.ts';
import { AttributeElement, defineProperties } from './attribute-element.ts';
import { createGadgetLoads, unavailable } from './gadget-loads.ts';
import { createGadgetReports } from './gadget-reports.ts';
import { createGadgetView, type GadgetView } from './gadget-view.ts';
import { keepView } from './keep-view.ts';

/**
 * Hosts one instance of a registered app in a sandboxed iframe and answers its requests.
 *
 * Its frame is made near the view. Content of the tag, such as a link to the app, is shown until
 * the element is defined.
 *
 * @element gantry-gadget
 * @attr {string} app - Id of a registered app.
 * @attr {string} owner - Member whose page this is; the viewer when absent.
 * @attr {string} view - Place on the site, such as `home` or `profile`; `home` when absent.
 * @attr {string} heading - Text above the app; its own title when empty, none when absent.
 * @attr {'lazy' | 'eager'} loading - `eager` loads the app at once, not when it is near the view.
 * @attr {'none'} menu - `none` leaves out the button with Stop and Reload.
 * @attr {Partial<Budgets> | string} budgets - Milliseconds that the app may take, `startMs`,
 * `responseMs` and `restartMs`, and what it may send, `messagesPerSecond`. As an attribute it is
 * JSON; the property takes JSON too.
 * @fires {CustomEvent<{ readonly app: string }>} gantry-ready - The app runs.
 * @fires {CustomEvent<WireError>} gantry-error - The app cannot be shown; a card says so.
 * @fires {CustomEvent<{ readonly height: number }>} gantry-height - New height in CSS pixels.
 * @fires {CustomEvent<{ readonly state: GadgetState }>} gantry-state - New value of `state`.
 * @fires {CustomEvent<GadgetIncident>} gantry-incident - Something to report to the site's owner.
 * @fires {CustomEvent<{ readonly app: string; readonly view: string; readonly params: Readonly<Record<string, string>>; readonly href: string }>} gantry-navigate -
 * The app goes to another view; cancelable.
 * @fires {CustomEvent<{ readonly app: string; readonly shortcut: string; readonly code: string }>} gantry-key -
 * A key that the app left alone; cancelable. An app can pretend it.
 * @fires {CustomEvent<{ readonly app: string; readonly title: string }>} gantry-title - The app
 * gave itself a title.
 * @fires {CustomEvent<{ readonly app: string; readonly state: 'visible' | 'hidden' | 'suspended' }>} gantry-visibility -
 * `suspended`: unseen for a minute, or frozen; the element has the attribute as long.
 * @fires {CustomEvent<{ readonly app: string; readonly operation: string; readonly error: WireError }>} gantry-rollback -
 * An optimistic write was rolled back.
 * @fires {CustomEvent<{ readonly app: string; readonly unused: readonly string[]; readonly text: string }>} gantry-notice -
 * On a developer's machine: `gadget.json` asks for more than the app has used.
 * @slot - Shown until the element is defined, and never after that.
 * @slot heading - Replaces the heading.
 * @slot loading - Replaces the skeleton.
 * @slot error - Replaces the card that shows an error.
 * @csspart heading - The text above the app.
 * @csspart frame - The app's iframe.
 * @csspart skeleton - Takes the app's place while it loads.
 * @csspart card - Shows an error, or that the app was stopped.
 * @csspart consent - Asks the member for what the app needs.
 * @csspart consent-action - A button in `consent`.
 * @csspart retry - The card's button.
 * @csspart skip - The button that leads past the app; seen when it has the focus.
 * @csspart end - The target of `skip`.
 * @csspart outbox - Lists the writes that wait to be sent.
 * @csspart options - The button that opens the menu.
 * @csspart menu - The menu.
 * @csspart menu-item - A button in `menu`.
 * @csspart notice - Shows that the app is not responding, or asks about its version.
 * @csspart notice-action - A button in `notice`.
 * @csspart preview - Marks an app that shows a preview.
 * @cssprop --gantry-height - Height until the app is known.
 * @cssprop --gantry-surface - Background of skeleton, card, notice and menu.
 * @cssprop --gantry-ink - Text.
 * @cssprop --gantry-muted - Text of less weight.
 * @cssprop --gantry-line - Borders.
 * @cssprop --gantry-accent - Buttons.
 * @cssprop --gantry-on-accent - Text on buttons.
 * @cssprop --gantry-radius - Corners.
 */
export abstract class GantryGadget extends AttributeElement {
  static readonly observedAttributes = ['app', 'owner', 'view', 'heading', 'loading', 'menu', 'budgets'];
  declare app: string | null;
  declare owner: string | null;
  declare view: string | null;
  declare heading: string | null;
  declare loading: 'lazy' | 'eager' | null;
  declare menu: 'none' | null;
  declare budgets: Partial<Budgets> | null;
  protected abstract readonly container: Container;

  #state: GadgetState = 'empty';
  #error: WireError | undefined;
  #ended: Ended | undefined;
  #gadget: Gadget | undefined;
  #asking: HTMLElement | undefined;
  #mounting: symbol | undefined; // of the latest mount; earlier ones have no effect
  #appTitle = '';
  #stopWaiting: (() => void) | undefined;
  #gadgetView: GadgetView | undefined;
  readonly #reports = createGadgetReports(this);
  readonly #loads = createGadgetLoads({
    element: this,
    container: () => this.container,
    reports: this.#reports,
    title: () => this.#title,
    show: (state) => this.#show(state),
    requestUpdate: () => this.requestUpdate(),
    update: () => this.render(),
    needChrome: () => void this.#gadgetView?.needChrome(),
    retitle: (title = this.#gadget?.context.app.title ?? '') => {
      this.#appTitle = title;
      this.requestUpdate();
    },
    fail: (error, ended, why) => this.#fail(error, ended, why),
    stop: () => this.#stop('member'),
  });

  /** The present state of the gadget. */
  get state(): GadgetState {
    return this.#state;
  }

  /** Loads the app anew, also a stopped or failed one. One that runs has half a second to save. */
  reload(): void {
    this.#loadAnew('asked');
  }

  /** Removes the app's document, however busy it is, until `reload` or the member restarts it. */
  stop(): void {
    this.#stop('site');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Moved by a page or a browser without `moveBefore`, which an iframe does not survive.
    if (this.#gadget && !this.#loads.current) this.#begin(this.#gadget);
    else if (this.hasUpdated && this.#state === 'empty') void this.#mount();
  }

  disconnectedCallback(): void {
    this.#loads.end();
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#unmount();
      this.#show(this.#state === 'stopped' ? this.#state : 'empty');
    });
  }

  connectedMoveCallback(): void {} // after `moveBefore` the frame has moved along

  protected override createRenderRoot(): ShadowRoot {
    const root = super.createRenderRoot();
    this.#gadgetView = createGadgetView(root, this.container.clock, () => this.requestUpdate());
    return root;
  }

  protected override willUpdate(changed: ReadonlySet<string>): void {
    if (changed.has('app')) this.#appTitle = '';
    if (changed.has('app') || changed.has('owner') || changed.has('view')) this.reload();
    else if (changed.has('loading') && this.#loads.isWaiting && this.#gadget) this.#begin(this.#gadget);
  }

  protected override render(): void {
    const { frame, current, notices } = this.#loads;
    const state = this.#state;
    this.#gadgetView?.render({
      ...{ element: this, state, gadget: this.#gadget, frame, asking: this.#asking },
      ...notices,
      heading: this.heading === '' ? this.#appTitle : (this.heading ?? undefined),
      title: this.#title,
      messages: this.container.messages,
      hasMenu: current !== undefined && this.menu !== 'none' && state !== 'loading',
      onNotice: this.#loads.notice,
      ...{ error: this.#error, ended: this.#ended },
      onStop: () => this.#stop('member'),
    });
  }

  get #title(): string {
    return this.heading || this.#appTitle || this.container.messages.thisApp;
  }

  async #reload(): Promise<void> {
    const { current } = this.#loads;
    if (current && this.#state === 'ready') {
      await current.leave();
      if (this.#loads.current !== current) return;
    }
    await this.#mount();
  }

  async #mount(): Promise<void> {
    const { shown } = this.#gadget ?? {};
    this.#unmount();
    if (!this.app || !this.isConnected) {
      this.#show('empty');
      return;
    }
    const mounting = Symbol();
    this.#mounting = mounting;
    const { container } = this;
    this.#reports.observation = container.observed?.(this, this.app);
    this.#show(this.loading === 'eager' ? 'loading' : 'waiting');
    const { app, owner, view } = this;
    const request: InstanceRequest = { app, ...(owner && { owner }), ...(view && { view }) };
    const mounted = container.mount(
      request,
      (why) => this.#replace(why),
      this,
      (address) => {
        if (this.#mounting !== mounting) return;
        this.#waitTurn(async () => {
          if (this.#mounting === mounting) this.#loads.prepare(address);
          await mounted;
        });
      },
    );
    const reply = await mounted;
    const placing = 'ok' in reply ? keepView(reply.ok, { element: this, before: shown }) : undefined;
    if (placing !== undefined) await placing; // `await` alone would miss the turn in the load order
    if ('ok' in reply && reply.ok.preview === 'shown') await this.#gadgetView?.needChrome(); // no preview without its mark
    if (this.#mounting !== mounting) {
      if ('ok' in reply) reply.ok.close();
    } else if ('error' in reply) this.#fail(reply.error);
    else {
      this.#mounting = undefined;
      this.#gadget = reply.ok;
      this.#appTitle = reply.ok.context.app.title;
      setHeight({ element: this, dispatch: this.#reports.dispatch }, reply.ok.context.height);
      this.#begin(reply.ok);
    }
  }

  #replace(why?: Parameters<OnReplace>[0]): void {
    if (why) this.#loadAnew(why);
    else this.#loads.restart('replaced', () => void this.#mount());
  }

  #loadAnew(why: 'asked' | 'decided' | 'version'): void {
    this.#loads.forgetRestarts();
    this.#reports.observe('reload', why);
    void (why === 'decided' ? this.#mount() : this.#reload()); // what was decided must not be used any more
  }

  #unmount(): void {
    this.#loads.end();
    this.#stopWaiting?.();
    this.#mounting = undefined;
    this.#gadget?.close();
    this.#gadget = undefined;
  }

  /** Starts the app when the member has allowed what it needs, and it is its turn. */
  #begin(gadget: Gadget): void {
    const isAllowed = gadget.consent.needed.length === 0;
    if (isAllowed && this.#loads.isOpenFor(gadget)) {
      this.#loads.start(gadget);
      return;
    }
    this.#loads.end();
    if (isAllowed) this.#waitTurn(async () => this.#loads.start(gadget));
    else void this.#ask(gadget);
  }

  #waitTurn(begin: () => Promise<void>): void {
    this.#loads.wait(async () => {
      await begin();
      await this.#loads.current?.settled;
    }, this.loading === 'eager');
  }

  async #ask(gadget: Gadget): Promise<void> {
    const isCurrent = () => this.#gadget === gadget && !this.#loads.current;
    try {
      const { consentCard, loadMessagesAt } = await import('../consent/card.ts');
      const words = await loadMessagesAt(this);
      if (!isCurrent()) return;
      this.#asking = consentCard({ gadget, element: this, words });
      this.#show('asking');
    } catch {
      if (isCurrent()) this.#fail(unavailable(this.container.messages.silent));
    }
  }

  #fail(error: WireError, ended?: Ended, why: string | undefined = ended?.why ?? error.data?.reason): void {
    this.#loads.end();
    this.#error = error;
    this.#ended = ended;
    if (error.data?.reason === 'APP_PAUSED') {
      this.#stopWaiting?.();
      this.#stopWaiting = this.container.awaitResume(this.app ?? '', () => this.#replace('decided'));
    }
    this.#reports.observe('failed', why, error);
    this.#show('failed');
    void this.#gadgetView?.needChrome();
    this.#reports.dispatch('gantry-error', error);
  }

  #stop(by: 'site' | 'member'): void {
    if (this.#state === 'empty' || this.#state === 'stopped') return;
    this.#unmount();
    this.#show('stopped');
    void this.#gadgetView?.needChrome();
    this.#reports.incident('stopped', { by });
  }

  #show(state: GadgetState): void {
    this.requestUpdate();
    if (state === this.#state) return;
    this.#state = state;
    this.#reports.dispatch('gantry-state', { state });
    const reason = state === 'failed' ? this.#error?.message : undefined;
    this.container.announce({ element: this, state, title: this.#title, reason });
  }
}

defineProperties(GantryGadget, ['budgets']);
