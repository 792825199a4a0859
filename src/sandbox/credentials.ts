import type { IncomingMessage } from 'node:http'
import type { Account } from './accounts.ts'
import { accountOfSignature, isSigned } from './clouds/signature.ts'
import { accountOfToken } from './clouds/tokens.ts'
import { Problem } from './problem.ts'
import type { CredentialPlace, Provider } from './provider.ts'

const headerPlaces: CredentialPlace[] = ['authorization', 'x-api-key', 'x-goog-api-key', 'api-key']

// Headers of a gateway's client, which a real provider must not receive.
const privateHeaders = [
  'cookie',
  'baggage',
  'proxy-authorization',
  'openai-organization',
  'openai-project',
  'x-goog-user-project',
]

/** Throws a 400 that names the first header that a gateway must not forward. */
export function rejectLeakedHeaders(request: IncomingMessage, url: URL, provider: Provider): void {
  const leaked = privateHeaders.find((name) => request.headers[name] !== undefined)
  if (leaked) throw leakedHeader(leaked)
  const places = presentedPlaces(request, url)
  const fitting = places.filter((place) => provider.credentials.includes(place))
  const foreign = places.filter((place) => !provider.credentials.includes(place))
  const [, second] = fitting.length > 0 ? [...fitting, ...foreign] : []
  if (second) throw leakedHeader(second)
}

/**
 * The account whose key the request carries, or that has signed it. Throws the provider's error for an unknown key.
 */
export function identifyAccount(
  request: IncomingMessage,
  { url, body }: { url: URL; body: Buffer },
  provider: Provider,
  accounts: Account[],
): Account {
  if (provider.signedFor && isSigned(request)) {
    const { method = '', url: path = '', headers } = request
    return accountOfSignature({ method, url: path, headers, body }, provider.signedFor, accounts)
  }
  const place = presentedPlaces(request, url).find((one) => provider.credentials.includes(one))
  const key = place && keyAt(place, request, url)
  const isBearer = place === 'authorization'
  const ofToken =
    isBearer && provider.audience && accountOfToken(key ?? '', provider.audience, accounts)
  const account =
    ofToken ||
    (isBearer && provider.wantsToken
      ? undefined
      : accounts.find((candidate) => candidate.key === key))
  if (!account) throw provider.wrongKey(key)
  return account
}

// A header that was sent twice counts twice, although `request.headers` has only the first.
function presentedPlaces(request: IncomingMessage, url: URL): CredentialPlace[] {
  const names = request.rawHeaders.filter((_, index) => index % 2 === 0)
  const inHeaders = names
    .map((name) => headerPlaces.find((place) => place === name.toLowerCase()))
    .filter((place) => place !== undefined)
  return url.searchParams.has('key') ? [...inHeaders, 'key'] : inHeaders
}

function keyAt(place: CredentialPlace, request: IncomingMessage, url: URL): string | undefined {
  if (place === 'key') return url.searchParams.get('key') ?? undefined
  const value = request.headers[place]
  if (place !== 'authorization') return typeof value === 'string' ? value : undefined
  return /^Bearer +(\S+)$/i.exec(String(value))?.[1]
}

function leakedHeader(name: string): Problem {
  return new Problem(400, `sandbox: leaked header ${name}`)
}
