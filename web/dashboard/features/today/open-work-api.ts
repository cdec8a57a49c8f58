import { requestData } from '#web/lib/data/request-data.ts'

// This function has its own file, because the bar of every page reads the counts, but only the Today page needs the
// large schemas of `readToday`.
/**
 * Reads whether any item needs the shop's attention, and the number of open work items for each tab of the dashboard.
 */
export async function countOpenWork() {
  const { data } = await requestData((service) => service.rpc('count_open_work'))
  return data[0] ?? null
}
