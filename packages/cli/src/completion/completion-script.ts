import type { Command } from '../command.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

/** Words that complete a line after its first ones; `verb` is `*` for a command without verbs. */
interface Choice {
  readonly command: string;
  readonly verb: string;
  readonly words: readonly string[];
}

/** Writes completions of commands, verbs and flags for a shell; file names where none fits. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  return writers[shell](commands);
}

const writers: Readonly<Record<Shell, (commands: readonly Command[]) => string>> = {
  bash: (commands) => `_gantry() {
  local current=\${COMP_WORDS[COMP_CWORD]} command= verb= list=
  [ "$COMP_CWORD" -gt 1 ] && command=\${COMP_WORDS[1]}
  [ "$COMP_CWORD" -gt 2 ] && verb=\${COMP_WORDS[2]}
  case "$command/$verb" in
${cases(commands)}
  esac
  COMPREPLY=($(compgen -W "$list" -- "$current"))
}
complete -o default -F _gantry gantry`,
  zsh: (commands) => `#compdef gantry
_gantry() {
  local command= verb= list=
  (( CURRENT > 2 )) && command=$words[2]
  (( CURRENT > 3 )) && verb=$words[3]
  case "$command/$verb" in
${cases(commands)}
  esac
  compadd -- \${=list}
  _files
}
compdef _gantry gantry`,
  fish: (commands) =>
    [
      ...commands.map(({ name, summary }) => fishLine('__fish_use_subcommand', `-f -a ${name} -d ${quoted(summary)}`)),
      ...choicesOf(commands).flatMap(({ command, verb, words }) => {
        const seen = [command, ...(verb === '' || verb === '*' ? [] : [verb])];
        const when = seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
        return words.map((word) => fishLine(when, word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`));
      }),
    ].join('\n'),
};

function choicesOf(commands: readonly Command[]): readonly Choice[] {
  return commands.flatMap(({ name, run }): Choice[] => {
    const verbs = [...(run.verbs ?? [])];
    if (verbs.length === 0) return [{ command: name, verb: '*', words: flagsOf(run) }];
    return [
      { command: name, verb: '', words: [...verbs.map(([verb]) => verb), '--help'] },
      ...verbs.map(([verb, each]) => ({ command: name, verb, words: flagsOf(each) })),
    ];
  });
}

function flagsOf({ flags }: { readonly flags: readonly string[] }): readonly string[] {
  return [...new Set([...flags, 'help'])].map((flag) => `--${flag}`);
}

function cases(commands: readonly Command[]): string {
  const first = [...commands.map(({ name }) => name), 'help', '--help', '--version'];
  return [
    `    /) list='${first.join(' ')}' ;;`,
    `    help/) list='${commands.map(({ name }) => name).join(' ')}' ;;`,
    ...choicesOf(commands).map(({ command, verb, words }) => `    ${command}/${verb}) list='${words.join(' ')}' ;;`),
  ].join('\n');
}

function fishLine(condition: string, rest: string): string {
  return `complete -c gantry -n ${quoted(condition)} ${rest}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
