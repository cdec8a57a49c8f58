import { useState } from 'react'
import { useSearchParams } from '#web/dashboard/kit/navigation/use-search-params.ts'

/**
 * The booking that is open in the panel: the one in the address parameter `booking`, else the one chosen
 * last. The next choice removes the parameter.
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
