// The next birthdays among the viewer's friends. Members allow reading birthdays before it starts;
// permission to post is requested with the first greeting. `osapi` and `gantry` come from
// /gantry/osapi.js; nothing here needs a build.

const soonest = 5;
const dayMs = 86_400_000;

// Replaces a picture that a member does not have, or that does not load.
const faceless =
  'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><path fill="gray" fill-opacity=".5" d="M48 20a17 20 0 0 1 0 40 17 20 0 0 1 0-40M14 100c0-20 14-30 34-30s34 10 34 30z"/></svg>';

const element = (id) => document.getElementById(id);
const copyOf = (id) => element(id).content.firstElementChild.cloneNode(true);

let birthdays = []; // soonest first
let greeted = []; // ids, kept for this instance of the gadget
let shownView;

element('retry').addEventListener('click', load);
element('whole-year').addEventListener('click', () => gantry.views.navigate('canvas'));
gantry.on('context', ({ view }) => view !== shownView && birthdays.length > 0 && show());
load().catch(reportError);

async function load() {
  say('Fetching birthdays …');
  try {
    const friends = osapi.people.get({ userId: '@viewer', groupId: '@friends', fields: ['birthday'], count: 100 });
    const withBirthday = [];
    for await (const friend of friends) if (friend.birthday) withBirthday.push(withDay(friend));
    birthdays = withBirthday.sort((a, b) => a.daysLeft - b.daysLeft);
    greeted = (await gantry.state.get()) ?? [];
    show();
  } catch (error) {
    if (error.code === 401) say('Sign in to see whose birthday is next.');
    else say('Birthdays could not be fetched just now.', { retry: true });
  }
}

/**
 * Returns a friend with the day of their next birthday. The site writes it as 1984/05/17, or as
 * 0000/05/17 if the year is private.
 */
function withDay({ id, displayName, thumbnailUrl, birthday }) {
  const [year, month, day] = birthday.split('/').map(Number);
  const now = new Date();
  const today = Date.UTC(now.getFullYear(), now.getMonth(), now.getDate());
  const thisYear = Date.UTC(now.getFullYear(), month - 1, day);
  const next = thisYear >= today ? thisYear : Date.UTC(now.getFullYear() + 1, month - 1, day);
  const daysLeft = Math.round((next - today) / dayMs);
  const age = year > 0 ? new Date(next).getUTCFullYear() - year : undefined;
  return { id, name: displayName, thumbnailUrl, month, day, date: new Date(next), daysLeft, age };
}

function show() {
  if (birthdays.length === 0) return say('None of your friends has told when their birthday is.');
  shownView = gantry.context?.view;
  const isLarge = shownView === 'canvas';
  if (isLarge) element('year').replaceChildren(...monthsFromNow().map(renderMonth));
  else element('next').replaceChildren(...birthdays.slice(0, soonest).map(renderComing));
  only(isLarge ? 'year' : 'soon');
}

function renderComing(friend) {
  const item = copyOf('coming');
  const greet = item.querySelector('.greet');
  const picture = item.querySelector('img');
  picture.onerror = () => {
    picture.onerror = null;
    picture.src = faceless;
  };
  picture.src = friend.thumbnailUrl || faceless;
  item.classList.toggle('today', friend.daysLeft === 0);
  item.querySelector('.name').textContent = friend.name;
  item.querySelector('.day').textContent = [whenOf(friend), friend.age && `turns ${friend.age}`]
    .filter(Boolean)
    .join(' · ');
  greet.ariaLabel = `Greet ${friend.name}`;
  greet.addEventListener('click', () => openGreeting(friend, item));
  if (greeted.includes(friend.id)) markGreeted(item);
  return item;
}

function openGreeting(friend, item) {
  closeGreeting();
  const form = copyOf('greeting');
  const { text } = form.elements;
  form.querySelector('label span').textContent = `For ${friend.name}, on your stream`;
  text.value = friend.daysLeft === 0 ? `Happy birthday, ${friend.name}!` : `Almost your birthday, ${friend.name}!`;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    post(friend, item, form).catch(reportError);
  });
  form.addEventListener('keydown', (event) => event.key === 'Escape' && closeGreeting());
  form.querySelector('.cancel').addEventListener('click', closeGreeting);
  item.append(form);
  item.querySelector('.greet').hidden = true;
  text.focus();
}

function closeGreeting() {
  const form = document.querySelector('.greeting');
  const greet = form?.closest('.person').querySelector('.greet');
  form?.remove();
  if (greet) greet.hidden = false;
  greet?.focus();
}

async function post(friend, item, form) {
  const buttons = form.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  const problem = await send(form.elements.text.value);
  for (const button of buttons) button.disabled = false;
  if (problem) {
    const line = form.querySelector('.problem');
    line.hidden = false;
    line.textContent = problem;
    form.elements.text.focus(); // the focused button was disabled
    return;
  }
  form.remove();
  markGreeted(item);
  item.querySelector('.done').focus();
  greeted = [...greeted, friend.id];
  gantry.state.set(greeted);
  gantry.ui.toast('Your greeting is on your stream.', { kind: 'success' });
}

/** Resolves with an error message for the member, or with nothing when the greeting is posted. */
async function send(title) {
  try {
    if (!(await gantry.permissions.request(['activities.post']))) return 'Not posted: you did not allow it.';
    await osapi.activities.create({ activity: { title } });
    return undefined;
  } catch (error) {
    const seconds = error.data?.retryAfter;
    if (seconds) return `You have just posted something. Try again in ${Math.ceil(seconds)} s.`;
    return 'Not posted: the site did not answer. Your text stays here.';
  }
}

function markGreeted(item) {
  item.querySelector('.greet').hidden = true;
  item.querySelector('.done').hidden = false;
}

function monthsFromNow() {
  const first = new Date().getMonth() + 1;
  return Array.from({ length: 12 }, (_, index) => ((first - 1 + index) % 12) + 1);
}

function renderMonth(month) {
  const section = copyOf('month');
  const friends = birthdays.filter((one) => one.month === month).sort((a, b) => a.day - b.day);
  section.querySelector('h2').textContent = format(new Date(Date.UTC(2000, month - 1)), { month: 'long' });
  section.querySelector('ul').append(...friends.map(renderDay));
  section.classList.toggle('empty', friends.length === 0);
  return section;
}

function renderDay({ day, name }) {
  const item = document.createElement('li');
  const [number, who] = [document.createElement('b'), document.createElement('span')];
  number.textContent = day;
  who.textContent = name;
  who.dir = 'auto';
  item.append(number, who);
  return item;
}

function whenOf({ daysLeft, date }) {
  if (daysLeft < 2) return daysLeft === 0 ? 'Today' : 'Tomorrow';
  return format(date, { ...(daysLeft < 7 && { weekday: 'long' }), day: 'numeric', month: 'long' });
}

function format(date, style) {
  return new Intl.DateTimeFormat(gantry.context?.locale, { ...style, timeZone: 'UTC' }).format(date);
}

function say(text, { retry = false } = {}) {
  element('message').textContent = text;
  only('message');
  element('retry').hidden = !retry;
}

function only(id) {
  for (const part of ['message', 'soon', 'year']) element(part).hidden = part !== id;
  element('retry').hidden = true;
}
