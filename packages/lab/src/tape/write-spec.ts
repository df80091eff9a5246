import { operations } from '@gantry/wire';
import { hasTexts, writeExpectation } from './expectation.ts';
import { fixme, inputStep, isTypedOn } from './input-steps.ts';
import { below, type Position, stays, topicOf } from './positions.ts';
import { isCount } from './redact-value.ts';
import type { Tape, TapeEntry } from './tape.ts';
import { Code, writeCode } from './write-code.ts';

/** Calls and inputs that become steps: the first ones. */
const mostSteps = 200;
const appCalls: ReadonlySet<string> = new Set(Object.values(operations).map(({ osapi }) => osapi));
const armed: ReadonlySet<string> = new Set(['fail', 'dropReply', 'kill']);
const variables = ['gadget', 'second', 'third', 'fourth'];

/**
 * Writes a test for `@gantry/testing` from a tape: its scenario, inputs, calls, clock jumps and
 * faults, and assertions of its incident, refusal, error and failed expectation. A missing part is
 * a `test.fixme` for its author. Texts of the tape appear as literals only.
 */
export function writeSpec(tape: Tape): string {
  const { head, entries } = tape;
  const members = membersOf(tape).slice(0, variables.length);
  const variableOf = (entry: TapeEntry): string | undefined => {
    const index = members.indexOf(memberOf(entry) ?? members[0] ?? '');
    return variables[index];
  };

  const setup = entries.flatMap(faultOf);
  const steps: string[] = [];
  let count = 0;
  let left = 0;
  for (const [index, entry] of entries.entries()) {
    const variable = variableOf(entry);
    if (entry.kind === 'left-out') steps.push(`// Here the tape lacks ${Number(entry.count)} events.`);
    if (entry.kind === 'clock') steps.push(...clockSteps(entry));
    if (variable === undefined || (entry.kind !== 'call' && entry.kind !== 'input')) continue;
    if (count === mostSteps || (entry.kind === 'call' && !appCalls.has(entry.operation))) left += 1;
    else if (entry.kind === 'call') {
      count += 1;
      steps.push(`await expect(${variable}).toHaveCalled(${argumentsOf(entry, head.isRedacted)});`);
    } else if (!isTypedOn(entry, entries.slice(index + 1))) {
      count += 1;
      steps.push(inputStep(entry, { variable, isRedacted: head.isRedacted }));
    }
  }
  if (left > 0) steps.push(`// ${left} more calls and inputs of the tape are not here.`);
  if (head.host === 'site') steps.push(fixme('This tape has no clicks and keys: add them.'));

  const end = entries.flatMap((entry) => assertionOf(entry, variableOf(entry) ?? 'gadget', entries));
  const body = [
    ...setup,
    ...members
      .slice(1)
      .map((member, index) => `const ${variables[index + 1]} = await gantry.open(${writeCode(member)});`),
    ...variables.slice(0, Math.max(1, members.length)).map((name) => mountOf(name, head)),
    ...steps,
    ...new Set(end),
    ...expectationOf(head, end.length > 0),
  ].map((line) => line.replace(/^/gm, '  '));

  const uses = body.some((line) => /^ *(?:const \w+ = )?(?:await )?gantry\./.test(line)) ? 'gadget, gantry' : 'gadget';
  const { world, persona, ...rest } = sharedScenario(tape);
  const scenario = { persona, ...rest };
  const isUsual = Object.values(scenario).every((value) => value === undefined);
  const options = writeCode({ world, scenario: isUsual ? undefined : scenario });
  return [
    "import { expect, test } from '@gantry/testing';",
    '',
    ...(options === '{}' ? [] : [`test.use(${options});`, '']),
    `test(${writeCode(titleOf(tape))}, async ({ ${uses} }) => {`,
    ...body,
    '});',
    '',
  ].join('\n');
}

/** Writes the expectation that failed, or a mark where one is missing. */
function expectationOf({ test, isRedacted }: Tape['head'], hasEnd: boolean): readonly string[] {
  const { file, line, expectation } = test ?? {};
  const place = file === undefined ? 'the test' : [file, line].filter((part) => part !== undefined).join(':');
  const written = expectation && writeExpectation(expectation, 'gadget');
  if (expectation && written) {
    const isOpen = isRedacted && hasTexts(expectation);
    return [...(isOpen ? [fixme(`Texts of the next line are stand-ins. ${place} has them.`)] : []), written];
  }
  if (line !== undefined) return [fixme(`The assertion is missing: ${place} failed.`)];
  return hasEnd ? [] : [fixme('Written from a tape: the assertion is missing.')];
}

/**
 * Returns the scenario of all mounts: view and parameters belong to one mount. A redacted tape
 * names no member of a world.
 */
function sharedScenario({ head }: Tape): Omit<Tape['head']['scenario'], 'view' | 'params' | 'owner'> {
  const { view: _view, params: _params, owner: _owner, ...shared } = head.scenario;
  if (!head.isRedacted) return shared;
  const { persona: _persona, world, ...rest } = shared;
  return { ...rest, ...(world !== undefined && stays(world, { source: 'line', name: 'world' }) && { world }) };
}

function mountOf(name: string, { app, scenario, isRedacted }: Tape['head']): string {
  const { view, params, owner } = scenario;
  const options = writeCode(isRedacted ? { view } : { view, params, owner });
  return `await ${name}.mount(${writeCode(app)}${options === '{}' ? '' : `, ${options}`});`;
}

function titleOf({ head }: Tape): string {
  return head.isRedacted || !head.test ? `${head.app}: as on the tape` : head.test.title;
}

/** Members whose gadgets are on the tape, the first one first. */
function membersOf({ entries }: Tape): readonly string[] {
  return [
    ...new Set(
      entries.filter(({ kind }) => kind === 'call' || kind === 'input').flatMap((entry) => memberOf(entry) ?? []),
    ),
  ];
}

function memberOf({ place }: TapeEntry): string | undefined {
  const end = place?.indexOf('/') ?? -1;
  return end > 0 ? place?.slice(0, end) : undefined;
}

/** Params of a redacted tape that are stand-ins fit any value of their type. */
function argumentsOf({ operation, params }: Extract<TapeEntry, { kind: 'call' }>, isRedacted: boolean): string {
  const topic = topicOf(operation);
  const values = isRedacted ? anyOf(params, { source: topic ? 'params' : 'app', name: 'params', topic }) : params;
  const isEmpty = typeof values !== 'object' || values === null || Object.keys(values).length === 0;
  return [operation, ...(isEmpty ? [] : [values])].map(writeCode).join(', ');
}

function anyOf(value: unknown, at: Position): unknown {
  if (typeof value === 'string') return value === '' || stays(value, at) ? value : new Code('expect.any(String)');
  if (Array.isArray(value)) return value.map((item) => anyOf(item, at));
  if (typeof value === 'number') return isCount(value, at) ? value : new Code('expect.any(Number)');
  if (typeof value !== 'object' || value === null) return value;
  if (at.source === 'app') return new Code('expect.any(Object)');
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, anyOf(member, below(at, name))]));
}

function faultOf(entry: TapeEntry, _index: number, entries: readonly TapeEntry[]): readonly string[] {
  if (entry.kind !== 'fault' || !armed.has(entry.fault)) return [];
  const operation = entry.operation !== undefined && appCalls.has(entry.operation) ? entry.operation : '*';
  if (entry.fault !== 'fail') return [`gantry.faults.once(${writeCode(operation)}).${entry.fault}();`];
  return [`gantry.calls.once(${writeCode(operation)}, (call) => call.fail(${statusOf(entry, entries)}));`];
}

/** Status of the first reply after the fault that is an error. */
function statusOf(fault: TapeEntry, entries: readonly TapeEntry[]): number {
  const reply = entries.find((entry) => entry.kind === 'reply' && entry.error && entry.number > fault.number);
  const code = reply?.kind === 'reply' ? reply.error?.code : undefined;
  return code !== undefined && Number.isInteger(code) && code >= 400 && code <= 599 ? code : 503;
}

function clockSteps({ jumpMs, isStopped }: Extract<TapeEntry, { kind: 'clock' }>): readonly string[] {
  if (Number.isSafeInteger(jumpMs) && jumpMs > 0) return [`await gantry.clock.jump(${jumpMs});`];
  return isStopped === undefined ? [] : [isStopped ? 'await gantry.clock.stop();' : 'await gantry.clock.start();'];
}

function assertionOf(entry: TapeEntry, variable: string, entries: readonly TapeEntry[]): readonly string[] {
  const contains = (list: string, value: unknown): readonly string[] => [
    `await expect.poll(() => ${variable}.${list}).toContain(${writeCode(value)});`,
  ];
  switch (entry.kind) {
    case 'incident':
      return contains("record.map((entry) => (entry.kind === 'incident' ? entry.name : ''))", entry.name);
    case 'refusal': {
      const reason = entry.error.data?.reason;
      const reasons = "record.map((entry) => (entry.kind === 'refusal' ? entry.error.data?.reason : ''))";
      return reason === undefined ? [] : contains(reasons, reason);
    }
    case 'policy':
    case 'sandbox':
      return contains('refusals.map(({ kind }) => kind)', entry.kind);
    case 'script-error': {
      const rejections = "record.map((entry) => entry.kind === 'script-error' && entry.rejection === true)";
      return contains(rejections, entry.rejection === true);
    }
    case 'reply': {
      const call = entries.find((one) => one.kind === 'call' && one.call === entry.call && one.place === entry.place);
      if (!entry.error || call?.kind !== 'call') return [];
      const calls = `calls.filter(({ operation }) => operation === ${writeCode(call.operation)})`;
      return contains(
        `${calls}.map(({ error }) => error?.code)`,
        Number.isFinite(entry.error.code) ? entry.error.code : 0,
      );
    }
    default:
      return [];
  }
}
