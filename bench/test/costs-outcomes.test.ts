import { expect, test } from 'vitest';
import { outcomes } from '../costs-outcomes.ts';

test.each([
  [
    'statuses',
    [
      { status: 400, text: '' },
      { status: 503, text: '' },
      { status: 503, text: '{}' },
    ],
    '2 × 503, 400',
  ],
  ['a broken connection', [{ status: 0, text: '' }], 'no answer'],
  ['a text that is no JSON', [{ status: 200, text: 'oauth_token=x' }], '200'],
  ['replies of a JSON-RPC batch', [{ status: 200, text: '[{"id":1,"data":{}},{"error":{"code":413}}]' }], '200, 413'],
  [
    'lines of a page’s calls',
    [{ status: 200, text: '{"id":"a","ok":{}}\n{"id":"b","error":{"code":429}}\n' }],
    '200, 429',
  ],
  ['nothing', [], ''],
])('outcomes are counted, each call of a batch by itself: %s', (_, answers, expected) => {
  expect(outcomes(answers)).toBe(expected);
});
