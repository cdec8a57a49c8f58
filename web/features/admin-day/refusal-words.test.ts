import { describe, expect, it } from 'vitest'
import { DataRefusal } from '#web/lib/ask-data.ts'
import { refusalWords } from './refusal-words.ts'

const refused = (code: string, hint: string) => new DataRefusal({ message: '', code, hint }, 400)

describe('why a step was not taken', () => {
  it('says what became of the bay, or of the visit, meanwhile', () => {
    const title = 'Not moved: Dana Whitfield'
    expect(refusalWords(refused('TT065', 'bay_not_active'), title)).toEqual({
      title,
      description: 'This bay was switched off meanwhile. Please choose another.',
      variant: 'destructive',
    })
    expect(refusalWords(refused('TT064', 'bay_cannot')).description).toContain('does not do this')
    expect(refusalWords(refused('TT067', 'not_open')).description).toContain('not open any more')
  })

  it('claims nothing where no answer came: it may have been saved', () => {
    const lost = new DataRefusal({ message: 'Failed to fetch' }, 0)
    expect(refusalWords(lost, 'Not moved: Dana Whitfield')).toMatchObject({
      title: 'No answer',
      description: 'The connection is gone. When it is back, look here before you try again.',
    })
  })
})
