// The viewer's preferences: one more key of this app's AppData, which notes.js reads. Each choice
// saves itself.

const element = (id) => document.getElementById(id);
const form = element('preferences');
form.addEventListener('change', save);
load().catch(reportError);

async function load() {
  try {
    const answer = await osapi.appdata.get({ userId: '@viewer', keys: ['preferences'] });
    const [{ preferences } = {}] = Object.values(answer);
    const stored = preferences ? JSON.parse(preferences) : {};
    for (const [name, value] of Object.entries(stored)) if (form.elements[name]) form.elements[name].value = value;
    element('message').hidden = true;
    form.hidden = false;
  } catch (error) {
    element('message').textContent =
      error.code === 401 ? 'Sign in to choose how your notes look.' : 'Your preferences could not be fetched just now.';
  }
  gadgets.window.adjustHeight();
}

async function save() {
  const preferences = JSON.stringify(Object.fromEntries(new FormData(form)));
  tell('Saving …');
  try {
    await osapi.appdata.update({ userId: '@viewer', data: { preferences } });
    tell('Saved.');
  } catch {
    tell('Not saved: the site did not answer. Choose again.');
  }
}

function tell(text) {
  element('state').textContent = text;
  gadgets.window.adjustHeight();
}
