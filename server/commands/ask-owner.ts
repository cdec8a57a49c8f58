import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { StartupError } from '@local/postgres'

/** Not an argument, because the shell remembers those; typed unseen, or the first line of a pipe. */
export async function promptHidden(what: string): Promise<string> {
  const isTerminal = process.stdin.isTTY
  if (isTerminal) process.stdout.write(`${what}: `)
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  const reply = await Promise.race([lines.question(''), ended])
  lines.close()
  if (isTerminal) process.stdout.write('\n')
  return reply
}

/** Asks for a yes; throws `StartupError` without one. */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY) throw new StartupError(`${question} Nobody is here to ask: add --yes.`)
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const reply = await lines.question(`${question} (yes/no) `)
  lines.close()
  if (!/^y(es)?$/i.test(reply.trim())) throw new StartupError('Nothing was changed.')
}
