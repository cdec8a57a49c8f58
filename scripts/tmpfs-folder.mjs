import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'

/** Where Linux keeps files in memory, for every user. */
const memory = '/dev/shm'

/** Four times what a whole run was seen to need at one time. */
const neededBytes = 2 * 1024 ** 3

const prefix = 'torque-tests-'

/**
 * A folder for the temporary files of a test run. Hundreds of databases are copied and dropped in it, of which a disk
 * would keep nothing: in memory the tests of the server take two thirds of the time. Undefined where there is no such
 * place or too little room; the usual folder does as well. Gone with this process.
 * @returns {string | undefined}
 */
export function makeTmpfsFolder() {
  if (process.platform !== 'linux' || !existsSync(memory) || !mayRunPrograms()) return undefined
  removeForgotten()
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < neededBytes) return undefined
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder)
  // As the usual folder is: under root the database server is another user.
  chmodSync(folder, 0o1777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** What a run left that was killed would stay in memory until the machine is started again. */
function removeForgotten() {
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    const folder = join(memory, name)
    const isForgotten = !Number.isNaN(pid) && !existsSync(`/proc/${pid}`)
    if (isForgotten && statSync(folder).uid === process.getuid?.())
      rmSync(folder, { recursive: true, force: true })
  }
}

/** Containers often forbid it there, and tests run copies of the database's programs. */
function mayRunPrograms() {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const options = mounts.findLast((line) => line.split(' ')[1] === memory)?.split(' ')[3]
  return !options?.split(',').includes('noexec')
}
