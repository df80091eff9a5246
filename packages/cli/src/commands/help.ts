const general = `Gantry hosts other people's apps safely and gives them the site's people, activities, AppData and albums.

Usage: gantry COMMAND [options]

  serve       Run the Social REST API and the app proxy on one port
  import      Load a world file: members, friendships, apps, activities, albums
  app         Register, list and remove apps
  consumer    Make, list and revoke OAuth consumer keys

Every command takes:
  --data DIR        Data folder (GANTRY_DATA, default .gantry)
  --database FILE   SQLite file (GANTRY_DATABASE, default gantry.db in the data folder)
  --help            Help on a command

Examples:
  gantry import world.json
  gantry consumer add --kind member --member 7
  gantry serve --port 8080
  gantry app add ./my-gadget`;

const serve = `Usage: gantry serve [options]

Runs until it is stopped, and finishes what it accepted.

  --port N          Port (PORT, default 4400; 0 lets the system choose)
  --host NAME       Address to listen on (GANTRY_HOST, default 127.0.0.1, so only this machine)
  --url URL         Public address: signed, printed, part of every link (GANTRY_URL, default http://localhost:PORT)
  --apps-host HOST  Origin of app documents (GANTRY_APPS_HOST). Absent: the site's own host, kept opaque by the sandbox.
                    sandbox.example gives apps one origin, *.apps.example one for each app.
  --data, --database, --help

Logs are JSON lines on standard error; GANTRY_LOG is their level (default warn).

Examples:
  gantry serve
  gantry serve --host 0.0.0.0 --url https://social.example
  gantry serve --apps-host '*.apps.localhost:4400'`;

const importHelp = `Usage: gantry import FILE [--json] [--data DIR]

Loads a world file (docs/world-file.md) into the site: all of it, or, when one record is bad, nothing, and the record is
named by its path. Records that exist are updated. A running server sees the result at once.

  --json            Print the report as JSON

Examples:
  gantry import world.json
  gantry import world.json --json --data /var/lib/gantry`;

const app = `Usage: gantry app add FOLDER|URL [--id ID] [--title TEXT] [--json]
       gantry app list [--json]
       gantry app remove ID

add registers a folder with a gadget.json, which Gantry serves in a sandbox, or the address of an app's own server. It
makes the key with which the site signs the app's calls; that key is kept sealed and is never shown.
remove forgets the app's address and keys. What it stored and posted stays.

  --id ID           Id of the app (default: the folder's name)
  --title TEXT      Name of a remote app
  --json            Print the result as JSON

Examples:
  gantry app add ./my-gadget
  gantry app add https://apps.example/quiz/ --id quiz --title Quiz
  gantry app list
  gantry app remove quiz`;

const consumer = `Usage: gantry consumer add --kind KIND [--app ID] [--member ID] [--any-member] [--json]
       gantry consumer list [--json]
       gantry consumer revoke KEY

add prints a new key and its secret. The secret is shown this once. A running server honours it at once.

  --kind app        A key of one app: --app ID. Its requests speak for members who have the app.
  --kind member     A member's own key: --member ID. Its requests speak for that member.
  --kind admin      An administrator's key; --any-member lets its 2-legged requests speak for any member.
  --json            Print the result as JSON

Examples:
  gantry consumer add --kind member --member 7
  gantry consumer add --kind app --app notes --json
  gantry consumer list
  gantry consumer revoke 4f9f0c2ad1`;

/** Help texts by command; the empty name is the general one. */
export const help: Readonly<Record<string, string>> = { '': general, serve, import: importHelp, app, consumer };
