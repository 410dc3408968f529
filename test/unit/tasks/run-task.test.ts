import { expect, it } from 'vitest';
import { runTask } from '../../../src/tasks/run-task';
import { tempDir } from '../../support/temp-dir';

it('a mode that nobody knows is answered with all that there are', async () => {
  const dir = tempDir();
  const server_connection = { Scheme: 'http', Host: '127.0.0.1', Port: 9, Dir: dir, PluginDir: dir };
  const { error } = await runTask(JSON.stringify({ server_connection, args: { mode: 'tidy' } }), dir);
  expect(error).toMatch(/^"mode" is "tidy", but must be one of /);
  const modes = error?.replace(/.* one of /, '').split(', ');
  expect(modes).toEqual([
    'process',
    'sync_all',
    'sync_recent',
    'pause',
    'resume',
    'clear_queue',
    'health',
    'reset_breaker',
    'reconcile',
    'explain',
    'dry_run',
    'dead_letters',
    'retry_dead_letters',
    'discard_dead_letters',
    'status',
    'outages',
    'metrics',
  ]);
});
