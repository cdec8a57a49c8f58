/**
 * Whether this run only checks that the bench works, as part of `npm test`: it does one iteration with little data, and
 * its figures are not valid.
 */
export const isSmoke = process.argv.includes('--smoke')

/**
 * Returns a number of rounds, runs, rows or seconds: the value of the environment variable named `environment` or,
 * without that variable, `usual`. In a smoke run the result is always `least`.
 */
export function amountOf(usual: number, least: number, environment?: string): number {
  return isSmoke ? least : Number((environment && process.env[environment]) ?? usual)
}
