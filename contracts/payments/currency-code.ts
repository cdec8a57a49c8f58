import * as z from 'zod/mini'

/** ISO 4217, in either case: `usd`. Any other text would make `Intl` throw. */
export const currencyCode = z.string().check(z.regex(/^[A-Za-z]{3}$/))
