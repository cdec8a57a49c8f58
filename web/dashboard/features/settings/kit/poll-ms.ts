/** What others change is heard at once; this often it is looked for all the same, should the stream be away. */
export const pollMs = 60_000
