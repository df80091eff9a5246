import { expect, test } from 'vitest';
import { policyProblems } from '../../src/site-check/check-policy.ts';

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
