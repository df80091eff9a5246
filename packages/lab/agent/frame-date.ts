import type { TimeZone } from './time-zone.ts';

/** Globals that know the time. */
export interface DateScope {
  Date: DateConstructor;
}

/**
 * Replaces a window's `Date` by one that tells another time, and whose local time is that of a
 * zone. Dates stay the browser's own objects: `instanceof`, `structuredClone` and classes that
 * extend `Date` work as ever.
 *
 * @param options.now Milliseconds since the epoch. It must not ask the window's `Date`.
 */
export function takeDate(
  scope: DateScope,
  { now, zone }: { readonly now: () => number; readonly zone?: TimeZone | undefined },
): void {
  const native = scope.Date;
  const nativeParse = native.parse.bind(native);
  const parse = (text: string): number => (zone && isLocal(text) ? inZone(text, zone) : nativeParse(text));

  function inZone(text: string, { instantOf }: TimeZone): number {
    const ms = nativeParse(text);
    return Number.isNaN(ms) ? ms : instantOf(ms - machineOffset(new native(ms)));
  }
  const { getTimezoneOffset } = native.prototype; // the zone replaces it below
  const machineOffset = (date: Date): number => getTimezoneOffset.call(date) * 60_000;

  function instantFor(values: readonly unknown[]): readonly unknown[] {
    const [first] = values;
    if (values.length === 0) return [now()];
    if (values.length > 1) {
      return zone ? [zone.instantOf(native.UTC(...(values as Parameters<typeof native.UTC>)))] : values;
    }
    if (zone === undefined) return values;
    const primitive = typeof first === 'object' && first !== null && !(first instanceof native) ? String(first) : first;
    return typeof primitive === 'string' ? [parse(primitive)] : values;
  }

  const taken = new Proxy(native, {
    construct: (target, values, self) => Reflect.construct(target, instantFor(values), self),
    apply: () => new native(now()).toString(),
  });
  Object.assign(native, { now, parse });
  Object.defineProperty(native.prototype, 'constructor', { value: taken, writable: true, configurable: true });
  scope.Date = taken;
  if (zone) setLocalTime(native, zone);
}

/** Texts with a time and no zone are local, as are unusual ones; `2026-11-22` alone is UTC. */
function isLocal(text: string): boolean {
  if (/^\s*[+-]?\d{4,6}(-\d\d){0,2}\s*$/.test(text)) return false;
  return !/(\bZ|\dZ|\b(UTC?|GMT|[ECMP][SD]T))\b|\d:\d\d.*[+-]\d\d:?\d\d/.test(text);
}

const fields = ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds', 'Milliseconds'] as const;
const locales = ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString'] as const;

/** Makes the local-time methods of dates use a zone. */
function setLocalTime(native: DateConstructor, zone: TimeZone): void {
  const { prototype } = native;
  const wall = (date: Date): Date => {
    const ms = date.getTime();
    return new native(ms + zone.offsetAt(ms));
  };
  for (const field of fields) {
    define(prototype, `get${field}`, function (this: Date) {
      return wall(this)[`getUTC${field}`]();
    });
    if (field === 'Day') continue;
    define(prototype, `set${field}`, function (this: Date, ...values: [number]) {
      const date = field === 'FullYear' && Number.isNaN(this.getTime()) ? new native(0) : wall(this);
      date[`setUTC${field}`](...values);
      return this.setTime(zone.instantOf(date.getTime()));
    });
  }
  define(prototype, 'getTimezoneOffset', function (this: Date) {
    const ms = this.getTime();
    return Number.isNaN(ms) ? ms : zone.offsetAt(ms) / -60_000;
  });
  const dateText = (date: Date): string =>
    wall(date)
      .toUTCString()
      .replace(/^(\w+), (\d+) (\w+) (-?\d+) .*$/, '$1 $3 $2 $4');
  const timeText = (date: Date): string => {
    const ms = date.getTime();
    const minutes = Math.trunc(zone.offsetAt(ms) / 60_000);
    const offset =
      `${Math.trunc(Math.abs(minutes) / 60)}`.padStart(2, '0') + `${Math.abs(minutes) % 60}`.padStart(2, '0');
    const time = wall(date)
      .toISOString()
      .replace(/^.*T|\..*$/g, '');
    return `${time} GMT${minutes < 0 ? '-' : '+'}${offset} (${zone.nameAt(ms)})`;
  };
  const texts = {
    toString: (date: Date) => `${dateText(date)} ${timeText(date)}`,
    toDateString: dateText,
    toTimeString: timeText,
  };
  for (const [name, text] of Object.entries(texts)) {
    define(prototype, name, function (this: Date) {
      return Number.isNaN(this.getTime()) ? 'Invalid Date' : text(this);
    });
  }
  for (const name of locales) {
    const method = prototype[name];
    define(prototype, name, function (this: Date, locale?: string, options?: Intl.DateTimeFormatOptions) {
      return method.call(this, locale, { ...options, timeZone: options?.timeZone ?? zone.name });
    });
  }
}

/** Makes a zone the default of `Intl.DateTimeFormat`. */
export function takeFormats(intl: Pick<typeof Intl, 'DateTimeFormat'>, zone: TimeZone): void {
  const native = intl.DateTimeFormat;
  const valuesFor = ([locale, options]: readonly unknown[]): readonly unknown[] => {
    const format = options as Intl.DateTimeFormatOptions | undefined;
    return [locale, { ...format, timeZone: format?.timeZone ?? zone.name }];
  };
  const taken = new Proxy(native, {
    construct: (target, values, self) => Reflect.construct(target, valuesFor(values), self),
    apply: (target, _this, values) => Reflect.construct(target, valuesFor(values)),
  });
  Object.defineProperty(native.prototype, 'constructor', { value: taken, writable: true, configurable: true });
  Object.assign(intl, { DateTimeFormat: taken });
}

function define(prototype: Date, name: string, value: (this: Date, ...values: never[]) => unknown): void {
  Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
}
