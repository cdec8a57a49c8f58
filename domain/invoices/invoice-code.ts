/** The characters of a code that a customer types from paper: without 0, O, 1 and I, which look alike. */
const codePattern = /^[A-HJ-NP-Z2-9]{12}$/

/** Parses a typed code in upper or lower case, with or without hyphens and spaces; undefined for any other text. */
export function readInvoiceCode(text: string): string | undefined {
  const code = text.replaceAll(/[\s\u2010-\u2015-]/g, '').toUpperCase()
  return codePattern.test(code) ? code : undefined
}

/** Formats a code in three groups, such as 'K7MT-4RWX-9BQZ'. */
export const formatInvoiceCode = (code: string): string => code.replace(/(.{4})(?=.)/g, '$1-')
