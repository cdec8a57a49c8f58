import { appendFileSync } from 'node:fs'

/** In `npm run prove`, which may take its time and use the network. */
export const isLong = process.env['PROVE'] === 'long'

/**
 * How much a proof does: `short` in `npm test`, `long` in `npm run prove`. `PROVE_<name>` sets it for
 * one run, for example PROVE_ROUNDS=100.
 */
export function testSize(name: string, sizes: { short: number; long: number }): number {
  const configured = Number(process.env[`PROVE_${name}`])
  if (Number.isSafeInteger(configured) && configured > 0) return configured
  return isLong ? sizes.long : sizes.short
}

/** Tells `npm run prove` what was counted or measured; a line of its table. */
export function reportFigure(figure: string): void {
  const file = process.env['PROVE_REPORT']
  if (file) appendFileSync(file, `${figure}\n`)
}
