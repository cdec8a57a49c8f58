import { customerLink } from '#web/lib/record-links.ts'
import { navigateSearch } from '#web/lib/use-search-params.ts'
import { mergeCustomers, readCustomer } from './people-api.ts'

/** Puts somebody who was just made of a person's records together with that person again, and goes there. */
export async function undoSplit(personId: string, madeId: string): Promise<void> {
  const [person, made] = await Promise.all([readCustomer(personId), readCustomer(madeId)])
  await mergeCustomers(person, made, [])
  navigateSearch(customerLink(person.id))
}
