import { mergeCustomers, readCustomer } from './customers-api.ts'

/** Undoes a split (the move of records to a new customer): merges the new customer into the original customer. */
export async function undoSplit(customerId: string, madeId: string): Promise<void> {
  const [customer, made] = await Promise.all([readCustomer(customerId), readCustomer(madeId)])
  await mergeCustomers(customer, made, [])
}
