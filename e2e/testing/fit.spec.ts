import { expect, test } from '@gantry/testing';
import { writeGadget } from './written-app.ts';

const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichen';
const words = 'word '.repeat(90);
const script = 'gadgets.window.adjustHeight();';
const fits = writeGadget('fits', {
  body: `<a href="#main" id="skip">Skip</a> <h2>Tides</h2> <p id="main">High water at noon, and again at midnight.</p>
    <div id="scroller"><p>${long}${long}</p></div> <p><span id="readers">Only read aloud</span> ${words}</p>
    <details><summary>More</summary>${long}${long}</details> <button>Save</button>`,
  script,
  style: `#skip { position: absolute; left: -9999px } #scroller { overflow-x: auto }
    #readers { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }`,
});

// By name: markup, style, and what is said.
const cut = {
  wide: [`<h2>${long}</h2>`, 'h2 { font-size: 2rem }', /<h2> “Donau.*”: \d+ px beyond the right of the frame/],
  short: [
    '<p>High water at noon</p>',
    'p { inline-size: 4rem; overflow: hidden; white-space: nowrap; text-overflow: ellipsis }',
    /<p> “High water at noon”: \d+ px beyond the right of <p> “High water at noon”/,
  ],
  low: [
    `<div id="low">${words}</div>`,
    '#low { block-size: 3rem; overflow: hidden }',
    /<div id="low"> “.*”: \d+ px beyond the bottom of <div id="low">/,
  ],
  narrow: [
    `<button>${long}</button>`,
    'button { inline-size: 6rem }',
    /<button> “.*”: \d+ px beyond the (left|right) of <button>/,
  ],
  picture: [
    '<div id="part"><svg width="90" height="90"><circle r="40"/></svg></div>',
    '#part { inline-size: 50px; overflow: clip }',
    /<svg>: 40 px beyond the right of <div id="part">/,
  ],
} as const;
const cutApps = Object.entries(cut).map(([name, [body, style]]) => writeGadget(name, { body, style, script }));
const tall = writeGadget('tall', { body: `<p>${words}${words}${words}</p>` }); // it adjusts no height

test.use({ apps: [fits, tall, ...cutApps], scenario: { width: 320 } });
const quick = expect.configure({ timeout: 300 });

test('a page fits with parts that scroll, closed details, texts for readers and links to skip', async ({ gadget }) => {
  await gadget.mount('fits');
  await expect(gadget).toFit();
  await expect(quick(gadget).not.toFit()).rejects.toThrow('Nothing is cut off.');
});

test('a page that is taller than its frame is cut off', async ({ gadget }) => {
  await gadget.mount('tall');
  await expect(gadget).not.toFit();
  await expect(quick(gadget).toFit()).rejects.toThrow(/<p> “word .*: \d+ px beyond the bottom of the frame/);
});

for (const [name, [, , sentence]] of Object.entries(cut)) {
  test(`content that is cut off is named, with the element that hides it: ${name}`, async ({ gadget }) => {
    await gadget.mount(name);
    await expect(gadget).not.toFit();
    await expect(quick(gadget).toFit()).rejects.toThrow(sentence);
  });
}
