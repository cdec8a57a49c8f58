import { customerLink } from '#web/lib/record-links.ts'
import { navigateSearch } from '#web/lib/use-search-params.ts'
import { mergeCustomers, readCustomer } from './people-api.ts'

/** Puts somebody who was just made of a person's records together with that person again, and goes there. */
export async function undoSplit(customerId: string, madeId: string): Promise<void> {
  const [customer, made] = await Promise.all([readCustomer(customerId), readCustomer(madeId)])
  await mergeCustomers(customer, made, [])
  navigateSearch(customerLink(customer.id))
}
