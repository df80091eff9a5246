/** Folders and environment of one run of an example. */
export interface StartOptions {
  /** Copy of `examples/NAME` outside of the repository, with its npm packages installed. */
  readonly folder: string;
  /** Folder with the tarballs of Gantry's packages, for an example that installs them itself. */
  readonly tarballs: string;
  /** Environment for the processes of the example. It names no source condition. */
  readonly env: NodeJS.ProcessEnv;
}

export interface RunningExample {
  /** Origin of the site, such as `http://localhost:43117`. */
  readonly url: string;
  /** Ends every process that was started, and resolves when they have ended. */
  stop(): Promise<void>;
}

/**
 * Starts the site on free ports and resolves once it is ready. Exported by `examples/NAME/start.ts`
 * as `start`.
 */
export type Start = (options: StartOptions) => Promise<RunningExample>;

/**
 * Installs dependencies outside of npm, such as Debian packages. `examples/NAME/start.ts` may
 * export it as `prepare`; the runner calls it once, before the browser.
 *
 * @throws Error with one clear sentence that names what is missing.
 */
export type Prepare = (options: StartOptions) => Promise<void>;

/** Members of every example, with the ids of its own member table. */
export const members = {
  ada: { id: 'm-1001', displayName: 'Ada', friends: ['Bo', 'Cy'] },
  bo: { id: 'm-1002', displayName: 'Bo', friends: ['Ada'] },
  cy: { id: 'm-1003', displayName: 'Cy', friends: ['Ada'] },
} as const;

/** Sign-in names of members. */
export type MemberName = keyof typeof members;

/** Password of all members. */
export const password = 'open sesame';
