import { describe, expect, it } from 'vitest'
import { type DatabaseError, databaseErrors } from '#contracts/database-errors.ts'
import { sqlFolder } from '#server/platform/database/migrations.ts'
import { readSchema } from '#server/platform/database/schema-files.ts'

const functions = (await readSchema(sqlFolder)).filter(({ text }) =>
  text.startsWith('create function'),
)
const bodies = functions.map(({ text }) => text.replaceAll(/--.*$/gm, '')).join('\n')
const listed: [string, DatabaseError][] = Object.entries(databaseErrors)

/**
 * The code of every error that the schema raises (`using errcode = …`), with the hint of the same statement if the hint
 * is a literal.
 */
const raised = [...bodies.matchAll(/errcode\s*=\s*'(\w+)'([^;]*);/g)].map(
  ([, code = '', rest = '']) => ({
    code,
    hint: /\bhint\s*=\s*'(\w+)'/.exec(rest)?.[1],
  }),
)

describe('the list of SQLSTATEs', () => {
  it('contains exactly the codes that functions of the schema raise', () => {
    expect(raised.length).toBeGreaterThan(80)
    expect([...new Set(raised.map(({ code }) => code))].toSorted()).toEqual(
      listed.map(([code]) => code).toSorted(),
    )
  })

  it('contains every hint that a function raises, with the SQLSTATE of the hint', () => {
    const unlisted = raised.filter(
      ({ code, hint }) =>
        hint && !listed.find(([known]) => known === code)?.[1].hints.includes(hint),
    )
    expect(unlisted).toEqual([])
  })

  it('contains only hints that a function raises', () => {
    const hints = listed.flatMap(([, { hints: known }]) => known)
    expect(hints.filter((hint) => !bodies.includes(`'${hint}'`))).toEqual([])
  })

  it('has exactly one code for a version conflict', () => {
    const codes = raised.filter(({ hint }) => hint === 'version_conflict').map(({ code }) => code)
    expect(codes.length).toBeGreaterThan(5)
    expect([...new Set(codes)]).toEqual(['TT051'])
  })

  it('contains for every code a description and a message for users', () => {
    for (const [code, { meaning, message }] of listed) {
      expect([code, meaning, message]).toEqual([
        code,
        expect.stringMatching(/^[A-Z`].+\.$/),
        expect.stringMatching(/^[A-Z].+\.$/),
      ])
    }
  })
})
