import { describe, expect, test } from 'vitest';
import { databases } from '../../../service/test/databases.ts';
import { openAccountSite, openBrowser } from '../account-site.ts';

describe.each(databases)('forms of the account pages, on $name', ({ open }) => {
  test('a form has at most 1,000 fields, checked before its token (security rule 25)', async () => {
    const { account } = await openAccountSite(open);
    const sent = async (count: number) => {
      const fields = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, '']));
      const { status, text } = await openBrowser(account).post('/account/sign-in', fields);
      return [status, text.includes('A form has at most 1,000 fields.')];
    };
    expect(await sent(1_000)).toEqual([403, false]); // no token
    expect(await sent(1_001)).toEqual([400, true]);
  });
});
