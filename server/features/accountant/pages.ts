/**
 * The number of rows that one query reads; small, so that the export of a long file does not noticeably delay other
 * requests.
 */
export const pageRows = 500

/** The cursor of the first page: an id that sorts before every other id. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Yields the pages of a query in order. Each page begins after the last row of the previous page. A page with fewer
 * rows than the limit is the last one.
 */
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
