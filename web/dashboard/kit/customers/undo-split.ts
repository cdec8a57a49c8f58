import { customerLink } from '#web/dashboard/kit/records/record-links.ts'
import { navigateSearch } from '#web/dashboard/kit/navigation/use-search-params.ts'
import { mergeCustomers, readCustomer } from './customers-api.ts'

/** Undoes a split: merges the new customer back into the original one and goes to the original customer's page. */
export async function undoSplit(customerId: string, madeId: string): Promise<void> {
  const [customer, made] = await Promise.all([readCustomer(customerId), readCustomer(madeId)])
  await mergeCustomers(customer, made, [])
  navigateSearch(customerLink(customer.id))
}
