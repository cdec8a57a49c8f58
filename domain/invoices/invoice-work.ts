/** More of them would hide the others on a phone. */
const most = 3

/**
 * What an invoice is for, by the descriptions of its lines: 'Front brake pads; Labor, one hour', or 'Oil; Filter; Labor and more'.
 * Its memo is a note to the customer and says nothing of the work.
 */
export function invoiceWork(descriptions: readonly (string | null)[]): string {
  const named = [...new Set(descriptions.map((line) => line?.trim() ?? '').filter(Boolean))]
  const shown = named.slice(0, most).join('; ')
  return named.length > most ? `${shown} and more` : shown
}
