import { requestData } from '#web/lib/data/request-data.ts'

// Not beside `readToday`: the bar of every page reads the counts, and only the Today page needs the schemas of its data.
/** Whether any item needs the shop's attention, and the open work that each tab of the dashboard counts. */
export async function countOpenWork() {
  const { data } = await requestData((service) => service.rpc('count_open_work'))
  return data[0] ?? null
}
