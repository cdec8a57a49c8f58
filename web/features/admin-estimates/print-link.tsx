import { estimateInvoiceEndpoints } from '#contracts/estimate-invoices.ts'
import { fillPath } from '#contracts/endpoint.ts'
import { Icon } from '#web/ui/icon.tsx'

/** The estimate on paper, as it was saved last. */
export function PrintLink({ id, look }: { id: string; look: string }) {
  return (
    <a
      className={`action ${look}`}
      href={fillPath(estimateInvoiceEndpoints.pdf, { id }).path}
      target="_blank"
      rel="noreferrer"
    >
      <Icon name="print" />
      Print
    </a>
  )
}
