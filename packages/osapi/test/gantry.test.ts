import { expect, test } from 'vitest';
import { connect } from '../../bridge/test/page.ts';
import { createGantry } from '../src/create-gantry.ts';

test('methods that the page lacks are undefined from the welcome on; earlier calls answer 501 (app surface)', async () => {
  const { connection } = connect({ actions: new Map([['state.get', () => ({ step: 2 })]]) });
  const gantry = createGantry(connection);
  const early = gantry.state.set(1);
  await expect(early).rejects.toMatchObject({ name: 'OsapiError', code: 501, data: { reason: 'NOT_IMPLEMENTED' } });
  expect(await gantry.state.get()).toEqual({ step: 2 });
  expect(gantry.state.set).toBeUndefined();
});
