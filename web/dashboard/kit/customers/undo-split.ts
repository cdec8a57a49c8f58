import { customerLink } from '#web/dashboard/kit/records/record-links.ts'
import { navigateSearch } from '#web/dashboard/kit/navigation/use-search-params.ts'
import { mergeCustomers, readCustomer } from './customers-api.ts'

/** Puts somebody who was just made of a person's records together with that person again, and goes there. */
export async function undoSplit(customerId: string, madeId: string): Promise<void> {
  const [customer, made] = await Promise.all([readCustomer(customerId), readCustomer(madeId)])
  await mergeCustomers(customer, made, [])
  navigateSearch(customerLink(customer.id))
}
