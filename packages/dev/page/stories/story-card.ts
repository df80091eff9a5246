import type { StoryFacts } from '@gantry/dev/protocol';
import type { GadgetFacts, Report } from '@gantry/lab/page';
import { createGate } from '@gantry/wire/runtime';
import { html, nothing, type PropertyDeclarations, type PropertyValues } from 'lit';
import { inputs, ownState, PageElement } from '../page-element.ts';
import { openStory } from '../server.ts';
import { type ShownStory, showStory } from './show-story.ts';
import { describeScenario, given, type Overrides, storyAddress } from './story-address.ts';

// A browser has six connections to one origin, and a lab and a container start with several
// requests each.
const inTurn = createGate({ atOnce: 2 });
const nearPx = 400;

/**
 * Shows one story of the grid. Its lab and its gadget are made when it comes near the view.
 *
 * @element gantry-story-card
 */
export class StoryCard extends PageElement {
  static override properties: PropertyDeclarations = {
    ...inputs('story', 'overrides', 'report'),
    ...ownState('problem'),
  };
  declare story: StoryFacts;
  declare overrides: Overrides;
  declare report: Report;
  declare problem: string | undefined;
  #shown: ShownStory | undefined;
  #isWanted = false;
  readonly #sight = new IntersectionObserver(
    (entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) this.#begin();
    },
    { rootMargin: `${nearPx}px` },
  );

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sight.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sight.disconnect();
    this.#isWanted = false;
    this.#shown?.close();
    this.#shown = undefined;
  }

  /** The gadget, once it was near the viewport. */
  get facts(): GadgetFacts | undefined {
    return this.#shown?.facts;
  }

  /** Retries a story after its files changed. */
  retry(): void {
    if (this.problem) void this.#show();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (!this.#isWanted) return;
    const before = changed.get('story') as StoryFacts | undefined;
    if (before && before.revision !== this.story.revision) void this.#show();
    else if (changed.has('overrides')) void this.#restyle();
  }

  #begin(): void {
    this.#sight.disconnect();
    this.#isWanted = true;
    void this.#show();
  }

  async #show(): Promise<void> {
    await this.updateComplete;
    const place = this.renderRoot.querySelector<HTMLElement>('.place');
    if (!place) return;
    try {
      await inTurn(async () => {
        if (!this.#isWanted) return;
        this.#shown?.close();
        const { overrides } = this;
        const story = await openStory({ story: this.story.id, props: given(overrides) });
        const shown = await showStory(place, story, { follows: false, usualWidth, report: this.report });
        if (!this.isConnected) return shown.close(); // the search removed the card
        this.#shown = shown;
        this.problem = undefined;
        if (this.overrides !== overrides) void this.#restyle(); // already chosen
        await shown.settled;
      });
    } catch (error) {
      this.problem = (error as Error).message;
    }
  }

  async #restyle(): Promise<void> {
    const { overrides } = this;
    const shown = this.#shown;
    const story = await openStory({ story: this.story.id, props: given(overrides) }).catch(() => undefined);
    if (shown && story && shown === this.#shown && overrides === this.overrides) shown.update(story);
  }

  protected override render(): unknown {
    const { title, id, scenario } = this.story;
    const about = describeScenario(scenario);
    return html`<article aria-labelledby="story-${id}">
      <header>
        <h3 id="story-${id}"><a href=${storyAddress(this.story, this.overrides)}>${title}</a></h3>
        <p><code>${id}</code>${about ? html` <span>${about}</span>` : nothing}</p>
      </header>
      ${
        this.problem
          ? html`<p class="notice" role="alert"><strong>Cannot be shown.</strong> ${this.problem}</p>`
          : nothing
      }
      <div class="scroll" ?hidden=${this.problem !== undefined}><div class="place" style="inline-size:${scenario.width ? `${scenario.width}px` : usualWidth}"></div></div>
    </article>`;
  }
}

const usualWidth = 'min(360px, 100vw - 3.5rem)';

customElements.define('gantry-story-card', StoryCard);

declare global {
  interface HTMLElementTagNameMap {
    'gantry-story-card': StoryCard;
  }
}
