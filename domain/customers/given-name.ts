/*
 * Unverified visitors can make the shop send an email to any address, so the name in the greeting must not carry a
 * message. One word that looks like a given name cannot; three words can.
 */

const letter = String.raw`(?!\ua78f)[\p{Lu}\p{Ll}\p{Lt}\p{Lo}\u3005\u30fc]\p{M}{0,2}`
const word = String.raw`(?:${letter})+`
const mark = "['\u2019\u02bb\u02bc-]"

/** 'Dana', 'Anne-Marie', "D'Arcy"; U+A78F above is a letter that looks like a dot. */
const given = new RegExp(`^${word}(?:${mark}${word})?$`, 'u')
/** A word in the rest of a full name: also 'J.', 'J.R.' and 'Jr.'. */
const part = new RegExp(
  String.raw`^(?:(?:${letter}\.){1,3}|${word}(?:${mark}{1,2}${word}){0,3}\.?)$`,
  'u',
)

/** Scripts without spaces: one apparent word of these can be a whole sentence. */
const dense =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

const maxWords = 5
const maxLetters = 20
const maxDenseLetters = 5

/** The first word of a text that looks like a customer's name, else ''. */
export function givenName(fullName: string): string {
  const words = fullName.normalize('NFC').trim().split(/\s+/)
  const [first = ''] = words
  const maxLength = dense.test(first) ? maxDenseLetters : maxLetters
  const isName = words.length <= maxWords && words.every((one) => part.test(one))
  return isName && given.test(first) && first.length > 1 && first.length <= maxLength ? first : ''
}
