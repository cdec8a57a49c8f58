import { todayPage, type TodayPage } from '#contracts/today.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** The data of the Today page: bookings, waiting items, payments and the week. */
export async function readToday(): Promise<TodayPage> {
  const { data } = await requestData((service) => service.rpc('read_today'))
  return todayPage.parse(data)
}

/** Whether any item needs the shop's attention, and the open work that each tab of the dashboard counts. */
export async function countOpenWork() {
  const { data } = await requestData((service) => service.rpc('count_open_work'))
  return data[0] ?? null
}
