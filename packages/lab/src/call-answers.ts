import { isRecord, type OperationId, operation, serviceColumnsOf } from '@gantry/wire';

const counts = ['startIndex', 'totalResults', 'itemsPerPage'] as const;
const mostDepth = 100;

/**
 * Checks a result that a test gives instead of the site: plain data, shaped like the site's own.
 *
 * @returns A copy: later changes by the test do not reach the app.
 * @throws TypeError in one sentence that names the member that is wrong.
 */
export function checkAnswer(row: OperationId, value: unknown): unknown {
  const copy = plain(value, 'The answer', []);
  const problem = problemOf(row, copy);
  if (problem !== undefined) throw new TypeError(`This is no result of ${operation(row).osapi}: ${problem}`);
  return copy;
}

/** @throws TypeError for anything but JSON: functions, class instances, cycles, `NaN`. */
function plain(value: unknown, name: string, above: readonly unknown[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') throw new TypeError(`${name} is not plain data: it is ${wordFor(value)}.`);
  if (above.includes(value)) throw new TypeError(`${name} is not plain data: it contains itself.`);
  if (above.length >= mostDepth) throw new TypeError(`The answer is more than ${mostDepth} levels deep.`);
  const inside = [...above, value];
  if (Array.isArray(value)) return value.map((item, index) => plain(item, `${name}[${index}]`, inside));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`${name} is not plain data: it is ${wordFor(value)}.`);
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined); // JSON omits them
  return Object.fromEntries(members.map(([key, member]) => [key, plain(member, `${name}.${key}`, inside)]));
}

function wordFor(value: unknown): string {
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? String(value) : typeof value;
  const { name } = value.constructor ?? {};
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an object with a prototype';
}

function problemOf(row: OperationId, value: unknown): string | undefined {
  const { method, topic } = operation(row);
  const { result } = serviceColumnsOf(row);
  if (!isRecord(value)) return 'it must be an object.';
  if (method !== 'GET') return undefined;
  if (result === 'by member') return appDataProblem(value);
  if (result !== 'list') return itemProblem(value, topic, 'it');
  const { list } = value;
  if (!Array.isArray(list)) return 'it must be { list, startIndex, totalResults, itemsPerPage }, and list an array.';
  const wrong = counts.find((name) => typeof value[name] !== 'number');
  if (wrong) return `${wrong} must be a number, as in { list, startIndex: 0, totalResults: 2, itemsPerPage: 20 }.`;
  for (const [index, item] of list.entries()) {
    const problem = itemProblem(item, topic, `list[${index}]`);
    if (problem) return problem;
  }
  return undefined;
}

/** Members that each resource of the site has. */
const required: Readonly<Record<string, readonly string[]>> = {
  people: ['id', 'displayName'],
  activities: ['id', 'userId', 'title', 'postedTime'],
  albums: ['id', 'title'],
  mediaItems: ['id', 'albumId'],
};

function itemProblem(item: unknown, topic: string, name: string): string | undefined {
  if (!isRecord(item)) return `${name} must be an object.`;
  const missing = required[topic]?.find((member) => typeof item[member] !== 'string');
  return missing && `${name}.${missing} must be text.`;
}

function appDataProblem(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const [member, values] of Object.entries(value)) {
    const isMap = isRecord(values) && Object.values(values).every((one) => typeof one === 'string');
    if (!isMap) return `${member} must be an object of keys and texts, as in { 'm-1': { score: '12' } }.`;
  }
  return undefined;
}
