/**
 * The explanations that the owner reads instead of the error messages of mail servers. The first pattern that
 * matches applies, so the most specific patterns come first.
 */
const meanings: readonly (readonly [signs: RegExp, meaning: string])[] = [
  [
    /ECONNREFUSED/,
    'No mail server responds at this host and port. Check the host and the port, and whether the mail server runs.',
  ],
  [
    /ENOTFOUND|EAI_AGAIN|EDNS|getaddrinfo/,
    'The host name of the mail server does not exist. Check the host.',
  ],
  [
    /ETIMEDOUT|ECONNRESET|timed? ?out|in time/i,
    'The mail server does not answer. A firewall or a wrong port is the usual reason. Try port 587 or 465.',
  ],
  [
    /certificate|\bTLS\b|\bSSL\b|wrong version number/i,
    'The encrypted connection failed. TLS (smtps://) is for port 465, STARTTLS (smtp://) for 587, and the host must be the name in the server’s certificate.',
  ],
  [
    /\b5(30|34|35)\b|invalid login|authenticat|credentials|\b40[13]\b|api key/i,
    'The mail server did not accept the user name, the password or the key. Check them. In SMTP_URL, write an @ in the user name as %40.',
  ],
  [
    /\b55[0134]\b|no such user|mailbox|recipient|relay|domain is not verified/i,
    'The mail server refused the recipient or the sender. Check the email addresses of both.',
  ],
  [
    /\b4\d\d\b|later|busy|greylist|rate/i,
    'The mail server is busy or limits the number of emails. Wait a few minutes and try again; emails to customers are retried automatically.',
  ],
  [
    /ENOSPC|EACCES|EROFS/,
    'The site cannot write to the folder for emails. Check the disk and the access rights of the folder DATA_DIR.',
  ],
]

/** Explains to the owner what to do about a rejected email, based on the error message. */
export function explainMailFailure(message: string): string {
  const match = meanings.find(([signs]) => signs.test(message))
  return match ? match[1] : "We don't know this error. Ask your email provider what it means."
}
