import { defaultOf, readScenario, type Scenario, type ScenarioName, type ScenarioProblem } from '@gantry/lab/scenario';

export interface PageState {
  readonly scenario: Scenario;
  /** Id of the app on the viewport; the first when absent. */
  readonly app?: string;
  /** Id of the story whose function makes the world. */
  readonly story?: string;
  /** Another viewer of the same world. */
  readonly beside?: string;
  /** Invalid parameters. They stay in the address until their control is used. */
  readonly problems: readonly ScenarioProblem[];
}

/** Query parameters to set; `null` removes one. */
export type AddressPatch = Readonly<Record<string, string | null>>;

export type Address = ReturnType<typeof createAddress>;

export function readPageState(search: string): PageState {
  const query = new URLSearchParams(search);
  const { scenario, problems } = readScenario(query);
  const app = query.get('app');
  const beside = query.get('beside');
  const story = query.get('story');
  return { scenario, problems, ...(app && { app }), ...(story && { story }), ...(beside && { beside }) };
}

/** Returns the query with changed parameters. Others stay, in their order. */
export function patchSearch(search: string, patch: AddressPatch): string {
  const query = new URLSearchParams(search);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null || value === '' || value === String(defaultOf(name as ScenarioName))) query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return text && `?${text}`;
}

/** @param window.history One step for each change; the fragment stays as it is. */
export function createAddress({ location, history, addEventListener }: Window) {
  const listeners = new Set<(state: PageState) => void>();
  let state = readPageState(location.search);

  function read(): void {
    state = readPageState(location.search);
    for (const listener of listeners) listener(state);
  }

  function go(search: string): void {
    if (search === location.search) return;
    history.pushState(null, '', location.pathname + search + location.hash);
    read();
  }

  addEventListener('popstate', read);
  return {
    get state(): PageState {
      return state;
    },
    /** Sets parameters as one history entry. Default values are removed. */
    set: (patch: AddressPatch): void => go(patchSearch(location.search, patch)),
    /** Removes all parameters of the scenario, invalid ones too. */
    reset(): void {
      const { scenario, problems } = state;
      const names = [
        ...Object.keys(scenario).filter((name) => name !== 'params'),
        ...Object.keys(scenario.params ?? {}).map((name) => `params.${name}`),
        ...problems.map(({ name }) => name),
        'beside',
      ];
      go(patchSearch(location.search, Object.fromEntries(names.map((name) => [name, null]))));
    },
    /** Calls `listener` after each change and each step back, until the result is called. */
    subscribe(listener: (state: PageState) => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
