import type { AppFiles } from '../write-app.ts';

/** A harmless app with a careless listener of its own, which shows that forged messages arrive. */
export const victim: AppFiles = {
  'index.html': `<!doctype html><html lang="en"><title>Victim</title><p id="out"></p>
    <script>naive = []; addEventListener('message', ({ data }) => naive.push(data?.gantry ?? data));</script>
    <script src="/gantry/osapi.js"></script><script>
      osapi.people.getViewer().execute((me) => { out.textContent = me.displayName; });
    </script>`,
};

/**
 * An app that impersonates its siblings, the page, and members. It runs attacks that its page
 * requests.
 */
export const attacker: AppFiles = {
  'index.html': `<!doctype html><html lang="en"><title>Attacker</title><script>const start = location.hash;</script>
    <script src="/gantry/osapi.js"></script><script>${attacks()}</script>`,
};

/** An app without SDK that claims on its port to be another app with another viewer. */
export const impostor: AppFiles = {
  'index.html': `<!doctype html><html lang="en"><title>Impostor</title><script>
    const [, nonce, ...origin] = location.hash.split('.');
    const { port1: port, port2 } = new MessageChannel();
    const identity = { app: 'victim', viewer: '2', owner: '2', instance: 'victim', requestor: '2', token: 'x' };
    const answers = {};
    window.attacks = {
      pose: async () => {
        const ask = (id, item) => new Promise((resolve) => {
          answers[id] = answers[item[0]] = resolve;
          port.postMessage({ id, type: 'APPLY', path: ['request'], argumentList: [{ type: 'RAW', value: JSON.stringify([item]) }] });
        });
        return [
          await ask('message', [1, 'people.get', '{"userId":"@viewer"}']),
          await ask('item', [2, 'people.get', '{"userId":"@viewer"}', identity]),
          await ask('params', [3, 'people.get', JSON.stringify({ userId: '@viewer', ...identity })]),
          await ask('proto', [4, 'people.get', '{"userId":"@viewer","__proto__":{"viewer":"2"}}']),
        ];
      },
      // Extra members beside those of a call: no reply, and the port is closed.
      boast: () => {
        const argumentList = [{ type: 'RAW', value: '[[5,"people.get","{}"]]' }];
        port.postMessage({ id: 'boast', type: 'APPLY', path: ['request'], argumentList, ...identity });
      },
    };
    // Replies come at once, or later in a message of their own: [id, error, ok, …].
    const settle = (items) => { for (const [id, error, ok] of items) answers[id]?.(error ? error.data.reason : ok.displayName); };
    port.onmessage = ({ data: { id, value, replies = [] } }) => {
      if (value?.error) answers[id]?.(value.error.data.reason);
      settle(Array.isArray(value) ? value : replies);
    };
    parent.postMessage({ gantry: 'hello', versions: [1], nonce, capabilities: [], ...identity }, decodeURIComponent(origin.join('.')), [port2]);
  </script>`,
};

function attacks(): string {
  return `
    const nameOf = (attempt) => { try { return String(attempt() ?? 'nothing'); } catch (error) { return error.name; } };
    const reason = async (request) => { try { return JSON.stringify(await request); } catch (error) { return error.data?.reason ?? String(error); } };
    const site = decodeURIComponent(start.split('.').slice(2).join('.'));
    const nonce = start.split('.')[1];
    const siblings = () => [...Array(parent.length).keys()].map((index) => parent[index]).filter((one) => one !== window);

    window.attacks = {
      reach: () => ({
        document: nameOf(() => parent.document.title),
        element: nameOf(() => frameElement),
        address: nameOf(() => parent.location.href),
        code: nameOf(() => parent.eval),
        sibling: siblings().map((one) => nameOf(() => one.document.title)).join(),
        variables: siblings().map((one) => nameOf(() => one.osapi)).join(),
        cookies: nameOf(() => document.cookie),
        storage: nameOf(() => localStorage.length),
        session: nameOf(() => sessionStorage.length),
        worker: nameOf(() => navigator.serviceWorker.controller),
        popup: nameOf(() => open('about:blank')),
      }),
      steer: () => siblings().map((one) => nameOf(() => { one.location.href = 'about:blank#steered'; return 'steered'; })).join(),
      forge: () => {
        const { port1, port2 } = new MessageChannel();
        const context = { app: { id: 'victim', title: 'Victim' }, viewer: '2', owner: '2', permissions: ['people', 'appdata'], operations: [] };
        const forged = [
          { gantry: 'welcome', version: 1, capabilities: [], context },
          { gantry: 'replies', replies: [[0, { ok: { displayName: 'Forged' } }], [1, { ok: { displayName: 'Forged' } }]] },
          { gantry: 'event', name: 'context', data: context },
          { gantry: 'closed', error: { code: 410, message: 'Forged' } },
        ];
        for (const one of siblings()) for (const message of forged) one.postMessage(message, '*');
        for (const one of siblings()) one.postMessage(forged[0], '*', [port1]);
        const hello = { gantry: 'hello', versions: [1], capabilities: ['events'] };
        return new Promise((resolve) => {
          const heard = [];
          for (const used of [nonce, nonce.replace(/./g, '0'), '', { toString: () => nonce }.toString()]) {
            const channel = new MessageChannel();
            channel.port1.onmessage = ({ data }) => heard.push(data);
            parent.postMessage({ ...hello, nonce: used }, '*', [channel.port2]); // its own nonce, used, and others
          }
          for (const gantry of ['grant', 'granted', 'welcome']) parent.postMessage({ gantry, app: 'attacker', permissions: ['people.birthday'] }, '*');
          new BroadcastChannel('gantry /gantry/').postMessage({ decided: { app: 'attacker', granted: ['people.birthday'] } });
          osapi.people.getViewer().execute(() => resolve(heard)); // messages stay in order
        });
      },
      pose: async () => {
        const answers = {};
        const tries = {
          'activity for another': osapi.activities.create({ userId: '2', activity: { title: 'Forged' } }),
          'AppData of another': osapi.appdata.update({ userId: '2', data: { note: 'Forged' } }),
          'requestor as a parameter': osapi.people.get({ userId: '@me', xoauth_requestor_id: '2' }),
          'requestor in other letters': osapi.people.get({ 'XOAuth_Requestor_Id': '2' }),
          'OAuth as a parameter': osapi.people.get({ oauth_consumer_key: 'other' }),
          'encoded requestor': osapi.people.get({ '%78oauth_requestor_id': '2' }),
          'viewer in the parameters': osapi.people.getViewer({ opensocial_viewer_id: '2' }),
          'look-alike viewer': osapi.people.get({ userId: '@Viewer' }),
          'viewer with a path': osapi.people.get({ userId: '@viewer/../2' }),
          'several with another': osapi.appdata.update({ userId: ['@viewer', '2'], data: { note: 'Forged' } }),
        };
        for (const [name, request] of Object.entries(tries)) answers[name] = await reason(request);
        await osapi.appdata.update({ data: { xoauth_requestor_id: '2', __proto__x: 'a' } }); // data is not a parameter
        answers.kept = await reason(osapi.appdata.get({ keys: 'xoauth_requestor_id' }));
        const batch = await new Promise((resolve) => osapi.newBatch()
          .add('__proto__', osapi.people.getViewer()).add('2', osapi.people.getViewer()).execute(resolve));
        answers.batch = Object.keys(batch).map((key) => [key, batch[key].displayName].join(' ')).sort().join();
        answers.polluted = String({}.displayName);
        return answers;
      },
      knock: async () => {
        const body = JSON.stringify([{ app: 'victim' }]);
        const paths = ['calls', 'instances', 'grants', 'events'].map((name) => site + '/gantry/' + name);
        const headers = { 'Content-Type': 'application/json', 'Gantry-Container': '1' };
        const answers = await Promise.all(paths.flatMap((path) => [
          fetch(path, { method: 'POST', headers, body, credentials: 'include' }).then(({ status }) => status, () => 'refused'),
          fetch(path, { method: 'POST', mode: 'no-cors', body, credentials: 'include' }).then(() => 'sent', () => 'refused'),
          new Promise((resolve) => { const image = new Image(); image.onload = () => resolve('loaded'); image.onerror = () => resolve('no picture'); image.src = path; }),
          new Promise((resolve) => { const script = document.createElement('script'); script.onload = () => resolve('ran'); script.onerror = () => resolve('no script'); script.src = path; document.head.append(script); }),
        ]));
        for (const path of paths) {
          navigator.sendBeacon(path, new Blob([body], { type: 'text/plain' }));
          const form = document.createElement('form');
          Object.assign(form, { action: path, method: 'post', enctype: 'text/plain' });
          document.body.append(form);
          form.submit();
        }
        return [...new Set(answers)].join();
      },
      flood: () => {
        for (let count = 0; count < 20000; count += 1) parent.postMessage({ gantry: 'hello', nonce: String(count), versions: [1] }, '*');
        for (let count = 0; count < 3000; count += 1) osapi.people.getViewer({ count }).execute();
        for (let count = 0; count < 3000; count += 1) gantry.ui?.title?.('Flood ' + count);
        return 'sent';
      },
      drum: () => {
        for (let count = 0; count < 45000; count += 1) parent.postMessage({ any: count }, '*');
        return 'sent';
      },
      drumWithin: () => {
        const frame = document.createElement('iframe');
        frame.srcdoc = "<script>for (let count = 0; count < 45000; count += 1) top.postMessage({ any: count }, '*');</scr" + 'ipt>';
        document.body.append(frame);
        return 'sent';
      },
      write: async () => {
        for (let index = 0; index < 200; index += 1) osapi.appdata.get({ keys: 'k' + index }).subscribe(() => {}, () => {});
        await osapi.appdata.get({ keys: 'k0' });
        const writes = Array.from({ length: 400 }, (_, index) => osapi.appdata.update({ data: { ['k' + index]: 'v' } }));
        return (await Promise.allSettled(writes)).length;
      },
      insist: async () => {
        const answers = { answered: 0, RATE_LIMITED: 0 };
        const one = () => gantry.permissions.has('people').then(() => 'answered', ({ data }) => data.reason); // a message of its own
        for (const answer of await Promise.all(Array.from({ length: 3000 }, one))) answers[answer] += 1;
        return answers;
      },
      grow: () => {
        const kept = (window.kept = []); // prevents garbage collection
        const more = setInterval(() => kept.push(new Uint8Array(4_000_000).fill(1)) < 100 || clearInterval(more), 10);
        return 'growing';
      },
    };`;
}
