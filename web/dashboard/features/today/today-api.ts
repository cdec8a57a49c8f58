import { todayPage, type TodayPage } from '#contracts/today.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** Reads the data of the Today page: bookings, items that wait for the shop or a customer, payments and the week. */
export async function readToday(): Promise<TodayPage> {
  const { data } = await requestData((service) => service.rpc('read_today'))
  return todayPage.parse(data)
}
