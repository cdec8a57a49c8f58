import type { RefundWay } from '#domain/payments/correction-text.ts'
import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'

const names: Readonly<Record<string, string>> = {
  card_terminal: 'Card at the counter',
  cash: 'Cash',
  check: 'Check',
  card_online: 'Card, online',
}

/** Describes the method of a payment with its reference: 'Check, 1042'. */
export function formatPaymentWay({
  method,
  reference,
}: {
  readonly method: string
  readonly reference: string | null
}): string {
  const name = names[method]
  if (name === undefined) return oneUntrustedLine(reference ?? 'Other')
  return reference === null ? name : `${name}, ${oneUntrustedLine(reference)}`
}

/** Returns the method of a refund with its reference made safe for emails, because staff typed the reference. */
export const untrustedWay = (way: RefundWay | undefined): RefundWay | undefined =>
  way && { ...way, reference: way.reference === null ? null : oneUntrustedLine(way.reference) }
