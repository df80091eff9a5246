import type { Entry } from '@gantry/lab';
import { expect, test } from 'vitest';
import { explainEntries, explanationText } from '../src/explain-app.ts';

test('an app without the SDK is explained with the line to write, once', () => {
  const silent: Entry = {
    ...{ number: 1, atMs: 0, lab: 'lab', app: 'mute', place: 'm-1/mute#1' },
    ...{ kind: 'incident', name: 'silent', detail: { loaded: true } },
  };
  const explanations = explainEntries([silent, { ...silent, number: 2 }], []);
  expect(explanations.map(explanationText)).toEqual([expect.stringMatching(/the SDK is missing.*osapi\.js/s)]);
});
