import { spawn } from 'node:child_process';

/** Runs a program. Resolves with its exit code, 127 if it cannot be started. */
export type RunProgram = (
  command: readonly [program: string, ...args: string[]],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly quiet: boolean },
) => Promise<number>;

/** Runs a program at this terminal. `quiet` keeps its output off standard output, for `--json`. */
export const runProgram: RunProgram = ([program, ...args], { cwd, env, quiet }) =>
  new Promise((resolve) => {
    const isCommandFile = process.platform === 'win32' && program !== process.execPath; // npm.cmd needs a shell; no argument comes from a user
    const child = spawn(program, args, { cwd, env, shell: isCommandFile, stdio: quiet ? ['ignore', 2, 2] : 'inherit' });
    child.on('error', () => resolve(127));
    child.on('exit', (code) => resolve(code ?? 1));
  });

/** Returns the environment without what `npm create` sets and would redirect an installation. */
export function ownEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign =
    /^(npm_(package|lifecycle|command|execpath|node_execpath)|npm_config_(package|call|global|prefix|local_prefix|workspaces?|include_workspace_root|save\w*|dry_run|json|yes)$|INIT_CWD$)/i;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !foreign.test(name)));
}
