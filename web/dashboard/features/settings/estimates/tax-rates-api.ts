import { requestData } from '#web/lib/data/request-data.ts'

/** A sales tax rate and the first day on which it applies. */
export type TaxRate = {
  /** The first day of the rate, yyyy-MM-dd. */
  readonly from: string
  /** The rate in ten-thousandths of a percent: 9.125 % is 91250. */
  readonly rate: number
}

/** All tax rates, latest first. */
export async function listTaxRates(): Promise<TaxRate[]> {
  const { data } = await requestData((service) =>
    service
      .from('tax_rates')
      .select('effective_from, rate')
      .order('effective_from', { ascending: false }),
  )
  return data.map(({ effective_from: from, rate }) => ({ from, rate }))
}

/** Adds a tax rate. The database refuses with tax_rates_pkey if another rate starts on the same day. */
export async function addTaxRate({ from, rate }: TaxRate): Promise<void> {
  await requestData((service) => service.from('tax_rates').insert({ effective_from: from, rate }))
}

export async function removeTaxRate({ from }: TaxRate): Promise<void> {
  await requestData((service) => service.from('tax_rates').delete().eq('effective_from', from))
}
