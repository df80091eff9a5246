import { UsageError } from '@gantry/server';
import { type Command, withFlags } from '../command.ts';
import { completionScript, shells } from '../completion/completion-script.ts';

/** Makes `gantry completion`, which needs the list of all commands. */
export function completion(commands: () => readonly Command[]): Command {
  return {
    name: 'completion',
    summary: 'Print completions of commands and flags for bash, zsh or fish',
    help: `Usage: gantry completion bash|zsh|fish

Prints a script for the shell. Load it where the shell starts: commands, verbs and flags then complete with Tab.

Examples:
  gantry completion bash > ~/.local/share/bash-completion/completions/gantry
  eval "$(gantry completion zsh)"     # in ~/.zshrc, after compinit
  gantry completion fish > ~/.config/fish/completions/gantry.fish`,
    run: withFlags({ options: {}, verbs: shells }, async ({ positionals: [name, ...more], output }) => {
      const shell = shells.find((one) => one === name);
      if (!shell || more.length > 0) throw new UsageError('gantry completion takes bash, zsh or fish.');
      output.out(completionScript(shell, commands()));
    }),
  };
}
