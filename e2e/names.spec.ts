import { sql } from '@gantry/store';
import type { Page } from '@playwright/test';
import { expect, test } from './hosted.ts';

/** Names as people write them: shown as they are. */
const honest = {
  hebrew: 'שִׁירָה (Shira) 3',
  arabic: 'عبد الرحمن 🎉',
  hindi: 'शर्\u200dमा क्\u200cष',
  emoji: '👩🏽\u200d👩🏿\u200d👧🏻\u200d👦🏾 1️⃣ 🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}',
};

/** Names that were stored before names had a rule, and as they are shown. */
const stored = {
  override: ['Lee \u202egpj.exe', 'Lee gpj.exe'],
  escape: ['a\u2069\u202ebcd', 'abcd'],
  unseen: ['\u200b\u2060', 'U+200B U+2060'],
  pile: [`Z${'\u0301'.repeat(40)}algo`, `Z${'\u0301'.repeat(3)}algo`],
} as const;

const ids = [...Object.keys(honest), ...Object.keys(stored)];

function app(name: string) {
  return {
    'gadget.json': JSON.stringify({ name, page: 'index.html', uses: ['people.get'] }),
    'index.html': `<!doctype html><html lang="en"><title>App</title><p>Here</p><script src="/gantry/osapi.js"></script>`,
  };
}

test.use({
  apps: {
    ...Object.fromEntries(Object.entries(honest).map(([id, name]) => [id, app(name)])),
    ...Object.fromEntries(Object.keys(stored).map((id) => [id, app(id)])),
  },
  asking: ids,
});

/** Lays out what a card says: its words, and their places in pixels. */
function layoutOf(page: Page, id: string) {
  return page.locator(`gantry-gadget[app="${id}"] #consent-title`).evaluate((title) => {
    const text = title.textContent ?? '';
    const node = title.firstChild as Text;
    const leftOf = (at: number) => {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      return range.getBoundingClientRect().left;
    };
    const tail = text.indexOf(' waits');
    const { left, bottom, top } = title.getBoundingClientRect();
    const tails = Array.from(text.slice(tail + 1), (_, index) => leftOf(tail + 1 + index));
    return { text, left, height: bottom - top, tails };
  });
}

test('names on the consent card turn and hide nothing, and are shown as they are written (security rule 38)', async ({
  hosted,
  show,
}) => {
  for (const [id, [name]] of Object.entries(stored)) {
    const manifest = JSON.stringify({
      ...JSON.parse(app(id)['gadget.json']),
      name,
      height: 200,
      fields: [],
      hosts: [],
      preload: [],
    });
    await hosted.stores.db.query(sql`update app_registrations set manifest = ${manifest} where id = ${id}`);
  }
  const page = await show(ids.map((id) => `<gantry-gadget app="${id}" heading=""></gantry-gadget>`).join(''));
  const names = { ...honest, ...Object.fromEntries(Object.entries(stored).map(([id, [, name]]) => [id, name])) };
  for (const [id, name] of Object.entries(names)) {
    const { text, left, tails } = await layoutOf(page, id);
    expect(text.replace(/[\u2068\u2069]/g, '')).toMatch(/ waits for your permission/);
    expect(text).toContain(name);
    // The sentence runs on to the right of its start, letter by letter.
    expect(tails.every((at, index) => at > left && (index === 0 || at >= (tails[index - 1] as number)))).toBe(true);
  }
  await page.screenshot({ path: test.info().outputPath('names.png'), fullPage: true });

  // The control: the name as it was stored, in the same place, turns the sentence after it.
  await page.locator('gantry-gadget[app="override"] #consent-title').evaluate((title, [name]) => {
    title.textContent = (title.textContent ?? '').replace('Lee gpj.exe', name);
  }, stored.override);
  const { tails } = await layoutOf(page, 'override');
  expect(tails.every((at, index) => index === 0 || at >= (tails[index - 1] as number))).toBe(false);
});
