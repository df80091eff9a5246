import { expect, test } from '@gantry/testing';

test('greets the member', async ({ gadget }) => {
  await gadget.mount();
  await expect(gadget.frame.getByRole('heading')).toHaveText('Hello Ada Lovell');
});
