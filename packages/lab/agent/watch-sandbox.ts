import type { SourcePlace } from '@gantry/lab/record';
import type { Report } from './report.ts';
import { callerOf } from './watch-console.ts';

const silent = ['alert', 'confirm', 'prompt', 'print', 'open'] as const;

/** Members that frames of apps are refused, `Class.member` or a global, by the name to report. */
const refused: Readonly<Record<string, string>> = {
  requestFullscreen: 'Element.requestFullscreen Element.webkitRequestFullscreen',
  'navigator.share': 'Navigator.share',
  'navigator.clipboard': 'Clipboard.read Clipboard.readText Clipboard.write Clipboard.writeText',
  'navigator.geolocation': 'Geolocation.getCurrentPosition Geolocation.watchPosition',
  'navigator.mediaDevices': 'MediaDevices.getUserMedia MediaDevices.getDisplayMedia',
  'navigator.wakeLock': 'WakeLock.request',
  Notification: 'Notification Notification.requestPermission',
  PaymentRequest: 'PaymentRequest',
  Worker: 'Worker SharedWorker',
};
/** Members that are refused to frames without an origin of their own. */
const storage: typeof refused = {
  localStorage: 'localStorage',
  sessionStorage: 'sessionStorage',
  indexedDB: 'IDBFactory.open IDBFactory.deleteDatabase IDBFactory.databases',
  cookie: 'Document.cookie',
  caches: 'caches',
  serviceWorker: 'Navigator.serviceWorker',
};

type Watched = (...values: never[]) => unknown;

/** Reports calls and links that the sandbox ignores, and each refused feature once. */
export function watchSandbox(window: Window & typeof globalThis, report: Report): void {
  const reported = new Set<string>();
  const tell = (name: string, caller: { readonly where?: SourcePlace } = {}): void => {
    if (!reported.has(name)) report(() => ({ kind: 'sandbox', name, ...caller }));
    reported.add(name);
  };

  for (const name of silent) {
    const native = window[name] as (...values: unknown[]) => unknown;
    const watched = (...values: unknown[]): unknown => {
      report(() => ({
        kind: 'sandbox',
        name,
        ...(name === 'open' && { target: String(values[0] ?? '').slice(0, 1_000) }),
        ...callerOf(watched),
      }));
      return native.apply(window, values);
    };
    Object.assign(window, { [name]: watched });
  }

  for (const [name, members] of Object.entries({ ...refused, ...(window.origin === 'null' && storage) })) {
    for (const member of members.split(' ')) {
      const [key = '', owner] = member.split('.').reverse();
      const type = owner === undefined ? { prototype: window } : window[owner as 'Element'];
      watchMember(type && key in type.prototype ? type.prototype : type, key, (native) => {
        const handler: ProxyHandler<Watched> = {
          apply(target, self, values) {
            tell(name, callerOf(handler.apply as Watched));
            return Reflect.apply(target, self, values);
          },
          construct(target, values, self) {
            tell(name, callerOf(handler.construct as Watched));
            return Reflect.construct(target, values, self);
          },
        };
        return new Proxy(native, handler);
      });
    }
  }

  function onClick(event: MouseEvent): void {
    const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
    if (event.defaultPrevented || !link?.href) return;
    if (link.hasAttribute('download')) tell('download');
    else if (!['', '_self'].includes(link.target))
      report(() => ({ kind: 'sandbox', name: 'link', target: link.href.slice(0, 1_000) }));
  }
  window.addEventListener('click', onClick);
  // Scripts click links that are in no document, whose events do not reach the window.
  watchMember(window.HTMLAnchorElement.prototype, 'download', (native) => {
    return function setOrGet(this: HTMLAnchorElement, ...values: never[]) {
      this.addEventListener('click', (event) => this.isConnected || onClick(event), { once: true });
      return Reflect.apply(native, this, values);
    };
  });
}

/** Replaces the functions of a member, if the browser has it: of a method or of an accessor. */
function watchMember(owner: object | undefined, key: string, replace: (native: Watched) => Watched): void {
  const member = owner && Object.getOwnPropertyDescriptor(owner, key);
  if (!member) return;
  for (const part of ['value', 'get', 'set'] as const) if (member[part]) member[part] = replace(member[part]);
  Object.defineProperty(owner, key, member);
}
