import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

export type Passwords = {
  /** A salted hash that carries its own parameters: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
  hash(password: string): Promise<string>
  /** Whether `password` belongs to `stored`. Without a stored hash it costs the same, and is false. */
  verify(password: string, stored: string | undefined): Promise<boolean>
}

type Parameters = { readonly ln: number; readonly r: number; readonly p: number }

/** One of the equally strong settings of OWASP's Password Storage Cheat Sheet; 32 MiB a hash. */
const current: Parameters = { ln: 15, r: 8, p: 3 }

const hashLength = 32
const format = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

/** What an unknown user's password is compared with; no password fits. */
const unknownUser = encode(current, randomBytes(16), randomBytes(hashLength))

type Derive = (password: string, salt: Buffer, parameters: Parameters) => Promise<Buffer>

/** Passwords as they are kept; `derive` is replaced in tests that count its calls. */
export function createPasswords(derive: Derive = deriveWithScrypt): Passwords {
  return {
    async hash(password) {
      const salt = randomBytes(16)
      return encode(current, salt, await derive(password, salt, current))
    },
    async verify(password, stored) {
      const { parameters, salt, hash } = decode(stored ?? unknownUser)
      const derived = await derive(password, salt, parameters)
      return timingSafeEqual(derived, hash) && stored !== undefined
    },
  }
}

export function deriveWithScrypt(
  password: string,
  salt: Buffer,
  { ln, r, p }: Parameters,
): Promise<Buffer> {
  const cost = 2 ** ln
  const options: ScryptOptions = { N: cost, r, p, maxmem: 256 * cost * r }
  return new Promise((done, failed) => {
    // One spelling for what looks the same: an accented letter can be typed in two ways.
    scrypt(password.normalize('NFKC'), salt, hashLength, options, (error, key) =>
      error ? failed(error) : done(key),
    )
  })
}

function encode({ ln, r, p }: Parameters, salt: Buffer, hash: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${hash.toString('base64url')}`
}

function decode(stored: string): { parameters: Parameters; salt: Buffer; hash: Buffer } {
  const [, ln, r, p, salt, hash] = format.exec(stored) ?? []
  if (!salt || !hash) throw new Error('A stored password is not in the format of this version')
  return {
    parameters: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    hash: Buffer.from(hash, 'base64url'),
  }
}
