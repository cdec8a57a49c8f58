import { Link } from '@tanstack/react-router'
import type { AuditLine } from '#contracts/audit.ts'
import { formatShopTime } from '#domain/calendar/shop-time.ts'
import { customerLink, invoicePageLink } from '#web/dashboard/kit/navigation/links.ts'
import { Badge } from '#web/ui/badge/badge.tsx'
import { auditActor, auditText } from './audit-text.ts'

/** One line of the audit log: the time, the action, the actor and the actor's IP address. */
export function AuditItem({ line }: { line: AuditLine }) {
  const { tone, badge, title } = auditText(line)
  const { name, role } = auditActor(line)
  return (
    <li>
      <time dateTime={line.happened_at}>{formatShopTime(new Date(line.happened_at))}</time>
      <p className="audit-what">
        <Badge tone={tone}>{badge}</Badge> <b>{title}</b>
        {line.confirmed_with && <small>{confirmations[line.confirmed_with]}</small>}
        <Subject line={line} />
      </p>
      <p className="audit-who">
        <b>{name}</b>
        {role && <small>{role}</small>}
      </p>
      <p className="audit-where">
        {[line.device, line.network_address].filter(Boolean).join(', ')}
      </p>
    </li>
  )
}

const confirmations = {
  passkey: 'Confirmed with a passkey',
  password: 'Confirmed with the password',
} as const

/** The link to the invoice or the customer that an audit line is about. */
function Subject({
  line: { invoice_id: invoiceId, customer_id: customerId },
}: {
  line: AuditLine
}) {
  if (invoiceId !== null) {
    return (
      <Link className="touch-link" {...invoicePageLink(invoiceId)}>
        Open the invoice
      </Link>
    )
  }
  if (customerId === null) return null
  return (
    <Link className="touch-link" {...customerLink(customerId)}>
      Open the customer
    </Link>
  )
}
