import { useQuery } from '@tanstack/react-query'
import { requestData } from '#web/lib/data/request-data.ts'

/** Whether the shop rounds a cash payment to five cents; false until the setting is loaded. */
export function useRoundsCash(): boolean {
  const { data } = useQuery({ queryKey: ['settings', 'rounds-cash'], queryFn: readRoundsCash })
  return data ?? false
}

async function readRoundsCash(): Promise<boolean> {
  const { data } = await requestData((service) =>
    service.from('booking_rules').select('rounds_cash').single(),
  )
  return data.rounds_cash
}
