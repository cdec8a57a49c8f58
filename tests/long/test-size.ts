import { appendFileSync } from 'node:fs'

const formerSetting = Object.keys(process.env).find((name) => /^PROVE(_|$)/.test(name))
if (formerSetting) {
  throw new Error(
    `Set ${formerSetting.replace('PROVE', 'LONG_TESTS')} instead of ${formerSetting}.`,
  )
}

/** Whether this run is `npm run test:long`, whose tests may take long and use the network. */
export const isLong = process.env['LONG_TESTS'] === 'long'

/**
 * Returns the amount of work in a long test: `short` in `npm test`, `long` in `npm run test:long`. The environment
 * variable `LONG_TESTS_<name>` overrides the amount, for example LONG_TESTS_ROUNDS=100.
 */
export function testSize(name: string, sizes: { short: number; long: number }): number {
  const configured = Number(process.env[`LONG_TESTS_${name}`])
  if (Number.isSafeInteger(configured) && configured > 0) return configured
  return isLong ? sizes.long : sizes.short
}

/** Reports a count or a measurement, which `npm run test:long` prints in its table. */
export function reportFigure(figure: string): void {
  const file = process.env['LONG_TESTS_REPORT']
  if (file) appendFileSync(file, `${figure}\n`)
}
