import { useState } from 'react'
import { customerEndpoints } from '#contracts/customers.ts'
import { fetchAsAdmin, saveFile } from '#web/lib/data/fetch-file.ts'

/** Downloads all stored data of a customer as one zip file. */
export function useExport(customerId: string) {
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const run = async () => {
    setIsBusy(true)
    setFailure(undefined)
    const file = await fetchAsAdmin(customerEndpoints.export, { customerId })
    if (file.ok) saveFile(file.value, 'person.zip')
    else setFailure(file.refusal.message || 'The server did not respond. Please try again.')
    setIsBusy(false)
  }
  return { run: () => void run(), isBusy, failure }
}
