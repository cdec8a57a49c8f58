/**
 * A public key in COSE format whose private key nobody has. The server verifies responses of unknown passkeys with
 * this key, so that their refusal takes as long as the refusal of a wrong signature.
 */
export const unknownPublicKey = Buffer.from(
  'pQECAyYgASFYIPgCqFLUilG1WBIXQpUUSCvwIDW7YStOPenwYujy95L1IlggldUlJv1IG5PiHnuObK0ZUD_ZBIvlOFpYZCDdRgnUxCk',
  'base64url',
)
