/* global osapi */
const status = document.querySelector('[role=status]');
let count = 0;

osapi.people.getViewer().then(({ displayName }) => {
  document.querySelector('h1').textContent = `Tally of ${displayName}`;
});
osapi.appdata.get({ keys: ['count'] }).then((own) => {
  count = Number(Object.values(own)[0]?.count ?? 0);
  status.textContent = `${count} counted`;
});
document.querySelector('button').addEventListener('click', () => {
  count += 1;
  osapi.appdata.update({ data: { count: String(count) } }).then(
    () => {
      status.textContent = `${count} counted`;
    },
    ({ code }) => {
      status.textContent = `Not kept: ${code}`;
    },
  );
});
setInterval(() => {
  document.title = new Date().toISOString();
}, 60_000);
