/** The maximum number of descriptions in the summary, so that the summary fits on the screen of a phone. */
const most = 3

/**
 * A summary of the work on an invoice, from the descriptions of its lines: 'Front brake pads; Labor, one hour', or
 * 'Oil; Filter; Labor and more'. The summary omits the memo, which is a note to the customer.
 */
export function invoiceWork(descriptions: readonly (string | null)[]): string {
  const named = [...new Set(descriptions.map((line) => line?.trim() ?? '').filter(Boolean))]
  const shown = named.slice(0, most).join('; ')
  return named.length > most ? `${shown} and more` : shown
}
