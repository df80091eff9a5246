import { failureOf } from '@gantry/bridge';
import { type InstanceRequest, type Observed, SocialError, type VersionMismatch, type WireError } from '@gantry/wire';
import { type AppDocument, type DocumentAddress, openDocument } from './app-document.ts';
import { AttributeElement, defineProperties } from './attribute-element.ts';
import { type Budgets, budgetsWith } from './budgets.ts';
import type { SilentApp } from './care.ts';
import { giveFocus } from './chrome/give-focus.ts';
import type { Container } from './create-container.ts';
import { dress } from './dress.ts';
import type { Gadget } from './gadget.ts';
import { createGadgetBody, type GadgetBody } from './gadget-body.ts';
import { gadgetStyles } from './gadget-styles.ts';
import type { GadgetIncident } from './incident.ts';
import { keepView } from './keep-view.ts';
import { fill } from './messages/messages.ts';
import type { Observation } from './observing.ts';
import { perTick } from './per-tick.ts';
import type { TellPage } from './place.ts';
import { createRestarts, type Restarts } from './restarts.ts';
import { setHeight } from './set-height.ts';
import type { AppLoad, Ended, LoadEnd } from './start-app.ts';
import type { Watch } from './watchdog.ts';

/**
 * What a gadget shows. `empty`: no app is named · `waiting`: it is not near the view yet · `asking`: the member has to allow
 * what the app needs · `loading` · `ready` · `unresponsive`: the app runs and does not answer · `stopped`: by the member or the site · `failed`: a card says why.
 */
export type GadgetState = 'empty' | 'waiting' | 'asking' | 'loading' | 'ready' | 'unresponsive' | 'stopped' | 'failed';

/**
 * Hosts one instance of a registered app in a sandboxed iframe and answers its requests.
 *
 * Its frame is made when the element comes near the view. Content of the tag is shown until the element is defined, so a
 * link to the app is a good thing to write there.
 *
 * @element gantry-gadget
 * @attr {string} app - Id of a registered app.
 * @attr {string} owner - Member whose page this is; the viewer when absent.
 * @attr {string} view - Place on the site, such as `home` or `profile`; `home` when absent.
 * @attr {string} heading - Text above the app; the app's own title when empty, no heading when absent.
 * @attr {'lazy' | 'eager'} loading - `eager` loads the app at once; otherwise it waits until it is near the view.
 * @attr {'none'} menu - `none` leaves out the button with Stop and Reload.
 * @attr {Partial<Budgets> | string} budgets - Milliseconds that the app may take, `startMs`, `responseMs` and `restartMs`, and what it may send, `messagesPerSecond`. As an attribute it is JSON; the property takes JSON too.
 * @fires {CustomEvent<{ readonly app: string }>} gantry-ready - The app said hello and holds its port.
 * @fires {CustomEvent<WireError>} gantry-error - The app cannot be shown; a card says so.
 * @fires {CustomEvent<{ readonly height: number }>} gantry-height - The app's frame has another height, in CSS pixels.
 * @fires {CustomEvent<{ readonly state: GadgetState }>} gantry-state - The element shows something else; see the property `state`.
 * @fires {CustomEvent<GadgetIncident>} gantry-incident - Something to report to the site's owner.
 * @fires {CustomEvent<{ readonly app: string; readonly view: string; readonly params: Readonly<Record<string, string>>; readonly href: string }>} gantry-navigate - The app goes to another view; cancelable.
 * @fires {CustomEvent<{ readonly app: string; readonly shortcut: string; readonly code: string }>} gantry-key - A key that the app left alone; cancelable. An app can pretend it.
 * @fires {CustomEvent<{ readonly app: string; readonly title: string }>} gantry-title - The app gave itself a title.
 * @fires {CustomEvent<{ readonly app: string; readonly state: 'visible' | 'hidden' | 'suspended' }>} gantry-visibility - `suspended` is unseen for a minute, or frozen by the browser. The attribute `suspended` is there as long as that lasts.
 * @fires {CustomEvent<{ readonly app: string; readonly operation: string; readonly error: WireError }>} gantry-rollback - An optimistic write was rolled back.
 * @fires {CustomEvent<{ readonly app: string; readonly unused: readonly string[]; readonly text: string }>} gantry-notice - On a developer's machine: `gadget.json` asks for more than the app has used.
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
 * @csspart notice - Shows that the app is not responding.
 * @csspart notice-action - A button in `notice`.
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
  /** How a load ended that failed. */
  #ended: Ended | undefined;
  #gadget: Gadget | undefined;
  /** From when its frame begins to load, which can be before the proxy has answered and there is a `#load`. */
  #document: AppDocument | undefined;
  #load: AppLoad | undefined;
  #asking: HTMLElement | undefined;
  #mounting: symbol | undefined;
  #leaveTurn: (() => void) | undefined;
  #watch: Watch | undefined;
  #stopRestart: (() => void) | undefined;
  /** Made when the first is needed. */
  #restarts: Restarts | undefined;
  #observation: Promise<Observation | undefined> | undefined;
  #appTitle = '';
  /** Apps of one process that do not answer are told once: here, if set. */
  #silent: readonly SilentApp[] | undefined;
  /** For the app's author. */
  #warning: string | undefined;
  #chrome: Chrome | 'missing' | undefined;
  #body: GadgetBody | undefined;

  /** What the gadget shows now. */
  get state(): GadgetState {
    return this.#state;
  }

  /** Loads the app anew, also a stopped or failed one. One that runs has half a second to save what it has to. */
  reload(): void {
    this.#restarts = undefined;
    this.#observe('reload', 'asked');
    const load = this.#load;
    if (load && this.#state === 'ready')
      void load.leave().then(() => (this.#load === load ? this.#mount() : undefined));
    else this.#mount();
  }

  /** Takes the app's document away, however busy it is, until `reload` or the member starts it again. */
  stop(): void {
    this.#stop('site');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Put elsewhere by a page or a browser that has no `moveBefore`: an iframe does not survive that.
    if (this.#gadget && !this.#load) this.#begin(this.#gadget);
    else if (this.hasDrawn && this.#state === 'empty') this.#mount();
  }

  disconnectedCallback(): void {
    this.#endLoad();
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#unmount();
      if (this.#state !== 'stopped') this.#show('empty');
    });
  }

  /** Moved with `moveBefore`: the frame goes along, and its document notices nothing. */
  connectedMoveCallback(): void {}

  protected override begin(root: ShadowRoot): void {
    dress(root, gadgetStyles);
    this.#body = createGadgetBody(this.container.clock, () => this.requestDraw());
    root.append(this.#body.root);
  }

  protected override heed(changed: ReadonlySet<string>): void {
    if (changed.has('app')) this.#appTitle = '';
    if (changed.has('app') || changed.has('owner') || changed.has('view')) this.reload();
    else if (changed.has('loading') && this.#leaveTurn && this.#gadget) this.#begin(this.#gadget);
  }

  protected override draw(): void {
    const focused = this.shadowRoot?.activeElement;
    this.#draw();
    if (focused?.isConnected === false) this.#body?.stage.focus(); // what had the focus is gone
  }

  #draw(): void {
    const { messages } = this.container;
    const state = this.#state;
    const title = this.#title;
    const isAway = state === 'failed' || state === 'stopped';
    const error = state === 'failed' ? this.#error : undefined;
    const body = this.#body as GadgetBody;
    body.show({
      state,
      heading: (this.heading === '' ? this.#appTitle : this.heading) ?? '',
      hasHeading: this.heading !== null || this.querySelector(':scope > [slot=heading]') !== null,
      frame: this.#document?.frame,
      title,
      asking: state === 'asking' ? this.#asking : undefined,
      coming: state === 'waiting' || state === 'loading' || (isAway && !this.#chrome),
      announced: state === 'loading' ? fill(messages.loading, { title }) : '',
      error: this.#chrome === 'missing' ? error?.message : undefined, // its part of the script is out of reach
    });
    if (typeof this.#chrome !== 'object') return;
    this.#chrome.drawChrome(body, {
      title,
      messages,
      gadget: this.#gadget,
      element: this,
      hasMenu: this.#load !== undefined && this.menu !== 'none' && state !== 'loading',
      silent: this.#silent,
      warning: this.#warning,
      onRead: () => this.#warn(),
      isHere: state === 'ready' || state === 'unresponsive',
      isAway,
      error,
      ended: this.#ended,
      onStop: () => this.#stop('member'),
    });
  }

  get #title(): string {
    return this.heading || this.#appTitle || this.container.messages.thisApp;
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
    this.#observation = container.observed?.(this, this.app);
    this.#show(this.loading === 'eager' ? 'loading' : 'waiting');
    const request: InstanceRequest = {
      app: this.app,
      ...(this.owner && { owner: this.owner }),
      ...(this.view && { view: this.view }),
    };
    const onReplace = (isDecided?: boolean): void => {
      if (isDecided) {
        this.#restarts = undefined;
        this.#observe('reload', 'decided');
        void this.#mount();
      } else this.#restart('replaced', () => this.#mount());
    };
    const mounted = container.mount(request, onReplace, this);
    const address = container.expected(request);
    if (address) {
      this.#takeTurn(async () => {
        await new Promise<void>(nextTask);
        if (this.#mounting === mounting) this.#open(address);
        await mounted;
        await this.#load?.settled;
      });
    }
    const reply = await mounted;
    const placing = 'ok' in reply ? keepView(reply.ok, { element: this, before: shown }) : undefined;
    if (placing) await placing; // not for nothing: whose turn it is waits for what follows in this very tick
    if (this.#mounting !== mounting) {
      if ('ok' in reply) reply.ok.close();
    } else if ('error' in reply) {
      this.#fail(reply.error);
    } else {
      this.#mounting = undefined;
      this.#gadget = reply.ok;
      this.#appTitle = reply.ok.context.app.title;
      setHeight({ element: this, tell: this.#tell }, reply.ok.context.height);
      this.#begin(reply.ok);
    }
  }

  #unmount(): void {
    this.#endLoad();
    this.#mounting = undefined;
    this.#gadget?.close();
    this.#gadget = undefined;
  }

  /** Starts the app when the member has allowed what it needs, and it is its turn. */
  #begin(gadget: Gadget): void {
    const { needed } = gadget.consent;
    if (this.#document && isAt(this.#document, gadget) && !this.#load && needed.length === 0) {
      this.#start(gadget); // it had its turn
      return;
    }
    this.#endLoad();
    if (needed.length > 0) {
      void this.#ask(gadget);
      return;
    }
    this.#takeTurn(async () => {
      this.#start(gadget);
      await this.#load?.settled;
    });
  }

  #takeTurn(begin: () => Promise<void>): void {
    if (this.loading === 'eager') {
      void begin();
      return;
    }
    this.#show('waiting');
    this.#leaveTurn = this.container.turns.wait(this, begin);
  }

  #open(address: DocumentAddress): AppDocument {
    if (!this.#document) {
      this.#document = openDocument(address, { title: this.#title, clock: this.container.clock });
      this.#observe('start');
    }
    this.#show('loading');
    return this.#document;
  }

  async #ask(gadget: Gadget): Promise<void> {
    const isCurrent = () => this.#gadget === gadget && !this.#load;
    try {
      const { prepareCards } = await import('./consent/card.ts');
      const makeCard = await prepareCards(this);
      if (!isCurrent()) return;
      this.#asking = makeCard({ gadget, element: this });
      this.#show('asking');
    } catch {
      if (isCurrent()) this.#fail(unavailable(this.container.messages.silent));
    }
  }

  #start(gadget: Gadget): void {
    const { container } = this;
    try {
      this.#load = gadget.load(gadget, {
        document: this.#open(gadget),
        element: this,
        arrivals: container.arrivals,
        locale: container.locale,
        messages: container.messages,
        ...budgetsWith(this.budgets),
        tell: this.#tell,
        retitle: this.#retitle,
        warn: this.#warn,
        onReady: () => {
          this.#restarts?.ready();
          this.#observe('ready');
          this.#show('ready');
          if (this.shadowRoot?.activeElement === this.#body?.stage) {
            this.draw(); // a frame that is hidden takes no focus
            giveFocus(this.#document?.frame); // who waited for the app is in it
          }
          this.#watchApp(gadget, this.#load as AppLoad);
          this.#tell('gantry-ready', { app: gadget.context.app.id });
        },
        onLoad: () => this.#watch?.check(),
        onEnd: (why, mismatch) => this.#onEnd(gadget, why, mismatch),
      });
    } catch (error) {
      reportError(error); // an unsafe registration is the site's to mend: not only the member sees it
      this.#report('refused');
      this.#fail(failureOf(error).error);
    }
  }

  #onEnd(gadget: Gadget, why: LoadEnd, versions?: VersionMismatch): void {
    if (why === 'moved') {
      this.#move(gadget);
      return;
    }
    const ended = { why, loaded: (this.#document?.loads ?? 0) > 0 };
    const isSelfMade = why === 'left' && this.container.tools.isDevelopment; // its author's tools do that
    if (!isSelfMade) this.#report(why, why === 'silent' ? { loaded: ended.loaded } : { ...versions });
    if (why === 'left') this.#restart('left', () => this.#start(gadget));
    else {
      const error = unavailable(this.container.messages[why]);
      this.#fail(versions ? { ...error, data: { reason: 'VERSION_MISMATCH', versions } } : error, ended);
    }
  }

  #move(gadget: Gadget): void {
    this.#endLoad();
    this.#start(gadget);
  }

  async #watchApp(gadget: Gadget, load: AppLoad): Promise<void> {
    await this.container.arrivals.whenArrived();
    const care = await this.container.care();
    if (this.#load !== load) return;
    void this.#needChrome();
    this.#watch = care?.({
      ...budgetsWith(this.budgets),
      id: gadget.context.app.id,
      element: this,
      group: new URL(gadget.document).origin,
      ping: load.ping,
      report: this.#report,
      onSilence: (told) => {
        this.#silent = told;
        this.#show('unresponsive');
        void this.#needChrome();
      },
      onAnswer: () => {
        this.#silent = undefined;
        this.#show('ready');
      },
      restart: () => this.#restart('busy', () => this.#start(gadget)),
      reload: () => this.reload(),
      stop: () => this.#stop('member'),
    });
    this.#watch?.check();
  }

  /** Loads it again after a while, longer each time, until that is enough. */
  #restart(why: 'left' | 'replaced' | 'busy', again: () => void): void {
    this.#endLoad();
    const { clock, tools } = this.container;
    this.#restarts ??= createRestarts({ clock, isDevelopment: tools.isDevelopment });
    const delayMs = this.#restarts.next();
    if (delayMs === undefined) {
      const word = why === 'busy' ? why : 'reloads';
      this.#fail(unavailable(this.container.messages[word]), undefined, word);
      return;
    }
    this.#observe('reload', why);
    if (delayMs > 0) {
      this.#report('restart', { delayMs });
      this.#show('loading');
      this.#stopRestart = clock.after(delayMs, again);
    } else again();
  }

  #endLoad(): void {
    this.#stopRestart?.();
    this.#leaveTurn?.();
    this.#leaveTurn = undefined;
    this.#load?.end();
    this.#load = undefined;
    if (this.#document) this.#observe('end');
    this.#document?.end();
    this.#document = undefined;
    this.#watch?.end();
    this.#watch = undefined;
    this.#silent = undefined;
    this.#warning = undefined;
  }

  #fail(error: WireError, ended?: Ended, why: string | undefined = ended?.why ?? error.data?.reason): void {
    this.#endLoad();
    this.#error = error;
    this.#ended = ended;
    this.#observe('failed', why, error);
    this.#show('failed');
    void this.#needChrome();
    this.#tell('gantry-error', error);
  }

  #stop(by: 'site' | 'member'): void {
    if (this.#state === 'empty' || this.#state === 'stopped') return;
    this.#unmount();
    this.#show('stopped');
    void this.#needChrome();
    this.#report('stopped', { by });
  }

  #retitle = (title = this.#gadget?.context.app.title ?? ''): void => {
    this.#appTitle = title;
    this.requestDraw();
  };

  #warn = (text?: string): void => {
    this.#warning = text;
    if (text !== undefined) void this.#needChrome();
    this.requestDraw();
  };

  #needChrome = async (): Promise<void> => {
    if (typeof this.#chrome === 'object') return;
    try {
      const chrome = await import('./gadget-chrome.ts');
      if (typeof this.#chrome === 'object') return; // another call was first
      this.#chrome = chrome;
      dress(this.shadowRoot as ShadowRoot, chrome.chromeStyles);
    } catch {
      this.#chrome = 'missing';
    }
    this.requestDraw();
  };

  #show(state: GadgetState): void {
    this.requestDraw();
    if (state === this.#state) return;
    this.#state = state;
    this.#tell('gantry-state', { state });
    const reason = state === 'failed' ? this.#error?.message : undefined;
    this.container.inform({ element: this, state, title: this.#title, reason });
  }

  #report = (kind: GadgetIncident['kind'], detail: GadgetIncident['detail'] = {}): void => {
    this.#tell('gantry-incident', { app: this.app ?? '', kind, detail });
  };

  #observe(what: Extract<Observed, { kind: 'load' }>['what'], why?: string, error?: WireError): void {
    void this.#observation?.then((at) =>
      at?.tell({ kind: 'load', what, ...(why && { why }), ...(error && { error }) }),
    );
  }

  #tell: TellPage = (type, detail) => {
    if ('kind' in detail) {
      const { kind: name, detail: more } = detail;
      void this.#observation?.then((at) => at?.tell({ kind: 'incident', name, detail: more }));
    }
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }));
  };
}

defineProperties(GantryGadget, ['budgets']);

/** When the proxy has been asked, since frames take their time: all in one task, so that nothing is drawn between them. */
const nextTask = perTick<() => void>((waiting) => {
  for (const go of waiting) go();
});

type Chrome = typeof import('./gadget-chrome.ts');

function isAt({ address }: AppDocument, { document, sandbox }: Gadget): boolean {
  return address.document === document && address.sandbox === sandbox;
}

function unavailable(message: string): WireError {
  return new SocialError('UNAVAILABLE', message).toWire();
}
