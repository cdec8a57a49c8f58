/**
 * A public key in COSE format without a private key that anyone has. The server checks answers of unknown passkeys with
 * it, so that their refusal takes as long as that of a wrong signature.
 */
export const unknownPublicKey = Buffer.from(
  'pQECAyYgASFYIPgCqFLUilG1WBIXQpUUSCvwIDW7YStOPenwYujy95L1IlggldUlJv1IG5PiHnuObK0ZUD_ZBIvlOFpYZCDdRgnUxCk',
  'base64url',
)
