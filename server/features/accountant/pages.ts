/** How many rows are read at once: little enough to be written without anybody noticing. */
export const pageRows = 500

/** Before every id: where a list begins. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/** Pages one after the other, each after the last row of the one before, until one is not full. */
export async function* readPages<Key, Row extends Key>(
  first: Key,
  read: (after: Key) => Promise<Row[]>,
): AsyncGenerator<Row[]> {
  let last = first
  while (true) {
    const rows = await read(last)
    yield rows
    const reached = rows.at(-1)
    if (!reached || rows.length < pageRows) return
    last = reached
  }
}
