import { type LoggedAudit, listAudit, maxAuditEntries } from '@gantry/proxy';
import { shownDigits, UsageError } from '@gantry/server';
import { terminalText } from '@gantry/wire/runtime';
import { type Command, withFlags } from '../command.ts';
import { table } from '../terminal/output.ts';
import { appFlags, withApps } from './app/app-stores.ts';

const options = {
  ...appFlags,
  app: { type: 'string' },
  limit: { type: 'string', default: '50' },
  before: { type: 'string' },
} as const;

/** `gantry audit` */
export const audit: Command = {
  name: 'audit',
  summary: 'Show who changed which app, when and how',
  help: `Usage: gantry audit [--app ID] [--limit N] [--before ID] [--json]

Lists the changes of apps, the newest first: versions stored, live and rolled back, approvals, previews, apps registered,
replaced, paused and removed. Refused attempts are there, too. Nothing changes or deletes an entry.

The maker is cli: and the user of the machine, server for code of the site, or key: and the id of a key.

  --app ID          Changes of one app
  --limit N         Number of entries, at most ${maxAuditEntries} (default 50)
  --before ID       Older entries than this one; ids are in the output of --json
  --json            Print the result as JSON

Examples:
  gantry audit
  gantry audit --app my-gadget --limit 200 --json`,
  run: withFlags({ options, allowPositionals: false }, async (line) => {
    const { app, before, limit: text } = line.values;
    const limit = Number(text);
    if (!/^\d{1,3}$/.test(text) || limit < 1 || limit > maxAuditEntries) {
      throw new UsageError(`--limit must be a number from 1 to ${maxAuditEntries}, not "${text}".`);
    }
    await withApps(line, async ({ stores }) => {
      const entries = await listAudit(stores.db, { limit, ...(app && { app }), ...(before && { before }) });
      const facts = entries.map(({ atMs, ...entry }) => ({ ...entry, at: new Date(atMs).toISOString() }));
      const headings = ['time', 'by', 'app', 'change', 'version', 'detail'];
      const rows = entries.map(rowOf);
      const oldest = entries.length === limit && `\nOlder ones: --before ${entries.at(-1)?.id}`;
      line.print(facts, table(headings, rows, 'No app was changed yet.') + (oldest || ''));
    });
  }),
};

function rowOf({ atMs, actor, app, action, outcome, from, to, detail = '' }: LoggedAudit): readonly string[] {
  const digits = [from, to].map((digest) => digest?.slice(0, shownDigits));
  return [
    new Date(atMs).toISOString(),
    terminalText(actor),
    app,
    outcome === 'done' ? action : `${action}, ${outcome}`,
    [...new Set(digits)].filter((each) => each !== undefined).join(' → '),
    terminalText(detail.split('\n')[0] ?? ''),
  ];
}
