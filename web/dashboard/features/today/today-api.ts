import { todayPage, type TodayPage } from '#contracts/today.ts'
import { requestData } from '#web/lib/data/request-data.ts'

/** Today at the shop: its cars, who waits, what was paid, the week. */
export async function readToday(): Promise<TodayPage> {
  const { data } = await requestData((service) => service.rpc('read_today'))
  return todayPage.parse(data)
}

/** Whether anybody waits for the shop. */
export async function readNeedsAttention(): Promise<boolean> {
  const { data } = await requestData((service) => service.rpc('needs_attention'))
  return data
}
