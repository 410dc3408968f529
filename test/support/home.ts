import { type OnTestFinishedHandler, onTestFinished } from 'vitest';
import { Household, type HouseholdOptions } from '../sim/household';

/**
 * A household that is closed after the test. Settings are noticed within a second. Tests that run beside each other
 * pass `onTestFinished` of their own context.
 */
export async function home(
  options: HouseholdOptions = {},
  whenOver: (close: OnTestFinishedHandler) => void = onTestFinished,
): Promise<Household> {
  const env = { SLUICE_POLL_SECONDS: '1', SLUICE_DEBUG: '1', ...options.env };
  const household = await Household.open({ ...options, env });
  whenOver(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(`worker.log:\n${household.log()}`);
    await household.close();
  });
  return household;
}
