import { unparsable, type Refusal } from '../response/refusal.ts'

// Matches a name without quotes, as in PostgREST: letters of any script, digits, `_`, `$`, inner spaces, and dashes
// that do not begin an arrow (`->`).
const bareName = /(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy
const quotedText = /"((?:[^"\\]|\\.)*)"/sy

/** Parses one query parameter from left to right. `what` names the parameter in error messages. */
export class Cursor {
  readonly text: string
  readonly what: string
  at = 0
  depth = 0

  constructor(what: string, text: string) {
    this.what = what
    this.text = text
  }

  get done(): boolean {
    return this.at >= this.text.length
  }

  fail(expected: string): Refusal {
    return unparsable(this.what, this.text, this.at + 1, `expecting ${expected}`)
  }

  peek(token: string): boolean {
    return this.text.startsWith(token, this.at)
  }

  consume(token: string): boolean {
    if (!this.peek(token)) return false
    this.at += token.length
    return true
  }

  expect(token: string): void {
    if (!this.consume(token)) throw this.fail(`"${token}"`)
  }

  /** Consumes `token` and the spaces around the token; returns whether the text has `token` at the current position. */
  consumeSpaced(token: string): boolean {
    const start = this.at
    this.skipSpaces()
    if (!this.consume(token)) {
      this.at = start
      return false
    }
    this.skipSpaces()
    return true
  }

  expectSpaced(token: string): void {
    if (!this.consumeSpaced(token)) throw this.fail(`"${token}"`)
  }

  skipSpaces(): void {
    this.match(/[ \t]*/y)
  }

  end(): void {
    if (!this.done) throw this.fail('end of input')
  }

  /**
   * Consumes and returns the text that a sticky pattern matches at the current position; undefined when the pattern
   * does not match.
   */
  match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)
    if (!found) return undefined
    this.at += found[0].length
    return found
  }

  quoted(): string | undefined {
    return this.match(quotedText)?.[1]?.replace(/\\(.)/gs, '$1')
  }

  name(expected = 'a name'): string {
    const quoted = this.quoted()
    if (quoted !== undefined) return quoted
    const bare = this.match(bareName)?.[0].trim()
    if (!bare) throw this.fail(expected)
    return bare
  }

  /** Runs `work` one nesting level deeper; throws at more than ten levels. */
  deeper<Result>(work: () => Result): Result {
    this.depth += 1
    if (this.depth > 10) throw this.fail('at most 10 levels of nesting')
    const result = work()
    this.depth -= 1
    return result
  }
}
