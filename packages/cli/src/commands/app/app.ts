import { UsageError } from '@gantry/server';
import type { Output } from '../../output.ts';
import type { Command } from '../command.ts';
import { add } from './add.ts';
import { check } from './check.ts';
import { list } from './list.ts';
import { pause, resume } from './pause.ts';
import { remove } from './remove.ts';
import { show } from './show.ts';

type Verb = (args: readonly string[], env: NodeJS.ProcessEnv, output: Output) => Promise<void>;

const verbs: ReadonlyMap<string, Verb> = new Map(
  Object.entries({ check, add, list, show, pause, resume, remove } satisfies Record<string, Verb>),
);

/** `gantry app check|add|list|show|pause|resume|remove` */
export const app: Command = {
  name: 'app',
  summary: 'Check, register, list, pause and remove apps',
  help: `Usage: gantry app check FOLDER [--fix [--yes]] [--strict] [--json]
       gantry app add FOLDER|URL [--id ID] [--update | --replace [--yes]] [--title TEXT] [--manifest FILE]
                      [--key KEY] [--trusted | --no-trusted] [--json]
       gantry app list [--json]
       gantry app show ID [--json]
       gantry app pause ID [--json]
       gantry app resume ID [--json]
       gantry app remove ID [--json]

check looks at an app's folder without registering it: what is wrong with gadget.json and where, what members will be
asked, files that are missing, addresses that will not load, data kept in the browser without a host for that, calls that
are made but not declared, or the other way round, and HTML and scripts that the sandbox breaks. Each finding has its place,
an id and a cure. After a run of gantry dev it compares gadget.json with what the app did; --fix adds what the run needed,
takes out what neither the run nor a file uses, shows the difference and what members will be asked, and asks before it
writes.
add registers a folder with a gadget.json, which Gantry serves in a sandbox as it is at each load, or the address of an
app's own server, and says what check finds. It makes the key with which the site signs the app's calls; that key is kept
sealed and is never shown. An app may do what its gadget.json declares and the member allows: members are asked when they
first see it. With --trusted the site answers for the app, and they are not asked. A remote app without --manifest may do
nothing. After a change to gadget.json, add the app again with --update.
An id that is taken, or that a removed app had, is refused. --update says that it is the same app: members keep what they
allowed and what it saved, and are asked for what is new; trust stays as it was unless it is said. --replace says that it
is another app: what members allowed the old one, what that saved for them, and all its keys end, after a question that
names how many members that concerns. An app on its own server is the same as long as its origin is.
Before an existing site (gantry proxy) the site issues the key: name it with --key, and give its secret in
GANTRY_APP_SECRET, through a pipe, or when you are asked for it.
pause shows a card in place of the app and refuses its calls and keys, until resume. Nothing is lost.
remove forgets the app's address, its keys, what members allowed it and who has it. What it stored and posted stays.

  --id ID           Id of the app (default: the folder's name; dist, build, out and public are no ids)
  --update          The id's app is this one; registers it if there is none
  --replace         The id's app is another one, which ends
  --fix             check: fit gadget.json to the last run of gantry dev
  --strict          check: end with code 1 for warnings, too
  --yes             Do not ask before --replace or --fix
  --title TEXT      Name of a remote app
  --manifest FILE   What a remote app declares: a gadget.json, of which page is not needed
  --key KEY         Consumer key that an existing site issued for the app
  --trusted         Do not ask members
  --no-trusted      Ask them from now on
  --json            Print the result as JSON

Exit codes of check:
  0  can be registered; with --fix: written, or nothing to write
  1  cannot be registered, or --strict and there are warnings
  2  not understood, or --fix without a run to compare with
  3  --fix showed a difference and did not write it: no --yes, no terminal to ask at, or the answer was no

Examples:
  gantry app check ./my-gadget
  gantry app check ./my-gadget --strict --json
  gantry app check ./my-gadget --fix
  gantry app add ./my-gadget
  gantry app add ./my-gadget --update
  gantry app add ./other/dist --id my-gadget --replace
  gantry app add https://apps.example/quiz/ --id quiz --title Quiz --manifest quiz.json
  gantry app add ./my-gadget --key my-gadget-key < secret.txt
  gantry app show my-gadget
  gantry app pause my-gadget
  gantry app remove quiz`,
  async run([name = '', ...args], env, output) {
    const verb = verbs.get(name);
    if (verb) return verb(args, env, output);
    throw new UsageError(`gantry app takes ${[...verbs.keys()].join(', ')}. See gantry app --help.`);
  },
};
