import { type Deposit, deposit } from '#contracts/payments/deposits.ts'
import { estimate } from '#contracts/estimates/estimates.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** The key of the query for the deposit of an estimate; live events of estimates refetch it. */
export const depositKey = (estimateId: string) => ['estimates', 'deposit', estimateId]

export async function readDeposit(estimateId: string): Promise<Deposit> {
  const { data } = await requestData((service) =>
    service.rpc('read_deposit', { estimate_id: estimateId }),
  )
  return deposit.parse(data)
}

/** The approved estimate of a deposit. */
export type DepositEstimate = {
  readonly id: string
  readonly number: string
  /** `email` is '' without an address. */
  readonly customer: { readonly name: string; readonly email: string }
}

/** The estimate of a deposit, with its customer. */
export async function readDepositEstimate(estimateId: string): Promise<DepositEstimate> {
  const { data } = await requestData((service) =>
    service.rpc('read_estimate', { estimate_id: estimateId }),
  )
  const { id, number, document } = estimate.parse(data)
  return { id, number, customer: document.customer }
}

/** A sum in cents, a share in percent, or neither for no deposit. */
export type DepositChoice = {
  readonly amountCents: number | null
  readonly sharePercent: number | null
}

/** Asks for a deposit, or for none. */
export async function askDeposit(
  estimateId: string,
  { amountCents, sharePercent }: DepositChoice,
): Promise<Deposit> {
  const { data } = await requestData((service) =>
    service.rpc('ask_deposit', {
      estimate_id: estimateId,
      amount_cents: amountCents,
      share_percent: sharePercent,
    }),
  )
  return deposit.parse(data)
}
