/**
 * Whether this run only checks that the bench works (part of `npm test`): one iteration, little data, no valid figures.
 */
export const isSmoke = process.argv.includes('--smoke')

/**
 * A number of rounds, runs, rows or seconds: the environment variable's value, else `usual`; `least` in a smoke run.
 */
export function amountOf(usual: number, least: number, environment?: string): number {
  return isSmoke ? least : Number((environment && process.env[environment]) ?? usual)
}
