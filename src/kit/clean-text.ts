import type { Attempt, Ended, Progress } from '../contract/exchange.ts'

/** The parts of an exchange that know its secrets. */
interface SecretsKnown extends Partial<
  Pick<Ended, 'credential' | 'caller' | 'dialect' | 'request'>
> {
  readonly progress: Partial<Pick<Progress, 'attempt' | 'former'>>
}

/** In characters. A shorter secret is a part of ordinary words. */
const shortestSecret = 4

const hidden = '[secret]'

/**
 * A text that a client or an account chose, as logs, spans and operators may have it: at most `longest` characters,
 * and without the credential of the client and the secrets of the accounts that were asked, also where they are
 * percent-encoded. For the usual text, which is shorter than any secret, this compares lengths.
 */
export function cleanText(text: string, exchange: SecretsKnown, longest: number): string {
  const clean = withoutSecrets(text, exchange)
  return clean.length > longest ? `${clean.slice(0, longest)}...` : clean
}

/** Replaces the secrets that an exchange knows. Returns the text itself if it has none. */
export function withoutSecrets(text: string, exchange: SecretsKnown): string {
  const { attempt, former } = exchange.progress
  let clean = withoutSecret(text, credentialOf(exchange))
  if (attempt) clean = withoutSecretsOf(clean, attempt)
  if (former) for (const one of former) clean = withoutSecretsOf(clean, one)
  return clean
}

/** Of a request that was refused before its caller was known, the credential that it presents. */
function credentialOf({ credential, caller, dialect, request }: SecretsKnown): string | undefined {
  if (credential !== undefined || caller || !dialect || !request) return credential
  try {
    return dialect.credential(request)
  } catch {
    // The reader is a plugin's.
    return undefined
  }
}

function withoutSecretsOf(text: string, { candidate: { account } }: Attempt): string {
  const { credential, secrets } = account
  let clean = withoutSecret(text, credential)
  if (secrets) for (const secret of secrets) clean = withoutSecret(clean, secret)
  return clean
}

function withoutSecret(text: string, secret: string | undefined): string {
  if (secret === undefined || text.length < secret.length) return text
  if (secret.length < shortestSecret) return text
  if (text.includes(secret)) return text.replaceAll(secret, hidden)
  if (!text.includes('%')) return text
  const decoded = text.replaceAll(encodedByte, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return decoded.includes(secret) ? decoded.replaceAll(secret, hidden) : text
}

const encodedByte = /%([\da-f]{2})/gi
