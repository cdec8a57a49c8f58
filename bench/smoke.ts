/**
 * Whether this run only checks that the bench works (part of `npm test`): one iteration with little data; its figures
 * are not valid.
 */
export const isSmoke = process.argv.includes('--smoke')

/**
 * A number of rounds, runs, rows or seconds: the value of the environment variable, or `usual` without it; `least` in
 * a smoke run.
 */
export function amountOf(usual: number, least: number, environment?: string): number {
  return isSmoke ? least : Number((environment && process.env[environment]) ?? usual)
}
