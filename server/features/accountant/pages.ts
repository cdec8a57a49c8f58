/** The number of rows per read, so small that other requests are not delayed noticeably. */
export const pageRows = 500

/** The cursor of the first page: an id that sorts before every other id. */
export const firstId = '00000000-0000-0000-0000-000000000000'

/** Yields page after page, each after the last row of the previous page, until a page is not full. */
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
