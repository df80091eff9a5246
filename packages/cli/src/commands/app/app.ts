import { type Command, withVerbs } from '../../command.ts';
import { add } from './add.ts';
import { check } from './check.ts';
import { approve, refuse } from './decide.ts';
import { pause, remove, resume } from './lifecycle.ts';
import { list } from './list.ts';
import { pack } from './pack.ts';
import { push } from './push.ts';
import { show } from './show.ts';
import { status } from './status.ts';

export const app: Command = {
  name: 'app',
  summary: 'Check, register, list, pause and remove apps',
  help: `Usage: gantry app check FOLDER [--fix [--yes]] [--strict] [--json]
       gantry app add FOLDER|URL… [--id ID] [--update | --replace [--yes]] [--title TEXT] [--manifest FILE]
                      [--key KEY] [--trusted | --no-trusted] [--json]
       gantry app list [--json]
       gantry app show ID [--json]
       gantry app pause ID [--json]
       gantry app resume ID [--json]
       gantry app remove ID [--json]

check examines an app's folder without registering it: errors in gadget.json and their places, the permissions that
members will be asked for, missing files, addresses that will not load, browser storage without a host for it, calls that
are made but not declared and the reverse, and HTML and scripts that the sandbox refuses. Each finding has a place, an id
and a remedy. After a run of gantry dev it compares gadget.json with that run; --fix adds what the run needed, removes what
neither the run nor a file uses, shows the changes and the new permissions, and asks before it writes.
add registers a folder with a gadget.json, which Gantry serves in a sandbox with its current files, or the address of an
app's own server, and prints the findings of check. It creates the key that signs the app's calls, which is stored
encrypted and never shown. An app may do what its gadget.json declares and the member allows; members are asked when they
first see it. With --trusted the site trusts the app, and they are not asked. A remote app without --manifest may do
nothing. After a change to gadget.json, add the app again with --update.
Of several folders each has a line, with --json a line of JSON; the exit code is 1 if one was not added.
An id that is taken, or that a removed app had, is refused. --update: the same app; members keep their grants and its
data, and are asked for new permissions; --trusted is kept. --replace: another app; the old one's grants, data and keys
are deleted, after a question with the number of members concerned. An app on its own server is the same while its origin
is.
Behind gantry proxy the existing site issues the key: pass it with --key, and its secret in GANTRY_APP_SECRET, through a
pipe or at the prompt.
pause shows a card in place of the app and refuses its calls and keys, until resume. No data is lost.
remove deletes the app's address, keys, grants, and records of which members have it. Its data and posts stay.

  --id ID           Id of the app (default: the folder's name; dist, build, out and public cannot be ids)
  --update          It is the same app; registers it if there is none
  --replace         It is another app; the old one is deleted
  --fix             check: adapt gadget.json to the last run of gantry dev
  --strict          check: exit with 1 for warnings, too
  --yes             Do not ask before --replace or --fix
  --title TEXT      Name of a remote app
  --manifest FILE   gadget.json of a remote app, where page may be left out
  --key KEY         Consumer key that an existing site issued for the app
  --trusted         Do not ask members
  --no-trusted      Ask members again
  --json            Print the result as JSON

Exit codes of check:
  0  can be registered; with --fix: written, or nothing to write
  1  cannot be registered, or --strict and there are warnings
  2  usage error, or --fix without a run to compare with
  3  --fix showed changes and did not write them: no --yes, no terminal, or the answer was no

Examples:
  gantry app check ./my-gadget
  gantry app check ./my-gadget --strict --json
  gantry app check ./my-gadget --fix
  gantry app add ./my-gadget
  gantry app add ./my-gadget --update
  gantry app add ./gadgets/* --update
  gantry app add ./other/dist --id my-gadget --replace
  gantry app add https://apps.example/quiz/ --id quiz --title Quiz --manifest quiz.json
  gantry app add ./my-gadget --key my-gadget-key < secret.txt
  gantry app show my-gadget
  gantry app pause my-gadget
  gantry app remove quiz`,
  run: withVerbs('app', { check, add, push, pack, list, show, status, approve, refuse, pause, resume, remove }),
};
