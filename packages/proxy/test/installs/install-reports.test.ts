import { createInstallReporter, proxyMigrations, reportAppEnd, type UpstreamRequest } from '@gantry/proxy';
import { type Database, migrate, openSqlite, type Statement, sql } from '@gantry/store';
import { silentLogger } from '@gantry/wire/runtime';
import { describe, expect, test } from 'vitest';
import { openEmptyPostgres } from '../../../store/test/postgres.ts';
import { registerApp } from '../register-app.ts';

const databases: readonly { readonly name: string; readonly open: () => Promise<Database> }[] = [
  { name: 'SQLite', open: async () => openSqlite({ file: ':memory:' }) },
  { name: 'PostgreSQL', open: openEmptyPostgres },
];
const startMs = Date.UTC(2026, 0, 1);
const dice = { id: 'dice', folder: '/dice', manifest: { name: 'Dice', page: 'index.html' }, consumerSecret: 's' };
const at = (ms: number) => new Date(startMs + ms).toISOString();

async function openReports(open: () => Promise<Database>) {
  const db = await open();
  await migrate(db, { name: 'proxy', migrations: proxyMigrations });
  const register = (registration: string, mode: 'new' | 'replace') =>
    registerApp(
      db,
      new Uint8Array(32),
      { ...dice, consumerKey: registration },
      { mode, newRegistration: () => registration },
    );
  await register('first', 'new');
  const sent: UpstreamRequest[] = [];
  const errors: object[] = [];
  /** Members in `unknown` make the site refuse a request, and name their records. */
  const site = { nowMs: startMs, status: 200, unknown: [] as string[] };
  let tick = () => {};
  const make = (through = db) =>
    createInstallReporter({
      db: through,
      recordsUrl: 'https://site.example/gantry/admin/records',
      consumer: { key: 'the-key', secret: 'the-secret' },
      now: () => site.nowMs,
      every(run) {
        tick = run;
        return () => {};
      },
      upstream: async (request) => {
        sent.push(request);
        if (site.status === 0) throw new Error('away');
        const members = (JSON.parse(request.body ?? '') as { memberId: string }[]).map(({ memberId }) => memberId);
        const errors = members.flatMap((id, index) => (site.unknown.includes(id) ? [{ index }] : []));
        if (errors.length > 0) return { status: 400, text: JSON.stringify({ error: { code: 400, errors } }) };
        return { status: site.status, text: '{}' };
      },
      log: { ...silentLogger, error: (details) => errors.push(details) },
    });
  const decideWith = async (
    reports: ReturnType<typeof make>,
    viewer: string,
    granted: string | null,
    more: { readonly removesData?: boolean; readonly gives?: boolean } = {},
  ) => {
    const { removesData = false, gives = granted !== null } = more;
    const decision = { viewer, app: 'dice', granted: sql`${granted}`, gives, removesData, nowMs: site.nowMs };
    await db.batch(reports.withDecision(decision, []));
  };
  const use = (viewer: string, granted: readonly string[] = ['people'], registration = 'first') => ({
    ...{ viewer, app: 'dice', registration, granted, nowMs: site.nowMs },
  });
  const records = () => sent.map(({ body }) => JSON.parse(body ?? '') as Record<string, unknown>[]);
  return { db, register, site, sent, errors, make, decideWith, use, records, tick: () => tick() };
}

const install = { kind: 'install', appId: 'dice', memberId: 'pia' };

describe.each(databases)('reports of installs on $name', ({ open }) => {
  test('a grant and a revocation are reported in order, with their times, and once', async () => {
    const { db, make, decideWith, site, records, sent } = await openReports(open);
    const reports = make();
    await decideWith(reports, 'pia', 'host:https://images.example people storage');
    const changes = () => db.query(sql`select topic, member_id, app_id from proxy_change_log order by position`);
    expect(await changes()).toEqual([]);
    await reports.sendDue();
    const people = { topic: 'people', app_id: 'dice' };
    expect(await changes()).toEqual(['pia', ''].map((member_id) => ({ ...people, member_id })));
    site.nowMs += 1000;
    await decideWith(reports, 'pia', null);
    await reports.sendDue();
    await reports.sendDue();
    expect(records()).toEqual([
      [{ ...install, changedAt: at(0), permissions: ['people', 'storage'] }],
      [{ ...install, changedAt: at(1000), removed: true }],
    ]);
    expect(sent[0]).toMatchObject({ method: 'POST', url: 'https://site.example/gantry/admin/records' });
    expect(sent[0]?.headers.authorization).toMatch(
      /oauth_consumer_key="the-key".*oauth_body_hash=|oauth_body_hash=.*"the-key"/,
    );
    expect(JSON.stringify(sent)).not.toContain('the-secret');
  });

  test('the deletion of data is reported before a new install, however late', async () => {
    const { make, decideWith, site, records } = await openReports(open);
    const reports = make();
    await decideWith(reports, 'pia', null, { removesData: true });
    await decideWith(reports, 'pia', 'people'); // in the same millisecond
    site.status = 0;
    await reports.sendDue();
    site.status = 200;
    site.nowMs += 60_000;
    await reports.sendDue();
    expect(records().slice(1)).toEqual([
      [{ ...install, changedAt: at(1), removed: true, removesData: true }],
      [{ ...install, changedAt: at(1), permissions: ['people'] }],
    ]);
  });

  test('a report is retried with back-off, by other processes too, until it is accepted', async () => {
    const { make, decideWith, site, sent, errors, db } = await openReports(open);
    await decideWith(make(), 'pia', 'people');
    const reports = make(); // after a restart
    site.status = 503;
    const delays: number[] = [];
    let beforeMs = site.nowMs;
    for (let seconds = 0; delays.length < 5; seconds++) {
      const before = sent.length;
      await reports.sendDue();
      if (sent.length > before) {
        delays.push((site.nowMs - beforeMs) / 1000);
        beforeMs = site.nowMs;
      }
      site.nowMs += 1000;
      expect(seconds).toBeLessThan(100);
    }
    expect(delays).toEqual([0, 1, 2, 4, 8]);
    expect(errors[0]).toEqual({ status: 503, reports: 1 });
    site.status = 200;
    site.nowMs += 300_000;
    await reports.sendDue();
    expect(await db.query(sql`select is_pending from having_report`)).toEqual([{ is_pending: 0 }]);
  });

  test('a report of an unknown member delays no other', async () => {
    const { make, decideWith, site, records } = await openReports(open);
    const reports = make();
    for (const viewer of ['gone', 'pia']) await decideWith(reports, viewer, 'people');
    site.unknown = ['gone'];
    await reports.sendDue();
    const sentMembers = () => records().map((one) => one.map(({ memberId }) => memberId));
    expect(sentMembers()).toEqual([['gone', 'pia'], ['pia']]);
    site.unknown = []; // the site adds the member later
    site.nowMs += 1000;
    await reports.sendDue();
    expect(sentMembers().slice(2)).toEqual([['gone']]);
  });

  test('a write waits until its install is reported or refused, and fails while the site is unreachable', async () => {
    const { make, decideWith, site, sent, use } = await openReports(open);
    const reports = make();
    await decideWith(reports, 'pia', 'people');
    site.status = 0;
    await expect(reports.ensureReported?.(use('pia'))).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfter: 1 });
    site.nowMs += 10_000;
    site.status = 403;
    await reports.ensureReported?.(use('pia'));
    const before = sent.length;
    await reports.ensureReported?.(use('pia'));
    expect(sent).toHaveLength(before);
    site.nowMs += 10_000;
    site.status = 200;
    await Promise.all([reports.ensureReported?.(use('pia')), reports.ensureReported?.(use('pia'))]);
    await reports.ensureReported?.(use('pia'));
    expect(sent).toHaveLength(before + 1);
  });

  test('a write that read the report before another one sent it does not send it again', async () => {
    const { db, make, decideWith, sent, use } = await openReports(open);
    await decideWith(make(), 'pia', 'people');
    const held = Promise.withResolvers<void>();
    let isFirst = true;
    const reports = make({
      ...db,
      async query<R>(statement: Statement) {
        const isHeld = isFirst;
        isFirst = false;
        const rows = await db.query<R>(statement);
        if (isHeld) await held.promise;
        return rows;
      },
    });
    const late = reports.ensureReported?.(use('pia'));
    await reports.ensureReported?.(use('pia'));
    held.resolve();
    await late;
    expect(sent).toHaveLength(1);
  });

  test('grants from before reports, and trusted apps, are reported before the first write', async () => {
    const { make, records, use } = await openReports(open);
    const reports = make();
    await reports.ensureReported?.(use('pia', []));
    await reports.ensureReported?.(use('pia', ['people', 'appdata.write']));
    await reports.ensureReported?.(use('pia', ['people', 'appdata.write']));
    expect(records()).toEqual([[{ ...install, changedAt: at(0), permissions: ['people', 'appdata.write'] }]]);
  });

  test('a partial revocation of an unreported app installs nothing, and a removed app is reported as removed', async () => {
    const { make, decideWith, records, db, site } = await openReports(open);
    const reports = make();
    await decideWith(reports, 'pia', 'people', { gives: false });
    await reports.sendDue();
    expect(records()).toEqual([]);
    await decideWith(reports, 'pia', 'appdata people');
    await decideWith(reports, 'pia', 'people', { gives: false });
    await reports.sendDue();
    site.nowMs += 1;
    await db.batch(reportAppEnd('dice', { removesData: false, nowMs: site.nowMs }));
    await db.batch(reportAppEnd('cards', { removesData: true, nowMs: site.nowMs }));
    await reports.sendDue();
    site.nowMs += 1;
    await db.batch(reportAppEnd('dice', { removesData: true, nowMs: site.nowMs }));
    await reports.sendDue();
    expect(records().flat()).toEqual([
      { ...install, changedAt: at(1), permissions: ['people'] },
      { ...install, changedAt: at(2), removed: true },
      { ...install, changedAt: at(3), removed: true, removesData: true },
    ]);
  });

  test('the end of a replaced app is reported, and its successor is not installed before its first write (security rule 29)', async () => {
    const { db, make, decideWith, register, records, use, site } = await openReports(open);
    const reports = make();
    await decideWith(reports, 'pia', 'people');
    await decideWith(reports, 'quentin', 'people');
    await decideWith(reports, 'quentin', null);
    await reports.sendDue();
    await register('second', 'replace');
    site.nowMs += 1;
    await db.batch(reportAppEnd('dice', { removesData: true, nowMs: site.nowMs }));
    await reports.sendDue();
    const gone = { removed: true, removesData: true };
    expect(records().slice(1).flat()).toMatchObject([gone, gone]);
    const before = records().length;
    for (const viewer of ['pia', 'rosa']) await reports.ensureReported?.(use(viewer)); // let through for the old app
    expect(records()).toHaveLength(before);
    for (const viewer of ['pia', 'quentin']) {
      await reports.ensureReported?.(use(viewer, ['appdata.write'], 'second'));
      await reports.ensureReported?.(use(viewer, ['appdata.write'], 'second'));
    }
    expect(records().slice(before).flat()).toMatchObject([
      { memberId: 'pia', permissions: ['appdata.write'] },
      { memberId: 'quentin', permissions: ['appdata.write'] },
    ]);
  });

  test('many decisions of a member leave one pending row (security rule 25)', async () => {
    const { make, decideWith, db } = await openReports(open);
    const reports = make();
    for (let n = 0; n < 40; n++) await decideWith(reports, 'pia', n % 2 === 0 ? 'people' : null, { removesData: true });
    expect(await db.query(sql`select permissions, removes_data from having_report`)).toEqual([
      { permissions: null, removes_data: 1 },
    ]);
  });
});
