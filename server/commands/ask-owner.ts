import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { StartupError } from '@local/postgres'

/**
 * Reads a secret from the terminal without showing the input. Without a terminal, reads the first line of the piped
 * input. A command-line argument would remain in the shell history.
 */
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

/**
 * Asks the owner to confirm by typing 'yes' or 'y'. Throws `StartupError` on any other input and without a terminal.
 */
export async function confirm(question: string): Promise<void> {
  if (!process.stdin.isTTY)
    throw new StartupError(`${question} There is no terminal to confirm at: add --yes.`)
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const reply = await lines.question(`${question} (yes/no) `)
  lines.close()
  if (!/^y(es)?$/i.test(reply.trim()))
    throw new StartupError('The answer was not "yes". Nothing was changed.')
}
