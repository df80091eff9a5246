import { expect, test } from 'vitest';
import { withAgent } from '../src/host/lab-documents.ts';

const settings = { origin: 'http://127.0.0.1:4500', app: 'hello', clock: { aheadMs: 0 } };

test.each([
  ['<!doctype html>\n<title>A</title>', '<!doctype html>', '\n<title>A</title>'],
  ['\uFEFF<!DOCTYPE html><html>', '<!DOCTYPE html>', '<html>'],
  ['<!-- by hand -->\n<!doctype html>\n<head>', '<!-- by hand -->\n<!doctype html>', '\n<head>'],
  ['<!-- <!doctype html> --><p>quirks', '', '<!-- <!doctype html> --><p>quirks'],
  ['<p>no doctype', '', '<p>no doctype'],
])('stands first in %j, and moves no line', (html, before, after) => {
  const page = withAgent(html, 'agent()', settings);

  expect(page.startsWith(`${before}<script>globalThis.gantryAgent=`)).toBe(true);
  expect(page.endsWith(`agent()</script>${after}`)).toBe(true);
  expect(page.split('\n').length).toBe(html.split('\n').length);
});

test.each([
  ['blank lines', '\n', 1_000_000],
  ['comments', '<!--a-->', 200_000],
  ['beginnings of a comment', '<!--', 300_000],
  ['beginnings of a script', '<script ', 100_000],
  ['scripts without an end', '<script\tsrc ', 100_000],
])('reads %s without a doctype once (security rule 34)', (_, part, count) => {
  const html = part.repeat(count); // 45 of the first once took for ever
  expect(withAgent(html, 'agent()', settings).endsWith(`</script>${html}`)).toBe(true);
});

test.each([
  ['<script src="a.js"></script>', '<script crossorigin src="a.js"></script>'],
  ['<SCRIPT defer src=./a.js></SCRIPT><p>', '<SCRIPT crossorigin defer src=./a.js></SCRIPT><p>'],
  ...[
    '<script src="/gantry/osapi.js"></script>',
    '<script src="https://b.example/a.js"></script>',
    "<script src='//b.example/a.js'></script>",
    '<script type="module" src="a.js"></script>',
    '<script src="a.js" integrity="sha256-A"></script>',
    '<script src="a.js"></script><script>run()</script>',
    '<script data-src="a.js">run()</script>',
  ].map((html): [string, string] => [html, html]),
])('%s becomes %s, so that the errors of plain scripts have a place', (html, expected) => {
  expect(withAgent(`<!doctype html>\n${html}\n<p>`, '', settings)).toContain(`\n${expected}\n<p>`);
});

test('lets neither settings nor agent end the script, nor a dollar sign repeat the page', () => {
  const page = withAgent('<!doctype html><p>', "f('</script>', '$&')", {
    ...settings,
    app: '</script><script>alert(1)//',
  });

  expect(page.match(/<\/script/g)?.length).toBe(1);
  expect(page).toContain("'$&'");
});
