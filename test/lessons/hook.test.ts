/** What others learned about hooks. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { PluginFolder } from '../support/plugin-folder';

it.each<[string, (folder: PluginFolder, input: string) => ReturnType<PluginFolder['run']>]>([
  ['the launcher', (folder, input) => folder.run({ input })],
  ['the hook in TypeScript', (folder, input) => folder.runTypeScript({ input })],
])('%s leaves Stash alone [lesson 27: a hook asks Stash nothing]', async (_, hook) => {
  let connections = 0;
  const stash = createServer((_request, response) => void response.end('{}'));
  stash.on('connection', () => void connections++);
  stash.listen(0, '127.0.0.1');
  await once(stash, 'listening');
  onTestFinished(() => void stash.close());
  const { port } = stash.address() as AddressInfo;

  const folder = PluginFolder.inUse();
  const input = folder.input('hook-scene-update.json', ({ server_connection }) => {
    Object.assign(server_connection ?? {}, { Host: '127.0.0.1', Port: port });
  });
  const run = await hook(folder, input);
  await folder.started();
  expect(run).toMatchObject({ code: 0, answer: { output: 'queued' } });
  expect(connections).toBe(0);
});
