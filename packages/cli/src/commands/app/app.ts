import { type Command, withVerbs } from '../../command.ts';
import { add } from './add.ts';
import { check } from './check.ts';
import { approve, refuse } from './decide.ts';
import { history } from './history.ts';
import { pause, remove, resume } from './lifecycle.ts';
import { list } from './list.ts';
import { pack } from './pack.ts';
import { preview } from './preview.ts';
import { push } from './push.ts';
import { historyOnSite, orOnSite, pauseOnSite, previewOnSite, resumeOnSite, rollbackOnSite } from './remote.ts';
import { rollback } from './rollback.ts';
import { show } from './show.ts';
import { status } from './status.ts';

export const app: Command = {
  name: 'app',
  summary: 'Check, add, push, approve, roll back, preview, pause and remove apps',
  help: `Usage: gantry app check FOLDER [--fix [--yes]] [--strict] [--json]
       gantry app add FOLDER|FILE|URL… [--id ID] [--update | --replace [--yes]] [--live [--force]] [--despite-data]
                      [--title TEXT] [--manifest FILE] [--key KEY] [--trusted | --no-trusted] [--json]
       gantry app pack [FOLDER] [--out FILE] [--json]
       gantry app push [FOLDER|FILE] --site URL [--id ID] [--as live|approval|preview] [--members LIST] [--wait]
                       [--tests FILE] [--note TEXT] [--despite-data] [--json]
       gantry app status [ID] [--site URL] [--json]
       gantry app approve [ID] [VERSION] [--site URL] [--yes] [--despite-data] [--json]
       gantry app refuse [ID] [VERSION] [--site URL] [--yes] [--reason TEXT] [--json]
       gantry app list [--json]
       gantry app show ID [--json]
       gantry app history ID [--json]
       gantry app rollback ID [VERSION] [--despite-data] [--json]
       gantry app preview ID FOLDER|FILE|VERSION --members LIST [--json]
       gantry app preview ID VERSION --end [--members LIST] [--json]
       gantry app preview ID [--json]
       gantry app pause ID [--json]
       gantry app resume ID [--json]
       gantry app remove ID [--json]
       gantry app history|rollback|preview|pause|resume … --site URL

check examines an app's folder without registering it: errors in gadget.json and their places, the permissions that
members will be asked for, missing files, addresses that will not load, browser storage without a host for it, calls that
are made but not declared and the reverse, and HTML and scripts that the sandbox refuses. Each finding has a place, an id
and a remedy. After a run of gantry dev it compares gadget.json with that run; --fix adds what the run needed, removes what
neither the run nor a file uses, shows the changes and the new permissions, and asks before it writes.
add stores the files of a folder with a gadget.json, or of a file of gantry app pack, as a version, which Gantry serves in
a sandbox, or registers the address of an app's own server, and prints the findings of check. It creates the key that
signs the app's calls, which is stored encrypted and never shown. An app may do what its gadget.json declares and the
member allows; members are asked when they first see it. With --trusted the site trusts the app, and they are not asked. A
remote app without --manifest may do nothing. After a change, add the app again with --update: the new version is live at
once, and if nothing has changed, nothing happens. With --live the folder is served as it is instead, for development:
each change of a file counts at the next load, and there is no way back.
Of several folders each has a line, with --json a line of JSON; the exit code is 1 if one was not added.
An id that is taken, or that a removed app had, is refused. --update: the same app; members keep their grants and its
data, and are asked for new permissions; --trusted is kept. --replace: another app; the old one's grants, data and keys
are deleted, after a question with the number of members concerned. An app on its own server is the same while its origin
is.
Behind gantry proxy the existing site issues the key: pass it with --key, and its secret in GANTRY_APP_SECRET, through a
pipe or at the prompt.
pack writes the files of a folder that Gantry serves as one plain tar, with the digest that a push of the folder has.
push sends a version to a site, from any machine: only what the site does not have. It checks the app, and prints what the
site found out: permissions and hosts beside the live version, and sizes. Repeat a push that stopped, and it goes on. The
site's owner sees your findings of check, --note, the commit in CI and the counts of --tests as your own words.
The key comes from GANTRY_KEY or the prompt; the owner makes it with gantry keys add. By it the push is live, waits for
approval or is a preview for --members. Without --id it is for the only app of the key; without a folder it is dist, if
that has an app, else this folder.
status, approve and refuse show which versions wait, and decide: here, or with --site and a key that may live.
history, rollback, preview, pause and resume do with --site the same there. GANTRY_SITE stands for --site.
history lists the stored versions of an app. The last ten are kept: GANTRY_KEPT_VERSIONS of the server.
rollback makes an earlier version live again: the one before, or one that is named by its first digits or by the version
of its gadget.json. Data is not rolled back: if gadget.json says that the older version reads older data, it asks.
preview offers a version to some members before it is live: each is asked once, where the gadget is. Whoever knows the
whole digest of a version can fetch its files.
pause shows a card in place of the app and refuses its calls and keys, until resume. No data is lost.
remove deletes the app's address, keys, grants, and records of which members have it. Its data and posts stay.

  --site URL        Site, over https or on this machine (GANTRY_SITE); its key is in GANTRY_KEY
  --as MAY          push: less than the key may: live, approval or preview
  --wait            push: wait for the decision; exit with 1 if it is a refusal
  --tests FILE      push: report of Playwright's or Vitest's JSON reporter, of which the counts are sent
  --note TEXT       push: text for the site's owner
  --reason TEXT     refuse: text for the author
  --out FILE        pack: file to write (default: the folder's name and version)
  --id ID           Id of the app (default: the folder's name; dist, build, out and public cannot be ids)
  --live            Serve the folder as it is, for development; for a site at a public address it needs --force
  --despite-data    Make a version live that is for older data than the live one
  --members LIST    Ids of members, separated by commas
  --end             End a preview, for all members or those of --members
  --update          It is the same app; registers it if there is none
  --replace         It is another app; the old one is deleted
  --fix             check: adapt gadget.json to the last run of gantry dev
  --strict          check: exit with 1 for warnings, too
  --yes             Do not ask before --replace, --fix, approve or refuse
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
  gantry app add ./my-gadget --live
  gantry app history my-gadget
  gantry app rollback my-gadget
  gantry app rollback my-gadget 1.4.0
  gantry app preview my-gadget ./dist --members 7,8
  gantry app pack ./dist --out my-gadget.tar
  gantry app push --site https://social.example
  gantry app push ./dist --id my-gadget --wait --tests report.json
  gantry app approve my-gadget
  gantry app approve my-gadget 3f2a9c0d1e22 --site https://social.example --yes
  gantry app rollback my-gadget --site https://social.example
  gantry app add ./other/dist --id my-gadget --replace
  gantry app add https://apps.example/quiz/ --id quiz --title Quiz --manifest quiz.json
  gantry app add ./my-gadget --key my-gadget-key < secret.txt
  gantry app show my-gadget
  gantry app pause my-gadget
  gantry app remove quiz`,
  run: withVerbs('app', {
    ...{ check, add, pack, push, list, show, status, approve, refuse, remove },
    history: orOnSite(history, historyOnSite),
    rollback: orOnSite(rollback, rollbackOnSite),
    preview: orOnSite(preview, previewOnSite),
    pause: orOnSite(pause, pauseOnSite),
    resume: orOnSite(resume, resumeOnSite),
  }),
};
