/**
 * Everything that is secret goes through one long story with as many failures as possible, and is then looked for
 * wherever Sluice leaves anything: files, logs, answers, addresses, and the processes that it started.
 */
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type Household, until } from '../sim/household';
import { modeOf } from '../support/files';
import { home } from '../support/home';
import { attentive, plexIn, workerEnded } from '../support/worker-life';

const secrets = {
  token: 'a-plex-token-nobody-may-see',
  wrongToken: 'a-wrong-token-nobody-may-see',
  tokenWithBlank: 'blank in-this-token-nobody-may-see',
  guestToken: 'a-guest-token-nobody-may-see',
  password: 'plex-password-nobody-may-see',
  apiKey: 'the-api-key-nobody-may-see',
  newApiKey: 'another-api-key-nobody-may-see',
};
const common = 'nobody-may-see';

interface Seen {
  pid: string;
  argv: string;
  environ: string;
}

/** Notes command line and environment of every process that has to do with the household, while it runs. */
function watchProcesses(household: Household): Map<string, Seen> {
  const seen = new Map<string, Seen>();
  const look = () => {
    for (const pid of readdirSync('/proc')) {
      if (!/^\d+$/.test(pid)) continue;
      try {
        const argv = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        if (!argv.includes(household.dir) || seen.has(`${pid} ${argv}`)) continue;
        seen.set(`${pid} ${argv}`, { pid, argv, environ: readFileSync(`/proc/${pid}/environ`, 'utf8') });
      } catch {
        // It has ended.
      }
    }
  };
  const timer = setInterval(look, 10);
  onTestFinished(() => clearInterval(timer));
  return seen;
}

/** All cookies that were ever given to Sluice: by hooks, and by Stash's answers. */
function cookiesOf({ stash }: Household): string[] {
  const brought = stash.runs.entries.map(({ input }) => input.server_connection.SessionCookie.Value);
  const sent = stash.requests.entries
    .filter(({ byPerson }) => !byPerson)
    .map(({ headers }) => /^session=(.+)$/.exec(headers.cookie ?? '')?.[1] ?? '');
  return [...new Set([...brought, ...sent])].filter(Boolean);
}

function filesOf({ state }: Household): { name: string; path: string; text: string }[] {
  return readdirSync(state.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .map((path) => ({ path, name: path.slice(state.root.length + 1), text: readFileSync(path, 'utf8') }));
}

it('no secret appears where it does not belong, whatever goes wrong', async () => {
  const libraries = ['Films', 'Talks'].map((title) => ({ title, locations: ['/media'] }));
  const household = await home({
    scenes: 3,
    configured: false,
    env: attentive,
    stash: { username: 'somebody', apiKey: secrets.apiKey },
    plex: { token: secrets.token, guestToken: secrets.guestToken, libraries },
  });
  const { stash, plex, state } = household;
  const processes = watchProcesses(household);
  const answers: unknown[] = [];
  const ask = async (mode: string, args = {}) => {
    answers.push(
      await stash.runOperation('sluice', { mode, ...args }).catch((error: Error) => error.message),
    );
  };
  const logged = (text: string) => until(`"${text}" is in the log`, () => household.log().includes(text));
  /** Saves something with these settings, and has them tried at once. */
  const save = async (settings: Record<string, unknown>, title: string) => {
    await household.configure(settings);
    await stash.edit({ id: 1, title });
    await household.tryPlexNow();
  };

  // Bad settings, each with a secret in it.
  const { port } = plex;
  await save({ plexUrl: `http://owner:${secrets.password}@127.0.0.1:${port}` }, 'A password in the address');
  await logged('must not hold a user name or a password');
  await save({ plexUrl: `owner:${secrets.password}@127.0.0.1:${port}` }, 'Without http');
  await save({ plexUrl: `ftp://owner:${secrets.password}@127.0.0.1` }, 'Something else');
  await save(
    { plexUrl: `http://127.0.0.1:99999999/?X-Plex-Token=${secrets.token}` },
    'The token in the address',
  );
  await logged('must be an address such as');
  await save({ plexToken: secrets.tokenWithBlank }, 'A token with a blank');
  await logged('must be one word');
  // Troubles of Plex.
  await save({ plexToken: secrets.wrongToken }, 'Not accepted');
  await logged('Plex does not accept the token (HTTP 401)');
  await save({ plexToken: secrets.guestToken }, 'May not edit');
  await logged('may read from Plex but not edit (HTTP 403)');
  plex.setFault({ kind: 'maintenance' });
  await save({}, 'Starting');
  await logged('(HTTP 503)');
  await plex.goDown();
  await save({}, 'Gone');
  await logged('connection refused');
  await ask('process');
  await ask('status');
  plex.setFault(null);
  await plex.comeBack();
  // A dead letter.
  plex.addItem({ library: 'Talks', file: household.file(2) });
  await stash.edit({ id: 2, title: 'In two libraries' });
  await save({}, 'Well again');
  await logged('Gave up on scene 2');
  // A file that cannot be used, with a cookie in it.
  const broken = household.leaveEvent(3);
  appendFileSync(broken, ' }');
  await logged('cannot be used: the input is not JSON');
  // Troubles of Stash.
  stash.credentials.apiKey = secrets.newApiKey;
  await stash.edit({ id: 3, title: 'With another key' });
  await household.drained();
  await stash.stop();
  await logged('Sluice cannot read from Stash');
  await stash.restart();
  await ask('sync_recent', { hours: secrets.token }); // what a person typed by mistake
  await ask('no-such-mode');
  await stash.runTask('sluice', 'Status');
  household.killWorkers();
  await workerEnded(household);
  const waiting = household.leaveEvent(1);
  writeFileSync(join(state.inbox, 'h9-0.part'), readFileSync(waiting), { mode: 0o600 });
  household.startWorker();
  await until('it works', () => {
    const pid = household.status()?.worker.pid;
    return pid === household.worker() && plexIn(household)?.url === plex.url;
  });
  await ask('sync_all');

  household.killWorkers();
  await workerEnded(household);
  const cookies = cookiesOf(household);
  expect(cookies.length).toBeGreaterThan(5);
  const shows = (text: string) => text.includes(common) || cookies.some((cookie) => text.includes(cookie));

  // Files: the cookie only where it has to be, anything else nowhere.
  const mayHoldCookie = /^(connection\.json(\.prev)?|inbox\/.+)$/;
  const files = filesOf(household);
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'connection.json',
      'dead-letters.ndjson',
      'inbox/h9-0.part',
      'lease.json',
      'queue.ndjson',
      'status.json',
      'targets/plex/gate.json',
      'targets/plex/ledger.ndjson',
      'worker.log',
    ]),
  );
  expect(files.some(({ name }) => name.startsWith('inbox/rejected/'))).toBe(true);
  for (const { name, text } of files) {
    if (mayHoldCookie.test(name)) expect(text, name).not.toContain(common);
    else expect(shows(text), name).toBe(false);
  }
  expect(files.filter(({ name, text }) => mayHoldCookie.test(name) && shows(text)).length).toBeGreaterThan(2);
  for (const { path } of files) expect(modeOf(path), path).toBe('600');
  const folders = readdirSync(state.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const folder of [state.root, ...folders]) expect(modeOf(folder), folder).toBe('700');

  // What a person reads.
  for (const { message } of stash.log.entries) expect(shows(message), message).toBe(false);
  for (const answer of answers) expect(shows(JSON.stringify(answer)), JSON.stringify(answer)).toBe(false);
  expect(answers).toHaveLength(5);

  // Addresses.
  expect(plex.violations).toEqual([]);
  for (const { url } of plex.requests) expect(shows(decodeURIComponent(url)), url).toBe(false);
  const paths = stash.requests.entries.map(({ path }) => path);
  expect(paths.some((path) => path.includes('/screenshot'))).toBe(true);
  for (const path of paths) expect(path).toMatch(/^(\/graphql|\/scene\/\d+\/screenshot\?t=\d+)$/);

  // Processes: hooks, starters, tasks and workers.
  const seen = [...processes.values()];
  expect(seen.filter(({ argv }) => argv.includes('worker.js')).length).toBeGreaterThanOrEqual(2);
  expect(seen.some(({ argv }) => argv.includes('sluice.js'))).toBe(true);
  for (const { argv, environ } of seen) {
    expect(shows(argv), argv).toBe(false);
    expect(shows(environ), argv).toBe(false);
  }
  for (const { argv } of stash.runs.entries) expect(shows(argv.join(' '))).toBe(false);
});
