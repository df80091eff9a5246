import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// Types of the parts in use: the packages of tools/browsers are there only after the first run.

/** `puppeteer-core`. */
export interface Puppeteer {
  launch(options: {
    readonly browser: 'firefox';
    readonly executablePath: string;
    readonly headless: boolean;
    readonly env: NodeJS.ProcessEnv;
  }): Promise<PuppeteerBrowser>;
}

export interface PuppeteerBrowser {
  version(): Promise<string>;
  createBrowserContext(): Promise<PuppeteerContext>;
  close(): Promise<void>;
}

export interface PuppeteerContext {
  newPage(): Promise<PuppeteerPage>;
  setCookie(cookie: { readonly name: string; readonly value: string; readonly domain: string }): Promise<void>;
  close(): Promise<void>;
}

export interface PuppeteerPage {
  goto(address: string): Promise<unknown>;
  bringToFront(): Promise<void>;
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
  mainFrame(): PuppeteerFrame;
  readonly keyboard: { press(key: string): Promise<void>; type(text: string): Promise<void> };
}

export interface PuppeteerFrame {
  evaluate<T>(expression: string): Promise<T>;
  evaluateHandle(expression: string): Promise<{ asElement(): PuppeteerElement | null }>;
}

export interface PuppeteerElement {
  click(): Promise<void>;
  contentFrame(): Promise<PuppeteerFrame | null>;
}

/** `selenium-webdriver`. */
export interface Selenium {
  readonly Builder: new () => SeleniumBuilder;
  readonly Capabilities: new (capabilities: Readonly<Record<string, unknown>>) => object;
  readonly Key: Readonly<Record<string, string>>;
}

export interface SeleniumBuilder {
  usingServer(address: string): SeleniumBuilder;
  withCapabilities(capabilities: object): SeleniumBuilder;
  build(): Promise<SeleniumDriver>;
}

export interface SeleniumDriver {
  get(address: string): Promise<void>;
  quit(): Promise<void>;
  getCapabilities(): Promise<{ get(name: string): string }>;
  manage(): {
    setTimeouts(timeouts: { readonly script: number }): Promise<void>;
    window(): {
      setRect(size: { readonly width: number; readonly height: number }): Promise<unknown>;
    };
    addCookie(cookie: { readonly name: string; readonly value: string }): Promise<void>;
  };
  executeScript<T>(script: string): Promise<T>;
  executeAsyncScript<T>(script: string): Promise<T>;
  switchTo(): { defaultContent(): Promise<void>; frame(element: SeleniumElement): Promise<void> };
  actions(): { sendKeys(...keys: readonly string[]): { perform(): Promise<void> } };
}

export interface SeleniumElement {
  click(): Promise<void>;
}

const require = createRequire(join(import.meta.dirname, '../../tools/browsers/package.json'));

export async function loadPuppeteer(): Promise<Puppeteer> {
  return (await import(pathToFileURL(require.resolve('puppeteer-core')).href)).default;
}

export function loadSelenium(): Selenium {
  return require('selenium-webdriver');
}
