import { estimateInvoiceEndpoints } from '#contracts/estimates/estimate-invoices.ts'
import { fillPath } from '#contracts/api/endpoint.ts'
import { Icon } from '#web/ui/icon/icon.tsx'

/** A link that opens the last saved version of the estimate as a PDF. */
export function PrintLink({ id, variant }: { id: string; variant: string }) {
  return (
    <a
      className={`action ${variant}`}
      href={fillPath(estimateInvoiceEndpoints.pdf, { id }).path}
      target="_blank"
      rel="noreferrer"
    >
      <Icon name="print" />
      Print
    </a>
  )
}
