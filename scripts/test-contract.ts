/**
 * Drives the Plex simulator with python-plexapi, a client that others wrote against real servers, and compares
 * its edits with ours: `npm run test:contract`. Says in one sentence when there is no plexapi to be had.
 */
import { checkEditing } from '../test/contract/editing';
import { checkPictures } from '../test/contract/pictures';
import { PlexApi } from '../test/contract/plexapi';
import { findPython } from '../test/contract/python';
import { checkReading } from '../test/contract/reading';
import { Report } from '../test/contract/report';
import { checkTwins } from '../test/contract/twins';

async function main(): Promise<number> {
  const found = await findPython({ memory: 'node_modules/.cache/sluice/contract-python' });
  if ('missing' in found) {
    console.log(`The contract test was skipped: ${found.missing}.`);
    return 0;
  }
  const report = new Report((line) => console.log(line));
  const api = new PlexApi(found.python);
  try {
    const tools = { api, report };
    await checkReading(tools);
    await checkEditing(tools);
    await checkPictures(tools);
    await checkTwins(tools);
  } finally {
    api.stop();
  }
  console.log(report.summary());
  return report.passed ? 0 : 1;
}

process.exitCode = await main();
