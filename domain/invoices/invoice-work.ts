/** More descriptions would fill the screen of a phone. */
const most = 3

/**
 * The work of an invoice, from the descriptions of its lines: 'Front brake pads; Labor, one hour', or 'Oil; Filter;
 * Labor and more'. The memo is not used: it is a note to the customer.
 */
export function invoiceWork(descriptions: readonly (string | null)[]): string {
  const named = [...new Set(descriptions.map((line) => line?.trim() ?? '').filter(Boolean))]
  const shown = named.slice(0, most).join('; ')
  return named.length > most ? `${shown} and more` : shown
}
