import type { DevEvent, StoriesAnswer, StoryFacts, StoryProblem } from '@gantry/dev/protocol';
import { countText } from '@gantry/wire/runtime';
import { html, nothing, type PropertyDeclarations } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { connectFrames, type Frames } from '../connect-frames.ts';
import { type Choice, segmentControl } from '../controls.ts';
import { openDevEvents } from '../dev-events.ts';
import { icons, mark } from '../icons.ts';
import { ownState, PageElement } from '../page-element.ts';
import { listStories } from '../server.ts';
import { firstStory } from './first-story.ts';
import type { Overrides } from './story-address.ts';
import type { StoryCard } from './story-card.ts';
import './story-card.ts';

const themes: readonly Choice[] = [
  ['', 'As written'],
  ['light', 'Light'],
  ['dark', 'Dark'],
];
const directions: readonly Choice[] = [
  ['', 'As written'],
  ['ltr', 'Left to right'],
  ['rtl', 'Right to left'],
];

/**
 * Shows the stories of all apps as gadgets that run, grouped by app, with search and with theme and
 * direction for all at once.
 *
 * @element gantry-stories
 */
export class StoryGrid extends PageElement {
  static override properties: PropertyDeclarations = ownState('answer', 'failure', 'search', 'overrides', 'copied');
  declare answer: StoriesAnswer | undefined;
  declare failure: string | undefined;
  declare search: string;
  declare overrides: Overrides;
  declare copied: boolean;
  #frames: Frames | undefined;
  #end: () => void = () => {};

  constructor() {
    super();
    this.search = '';
    this.overrides = {};
    this.copied = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.title = 'Stories · Gantry dev';
    const events = openDevEvents('/dev/events');
    const frames = connectFrames({ shown: () => [...this.#cards()].flatMap(({ facts }) => facts ?? []), events });
    const stopEvents = events.subscribe({ onEvent: (event) => this.#onEvent(event) });
    this.#frames = frames;
    this.#end = () => {
      stopEvents();
      frames.close();
      events.close();
    };
    void this.#list();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#end();
  }

  async #list(): Promise<void> {
    try {
      this.answer = await listStories();
      this.failure = undefined;
    } catch (error) {
      this.failure = (error as Error).message;
    }
  }

  #onEvent(event: DevEvent): void {
    if (event.type === 'stories') void this.#list();
    if (event.type === 'reload') for (const card of this.#cards()) if (card.story.app === event.app) card.retry();
  }

  #cards(): Iterable<StoryCard> {
    return this.querySelectorAll('gantry-story-card');
  }

  #copy = async (code: string): Promise<void> => {
    await navigator.clipboard.writeText(code).then(
      () => {
        this.copied = true;
      },
      () => {}, // the browser refused; the code can be selected
    );
  };

  protected override render(): unknown {
    return html`
      <header class="top">
        <h1>${mark} <span>gantry <b>stories</b></span></h1>
        ${this.#tools()}
        <a class="button" href="/">${icons.right} <span>Gadgets</span></a>
      </header>
      <main>${this.#content()}</main>
      <p class="said" role="status">${this.copied ? 'Copied.' : ''}</p>
    `;
  }

  #tools(): unknown {
    if (!this.answer?.stories.length) return nothing;
    return html`<form role="search" @submit=${(event: Event) => event.preventDefault()}>
      <label class="control"><span>Search</span>
        <input type="search" .value=${this.search} @input=${(event: InputEvent) => {
          this.search = (event.target as HTMLInputElement).value;
        }} />
      </label>
      ${segmentControl({ ...this.#of('theme'), label: 'Theme', choices: themes })}
      ${segmentControl({ ...this.#of('direction'), label: 'Direction', choices: directions })}
    </form>`;
  }

  #of(name: keyof Overrides) {
    const set = (_: string, value: string): void => {
      this.overrides = { ...this.overrides, [name]: value || undefined };
    };
    return { name, value: this.overrides[name] ?? '', set };
  }

  #content(): unknown {
    if (this.failure) return html`<p class="notice" role="alert">${this.failure}</p>`;
    const { answer } = this;
    if (!answer) return html`<p class="hint">Loading stories …</p>`;
    if (answer.stories.length === 0 && answer.problems.length === 0) return firstStory(answer, this.#copy);
    const matching = answer.stories.filter((story) => matches(story, this.search));
    const count = `${matching.length} of ${countText(answer.stories.length, 'story', 'stories')}`;
    return html`
      <p class="hint" role="status">${this.search ? count : ''}</p>
      ${answer.apps.map(({ id }) => {
        const stories = matching.filter(({ app }) => app === id);
        const problems = answer.problems.filter(({ app }) => app === id);
        if (stories.length + problems.length === 0) return nothing;
        return html`<section aria-labelledby="app-${id}">
          <h2 id="app-${id}">${id} <span>${stories.length}</span></h2>
          ${problems.map(problemCard)}
          <div class="grid">
            ${repeat(
              stories,
              (story) => story.id,
              (story) =>
                html`<gantry-story-card .story=${story} .overrides=${this.overrides} .report=${this.#frames?.report}></gantry-story-card>`,
            )}
          </div>
        </section>`;
      })}
    `;
  }
}

function problemCard({ file, name, line, column, message }: StoryProblem): unknown {
  const place = [file, line, column].filter((part) => part !== undefined).join(':');
  return html`<p class="notice"><code>${place}</code> ${name ? html`<strong>${name}</strong> ` : nothing}${message}</p>`;
}

customElements.define('gantry-stories', StoryGrid);

function matches({ id, title, scenario }: StoryFacts, search: string): boolean {
  const text = `${id} ${title} ${Object.values(scenario).join(' ')}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
