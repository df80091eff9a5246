import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../packages/server/test/free-port.ts';
import { type Browser, startOr, type Tab, viewport } from './browser.ts';
import { loadSelenium, type SeleniumDriver, type SeleniumElement } from './drivers.ts';

interface Session {
  readonly driver: SeleniumDriver;
  close(): Promise<void>;
}

/** Starts WebKitGTK on a display of its own, driven by selenium-webdriver. */
export function startWebkit(home: string): Promise<Browser> {
  return startOr('WebKitGTK', 'webkit2gtk-driver or xvfb', async () => {
    const screen = await startScreen();
    const env = { ...process.env, ...screen.env, HOME: home, LANG: 'en_US.UTF-8' }; // with C, its language is none
    const sessions = new Set<Session>();
    const close = async () => {
      for (const session of sessions) await session.close();
      await end(screen.program);
    };
    try {
      const first = await startSession(env);
      sessions.add(first);
      const capabilities = await first.driver.getCapabilities();
      return {
        name: 'WebKitGTK',
        version: capabilities.get('browserVersion'),
        async openTab() {
          const session = await startSession(env); // a driver has one session, a session one set of cookies
          sessions.add(session);
          return tabOf(session);
        },
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  });
}

async function startScreen(): Promise<{ readonly program: ChildProcess; readonly env: NodeJS.ProcessEnv }> {
  const size = ['-screen', '0', '1600x1200x24'];
  const program = startProgram('Xvfb', ['-displayfd', '1', '-nolisten', 'tcp', ...size], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = await Promise.race([once(program.stdout as NodeJS.ReadableStream, 'data'), failed(program)]);
  return { program, env: { DISPLAY: `:${String(number).trim()}` } };
}

/** Starts a program that ends with this process. */
function startProgram(path: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const program = spawn(path, args, options);
  const kill = () => program.kill();
  process.on('exit', kill);
  program.on('exit', () => process.off('exit', kill));
  program.on('error', () => {}); // awaited by `failed`
  return program;
}

async function startSession(env: NodeJS.ProcessEnv): Promise<Session> {
  const port = await freePort();
  const program = startProgram('WebKitWebDriver', [`--port=${port}`], { env, stdio: 'ignore' });
  try {
    await Promise.race([listens(port), failed(program)]);
    const { Builder, Capabilities } = loadSelenium();
    const options = { binary: findMiniBrowser(), args: ['--automation'] };
    const capabilities = { browserName: 'MiniBrowser', 'webkitgtk:browserOptions': options };
    const driver = await new Builder()
      .usingServer(`http://127.0.0.1:${port}`)
      .withCapabilities(new Capabilities(capabilities))
      .build();
    await driver.manage().setTimeouts({ script: 20_000 });
    await driver.manage().window().setRect(viewport);
    let isOpen = true;
    return {
      driver,
      async close() {
        if (!isOpen) return;
        isOpen = false;
        await driver.quit();
        await end(program);
      },
    };
  } catch (error) {
    await end(program);
    throw error;
  }
}

/** Rejects when a program ends or cannot start. */
async function failed(program: ChildProcess): Promise<never> {
  const [code] = await once(program, 'exit'); // rejects if it cannot start
  throw new Error(`${program.spawnfile} ended with code ${code}`);
}

async function listens(port: number): Promise<void> {
  const answers = () =>
    fetch(`http://127.0.0.1:${port}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const startedAtMs = performance.now(); !(await answers()); await pause(50)) {
    if (performance.now() - startedAtMs > 10_000) throw new Error('WebKitWebDriver does not answer');
  }
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null || program.signalCode !== null) return;
  program.kill();
  await once(program, 'exit');
}

/** Finds the program below /usr/lib/ARCHITECTURE, which is on no PATH. */
function findMiniBrowser(): string {
  for (const folder of readdirSync('/usr/lib')) {
    const program = `/usr/lib/${folder}/webkit2gtk-4.1/MiniBrowser`;
    if (existsSync(program)) return program;
  }
  throw new Error('There is no MiniBrowser');
}

function tabOf({ driver, close }: Session): Tab {
  const { Key } = loadSelenium();
  async function enter(frame: string | undefined): Promise<void> {
    await driver.switchTo().defaultContent();
    if (frame !== undefined) await driver.switchTo().frame(await find(driver, frame));
  }

  return {
    goTo: (address) => driver.get(address),
    async setCookie({ url, ...cookie }) {
      await driver.get(`${url}/robots.txt`); // a cookie is set for the page that is open
      await driver.manage().addCookie(cookie);
    },
    async read<T>(expression: string, frame?: string) {
      await enter(frame);
      const { value, error } = await driver.executeAsyncScript<{ value: T; error?: string }>(
        `const done = arguments[arguments.length - 1];
         (async () => (${expression}))().then((value) => done({ value }), (error) => done({ error: String(error) }));`,
      );
      if (error !== undefined) throw new Error(error);
      return value;
    },
    async click(element, frame) {
      await enter(frame);
      await (await find(driver, element)).click();
    },
    bringToFront: async () => {}, // each is a window of its own
    press: (key) =>
      driver
        .actions()
        .sendKeys(Key[key.toUpperCase()] as string)
        .perform(),
    type: (text) => driver.actions().sendKeys(text).perform(),
    close,
  };
}

async function find(driver: SeleniumDriver, expression: string): Promise<SeleniumElement> {
  const element = await driver.executeScript<SeleniumElement | null>(`return ${expression}`);
  if (!element) throw new Error(`No element: ${expression}`);
  return element;
}
