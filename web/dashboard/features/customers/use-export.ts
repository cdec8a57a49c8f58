import { useMutation } from '@tanstack/react-query'
import { customerEndpoints } from '#contracts/customers.ts'
import { stepUpOf } from '#web/dashboard/kit/step-up/step-up-of.ts'
import { fetchAsAdmin, saveFile } from '#web/lib/data/fetch-file.ts'
import { orThrow } from '#web/lib/data/or-throw.ts'

/** Downloads all stored data of a customer as one zip file, after step-up authentication. */
export function useExport(customerId: string) {
  const packing = useMutation<Blob>({
    mutationFn: async () => orThrow(await fetchAsAdmin(customerEndpoints.export, { customerId })),
    onSuccess: (file) => saveFile(file, 'person.zip'),
  })
  const { error, confirmation } = stepUpOf(packing)
  return {
    run: () => packing.mutate(),
    isBusy: packing.isPending,
    failure: error ? error.message || 'The server did not respond. Please try again.' : undefined,
    confirmation,
  }
}
