import type { DialectInfo } from '../contract/dialect-info.ts'
import type { Attempt, Ended, Progress } from '../contract/exchange.ts'
import type { ClientRequest } from '../contract/request.ts'
import { presentedCredentials } from './credential.ts'

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
 * percent-encoded, once or a few times. For the usual text, which is shorter than any secret, this compares lengths.
 */
export function cleanText(text: string, exchange: SecretsKnown, longest: number): string {
  const clean = withoutSecrets(text, exchange)
  return clean.length > longest ? `${clean.slice(0, longest)}...` : clean
}

/** Replaces the secrets that an exchange knows. Returns the text itself if it has none. */
export function withoutSecrets(text: string, exchange: SecretsKnown): string {
  const { caller, credential, progress } = exchange
  const { attempt, former } = progress
  let clean = withoutSecret(text, credential)
  if (!caller && credential === undefined) clean = withoutPresented(clean, exchange)
  if (attempt) clean = withoutSecretsOf(clean, attempt)
  if (former) for (const one of former) clean = withoutSecretsOf(clean, one)
  return clean
}

/** Of a request without a known caller, any of its credentials may be a key, and its path may be of no dialect. */
function withoutPresented(text: string, { dialect, request }: SecretsKnown): string {
  if (!request) return text
  let clean = text
  for (const one of presentedCredentials(request)) clean = withoutSecret(clean, one)
  return dialect ? withoutSecret(clean, credentialOf(dialect, request)) : clean
}

function credentialOf(dialect: DialectInfo, request: ClientRequest): string | undefined {
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
  let clean = text.replaceAll(secret, hidden)
  let decoded = clean
  for (let times = 0; times < mostDecodings && decoded.includes('%'); times++) {
    decoded = decode(decoded)
    if (decoded.includes(secret)) clean = decoded = decoded.replaceAll(secret, hidden)
  }
  return clean
}

/** A proxy or a client may encode a path that is encoded already. */
const mostDecodings = 4

const encodedByte = /%([\da-f]{2})/gi

function decode(text: string): string {
  return text.replaceAll(encodedByte, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
