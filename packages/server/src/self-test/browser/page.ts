import { claimGroups, explanations, type Result } from './claims.ts';
import { createRunProbe } from './run-probe.ts';
import { type Setup, type Tried, tryAll } from './trials.ts';

// The script of /gantry/self-test. Results are shown in the page for people, and as JSON in #result
// for scripts: {"selfTest": 1, "verdict": "holds" | "open" | "broken", "mode", "browser",
// "claims": {"<id>": {"result", "detail"?}}}.

type Verdict = Exclude<Result, 'untried'>;

const words: Readonly<Record<Result, string>> = {
  holds: 'Holds',
  broken: 'Does not hold',
  open: 'Open here',
  untried: 'Not tried',
};
const verdicts: Readonly<Record<Verdict, string>> = {
  holds: 'Isolation holds in this browser.',
  open: 'Isolation holds in this browser, but for the lines that say “Open here”.',
  broken: 'Isolation does not hold in this browser. Show members no app that you do not trust.',
};

const setup = JSON.parse(byId('setup').textContent) as Setup;
const results = new Map<string, Tried>();

function byId(id: string): HTMLElement {
  return document.getElementById(id) as HTMLElement;
}

function make(name: string, properties: object = {}, ...children: readonly (Node | string)[]): HTMLElement {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
}

function showClaims(): void {
  const sections = claimGroups.map(({ title, claims }) => {
    const lines = Object.entries(claims).map(([id, text]) => {
      const mark = make('span', { className: 'mark', ariaHidden: 'true' });
      const line = make('li', {}, mark, make('span', {}, text), make('span', { className: 'result' }, 'Trying'));
      Object.assign(line.dataset, { claim: id, result: 'trying' });
      return line;
    });
    return make('section', {}, make('h2', {}, title), make('ul', { role: 'list' }, ...lines));
  });
  byId('claims').replaceChildren(...sections);
}

function tell(claim: string, { result, detail }: Tried): void {
  const line = document.querySelector<HTMLElement>(`[data-claim="${claim}"]`);
  if (!line) return;
  results.set(claim, { result, ...(detail !== undefined && { detail }) });
  line.dataset.result = result;
  line.querySelector('.result')?.replaceChildren(words[result]);
  const why = result === 'holds' && claim !== 'top' ? undefined : explanations[claim];
  const remark = [detail, why].filter(Boolean).join(' ');
  line.querySelector('.why')?.remove();
  if (remark !== '') line.append(make('p', { className: 'why' }, remark));
}

function verdict(): Verdict {
  const all = [...results.values()].map(({ result }) => result);
  if (all.includes('broken')) return 'broken';
  return all.includes('open') ? 'open' : 'holds';
}

function finish(): void {
  for (const id of claimGroups.flatMap(({ claims }) => Object.keys(claims))) {
    if (!results.has(id)) tell(id, { result: 'untried', detail: 'The self-test ended before.' });
  }
  const outcome = verdict();
  byId('words').textContent = verdicts[outcome];
  byId('verdict').dataset.verdict = outcome;
  const result = {
    selfTest: 1,
    verdict: outcome,
    mode: setup.mode,
    browser: navigator.userAgent,
    claims: Object.fromEntries(results),
  };
  document.getElementById('result')?.remove();
  document.head.append(make('script', { type: 'application/json', id: 'result' }, JSON.stringify(result)));
  document.documentElement.dataset.selfTest = outcome;
}

async function copy(): Promise<void> {
  const button = byId('copy');
  const text = document.getElementById('result')?.textContent ?? '';
  const copied = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  button.textContent = copied ? 'Copied' : 'This browser does not let pages copy';
}

byId('browser').textContent = navigator.userAgent;
byId('again').addEventListener('click', () => location.reload());
byId('copy').addEventListener('click', copy);
showClaims();
const cookie = 'gantry-self-test=1; Path=/gantry/self-test; SameSite=Lax';
Reflect.set(document, 'cookie', cookie);
const box = make('div', { id: 'probes', inert: true });
const shade = make('div');
box.append(shade);
document.body.append(box);
const inside = createRunProbe(shade.attachShadow({ mode: 'open' }));
const open = createRunProbe(box.appendChild(make('div')));
try {
  await tryAll({ setup, inside, open, tell });
} finally {
  Reflect.set(document, 'cookie', `${cookie}; Max-Age=0`);
  box.remove();
  for (const id of ['again', 'copy']) byId(id).hidden = false;
  finish();
}
