import { type Deposit, deposit } from '#contracts/payments/deposits.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** The key of the query for the deposit of an estimate; live events of estimates refetch it. */
export const depositKey = (estimateId: string) => ['estimates', 'deposit', estimateId]

export async function readDeposit(estimateId: string): Promise<Deposit> {
  const { data } = await requestData((service) =>
    service.rpc('read_deposit', { estimate_id: estimateId }),
  )
  return deposit.parse(data)
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
