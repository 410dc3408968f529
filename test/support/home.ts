import { onTestFinished } from 'vitest';
import { Household, type HouseholdOptions } from '../sim/household';

/** A household that is closed after the test. Settings are noticed within a second. */
export async function home(options: HouseholdOptions = {}): Promise<Household> {
  const env = { SLUICE_POLL_SECONDS: '1', SLUICE_DEBUG: '1', ...options.env };
  const household = await Household.open({ ...options, env });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(`worker.log:\n${household.log()}`);
    await household.close();
  });
  return household;
}
