import { requestData } from '#web/lib/data/request-data.ts'

// This function is in a file of its own, because the bar of every page reads the counts, and only the Today page needs
// the schemas of `readToday`.
/** Whether any item needs the shop's attention, and the open work that each tab of the dashboard counts. */
export async function countOpenWork() {
  const { data } = await requestData((service) => service.rpc('count_open_work'))
  return data[0] ?? null
}
