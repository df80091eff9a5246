import type { ExpectMatcherState, MatcherReturnType } from '@playwright/test';
import type { ShownGadget } from '../types.ts';
import { inOwnTime } from '../waits.ts';
import { brief, listed } from './brief.ts';
import { findReceived } from './find-received.ts';
import { retry, whyUnsettled } from './retry.ts';

const leastMs = 5_000;

/**
 * Passes when, in a settled gadget, no text that the app received has become markup. It fails where
 * the app shows no text with tags: members of the world `hostile` have such names.
 *
 * @example
 * test.use({ world: 'hostile' });
 * await expect(gadget).toShowTextOnly();
 */
export async function toShowTextOnly(this: ExpectMatcherState, gadget: ShownGadget): Promise<MatcherReturnType> {
  const { isNot } = this;
  return retry(this, {
    gadget,
    matcher: 'toShowTextOnly',
    leastMs,
    whenThrown: 'The gadget could not be looked at: ',
    seen: {},
    async check(limitMs) {
      const problem = await whyUnsettled(gadget, limitMs);
      if (problem) return { pass: isNot, lines: () => [problem] };
      const received = findReceived(gadget.record, { field: '', value: '<' }).map(({ value }) => String(value));
      const texts = [...new Set(received)].filter((text) => /<[a-z]/i.test(text));
      const looked = gadget.frame.locator('html').evaluate(findMarkup, texts);
      const { shown, markup } = await inOwnTime(gadget.page, looked, limitMs, 'the app does not answer.');
      if (markup.length > 0) {
        const elements = markup.map(([element, text]) => `${brief(element, 120)} of the text ${brief(text)}`);
        return { pass: false, lines: () => ['Texts became markup:', ...listed(elements)] };
      }
      const none = `The app shows none of ${texts.length} texts with tags that it received: test.use({ world: 'hostile' }).`;
      if (shown === 0) return { pass: isNot, lines: () => [none] };
      return { pass: true, lines: () => [`${shown} texts with tags are shown as text.`] };
    },
  });
}

/** Finds texts on the page, and elements that one of them describes. Runs in the app's page. */
function findMarkup(html: Element, texts: readonly string[]) {
  const elements: Element[] = [];
  let all = '';
  function collect(root: Element | ShadowRoot): void {
    all += `${root.textContent} `;
    for (const element of root.querySelectorAll('*')) {
      elements.push(element);
      if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) all += `${element.value} `;
      if (element.shadowRoot) collect(element.shadowRoot);
    }
  }
  /** An app that takes out attributes has made markup all the same. */
  function isOf(element: Element, described: Element): boolean {
    if (element.localName !== described.localName || element.textContent !== described.textContent) return false;
    const attributes = [...element.attributes];
    if (attributes.length === 0 && element.textContent === '') return false; // without text or attributes
    return attributes.every(({ name, value }) => described.getAttribute(name) === value);
  }
  collect(html);
  const markup = texts.flatMap((text) =>
    [...new DOMParser().parseFromString(text, 'text/html').querySelectorAll('head *, body *')].flatMap((described) => {
      const element = elements.find((one) => isOf(one, described));
      return element ? [[element.outerHTML, text] as const] : [];
    }),
  );
  const words = (text: string): string => text.replace(/\s+/g, ' ').trim();
  const page = words(all);
  return { shown: texts.filter((text) => page.includes(words(text).slice(0, 20))).length, markup };
}
