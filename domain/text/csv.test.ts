import { expect, test } from 'vitest'
import { type Columns, money, streamCsv, toCsv } from './csv.ts'

test('toCsv writes a line of column names and one line for each row', () => {
  expect(
    toCsv([
      { name: 'Maria "Mia" Delgado', visits: 7, note: null },
      { name: 'Luis', visits: -1, tags: ['a', 'b'] },
    ]),
  ).toBe(
    '\u{feff}name,visits,note,tags\r\n"Maria ""Mia"" Delgado",7,,\r\nLuis,-1,,"[""a"",""b""]"\r\n',
  )
})

test('toCsv returns an empty text for no rows', () => {
  expect(toCsv([])).toBe('\u{feff}\r\n')
})

test.each(['=1+1', '+1 650', '-2', '@SUM(A1)', '\tx', '\r=1', ' =1', '＝1'])(
  'toCsv prefixes the cell %j with an apostrophe, so that no spreadsheet runs it as a formula',
  (cell) => {
    const [, line] = toCsv([{ cell }]).split('cell\r\n')
    expect(line?.replace(/^"/, '').startsWith("'")).toBe(true)
  },
)

test.each(['a=b', 'x@example.com', '2026-11-28', '(650) 555-0167'])(
  'toCsv writes the cell %s unchanged',
  (cell) => {
    expect(toCsv([{ cell }])).toBe(`\u{feff}cell\r\n${cell}\r\n`)
  },
)

test('toCsv writes positive and negative amounts as numbers with two decimals', () => {
  const amounts = [null, 0, 5, 123_450, -5, -123_450, 2 ** 53 - 1]
  expect(toCsv(amounts.map((cents) => ({ cents: money(cents) })))).toBe(
    '\u{feff}cents\r\n\r\n0.00\r\n0.05\r\n1234.50\r\n-0.05\r\n-1234.50\r\n90071992547409.91\r\n',
  )
})

test('toCsv quotes cells that contain a separator of any country, so that a spreadsheet does not split the cell', () => {
  expect(toCsv([{ cell: 'a;=1+1' }, { cell: 'a\t=1+1' }])).toBe(
    '\u{feff}cell\r\n"a;=1+1"\r\n"a\t=1+1"\r\n',
  )
})

type Visit = { readonly name: string; readonly cents: number }
const columns: Columns<Visit> = {
  Customer: ({ name }) => name,
  'Price (USD)': ({ cents }) => money(cents),
}

async function read(pages: readonly (readonly Visit[])[]): Promise<string[]> {
  const pieces: string[] = []
  for await (const piece of streamCsv(
    columns,
    (async function* () {
      yield* pages
    })(),
  )) {
    pieces.push(piece)
  }
  return pieces
}

test('streamCsv writes pages of rows with one header line and the same cells as toCsv', async () => {
  const luis = { name: '=Luis', cents: 19_900 }
  expect(await read([[], [luis, luis], [], [{ name: 'Ana', cents: 0 }]])).toEqual([
    "\u{feff}Customer,Price (USD)\r\n'=Luis,199.00\r\n'=Luis,199.00\r\n",
    'Ana,0.00\r\n',
  ])
})

test('streamCsv yields nothing, not even a header line, when there are no rows', async () => {
  expect(await read([[], []])).toEqual([])
})
