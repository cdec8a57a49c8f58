/** Whether this run only proves that the bench still works (`npm test`): one iteration, little data, no figure counts. */
export const isSmoke = process.argv.includes('--smoke')

/** A number of rounds, runs, rows or seconds: what the environment says, else the usual one; `least` in a smoke run. */
export function amountOf(usual: number, least: number, environment?: string): number {
  return isSmoke ? least : Number((environment && process.env[environment]) ?? usual)
}
