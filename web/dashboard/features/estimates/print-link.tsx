import { estimateInvoiceEndpoints } from '#contracts/estimates/estimate-invoices.ts'
import { fillPath } from '#contracts/api/endpoint.ts'
import { buttonClass, type ButtonLevel } from '#web/ui/button/button.tsx'
import { Icon } from '#web/ui/icon/icon.tsx'

/** A link that opens the last saved version of the estimate as a PDF file. */
export function PrintLink(props: { id: string; level: ButtonLevel; large?: boolean }) {
  const { id, level, large } = props
  return (
    <a
      className={buttonClass(level, { compact: true, large })}
      href={fillPath(estimateInvoiceEndpoints.pdf, { id }).path}
      target="_blank"
      rel="noreferrer"
    >
      <Icon name="print" />
      Print
    </a>
  )
}
