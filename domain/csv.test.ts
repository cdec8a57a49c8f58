import { expect, test } from 'vitest'
import { toCsv } from './csv.ts'

test('rows are lines below the names of their columns', () => {
  expect(
    toCsv([
      { name: 'Maria "Mia" Delgado', visits: 7, note: null },
      { name: 'Luis', visits: -1, tags: ['a', 'b'] },
    ]),
  ).toBe(
    '\u{feff}name,visits,note,tags\r\n"Maria ""Mia"" Delgado",7,,\r\nLuis,-1,,"[""a"",""b""]"\r\n',
  )
})

test('no rows are an empty file', () => {
  expect(toCsv([])).toBe('\u{feff}\r\n')
})

test.each(['=1+1', '+1 650', '-2', '@SUM(A1)', '\tx', '\r=1', ' =1', '＝1'])(
  'a spreadsheet runs no formula of %j',
  (cell) => {
    const [, line] = toCsv([{ cell }]).split('cell\r\n')
    expect(line?.replace(/^"/, '').startsWith("'")).toBe(true)
  },
)

test.each(['a=b', 'x@example.com', '2026-11-28', '(650) 555-0167'])('%s stays as it is', (cell) => {
  expect(toCsv([{ cell }])).toBe(`\u{feff}cell\r\n${cell}\r\n`)
})
