import { expect, test } from 'vitest';
import { containerProblems, policyProblems } from '../../src/site-check/check-policy.ts';

const site = 'https://social.example';
const opaque = { site, document: `${site}/gantry/apps/probe/index.html` };
const apart = { site, document: 'https://a1.social-apps.example/gantry/apps/probe/index.html' };

test.each([
  ["default-src 'none'; script-src 'self'", "'self'"],
  ["default-src 'self'", "'self'"],
  ['Script-Src https://social.example', 'https://social.example'],
  ['script-src https://cdn.example social.example', 'social.example'],
  ["script-src 'none'; script-src-elem *", '*'],
])('%s admits files of apps as scripts of the page, by %s (site owner’s guide)', (policy, source) => {
  expect(policyProblems(policy, opaque)).toEqual([expect.stringContaining(`script-src has ${source},`)]);
});

test.each([
  "script-src 'nonce-abc' 'strict-dynamic'",
  `script-src ${site}/gantry/container.js ${site}/gantry/chunks/ ${site}/site/`,
  "default-src 'self'; script-src https://cdn.example",
  "style-src 'self'",
  null,
])('%s does not', (policy) => {
  expect(policyProblems(policy, opaque)).toEqual([]);
});

test('nothing is admitted where apps have hosts of their own', () => {
  expect(policyProblems("script-src 'self'", apart)).toEqual([]);
});

const tag = '<script type="module" src="/gantry/container.js" nonce="abc"></script>';
const both = `${site}/gantry/container.js ${site}/gantry/chunks/`;

test.each([
  ["default-src 'none'; style-src 'self'", "'none'"],
  ['script-src https://cdn.example', 'https://cdn.example'],
  [`script-src ${site}/gantry/container.js`, `${site}/gantry/container.js`],
  ["script-src 'nonce-other' 'strict-dynamic'", "'nonce-other' 'strict-dynamic'"],
  ["script-src 'nonce-abc'", "'nonce-abc'"],
  [`script-src ${both}, default-src 'none'`, "'none'"],
])('%s lets no gadget start, which only a console would show (site owner’s guide)', (policy, sources) => {
  const line = `The policy of ${site}/ lets no gadget start, and only the browser's console says so: its script-src (${sources}) needs ${both}`;
  expect(containerProblems(policy, { site, html: tag })).toEqual([line]);
  expect(containerProblems(policy, { site, html: '<p>No gadgets</p>' })).toEqual([]);
});

test('a policy in the page counts, too', () => {
  const meta = `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">`;
  expect(containerProblems(null, { site, html: meta + tag })).toHaveLength(1);
});

test.each([
  null,
  "style-src 'self'",
  "default-src 'none'; script-src 'self'",
  `default-src 'none'; script-src ${both}`,
  "script-src 'nonce-abc' 'strict-dynamic'",
  `script-src 'nonce-abc' ${site}/gantry/chunks/`,
  'script-src *.example',
  'script-src social.example:*',
  'script-src https:',
])('%s lets the container run', (policy) => {
  expect(containerProblems(policy, { site, html: tag })).toEqual([]);
});
