import type { GoogleAuthSetting } from '../../src/contract/account.ts'
import {
  type AccountCredential,
  CredentialFailure,
  type CredentialServices,
  credentialFailureIn,
} from '../../src/contract/credential.ts'
import { type Token, tokenCredential } from '../../src/kit/token-credential.ts'

const scope = 'https://www.googleapis.com/auth/cloud-platform'
/** Where the library asks for tokens whatever the file of credentials says. */
const libraryTokenUrl = 'https://oauth2.googleapis.com/token'

/** A credential that is a token of Google Cloud. Without a setting, the library finds the credentials of the machine. */
export function googleCredential(setting: GoogleAuthSetting): AccountCredential {
  return tokenCredential({ fetch: (services) => fetchToken(setting, services) })
}

/** A new client each time, about once an hour, reads a file that was replaced meanwhile. */
async function fetchToken(
  setting: GoogleAuthSetting,
  services: CredentialServices,
): Promise<Token> {
  // The library is loaded where an account of this kind is asked.
  const { GoogleAuth } = await import('google-auth-library')
  try {
    const credentials = await credentialsOf(setting)
    const auth = new GoogleAuth({
      scopes: scope,
      ...(credentials && { credentials }),
      clientOptions: {
        transporterOptions: {
          fetchImplementation: fetchOver(services, tokenUrlOf(credentials)),
          timeout: 10_000,
        },
      },
    })
    const client = await auth.getClient()
    const headers = await client.getRequestHeaders()
    const text = headers.get('authorization')?.replace(/^Bearer /, '')
    const until = client.credentials.expiry_date
    if (!text) throw new Error('The library gives no token.')
    const project = headers.get('x-goog-user-project')
    return {
      text,
      livesMs: until ? until - Date.now() : usualLifeMs,
      ...(project && { headers: { 'x-goog-user-project': project } }),
    }
  } catch (error) {
    throw failureOf(error)
  }
}

/** Google's tokens last an hour. */
const usualLifeMs = 60 * 60_000

type Credentials = Readonly<Record<string, unknown>>

async function credentialsOf({ file, json }: GoogleAuthSetting): Promise<Credentials | undefined> {
  if (json !== undefined) return JSON.parse(json) as Credentials
  if (file === undefined) return undefined
  const { readFile } = await import('node:fs/promises')
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Credentials
  } catch (cause) {
    throw new CredentialFailure(
      'refused',
      'The file of googleAuth cannot be read, or is no JSON.',
      'check file of googleAuth, and whether this user can read it',
      { cause },
    )
  }
}

function tokenUrlOf(credentials: Credentials | undefined): string {
  const url = credentials?.['token_uri']
  return typeof url === 'string' && /^https?:/.test(url) ? url : libraryTokenUrl
}

/** The requests of the library, over connections such as the account's. */
function fetchOver(services: CredentialServices, tokenUrl: string): typeof fetch {
  return async (input, init = {}) => {
    const asked = input instanceof Request ? input.url : String(input)
    const headers = Object.fromEntries(new Headers(init.headers))
    const { method = 'GET', body } = init
    const reply = await services.request({
      method: method.toUpperCase() as 'GET' | 'POST' | 'PUT',
      url: asked === libraryTokenUrl ? tokenUrl : asked,
      headers,
      ...(body && {
        body: Buffer.isBuffer(body) ? body : (body as string | URLSearchParams).toString(),
      }),
    })
    const hasBody = reply.status !== 204 && reply.body !== ''
    return new Response(hasBody ? reply.body : null, {
      status: reply.status,
      headers: reply.headers,
    })
  }
}

/** Errors of the library may name anything: their texts are repeated nowhere. */
function failureOf(error: unknown): CredentialFailure {
  for (let one = error, levels = 0; one !== undefined && levels < 4; levels++) {
    const known = credentialFailureIn(one)
    if (known) return known
    one = (Object(one) as { cause?: unknown }).cause
  }
  const status = statusOf(error)
  if (status !== undefined && status < 500 && status !== 429 && status !== 408) {
    return new CredentialFailure(
      'refused',
      `Google Cloud refuses a token with the status ${status}.`,
      'check whether the service account and its key exist, and the clock of this machine',
      { cause: error },
    )
  }
  if (status !== undefined) {
    const message = `Google Cloud gives no token. It answers with the status ${status}.`
    return new CredentialFailure('away', message, 'wait: the gateway tries it again by itself', {
      cause: error,
    })
  }
  return new CredentialFailure(
    'refused',
    'No credentials of Google Cloud are found, or they cannot be used.',
    'set googleAuth, run `gcloud auth application-default login`, or give the machine a service account',
    { cause: error },
  )
}

function statusOf(error: unknown): number | undefined {
  const { status, response } = Object(error) as {
    status?: unknown
    response?: { status?: unknown }
  }
  const found = response?.status ?? status
  return typeof found === 'number' ? found : undefined
}
