/** The initials of a team member, as a picture beside the name. */
export function Initials({ name, look }: { name: string; look: 'on' | 'off' | 'invited' }) {
  const words = name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => Array.from(word ?? '')[0]?.toUpperCase() ?? '')
    .join('')
  return (
    <i className={`initials initials-${look}`} aria-hidden="true">
      {letters}
    </i>
  )
}
