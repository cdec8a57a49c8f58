/**
 * The code of an invoice, which a customer types from paper: twelve letters and digits without 0, O, 1 and I, which
 * look alike.
 */
const codePattern = /^[A-HJ-NP-Z2-9]{12}$/

/**
 * Parses a typed invoice code in upper or lower case, with or without hyphens and spaces; undefined for any other text.
 */
export function readInvoiceCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s\u2010-\u2015-]/g, '').toUpperCase()
  return codePattern.test(code) ? code : undefined
}

/** Formats an invoice code in three groups: 'K7MT-4RWX-9BQZ'. */
export const formatInvoiceCode = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-')
