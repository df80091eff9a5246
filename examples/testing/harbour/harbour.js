/* global osapi */
const at = (id) => document.getElementById(id);

function list(id, texts) {
  at(id).replaceChildren(...texts.map((text) => Object.assign(document.createElement('li'), { textContent: text })));
}

function say(text) {
  at('status').textContent = text;
}

function fail({ code }) {
  say(`That did not work: ${code}.`);
}

osapi.people.getViewer().then(({ displayName }) => {
  at('greeting').textContent = `Hello ${displayName}`;
}, fail);
osapi.people.getViewerFriends({ count: 5 }).subscribe(
  ({ list: people }) =>
    list(
      'friends',
      people.map(({ displayName }) => displayName),
    ),
  fail,
);
osapi.activities.get({ userId: '@viewer', groupId: '@friends', count: 5 }).subscribe(
  ({ list: activities }) =>
    list(
      'told',
      activities.map(({ title }) => title),
    ),
  fail,
);
osapi.appdata.get({ keys: ['note'] }).then((data) => {
  at('note').value = Object.values(data)[0]?.note ?? '';
}, fail);

at('form').addEventListener('submit', (event) => {
  event.preventDefault();
  osapi.appdata.update({ data: { note: at('note').value } }).then(() => say('Saved.'), fail);
});
at('post').addEventListener('click', () => {
  osapi.activities.create({ activity: { title: at('note').value || 'High water' } }).then(() => say('Told.'), fail);
});
at('remind').addEventListener('click', () => {
  say('Waiting.');
  setTimeout(() => say(`It is time, ${new Date().toISOString().slice(0, 10)}.`), 30_000);
});
