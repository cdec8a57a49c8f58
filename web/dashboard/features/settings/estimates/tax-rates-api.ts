import { requestData } from '#web/lib/data/request-data.ts'

/** The sales tax from a day at the shop on. */
export type TaxRate = {
  /** yyyy-MM-dd */
  readonly from: string
  /** In ten-thousandths of a percent: 9.125 % is 91250. */
  readonly rate: number
}

/** All rates, the latest first. */
export async function listTaxRates(): Promise<TaxRate[]> {
  const { data } = await requestData((service) =>
    service
      .from('tax_rates')
      .select('effective_from, rate')
      .order('effective_from', { ascending: false }),
  )
  return data.map(({ effective_from: from, rate }) => ({ from, rate }))
}

/** Refused (tax_rates_pkey) where there is one from that day already. */
export async function addTaxRate({ from, rate }: TaxRate): Promise<void> {
  await requestData((service) => service.from('tax_rates').insert({ effective_from: from, rate }))
}

export async function removeTaxRate({ from }: TaxRate): Promise<void> {
  await requestData((service) => service.from('tax_rates').delete().eq('effective_from', from))
}
