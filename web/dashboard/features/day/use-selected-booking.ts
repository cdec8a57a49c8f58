import { useState } from 'react'
import { useSearchParams } from '#web/dashboard/kit/navigation/use-search-params.ts'

/**
 * Which appointment is open: the one that the address names (`booking`), which is forgotten there with the next choice.
 */
export function useSelectedBooking(): [
  chosenId: string | undefined,
  choose: (id: string | undefined) => void,
] {
  const [params, change] = useSearchParams()
  const linkedId = params.get('booking')
  const [chosenId, setChosenId] = useState<string>()
  const choose = (id: string | undefined) => {
    setChosenId(id)
    if (linkedId !== null) change({ booking: null }, { replace: true })
  }
  return [linkedId ?? chosenId, choose]
}
