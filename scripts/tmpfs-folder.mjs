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

/** The folder for files in memory on Linux, in which every user can write. */
const memory = '/dev/shm'

/**
 * The free space, in bytes, that the folder must have: four times the largest size measured during a whole test run.
 */
const neededBytes = 2 * 1024 ** 3

const prefix = 'torque-tests-'

/**
 * Creates a folder in memory for the temporary files of a test run. The folder is deleted when this process ends. The
 * server tests copy and drop hundreds of databases; in memory they need two thirds of the time that they need on a
 * disk. Returns undefined when the system has no such folder or too little space; the tests then use the usual
 * temporary folder.
 * @returns {string | undefined}
 */
export function makeTmpfsFolder() {
  if (process.platform !== 'linux' || !existsSync(memory) || !mayRunPrograms()) return undefined
  removeForgotten()
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < neededBytes) return undefined
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder)
  // Gives the folder the permissions of the usual temporary folder, because the database server runs as another user
  // when the tests run as root.
  chmodSync(folder, 0o1777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Deletes the folders of killed test runs, because these folders would occupy memory until the next boot. */
function removeForgotten() {
  for (const name of readdirSync(memory)) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    const folder = join(memory, name)
    const isForgotten = !Number.isNaN(pid) && !existsSync(`/proc/${pid}`)
    if (isForgotten && statSync(folder).uid === process.getuid?.())
      rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Returns whether programs can run from the folder. The tests run copies of PostgreSQL's programs, and containers often
 * forbid programs in such folders.
 */
function mayRunPrograms() {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  const options = mounts.findLast((line) => line.split(' ')[1] === memory)?.split(' ')[3]
  return !options?.split(',').includes('noexec')
}
