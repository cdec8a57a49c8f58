/** What an invoice's PDF is called, whoever hands it out: 'INV-2026-0007.pdf'. Safe in a header. */
export function invoiceFileName(number: string | null | undefined): string {
  return `${(number || 'invoice').replaceAll(/[^\w-]/g, '')}.pdf`
}
