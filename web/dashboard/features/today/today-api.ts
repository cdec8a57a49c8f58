import { todayPage, type TodayPage } from '#contracts/today.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/**
 * Reads the data of the Today page: today's bookings, records that wait for the shop or for a customer, payments, and
 * the load of the week.
 */
export async function readToday(): Promise<TodayPage> {
  const { data } = await requestData((service) => service.rpc('read_today'))
  return todayPage.parse(data)
}
