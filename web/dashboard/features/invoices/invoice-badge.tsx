import { Badge, type BadgeTone } from '#web/ui/badge/badge.tsx'

const tones: Readonly<Record<string, BadgeTone>> = {
  paid: 'ok',
  open: 'info',
  uncollectible: 'danger',
  void: 'ring',
  draft: 'ring',
}

/** Shows the status of an invoice exactly as Stripe reports it (docs/product.md 4.6). */
export function InvoiceBadge({ status }: { status: string | null | undefined }) {
  return <Badge tone={tones[status ?? ''] ?? 'neutral'}>{status ?? 'unknown'}</Badge>
}
