import { type ShopDay, shopDay } from '#contracts/day.ts'
import { askData } from '#web/lib/ask-data.ts'

/** Everything about a date (yyyy-MM-dd): bays, hours, closures, appointments. */
export async function readDay(date: string): Promise<ShopDay> {
  const { data } = await askData((service) => service.rpc('read_day', { day: date }))
  return shopDay.parse(data)
}
