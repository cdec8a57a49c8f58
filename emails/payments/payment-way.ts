import { oneUntrustedLine } from '#domain/text/untrusted-text.ts'

const names: Readonly<Record<string, string>> = {
  card_terminal: 'Card at the counter',
  cash: 'Cash',
  check: 'Check',
  card_online: 'Card, online',
}

/** Names how a payment was made, with its reference: 'Check, 1042'. */
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
