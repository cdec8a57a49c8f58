/**
 * The file name of an invoice's PDF: 'INV-2026-0007.pdf'. The name contains only characters that are safe in an HTTP
 * header.
 */
export function invoiceFileName(number: string | null | undefined): string {
  return `${(number || 'invoice').replaceAll(/[^\w-]/g, '')}.pdf`
}
