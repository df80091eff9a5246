import { join } from 'node:path';
import { canonicalTape, canonicalText, createTape, redactTape, writeTape } from '@gantry/lab/tape';
import { expect, test } from '@gantry/testing';

test.use({ apps: [join(import.meta.dirname, '../../demo/apps/friends')] });
test.describe.configure({ mode: 'serial' });

const texts: string[] = [];

for (const run of [1, 2, 3]) {
  test(`recording ${run} of a demo gadget equals the first, but for ids and times (kit)`, async ({ gadget }) => {
    await gadget.mount();
    await expect(gadget.frame.getByRole('button', { name: 'Bo Sand' })).toBeVisible();
    await gadget.settled();
    const tape = createTape({ host: 'lab', app: gadget.app, scenario: {} }, gadget.record);
    texts.push(canonicalText(canonicalTape(tape, { wildcards: true })));
    expect(texts.at(-1)).toBe(texts[0]);
    expect(texts[0]).toContain('"operation":"people.get"');
    expect(writeTape(tape)).toContain('Bo Sand');
    expect(writeTape(redactTape(tape))).not.toMatch(/Bo Sand|127\.0\.0\.1/);
  });
}
