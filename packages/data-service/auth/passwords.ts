import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto'

export type Passwords = {
  /** Returns a salted hash of a password that includes its parameters: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
  hash(password: string): Promise<string>
  /**
   * Whether `password` belongs to the hash `stored`. Without a stored hash the result is false after the same time as
   * with one, so that the duration does not reveal whether a user exists.
   */
  verify(password: string, stored: string | undefined): Promise<boolean>
}

type Parameters = { readonly ln: number; readonly r: number; readonly p: number }

/**
 * The cost of scrypt: one of the equivalent settings in OWASP's Password Storage Cheat Sheet. One hash needs 32 MiB
 * of memory.
 */
const current: Parameters = { ln: 15, r: 8, p: 3 }

const hashLength = 32
const format = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

/** The hash that is checked for an unknown user; no password matches it. */
const unknownUser = encode(current, randomBytes(16), randomBytes(hashLength))

type Derive = (password: string, salt: Buffer, parameters: Parameters) => Promise<Buffer>

/** Creates the functions that hash and check with scrypt. Tests pass a cheaper `derive`, or count its calls. */
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
    // NFKC normalization, because Unicode encodes an accented letter in two ways that must be the same password.
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
