import { type DayClose, dayClose } from '#contracts/payments/day-close.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/**
 * The query key under which the cache stores the close of a day. Live events about payments and cash trigger a refetch.
 */
export const dayCloseKey = 'day_close'

/** Reads the payments, the cash movements and, if the day is closed, the recorded close of a day. */
export async function readDayClose(day: string): Promise<DayClose> {
  const { data } = await requestData((service) => service.rpc('read_day_close', { close_day: day }))
  return dayClose.parse(data)
}
