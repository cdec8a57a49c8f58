import * as z from 'zod/mini'

/** A currency code of ISO 4217 in upper or lower case, such as `usd`. `Intl` throws on any other text. */
export const currencyCode = z.string().check(z.regex(/^[A-Za-z]{3}$/))
