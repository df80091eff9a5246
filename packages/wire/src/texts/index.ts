export { en, type Messages } from './en.ts';
export { chooseLanguage, type Language, languages, messagesIn } from './languages.ts';
export { startProblems } from './start-problems.ts';
