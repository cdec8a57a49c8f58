import { type Deposit, deposit } from '#contracts/payments/deposits.ts'
import { estimate } from '#contracts/estimates/estimates.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** The query key of an estimate's deposit. Live events about estimates trigger a refetch. */
export const depositKey = (estimateId: string) => ['estimates', 'deposit', estimateId]

export async function readDeposit(estimateId: string): Promise<Deposit> {
  const { data } = await requestData((service) =>
    service.rpc('read_deposit', { estimate_id: estimateId }),
  )
  return deposit.parse(data)
}

/** The approved estimate to which a deposit belongs. */
export type DepositEstimate = {
  readonly id: string
  readonly number: string
  /** The customer's name and email address; `email` is '' if the shop has no email address of the customer. */
  readonly customer: { readonly name: string; readonly email: string }
}

/** Reads the number and the customer of the estimate to which a deposit belongs. */
export async function readDepositEstimate(estimateId: string): Promise<DepositEstimate> {
  const { data } = await requestData((service) =>
    service.rpc('read_estimate', { estimate_id: estimateId }),
  )
  const { id, number, document } = estimate.parse(data)
  return { id, number, customer: document.customer }
}

/** The requested deposit: a sum in cents, a share in percent, or neither for no deposit. */
export type DepositChoice = {
  readonly amountCents: number | null
  readonly sharePercent: number | null
}

/** Adds a requested deposit to an estimate, or removes it. The customer pays the deposit together with the approval. */
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
