// The friends of the page's owner, twenty at a time.
// `osapi` and `gadgets` come from /gantry/osapi.js; nothing here needs a build.

const pageSize = 20;
const fields = ['aboutMe', 'addresses', 'birthday'];

// Replaces a picture that a member does not have, or that does not load.
const faceless =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><path fill="gray" fill-opacity=".5" d="M48 20a17 20 0 0 1 0 40 17 20 0 0 1 0-40M14 100c0-20 14-30 34-30s34 10 34 30z"/></svg>';

const element = (id) => document.getElementById(id);
let startIndex = 0;
let total = 0;
let lastPicked;

element('previous').addEventListener('click', () => turnTo(startIndex - pageSize));
element('next').addEventListener('click', () => turnTo(startIndex + pageSize));
element('retry').addEventListener('click', () => showPage(startIndex));
element('back').addEventListener('click', closeProfile);
element('profile').addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  event.preventDefault(); // handled here, not by the page
  closeProfile();
});
gadgets.util.registerOnLoadHandler(() => showPage(0));

function turnTo(start) {
  if (start >= 0 && start < total) showPage(start).catch(reportError);
}

async function showPage(start) {
  element('overview').setAttribute('aria-busy', 'true');
  try {
    // Both calls leave together. Without a viewer the first one fails, and its error is shown.
    const [viewer, page] = await Promise.all([
      osapi.people.getViewer(),
      osapi.people.get({
        userId: '@owner',
        groupId: '@friends',
        fields,
        count: pageSize,
        startIndex: start,
      }),
    ]);
    startIndex = page.startIndex;
    total = page.totalResults;
    if (total === 0) {
      say(
        viewer.isOwner
          ? 'No friends here yet. They turn up at the slip, usually around seven.'
          : 'No friends to show yet.',
      );
    } else {
      renderPage(page);
    }
  } catch (error) {
    if (error.code === 401) say('Sign in to see friends and who they are.');
    else say('Friends could not be fetched just now.', { retry: true });
  }
  element('overview').setAttribute('aria-busy', 'false');
}

function renderPage({ list }) {
  element('people').replaceChildren(...list.map(renderPerson));
  const last = startIndex + list.length;
  const position = `${startIndex + 1}–${last} of ${total}`;
  if (element('position').textContent) gantry.announce(`Friends ${position}`).catch(() => {}); // a later page, not the first
  element('position').textContent = position;
  element('pager').hidden = total <= pageSize;
  // Not `disabled`: a button that is disabled while it has the focus loses it.
  element('previous').ariaDisabled = String(startIndex === 0);
  element('next').ariaDisabled = String(last >= total);
  show('overview');
}

function renderPerson(person) {
  const item = element('person').content.cloneNode(true);
  const button = item.querySelector('button');
  showPicture(item.querySelector('img'), person);
  item.querySelector('.name').textContent = person.displayName;
  button.addEventListener('click', () => openProfile(person, button));
  return item;
}

function openProfile(person, button) {
  lastPicked = button;
  showPicture(element('profile-picture'), person);
  element('profile-name').textContent = person.displayName;
  element('profile-about').textContent = person.aboutMe || 'Has not written about themselves.';
  const facts = { Lives: person.addresses?.[0]?.region, Birthday: birthday(person.birthday) };
  element('profile-facts').replaceChildren(...Object.entries(facts).flatMap(renderFact));
  show('profile');
  element('profile-name').focus();
}

function renderFact([name, value]) {
  if (!value) return [];
  const term = document.createElement('dt');
  const detail = document.createElement('dd');
  term.textContent = name;
  detail.textContent = value;
  detail.dir = 'auto';
  return [term, detail];
}

function closeProfile() {
  show('overview');
  lastPicked?.focus();
}

// The year `0000` means that the year is private.
function birthday(text) {
  if (!text) return undefined;
  const [year, month, day] = text.split('/').map(Number);
  const date = new Date(Date.UTC(year || 2000, month - 1, day));
  const style = { day: 'numeric', month: 'long', timeZone: 'UTC', ...(year && { year: 'numeric' }) };
  return new Intl.DateTimeFormat(undefined, style).format(date);
}

function showPicture(image, { thumbnailUrl }) {
  image.onerror = () => {
    image.onerror = null;
    image.src = faceless;
  };
  image.src = thumbnailUrl || faceless;
}

function say(text, { retry = false } = {}) {
  element('message').textContent = text;
  show('message');
  element('retry').hidden = !retry;
  gadgets.window.adjustHeight();
}

function show(id) {
  for (const part of ['message', 'overview', 'profile']) element(part).hidden = part !== id;
  element('retry').hidden = true;
  gadgets.window.adjustHeight();
}
